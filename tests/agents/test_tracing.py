"""Every statement can be traced to its record, and what is shown of it is redacted."""

from __future__ import annotations

import pytest

from passdown.agents.sessions import read_session
from passdown.agents.tracing import trace
from passdown.errors import PassdownError
from support.sessions import ClaudeSession, CodexSession

TOKEN = "gh" + "p_" + "a1B2" * 9


@pytest.fixture(params=[ClaudeSession, CodexSession])
def transcript(request, tmp_path):
    session = request.param(cwd=tmp_path / "app", home=tmp_path / "home", branch="main")
    session.user("Make the tests pass. Do not touch docs/.")
    session.say("I look.", final=False).bash("pytest -q", exit=1, output=f"1 failed, 2 passed in 0.1s\n{TOKEN}\n")
    return session.say("All tests pass.").save()


def test_each_fact_is_found_where_it_says_that_it_stands(transcript) -> None:
    facts = read_session(transcript)
    asked, ran, said = facts.requests[0], facts.commands[0], facts.claims[0]
    assert trace(transcript, asked.record).text == asked.text
    assert trace(transcript, asked.record).what[-1] == "the person asked"
    assert trace(transcript, ran.record).text == "pytest -q"
    assert "All tests pass." in trace(transcript, said.record).text
    assert trace(transcript, said.record).at == said.at


def test_every_record_has_plain_words_and_none_a_secret(transcript) -> None:
    count = read_session(transcript).input.records
    shown = [trace(transcript, number) for number in range(count)]
    assert all(one.what and one.type for one in shown)
    assert TOKEN not in "".join(one.text for one in shown)
    assert any("ended with exit 1" in what for one in shown for what in one.what)


@pytest.mark.parametrize("kind", [ClaudeSession, CodexSession])
def test_an_edit_is_lines_that_went_and_lines_that_came(kind, tmp_path) -> None:
    (tmp_path / "app/src").mkdir(parents=True)
    (tmp_path / "app/src/a.py").write_text("wait = 1\n")
    session = kind(cwd=tmp_path / "app", home=tmp_path / "home", branch="main")
    session.user("Wait longer.").edit("src/a.py", "wait = 1", "wait = 2")
    path = session.save()
    shown = [trace(path, number) for number in range(read_session(path).input.records)]
    edits = [one for one in shown if "wait = 2" in one.text]
    assert edits
    for one in edits:
        lines = [line.replace(" ", "") for line in one.text.splitlines()]
        assert [line for line in lines if line[:1] in "+-"] == ["-wait=1", "+wait=2"], one
        assert "wait = 2" in one.raw
        assert one.raw.startswith("{")


def test_a_record_that_is_not_there_is_an_error(transcript) -> None:
    with pytest.raises(PassdownError, match="has no record 999") as caught:
        trace(transcript, 999)
    assert "numbered 0 to" in str(caught.value.hint)


def test_a_broken_line_is_shown_as_one(transcript) -> None:
    with transcript.open("ab") as file:
        file.write(b'{"type": "user", "mess')
    number = read_session(transcript).input.records - 1
    assert trace(transcript, number).what == ["a line that is no record"]
