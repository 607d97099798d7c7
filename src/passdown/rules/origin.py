"""Whether a failure is new: how the same check or test ends on the commit that the work began from (case A14)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from passdown.model.event import Compared, Record
from passdown.model.evidence import Evidence, Origin, Result
from passdown.rules.trust import Trust

_BY_RESULT: dict[Result, Origin] = {"PASSED": "REGRESSION", "FAILED": "PRE-EXISTING"}


def compared(records: Sequence[Record], trust: Trust) -> dict[str, list[Compared]]:
    """Check name -> its comparisons by a clone that is believed, oldest first."""
    found: dict[str, list[Compared]] = {}
    for record in records:
        if isinstance(record.body, Compared) and record.trusted and trust.counts(record):
            found.setdefault(record.body.check, []).append(record.body)
    return found


def spoken_of(failed: Evidence, known: Sequence[Compared], base: str | None) -> Compared | None:
    """The latest comparison with this base, as far as it speaks of these failing tests; None where nobody compared."""
    latest = next((one for one in reversed(known) if one.base == base), None)
    if latest is None:
        return None
    tests: dict[str, Origin] = {name: latest.tests.get(name, "UNKNOWN") for name in failed.failing}
    return answer(failed, latest, tests, latest.origin)


def answer(failed: Evidence, one: Compared, tests: Mapping[str, Origin], origin: Origin) -> Compared:
    """The comparison as an answer to this failing run; tests that it speaks of besides stay."""
    mine = [tests[name] for name in failed.failing if name in tests]
    return replace(one, tests=dict(tests), origin=together(mine) if mine else origin)


def of_tests(
    there: Evidence, failing: Sequence[str], passed: Collection[str], known: Collection[str]
) -> dict[str, Origin]:
    """The origin of each failing test.

    ``there``: the run on the base. ``passed``: tests that it names as passed; ``known``: tests that the base has.
    """
    if there.result not in {"PASSED", "FAILED"}:
        return dict.fromkeys(failing, "UNKNOWN")
    failed = {plain(name) for name in there.failing}
    whole = there.result == "PASSED" or len(failed) == there.tests.get("failed", -1) + there.tests.get("errors", 0)
    return {name: _of_test(name, failed, passed, whole=whole and name in known) for name in failing}


def _of_test(name: str, failed: Collection[str], passed: Collection[str], *, whole: bool) -> Origin:
    """``whole``: the base has the test, and its run names all that failed."""
    if plain(name) in failed:
        return "PRE-EXISTING"
    return "REGRESSION" if plain(name) in {plain(one) for one in passed} or whole else "UNKNOWN"


def of_check(there: Evidence, tests: Mapping[str, Origin]) -> Origin:
    """One word for the check: a single regression makes it one; without named tests the run itself decides."""
    if tests:
        return together(tests.values())
    return _BY_RESULT.get(there.result, "UNKNOWN")


def together(origins: Collection[Origin]) -> Origin:
    """REGRESSION where one is; PRE-EXISTING where all are."""
    if "REGRESSION" in origins:
        return "REGRESSION"
    return "PRE-EXISTING" if origins and set(origins) == {"PRE-EXISTING"} else "UNKNOWN"


def plain(name: str) -> str:
    """A test's name as all writings of it have it: ``tests/test_a.py::test_b`` and ``tests.test_a::test_b``."""
    return name.replace(".py::", "::").replace("::", ".").replace("/", ".").replace(" \u203a ", " ")


def failing(evidence: Evidence) -> bool:
    """Whether it failed, so that the base is worth asking."""
    return evidence.result == "FAILED" and evidence.definition.source != "adhoc"
