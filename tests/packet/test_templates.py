from __future__ import annotations

import pytest

from passdown.errors import PassdownError
from passdown.packet.templates import ORDER, Seen, load, recognise


@pytest.mark.parametrize(
    ("seen", "name", "because"),
    [
        (Seen("make it pass", ["a.py"], 1, ["failure"]), "failing-test", "1 failing test"),
        (Seen("make it pass", ["a.py"], 5, ["failure"]), "failing-test", "5 failing tests"),
        (Seen("make it pass", ["a.py"], 40, ["failure"]), "general", "no other template fits"),
        (Seen("refactor the client", ["a.py", "b.py"], 3, []), "incomplete-refactor", 'the request says "refactor"'),
        (Seen("refactor the client", ["a.py"], 0, []), "general", "no other template fits"),
        (Seen("update the guide", ["docs/a.md", "README.md", "x.py"], 0, []), "general", "no other template fits"),
        (
            Seen("update", ["docs/a.md", "README.md", "docs/b.rst"], 0, []),
            "paused-docs",
            "3 of 3 changed files documentation",
        ),
        (Seen("go", ["a.py"], 0, ["review"]), "review-fixes", "open review items"),
        (Seen("address the review comments", ["a.py"], 1, []), "review-fixes", 'the request says "review comments"'),
        (Seen("", [], 0, []), "general", "no other template fits"),
    ],
)
def test_a_template_is_recognised_and_says_by_what(seen: Seen, name: str, because: str) -> None:
    template, why = recognise(seen)
    assert (template.name, why) == (name, because)


@pytest.mark.parametrize("name", ORDER)
def test_every_template_has_a_last_step_and_stop_conditions(name: str) -> None:
    template = load(name)
    assert template.name == name
    assert template.last
    assert template.stop
    assert template.new_files == 2


def test_an_unknown_template_is_named() -> None:
    with pytest.raises(PassdownError, match="no template 'nope'"):
        load("nope")
