"""The loop on a real session: pack, review, resume, rollback."""

from __future__ import annotations

import pytest

AGENT = {"CLAUDECODE": "1"}
WHOLE = {"COLUMNS": None}
GOAL = "make test_retry pass; keep the public API of client.py; don't touch migrations"


def digest(repo):
    return repo.passdown("show", "--json").check().json()["packet"]


def test_pack_seals_a_packet_and_shows_it(worked):
    out = worked.passdown("pack", "--no-check").check().out
    assert GOAL[:30] in out
    assert "All 212 tests pass" in out
    packet = worked.passdown("show", "--json").check().json()
    assert packet["schema"] == "passdown/packet/v1"
    assert packet["run"]["agent"] == "claude"
    assert packet["run"]["end"]["reason"] == "quota"
    assert len(packet["packet"]) == 64


def test_a_dry_run_seals_and_records_nothing(worked):
    packet = worked.passdown("pack", "--dry-run", "--json").check().json()
    assert packet["packet"] is None
    assert packet["task"]["goal"]["text"] == GOAL
    assert worked.passdown("log", "--json").check().json() == []
    assert not worked.home.exists()


def test_pack_works_without_a_session(project):
    project.write("src/retry.py", "WAIT = 4\n")
    packet = project.passdown("pack", "--json", "--goal", "wait longer").check().json()
    assert packet["run"]["agent"] is None
    assert packet["run"]["session"] is None
    assert packet["task"]["goal"]["text"] == "wait longer"
    assert [file["path"] for file in packet["files"]] == ["src/retry.py"]


@pytest.mark.parametrize("form", ["--json", "--markdown", "--brief", "--goal", "--as-sealed"])
def test_show_has_every_form(packed, form):
    assert packed.passdown("show", form).check().out.strip()


def test_an_ambiguous_or_unknown_prefix_is_an_error(packed):
    assert "0000" in packed.passdown("show", "0000").check(2).err


def test_review_without_an_answer_shows_the_screen_and_how_to_answer(packed):
    out = packed.passdown("review").check().out
    assert "REVIEW" in out
    assert "Does not approve the code" in out
    assert "--approve" in out
    assert len(out.splitlines()) <= 22
    assert packed.passdown("log", env=WHOLE).out.count("answered") == 0


def test_narrow_drops_and_adds_and_binds_the_verdict(packed):
    before = packed.passdown("show", "--json").json()["boundary"]
    paths = [entry["path"] for entry in before["allow"]]
    answer = (
        packed.passdown("review", "--narrow", "-1", "+docs/guide.md", "--note", "client first", "--json").check().json()
    )
    verdict = answer["verdict"]
    assert answer["packet"] == digest(packed)
    assert verdict["packet"] == answer["packet"]
    assert verdict["answer"] == "narrow"
    assert [e["path"] for e in answer["boundary"]["after"]["allow"]] == [*paths[1:], "docs/guide.md"]
    assert answer["boundary"]["after"]["source"] == "reviewed"
    assert answer["boundary"]["after"]["version"] == before["version"] + 1
    assert verdict["boundary_digest"] == answer["boundary"]["after"]["digest"]
    assert verdict["note"] == "client first"
    assert verdict["self_"] is True
    shown = packed.passdown("show", "--json").json()
    assert (shown["verdict"]["answer"], shown["verdict"]["self"]) == ("narrow", True)


def test_a_verdict_names_the_one_before_it(packed):
    first = packed.passdown("review", "--approve", "--json").check().json()
    second = packed.passdown("review", "--narrow", "-1", "--json").check().json()
    assert first["verdict"]["previous"] is None
    assert second["verdict"]["previous"] == first["statement"]


def test_a_reviewer_who_did_not_run_the_agent_is_not_self(packed):
    """E14."""
    env = {"GIT_AUTHOR_EMAIL": "bob@example.test", "GIT_COMMITTER_EMAIL": "bob@example.test"}
    packed.git("config", "user.email", "bob@example.test")
    packed.git("config", "user.name", "Bob")
    answer = packed.passdown("review", "--approve", "--json", env=env).check().json()
    assert answer["verdict"]["self_"] is False


