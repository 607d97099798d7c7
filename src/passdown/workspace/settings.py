"""What the user's git settings say, read as data: nothing that they name is run."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct

from passdown.workspace.git import zsplit
from passdown.workspace.place import Place, user_git
from passdown.workspace.tracked import signature

_TRUE = frozenset({"true", "yes", "on", "1", ""})


class Settings(Struct, frozen=True):
    """The settings that decide what is on disk and what is committed."""

    autocrlf: str = ""
    eol: str = ""
    excludes: str = ""  # core.excludesFile
    sparse: bool = False

    @property
    def normalises(self) -> bool:
        """Whether the settings alone change what is committed."""
        return self.autocrlf.lower() in _TRUE - {""} | {"input"}


def settings_files(place: Place) -> list[Path]:
    """The files that hold the settings."""
    home = Path(os.path.expanduser("~"))
    return [
        place.common_dir / "config",
        place.git_dir / "config.worktree",
        place.common_dir / "info/attributes",
        place.common_dir / "info/exclude",
        home / ".gitconfig",
        _config_home() / "git/config",
        _config_home() / "git/ignore",
    ]


def settings_signatures(place: Place) -> list[list[int] | None]:
    """What changes when one of the files does."""
    return [signature(path) for path in settings_files(place)]


def read_settings(place: Place) -> Settings:
    """The settings in force, the person's own included: they decide what `git add` would do."""
    git = user_git(place)
    for path in _person_files()[:1]:
        git = git.having(GIT_CONFIG_GLOBAL=str(path))
    records = zsplit(git.run("config", "-z", "--list", "--show-scope"))
    told = {}
    for scope, record in zip(records[::2], records[1::2], strict=True):
        key, _, value = os.fsdecode(record).partition("\n")
        if scope != b"command":
            told[key] = value
    return Settings(
        autocrlf=told.get("core.autocrlf", ""),
        eol=told.get("core.eol", ""),
        excludes=told.get("core.excludesfile", str(_config_home() / "git/ignore")),
        sparse=told.get("core.sparsecheckout", "false").lower() in _TRUE,
    )


def _config_home() -> Path:
    return Path(os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config"))


def _person_files() -> list[Path]:
    """The person's own file, the one that git would read last first."""
    home = Path(os.path.expanduser("~"))
    return [path for path in (home / ".gitconfig", _config_home() / "git/config") if os.access(path, os.R_OK)]
