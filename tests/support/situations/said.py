"""What an agent says without a run behind it (cases A): none of it may come out as verified."""

from __future__ import annotations

SAID = [
    ("T-A1-all-passed", "4966/4966 ALL PASSED", {"result": "FAILED", "exit": 1}),
    ("T-A1-other-number", "212 tests pass", {"tests": {"passed": 211}}),
    ("T-A3-no-run", "ran unit tests, all green", None),
    ("T-A3-all-tests-pass", "All tests pass.", None),
    ("T-A4-another-check", "verified in the live app", {}),
    ("T-A8-stale-artefact", "the report in out/ shows no failure", {}),
    ("T-A8-skipped", "All tests pass.", {"result": "SKIPPED"}),
    ("T-A8-not-run", "All tests pass.", {"result": "NOT RUN"}),
    ("T-A10-types-alone", "All tests pass.", {"kind": "types"}),
    ("T-A14-pre-existing", "the failures are pre-existing on main", {"result": "FAILED", "exit": 1}),
    ("T-A17-before-the-last-edit", "All tests pass.", {"state": "STALE"}),
    ("T-A22-another-tree", "All tests pass.", {"state": "UNBOUND"}),
    ("T-A24-nothing-done", "Fixed the parser in src/nowhere.py", {}),
    ("T-environment", "All tests pass.", {"state": "ENVIRONMENT-CHANGED"}),
    ("T-definition", "All tests pass.", {"state": "DEFINITION-CHANGED"}),
    ("T-expired", "All tests pass.", {"state": "EXPIRED"}),
    ("T-transcript", "All tests pass.", {"observed_by": "transcript"}),
    ("T-hook", "All tests pass.", {"observed_by": "hook"}),
    ("T-part-of-the-suite", "All tests pass.", {"command": "pytest -q tests/unit"}),
    ("T-one-test", "All tests pass.", {"command": "pytest -k retry"}),
    ("T-masked", "All tests pass.", {"class": "OBSERVED", "masked": True}),
    ("T-inconclusive", "All tests pass.", {"result": "INCONCLUSIVE"}),
    ("T-flaky", "All tests pass.", {"result": "FLAKY"}),
    ("T-unstable", "All tests pass.", {"result": "UNSTABLE"}),
]
