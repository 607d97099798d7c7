"""What CI said of the pull request's newest commit: the forge's word, an observation and no proof."""

from __future__ import annotations

from collections.abc import Iterator

from passdown.forge.client import Github
from passdown.forge.foreign import cut
from passdown.forge.publish import CONTEXT
from passdown.forge.shapes import Runs, Status
from passdown.model.evidence import Result
from passdown.model.forge import ForgeCheck

_NAME = 80
_CONCLUSIONS: dict[str, Result] = {
    "success": "PASSED",
    "failure": "FAILED",
    "timed_out": "ERROR",
    "startup_failure": "ERROR",
    "action_required": "ERROR",
    "error": "ERROR",
    "skipped": "SKIPPED",
    "neutral": "SKIPPED",
    "pending": "NOT RUN",
}
_WORST: tuple[Result, ...] = ("FAILED", "ERROR", "INCONCLUSIVE", "NOT RUN", "SKIPPED", "PASSED")


def checks_of(github: Github, sha: str) -> list[ForgeCheck]:
    """Check runs and statuses by their names; of several of one name the worst."""
    worst: dict[str, ForgeCheck] = {}
    for check in (*_runs(github, sha), *_statuses(github, sha)):
        known = worst.get(check.name)
        if known is None or _WORST.index(check.result) < _WORST.index(known.result):
            worst[check.name] = check
    return [worst[name] for name in sorted(worst)]


def _runs(github: Github, sha: str) -> Iterator[ForgeCheck]:
    for page in github.pages(github.path(f"/commits/{sha}/check-runs"), Runs, filter="latest"):
        for run in page.check_runs:
            said = run.conclusion or run.status
            result = _CONCLUSIONS.get(said, "INCONCLUSIVE") if run.conclusion else "NOT RUN"
            yield ForgeCheck(
                name=cut(run.name, _NAME), result=result, said=cut(said, _NAME), url=run.html_url, at=run.completed_at
            )


def _statuses(github: Github, sha: str) -> Iterator[ForgeCheck]:
    """The newest of each context; our own says nothing of the code."""
    seen = {CONTEXT}
    for page in github.pages(github.path(f"/commits/{sha}/statuses"), list[Status]):
        for one in page:
            if one.context in seen:
                continue
            seen.add(one.context)
            result = _CONCLUSIONS.get(one.state, "INCONCLUSIVE")
            at = one.created_at or None
            name = cut(one.context, _NAME)
            yield ForgeCheck(name=name, result=result, said=cut(one.state, _NAME), url=one.target_url, at=at)
