"""What a note may say, what agents settle (nothing), what reopens, and where a decision is shown."""

from __future__ import annotations

import pytest

from passdown.model.event import Note
from passdown.model.packet import Decision, Item
from passdown.rules.fold_notes import Book
from passdown.rules.in_scope import speaks_of
from passdown.rules.noting import Fault, Typed, kind_and_text, names_nothing
from passdown.rules.task import Stated, TaskView

KINDS = [
    (["step", "write", "docs"], {}, ("step", "write docs")),
    (["write", "docs"], {}, ("step", "write docs")),
    (["decision", "cap at 60"], {"over": "no cap"}, ("decision", "cap at 60")),
    (["cap at 60"], {"over": "no cap"}, ("decision", "cap at 60")),
    (["cap at 60"], {"keep": ["a.py"]}, ("decision", "cap at 60")),
    (["no cap"], {"supersedes": "D1"}, ("decision", "no cap")),
    (["dead-end", "patch the clock"], {"because": "read-only"}, ("dead-end", "patch the clock")),
    (["question", "may the API change?"], {}, ("question", "may the API change?")),
    (["question", "may it?"], {"architecture": True}, ("architecture", "may it?")),
    (["may it?"], {"architecture": True}, ("architecture", "may it?")),
    (["assumption", "the clock is UTC"], {}, ("assumption", "the clock is UTC")),
    (["yes"], {"answer": "Q1"}, ("answer", "yes")),
    (["answer", "yes"], {"answer": "Q1"}, ("answer", "yes")),
    ([], {"ask_widen": "a.py", "because": "x"}, ("ask-widen", "a.py")),
    (["F1 needs it"], {"ask_widen": "a.py", "because": "x"}, ("ask-widen", "F1 needs it")),
    (["decisions are hard"], {}, ("step", "decisions are hard")),
]
FAULTS = [
    ([], {}, "no text"),
    (["decision"], {}, "no text"),
    (["question", "  "], {}, "no text"),
    (["step", "x"], {"over": "y"}, "--over goes with a decision, this is a step"),
    (["question", "x"], {"keep": ["a"]}, "--keep goes with a decision"),
    (["dead-end", "x"], {"revisit_if": "y"}, "--revisit-if goes with a decision"),
    (["assumption", "x"], {"supersedes": "D1"}, "--supersedes goes with a decision, this is an assumption"),
    (["decision", "x"], {"architecture": True}, "--architecture goes with a question"),
    (["yes"], {"answer": "Q1", "architecture": True}, "--architecture goes with a question, this is an answer"),
    (["x"], {"answer": "Q1", "ask_widen": "a"}, "are two notes"),
    (["decision", "x"], {"answer": "Q1"}, "are two notes"),
    (["step", "x"], {"ask_widen": "a", "because": "y"}, "are two notes"),
    (["decisoin"], {}, "no kind of note is called 'decisoin'"),
    (["decisoin", "x"], {}, "no kind of note is called 'decisoin'"),
    (["answer", "yes"], {}, "answer needs its option"),
    (["ask-widen", "a.py"], {}, "ask-widen needs its option"),
    ([], {"ask_widen": " ", "because": "y"}, "needs a path"),
    ([], {"ask_widen": "a"}, "needs a reason"),
]


@pytest.mark.parametrize(("words", "options", "expected"), KINDS)
def test_the_kind_is_said_or_follows_from_an_option(words, options, expected):
    assert kind_and_text(Typed(words=words, **options)) == expected


@pytest.mark.parametrize(("words", "options", "says"), FAULTS)
def test_what_does_not_go_together_is_named(words, options, says):
    fault = kind_and_text(Typed(words=words, **options))
    assert isinstance(fault, Fault)
    assert says in fault.message
    assert fault.hint.startswith("passdown note")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"answer": "Q1"}, None),
        ({"answer": "Q2"}, None),
        ({"answer": "W1"}, None),
        ({"answer": "F1"}, "a failure: an answer does not close it"),
        ({"answer": "R1"}, "a review: an answer does not close it"),
        ({"answer": "S1"}, "a step: an answer does not close it"),
        ({"answer": "Q9"}, "no open item 'Q9'"),
        ({"supersedes": "D1"}, None),
        ({"supersedes": "D9"}, "no decision 'D9'"),
    ],
)
def test_what_it_names_must_be_there(options, says):
    kinds = {"Q1": "question", "Q2": "architecture", "W1": "widen", "F1": "failure", "R1": "review", "S1": "step"}
    items = [Item(id=name, kind=kind, text="x", blocks="merge") for name, kind in kinds.items()]
    fault = names_nothing(Typed(words=["x"], **options), items, ["D1"])
    assert (fault is None) is (says is None)
    assert says is None or says in fault.message


class Told:
    """Decisions noted one after the other."""

    def __init__(self):
        self.book = Book(TaskView(id="t"))
        self.count = 0

    def note(self, by, text, *, counts=True, **more):
        self.count += 1
        body = Note(task="t", kind=more.pop("kind", "decision"), text=text, by=by, **more)
        at = f"2026-01-01T00:00:0{self.count}Z"
        self.book.note(Stated(str(self.count), at, (self.count, "w", 0), body), decides=counts)
        self.book.fill()
        return self

    def stand(self):
        return [(d.id, d.text, d.settled) for d in self.book.view.decisions]

    def reopened(self):
        return [(r.decision, r.by) for r in self.book.view.reopened]


