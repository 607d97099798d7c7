"""``passdown log --verify``: whether the record holds, what of it does not, and what can still be trusted."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct

from passdown.cli.output import cut, plain, print_json, say
from passdown.cli.paint import line_width
from passdown.errors import EXIT_DOES_NOT_HOLD, EXIT_UNDECIDED
from passdown.ledger.alarm import Alarm, DamagedError
from passdown.rules.amount import amount

if TYPE_CHECKING:
    from collections.abc import Sequence

    from passdown.cli.context import Context

_SHOWN = 8
_ADVICE = {
    "index": "nothing to do: the index is made anew from the chains",
    "object": "git cannot repair it: take what is missing from another clone (passdown sync) or a backup",
    "content": "what was sealed cannot be brought back from here; the record of it stands",
    "journal": "it does not come into the record; the file: passdown/journal in the git folder",
    "store": "look who made it, and take it away",
}


class Found(Struct, frozen=True):
    """What was found, and how many statements still verify; ``known``: the store could be read at all."""

    alarms: Sequence[Alarm]
    statements: int
    trusted: int
    known: bool = True


def verify_record(context: Context, *, as_json: bool) -> int:
    """Check it and say so; exit 1 where something does not hold, 3 where there is nothing to check."""
    found = _look(context)
    nothing = not found.alarms and not found.statements
    holds = None if nothing else not found.alarms
    if as_json:
        fields = ("code", "text", "ref", "commit", "statements")
        alarms = [{name: getattr(alarm, name) for name in fields} for alarm in found.alarms]
        trusted = found.trusted if found.known else None
        print_json({"holds": holds, "alarms": alarms, "statements": found.statements, "trusted": trusted})
    elif nothing:
        say("No record here yet: nothing to check.")
    elif holds:
        say(f"The record holds: {amount(found.statements, 'statement')}, each digest, signature and link checked.")
    else:
        _show(found)
    if nothing:
        return EXIT_UNDECIDED
    return EXIT_DOES_NOT_HOLD if found.alarms else 0


def _look(context: Context) -> Found:
    from passdown.cli.held_content import missing_content

    place = context.place
    partial = any((place.common_dir / "objects/pack").glob("*.promisor"))
    alarms = context.recorder.verify(partial=partial)
    try:
        records = context.recorder.records()
    except DamagedError:
        return Found(alarms, 0, 0, known=False)
    bad = {name for alarm in alarms for name in alarm.statements}
    trusted = sum(record.trusted and record.id not in bad for record in records)
    lost = missing_content(place, context.recorder, records, [a.commit for a in alarms if a.code == "object"])
    return Found([*alarms, *lost], len(records), trusted)


def _show(found: Found) -> None:
    say(f"The record does not hold: {amount(len(found.alarms), 'break')}")
    for code, number in Counter(alarm.code for alarm in found.alarms).items():
        alike = [alarm for alarm in found.alarms if alarm.code == code]
        for alarm in alike[:_SHOWN]:
            say("  " + cut(f"{code}: {plain(alarm.text)}", line_width() - 2))
        if number > _SHOWN:
            say(f"  {code}: and {number - _SHOWN:,} more: passdown log --verify --json")
        bad = [name[:7] for alarm in alike for name in alarm.statements]
        if bad:
            more = f" and {len(bad) - _SHOWN:,} more" if len(bad) > _SHOWN else ""
            say(f"    not to be trusted: {' '.join(bad[:_SHOWN])}{more}")
    if not found.known:
        say("Trusted    nothing until the store can be read; passdown/index.db still has what was read before")
    else:
        say(f"Trusted    {found.trusted:,} of {amount(found.statements, 'statement')}: signed, and in their place")
    for code in Counter(alarm.code for alarm in found.alarms):
        if code in _ADVICE:
            say(f"{code:<10} {_ADVICE[code]}")
