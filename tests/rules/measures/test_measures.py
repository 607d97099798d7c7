"""The measures' edges, each on a record made by hand."""

import msgspec
import pytest

from passdown.model.boundary import Boundary, Budget, Entry
from passdown.model.event import Closed, Lifted, Note, Record, Resumed, TaskOpened, Verdict
from passdown.model.packet import FileChange, Goal, Hold, Outcome
from passdown.rules.instants import seconds
from passdown.rules.measures.account import accounts
from passdown.rules.measures.report import measure, missing
from passdown.rules.measures.runs import resumed_runs
from passdown.rules.measures.trail import Touch, trails
from passdown.rules.measures.window import Only, Window
from support.packets import a_packet

NOW = 1796040000.0  # 2026-11-30T12:00:00Z
ALL = Window(None, NOW)


def boundary(*paths: str) -> Boundary:
    allow = [Entry(id=f"B{n}", path=path, because="x") for n, path in enumerate(paths)]
    return Boundary(version=1, source="reviewed", allow=allow, budget=Budget()).sealed()


class Book:
    """Records written one after the other, an hour apart from the first of November on."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.touches: list[Touch] = []

    def put(self, body, task: str = "t1", day: int = 1, hour: int | None = None, name: str | None = None) -> str:
        number = len(self.records)
        name = name or f"{number:064d}"
        at = f"2026-11-{day:02d}T{number if hour is None else hour:02d}:00:00Z"
        self.records.append(
            Record(id=name, type="x", task=task, at=at, writer="w", order=(number, "w", number), body=body)
        )
        return name

    def packet(self, run: str, source: str | None = None, day: int = 1, **changes) -> str:
        packet = a_packet(run=run, **changes)
        run_ = msgspec.structs.replace(packet.run, resumed_from=source, ended=None)
        return self.put(msgspec.structs.replace(packet, run=run_), day=day)

    def resume(self, packet: str, run: str, day: int = 1) -> str:
        body = Resumed(
            task="t1", packet=packet, run=run, boundary=boundary("src/"), worktree_id="wt", branch="main",
            tree="", head=None,
        )  # fmt: skip
        return self.put(body, day=day)

    def close(self, outcome: str, acceptance: dict[str, str] | None = None, **more) -> str:
        return self.put(Closed(task="t1", outcome=outcome, because="", by="a", acceptance=acceptance or {}, **more))

    @property
    def found(self):
        return accounts(trails(self.records, self.touches))

    @property
    def runs(self):
        return resumed_runs(trails(self.records, self.touches))


def of_window(book: Book, name: str):
    return next(metric for metric in measure(book.found, ALL, Only(), NOW) if metric.name == name)


def test_without_a_resumed_run_nothing_is_measured_and_nothing_is_zero():
    book = Book()
    book.packet("r1")
    book.close("completed", {"tests": "VERIFIED"})
    for metric in measure(book.found, ALL, Only(), NOW)[:4]:
        assert (metric.measured, metric.value, metric.denominator) == (False, None, 0), metric.name


@pytest.mark.parametrize(
    ("outcome", "acceptance", "counts"),
    [
        ("completed", {"tests": "VERIFIED"}, 1),
        ("completed", {"tests": "VERIFIED", "types": "OBSERVED"}, 0),
        ("completed", {"tests": "not measured"}, 0),
        ("completed", {}, 0),
        ("abandoned", {"tests": "VERIFIED"}, 0),
        ("replanned", {}, 0),
    ],
)
def test_completed_needs_every_acceptance_check_verified(outcome, acceptance, counts):
    book = Book()
    first = book.packet("r1")
    book.resume(first, "r2")
    book.close(outcome, acceptance)
    metric = of_window(book, "resumed-tasks-completed")
    assert (metric.numerator, metric.denominator) == (counts, 1)
    assert metric.left_out == ({"no acceptance check": 1} if (outcome, acceptance) == ("completed", {}) else {})


@pytest.mark.parametrize("inferred_last", [True, False])
def test_a_persons_word_stands_over_an_inferred_end(inferred_last):
    book = Book()
    book.resume(book.packet("r1"), "r2")
    closings = [("completed", False), ("abandoned", True)]
    for outcome, inferred in closings if inferred_last else closings[::-1]:
        book.close(outcome, {"tests": "VERIFIED"}, inferred=inferred)
    assert of_window(book, "resumed-tasks-completed").numerator == 1


@pytest.mark.parametrize("first", [True, False])
def test_another_clone_s_word_takes_no_place_of_this_one_s(first):
    book = Book()
    book.resume(book.packet("r1"), "r2")
    book.close("rolled-back")
    book.close("completed", {"tests": "VERIFIED"})
    ours, theirs = book.records[-2:]
    theirs = msgspec.structs.replace(theirs, here=False, order=(ours.order[0] + (1 if first else -1), "v", 0))
    book.records[-2:] = [ours, theirs]
    assert of_window(book, "resumed-tasks-completed").numerator == 0


def test_a_renewed_resume_is_one_run_and_a_packet_makes_one_where_its_resume_is_not_here():
    book = Book()
    first = book.packet("r1")
    book.resume(first, "r2")
    book.resume(first, "r2")
    book.packet("r3", source=first)
    book.packet("r4")
    assert [run.id for run in book.runs] == ["r2", "r3"] or {run.id for run in book.runs} == {"r2", "r3"}


@pytest.mark.parametrize(
    ("by", "counts"), [(["tool"], 1), ([], 1), (["foreign", "tool"], 1), (["foreign"], 0), (["hook"], 0)]
)
def test_only_what_the_run_itself_changed_is_its_touch(by, counts):
    change = FileChange(path="x", status="modified", added=1, removed=0, by=by, inside=False)
    book = Book()
    first = book.packet("r1")
    book.resume(first, "r2")
    book.packet("r2", source=first, files=[change])
    assert of_window(book, "unnecessary-file-touches").numerator == counts
    assert of_window(book, "reopened-scope-incidents").numerator == counts


def test_one_file_outside_and_in_white_space_alone_counts_once():
    change = FileChange(
        path="x", status="modified", added=1, removed=1, by=["tool"], inside=False, whitespace_only=True
    )
    book = Book()
    first = book.packet("r1")
    book.resume(first, "r2")
    book.packet("r2", source=first, files=[change], put_back=["x", "y"])
    metric = of_window(book, "unnecessary-file-touches")
    assert (metric.numerator, metric.denominator) == (2, 2)


@pytest.mark.parametrize(
    ("keep", "said_before", "counts"),
    [("api/", True, 1), ("api/", False, 0), ("other/", True, 0)],
)
def test_a_change_under_the_kept_paths_of_a_decision_reopens_it(keep, said_before, counts):
    note = Note(task="t1", kind="decision", text="the API stays", by="person", keep=[keep])
    change = FileChange(path="api/client.py", status="modified", added=1, removed=1, by=["tool"], inside=True)
    book = Book()
    first = book.packet("r1")
    if said_before:
        book.put(note)
    book.resume(first, "r2")
    if not said_before:
        book.put(note)
    book.packet("r2", source=first, files=[change])
    assert of_window(book, "reopened-scope-incidents").parts["decision reopened"] == counts


@pytest.mark.parametrize(("day", "old"), [(1, 1), (15, 1), (17, 0)])
def test_a_run_younger_than_fourteen_days_is_not_counted(day, old):
    book = Book()
    first = book.packet("r1")
    book.resume(first, "r2", day=day)
    book.packet("r2", source=first, day=day)
    metric = of_window(book, "rollback-rate")
    assert (metric.denominator, metric.left_out) == (old, {} if old else {"too young": 1})


def test_what_git_says_was_reverted_counts_as_undone_in_its_time():
    book = Book()
    first = book.packet("r1")
    for run, day in (("r2", 1), ("r3", 2)):
        book.resume(first, run, day=day)
        book.packet(run, source=first, day=day)
    account = book.found["t1"]
    undone = {"r2": (seconds("2026-11-10T00:00:00Z"), "git revert"), "r3": (NOW, "git revert")}
    runs = [msgspec.structs.replace(run, undone=undone[run.id]) for run in account.runs]
    metric = measure({"t1": msgspec.structs.replace(account, runs=runs)}, ALL, Only(), NOW)[3]
    assert (metric.numerator, metric.denominator, metric.parts) == (1, 2, {"git revert": 1})


HELD = Hold(state="HOLD")


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        (None, None),
        (Lifted(task="t1", because="fine", by="a"), 0),
        ("approve", 0),
        ("narrow", 1),
        ("rollback", 1),
        (Note(task="t1", kind="answer", text="yes", by="person", item="Q1"), 1),
        (Note(task="t1", kind="answer", text="yes", by="agent", item="Q1"), None),
        ("replanned", 1),
    ],
)
def test_what_a_person_did_with_a_hold_says_whether_it_was_right(answer, right):
    book = Book()
    held = book.packet("r1", hold=HELD)
    if answer == "replanned":
        opened = TaskOpened(
            task="t2", title="", goal=Goal(text="", source="user"), done=[], boundary=boundary("src/"),
            from_packet=held, worktree_id="wt", branch="main", tree="", head=None,
        )  # fmt: skip
        book.put(opened, task="t2")
    elif isinstance(answer, str):
        verdict = Verdict(
            task="t1", packet=held, answer=answer, by="a", presence="terminal", self_=True, boundary=boundary("src/"),
            boundary_digest="", previous=None, owners=[],
        )  # fmt: skip
        book.put(verdict)
    elif answer is not None:
        book.put(answer)
    metric = of_window(book, "holds-found-right")
    assert (metric.numerator, metric.denominator) == ((0, 0) if right is None else (right, 1))


@pytest.mark.parametrize(
    ("path", "widened", "later", "counts"),
    [
        ("docs/a.md", "docs/", True, 1),
        ("docs/a.md", "docs/", False, 0),
        ("docs/a.md", "other/", True, 0),
    ],
)
def test_a_denial_was_false_where_a_person_widened_the_boundary_after_it(path, widened, later, counts):
    book = Book()
    first = book.packet("r1")
    verdict = Verdict(
        task="t1", packet=first, answer="approve", by="a", presence="terminal", self_=True, boundary=boundary(widened),
        boundary_digest="", previous=None, owners=[],
    )  # fmt: skip
    book.put(verdict, hour=12)
    at = "2026-11-01T11:00:00Z" if later else "2026-11-01T13:00:00Z"
    book.touches = [Touch("a", "t1", at, path, "outside-blocked"), Touch("b", "t1", at, "src/x", "inside")]
    metric = of_window(book, "false-denials")
    assert (metric.numerator, metric.denominator) == (counts, 2)


def test_claims_are_counted_by_packet():
    said = [
        Outcome(text="x", class_=class_, evidence=[], because="")
        for class_ in ("CLAIMED", "CONTRADICTED", "OBSERVED", "VERIFIED")
    ]
    book = Book()
    book.packet("r1", outcomes=said)
    book.packet("r2")
    metric = of_window(book, "unsupported-claims-per-packet")
    assert (metric.value, metric.numerator, metric.denominator) == (1.0, 2, 2)


def test_what_is_missing_is_named():
    book = Book()
    book.resume(book.packet("r1"), "r2", day=29)
    book.close("completed")
    told = {one.what for one in missing(book.found, ALL, Only(), NOW)}
    assert told == {
        "completed without an acceptance check",
        "a run without a packet",
        "too young to tell whether it is rolled back",
    }


@pytest.mark.parametrize(
    ("only", "counts"),
    [(Only(), 1), (Only(agent="claude"), 1), (Only(agent="codex"), 0), (Only(owner="@alice"), 1), (Only(owner="@x"), 0),
     (Only(template="general"), 1), (Only(repository="example/retry"), 1), (Only(repository="other"), 0)],
)  # fmt: skip
def test_measures_of_a_part(only, counts):
    book = Book()
    first = book.packet("r1")
    book.resume(first, "r2")
    book.packet("r2", source=first)
    assert measure(book.found, ALL, only, NOW)[1].denominator == counts
