"""JSON both ways, and files, without the modules that cost more than the whole answer."""

from __future__ import annotations

import sys

Json = dict[str, object]


def loads(text: str) -> object:
    """The JSON value of ``text``; ValueError where it is none."""
    try:
        from _json import make_scanner  # CPython's own scanner, without re and json
    except ImportError:
        import json  # another interpreter: slower, the same

        return json.loads(text)
    text = text.strip()
    try:
        value, end = make_scanner(_Scan())(text, 0)  # type: ignore[arg-type] # what it reads of a decoder
    except StopIteration:
        end = -1
    if end != len(text):
        raise ValueError("not one JSON value")
    return value


def received() -> Json:
    """The object on standard input; ValueError where there is none."""
    value = loads(sys.stdin.buffer.read().decode("utf-8", "surrogateescape"))
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")  # noqa: TRY004 -- as any other text that is no payload
    return value


class _Scan:
    strict = False
    object_hook = object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


def read(path: str) -> bytes:
    """The file's bytes; OSError as usual."""
    with open(path, "rb", buffering=0) as file:
        return file.read()


def text_of(value: object) -> str:
    """A string field, empty where it is none."""
    return value if isinstance(value, str) else ""


def dumps(value: object) -> str:
    """JSON in ASCII of what :func:`loads` gives."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{dumps(name)}:{dumps(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(dumps, value)) + "]"
    if isinstance(value, str):
        try:
            from _json import encode_basestring_ascii as encode  # as in loads
        except ImportError:
            from json.encoder import encode_basestring_ascii as encode
        text: str = encode(value)
        return text
    return (
        {True: "true", False: "false", None: "null"}[value]
        if value is None or value is True or value is False
        else repr(value)
    )
