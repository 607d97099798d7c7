"""Sending a browser to the pages without telling its token to whoever lists the processes."""

from __future__ import annotations

import os
import tempfile
from html import escape
from pathlib import Path

_PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}"><title>Passdown</title></head>
<body><p><a href="{address}">To the pages</a></p></body>
</html>
"""


def page(address: str) -> str:
    """A page that leads on at once; ``address``: of ours."""
    return _PAGE.format(address=escape(address))


def write(folder: Path, address: str) -> Path:
    """A file for its owner alone that leads to ``address``; the browser is given its name. OSError where it cannot."""
    where = folder if folder.is_dir() else None  # below the repository: a confined browser may not see /tmp
    handle, name = tempfile.mkstemp(prefix="open-", suffix=".html", dir=where)  # made with 0600
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(page(address))
    return Path(name)
