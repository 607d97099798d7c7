"""The kinds of what can happen to tests, and what each means."""

from __future__ import annotations

from typing import get_args

from passdown.model.integrity import IntegrityKind as Kind

WORST: tuple[Kind, ...] = get_args(Kind)
"""The order on every screen."""
BLOCKING: frozenset[Kind] = frozenset({"weakened", "skipped", "deleted"})
EXISTING: frozenset[Kind] = frozenset({"weakened", "skipped", "deleted", "expected", "regenerated", "changed"})
"""What was done to tests that were there before: a pass on them is OBSERVED at most."""
OWN: frozenset[Kind] = frozenset({"new", "extended"})
