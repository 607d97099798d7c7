"""Every check that this worktree knows, and whether a person stands behind its definition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from passdown.checks.confirm import confirmed
from passdown.checks.definition import Defined, define, same
from passdown.checks.discover import discover
from passdown.checks.tree import TreeView
from passdown.model.event import CheckConfirmed, Record
from passdown.model.evidence import CheckDefinition
from passdown.model.policy import Policy
from passdown.model.session import SessionFacts
from passdown.rules import command
from passdown.rules.classify import Trust
from passdown.rules.freshness import listed

_SHORT = 12


@dataclass(frozen=True, slots=True)
class Known:
    """``accepted``: the base policy's definition, or one that a person confirmed with this digest.

    ``changed`` names the parts that differ where it is not. ``proposed``: another definition of this
    name that the worktree proposes and nobody confirmed.
    """

    defined: Defined
    accepted: bool
    because: str
    changed: Sequence[str] = ()
    proposed: CheckDefinition | None = None

    @property
    def definition(self) -> CheckDefinition:
        """The definition with today's digest."""
        return self.defined.definition


def known(
    view: TreeView,
    policy: Policy,
    records: Sequence[Record],
    trust: Trust,
    facts: SessionFacts | None = None,
) -> list[Known]:
    """Declared checks first, then confirmed ones, then candidates, each name once."""
    said = confirmed(records, trust)
    base = TreeView(view.place, policy.revision or "")
    declared = [c for c in policy.checks if c.source == "policy"]
    proposed = {c.name: c for c in policy.checks if c.source != "policy"}
    found = [_declared(view, base, check, said.get(check.name, [])) for check in declared]
    names = {check.name for check in declared}
    found += [_confirmed(view, said[name], proposed.get(name)) for name in said if name not in names]
    names |= said.keys()
    found += [_candidate(view, check) for name, check in proposed.items() if name not in names]
    names |= proposed.keys()
    return [*found, *_discovered(view, facts, found, names)]


def _declared(view: TreeView, base: TreeView, check: CheckDefinition, said: Sequence[CheckConfirmed]) -> Known:
    now = define(view, check)
    by = _who(now, said)
    if by:
        return Known(now, accepted=True, because=f"confirmed by {by}")
    changed = same((base, define(base, check)), (view, now))
    if changed:
        return Known(now, False, f"definition-changed: {', '.join(listed(changed))}", changed)
    return Known(now, accepted=True, because=f"policy of {base.tree[:_SHORT]}")


def _confirmed(view: TreeView, said: Sequence[CheckConfirmed], proposed: CheckDefinition | None) -> Known:
    if proposed is not None:
        now = define(view, _as_confirmed(proposed))
        by = _who(now, said)
        if by:
            return Known(now, accepted=True, because=f"confirmed by {by}")
    latest = said[-1]
    now = define(view, _as_confirmed(latest.definition))
    by = _who(now, said)
    if by:
        return Known(now, accepted=True, because=f"confirmed by {by}", proposed=proposed)
    because = f"definition-changed since {latest.by} confirmed it"
    return Known(now, False, because, proposed=proposed)


def _candidate(view: TreeView, check: CheckDefinition) -> Known:
    return Known(define(view, check), accepted=False, because=f"candidate: {check.found_in}")


def _discovered(view: TreeView, facts: SessionFacts | None, found: Sequence[Known], names: set[str]) -> Iterator[Known]:
    """Candidates whose command and name nobody declared."""
    root = str(view.place.root)
    keys = {command.key(k.definition.run, root) for k in found}
    for check in discover(view, facts):
        if check.name not in names and command.key(check.run, root) not in keys:
            yield _candidate(view, check)


def _who(now: Defined, said: Sequence[CheckConfirmed]) -> str:
    """Who confirmed exactly this definition; "" where nobody did."""
    return next((one.by for one in reversed(said) if one.definition.digest == now.digest), "")


def _as_confirmed(check: CheckDefinition) -> CheckDefinition:
    return msgspec.structs.replace(check, source="confirmed", digest="")
