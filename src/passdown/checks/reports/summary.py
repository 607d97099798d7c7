"""What a report says, whatever its format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

NAMED = 200
"""How many failing tests a record names; the numbers count them all."""
_LINE = 300


class Summary(Struct, frozen=True):
    """``tests``: passed, failed, skipped, errors; ``failing``: id -> first error line ("" where none stands).

    ``findings``: level -> number, of a report that lists findings instead of tests (SARIF). ``flaky``: tests that
    failed and then passed. ``broken``: why the report itself says that the run did not come to its end.
    """

    tests: Mapping[str, int] = field(default_factory=dict)
    failing: Mapping[str, str] = field(default_factory=dict)
    flaky: Sequence[str] = ()
    findings: Mapping[str, int] | None = None
    broken: str = ""


class Tally(Struct):
    """Counts tests one by one; what is kept stays small however many there are."""

    tests: dict[str, int] = field(default_factory=dict)
    failing: dict[str, str] = field(default_factory=dict)
    flaky: list[str] = field(default_factory=list)
    broken: str = ""

    def count(self, state: str, name: str = "", error: str = "") -> None:
        """One test that ended as ``state``; failures and errors are named."""
        self.tests[state] = self.tests.get(state, 0) + 1
        if state in {"failed", "errors"}:
            self.name(name, error)

    def name(self, name: str, error: str) -> None:
        """Name a failing test once."""
        if name and len(self.failing) < NAMED:
            self.failing.setdefault(name[:_LINE], first_line(error))

    def tried_again(self, name: str) -> None:
        """A test that passed only after it had failed."""
        if len(self.flaky) < NAMED:
            self.flaky.append(name[:_LINE])

    def summary(self) -> Summary:
        """All of it."""
        return Summary(self.tests, self.failing, self.flaky, broken=self.broken)


def first_line(text: str | None) -> str:
    """The first line that says something, cut."""
    return next((line.strip()[:_LINE] for line in (text or "").splitlines() if line.strip()), "")
