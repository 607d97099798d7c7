"""Each thing asked for is done, not addressed or not known, and only what was shown is done (A4, A11, A20)."""

from __future__ import annotations

import json

import pytest

GOAL = """Bring the importer into shape:
1. parse ISO dates in src/dates.py
2. render the summary table
3. `ok` passes
4. document the retry option
5. keep the old CLI flags working
"""
POLICY = '[git]\nbase = "main"\n[checks.ok]\nrun = "test -f src/ok"\nacceptance = true\n'


@pytest.fixture
def project(repo):
    return repo.write("src/dates.py", "x = 1\n").write("passdown.toml", POLICY).commit("Begin").branch("work")


def items(repo, *options):
    packet = repo.passdown("pack", "--json", *options).check().json()
    return {one["id"]: (one["state"], one["because"]) for one in packet["task"]["acceptance"]}


def test_what_was_said_what_was_touched_and_what_nobody_spoke_of(project, sessions):
    session = sessions.claude(project.root, branch="work").user(GOAL)
    session.edit("src/dates.py", "x = 1", "x = 2").say("The summary table is rendered now.").save()
    found = items(project, "--no-check")
    assert {name: state for name, (state, _) in found.items()} == {
        "A1": "not known",
        "A2": "not known",
        "A3": "not known",
        "A4": "not addressed",
        "A5": "not addressed",
    }
    assert found["A1"][1] == "src/dates.py changed, nothing shows that it is done"
    assert found["A2"][1] == 'only said: "The summary table is rendered now."'
    assert found["A3"][1] == "ok is not verified on this code"
    assert found["A4"][1] == "nothing that was said or changed speaks of it"


def test_a_check_that_an_item_asks_for_shows_it(project, sessions):
    sessions.claude(project.root, branch="work").user(GOAL).say("All done.").save()
    project.write("src/ok", "1\n")
    project.passdown("check", "ok").check()
    assert items(project)["A3"] == ("done", "ok passes on this code")
    project.delete("src/ok")
    shown = project.passdown("show", "--json").check().json()
    assert next(one for one in shown["task"]["acceptance"] if one["id"] == "A3")["state"] == "not known"
    project.passdown("check", "ok").check(1)
    shown = project.passdown("show", "--json").check().json()
    assert next(one for one in shown["task"]["acceptance"] if one["id"] == "A3")["because"] == "ok: FAILED"


def test_twenty_eight_asked_five_said(project, sessions):
    """A20: 23 are not addressed, whatever the summary says of the whole."""
    things = [
        "parser",
        "lexer",
        "scanner",
        "printer",
        "router",
        "cache",
        "socket",
        "buffer",
        "mutex",
        "queue",
        "ledger",
        "journal",
        "palette",
        "cursor",
        "widget",
        "canvas",
        "sprite",
        "shader",
        "vertex",
        "matrix",
        "tensor",
        "kernel",
        "driver",
        "daemon",
        "cipher",
        "digest",
        "nonce",
        "salt",
    ]
    goal = "Do all of these:\n" + "\n".join(
        f"{n}. port the {name} to the new interface" for n, name in enumerate(things, 1)
    )
    session = sessions.claude(project.root, branch="work").user(goal)
    session.say(
        "I ported the parser, the lexer and the scanner. The printer and the router are ported too. All 28 are done."
    )
    session.save()
    states = [state for state, _ in items(project, "--no-check").values()]
    assert (states.count("not known"), states.count("not addressed")) == (5, 23)
    screen = project.passdown("show").check().out
    assert "ASKED FOR              0 of 28 done, 5 only said or touched, 23 not addressed" in screen
    brief = project.passdown("show", "--brief").check().out
    assert "Asked for one by one: 0 of 28 done, 5 only said or touched, 23 not addressed." in brief
    assert (
        "**A28** port the salt to the new interface: not addressed"
        in project.passdown("show", "--markdown").check().out
    )
    assert "0 of 28 done" in project.passdown("review").check().out


