"""Reading a report's XML one element at a time, without document types: entities can be made to explode."""

from __future__ import annotations

from typing import BinaryIO, Protocol
from xml.parsers import expat


class RefusedError(Exception):
    """No such report: another root, a document type, or nested too deep."""


class Handler(Protocol):
    """What is told of each element and of the text between."""

    def start(self, tag: str, attributes: dict[str, str], /) -> None:
        """An element begins."""

    def end(self, tag: str, /) -> None:
        """It ends."""

    def text(self, data: str, /) -> None:
        """A piece of text: one run of it may come in several."""


def parse(handler: Handler, file: BinaryIO) -> None:
    """Tell ``handler`` all of ``file``; expat.ExpatError where it is no XML, RefusedError at a document type.

    ValueError or LookupError: an encoding that cannot be read, or that nobody knows.
    """
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _refuse
    parser.EntityDeclHandler = _refuse
    parser.StartElementHandler = handler.start
    parser.EndElementHandler = handler.end
    parser.CharacterDataHandler = handler.text
    parser.ParseFile(file)


def _refuse(*_: object) -> None:
    raise RefusedError
