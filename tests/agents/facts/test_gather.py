"""The rest of a session's facts: how it ended, decisions, dead ends, and that no secret is among them."""

from __future__ import annotations

import pytest
from msgspec import json

from passdown.agents.facts.gather import gather
from passdown.agents.stream import Prompt

FAIL = "FAILED tests/a.py::test_x - assert {} == 2\n1 failed in 0.1s\n"


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        (lambda s: s.asks("go").says("Done."), "finished"),
        (lambda s: s.turn().asks("go").says("Done.").turn(ends=True), "finished"),
        (lambda s: s.asks("go").says("Done.").asks("/exit"), "finished"),
        (lambda s: s.asks("go").says("working").stops(), "interrupted"),
        (lambda s: s.asks("go").stops().asks("go on").says("Done."), "finished"),
        (lambda s: s.asks("go").fails("usage limit reached", "quota", "3pm"), "quota"),
        (lambda s: s.asks("go").fails("529 overloaded", "api-error"), "api-error"),
        (lambda s: s.asks("go").fails("529 overloaded", "api-error", retried=True).says("Done."), "finished"),
        (lambda s: s.asks("go").fails("prompt is too long", "context-full"), "context-full"),
        (lambda s: s.asks("go").says("running").starts("pytest"), "truncated"),
    ],
)
def test_end_reasons(story, told, reason: str) -> None:
    assert told(story).facts().end.reason == reason


def test_the_quota_says_when_it_resets_in_the_clients_words(story) -> None:
    end = (
        story.asks("go")
        .fails("You've hit your limit · resets 3pm (Europe/Berlin)", "quota", "3pm (Europe/Berlin)")
        .facts()
        .end
    )
    assert (end.resets, end.because) == ("3pm (Europe/Berlin)", "You've hit your limit · resets 3pm (Europe/Berlin)")


def test_a_cut_line_and_an_unanswered_request(story) -> None:
    assert story.asks("go").says("x").facts(cut=True).end.reason == "truncated"
    assert story.asks("and this?").facts(open_turn=True).end.reason == "unknown"


@pytest.mark.parametrize("command", ["/compact", "/compact keep the plan", "/model opus", "/cost"])
def test_a_command_that_the_client_answers_itself_ends_nothing_and_goes_on_with_nothing(story, command: str) -> None:
    typed = Prompt(record=9, at=None, text=command, source="command")
    finished = story.turn().asks("go").says("Done.").turn(ends=True)
    finished.events.append(typed)
    assert finished.facts(open_turn=True).end.reason == "finished"
    story.stops().events.append(typed)
    assert story.facts(open_turn=True).end.reason == "interrupted"


def test_an_empty_stream_is_an_honest_nothing() -> None:
    facts = gather([])
    assert (facts.end.reason, facts.commands, facts.input.records) == ("unknown", [], 0)


def test_requests_are_verbatim(story) -> None:
    text = "  fix it,\n\tplease — „so“  "
    assert [r.text for r in story.asks(text).facts().requests] == [text]


def test_no_secret_is_left_in_any_text(story) -> None:
    secret = "gh" + "p_" + "a1B2c3D4e5" * 4
    story.asks(f"use {secret}, don't commit {secret}").runs(
        f"curl -H 'Authorization: token {secret}' x", f"sent {secret}", 1
    )
    story.writes("a.py", secret).says(f"I pushed it with {secret}.")
    assert secret not in json.encode(story.facts()).decode()


def test_dead_ends_are_the_same_failure_again_after_edits(story) -> None:
    story.asks("go")
    for n in range(3):
        story.runs("pytest 2>&1 | tail -5", FAIL.format(n), 0).writes("src/a.py")
    (dead,) = story.facts().dead_ends
    assert (dead.tries, dead.error) == (3, "assert 2 == 2")


def test_other_errors_reruns_without_edits_and_empty_searches_are_no_dead_ends(story) -> None:
    story.runs("pytest", FAIL.format(1), 1).runs("pytest", FAIL.format(1), 1)
    story.writes("a.py").runs("pytest", "FAILED tests/b.py::test_y - KeyError: 'z'\n1 failed in 0.1s", 1)
    story.runs("grep -rn x .", "", 1).writes("a.py").runs("grep -rn x .", "", 1)
    assert story.facts().dead_ends == []


