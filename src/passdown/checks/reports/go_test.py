"""The event lines of ``go test -json`` (test2json)."""

from __future__ import annotations

from typing import BinaryIO

from msgspec import Struct

from passdown.checks.reports.document import lines
from passdown.checks.reports.summary import Summary, Tally

_STATES = {"pass": "passed", "fail": "failed", "skip": "skipped"}
_KEPT = 2000


class _Event(Struct, rename="pascal"):
    action: str
    package: str | None = None
    test: str | None = None
    output: str | None = None
    import_path: str | None = None
    failed_build: str | None = None


def read(file: BinaryIO) -> Summary | None:
    """Numbers and failing tests, a package that failed without one as an error; None without any event."""
    run = _Run()
    known = False
    for event in lines(file, _Event):
        known = True
        run.take(event)
    if not known:
        return None
    if run.begun:
        run.tally.broken = f"its report ends in the middle of {next(iter(run.begun))}"
    return run.end()


class _Run:
    """What is under way, and what the failing tests printed."""

    def __init__(self) -> None:
        self.tally = Tally()
        self.begun: dict[str, None] = {}
        self._printed: dict[tuple[str, str], str] = {}
        self._failed: set[str] = set()
        self._unbuilt: dict[str, bool] = {}

    def take(self, event: _Event) -> None:
        """One event."""
        package, test = event.package or event.import_path or "?", event.test or ""
        if event.action in {"output", "build-output"}:
            self._print((package, test), event.output or "")
        elif event.action == "start":
            self.begun[package] = None
        elif test and event.action in _STATES:
            self._ended(package, test, event.action)
        elif event.action == "build-fail":
            self._unbuilt[package] = False
        elif event.action in {"pass", "fail", "skip"}:
            self.begun.pop(package, None)
            if event.action == "fail" and package not in self._failed:
                self._package_failed(package, event.failed_build or "")

    def _package_failed(self, package: str, build: str) -> None:
        """Without a test that did: it could not be built, or something ended it."""
        self._failed.add(package)
        if build in self._unbuilt:
            self._unbuilt[build] = True
        why = self._printed.get((build, ""), "") or self._printed.pop((package, ""), "")
        self.tally.count("errors", package, why)

    def end(self) -> Summary:
        """All of it; what could not be built and no package named is named itself."""
        for build, named in self._unbuilt.items():
            if not named:
                self.tally.count("errors", build, self._printed.pop((build, ""), ""))
        return self.tally.summary()

    def _ended(self, package: str, test: str, action: str) -> None:
        if action == "fail":
            self._failed.add(package)
        self.tally.count(_STATES[action], test, self._printed.pop((package, test), ""))

    def _print(self, whose: tuple[str, str], text: str) -> None:
        """Framing lines say nothing; the rest is kept up to a few lines."""
        kept = self._printed.get(whose, "")
        if len(kept) < _KEPT and not text.lstrip().startswith(("===", "---", "FAIL", "PASS", "ok ")):
            self._printed[whose] = kept + text[:_KEPT]
