"""The clock of the next statement."""

from __future__ import annotations

from pathlib import Path

from passdown.ledger import tips
from passdown.ledger.projection import Projection
from passdown.ledger.statement import Clock

_NAMED = 32
_ABSURD = 2**32
"""No ledger has so many statements: a head that claims them is not followed, or it would wear out everybody's clock."""


def clock_now(home: Path, index: Projection, writer: str) -> Clock:
    """One more than the largest clock among the heads here, those of refs that were set back included.

    Named are the writer's own head and those of others that are ahead of it: no other can matter.
    """
    heads = index.heads(sorted({*index.tips().values(), *tips.seen(home).values()}))
    followed = [tip for tip, head in heads.items() if head.lamport < _ABSURD]
    newest = sorted(followed, key=lambda tip: (heads[tip].lamport, tip))
    found = {f"{heads[tip].writer}/{heads[tip].epoch}": tip for tip in newest}
    clocks = {name: heads[tip].lamport for name, tip in found.items()}
    own = max((clock for name, clock in clocks.items() if name.startswith(f"{writer}/")), default=0)
    ahead = sorted((name for name in found if clocks[name] > own), key=lambda name: (-clocks[name], name))[:_NAMED]
    named = [*ahead, *(name for name in found if name.startswith(f"{writer}/") and clocks[name] == own)]
    return Clock(lamport=1 + max(clocks.values(), default=0), seen={name: found[name] for name in named})
