"""What the rest of a command line did to a check's output: echoes in it, lines that a filter took out."""

from __future__ import annotations

import re

from passdown.agents.facts.reading import Line
from passdown.model.session import SeenResult
from passdown.rules.patterns import lazy
from passdown.rules.shell_words import program, unwrap

SHOWING = {"tail", "head", "tee", "cat", "less", "ts"}
_EITHER = lazy(
    r"(?P<check>[^|;&\n]+)&&\s*echo\s+(?P<q>[\"']?)(?P<yes>[^\"'|;&\n$`]+)(?P=q)\s*"
    r"(?:\|\|\s*echo\s+(?P<r>[\"']?)(?P<no>[^\"'|;&\n$`]+)(?P=r)\s*)?(?=$|[;\n])"
)
_JOINED = lazy(r"2>&1|&>>?\s*\S+|>>?\s*\S+")
_PASS_LINE = lazy(r"[\^\\s*?(]*(?:ok|PASS|no test files|cached)[\\s)]*")
_PRINTERS = {"grep", "egrep", "rg", "ag", "cat", "sed", "awk", "find", "nl", "jq"}
_COMPLAINT = lazy(
    r"^(?:vet(?:\.exe)?: )?[\w./\\:@-]+\.\w{1,6}(?::\d+(?::\d+)?:? \S|\(\d+,\d+\): error )|^# [\w./-]+(?: \[.*\])?$",
    re.MULTILINE,
)
_BARE_FILE = lazy(r"^[\w./\\:@-]+\.[a-z]{1,5}$", re.MULTILINE)
_COMPLAINING = {"go", "tsc", "vue-tsc", "tsgo", "flake8", "pyflakes", "pycodestyle", "staticcheck"}


def without_echoes(line: Line, text: str) -> str:
    """``text`` without the lines that an ``echo`` of plain words in the same line printed."""
    said = {" ".join(w for w in call.words[1:] if w not in {"-e", "-n"}).strip() for call in _echoes(line)}
    said = {words for words in said if "$" not in words and "`" not in words}
    if not said or not text:
        return text
    return "\n".join(row for row in text.split("\n") if row.strip() not in said)


def _echoes(line: Line) -> list:  # type: ignore[type-arg] # calls
    return [call for call in line.all if call.words[0] in {"echo", "printf"}]


def either(command: str, line: Line, text: str) -> SeenResult | None:
    """What ``CHECK && echo YES || echo NO`` printed for the line's only check; None where it is no such line."""
    if len(line.checks) != 1 or line.checks[0][1].pipe or "echo" not in command:
        return None
    name = line.checks[0][1].words[0]
    rows = {row.strip() for row in text.split("\n")} - {""}
    for found in _EITHER.finditer(_JOINED.sub(" ", command)):
        yes, no = found["yes"].strip(), (found["no"] or "").strip()
        if name not in found["check"].split() or yes == no:
            continue
        if yes in rows and no not in rows:
            return "PASSED"
        if no and no in rows and yes not in rows:
            return "FAILED"
    return None


def only_failures_shown(line: Line) -> bool:
    """``go test ./... | grep -v ok``: what passed was taken out, and nothing else."""
    if len(line.checks) != 1:
        return False
    call = line.checks[0][1]
    words = unwrap(call.words)
    filters = [rest for rest in call.pipe if rest and program(rest[0]) not in SHOWING]
    return bool(filters) and words[:2] == ("go", "test") and not call.quiet and all(_drops_passes(f) for f in filters)


def _drops_passes(words: tuple[str, ...]) -> bool:
    options = "".join(w for w in words[1:] if w.startswith("-"))
    patterns = [part for w in words[1:] if not w.startswith("-") for part in re.split(r"\\?\|", w)]
    return (
        program(words[0]) in {"grep", "egrep"}
        and "v" in options
        and bool(patterns)
        and all(_PASS_LINE.fullmatch(part) for part in patterns)
    )


def complains(line: Line, tools: set[str], text: str) -> bool:
    """A tool that is silent on success named places in files, and no other program of the line prints such."""
    if not tools or not tools <= _COMPLAINING or any(program(c.words[0]) in _PRINTERS for c in line.all):
        return False
    return _COMPLAINT.search(text) is not None


def names_places(text: str) -> bool:
    """Whether a line names a place in a file, or a file alone."""
    return _COMPLAINT.search(text) is not None or _BARE_FILE.search(text) is not None
