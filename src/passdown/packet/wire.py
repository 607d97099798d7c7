"""Text that JSON can carry: bytes of paths that are not UTF-8 are spelled out everywhere in a packet."""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec import Struct, structs

from passdown.model.paths import to_wire

T = TypeVar("T")


def carried(value: T) -> T:
    r"""The same value with every lone surrogate in its strings written as ``\xNN``."""
    return _carried(value)  # type: ignore[no-any-return] # the shape stays


def _carried(value: Any) -> Any:
    if isinstance(value, str):
        return to_wire(value)[0]
    if isinstance(value, Struct):
        return structs.replace(value, **{name: _carried(getattr(value, name)) for name in value.__struct_fields__})
    if isinstance(value, list):
        return [_carried(one) for one in value]
    if isinstance(value, dict):
        return {_carried(key): _carried(one) for key, one in value.items()}
    return value
