# ruff: noqa: E501 - a pattern reads best on one line
"""Which tests failed, and the first line that says why."""

from __future__ import annotations

import re

from passdown.agents.facts.output.errors import first_error
from passdown.rules.patterns import lazy

_MAX = 200
_LINE = 300
# (pattern of one failing test with its id in group 1 and perhaps its error in group "error")
_HEADS = tuple(
    lazy(pattern, re.MULTILINE)
    for pattern in (
        r"^(?:FAILED|ERROR) (?P<id>\S+?\.py(?:::\S.*?)?)(?: - (?P<error>.*))?$",
        r"^(?:FAIL|ERROR): (?P<id>\w+ \([\w.]+\))",
        r"^\s*--- FAIL: (?P<id>\S+)",
        r"^FAIL\t(?P<id>\S+) \[(?P<error>[\w ]+ failed)\]",
        r"^test (?P<id>[\w:]+(?: - .*?)?) \.\.\. FAILED$",
        r"^\s*\u25cf (?P<id>.+? \u203a .+)$",
        r"^\s*(?:FAIL|\u00d7)\s+(?P<id>\S+ > .+?)(?: \d+ms)?$",
        r"^\(fail\) (?P<id>.+?)(?: \[[\d.]+ms\])?$",
        r"^rspec (?P<id>\./\S+:\d+)(?: # (?P<error>.*))?",
        r"^\s*Failed (?P<id>[\w.]+(?:\(.*\))?) \[.*\]",
        r"^(?P<id>[\w.$]+ > .+?) FAILED$",
        r"^not ok \d+ (?:- )?(?P<id>.+?)(?: # .*)?$",
        r"^\s*\d+ - (?P<id>\S+) \((?:Failed|Timeout|SEGFAULT)\)$",
        r"^\[ERROR\]\s+(?P<id>[\w.]+\.\w+:\d+) (?P<error>.*)$",
        r"^\s+\d+\) (?P<id>test .+ \([\w.]+\))$",
        r"^\d+\) (?P<id>[\w\\]+::\w+.*)$",
        r"^\s+\d+\) (?P<id>\[[\w -]+\] \u203a .+?)(?: \u2500+)?$",
        r"^\s+\d+\) (?P<id>[^\n]*:)$",
    )
)
_QUIET = lazy(r"^[\s=_\-\u2500.>|*]*$|^(?:FAIL|PASS|ok|exit status)\b|^\s*(?:---|===) ")


def failing(text: str) -> dict[str, str]:
    """Failing id -> its first error line ("" where none is printed), in order; at most 200."""
    found: dict[str, str] = {}
    for head in _HEADS:
        for match in head.finditer(text):
            name = match["id"].strip()
            given = (match.groupdict().get("error") or "").strip()
            if len(found) < _MAX or name in found:
                found[name] = found.get(name) or given or _error_of(name, text, match)
        if found:
            break
    return {name: error[:_LINE] for name, error in found.items()}


def _error_of(name: str, text: str, head: re.Match[str]) -> str:
    """The error line in the test's own section, which stands before or after its heading, or elsewhere under its name."""
    if head[0].startswith("(fail)"):
        before = text[max(0, head.start() - 4000) : head.start()]
        return first_error(re.split(r"^\((?:pass|fail|skip)\) .*$", before, flags=re.MULTILINE)[-1])
    if ".py::" in name:
        section = re.search(
            rf"^_+ (?:[\w.]+\.)?{re.escape(name.rsplit('::', maxsplit=1)[-1])} _+$(.*?)(?:^_{{3,}}|^={{3,}}|\Z)",
            text,
            re.MULTILINE | re.DOTALL,
        )
        return first_error(section[1]) if section else ""
    run = re.search(rf"^=== RUN\s+{re.escape(name)}$(.*)\Z", text[: head.start()], re.MULTILINE | re.DOTALL)
    if run and first_error(run[1]):  # `go test -v` prints what went wrong before it names the test
        return first_error(run[1])
    panic = re.search(
        rf"^---- {re.escape(name)} stdout ----$(.*?)(?:^----|^failures:|\Z)", text, re.MULTILINE | re.DOTALL
    )
    if panic:
        return first_error(panic[1])
    block = text[head.end() : head.end() + 2000]
    error = first_error(block)
    if error:
        return error
    return next((line.strip() for line in block.split("\n")[1:6] if not _QUIET.match(line)), "")
