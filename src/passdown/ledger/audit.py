"""What is broken in the ledger, and who signed what."""

from __future__ import annotations

import base64
import binascii
from pathlib import Path

from passdown.ledger import envelope, tips
from passdown.ledger.alarm import Alarm
from passdown.ledger.batch import LOG
from passdown.ledger.projection import Projection


def alarms(home: Path, index: Projection, now: dict[str, str]) -> list[Alarm]:
    """Everything that does not verify: as it came in, and the refs against where they were last seen."""
    found = index.alarms()
    for ref, last in tips.seen(home).items():
        tip = now.get(ref)
        if tip is None:
            found.append(Alarm("gone", "a writer's chain is gone", ref, last))
        elif tip == last or index.leads_back(tip, last):
            continue
        elif index.leads_back(last, tip):
            found.append(Alarm("rewound", "a writer's chain was set back", ref, last))
        else:
            found.append(Alarm("forked", "a writer's chain was replaced by another", ref, last))
    for ref, tip in now.items():
        head = index.heads([tip]).get(tip)
        if head is None and tip not in {alarm.commit for alarm in found}:
            found.append(Alarm("unreadable", "a ref leads to no batch", ref, tip))
        elif head is not None and not ref.endswith(f"/{head.writer}/{head.epoch}"):
            found.append(Alarm("chain", "a ref carries another writer's chain", ref, tip))
    for writer, number, commits in index.forks():
        found.append(Alarm("forked", f"writer {writer[:8]} signed batch {number} twice", f"{LOG}{writer}", commits[0]))
    return found


def person_keys(sealed: bytes) -> list[str]:
    """The fingerprints of the people whose SSH signatures in an envelope verify."""
    from passdown.ledger import sshsig  # noqa: PLC0415 - few commands look at people's signatures

    opened = envelope.read(sealed)
    if opened is None:
        return []
    message = envelope.pae(opened[0].payload_type, opened[1])
    found = []
    for signature in opened[0].signatures:
        if signature.keyid.startswith("SHA256:"):
            try:
                armoured = base64.b64decode(signature.sig, validate=True).decode("ascii")
            except (binascii.Error, UnicodeDecodeError):
                continue
            if sshsig.verify(armoured, message) == signature.keyid:
                found.append(signature.keyid)
    return found
