"""The templates, every value in them escaped."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from passdown.packet.text import place_of, plain


def warm() -> None:
    """Read and compile the review page's templates while a browser starts."""
    templates().get_template("review.html")
    for name in ("base", "head", "facts", "not", "file_row"):
        templates().get_template(f"{name}.html")


@cache
def templates() -> Environment:
    """Read from the package; a name that a page does not give is an error."""
    found = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["plain"] = plain
    found.filters["place"] = place_of
    return found
