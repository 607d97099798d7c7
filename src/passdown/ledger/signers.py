"""Who may sign for whom: OpenSSH's allowed_signers, as the base revision has them; judged by ssh-keygen itself.

A signature counts for a principal where a line allows its key for the namespace ``passdown``, and the key was valid.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from passdown.ledger import envelope, sshsig
from passdown.ledger.sshsig_blob import by_hardware


class Signers(Struct, frozen=True):
    """The lines and where they stand (``source``, "" where the base names nobody)."""

    lines: tuple[str, ...] = ()
    source: str = ""

    def __bool__(self) -> bool:
        return bool(self.lines)

    def lists(self, public: str) -> bool:
        """Whether a line names this public key ("type base64")."""
        blob = public.split()[1]
        return any(blob in line.split() for line in self.lines)

    def signed(self, sealed: bytes, at: Sequence[str], *, hardware: bool = False) -> list[str]:
        """The principals whose signature over an envelope counts at each of these instants (ISO 8601), sorted.

        Give the statement's own time, and now as well where a key that ran out must not count any more: a
        statement's time is what its maker says. ``hardware``: by a hardware key alone.
        """
        opened = envelope.read(sealed)
        if opened is None or not self.lines:
            return []
        message = envelope.pae(opened[0].payload_type, opened[1])
        found: set[str] = set()
        for armoured in envelope.person_signatures(opened[0]):
            if hardware and not by_hardware(armoured):
                continue
            found |= set(self._principals(armoured, message, [_stamp(each) for each in at]))
        return sorted(found)

    def _principals(self, armoured: str, message: bytes, times: Sequence[str]) -> Iterator[str]:
        import tempfile  # noqa: PLC0415 - few commands need it

        with tempfile.TemporaryDirectory(prefix="passdown-") as folder:
            allowed, signature = Path(folder) / "allowed_signers", Path(folder) / "signature"
            allowed.write_text("".join(f"{line}\n" for line in self.lines))
            signature.write_text(armoured)
            for name in sshsig.principals(signature, allowed, times[0] if times else ""):
                if all(sshsig.vouches(signature, allowed, name, time, message) for time in times or ("",)):
                    yield name


def _stamp(at: str) -> str:
    """An instant as ssh-keygen takes it; it is read in UTC."""
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return "19700101000000"
    return moment.astimezone(UTC).strftime("%Y%m%d%H%M%S")