@pytest.mark.parametrize(
    "args",
    [
        ["--approve", "--rollback"],
        ["--narrow"],
        ["--narrow", "-99"],
        ["--to", "abcd"],
        ["--note", "x"],
        ["--waive", "F1", "--approve"],
        ["--approve", "--waive", "F99", "--because", "x"],
        ["--because", "x"],
    ],
    ids=" ".join,
)
def test_an_answer_that_makes_no_sense_records_nothing(packed, args):
    assert len(packed.passdown("review", *args).check(2).err.splitlines()) <= 2
    assert packed.passdown("log", env=WHOLE).out.count("answered") == 0


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["hold", "--because", " "], "the reason is empty"),
        (["lift", "--because", ""], "the reason is empty"),
        (["log", "--check", "nosuch"], "No run of a check 'nosuch' is recorded here"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_was_asked_for_is_named(packed, args, said):
    done = packed.passdown(*args)
    assert said in done.out + done.err


def test_a_waiver_closes_an_item_with_its_reason(packed):
    """A11."""
    items = [item["id"] for item in packed.passdown("status", "--json").json()["items"]]
    said = packed.passdown("review", "--approve", "--waive", items[0], "--because", "known flake").check().out
    assert f"Waived     {items[0]}: known flake\n" in said
    assert items[0] not in [item["id"] for item in packed.passdown("status", "--json").json()["items"]]
    assert f"waived {items[0]}" in packed.passdown("log", env=WHOLE).out


def test_resume_prints_the_brief_and_arms_what_was_answered(packed):
    packed.passdown("review", "--narrow", "-1", "--note", "client first").check()
    out = packed.passdown("resume", "--no-check").check().out
    assert "client first" in out
    assert "Advisory" in out
    status = packed.passdown("status", "--json").check().json()
    assert status["armed"] is True
    assert status["boundary"]["source"] == "reviewed"
    packed.write("src/client.py", "def call():\n    return 3\n")
    allowed = [entry["path"] for entry in status["boundary"]["allow"]]
    expected = 0 if any("client" in path for path in allowed) else 1
    packed.passdown("verify").check(expected)
    packed.write("migrations/0001.sql", "DROP\n")
    packed.passdown("verify").check(1)


def test_resume_s_document(packed):
    document = packed.passdown("resume", "--json").check().json()
    assert {"packet", "hold", "drift", "brief", "boundary", "armed"} <= set(document)
    assert document["armed"] is True
    assert document["drift"] == []
    assert document["packet"] == digest(packed)


def test_repeating_resume_renews_and_keeps_the_start(packed):
    packed.passdown("review", "--approve").check()
    packed.passdown("resume").check()
    packed.write("migrations/0001.sql", "DROP\n")
    packed.passdown("resume")
    assert packed.passdown("verify").check(1).out.count("migrations/0001.sql") == 1


def test_a_proposed_boundary_arms_but_verify_can_not_decide(packed):
    assert packed.passdown("resume", "--json").check().json()["boundary"]["source"] == "proposed"
    answer = packed.passdown("verify", "--json").check(3).json()
    assert answer["holds"] is None
    packed.passdown("review", "--approve").check()
    packed.passdown("verify").check()


def test_drift_is_told(packed):
    packed.write("src/retry.py", "WAIT = 99\n")
    drift = packed.passdown("resume", "--json").json()["drift"]
    assert [(row["what"], row["path"]) for row in drift] == [("worktree", "src/retry.py")]


def test_a_hold_arms_nothing_and_exits_with_1(packed):
    packed.passdown("hold", "--because", "wait for the design").check()
    result = packed.passdown("resume").check(1)
    assert result.out.startswith("HOLD")
    assert "wait for the" in result.out
    assert "passdown lift" in result.out
    document = packed.passdown("resume", "--json").check(1).json()
    assert (document["armed"], document["hold"]["state"]) == (False, "HOLD")
    assert packed.passdown("status", "--json").json()["armed"] is False
    for verb in ("show", "status"):
        packed.passdown(verb).check()
        packed.passdown(verb, "--exit-code").check(1)
    packed.passdown("lift", "--because", "decided").check()
    packed.passdown("resume").check()


def test_another_worktree_and_another_branch_are_the_wrong_place(packed):
    """F2, F3, F4."""
    name = digest(packed)[:10]
    other = packed.worktree("other")
    for place in (other, packed.branch("elsewhere")):
        document = place.passdown("resume", name, "--json").check(1).json()
        assert "wrong-place" in [reason["code"] for reason in document["hold"]["reasons"]]
        assert place.passdown("resume").check(2).err.startswith("passdown: nothing to resume here")


def test_handing_over_holds_until_the_named_one_answers(packed):
    packed.passdown("review", "--reassign", "bob@example.test").check()
    assert "handed-over" in [r["code"] for r in packed.passdown("resume", "--json").check(1).json()["hold"]["reasons"]]
    packed.git("config", "user.email", "bob@example.test")
    env = {"GIT_AUTHOR_EMAIL": "bob@example.test", "GIT_COMMITTER_EMAIL": "bob@example.test"}
    packed.passdown("review", "--approve", env=env).check()
    packed.passdown("resume").check()


def test_rollback_restores_the_sealed_state_exactly_and_rescues_today_s(packed):
    """D10."""
    name = digest(packed)[:10]
    head, index = packed.head, packed.path(".git/index").read_bytes()
    sealed = packed.read("src/retry.py")
    packed.write("src/retry.py", "lost?\n").write("src/new.py", "lost?\n").delete("docs/guide.md")
    result = packed.passdown("rollback", name).check()
    assert "proven" in result.out
    assert packed.read("src/retry.py") == sealed
    assert not packed.path("src/new.py").exists()
    assert packed.path("docs/guide.md").exists()
    assert packed.head == head
    assert packed.path(".git/index").read_bytes() == index
    undo = result.out.splitlines()[-1].split()[-1]
    packed.passdown("rollback", undo).check()
    assert packed.read("src/new.py") == "lost?\n"
    assert not packed.path("docs/guide.md").exists()


def test_rollback_leaves_commits_where_they_are_and_lists_them(packed):
    name = digest(packed)[:10]
    packed.write("src/new.py", "x\n").commit("Made since")
    head = packed.head
    assert "Made since" in packed.passdown("rollback", name).check().out
    assert packed.head == head
    assert not packed.path("src/new.py").exists()


def test_a_rollback_verdict_waits_for_its_command(packed):
    name = digest(packed)[:10]
    packed.write("src/new.py", "x\n")
    packed.passdown("rollback", name, env=AGENT).check(2)
    packed.passdown("review", "--rollback").check()
    assert packed.path("src/new.py").exists()
    assert "rollback-pending" in [
        r["code"] for r in packed.passdown("resume", "--json").check(1).json()["hold"]["reasons"]
    ]
    packed.passdown("rollback", name, env=AGENT).check()
    assert not packed.path("src/new.py").exists()


def test_rescue_keeps_and_brings_back(project):
    project.write("src/new.py", "kept\n")
    name = project.passdown("rescue", "--json").check().json()["statement"]
    project.delete("src/new.py").write("docs/guide.md", "x\n")
    project.passdown("rollback", name[:10]).check()
    assert project.read("src/new.py") == "kept\n"
    assert project.read("docs/guide.md") == "# Guide\n"


def test_after_a_verdict_a_hand_only_narrows(packed):
    packed.passdown("review", "--approve").check()
    packed.passdown("resume").check()
    result = packed.passdown("boundary", "allow", "docs/**").check(2)
    assert "verdict" in result.err
    packed.passdown("boundary", "deny", "src/client.py").check()
    packed.write("src/client.py", "x = 1\n")
    packed.passdown("verify").check(1)


def test_a_new_plan_keeps_decisions_and_dead_ends(packed):
    packed.passdown("note", "decision", "cap at 60 s").check()
    packed.passdown("start", "plan anew", "--from", digest(packed)[:10], "--allow", "src/**").check()
    packet = packed.passdown("pack", "--json", "--no-check").check().json()
    assert [decision["text"] for decision in packet["decisions"]] == ["cap at 60 s"]
    assert packet["task"]["goal"]["text"] == "plan anew"


def test_the_whole_loop_leaves_the_user_s_repository_alone(packed):
    """M1: nothing in refs, index, config or git log --all."""
    before = packed.git("for-each-ref"), packed.git("log", "--all", "--format=%H"), packed.read(".git/config")
    packed.passdown("review", "--approve").check()
    packed.passdown("resume").check()
    packed.passdown("verify").check()
    assert (packed.git("for-each-ref"), packed.git("log", "--all", "--format=%H"), packed.read(".git/config")) == before
    assert packed.git("stash", "list") == ""


def test_a_session_that_is_packed_to_its_end_is_not_offered_again(packed):
    """It is offered where it has records that no packet has sealed."""
    packed.passdown("outcome", "abandoned", "--because", "enough").check()
    status = packed.passdown("status").check().out
    assert "all of it is packed" in status
    assert "start" in packed.passdown("status", "--json").json()["next"]


def test_a_session_that_went_on_is_offered(worked, sessions):
    session = sessions.claude(worked.root, branch="retry", start=1_700_000_000.0).user("more").say("Done.")
    session.save()
    worked.passdown("pack", session.session, "--no-check").check()
    worked.passdown("outcome", "abandoned", "--because", "enough").check()
    assert worked.passdown("status", "--json").json()["next"] == "passdown pack", "the other session is not packed"
    worked.passdown("pack", "--no-check").check()
    worked.passdown("outcome", "abandoned", "--because", "enough").check()
    assert "start" in worked.passdown("status", "--json").json()["next"]
    session.user("and more").say("Done again.").save()
    assert worked.passdown("status", "--json").json()["next"] == "passdown pack"


def test_packing_again_after_the_end_seals_nothing_new(packed):
    """A habit must not open a task of work that is done, with a HOLD at its head."""
    packed.passdown("outcome", "abandoned", "--because", "enough").check()
    records = packed.passdown("log", "--json").check().out
    again = packed.passdown("pack", "--no-check").check().out
    assert again.startswith("Nothing new since ")
    assert "HOLD" not in again
    assert packed.passdown("log", "--json").check().out == records
    packed.write("src/more.py", "x = 1\n")
    assert packed.passdown("pack", "--no-check").check().out.startswith("HANDOFF")
