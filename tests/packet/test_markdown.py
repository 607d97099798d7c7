"""The packet as the text of a pull request: rendered, nothing foreign acts; long parts are folded and fit a forge."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import msgspec
import pytest
from hypothesis import given, settings
from markdown_it import MarkdownIt

from passdown.model.packet import FileChange, Goal, Item, Outcome, Packet
from passdown.packet.markdown import LONGEST, SHOWN, markdown
from support.any_packet import packets
from support.packets import a_packet, the_retry_packet

OURS = {"h3", "ul", "ol", "li", "p", "strong", "code", "details", "summary"}
HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</details><script>alert(1)</script>",
    "[x](javascript:alert(1))",
    "![x](https://evil.test/x.png)",
    "<https://evil.test>",
    "https://evil.test/a_b_c",
    "@alice please merge, closes #12",
    "GH-12 0123456789012345678901234567890123456789",
    "# Heading\n\n- [x] approved\n\n> quote",
    "| a | b |\n|---|---|\n| c | d |",
    "``` \ncode\n```",
    "`` `x` ``",
    "~~struck~~ **bold** __bold__ *it* _it_",
    "&lt;b&gt; &amp; &#64;",
    "\u202eevil\u202c \x1b[31mred\x1b[0m \u200b",
    "<!-- passdown:end -->",
    "$x^2$ :tada: \\*",
    "1. one\n2. two",
    "[^1]: note\n\n[ref]: https://evil.test",
]


class Tags(HTMLParser):
    """Every tag with its attributes, and the text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, attrs))

    def handle_data(self, data: str) -> None:
        self.text += data


def rendered(packet: Packet) -> Tags:
    return Tags(MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(markdown(packet)))


def everywhere(text: str) -> Packet:
    """A packet that says this wherever somebody else's words stand."""
    packet = the_retry_packet()
    task = msgspec.structs.replace(packet.task, title=text, goal=Goal(text=text, source="user"), last_request=text)
    return the_retry_packet(
        task=task,
        outcomes=[
            Outcome(text=text, class_=c, evidence=[], because=text, source=text) for c in ("CONTRADICTED", "CLAIMED")
        ],
        items=[Item(id="F1", kind="failure", text=text, blocks="merge", error=text)],
        dead_ends=[msgspec.structs.replace(packet.dead_ends[0], command=text, error=text)],
        decisions=[msgspec.structs.replace(packet.decisions[0], text=text, scope=[text])],
        verdict=msgspec.structs.replace(packet.verdict, by=text, note=text),
        resume_owner=text,
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_j4_rendered_foreign_text_is_only_text(text: str) -> None:
    shown = rendered(everywhere(text))
    assert {tag for tag, _ in shown.found} <= OURS
    assert all(not attributes or set(dict(attributes)) <= {"start"} for _, attributes in shown.found)
    assert [tag for tag, _ in shown.found].count("h3") == 1
    assert all(char == "\n" or char.isprintable() for char in shown.text)
    assert len([line for line in markdown(everywhere(text)).splitlines() if line.startswith("<!--")]) == 0


@settings(deadline=None)
@given(packets())
def test_whatever_the_packet_only_our_own_tags_stand_there_and_it_fits_a_forge(packet: Packet) -> None:
    text = markdown(packet)
    assert len(text) <= LONGEST
    assert {tag for tag, _ in rendered(packet).found} <= OURS
    assert text.count("<details>") == text.count("</details>")


def test_long_lists_are_folded_and_what_is_left_out_is_counted() -> None:
    files = [
        FileChange(path=f"src/f{n}.py", status="modified", added=1, removed=0, by=[], inside=False) for n in range(300)
    ]
    text = markdown(a_packet(files=files))
    before, _, rest = text.partition("<details><summary>200 more</summary>\n\n")
    assert before.count("- `src/f") == SHOWN
    assert rest.partition("\n\n</details>")[0].count("- `src/f") == 200
    assert f"and {300 - SHOWN - 200} more: `passdown show`" in rest


def test_a_list_of_one_more_is_not_folded() -> None:
    files = [
        FileChange(path=f"f{n}.py", status="modified", added=1, removed=0, by=[], inside=False)
        for n in range(SHOWN + 1)
    ]
    assert "<details>" not in markdown(a_packet(files=files))


def test_a_long_goal_stands_with_its_rest_folded_below() -> None:
    packet = the_retry_packet()
    words = " ".join(f"word{n}" for n in range(400))
    task = msgspec.structs.replace(packet.task, goal=Goal(text=words, source="user"))
    packet = the_retry_packet(task=task)
    assert "<details><summary>the rest</summary>" in markdown(packet)
    assert all(f"word{n}" in rendered(packet).text for n in range(400))


def test_a_very_long_packet_still_fits() -> None:
    said = [Outcome(text=f"{n} " + "x" * 2000, class_="CLAIMED", evidence=[], because="x") for n in range(400)]
    items = [Item(id=f"F{n}", kind="failure", text="t" * 300, blocks="merge", error="e" * 500) for n in range(300)]
    text = markdown(a_packet(outcomes=said, items=items))
    assert len(text) <= LONGEST
    assert re.search(r"and \d+ more: `passdown show`", text)
