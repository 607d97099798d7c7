"""Which file on the disk a command's program is, without running it."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from msgspec import Struct

_BUILTINS = {
    ".", ":", "[", "alias", "cd", "command", "echo", "eval", "exec", "exit", "export", "false", "kill", "printf", "pwd",
    "read", "return", "set", "shift", "source", "test", "times", "trap", "true", "type", "ulimit", "umask", "unset",
    "wait",
}  # fmt: skip
_WHOLE = 8 << 20
_PIECE = 1 << 20
_SHEBANG = re.compile(rb"#!\s*(\S+)(?:[ \t]+(\S+))?")


class Program(Struct, frozen=True):
    """``path``: as found on PATH (links not followed); ``real``: the file behind it; ``digest`` of its content."""

    name: str
    path: Path
    real: Path
    digest: str


def find(word: str, root: Path, search: str | None) -> Program | None:
    """The program that ``word`` starts in ``root``; None for a shell builtin and where there is none."""
    if "\0" in word or ("/" not in word and word in _BUILTINS):
        return None
    if "/" in word:
        found = root / word
        if not (found.is_file() and os.access(found, os.X_OK)):
            return None
    else:
        places = (root / place / word for place in (search or os.defpath).split(os.pathsep))
        which = next((path for path in places if os.access(path, os.X_OK) and path.is_file()), None)
        if which is None:
            return None
        found = which
    return Program(word, found, found.resolve(), _digest(found))


def interpreter(program: Program, root: Path, search: str | None) -> Program | None:
    """The interpreter that the program's first line names, ``env`` looked through."""
    with program.real.open("rb") as file:
        match = _SHEBANG.match(file.readline(512))
    if match is None:
        return None
    path, argument = os.fsdecode(match[1]), os.fsdecode(match[2] or b"")
    if path.endswith("/env") and argument and not argument.startswith("-"):
        return find(argument, root, search)
    return find(path, root, search)


def _digest(path: Path) -> str:
    """Of the whole content; of size, head, middle and tail where it is over 8 MB (node, go: 100 MB each run)."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            if size <= _WHOLE:
                return hashlib.file_digest(file, "sha256").hexdigest()
            digest = hashlib.sha256(str(size).encode())
            for offset in (0, size // 2, size - _PIECE):
                file.seek(offset)
                digest.update(file.read(_PIECE))
            return digest.hexdigest()
    except OSError as error:
        return f"unreadable ({error.strerror})"
