"""A team's template: what it may say, and the one line that a mistake is."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passdown.checks.policy_places import MOST_BYTES, MOST_FILES
from passdown.checks.template_file import decoded, file_of, parse_template, team_templates
from passdown.errors import PassdownError
from passdown.model.template import Recognised, TemplateStep

FULL = """\
name = "db-migration"
title = "a migration half applied"
[recognise]
words = ["migrate"]
items = ["review"]
paths = ["migrations/"]
failing_tests = [0, 3]
docs_share = 0.5
changed_files = 2
[boundary]
allow = ["migrations/**"]
deny = ["src/auth/"]
within = ["migrations/", "src/models/"]
new_files = 0
[checklist]
order = ["review", "failure"]
steps = [{ step = "it applies", check = "make migrate", if_not = "revert it" }]
last = { step = "all of it", check = "{goal}", if_not = "stop" }
[checklist.if_not]
failure = "stop at once"
[stop]
when = ["an applied one must change"]
[hold]
tree-drift = "hold"
"""
LEAST = 'title = "t"\n[checklist]\nlast = "show it"\n'


def test_every_key_is_read() -> None:
    one = parse_template("x.toml", FULL, name="db-migration", source="base:x.toml")
    assert one.recognise == Recognised(
        words=("migrate",),
        items=("review",),
        paths=("migrations/",),
        failing_tests=(0, 3),
        docs_share=0.5,
        changed_files=2,
    )
    assert (one.allow, one.deny, one.within) == (
        ("migrations/**",),
        ("src/auth/",),
        ("migrations/", "src/models/"),
    )
    assert one.steps == (TemplateStep(step="it applies", check="make migrate", if_not="revert it"),)
    assert (one.new_files, one.order, one.if_not) == (0, ("review", "failure"), {"failure": "stop at once"})
    assert (one.last.check, one.stop, one.hold) == ("{goal}", ("an applied one must change",), {"tree-drift": "hold"})
    assert one.source == "base:x.toml"


def test_little_is_asked_for() -> None:
    one = parse_template("x.toml", LEAST, name="x")
    assert (one.new_files, one.recognise, one.last.check) == (2, Recognised(), "{goal}")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("title = 3\n" + LEAST[12:], "x.toml:1: title: expected a string, got 3"),
        ('[checklist]\nlast = "a"\n', "title: expected what this kind is called"),
        ('title = "t"\n', "checklist.last: expected the last step"),
        ('name = "y"\n' + LEAST, 'x.toml:1: name: expected "x", as the file is called, got "y"'),
        (LEAST + "[boundry]\n", "x.toml:4: boundry: no such key; did you mean 'boundary'?"),
        (LEAST + "[boundary]\nalow = []\n", "x.toml:5: boundary.alow: no such key; did you mean 'allow'?"),
        (LEAST + "[boundary]\nallow = ['!x']\n", "x.toml:5: boundary.allow: expected a gitignore pattern without '!'"),
        (LEAST + "[boundary]\nnew_files = -1\n", "x.toml:5: boundary.new_files: expected a whole number"),
        (LEAST + "[boundary]\nnew_files = true\n", "x.toml:5: boundary.new_files: expected a whole number"),
        (LEAST + "steps = ['run']\n", "x.toml:4: checklist.steps: expected { step = ..., check = ..., if_not = ... }"),
        (LEAST + "steps = [{ step = 'a', check = 'b' }]\n", "x.toml:4: checklist.steps: expected { step"),
        (LEAST + "steps = [{ step = 'a', check = '', if_not = 'c' }]\n", "x.toml:4: checklist.steps.check: expected"),
        (LEAST + "order = ['typos']\n", 'x.toml:4: checklist.order: expected "failure" or "question"'),
        (LEAST + "[recognise]\nitems = ['bug']\n", 'x.toml:5: recognise.items: expected "failure"'),
        (LEAST + "[recognise]\nfailing_tests = [5, 1]\n", "x.toml:5: recognise.failing_tests: expected [least, most]"),
        (LEAST + "[recognise]\ndocs_share = 70\n", "x.toml:5: recognise.docs_share: expected a share"),
        (LEAST + "[recognise]\nalways = true\nwords = ['a']\n", "x.toml:5: recognise.always: expected always alone"),
        (LEAST + "[hold]\ntree-drift = 'ignore'\n", 'x.toml:5: hold.tree-drift: expected "hold", a template'),
        (LEAST + "[hold]\ndrift = 'hold'\n", "x.toml:5: hold.drift: no such key"),
        (LEAST + "[stop]\nwhen = 'x'\n", "x.toml:5: stop.when: expected a list"),
        (LEAST + f"[stop]\nwhen = ['{'x' * 301}']\n", "x.toml:5: stop.when: expected a list of lines of at most 300"),
        (LEAST + f"[stop]\nwhen = {['x'] * 51}\n", "x.toml:5: stop.when: expected a list of at most 50, got 51"),
        (LEAST + "[stop\n", "x.toml:4: expected TOML"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line_with_its_place(text: str, told: str) -> None:
    with pytest.raises(PassdownError, match=re.escape(told)) as raised:
        parse_template("x.toml", text, name="x")
    assert "\n" not in raised.value.message


@given(
    st.dictionaries(
        st.sampled_from(["step", "check", "if_not", "more"]), st.one_of(st.text(max_size=20), st.integers()), max_size=4
    )
)
def test_a_step_always_names_its_check_and_what_to_do_if_it_fails(entry: dict[str, object]) -> None:
    inline = ", ".join(f"{key} = {json.dumps(value)}" for key, value in entry.items())
    try:
        one = parse_template("x.toml", f"{LEAST}steps = [{{ {inline} }}]\n", name="x")
    except PassdownError as error:
        assert error.message.startswith("x.toml:")  # noqa: PT017 - either is right
        return
    assert all(step.step.strip() and step.check.strip() and step.if_not.strip() for step in (*one.steps, one.last))


def test_folders_files_and_names_have_bounds() -> None:
    with pytest.raises(PassdownError, match="at most 64 KB"):
        decoded("x.toml", b"#" * (MOST_BYTES + 1))
    with pytest.raises(PassdownError, match=r"x\.toml:2: expected UTF-8"):
        decoded("x.toml", b"# a\n# \xff\n")
    many = {f".passdown/templates/t{n}.toml": LEAST.encode() for n in range(MOST_FILES + 1)}
    with pytest.raises(PassdownError, match="at most 50 templates, got 51"):
        team_templates(many)
    for name in ("../x", "X", "a b", "", "a" * 41):
        with pytest.raises(PassdownError, match="no name of a template"):
            file_of(name)
