from __future__ import annotations

import msgspec
import pytest

from passdown.agents.wire import Wire, begins


class Part(msgspec.Struct):
    text: str = ""
    raw: msgspec.Raw = msgspec.Raw()


class Whole(msgspec.Struct):
    name: str | None = None
    parts: str | list[Part] | None = None
    inner: Part | None = None


WIRE = Wire(Whole)

SHAPES = {
    "as expected": ('{"name":"a","parts":[{"text":"x"}]}', Whole(name="a", parts=[Part(text="x")])),
    "a field of another type": ('{"name":5,"parts":"p"}', Whole(parts="p")),
    "a part of another type": (
        '{"parts":[{"text":1},"s",{"text":"x"}],"name":"a"}',
        Whole(name="a", parts=[Part(), Part("x")]),
    ),
    "an inner value of another type": ('{"inner":[1],"name":"a"}', Whole(name="a")),
    "an inner field of another type": ('{"inner":{"text":[]},"name":"a"}', Whole(name="a", inner=Part())),
    "a cut string": ('{"name":"a\\ud83d"}', Whole(name="a\ufffd")),
    "a cut string and a wrong type": ('{"name":"a\\ud83d","inner":7}', Whole(name="a\ufffd")),
    "a whole pair": ('{"name":"\\ud83d\\ude00"}', Whole(name="\U0001f600")),
    "zeros after it": ('{"name":"a"}\0\0', Whole(name="a")),
    "more than asked": ('{"name":"a","else":{"deep":[1]}}', Whole(name="a")),
}


@pytest.mark.parametrize(("text", "expected"), SHAPES.values(), ids=SHAPES.keys())
def test_what_has_the_right_shape_is_kept(text: str, expected: Whole) -> None:
    assert WIRE.decode(text.encode()) == expected


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[1]", b'"x"', b"nul", b'{"name":"\xff"}', b'{"a":' + b"[" * 100_000, b'{"name":"\\ud8']
)
def test_what_is_no_record_is_none(data: bytes) -> None:
    assert WIRE.decode(data) is None


def test_undecoded_parts_keep_their_first_byte() -> None:
    found = WIRE.decode(b'{"name":5,"inner":{"raw":{"a":1}}}')
    assert found is not None
    assert found.inner is not None
    assert begins(found.inner.raw, b"{")
    assert not begins(Part().raw, b"{")
