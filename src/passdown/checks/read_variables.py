"""Variables that a check's own words read: ``PYTEST ?= pytest`` in a makefile takes whatever the environment says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from passdown.rules.patterns import lazy

_DEFAULT = lazy(r"^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*\?=", re.MULTILINE)
_READ = lazy(
    r"\$[({]?([A-Z][A-Z0-9_]+)\b|\bprocess\.env(?:\.|\[['\"])([A-Z][A-Z0-9_]+)|\{env:([A-Z][A-Z0-9_]+)"
    r"|\b(?:getenv|environ|environ\.get|env_var|env_var_or_default|env)\b[\s(\[{]{1,3}['\"]([A-Za-z_]\w+)"
)
_SESSION = frozenset({
    "CI", "COLUMNS", "DISPLAY", "EDITOR", "GITHUB_ACTIONS", "HOME", "HOSTNAME", "LINES", "LOGNAME", "MAKE", "OLDPWD",
    "OSTYPE", "PYTHONPYCACHEPREFIX",
    "PAGER", "PATH", "PPID", "PWD", "SECONDS", "SHELL", "SHLVL", "TEMP", "TERM", "TMP", "TMPDIR", "UID", "USER",
    "VIRTUAL_ENV", "VISUAL", "MACHTYPE", "HOSTTYPE", "BASH", "RANDOM", "LINENO", "EUID",
})  # fmt: skip
"""What differs between two terminals of one person, or says that CI runs it."""


def read_variables(texts: Iterable[str]) -> Iterator[str]:
    """The names that these texts read from the environment."""
    for text in texts:
        for found in (*((name,) for name in _DEFAULT.findall(text)), *_READ.findall(text)):
            yield from (name for name in found if name and name not in _SESSION)
