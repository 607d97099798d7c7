from __future__ import annotations

import pytest

from passdown.ledger.batch import RawBatch, epoch_of, ref_of, stream


@pytest.mark.parametrize(
    ("at", "last", "epoch"),
    [
        ("2026-01-01T00:00:00Z", "", "2026q1"),
        ("2026-03-31T00:00:00Z", "", "2026q1"),
        ("2026-04-01T00:00:00Z", "", "2026q2"),
        ("2026-12-31T00:00:00Z", "2026q3", "2026q4"),
        ("2026-06-01T00:00:00Z", "2026q4", "2026q4"),  # a clock that went back
        ("yesterday", "2026q4", "2026q4"),
        ("", "", "0000q0"),
        ("2026-13-01", "", "0000q0"),
    ],
)
def test_an_epoch_is_a_quarter_and_never_goes_back(at: str, last: str, epoch: str):
    assert epoch_of(at, last) == epoch


def test_a_stream_cut_anywhere_has_no_end():
    """A fast-import that is fed by a killed process commits nothing: it waits for ``done``."""
    commands = stream(ref_of("w", "2026q4"), RawBatch("", None, b"{}"), "2026-11-30T10:00:00Z")
    assert commands.startswith(b"feature done\n")
    assert commands.endswith(b"\ndone\n")
    assert commands.count(b"\ndone\n") == 1
