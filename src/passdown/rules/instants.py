"""ISO 8601 instants as numbers, without a clock or a calendar library."""

from __future__ import annotations

from functools import lru_cache

from passdown.rules.patterns import lazy

DAY = 86400.0
_UTC = (None, "Z", "z")
_ISO = lazy(
    r"(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?\s*(Z|z|[+-]\d\d:?\d\d)?",
)


@lru_cache(maxsize=1 << 17)
def seconds(instant: str | None) -> float | None:
    """Seconds since 1970 (no zone: UTC); None where it is no instant."""
    found = _ISO.fullmatch((instant or "").strip())
    if found is None:
        return None
    date, hour, minute, second, fraction, zone = found.groups()
    offset = 0 if zone in _UTC else (int(zone[1:3]) * 60 + int(zone[-2:])) * (-60 if zone[0] == "+" else 60)
    total = _midnight(date) + int(hour) * 3600 + int(minute) * 60 + int(second or 0) + offset
    return total + float(fraction or 0)


def days_between(old: str | None, new: str | None) -> float | None:
    """Days from ``old`` to ``new``; None where either is no instant."""
    a, b = seconds(old), seconds(new)
    return None if a is None or b is None else (b - a) / DAY


@lru_cache(maxsize=1 << 10)
def _midnight(date: str) -> float:
    """Seconds from 1970-01-01 to a date; the days are counted from a year that begins in March."""
    year, month, day = map(int, date.split("-"))
    year -= month <= 2  # noqa: PLR2004 - January and February belong to the year before
    era, of_era = divmod(year, 400)
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1  # noqa: PLR2004 - as above
    return (era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468) * DAY
