"""What changes while no run is open, and what an earlier run left outside: named, until a person answers it."""

from __future__ import annotations

import pytest

AGENT = {"CLAUDECODE": "1"}
WIDE = {"COLUMNS": "160"}


@pytest.fixture
def approved(packed):
    packed.passdown("review", "--approve").check()
    return packed


def packet(repo):
    return repo.passdown("show", "--json").check().json()["packet"]


def levels(document):
    return {reason["code"]: reason["level"] for reason in document["hold"]["reasons"]}


def stray(repo, how):
    """One change outside, however it was made."""
    if how == "edited":
        repo.write("docs/guide.md", "stray\n")
    elif how == "deleted":
        repo.delete("docs/guide.md")
    elif how == "new":
        repo.write("lib/new.py", "x = 1\n")
    elif how == "committed":
        repo.write("docs/guide.md", "stray\n").commit("Stray")
    elif how == "staged":
        repo.write("docs/guide.md", "stray\n").stage("docs/guide.md")
    elif how == "amended":
        repo.write("docs/guide.md", "stray\n").stage("docs/guide.md")
        repo.git("commit", "-q", "--amend", "--no-edit")
    else:
        repo.link("lib", "/etc")


STRAYS = ["edited", "deleted", "new", "committed", "amended", "link"]


@pytest.mark.parametrize("how", STRAYS)
def test_verify_does_not_hold_what_nobody_judged_between_packet_and_resume(approved, how):
    """An agent's own `resume` must not make a start of what was changed behind the packet's back."""
    stray(approved, how)
    document = approved.passdown("resume", "--no-check", "--json", env=AGENT).check().json()
    assert levels(document)["tree-drift"] == "watch"
    answer = approved.passdown("verify", "--json").check(3).json()
    name = {"new": "lib/new.py", "link": "lib"}.get(how, "docs/guide.md")
    assert [(s["path"], s["in_run"]) for s in answer["unjudged"]] == [(name, False)]
    assert f"outside, judged by nobody: {name}" in approved.passdown("verify").check(3).out


def test_undone_before_the_resume_it_is_gone(approved):
    stray(approved, "edited")
    approved.git("restore", "docs/guide.md")
    approved.passdown("resume", "--no-check").check()
    assert approved.passdown("verify", "--json").check().json()["unjudged"] == []


def test_let_stand_by_a_person_it_holds_as_long_as_it_stays_so(approved):
    stray(approved, "edited")
    approved.passdown("resume", "--no-check").check()
    approved.passdown("review", "--approve").check()
    approved.passdown("verify").check()
    approved.write("docs/guide.md", "and again\n")
    approved.passdown("verify").check(1)


def test_a_run_that_reverts_what_was_changed_before_it_is_judged_for_that(approved):
    """D2: it may be a person's."""
    stray(approved, "edited")
    approved.passdown("resume", "--no-check").check()
    approved.git("restore", "docs/guide.md")
    approved.passdown("verify").check(1)


def test_what_is_staged_is_judged_whenever_that_was(approved):
    stray(approved, "staged")
    approved.passdown("resume", "--no-check").check()
    approved.passdown("verify").check(1)
    approved.passdown("review", "--approve").check()
    approved.passdown("verify").check()


def test_what_changed_inside_between_them_is_named_and_holds(approved):
    approved.write("src/client.py", "def call():\n    return 9\n")
    approved.passdown("resume", "--no-check").check()
    out = approved.passdown("verify").check().out
    assert "inside, changed between" in out
    assert "src/client.py" in out


def test_what_the_base_branch_brought_between_them_is_no_one_s_stray(approved):
    """H7."""
    approved.commit("Work")
    other = approved.clone("colleague")
    other.switch("main").write("docs/guide.md", "theirs\n").commit("Theirs")
    approved.git("remote", "add", "origin", other.root)
    approved.git("fetch", "-q", "origin")
    approved.git("merge", "-q", "--no-edit", "origin/main")
    approved.passdown("resume", "--no-check").check()
    answer = approved.passdown("verify", "--json").check().json()
    assert answer["unjudged"] == []


@pytest.mark.parametrize("when", ["before the answer", "after it"])
def test_a_path_that_a_hand_denied_holds_the_resume(packed, when):
    """The boundary of the next run counts, not the one that was sealed."""
    if when == "after it":
        packed.passdown("review", "--approve").check()
    packed.passdown("boundary", "deny", "docs/**").check()
    if when == "before the answer":
        packed.passdown("review", "--approve").check()
    stray(packed, "edited")
    document = packed.passdown("resume", "--no-check", "--json").check(1).json()
    assert levels(document)["tree-drift"] == "hold"
    assert document["armed"] is False
    packed.passdown("lift", "--because", "my own edit").check()
    packed.passdown("resume", "--no-check").check()
    packed.passdown("verify").check()


