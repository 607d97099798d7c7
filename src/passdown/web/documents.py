"""A packet or a task's story as one HTML file: nothing is loaded, nothing runs."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from pathlib import Path

from passdown.web import review_page
from passdown.web.desk import Happened, Review
from passdown.web.templates_of import templates

_STYLE = Path(__file__).parent / "static" / "style.css"


def packet_file(review: Review) -> str:
    """The packet as `show --html` writes it."""
    return _file("show.html", review=review, page=review_page.page(review))


def story_file(title: str, events: Sequence[Happened]) -> str:
    """What happened to a task, as `log --html` writes it."""
    return _file("log.html", title=title, events=events)


def _file(name: str, **values: object) -> str:
    style = _STYLE.read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return templates().get_template(name).render(live=False, style=style, style_hash=digest, **values)
