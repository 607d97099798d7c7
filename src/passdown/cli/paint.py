"""Whether there is colour, and how wide the screen is."""

from __future__ import annotations

import os
import sys

_WHOLE = 100_000


def colour() -> bool:
    """Only at a terminal, and never against NO_COLOR or a dumb terminal."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def line_width() -> int:
    """As :func:`screen_width` where somebody looks; a pipe or file gets whole lines."""
    return screen_width() if sys.stdout.isatty() or os.environ.get("COLUMNS") else _WHOLE


def screen_width() -> int:
    """Columns of the terminal, 100 where there is none; never under 60."""
    import shutil

    return max(shutil.get_terminal_size((100, 24)).columns, 60)