def test_undone_edits_are_dead_ends(story) -> None:
    facts = story.writes("/home/dev/app/src/a.py").runs("git checkout -- src/a.py src/other.py", "").facts()
    assert [(d.command, d.error) for d in facts.dead_ends] == [
        ("git checkout -- src/a.py src/other.py", "edits of this session to /home/dev/app/src/a.py were undone")
    ]
    assert story.runs("git restore --staged src/a.py", "").facts().dead_ends == facts.dead_ends


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("let's go with option 2", True),
        ("Use httpx instead of requests.", True),
        ("I'd prefer tabs over spaces here", True),
        ("Nimm SQLite statt Postgres", True),
        ("用 SQLite 而不是 Postgres", True),
        ("fix the login page", False),
        ("should we use httpx instead of requests?", False),
        ("it uses requests", False),
    ],
)
def test_b14_decisions_are_the_persons_own_words(story, text: str, *, found: bool) -> None:
    assert [d.text for d in story.asks(text).facts().decisions] == ([text] if found else [])


def test_answers_are_decisions_with_their_question(story) -> None:
    facts = story.chooses("Postgres", "Which database?").says("1. A\n2. B\nWhich one?").asks("2").facts()
    assert [(d.text, d.question) for d in facts.decisions] == [("Postgres", "Which database?"), ("2", "Which one?")]


def test_b15_what_the_agent_proposes_settles_nothing(story) -> None:
    assert story.asks("go").says("Let's go with option 2 and use httpx instead of requests.").facts().decisions == []


def test_commands_tell_what_masks_them_and_keep_a_short_tail(story) -> None:
    facts = story.runs("pytest | tail", "x" * 5000).runs("cd a && ls", "").facts()
    assert [c.masked for c in facts.commands] == [True, False]
    assert len(facts.commands[0].output_tail) <= 600


def test_the_clients_words_for_an_accepted_plan_are_nobodys_decision(story) -> None:
    plan = "Implement the following plan:\n\nDo not touch migrations/.\nUse httpx instead of requests."
    facts = story.asks(plan, source="plan").facts()
    assert (facts.prohibitions, facts.decisions) == ([], [])
    assert [request.text for request in facts.requests] == [plan]
    told = story.asks("Do not touch docs/. Use httpx instead of requests.").facts()
    assert ([p.paths for p in told.prohibitions], len(told.decisions)) == ([["docs/"]], 1)


@pytest.mark.parametrize("leave", ["/exit", "/quit", "exit", "/clear"])
def test_leaving_does_not_make_a_spent_quota_an_end_of_the_work(story, leave: str) -> None:
    story.asks("go").fails("You've hit your limit \u00b7 resets 5pm (UTC)", "quota", "5pm (UTC)").asks(leave)
    end = story.facts().end
    assert (end.reason, end.resets) == ("quota", "5pm (UTC)")


def test_leaving_in_the_middle_is_an_interruption_and_after_an_answer_an_end(story) -> None:
    story.asks("go").runs("make").asks("/exit")
    assert story.facts().end.reason == "interrupted"
    story.asks("go on").runs("make").says("Done.").asks("/exit")
    assert story.facts().end.reason == "finished"


@pytest.mark.parametrize(
    ("said", "answer", "question"),
    [
        ("Which one?\n1. A\n2. B", "2", "Which one?"),
        ("I can do A (fast) or B (safe). Which do you prefer?", "B", "Which do you prefer?"),
        ("A or B?", "the second one", "A or B?"),
        ("Here are two ways:\n1. A\n2. B", "2", None),
        ("Done.", "B", "no decision"),
        ("Shall I go on?", "yes", "no decision"),
        ("Done.", "We'll use Redis for this.", None),
        ("Done.", "Skip the migration for now.", None),
        (
            "Done.",
            "requests \u3067\u306f\u306a\u304f httpx \u3092\u4f7f\u3063\u3066\u304f\u3060\u3055\u3044\u3002",
            None,
        ),
        ("Done.", "Which should we use, A or B?", "no decision"),
    ],
)
def test_a_short_answer_decides_where_something_was_offered(story, said: str, answer: str, question) -> None:
    found = [(d.text, d.question) for d in story.asks("go").says(said).asks(answer).facts().decisions]
    assert found == ([] if question == "no decision" else [(answer, question)])
