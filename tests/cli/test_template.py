"""``passdown template`` and what a team's own changes in a packet."""

from __future__ import annotations

import json

import pytest

MINE = ".passdown/templates/db-migration.toml"
TEXT = """\
title = "a migration half applied"
[recognise]
paths = ["migrations/"]
[boundary]
allow = ["src/models/**"]
deny = ["src/auth/", "docs/"]
new_files = 0
[checklist]
steps = [{ step = "it applies and reverts", check = "make migrate", if_not = "do not edit an applied one" }]
last = "run the whole suite"
[stop]
when = ["an applied migration must change"]
[hold]
not-on-remote = "hold"
"""


@pytest.fixture
def migrating(repo):
    """A team with a template of its own, and a branch where its kind of work stopped."""
    repo.write("src/a.py", "x = 1\n").write("docs/a.md", "# a\n").write("docs/b.md", "# b\n")
    repo.write(MINE, TEXT).commit("One").branch("work")
    return repo.write("migrations/1.sql", "create\n")


def packed(repo, *more):
    return json.loads(repo.passdown("pack", "--goal", "go on", "--json", *more).out)


def test_a_teams_template_shapes_the_packet(migrating):
    packet = packed(migrating)
    assert (packet["template"], packet["template_because"]) == ("db-migration", "migrations/1.sql changed")
    assert [e["path"] for e in packet["boundary"]["allow"]] == ["migrations/1.sql", "src/models/**"]
    assert packet["boundary"]["allow"][1]["because"] == "template db-migration"
    assert [e["path"] for e in packet["boundary"]["deny"]] == ["src/auth", "docs/**"]
    assert packet["boundary"]["budget"]["new"] == 0
    assert packet["boundary"]["stop"] == ["an applied migration must change"]
    assert [s["step"] for s in packet["checklist"]] == ["it applies and reverts", "run the whole suite"]
    for verb in ("show", "review"):
        assert "a migration half applied (migrations/1.sql changed)" in migrating.passdown(verb).out


def test_a_run_cannot_change_what_shapes_its_packet(migrating):
    migrating.write(MINE, TEXT.replace('"src/auth/", ', "").replace("new_files = 0", "new_files = 900"))
    packet = packed(migrating)
    assert packet["boundary"]["budget"]["new"] == 0
    assert MINE not in {entry["path"].lstrip("/") for entry in packet["boundary"]["allow"]}
    assert "Not in force   db-migration" in migrating.passdown("template", "list").out


def test_a_person_names_another_and_that_stays(migrating):
    packet = packed(migrating, "--template", "general")
    assert (packet["template"], packet["template_because"]) == ("general", "named by the person")
    shown = " ".join(migrating.passdown("show").check().out.split())
    assert "work in progress (named by the person) other: passdown pack --template NAME" in shown
    assert packed(migrating)["template"] == "general"
    result = migrating.passdown("pack", "--template", "nope")
    assert (result.code, "no template 'nope'" in result.err) == (2, True)


def test_paused_docs_close_code_that_nobody_asked_for(repo):
    repo.write("src/a.py", "x = 1\n").write("docs/a.md", "# a\n").write("docs/b.md", "# b\n").write("docs/c.md", "c\n")
    repo.commit("One").branch("work")
    for name in ("docs/a.md", "docs/b.md", "docs/c.md", "src/a.py"):
        repo.write(name, "changed = 1\n")
    packet = packed(repo)
    assert packet["template"] == "paused-docs"
    assert [(e["path"], e["because"]) for e in packet["boundary"]["deny"]] == [("src/a.py", "template paused-docs")]
    assert "src/a.py" not in {entry["path"] for entry in packet["boundary"]["allow"]}


def test_one_is_begun_checked_and_shown(repo):
    assert repo.passdown("template", "new", "hotfix", "--from", "failing-test").code == 0
    path = ".passdown/templates/hotfix.toml"
    assert 'name = "hotfix"' in (repo.root / path).read_text()
    assert repo.passdown("template", "check").out == f"{path}: fine\n"
    assert repo.passdown("template", "new", "hotfix").code == 2
    assert repo.passdown("template", "new", "hotfix", env={"CLAUDECODE": "1"}).code == 2
    repo.write(path, "title = 'x'\n[checklist]\nlast = 3\n")
    result = repo.passdown("template", "check", "--json")
    assert result.code == 2
    assert json.loads(result.out)["files"][0]["mistake"] == f"{path}:3: checklist.last: expected a string, got 3"
    listed = json.loads(repo.passdown("template", "list", "--json").out)
    assert (len(listed["templates"]), listed["not_in_force"]) == (5, ["hotfix"])
    shown = repo.passdown("template", "show", "paused-docs").out
    assert "Stays within" in shown
    assert "if not: take the sentence out" in shown


def test_a_new_general_one_never_takes_everything(repo):
    repo.passdown("template", "new", "spike")
    assert "always" not in (repo.root / ".passdown/templates/spike.toml").read_text()
