"""One line of JSON -> one typed record, whatever shape a future version gives its fields."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache, cached_property
from types import UnionType
from typing import Any, Generic, TypeVar, Union, get_args, get_origin

import msgspec

from passdown.agents.lines import BLANK
from passdown.rules.patterns import lazy

T = TypeVar("T", bound=msgspec.Struct)
AMISS = (msgspec.DecodeError, RecursionError)  # a ValidationError is a DecodeError

_LONE_SURROGATE = lazy("[\ud800-\udfff]")
_TEXT = msgspec.json.Decoder(str).decode
_PARTS = msgspec.json.Decoder(list[msgspec.Raw]).decode


class Wire(Generic[T]):
    """Decodes to ``kind``; a field whose value has an unexpected type is left at its default.

    ``strict`` alone raises ``AMISS`` where ``mended`` is to be asked; a loop over all lines saves a call by it.
    """

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind

    @cached_property
    def strict(self) -> Callable[[bytes | str | msgspec.Raw], T]:
        """Made when the first line is decoded: most commands read no transcript."""
        return msgspec.json.Decoder(self._kind).decode

    def decode(self, data: bytes | str | msgspec.Raw) -> T | None:
        """Return the record, or None where ``data`` is no JSON object."""
        try:
            return self.strict(data)
        except AMISS:
            return self.mended(data)

    def mended(self, data: bytes | str | msgspec.Raw) -> T | None:
        """Return what can be had of ``data`` that does not decode as it is, or None where it is no JSON object."""
        value = _generic(_bytes(data))
        return fit(value, self._kind) if isinstance(value, dict) else None


def _bytes(data: bytes | str | msgspec.Raw) -> bytes:
    return data.encode("utf-8", "replace") if isinstance(data, str) else bytes(data)


def _generic(data: bytes) -> Any:
    try:
        return msgspec.json.decode(data)
    except AMISS:
        return _loose(data)


def _loose(data: bytes) -> Any:
    """Read JSON that msgspec refuses: JavaScript writes lone surrogates where it cuts a string, disks write zeros."""
    if b"\\ud" not in data and b"\\uD" not in data and not data.rstrip(b"\r\n").endswith(b"\0"):
        return None
    try:
        return _mended(json.loads(data.rstrip(BLANK)))
    except (ValueError, RecursionError):
        return None


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        return _LONE_SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_mended(item) for item in value]
    if isinstance(value, dict):
        return {_mended(key): _mended(item) for key, item in value.items()}
    return value


def fit(value: dict[str, Any], kind: type[T]) -> T:
    """Make a ``kind`` of those fields of ``value`` that have the right type."""
    fields: dict[str, Any] = {}
    for spec in _fields(kind):
        if spec.encode_name in value:
            found = _fitted(value[spec.encode_name], spec.type)
            if found is not msgspec.UNSET:
                fields[spec.name] = found
    return kind(**fields)


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(kind)


def _fitted(value: Any, kind: Any) -> Any:
    """Return ``value`` as ``kind`` (a union's first member that takes it), or UNSET."""
    members = get_args(kind) if get_origin(kind) in {Union, UnionType} else (kind,)
    fitting = (found for member in members if (found := _member(value, member)) is not msgspec.UNSET)
    return next(fitting, msgspec.UNSET)


def _member(value: Any, kind: Any) -> Any:
    if kind is msgspec.Raw:
        return msgspec.Raw(msgspec.json.encode(value))
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return fit(value, kind) if isinstance(value, dict) else msgspec.UNSET
    if get_origin(kind) is list:
        if not isinstance(value, list):
            return msgspec.UNSET
        items = (_fitted(item, get_args(kind)[0]) for item in value)
        return [item for item in items if item is not msgspec.UNSET]
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return msgspec.UNSET


def text_of(raw: msgspec.Raw) -> str:
    """Return undecoded JSON as text where it is a string, else nothing; bytes that are no UTF-8 become U+FFFD."""
    try:
        return _TEXT(raw)
    except msgspec.ValidationError:
        return ""
    except msgspec.DecodeError:  # the record's grammar was checked when it was read, its bytes were not
        return _TEXT(bytes(raw).decode("utf-8", "replace")) if begins(raw, b'"') else ""


def parts(raw: msgspec.Raw, wire: Wire[T]) -> list[T]:
    """Return those items of an undecoded JSON array that are objects."""
    if not begins(raw, b"["):
        return []
    return [item for part in _PARTS(raw) if (item := wire.decode(part)) is not None]


def begins(raw: msgspec.Raw, first: bytes) -> bool:
    """Say whether undecoded JSON begins with the byte ``first``; what was not there begins with nothing."""
    return memoryview(raw)[:1] == first
