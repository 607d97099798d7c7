"""Each answer from the form to what it does, without a browser: the pages need no script for it."""

from __future__ import annotations

import pytest


def tree(page: str) -> str:
    return page.partition('name="tree" value="')[2].partition('"')[0]


def answered(served, digest, **fields):
    """Through the page that shows what it will do, as a person goes."""
    shown = served.post(f"/packet/{digest}/confirm", **fields)
    assert shown.status == 200, shown.text
    done = served.post(f"/packet/{digest}/answer", tree=tree(shown.text), **fields)
    assert done.status == 200, done.text
    return shown.text, done.text, served.repo.passdown("show", "--json").check().json()["verdict"]


def test_the_page_says_what_the_terminal_says(served, digest):
    page = served.get(f"/packet/{digest}").text
    for text in (
        "All 212 tests pass",
        "F1 tests/test_retry.py::test_backoff",
        "1 failed, 211 passed",
        "src/client.py",
        "migrations/",
    ):
        assert text in page
    assert "Does not approve the code" in page


@pytest.mark.parametrize(
    ("fields", "answer"),
    [
        ({"answer": "approve"}, "approve"),
        ({"answer": "narrow", "keep": ["B1"]}, "narrow"),
        ({"answer": "approve", "keep": ["B1"]}, "narrow"),  # an edited boundary is what is meant
        ({"answer": "narrow", "add": "docs/guide.md\n\n", "deny": "src/secret/**"}, "narrow"),
        ({"answer": "rollback"}, "rollback"),
        ({"answer": "reassign", "assignee": "@maintainer"}, "reassign"),
    ],
)
def test_every_answer_is_recorded_as_it_was_shown(served, digest, fields, answer):
    _, done, verdict = answered(served, digest, note="F1 first", **fields)
    assert verdict["answer"] == answer
    assert verdict["note"] == "F1 first"
    assert verdict["self"] is True
    assert "Answered" in done


def test_what_was_narrowed_is_what_the_next_run_may_write(served, digest):
    answered(served, digest, answer="narrow", keep=["B1"], add="docs/guide.md", deny="src/secret/**")
    boundary = served.repo.passdown("resume", "--json").json()["boundary"]
    assert boundary["allow"][0]["id"] == "B1"
    assert [entry["path"] for entry in boundary["allow"]][1:] == ["docs/guide.md"]
    assert "src/secret/**" in [entry["path"] for entry in boundary["deny"]]
    served.repo.write("src/secret/key.py", "x\n")
    assert served.repo.passdown("verify").code == 1


SILENT = [
    ({}, "no answer was chosen"),
    ({"answer": "merge"}, "no answer was chosen"),
    ({"answer": "reassign"}, "to whom"),
    ({"answer": "narrow"}, "needs what to change"),
    ({"answer": "narrow", "add": "migrations/0001.sql"}, "stays forbidden"),
]


def test_a_form_that_says_nothing_changes_nothing(served, digest):
    for fields, says in SILENT:
        answer = served.post(f"/packet/{digest}/confirm", **fields)
        assert answer.status == 409, fields
        assert says in answer.text, fields
    assert served.repo.passdown("show", "--json").json()["verdict"] is None


def test_an_answer_to_a_worktree_that_changed_meanwhile_is_not_taken(served, digest):
    shown = served.post(f"/packet/{digest}/confirm", answer="approve")
    served.repo.write("src/client.py", "changed\n")
    answer = served.post(f"/packet/{digest}/answer", answer="approve", tree=tree(shown.text))
    assert answer.status == 409
    assert "changed since" in answer.text
    assert served.repo.passdown("show", "--json").json()["verdict"] is None


def test_an_answer_to_what_was_superseded_meanwhile_says_so(served, digest):
    fields = {"answer": "approve"}
    shown = served.post(f"/packet/{digest}/confirm", **fields).text
    served.repo.passdown("note", "step", "then the docs").check()
    newer = served.repo.passdown("pack", "--no-check", "--json").check().json()["packet"]
    done = served.post(f"/packet/{digest}/answer", tree=tree(shown), **fields).text
    assert f"This is not the newest packet: {newer[:7]} is" in done


def test_an_agent_starts_no_pages(packed):
    assert packed.passdown("serve", env={"CLAUDECODE": "1"}).code != 0
    assert packed.passdown("review", "--web", env={"CLAUDECODE": "1"}).code != 0
