"""Where a policy and a team's templates lie, and the text of such a file."""

from __future__ import annotations

from pathlib import Path

from passdown.errors import PassdownError

FILE, PROJECT = "passdown.toml", "pyproject.toml"
FOLDER = ".passdown/templates"
"""Where a team keeps its own templates, one file each, named as the template."""
ENDING = ".toml"
CODEOWNERS = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
"""Whoever asks a base for its policy asks it for its owners next."""
MOST_FILES = 50
MOST_BYTES = 64 << 10


def readable(root: Path) -> list[Path]:
    """The templates' files of a worktree; a linked folder or file is none."""
    folder = root / FOLDER
    if not folder.is_dir() or folder.is_symlink() or folder.parent.is_symlink():
        return []
    files = (path for path in folder.glob(f"*{ENDING}") if path.is_file() and not path.is_symlink())
    return sorted(files)[: MOST_FILES + 1]


def text_of(file: str, data: bytes, most: int) -> str:
    """The bytes of a file as its text; PassdownError where they are more than ``most``, or not UTF-8."""
    if len(data) > most:
        raise PassdownError(f"{file}:1: expected at most {f'{most >> 20} MB' if most >> 20 else f'{most >> 10} KB'}")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise PassdownError(f"{file}:{line}: expected UTF-8") from error