def test_a_feature_list_is_a_claim(project, sessions):
    listed = [{"description": "Search by title", "passes": True}, {"description": "Sort by date", "passes": False}]
    project.write("feature_list.json", json.dumps(listed))
    sessions.claude(project.root, branch="work").user("go on with the features").say("Done.").save()
    found = items(project, "--no-check")
    assert found == {
        "A1": ("not known", "ticked in feature_list.json, only said"),
        "A2": ("not addressed", "nothing that was said or changed speaks of it"),
    }


def test_an_entry_that_the_run_deleted_is_asked_for_all_the_same(project, sessions):
    """A11: the base's list counts."""
    listed = [{"description": "Search by title", "passes": False}, {"description": "Sort by date", "passes": False}]
    project.switch("main").write("feature_list.json", json.dumps(listed)).commit("Features")
    project.switch("work").git("merge", "-q", "main")
    project.write("feature_list.json", json.dumps(listed[:1])).commit("Tidy the list")
    sessions.claude(project.root, branch="work").user("go on with the features").say("Done.").save()
    assert set(items(project, "--no-check")) == {"A1", "A2"}


def test_ids_stay_and_nothing_goes_by_being_left_out(project, sessions):
    sessions.claude(project.root, branch="work").user("the first half\n- [ ] cache rows\n- [ ] log misses").save()
    first = project.passdown("pack", "--json", "--no-check").check().json()["task"]["acceptance"]
    again = project.passdown("pack", "--json", "--no-check", "--note", "again").check().json()["task"]["acceptance"]
    assert [(one["id"], one["text"]) for one in again] == [(one["id"], one["text"]) for one in first]
    replaced = items(project, "--no-check", "--goal", "another goal\n- [ ] draw icons")
    assert list(replaced) == ["A1"]


def test_without_a_session_nobody_was_heard(project):
    found = items(project, "--no-check", "--goal", GOAL)
    assert found["A4"] == ("not known", "no agent session: nothing was heard of it")


def test_a_reviewer_answers_for_each(project, sessions):
    sessions.claude(project.root, branch="work").user("- [ ] cache rows\n- [ ] log misses").say(
        "Rows are cached."
    ).save()
    project.passdown("pack", "--no-check").check()
    answered = project.passdown_at_terminal("review", keys="a\n\n\nd\nn\n\n\n")
    assert "A1" in answered.out
    shown = project.passdown("show", "--json").check().json()["task"]["acceptance"]
    assert [one["state"] for one in shown] == ["done", "not addressed"]
    assert shown[0]["because"].endswith(" said so")


def test_foreign_text_stays_text(project, sessions):
    project.write("feature_list.json", json.dumps([{"description": "a\x1b[31m\nb", "passes": False}]))
    sessions.claude(project.root, branch="work").user("go on with the features").say("Done.").save()
    screen = project.passdown("pack", "--no-check").check().out
    assert "\x1b[31m" not in screen
    assert "A1 a" in screen


OPEN, DONE = {"description": "Sort by date", "passes": False}, {"description": "Search by title", "passes": True}


@pytest.mark.parametrize(
    ("request_", "now", "asked"),
    [
        ("fix the typo in the title", [DONE, OPEN], set()),
        ("go on with feature_list.json", [DONE, OPEN], {"Sort by date"}),
        ("take the next of the features", [DONE, OPEN], {"Sort by date"}),
        ("fix the typo", [DONE, {**OPEN, "passes": True}], {"Sort by date"}),
        ("fix the typo", [DONE], {"Sort by date"}),
        ("fix the typo", [OPEN], {"Search by title"}),
        ("fix the typo", [DONE, OPEN, {"description": "Print", "passes": False}], {"Print"}),
    ],
)
def test_a_list_of_the_base_is_not_every_task_s(project, sessions, request_, now, asked):
    project.switch("main").write("feature_list.json", json.dumps([DONE, OPEN])).commit("Features")
    project.switch("work").git("merge", "-q", "main")
    project.write("feature_list.json", json.dumps(now)).write("src/more.py", "y = 1\n")
    sessions.claude(project.root, branch="work").user(request_).say("Done.").save()
    packet = project.passdown("pack", "--json", "--no-check").check().json()
    assert {item["text"] for item in packet["task"]["acceptance"]} == asked
