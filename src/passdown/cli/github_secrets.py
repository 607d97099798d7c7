"""What stops publishing: a secret in the text, or in what the packet's run changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.errors import EXIT_DOES_NOT_HOLD, PassdownError
from passdown.model.paths import from_wire, printable
from passdown.rules.redact.found import decoded, found
from passdown.workspace import diff
from passdown.workspace.snapshot import kept

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from passdown.cli.context import Context
    from passdown.model.packet import Packet

_SHOWN = 4
_LARGEST = 8 << 20


def refuse_secrets(context: Context, packet: Packet, text: str, allowed: Collection[str] = ()) -> None:
    """PassdownError, and nothing is published, where what looks like a secret stands in either."""
    told = [f"the text: {rule}" for rule in sorted({rule for _, rule in found(text, context.policy.redact_extra)})]
    told += list(_in_work(context, packet, allowed))
    if told:
        more = f" and {len(told) - _SHOWN} more" if len(told) > _SHOWN else ""
        raise PassdownError(
            f"what looks like a secret stands in it, nothing was published: {'; '.join(told[:_SHOWN])}{more}",
            "take it out, then passdown pack; or --allow-secret PATH, where it is none",
            EXIT_DOES_NOT_HOLD,
        )


def _in_work(context: Context, packet: Packet, allowed: Collection[str]) -> Iterator[str]:
    """Path, line and rule in the files that the run changed, where their content is here."""
    if not kept(context.place, packet.place.tree):
        return
    changed = [from_wire(file.path, file.path_b64) for file in packet.files if file.status != "deleted"]
    wanted = [path for path in changed if printable(path) not in allowed and path not in allowed]
    if not wanted:  # git takes "no path" for "all of them"
        return
    for path, content in diff.read_paths(context.place, packet.place.tree, wanted).items():
        if content is not None and len(content) > _LARGEST:
            yield f"{printable(path)}: {len(content) >> 20} MB, too large to be scanned"
        elif content is not None:
            for line, rule in found(decoded(content), context.policy.redact_extra):
                yield f"{printable(path)}:{line}: {rule}"
