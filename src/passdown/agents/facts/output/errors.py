"""The line of an output that says what went wrong."""

from __future__ import annotations

import re

from passdown.rules.patterns import lazy

_LINE = 300
_PATTERNS = tuple(
    lazy(pattern, re.MULTILINE)
    for pattern in (
        r"^E\s{2,}(?P<line>\S.*)$",
        r"^\s*(?P<line>(?:[A-Za-z_][\w.]*)?(?:Error|Exception|Failure|Violation|Panic): .+)$",
        r"^(?P<line>.*\berror TS\d+: .+)$",
        r"^(?P<line>error(?:\[E\d+\])?: (?!script \"|Recipe |task failed).+)$",
        r"^(?P<line>\S+\.\w+:\d+(?::\d+)?:? (?!: # ).+)$",
        r"^\s+(?P<line>\w+_test\.go:\d+: .+)$",
        r"^thread '.*' panicked at (?P<line>.+)$",
        r"^(?P<line>(?:fatal|FATAL|panic|npm ERR!|npm error|ERROR|Error|error)[: ](?! ?script \"|task failed).+)$",
        r"^(?P<line>.*(?:: error |: fatal error |command not found|No such file or directory).*)$",
    )
)


def first_error(text: str) -> str:
    """The first line of the strongest kind of error in ``text`` (cleaned), "" where there is none."""
    for pattern in _PATTERNS:
        match = pattern.search(text)
        if match:
            return match["line"].strip()[:_LINE]
    return ""


def last_line(text: str) -> str:
    """The last line that is not empty."""
    return next((line.strip()[:_LINE] for line in reversed(text.split("\n")) if line.strip()), "")