@pytest.fixture
def told():
    return Told().note("person", "use SQLite", paths=["src/store/**"], keep=["schema.sql"])


class TestSettling:
    """B15: agents never settle."""

    def test_a_person_s_is_settled_an_agent_s_is_not(self, told):
        told.note("agent", "use WAL")
        assert told.stand() == [("D1", "use SQLite", True), ("D2", "use WAL", False)]

    def test_an_agent_that_repeats_it_changes_nothing_of_it(self, told):
        told.note("agent", "Use  sqlite", paths=["**"], because="mine")
        (decision,) = told.book.view.decisions
        assert (decision.by, decision.scope, decision.keep, decision.why) == (
            *("user", ["src/store/**"]),
            *(["schema.sql"], None),
        )

    def test_a_person_settles_what_an_agent_decided(self):
        told = Told().note("agent", "use WAL").note("person", "use WAL")
        assert told.stand() == [("D1", "use WAL", True)]

    def test_a_person_s_word_from_a_clone_that_nobody_vouched_for_settles_nothing(self):
        told = Told().note("person", "use SQLite", counts=False)
        assert told.stand() == [("D1", "use SQLite", False)]


class TestReplacing:
    """The latest state alone is shown; what is settled stays until a person says otherwise."""

    def test_a_person_replaces(self, told):
        told.note("person", "use PostgreSQL", supersedes="D1")
        assert told.stand() == [("D2", "use PostgreSQL", True)]
        assert told.reopened() == []

    def test_an_agent_reopens_and_it_stays_settled(self, told):
        told.note("agent", "use PostgreSQL", supersedes="D1")
        assert told.stand() == [("D1", "use SQLite", True), ("D2", "use PostgreSQL", False)]
        assert told.reopened() == [("D1", "use PostgreSQL")]

    def test_chosen_over_what_is_settled_is_the_same(self, told):
        told.note("agent", "use PostgreSQL", over="use sqlite")
        assert told.reopened() == [("D1", "use PostgreSQL")]

    def test_outside_its_scope_nothing_is_reopened(self, told):
        told.note("agent", "use PostgreSQL", over="use SQLite", paths=["docs/guide.md"])
        assert told.reopened() == []
        told.note("agent", "use MySQL", over="use SQLite", paths=["src/store/db.py"])
        assert told.reopened() == [("D1", "use MySQL")]

    def test_an_agent_replaces_its_own(self):
        told = Told().note("agent", "use WAL").note("agent", "use DELETE", supersedes="D1")
        assert told.stand() == [("D2", "use DELETE", False)]
        assert told.reopened() == []

    def test_what_was_replaced_does_not_come_back_by_its_number(self, told):
        told.note("person", "use PostgreSQL", supersedes="D1").note("person", "use one file")
        assert [name for name, _, _ in told.stand()] == ["D2", "D3"]


@pytest.mark.parametrize(
    ("by", "counts", "item", "kind", "closed"),
    [
        ("person", True, "Q1", "question", True),
        ("person", True, "Q1", "architecture", True),
        ("agent", True, "Q1", "question", False),
        ("person", False, "Q1", "question", False),
    ],
)
def test_a_person_s_answer_closes_a_question_an_agent_s_is_a_claim(by, counts, item, kind, closed):
    told = Told().note("agent", "may it?", kind=kind)
    told.note(by, "yes", kind="answer", item=item, counts=counts)
    assert (told.book.view.items == []) is closed


def test_no_answer_closes_a_step():
    told = Told().note("agent", "write docs", kind="step").note("person", "done", kind="answer", item="S1")
    assert [item.id for item in told.book.view.items] == ["S1"]


@pytest.mark.parametrize(
    ("scope", "paths", "shown"),
    [
        ([], ["src/a.py"], True),
        (["src/a.py"], [], True),
        (["src/a.py"], ["src/a.py"], True),
        (["src/a.py"], ["src/b.py"], False),
        (["src/a.py"], ["/src/a.py"], True),
        (["src/"], ["src/a.py"], True),
        (["src/a.py"], ["src/**"], True),
        (["services/billing/**"], ["services/orders/**"], False),
        (["services/**"], ["services/orders/*.py"], True),
        (["services/orders/*.py"], ["services/**"], True),
        (["*.sql"], ["src/a.py"], False),
        (["*.sql"], ["migrations/1.sql"], True),
        (["docs"], ["docs/guide.md"], True),
        (["docs"], ["src/docs.py"], False),
        (["**"], ["a.py"], True),
        (["services/billing"], ["services/billing/**"], True),
        (["services/billing"], ["services/billing-tests/**"], False),
    ],
)
def test_a_decision_is_shown_in_its_scope_alone(scope, paths, shown):
    """B17."""
    decision = Decision(id="D1", text="x", by="user", settled=True, scope=scope)
    assert speaks_of(decision, paths) is shown
