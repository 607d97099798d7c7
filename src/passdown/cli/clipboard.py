"""The person's clipboard, by what their desktop has; else by their terminal."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

OSC_LIMIT = 74_994
"""Bytes of base64 that terminals are known to take."""
_SECONDS = 5
_SILENT = ("dumb", "linux", "")
_NEEDS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("pbcopy",), ()),
    (("wl-copy",), ("WAYLAND_DISPLAY",)),
    (("xclip", "-selection", "clipboard"), ("DISPLAY",)),
    (("xsel", "--input", "--clipboard"), ("DISPLAY",)),
    (("clip.exe",), ("WSL_DISTRO_NAME",)),
)
"""Programs, and what must be set for each to reach a desktop."""


def copy(text: str, root: Path, env: Mapping[str, str]) -> str | None:
    """Put the text there; how it went there, None where nothing here can take it.

    A program that lies in the repository ``root`` is none of the desktop's.
    """
    for argv, needs in _NEEDS:
        program = shutil.which(argv[0], path=env.get("PATH", os.defpath))
        if program is None or not all(env.get(name) for name in needs) or _inside(Path(program), root):
            continue
        if _ran([program, *argv[1:]], text, env):
            return argv[0]
    return "the terminal (OSC 52)" if _by_terminal(text, env) else None


def _inside(program: Path, root: Path) -> bool:
    return root in (program.absolute(), *program.absolute().parents) or root in program.resolve().parents


def _ran(argv: list[str], text: str, env: Mapping[str, str]) -> bool:
    """Some of these stay behind to serve the clipboard: they get no pipe that somebody would wait for."""
    try:
        done = subprocess.run(
            argv,
            input=text.encode("utf-8", "replace"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=dict(env),
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _by_terminal(text: str, env: Mapping[str, str]) -> bool:
    """Ask the terminal itself; it does not answer, so this is only tried where a person reads the screen."""
    coded = base64.b64encode(text.encode("utf-8", "replace"))
    if env.get("TERM", "") in _SILENT or len(coded) > OSC_LIMIT or not os.isatty(1):
        return False
    order = b"\x1b]52;c;" + coded + b"\x07"
    if env.get("TMUX"):
        order = b"\x1bPtmux;" + order.replace(b"\x1b", b"\x1b\x1b") + b"\x1b\\"
    sys.stdout.flush()
    os.write(1, order)
    return True
