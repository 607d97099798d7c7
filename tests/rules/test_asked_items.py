"""What a text asks for one by one (A20): checkboxes, numbered lists, features; and nothing that is no list."""

from __future__ import annotations

import json

import pytest

from passdown.rules.asked_items import asked_items, features

TEXTS = {
    "checkboxes": ("- [ ] parse dates\n* [x] render\n+ [X] save\n", ["parse dates", "render", "save"]),
    "numbered": ("Do:\n1. parse dates\n2) render\n3. save", ["parse dates", "render", "save"]),
    "numbered checkboxes": ("1. [ ] parse\n2. [x] render", ["parse", "render"]),
    "a loose list": ("1. parse\n\n2. render\n\n3. save\n", ["parse", "render", "save"]),
    "over several lines": ("1. parse\n   all dates\n2. render", ["parse all dates", "render"]),
    "with notes below an entry": ("1. parse\n   - with a note\n2. render", ["parse", "render"]),
    "in one line": ("Please 1) parse dates, 2) render `x()`; 3) save.", ["parse dates", "render `x()`", "save"]),
    "in parentheses": ("Please (1) parse (2) render", ["parse", "render"]),
    "nested boxes": ("- [ ] A\n  - [ ] A1\n- [ ] B", ["A", "A1", "B"]),
    "bold": ("1. **Parse**: dates\n2. **Render**", ["Parse: dates", "Render"]),
    "twice the same": ("- [ ] parse\n- [ ] Parse\n", ["parse"]),
    "boxes and numbers": ("1. parse\n2. render\n\n- [ ] docs\n", ["parse", "render", "docs"]),
    "one box": ("- [ ] parse", ["parse"]),
    "windows": ("1. parse\r\n2. render\r\n", ["parse", "render"]),
    "one number": ("1. parse dates", []),
    "a version": ("raise to 2.0 and 1.1, 2. then stop", []),
    "bullets": ("- parse\n- render", []),
    "a table of contents in a fence": ("```\n1. a\n2. b\n```", []),
    "quoted": ("> 1. a\n> 2. b", []),
    "steps to reproduce": ("Steps to reproduce:\n1. open\n2. click\n", []),
    "steps, then what is wanted": ("Steps to reproduce\n1. open\n2. click\n\nWanted:\n1. a\n2. b", ["a", "b"]),
    "prose": ("Fix the parser. It fails on 3 of 4 dates.", []),
    "years": ("In 2024. 2025. and later", []),
    "empty": ("", []),
    "an empty box": ("- [ ]\n", []),
}


@pytest.mark.parametrize(("text", "expected"), TEXTS.values(), ids=TEXTS)
def test_items(text, expected):
    assert [item.text for item in asked_items(text)] == expected


def test_what_the_text_says_of_them():
    assert [item.ticked for item in asked_items("- [x] a\n- [ ] b\n\n1. c\n2. d")] == [True, False, None, None]


def test_twenty_eight():
    text = "\n".join(f"{n}. thing number {n} of the list" for n in range(1, 29))
    assert len(asked_items(text)) == 28


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([{"description": "New chat", "passes": False}], [("New chat", False)]),
        ([{"category": "ui", "description": "New chat", "steps": ["a"], "passes": True}], [("New chat", True)]),
        ({"features": [{"name": "A", "status": "done"}, {"name": "B", "status": "todo"}]}, [("A", True), ("B", False)]),
        ([{"title": "A", "completed": True}], [("A", True)]),
        ([{"description": "no flag"}], []),
        ([1, "x", None, {"passes": True}], []),
        ({"a": 1}, []),
        ("text", []),
    ],
)
def test_features(value, expected):
    assert [(item.text, item.ticked) for item in features(json.dumps(value).encode())] == expected


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b"[" * 5000])
def test_what_is_no_feature_list(data):
    assert features(data) == []
