# ruff: noqa: E501 - a pattern reads best on one line
"""The line of an output that says what went wrong."""

from __future__ import annotations

import re

from passdown.rules.patterns import lazy

_LINE = 300
_PATTERNS = tuple(
    lazy(pattern, re.MULTILINE)
    for pattern in (
        r"^E\s{2,}(?P<line>\S.*)$",
        r"^\s*thread '.*' (?:\(\d+\) )?panicked at \S+:\n\s*(?P<line>\S.*)$",
        r"^\s*(?P<line>(?:[A-Za-z_][\w.]*)?(?:Error|Exception|Failure|Violation|Panic)(?: \[\w+\])?: .+)$",
        r"^(?P<line>.*\berror TS\d+: .+)$",
        r"^(?P<line>error(?:\[E\d+\])?: (?!script \"|Recipe |task failed|test (?:run )?failed|aborting|could not compile|\d+ targets? failed).+)$",
        r"^\s*(?P<line>\S+\.\w+:\d+(?::\d+)? - error: .+)$",
        r"^(?P<line>\S+\.\w+:\d+(?::\d+)?:? (?!: # ).+)$",
        r"^\s+(?P<line>\w+_test\.go:\d+: *\S.*)$",
        r"^\s+(?P<line>Error:\s+Not .+|Error:\s+\S.+)$",
        r"^thread '.*' panicked at (?P<line>.+)$",
        r"^\s+(?P<line>\d+:\d+\s+error\s+\S.*)$",
        r"^(?P<line>[A-Z]{1,4}\d{3,4} (?:\[\*\] )?\S.*)$",
        r"^(?P<line>(?:Would|would) reformat:? \S.*|\[(?:warn|error)\] (?!Code style|Run Prettier)\S.*)$",
        r"^(?P<line>(?:fatal|FATAL|panic|npm ERR!|npm error|ERROR|Error|error)[: ](?! ?script \"|task failed|Message:).+)$",
        r"^\s*(?P<line>[\w.-]+: FAIL code -?\d+.*)$",
        r"^(?P<line>.*(?:: error |: fatal error |command not found|No such file or directory).*)$",
    )
)
_QUIET = lazy(
    r"^[\s=_\-\u2500.>|*]*$|^(?:FAIL|PASS|ok|exit status)\b|^\s*(?:---|===) |^\s*(?:Error Message|Fehlermeldung|Failure|Error):$"
    r"|^\s+at |^\s*\S+\.\w+:\d+(?::\d+)?:?$|^[\u256d\u2570\u2502\u2500]"
)
_LOOKED = 8


def first_error(text: str) -> str:
    """The first line of the strongest kind of error in ``text`` (cleaned), "" where there is none."""
    for pattern in _PATTERNS:
        match = pattern.search(text)
        if match:
            return " ".join(match["line"].split())[:_LINE]
    return ""


def telling_line(block: str) -> str:
    """The first line under a heading that says something; "" where none of the next ones does."""
    lines = block.split("\n")[1:_LOOKED]
    return next((line.strip()[:_LINE] for line in lines if not _QUIET.match(line)), "")


def last_line(text: str) -> str:
    """The last line that is not empty."""
    return next((line.strip()[:_LINE] for line in reversed(text.split("\n")) if line.strip()), "")
