from __future__ import annotations

import pytest

from passdown.ledger import envelope
from passdown.ledger.envelope import IN_TOTO, Signature


def test_pae_is_the_one_of_the_dsse_specification():
    assert envelope.pae("http://example.com/HelloWorld", b"hello world") == (
        b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    )


def test_what_was_sealed_is_read_back():
    sealed = envelope.seal(IN_TOTO, b'{"a":1}', [Signature(keyid="k", sig="cw==")])
    read = envelope.read(sealed)
    assert read is not None
    assert read[1] == b'{"a":1}'
    assert read[0].signatures == [Signature(keyid="k", sig="cw==")]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b'{"payload":"!!","payloadType":"x","signatures":[]}',
        b'{"payload":1}',
        b"\xff\xfe",
        b"null",
        b"[" * 100_000,
    ],
)
def test_what_is_no_envelope_is_none(data: bytes):
    assert envelope.read(data) is None