def test_a_path_that_the_answer_opened_is_not_denied_any_more(packed):
    packed.passdown("review", "--narrow", "-N1", "+migrations/0001.sql").check()
    packed.write("migrations/0001.sql", "DROP\n")
    assert levels(packed.passdown("resume", "--no-check", "--json").check().json())["tree-drift"] == "watch"


@pytest.fixture
def violated(approved):
    """A run that went outside, and was packed."""
    approved.passdown("resume", "--no-check").check()
    stray(approved, "edited")
    approved.passdown("pack", "--no-check").check()
    return approved


def test_packing_again_does_not_forget_what_a_run_left_outside(violated):
    for _ in range(2):
        document = violated.passdown("pack", "--no-check", "--json").check().json()
        assert levels(document)["boundary-violated"] == "hold"
    violated.passdown("resume").check(1)


def test_neither_does_an_older_packet_that_is_resumed(violated):
    older = violated.passdown("show", "--json").json()["previous"]
    document = violated.passdown("resume", older, "--no-check", "--json", env=AGENT).check(1).json()
    assert levels(document)["boundary-violated"] == "hold"


def test_undoing_it_is_enough(violated):
    violated.git("restore", "docs/guide.md")
    assert "boundary-violated" not in levels(violated.passdown("show", "--json").check().json())
    violated.passdown("resume", "--no-check").check()


def test_an_approval_names_what_it_lets_stand_before_and_after_and_in_the_log(violated):
    screen = violated.passdown("review", env=WIDE).check().out
    assert "docs/guide.md +1 -1 (in the run of" in screen
    assert "approving lets it stand" in screen
    answer = violated.passdown("review", "--approve", "--json").check().json()
    assert answer["verdict"]["accepted"] == ["docs/guide.md"]
    assert "lets stand outside: docs/guide.md" in violated.passdown("log", env=WIDE).check().out
    violated.passdown("resume", "--no-check").check()
    violated.passdown("verify").check()


def test_the_answer_line_names_it(violated):
    assert "Lets stand docs/guide.md +1 -1" in violated.passdown("review", "--approve", env=WIDE).check().out


def test_at_a_terminal_it_is_named_before_the_answer_is_final(violated):
    out = violated.passdown_at_terminal("review", keys="a\n\n\n\n\n", env=WIDE).check().out
    assert out.index("Lets stand docs/guide.md") < out.index("Note to the next run")


def test_narrowing_lets_nothing_stand_that_it_denies(violated):
    answer = violated.passdown("review", "--narrow", "-docs/**", "--json").check().json()
    assert answer["verdict"]["accepted"] == []
    assert levels(violated.passdown("resume", "--no-check", "--json").check(1).json())["boundary-violated"] == "hold"


def test_an_answer_to_an_older_packet_lets_nothing_stand(violated):
    older = violated.passdown("show", "--json").json()["previous"]
    answer = violated.passdown("review", older, "--approve", "--json").check().json()
    assert answer["verdict"]["accepted"] == []
    violated.passdown("resume", "--no-check").check(1)


def test_what_was_let_stand_is_that_content_and_no_other(violated):
    violated.passdown("review", "--approve").check()
    violated.write("docs/guide.md", "something else\n")
    document = violated.passdown("resume", "--no-check", "--json").json()
    assert levels(document)["tree-drift"] in ("watch", "hold")
    violated.passdown("verify").check(1)


def test_completed_is_refused_while_nobody_answered_it(approved):
    stray(approved, "edited")
    approved.passdown("resume", "--no-check").check()
    approved.write("src/ok", "")
    approved.passdown("check", "ok")
    assert "judged by nobody: docs/guide.md" in approved.passdown("outcome", "completed").check(1).out


def test_packed_again_without_a_run_it_is_named_to_whoever_answers(approved):
    """The proposal may open it: then the answer does, by name."""
    stray(approved, "edited")
    document = approved.passdown("pack", "--no-check", "--json").check().json()
    assert levels(document)["tree-drift"] == "watch"
    assert "docs/guide.md +1 -1 (between" in approved.passdown("review", env=WIDE).check().out
    approved.passdown("review", "--approve").check()
    assert "tree-drift" not in levels(approved.passdown("resume", "--no-check", "--json").check().json())
    approved.passdown("verify").check()


def allowed(repo):
    boundary = repo.passdown("pack", "--no-check", "--note", "again", "--json").check().json()["boundary"]
    return [entry["path"] for entry in boundary["allow"]], [entry["path"] for entry in boundary["deny"]]


@pytest.mark.parametrize("resumed", [True, False], ids=["an idle run", "no run"])
def test_packing_again_keeps_what_an_answer_narrowed(packed, resumed):
    packed.passdown("review", "--narrow", "-1", "-docs/**").check()
    if resumed:
        packed.passdown("resume", "--no-check").check()
    answered = packed.passdown("status", "--json").check().json()["boundary"]
    assert allowed(packed) == ([e["path"] for e in answered["allow"]], [e["path"] for e in answered["deny"]])


