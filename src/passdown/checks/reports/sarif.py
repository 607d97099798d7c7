"""SARIF 2.1: findings of linters and analysers."""

from __future__ import annotations

from typing import BinaryIO

from msgspec import Struct, field

from passdown.checks.reports.document import load
from passdown.checks.reports.summary import NAMED, Summary, first_line

_SILENT = {"pass", "notApplicable", "informational"}


class _Text(Struct):
    text: str | None = None
    markdown: str | None = None


class _Artifact(Struct):
    uri: str | None = None


class _Region(Struct, rename="camel"):
    start_line: int | None = None


class _Physical(Struct, rename="camel"):
    artifact_location: _Artifact | None = None
    region: _Region | None = None


class _Location(Struct, rename="camel"):
    physical_location: _Physical | None = None


class _Suppression(Struct):
    status: str = "accepted"


class _Result(Struct, rename="camel"):
    rule_id: str | None = None
    kind: str = "fail"
    level: str = "warning"
    message: _Text | None = None
    locations: list[_Location] = field(default_factory=list)
    baseline_state: str | None = None
    suppressions: list[_Suppression] | None = None


class _Invocation(Struct, rename="camel"):
    execution_successful: bool = True


class _Run(Struct):
    results: list[_Result] | None = None
    invocations: list[_Invocation] | None = None


class _Report(Struct):
    runs: list[_Run]
    version: str = ""


def read(file: BinaryIO) -> Summary | None:
    """Findings by level; None where it is no SARIF."""
    report = load(file, _Report)
    if report is None or not report.version.startswith("2"):
        return None
    levels: dict[str, int] = {}
    named: dict[str, str] = {}
    for run in report.runs:
        for result in run.results or []:
            if _counts(result):
                levels[result.level] = levels.get(result.level, 0) + 1
                if result.level == "error" and len(named) < NAMED:
                    named.setdefault(_name(result), first_line(result.message.text if result.message else ""))
    failed = any(not one.execution_successful for run in report.runs for one in run.invocations or [])
    return Summary({}, named, (), levels, "its report says that the tool did not succeed" if failed else "")


def _counts(result: _Result) -> bool:
    """What the tool itself sets aside does not count."""
    suppressed = any(one.status == "accepted" for one in result.suppressions or [])
    return result.kind not in _SILENT and result.baseline_state != "absent" and not suppressed


def _name(result: _Result) -> str:
    """``rule path:line`` as far as it says so."""
    rule = result.rule_id or "?"
    at = result.locations[0].physical_location if result.locations else None
    if at is None or at.artifact_location is None or not at.artifact_location.uri:
        return rule
    line = f":{at.region.start_line}" if at.region and at.region.start_line else ""
    return f"{rule} {at.artifact_location.uri}{line}"
