"""A block of ours in somebody's file: every byte around it stays, broken markers are told and nothing is written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passdown.errors import PassdownError
from passdown.rules.marked_block import BEGIN, END, marked, renewed, span, without

ONE, TWO = marked("### One"), marked("### Two\n\n- more")
TEXT = st.text(alphabet="ab \n\r#<!->\u00e9", max_size=60)


@given(TEXT, TEXT)
def test_what_stands_around_it_stays_byte_for_byte(before: str, after: str) -> None:
    text = before + "\n" + ONE + after
    assert renewed(text, TWO, name="x")[0] == before + "\n" + TWO + after


@given(TEXT)
def test_put_renewed_and_taken_out_again_it_leaves_the_text(text: str) -> None:
    first, block = renewed(text, ONE, name="x")
    assert first == text + block
    second, again = renewed(first, TWO, name="x", before=block)
    assert second == text + again
    assert renewed(second, TWO, name="x", before=again) == (second, again)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"a\n{BEGIN}\nours\n", 2),
        (f"a\nours\n{END}\n", 3),
        (f"{END}\n{BEGIN}\n", 1),
        (f"{ONE}\n{ONE}", 5),
        (f"{BEGIN}\n{BEGIN}\n{END}\n", 2),
        (f"{BEGIN}\n{END}\n{END}\n", 3),
        ("x\r\n<!-- passdown -->\r\ny\r\n", 2),
    ],
)
def test_broken_markers_are_named_with_their_line(text: str, line: int) -> None:
    with pytest.raises(PassdownError, match=rf"^HANDOFF.md:{line}: the markers"):
        renewed(text, TWO, name="HANDOFF.md")
    assert without(text) == text or text.count(END) == text.count(BEGIN)


@pytest.mark.parametrize("text", [f"- `{BEGIN}`\n", f"as {END} says\n", "<!-- passdown:other -->\n", f"> {BEGIN}\n"])
def test_a_marker_inside_a_line_is_text(text: str) -> None:
    assert span(text, name="x") is None
    assert without(text) == text


def test_a_foreign_end_marker_inside_the_block_ends_nothing() -> None:
    block = marked(f"- `{END}` said somebody\n- more")
    assert without(f"a\n{block}b\n") == "a\n\n\n\n\nb\n"
    assert renewed(f"a\n{block}b\n", TWO, name="x")[0] == f"a\n{TWO}b\n"


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
@pytest.mark.parametrize("markers", [(BEGIN, END), ("<!-- passdown -->", "<!-- /passdown -->")])
def test_the_block_is_not_read_back_and_lines_keep_their_numbers(eol: str, markers: tuple[str, str]) -> None:
    begin, end = markers
    text = eol.join(["one", begin, "ours", end, "five", ""])
    left = without(text)
    assert "ours" not in left
    assert left.split("\n")[4].strip() == "five"