@pytest.mark.parametrize("answered", [True, False])
def test_packing_after_an_idle_run_keeps_a_boundary_that_a_hand_set(project, answered):
    project.passdown("start", "tidy", "--allow", "src/**").check()
    project.passdown("pack", "--no-check").check()
    if answered:
        project.passdown("review", "--approve").check()
    project.passdown("resume", "--no-check").check()
    for _ in range(2):
        assert allowed(project)[0] == ["src/**"]


def test_a_commit_that_was_taken_back_by_another_is_named_too(approved):
    """No tree shows it, the history that goes on does."""
    approved.write("docs/guide.md", "stray\n").commit("Stray")
    approved.write("docs/guide.md", "# Guide\n").commit("Take it back")
    approved.passdown("resume", "--no-check", env=AGENT).check()
    answer = approved.passdown("verify", "--json").check(3).json()
    assert [(s["path"], s["where"].endswith("in a commit that stays")) for s in answer["unjudged"]] == [
        ("docs/guide.md", True)
    ]
    approved.passdown("review", "--approve").check()
    approved.passdown("verify").check()


def test_committing_what_was_sealed_is_no_stray(packed):
    packed.write("docs/guide.md", "mine\n")
    packed.passdown("pack", "--no-check").check()
    packed.passdown("review", "--narrow", "-docs/guide.md").check()
    packed.commit("All of it").commit("And an empty one")
    packed.passdown("resume", "--no-check").check()
    assert packed.passdown("verify", "--json").check().json()["unjudged"] == []


def test_a_lift_is_for_the_content_that_it_saw(packed):
    packed.passdown("boundary", "deny", "docs/**").check()
    packed.passdown("review", "--approve").check()
    stray(packed, "edited")
    packed.passdown("lift", "--because", "my own edit").check()
    packed.passdown("show", "--exit-code").check()
    packed.write("docs/guide.md", "another edit\n")
    assert levels(packed.passdown("resume", "--no-check", "--json").check(1).json())["tree-drift"] == "hold"


def test_a_violation_that_was_undone_before_the_resume_is_no_stray_of_the_gap(violated):
    violated.git("restore", "docs/guide.md")
    violated.passdown("review", "--approve").check()
    violated.passdown("resume", "--no-check").check()
    assert violated.passdown("verify", "--json").check().json()["unjudged"] == []


@pytest.mark.parametrize("base", ["moved", "committed on"])
def test_the_base_branch_of_this_clone_makes_nothing_somebody_else_s(approved, base):
    """What was made here stays this worktree's, whatever branch it was put on."""
    approved.commit("Work")
    if base == "moved":
        stray(approved, "committed")
        approved.git("branch", "-f", "main", "HEAD")
    else:
        approved.switch("main")
        stray(approved, "committed")
        approved.switch("retry").git("merge", "-q", "--no-edit", "main")
    approved.passdown("resume", "--no-check", env=AGENT).check()
    assert "docs/guide.md" in str(approved.passdown("verify", "--json").check(3).json()["unjudged"])


def test_what_a_run_committed_and_took_back_stays_named_in_the_next_one(approved):
    approved.passdown("resume", "--no-check", env=AGENT).check()
    approved.write("docs/guide.md", "stray\n").commit("Stray")
    approved.write("docs/guide.md", "# Guide\n").commit("Take it back")
    approved.passdown("verify").check(1)
    assert levels(approved.passdown("pack", "--no-check", "--json").json())["boundary-violated"] == "hold"
    approved.passdown("resume", "--no-check", env=AGENT).check(1)
    approved.passdown("lift", "--because", "seen").check()
    approved.passdown("resume", "--no-check", env=AGENT).check()
    assert approved.passdown("verify", "--json").json()["unjudged"] == [], "a person has seen it"


@pytest.mark.parametrize("how", ["approve", "dropped"])
def test_until_a_person_answers_or_the_commits_are_gone(approved, how):
    before = approved.head
    approved.passdown("resume", "--no-check", env=AGENT).check()
    approved.write("docs/guide.md", "stray\n").commit("Stray")
    approved.write("docs/guide.md", "# Guide\n").commit("Take it back")
    packed = approved.passdown("pack", "--no-check", "--json").json()
    assert "docs/guide.md" in str(packed["hold"])
    if how == "approve":
        assert "in a commit that stays" in approved.passdown("review", env=WIDE).out
        approved.passdown("review", "--approve").check()
    else:
        approved.git("reset", "-q", "--soft", before)
    assert "boundary-violated" not in levels(approved.passdown("show", "--json").json())
