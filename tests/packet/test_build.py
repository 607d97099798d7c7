"""From a real worktree, real records and a told session to a sealed packet, and what it says later."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from passdown.checks.confirm import confirm
from passdown.checks.discover import candidates
from passdown.checks.tree import TreeView
from passdown.model.event import Closed, Note, Resumed, TaskOpened, Verdict
from passdown.model.packet import MAX_BYTES, Goal, Item, Packet
from passdown.model.policy import DenyRule, Policy
from passdown.model.session import Prohibition
from passdown.packet.ask import Ask
from passdown.packet.brief import brief
from passdown.packet.build import build
from passdown.packet.markdown import markdown
from passdown.packet.seal import seal
from passdown.packet.size import fitted
from passdown.packet.standing import as_sealed, standing
from passdown.packet.terminal import terminal
from passdown.rules.decide import Asked
from passdown.rules.fold import fold
from passdown.rules.propose import ELSE
from passdown.store import open_ledger
from passdown.workspace.place import find_place
from passdown.workspace.snapshot import take
from support.facts import Told
from support.packets import a_packet, evidence
from support.repo import Repo

NOW = "2026-11-30T15:58:00.000Z"
GOAL = "make test_retry pass; keep client.py's public API; don't touch migrations"
BACKOFF = "tests/test_retry.py::test_backoff"
RETRY = "def wait(n):\n    return n\n"
CLIENT = "def get(url):\n    return url\n"


class Bench:
    """One worktree with its ledger: pack, look again, go on."""

    def __init__(self, repo: Repo) -> None:
        self.repo = repo
        self.policy = Policy()

    @property
    def place(self):
        return find_place(self.repo.root)

    @cached_property
    def ledger(self):
        place = self.place
        return open_ledger(place.home, place.object_format)

    def ask(self, place, told: Told | None = None, **changes) -> Ask:
        facts = told.facts() if told is not None else None
        return replace(Ask(now=NOW, snapshot=take(place), facts=facts, resume_owner="@alice"), **changes)

    def draft(self, told: Told | None = None, **changes) -> Packet:
        place = self.place
        return build(place, self.ledger, self.policy, self.ask(place, told, **changes))

    def pack(self, told: Told | None = None, **changes) -> Packet:
        place = self.place
        draft = build(place, self.ledger, self.policy, self.ask(place, told, **changes))
        return seal(place, self.ledger, draft)

    def now(self, packet: Packet, **changes) -> Packet:
        place = self.place
        return standing(place, self.ledger, self.policy, packet, self.ask(place, **changes))

    def add(self, body, task: str, at: str = NOW) -> str:
        return self.ledger.append(body, task=task, at=at)

    def resume(self, packet: Packet, run: str = "run2", at: str = NOW) -> None:
        place = self.place
        tree = take(place).tree
        self.add(
            Resumed(
                task=packet.task.id,
                packet=packet.packet,
                run=run,
                boundary=packet.boundary,
                worktree_id=place.worktree_id,
                branch=place.branch,
                tree=tree,
                head=place.head,
            ),
            packet.task.id,
            at,
        )


@pytest.fixture
def bench(repo: Repo) -> Bench:
    repo.write("src/retry.py", RETRY).write("src/client.py", CLIENT).write("src/auth/token.py", "x = 1\n")
    repo.write("migrations/0001.sql", "create\n").write("tests/test_retry.py", "def test_backoff():\n    assert 0\n")
    repo.commit("Code").branch("retry-billing")
    return Bench(repo)


@pytest.fixture
def told(bench: Bench) -> Told:
    return Told(bench.repo.root)


@pytest.fixture
def quota(told: Told) -> Told:
    """The handoff of the screens."""
    told.end, told.resets = "quota", "18:00"
    told.user(GOAL, ("don't touch migrations", ["migrations"]))
    told.todos(("parse Retry-After in retry.py", "completed"), ("cap in client.py", "pending"))
    for n in range(3):
        told.writes("src/retry.py", RETRY + f"# {n}\n").tested(
            "pytest -q", passed=211, **{BACKOFF: "AssertionError: 3 != 5"}
        )
    told.user("use the server's Retry-After, cap 60 s").decides("cap 60 s, not configurable")
    told.stuck("patching time.monotonic", "TypeError: can't set attribute", 3)
    told.writes("src/client.py", "def get(url):\n    return (url\n")
    return told.says("all 212 tests pass", "CONTRADICTED", "pytest 15:31: 1 failed, 211 passed, exit 1", "pytest -q")


class TestTheScreensHandoff:
    def test_goal_and_last_request_are_verbatim(self, bench: Bench, quota: Told) -> None:
        task = bench.draft(quota).task
        assert (task.goal.text, task.goal.source, task.title) == (GOAL, "user", "retry billing")
        assert task.last_request == "use the server's Retry-After, cap 60 s"

    def test_c13_the_run_says_how_it_ended_and_is_not_complete(self, bench: Bench, quota: Told) -> None:
        packet = bench.draft(quota)
        assert (packet.run.end.reason, packet.run.end.resets) == ("quota", "18:00")
        assert packet.hold.state == "WATCH"
        assert [(f.path, f.by) for f in packet.files] == [("src/client.py", ["tool"]), ("src/retry.py", ["tool"])]

    def test_failures_stand_with_name_error_and_tries(self, bench: Bench, quota: Told) -> None:
        items = {item.id: item for item in bench.draft(quota).items}
        assert (items["F1"].text, items["F1"].error, items["F1"].tries) == (BACKOFF, "AssertionError: 3 != 5", 3)
        assert items["F2"].text == "src/client.py:2 does not parse: the edit was cut off"
        assert (items["S1"].kind, items["S1"].text) == ("step", "cap in client.py")

    def test_the_boundary_is_narrow_and_has_reasons(self, bench: Bench, quota: Told) -> None:
        boundary = bench.draft(quota, owned=[("src/auth/**", "@security")]).boundary
        assert [e.path for e in boundary.allow] == ["src/client.py", "src/retry.py", "tests/test_retry.py"]
        assert [(e.path, e.because) for e in boundary.deny] == [
            ("migrations/**", 'user: "don\'t touch migrations"'),
            ("src/auth/**", "owner @security"),
        ]
        assert (boundary.source, boundary.budget.new) == ("proposed", 1)

    def test_the_checklist_names_its_checks_open_failures_first(self, bench: Bench, quota: Told) -> None:
        steps = bench.draft(quota).checklist
        assert [(s.done, s.item) for s in steps] == [
            (True, None),
            (False, "F2"),
            (False, "F1"),
            (False, "S1"),
            (False, None),
        ]
        assert all(s.check and s.if_not for s in steps)

    def test_the_rest_stands_too(self, bench: Bench, quota: Told) -> None:
        packet = bench.draft(quota)
        assert [o.class_ for o in packet.outcomes] == ["CONTRADICTED"]
        assert [(d.id, d.settled) for d in packet.decisions] == [("D1", True)]
        assert [(d.id, d.tries) for d in packet.dead_ends] == [("X1", 3)]
        assert packet.prohibitions == ["don't touch migrations"]
        assert packet.template == "failing-test"
        assert [(d.check, d.result) for d in packet.task.done] == [("tests", "FAILED")]

    def test_screen_and_brief(self, bench: Bench, quota: Told) -> None:
        packet = bench.pack(quota)
        screen, told = terminal(packet), brief(packet)
        for text in (BACKOFF, "AssertionError: 3 != 5", "migrations/**", 'x "all 212 tests pass"'):
            assert text in screen
        for text in (
            GOAL,
            BACKOFF,
            "N1 migrations/** (user)",
            "Continue at step 2 of 5",
            "--open F1,F2 --first src/client.py --not N1",
        ):
            assert text in told
        assert len(screen.splitlines()) <= 20


class TestSealing:
    def test_a_dry_run_writes_nothing(self, bench: Bench, quota: Told) -> None:
        packet = bench.draft(quota)
        assert packet.packet is None
        assert not (bench.place.home / "store.git").exists()
        assert bench.ledger.records() == []

    def test_a_sealed_packet_reads_back_equal_but_for_its_digest(self, bench: Bench, quota: Told) -> None:
        packet = bench.pack(quota)
        record = bench.ledger.record(packet.packet)
        assert record.body == msgspec.structs.replace(packet, packet=None)

    def test_as_sealed_leaves_hold_and_classes(self, bench: Bench, quota: Told) -> None:
        packet = bench.pack(quota)
        assert as_sealed(packet) == packet

    def test_the_shape_is_json(self, bench: Bench, quota: Told) -> None:
        document = msgspec.json.decode(msgspec.json.encode(bench.pack(quota)))
        assert document["schema"] == "passdown/packet/v1"
        assert document["run"]["from"] == -1


class TestASecondPacket:
    def test_continues_the_same_session_after_through(self, bench: Bench, quota: Told) -> None:
        first = bench.pack(quota)
        quota.writes("src/client.py", CLIENT).tested("pytest -q", passed=211, **{BACKOFF: "AssertionError: 3 != 5"})
        second = bench.pack(quota)
        assert (second.run.from_, second.previous, second.task.id) == (first.run.through, first.packet, first.task.id)
        assert second.task.goal == first.task.goal
        assert [f.path for f in second.files] == ["src/client.py"]
        assert second.commands.run == 1

    def test_ids_stay_and_what_parses_again_is_closed(self, bench: Bench, quota: Told) -> None:
        bench.pack(quota)
        quota.writes("src/client.py", CLIENT).tested("pytest -q", passed=211, **{BACKOFF: "AssertionError: 3 != 5"})
        second = bench.pack(quota)
        assert [(i.id, i.tries) for i in second.items if i.kind == "failure"] == [("F1", 4)]
        assert [(c.id, c.evidence) for c in second.closed] == [("F2", ["parses:src/client.py"])]
        task = fold(bench.ledger.records())[second.task.id]
        assert [i.id for i in task.items] == ["F1", "S1"]

    def test_a_pass_closes_the_failure(self, bench: Bench, quota: Told) -> None:
        bench.pack(quota)
        quota.writes("src/client.py", CLIENT).checked("pytest -q", passed=212)
        second = bench.pack(quota)
        assert [i.id for i in second.items] == ["S1"]
        assert fold(bench.ledger.records())[second.task.id].closed_items

    def test_a11_to_dos_that_disappear_stay_open(self, bench: Bench, told: Told) -> None:
        told.user("do it").todos(*[(f"step {n}", "pending") for n in range(9)])
        bench.pack(told)
        told.todos(*[(f"step {n}", "pending") for n in range(4)])
        assert len(bench.pack(told).items) == 9

    @pytest.mark.parametrize(("tests", "left"), [(True, 0), (False, 1)])
    def test_a_to_do_marked_completed_closes_with_a_passing_check_alone(
        self, bench: Bench, told: Told, tests: bool, left: int
    ) -> None:
        told.user("do it").todos(("cap it", "pending")).writes("src/retry.py", RETRY + "#\n")
        bench.pack(told)
        told.todos(("cap it", "completed"))
        if tests:
            told.checked("pytest -q", passed=5)
        assert len(bench.pack(told).items) == left

    def test_another_session_on_the_branch_is_the_same_task(self, bench: Bench, quota: Told) -> None:
        first = bench.pack(quota)
        other = Told(bench.repo.root, session="s2").user("go on with the client")
        second = bench.pack(other)
        assert second.task.id == first.task.id
        assert second.task.goal.text == GOAL
        assert second.task.last_request == "go on with the client"
        assert second.prohibitions == ["don't touch migrations"]

    def test_what_the_user_forbade_stays_forbidden_in_the_next_session_until_taken_back(
        self, bench: Bench, quota: Told
    ) -> None:
        first = bench.pack(quota)
        other = Told(bench.repo.root, session="s2").user("go on with the client")
        second = bench.pack(other)
        assert [e.path for e in second.boundary.deny] == [e.path for e in first.boundary.deny] == ["migrations/**"]
        assert (second.boundary.version, second.boundary.deny[0].id) == (2, "N1")
        last = Told(bench.repo.root, session="s3").user("fine")
        last.parts["prohibitions"] = [
            Prohibition(text="don't touch migrations", paths=["migrations"], lifted="you may")
        ]
        assert bench.pack(last).boundary.deny == []

    @pytest.mark.parametrize(
        ("self_", "answer", "source"),
        [(True, "approve", "proposed"), (False, "approve", "reviewed"), (True, "narrow", "reviewed")],
    )
    def test_what_a_reviewer_decided_stays_and_ones_own_enter_is_asked_again(
        self, bench: Bench, quota: Told, self_: bool, answer: str, source: str
    ) -> None:
        first = bench.pack(quota)
        reviewed = msgspec.structs.replace(first.boundary, source="reviewed", version=2).sealed()
        given = Verdict(
            task=first.task.id,
            packet=first.packet,
            answer=answer,
            by="@alice",
            presence="terminal",
            self_=self_,
            boundary=reviewed,
            boundary_digest=reviewed.digest,
            previous=None,
            owners=[],
        )
        bench.add(given, first.task.id)
        bench.resume(msgspec.structs.replace(first, boundary=reviewed))
        second = bench.pack(
            Told(bench.repo.root, session="s2").user("go on, please do").writes("src/client.py", CLIENT)
        )
        assert second.boundary.source == source

    def test_after_an_outcome_or_on_another_branch_it_is_another_task(self, bench: Bench, quota: Told) -> None:
        first = bench.pack(quota)
        other = Told(bench.repo.root, session="s2").user("new work")
        bench.add(Closed(task=first.task.id, outcome="completed", because="merged", by="@alice"), first.task.id)
        second = bench.draft(other)
        assert second.task.id != first.task.id
        assert (second.task.goal.text, second.items) == (
            "new work",
            [i for i in second.items if i.text.startswith("src/client.py")],
        )

    def test_a_resumed_run_has_its_id_and_its_start(self, bench: Bench, quota: Told) -> None:
        first = bench.pack(quota)
        bench.repo.write("by_hand.txt", "x\n")
        bench.resume(first)
        packet = bench.pack(
            Told(bench.repo.root, session="s2").user("go on please, now").writes("src/client.py", CLIENT)
        )
        assert (packet.run.id, packet.run.resumed_from) == ("run2", first.packet)
        assert [f.path for f in packet.files] == ["src/client.py"]

    def test_d1_what_a_resumed_run_changed_outside_is_marked_and_holds(self, bench: Bench, quota: Told) -> None:
        first = bench.pack(quota)
        bench.resume(first)
        told = Told(bench.repo.root, session="s2").user("go on please, now")
        told.writes("src/client.py", CLIENT).writes("src/auth/token.py", "x = 2\n")
        packet = bench.pack(told)
        assert {f.path: f.inside for f in packet.files} == {"src/auth/token.py": False, "src/client.py": True}
        assert (packet.hold.state, packet.hold.reasons[0].code) == ("HOLD", "boundary-violated")
        assert "src/auth/token.py" not in [e.path for e in packet.boundary.allow]


class TestWithoutASession:
    def test_is_a_packet_of_git_alone(self, bench: Bench) -> None:
        bench.repo.write("src/retry.py", "broken = (\n")
        packet = bench.pack()
        assert (packet.run.agent, packet.run.session, packet.run.from_) == (None, None, None)
        assert packet.task.goal.source == "none"
        assert [f.path for f in packet.files] == ["src/retry.py"]
        assert packet.files[0].by == []
        assert [i.text for i in packet.items] == ["src/retry.py:1 does not parse"]
        assert packet.hold.reasons[0].code == "goal-unknown"

    def test_pack_goal_repairs(self, bench: Bench) -> None:
        assert bench.draft(goal="mend it").task.goal.text == "mend it"

    def test_works_before_the_first_commit(self, make_repo) -> None:
        bench = Bench(make_repo("fresh").write("a.py", "x = 1\n"))
        packet = bench.pack(Told(bench.repo.root).user("begin"))
        assert [f.path for f in packet.files] == ["a.py"]
        assert packet.place.head is None

    def test_of_a_task_opened_by_hand(self, bench: Bench) -> None:
        place, tree = bench.place, take(bench.place).tree
        opened = TaskOpened(
            task="t9",
            title="caps",
            goal=Goal(text="cap it", source="user"),
            done=["tests"],
            tree=tree,
            head=place.head,
            boundary=a_packet().boundary,
            worktree_id=place.worktree_id,
            branch=place.branch,
            resume_owner="@bob",
        )
        bench.add(opened, "t9")
        bench.repo.write("src/retry.py", RETRY + "#\n")
        packet = bench.draft(resume_owner=None)
        assert (packet.task.id, packet.task.goal.text, packet.resume_owner) == ("t9", "cap it", "@bob")
        assert [d.check for d in packet.task.done] == ["tests"]
        assert packet.place.start == tree


class TestWhatItReads:
    def test_slash_commands_and_nudges_are_no_goal(self, bench: Bench, told: Told) -> None:
        told.user("<command-name>/clear</command-name>").user("/compact").user("mend the client").user("continue")
        task = bench.draft(told).task
        assert (task.goal.text, task.last_request) == ("mend the client", None)

    def test_handoff_files_are_only_said_with_file_and_line(self, bench: Bench, told: Told) -> None:
        bench.repo.write("HANDOFF.md", "# Handoff\n\n- retry works\n- [ ] docs are missing\n")
        bench.repo.write("feature_list.json", '[{"description": "login",\n "passes": true}]')
        outcomes = bench.draft(told.user("go")).outcomes
        assert [(o.text, o.class_, o.source) for o in outcomes] == [
            ("retry works", "CLAIMED", "HANDOFF.md:3"),
            ("docs are missing", "CLAIMED", "HANDOFF.md:4"),
            ("login: passes", "CLAIMED", "feature_list.json:1"),
        ]

    def test_rules_of_instruction_files_settings_and_policy_are_denied(self, bench: Bench, told: Told) -> None:
        bench.repo.write(
            "CLAUDE.md", "# Rules\n- Never edit `src/auth/`.\n- Don't touch migrations.\n- Do not touch this.\n"
        )
        bench.repo.write(".claude/settings.json", '{"permissions": {"deny": ["Edit(./docs/**)", "Bash(rm:*)"]}}')
        bench.policy = Policy(deny=[DenyRule(path="LICENSE", because="legal")])
        deny = {e.path: e.because for e in bench.draft(told.user("go")).boundary.deny}
        assert deny == {
            "LICENSE": "legal",
            "src/auth/**": "CLAUDE.md:2: Never edit `src/auth/`.",
            "migrations/**": "CLAUDE.md:3: Don't touch migrations.",
            "docs/**": ".claude/settings.json: Edit(./docs/**)",
        }

    def test_a_protected_file_that_the_user_names_is_opened(self, bench: Bench, told: Told) -> None:
        told.user("add python 3.14 to .github/workflows/ci.yml").writes(".github/workflows/ci.yml", "x\n")
        assert bench.draft(told).boundary.opened == [".github/workflows/ci.yml"]

    def test_who_wrote_what(self, bench: Bench, told: Told) -> None:
        told.user("go").writes("src/retry.py", "a = 1\n").writes("src/b.py", "b = 1\n", via="patch", subagent=True)
        told.ran("python gen.py > src/out.py")
        bench.repo.write("src/out.py", "c = 1\n").write("src/other.py", "d = 1\n")
        assert {f.path: f.by for f in bench.draft(told).files} == {
            "src/b.py": ["subagent"],
            "src/other.py": ["foreign"],
            "src/out.py": ["shell"],
            "src/retry.py": ["tool"],
        }

    def test_d3_what_the_goal_does_not_speak_of_is_told(self, bench: Bench, quota: Told) -> None:
        quota.writes("docs/guide.md", "x\n")
        packet = bench.draft(quota)
        assert {f.path: f.in_goal for f in packet.files} == {
            "docs/guide.md": False,
            "src/client.py": True,
            "src/retry.py": True,
        }
        assert "scope-widened" in [r.code for r in packet.hold.reasons]

    @pytest.mark.parametrize("via", ["tool", "shell"])
    def test_what_the_person_said_not_to_touch_binds_a_first_run_too(self, bench: Bench, quota: Told, via: str) -> None:
        if via == "tool":
            quota.writes("migrations/0001.sql", "alter\n")
        else:
            quota.ran("echo alter > migrations/0001.sql")
            bench.repo.write("migrations/0001.sql", "alter\n")
        packet = bench.pack(quota)
        found = {f.path: (f.inside, f.because) for f in packet.files}
        assert found["migrations/0001.sql"] == (False, 'user: "don\'t touch migrations"')
        assert found["src/client.py"] == (None, "")
        assert "boundary-violated" in [r.code for r in packet.hold.reasons if r.level == "hold"]
        assert "OUTSIDE                migrations/0001.sql +1 -1" in terminal(packet)
        assert packet.hold.reasons[0].lifts == "undo it, or let it stand: passdown review --approve"

    def test_what_was_written_before_the_person_forbade_it_or_by_others_is_no_violation(
        self, bench: Bench, told: Told
    ) -> None:
        told.user("add a column").writes("migrations/0001.sql", "alter\n")
        told.user("now retry.py; don't touch migrations", ("don't touch migrations", ["migrations"]))
        told.writes("src/retry.py", RETRY + "#\n")
        bench.repo.write("migrations/0002.sql", "by hand\n")
        packet = bench.pack(told)
        assert {f.path: f.inside for f in packet.files} == {
            "migrations/0001.sql": None,
            "migrations/0002.sql": None,
            "src/retry.py": None,
        }

    def test_h7_what_a_merge_brought_is_nobodys_touch(self, bench: Bench, told: Told) -> None:
        repo = bench.repo
        repo.switch("main").write("theirs.py", "x = 1\n").commit("Theirs").switch("retry-billing")
        told.started = "2026-11-30T00:00:00Z"
        bench.policy = Policy(base="main")
        first = bench.pack(told.user("go").writes("src/retry.py", RETRY + "#\n"))
        repo.commit("Mine")
        repo.git("merge", "-q", "--no-edit", "main")
        told.writes("src/client.py", CLIENT + "#\n")
        packet = bench.draft(told)
        assert first.files
        assert [f.path for f in packet.files] == ["src/client.py"]
        assert any("merge" in note for note in packet.notes)

    def test_secrets_are_redacted_and_counted(self, bench: Bench, told: Told) -> None:
        secret = "sk-ant-api03-" + "A1b2C3d4" * 11
        packet = bench.pack(told.user(f"use {secret} for the client").says(f"used {secret}", "UNSUPPORTED"))
        assert secret not in msgspec.json.encode(packet).decode()
        assert sum(packet.redactions.values()) >= 1
        assert packet.place.tree == take(bench.place).tree


class TestStanding:
    def test_an_edit_makes_what_ran_stale_and_is_drift(self, bench: Bench, told: Told) -> None:
        packet = bench.pack(told.user("go").writes("src/retry.py", RETRY + "#\n").checked("pytest -q", passed=3))
        assert "RAN ON THIS CODE" in terminal(bench.now(packet))
        bench.repo.write("src/retry.py", RETRY + "##\n")
        now = bench.now(packet)
        assert "RAN BEFORE LAST EDIT" in terminal(now)
        assert "tree-drift" in [r.code for r in now.hold.reasons]
        assert now.hold.state == "WATCH"
        assert as_sealed(packet).hold == packet.hold

    def test_a_denied_path_that_changed_holds(self, bench: Bench, quota: Told) -> None:
        packet = bench.pack(quota)
        bench.repo.write("migrations/0001.sql", "drop\n")
        now = bench.now(packet)
        assert (now.hold.state, now.hold.reasons[0].code) == ("HOLD", "tree-drift")

    def test_f4_another_branch_holds(self, bench: Bench, quota: Told) -> None:
        packet = bench.pack(quota)
        bench.repo.commit("Wip").branch("other")
        assert bench.now(packet).hold.reasons[0].code == "wrong-place"

    def test_c15_the_base_that_moved_is_told_and_a_conflict_holds(self, bench: Bench, told: Told) -> None:
        bench.policy = Policy(base="main")
        repo = bench.repo
        told.user("go").writes("src/retry.py", RETRY.replace("return n", "return n + 1"))
        repo.commit("Mine")
        packet = bench.pack(told)
        repo.git("worktree", "add", "-q", "../main-tree", "main")
        other = Repo(repo.root.parent / "main-tree")
        other.write("docs.md", "x\n").commit("Docs")
        now = bench.now(packet)
        assert [(r.code, r.level) for r in now.hold.reasons if r.code == "base-drift"] == [("base-drift", "watch")]
        other.write("src/retry.py", RETRY.replace("return n", "return n * 2")).commit("Same line")
        now = bench.now(packet)
        assert [(r.code, r.level) for r in now.hold.reasons if r.code == "base-drift"] == [("base-drift", "hold")]

    def test_the_open_runs_own_changes_are_no_drift(self, bench: Bench, quota: Told) -> None:
        packet = bench.pack(quota)
        bench.resume(packet)
        bench.repo.write("src/client.py", CLIENT)
        now = bench.now(packet)
        assert now.task.state == "running"
        assert "tree-drift" not in [r.code for r in now.hold.reasons]
        bench.repo.write("src/auth/token.py", "x = 3\n")
        assert bench.now(packet).hold.reasons[0].code == "boundary-violated"

    def test_evidence_of_today_replaces_what_was_seen(self, bench: Bench, quota: Told) -> None:
        packet = bench.pack(quota)
        tree = take(bench.place).tree
        bench.add(
            evidence(
                "pytest",
                "PASSED",
                source="candidate",
                tree_before=tree,
                tree_after=tree,
                started="2026-11-30T16:30:00Z",
            ),
            packet.task.id,
        )
        assert any(c.result == "PASSED" for c in bench.now(packet).checks)

    def test_a_check_that_somebody_confirmed_since_is_no_longer_missed(self, bench: Bench, told: Told) -> None:
        bench.repo.write("pytest.ini", "[pytest]\n").commit("Settings")
        packet = bench.pack(told.user("make pytest pass").writes("src/retry.py", RETRY + "#\n"))
        missing = "nobody confirmed the check tests yet"
        assert missing in terminal(bench.now(packet))
        view = TreeView(bench.place, take(bench.place).tree)
        bench.add(confirm(view, next(iter(candidates(bench.place, None))), "alice"), packet.task.id)
        assert missing not in terminal(bench.now(packet))

    def test_a_newer_packet_supersedes(self, bench: Bench, quota: Told) -> None:
        first = bench.pack(quota)
        bench.pack(quota, now="2026-11-30T15:59:00.000Z")
        assert "goal-superseded" in [r.code for r in bench.now(first).hold.reasons]


def test_h4_a_packet_stays_within_its_size_with_boundary_and_items_whole() -> None:
    items = [
        Item(id=f"F{n}", kind="failure", text=f"t::{n}" + "x" * 200, blocks="merge", check="t") for n in range(200)
    ]
    big = a_packet(items=items, notes=["z" * 2000] * 300)
    small = fitted(big).packet
    assert len(msgspec.json.encode(small)) <= MAX_BYTES
    assert small.items == items
    assert small.boundary == big.boundary
    assert small.truncated == {"notes": 260}
    assert len(small.attachments["notes"]) == 64


def test_a_question_of_the_record_stands_in_the_packet(bench: Bench, told: Told) -> None:
    first = bench.pack(told.user("go"))
    bench.add(Note(task=first.task.id, kind="architecture", text="new queue?", by="agent"), first.task.id)
    packet = bench.draft(told)
    assert [(i.id, i.kind) for i in packet.items] == [("Q1", "architecture")]
    assert "architecture-question" in [r.code for r in packet.hold.reasons]


def test_a_linked_worktree_has_a_task_of_its_own(bench: Bench, quota: Told, tmp_path: Path) -> None:
    first = bench.pack(quota)
    bench.repo.git("worktree", "add", "-q", "-b", "elsewhere", str(tmp_path / "linked"))
    other = Bench(Repo(tmp_path / "linked"))
    packet = other.pack(Told(other.repo.root, session="s9").user("other work"))
    assert packet.task.id != first.task.id
    assert other.now(first).hold.reasons[0].code == "wrong-place"


class TestSinceItWasSealed:
    def test_an_answer_lifts_the_question_and_a_new_one_stands(self, bench: Bench, told: Told) -> None:
        first = bench.pack(told.user("go").writes("src/retry.py", RETRY + "#\n"))
        bench.add(Note(task=first.task.id, kind="architecture", text="new queue?", by="agent"), first.task.id)
        packet = bench.pack(told)
        assert bench.now(packet).hold.reasons[0].code == "architecture-question"
        bench.add(Note(task=first.task.id, kind="answer", text="no", by="person", item="Q1"), first.task.id)
        bench.add(Note(task=first.task.id, kind="question", text="which cap?", by="agent"), first.task.id)
        now = bench.now(packet)
        assert now.items == packet.items
        assert "architecture-question" not in [r.code for r in now.hold.reasons]
        assert "Q1 open question" not in brief(now)
        assert 'Q2 open question: "which cap?"' in brief(now)
        assert "--open Q2" in brief(now)

    def test_b7_what_passes_on_this_code_is_not_asked_for_again(self, quota: Told, bench: Bench) -> None:
        packet = bench.pack(quota)
        bench.add(evidence("tests", "PASSED", source="confirmed"), packet.task.id)
        now = bench.now(packet)
        assert BACKOFF not in brief(now)
        assert "--open F2 " in brief(now)


ODD = [
    "src/caf\u00e9.py",
    "src/设计.py",
    "src/a\nb.py",
    'src/"q".py',
    "src/ lead.py",
    "src/trail .py",
    "src/-dash.py",
    "src/[id].py",
]


def test_l2_odd_names_are_told_allowed_and_shown(bench: Bench, told: Told) -> None:
    told.user("go")
    for name in ODD:
        told.writes(name, "x = (\n")
    raw = b"src/\xff.py"
    bench.repo.write(raw, "x = (\n")
    packet = bench.pack(told)
    paths = [f.path for f in packet.files]
    assert sorted(paths) == sorted([*ODD, "src/\\xff.py"])
    assert next(f.path_b64 for f in packet.files if f.path == "src/\\xff.py")
    asked = Asked.of(packet.boundary)
    assert all(asked.decide(name).inside for name in ODD)
    assert len([i for i in packet.items if i.kind == "failure"]) == len(ODD) + 1
    again = bench.ledger.record(packet.packet).body
    assert again == msgspec.structs.replace(packet, packet=None)
    for shown in (terminal(packet), brief(packet), markdown(packet)):
        assert all(char == "\n" or char.isprintable() for char in shown)


def test_a_session_that_still_runs_holds_its_packet(bench: Bench, told: Told) -> None:
    told.end = "running"
    packet = bench.pack(told.user("go").writes("src/retry.py", RETRY + "#\n"))
    assert (packet.task.state, packet.hold.reasons[0].code) == ("running", "interrupted-dirty")
    assert bench.now(packet).hold.state == "WATCH"


class TestWhatTheScreenSays:
    def test_one_entry_a_place_with_every_reason(self, bench: Bench, quota: Told) -> None:
        packet = bench.draft(quota, owned=[("migrations/", "@dba"), ("src/auth/**", "@security")])
        assert [(e.path, e.because, e.also) for e in packet.boundary.deny] == [
            ("migrations/", 'user: "don\'t touch migrations"', ["owner @dba"]),
            ("src/auth/**", "owner @security", []),
        ]
        assert "NOT              migrations/** (you)   src/auth/** (owner @security)   anything else" in terminal(
            packet
        )

    def test_a_place_that_grew_keeps_its_id_and_what_was_said(self, bench: Bench, quota: Told) -> None:
        bench.pack(quota)
        owned = [("src/auth/**", "@security"), ("migrations/", "@dba")]
        for _ in range(2):
            packet = bench.pack(Told(bench.repo.root, session="s2").user("go on please, now"), owned=owned)
            assert [(e.id, e.path, e.also) for e in packet.boundary.deny] == [
                ("N1", "migrations/", ["owner @dba"]),
                ("N2", "src/auth/**", []),
            ]

    def test_what_no_path_can_say_is_a_stop_condition(self, bench: Bench, told: Told) -> None:
        told.user(GOAL, (GOAL, ["migrations", "client.py"])).writes("src/client.py", CLIENT + "#\n")
        packet = bench.draft(told)
        assert [e.path for e in packet.boundary.deny] == ["migrations/**"]
        assert "src/client.py" in [e.path for e in packet.boundary.allow]
        assert packet.boundary.stop[-1] == 'it would break "keep client.py\'s public API"'
        assert "The user said" not in brief(packet)

    def test_where_the_person_named_the_only_places_no_new_file_comes_beside_them(
        self, bench: Bench, told: Told
    ) -> None:
        only = "You may only change src/client.py"
        told.user(f"Make get() quicker. {only}.", (f"{only}.", ["src/client.py"])).writes("src/client.py", "x\n")
        packet = bench.draft(told)
        assert (packet.boundary.budget.new, packet.boundary.deny) == (0, [])
        assert packet.boundary.stop[-1] == f'it would break "{only}"'
        assert "new file" not in terminal(packet) + brief(packet)
        assert [(e.path, e.because) for e in packet.boundary.allow] == [("src/client.py", f'user: "{only}"')]

    def test_the_only_places_that_the_person_left_open_bind_a_first_run(self, bench: Bench, told: Told) -> None:
        only = "Only change src/client.py"
        told.user(f"{only}.", (f"{only}.", ["src/client.py"]))
        told.writes("src/client.py", CLIENT + "#\n").writes("src/retry.py", RETRY + "#\n").writes("notes.txt", "x\n")
        files = {f.path: (f.inside, f.because) for f in bench.draft(told).files}
        assert files["src/retry.py"] == (False, f'user: "{only}"')
        assert files["notes.txt"] == (False, f'user: "{only}"')
        assert files["src/client.py"][0] is not False
        packet = bench.draft(told.user("Then add a line to notes.txt"))
        assert {f.path: f.inside for f in packet.files}["notes.txt"] is not False
        allowed = {e.path: e.because for e in packet.boundary.allow}
        assert allowed == {"src/client.py": f'user: "{only}"', "/notes.txt": "named by the user later"}

    def test_a_check_that_could_not_run_is_no_failing_test(self, bench: Bench, told: Told) -> None:
        facts = told.user("go").writes("src/retry.py", RETRY + "#\n").checked("pytest -q", passed=1).facts()
        said = "/bin/bash: line 1: python: command not found"
        check = msgspec.structs.replace(facts.checks[0], result="ERROR", exit=127, counts=None, error_line=said)
        packet = bench.draft(facts=msgspec.structs.replace(facts, checks=[check]))
        assert "F1 tests could not run: python: command not found" in terminal(packet)
        assert 'F1 tests could not run: "python: command not found"' in brief(packet)
        assert "RAN ON THIS CODE" not in terminal(packet)
        assert packet.checklist[0].step == "get tests to run here"

    def test_generated_files_are_a_number(self, bench: Bench, quota: Told) -> None:
        for name in ("a", "b", "c", "d"):
            bench.repo.write(f"src/__pycache__/{name}.cpython-311.pyc", b"\xa7\r\r\n\x00")
        packet = bench.draft(quota)
        assert sum(f.path.endswith(".pyc") for f in packet.files) == 4
        assert not any("pyc" in e.path for e in (*packet.boundary.allow, *packet.boundary.deny))
        assert "+4 generated files under __pycache__: not ignored" in terminal(packet)
        assert "scope-widened" not in [r.code for r in packet.hold.reasons]

    def test_very_many_files_are_folders_in_the_boundary(self, bench: Bench, told: Told) -> None:
        told.user("go")
        for n in range(450):
            told.writes(f"gen/part{n % 3}/f{n}.txt", f"{n}\n")
        boundary = bench.draft(told).boundary
        assert [e.path for e in boundary.allow] == ["gen/part0/**", "gen/part1/**", "gen/part2/**"]
        assert boundary.allow[0].because == f"150 files and {ELSE}: changed in this run"
