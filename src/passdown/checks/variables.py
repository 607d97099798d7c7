"""The environment variables that a check runs with."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from passdown.ledger.ci_variable import CI_KEY
from passdown.model.evidence import CheckDefinition
from passdown.workspace.place import Place

SCRUBBED = {
    "PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTHONOPTIMIZE", "PYTHONINSPECT", "PYTHONBREAKPOINT", "PYTHONSTARTUP",
    "MAKEFLAGS", "MFLAGS", "MAKEFILES", "MAKELEVEL", "BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "CDPATH",
    "RUFF_CONFIG",
    "JUST_JUSTFILE", "JUST_WORKING_DIRECTORY", "JUST_DRY_RUN", "YARN_RC_FILENAME", "YARN_IGNORE_PATH",
}  # fmt: skip
"""Variables that change what a declared check means, unless its ``env`` names them."""
_OF_NPM = {
    "userconfig",
    "globalconfig",
    "script_shell",
    "ignore_scripts",
    "node_options",
    "shell",
    "prefix",
    "if_present",
    "workspace",
    "dry_run",
}
"""Npm takes each of its settings from ``npm_config_NAME`` too, in any case."""
_FOLDER = "pycache"


def variables(place: Place, definition: CheckDefinition, env: Mapping[str, str]) -> dict[str, str]:
    """``env`` without what would sway the check and without CI's key; compiled Python stays out of the worktree."""
    kept = {
        name: value for name, value in env.items() if name != CI_KEY and (name in definition.env or not sways(name))
    }
    return {**kept, "PYTHONPYCACHEPREFIX": str(_fresh_pycache(place))}


def sways(name: str) -> bool:
    """Whether it would change what the command means; a shell's exported functions stand in for programs."""
    npm = name.lower().replace("-", "_").removeprefix("npm_config_")
    return (
        name in SCRUBBED or _of_git(name) or name.startswith("BASH_FUNC_") or (npm != name.lower() and npm in _OF_NPM)
    )


def _of_git(name: str) -> bool:
    """A hook's GIT_DIR would lead the check's own git into the wrong repository."""
    return name in {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_NAMESPACE"} or (
        name.startswith(("GIT_OBJECT_", "GIT_ALTERNATE_", "GIT_QUARANTINE"))
    )


def _fresh_pycache(place: Place) -> Path:
    """A cache without the worktree's own modules.

    Python takes a compiled file for current by size and whole seconds: an edit within the second of
    the last run would be tested as the code before it. Installed packages stay compiled.
    """
    prefix = place.home / _FOLDER
    own = prefix / place.root.relative_to(place.root.anchor)
    for folder in list(own.iterdir()) if own.is_dir() else []:
        if folder.name != "node_modules" and not (place.root / folder.name / "pyvenv.cfg").is_file():
            _remove(folder, prefix)
    return prefix


def _remove(found: Path, prefix: Path) -> None:
    """Out of the way at once, then away: another check may be filling it."""
    import shutil  # noqa: PLC0415 - only where there is something to remove
    import tempfile  # noqa: PLC0415 - as above

    aside = Path(tempfile.mkdtemp(prefix=".gone-", dir=prefix))
    with suppress(FileNotFoundError):  # the other check was first
        found.rename(aside / found.name)
    shutil.rmtree(aside, ignore_errors=True)
