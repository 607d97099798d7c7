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


class _Level(Struct):
    level: str = "warning"


class _Rule(Struct, rename="camel"):
    id: str = ""
    default_configuration: _Level | None = None


class _Component(Struct):
    rules: list[_Rule] | None = None


class _Tool(Struct):
    driver: _Component | None = None
    extensions: list[_Component] | None = None


class _Which(Struct, rename="camel"):
    index: int = -1


class _Reference(Struct, rename="camel"):
    id: str | None = None
    index: int = -1
    tool_component: _Which | None = None


class _Result(Struct, rename="camel"):
    rule_id: str | None = None
    rule_index: int = -1
    rule: _Reference | None = None
    kind: str = "fail"
    level: str | None = None
    message: _Text | None = None
    locations: list[_Location] = field(default_factory=list)
    baseline_state: str | None = None
    suppressions: list[_Suppression] | None = None


class _Invocation(Struct, rename="camel"):
    execution_successful: bool = True


class _Run(Struct):
    tool: _Tool | None = None
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
                rule = _rule(run, result)
                level = result.level or (rule.default_configuration or _Level()).level
                levels[level] = levels.get(level, 0) + 1
                if level == "error" and len(named) < NAMED:
                    name = _name(result, rule.id)
                    named.setdefault(name, first_line(result.message.text if result.message else ""))
    failed = any(not one.execution_successful for run in report.runs for one in run.invocations or [])
    return Summary({}, named, (), levels, "its report says that the tool did not succeed" if failed else "")


def _counts(result: _Result) -> bool:
    """What the tool itself sets aside does not count."""
    suppressed = any(one.status == "accepted" for one in result.suppressions or [])
    return result.kind not in _SILENT and result.baseline_state != "absent" and not suppressed


def _rule(run: _Run, result: _Result) -> _Rule:
    """The rule that a result names by its id or its place: what stands there counts where the result says no level."""
    said = result.rule or _Reference()
    tool = run.tool or _Tool()
    parts = [tool.driver or _Component(), *(tool.extensions or [])]
    part = said.tool_component.index + 1 if said.tool_component is not None else 0
    held = (parts[part].rules or []) if 0 <= part < len(parts) else []
    index = max(result.rule_index, said.index)
    if 0 <= index < len(held):
        return held[index]
    name = result.rule_id or said.id or ""
    rules = (rule for component in parts for rule in component.rules or [] if rule.id == name)
    return next(rules, _Rule(name))


def _name(result: _Result, rule: str) -> str:
    """``rule path:line`` as far as it says so."""
    rule = result.rule_id or rule or "?"
    at = result.locations[0].physical_location if result.locations else None
    if at is None or at.artifact_location is None or not at.artifact_location.uri:
        return rule
    line = f":{at.region.start_line}" if at.region and at.region.start_line else ""
    return f"{rule} {at.artifact_location.uri}{line}"
