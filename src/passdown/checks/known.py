"""Every check that this worktree knows, and whether a person stands behind its definition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from passdown.checks.confirm import confirmed
from passdown.checks.definition import Defined, changed_parts, define, same
from passdown.checks.tree import TreeView
from passdown.errors import PassdownError
from passdown.model.event import CheckConfirmed, Record
from passdown.model.evidence import CheckDefinition
from passdown.model.policy import Policy
from passdown.model.session import SessionFacts
from passdown.rules import command
from passdown.rules.classify import Trust
from passdown.rules.freshness import listed

_SHORT = 12


class Known(msgspec.Struct, frozen=True):
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

    @property
    def declared(self) -> bool:
        """Declared by the base's policy or confirmed once: run without being named, accepted today or not."""
        return self.definition.source in {"policy", "confirmed"}

    @property
    def to_confirm(self) -> CheckDefinition:
        """What a person confirms under this name: the worktree's proposal, else the definition as it is now."""
        return self.proposed or self.definition


def known(
    view: TreeView,
    policy: Policy,
    records: Sequence[Record],
    trust: Trust,
    facts: SessionFacts | None = None,
) -> list[Known]:
    """Declared checks first, then confirmed ones, then candidates, each name once."""
    found = written(view, policy, records, trust)
    names = {one.definition.name for one in found} | {check.name for check in policy.checks}
    return [*found, *_discovered(view, facts, found, names)]


def written(view: TreeView, policy: Policy, records: Sequence[Record], trust: Trust) -> list[Known]:
    """The checks that are written down, in a policy or the record, in the order of :func:`known`; no looking."""
    found = declared(view, policy, records, trust)
    names = {one.definition.name for one in found}
    proposed = (check for check in policy.checks if check.source != "policy" and check.name not in names)
    return [*found, *(_candidate(view, check) for check in proposed)]


def declared(view: TreeView, policy: Policy, records: Sequence[Record], trust: Trust) -> list[Known]:
    """The checks that the base's policy declares, then those that a person confirmed: no looking for others."""
    said = confirmed(records, trust)
    base = view.at(policy.revision or "")
    written = [c for c in policy.checks if c.source == "policy"]
    proposed = {c.name: c for c in policy.checks if c.source != "policy"}
    found = [_declared(view, base, check, said.get(check.name, [])) for check in written]
    names = {check.name for check in written}
    return [*found, *(_confirmed(view, said[name], proposed.get(name)) for name in said if name not in names)]


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
    changed = _since(view, latest, now)
    named = f": {', '.join(listed(changed))}" if changed else ""
    because = f"definition-changed since {latest.by} confirmed it{named}"
    return Known(now, False, because, changed, proposed)


def _since(view: TreeView, said: CheckConfirmed, now: Defined) -> Sequence[str]:
    """What changed since it was confirmed, as far as that tree is still here."""
    if said.tree is None:
        return ()
    try:
        return changed_parts(define(view.at(said.tree), now.definition), now)
    except PassdownError:
        return ()


def _candidate(view: TreeView, check: CheckDefinition) -> Known:
    return Known(define(view, check), accepted=False, because=f"candidate: {check.found_in}")


def _discovered(view: TreeView, facts: SessionFacts | None, found: Sequence[Known], names: set[str]) -> Iterator[Known]:
    """Candidates whose command and name nobody declared."""
    from passdown.checks.discover import discover  # noqa: PLC0415 - where a name is declared, nobody looks for others

    root = str(view.place.root)
    keys = {command.key(k.definition.run, root) for k in found}
    for check in view.once(("discovered", id(facts)), lambda: list(discover(view, facts))):
        if check.name not in names and command.key(check.run, root) not in keys:
            yield _candidate(view, check)


def _who(now: Defined, said: Sequence[CheckConfirmed]) -> str:
    """Who confirmed exactly this definition; "" where nobody did."""
    return next((one.by for one in reversed(said) if one.definition.digest == now.digest), "")


def _as_confirmed(check: CheckDefinition) -> CheckDefinition:
    return msgspec.structs.replace(check, source="confirmed", digest="")
