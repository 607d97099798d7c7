from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passdown.rules.instants import days_between, seconds

ZONES = st.integers(-14 * 60, 14 * 60).map(lambda m: timezone(timedelta(minutes=m)))


@given(st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30), timezones=ZONES))  # noqa: DTZ001 - bounds
def test_counts_as_the_calendar_does(moment: datetime) -> None:
    expected = (moment - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()
    assert seconds(moment.isoformat()) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize(
    "text", ["2026-11-30T10:00:00Z", "2026-11-30 10:00", "2026-11-30T12:00:00+02:00", "2026-11-30T05:30:00.0-0430"]
)
def test_reads_the_usual_spellings(text: str) -> None:
    assert seconds(text) == 1796032800.0


@pytest.mark.parametrize("text", ["", "soon", None, "2026-11-30", "18:00"])
def test_what_is_no_instant_is_not_measured(text: str | None) -> None:
    assert seconds(text) is None
    assert days_between(text, "2026-11-30T10:00:00Z") is None
