"""Whose records count as our own (semantics: section 2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct, field

from passdown.model.event import Record

_SHORT = 12


def _taken(_: Record) -> bool:
    return True


def _as_said(_statement: str, _at: str) -> bool:
    return True


def _nobody(_statement: str, _at: str) -> str | None:
    return None


class Trust(Struct, frozen=True):
    """``own``: this clone's writer. ``vouched``: writers that an allowed signer vouched for, ``names`` who did.

    ``ci``: evidence (statement ids) that a key of the base policy's ``[trust] ci`` signed. ``sealed``: whether a record
    is still what its id names; an index edited by hand is not. ``signer``: who, of those whom the base lists, signed
    the statement of that id and instant. ``hardware``: whether one of them did so with a hardware key; where the base
    lists nobody, it is as the statement says.
    """

    own: str | None = None
    vouched: frozenset[str] = frozenset()
    ci: frozenset[str] = frozenset()
    names: Mapping[str, str] = field(default_factory=dict)
    sealed: Callable[[Record], bool] = _taken
    signer: Callable[[str, str], str | None] = _nobody
    hardware: Callable[[str, str], bool] = _as_said

    def believes(self, writer: str) -> bool:
        """Whether this writer is this clone or one that an allowed signer vouched for."""
        return writer == self.own or writer in self.vouched

    def counts(self, record: Record) -> bool:
        """Whether this evidence may be VERIFIED; what says that CI ran it needs CI's signature, whoever wrote it."""
        if _of_ci(record):
            return record.id in self.ci
        return self.believes(record.writer)

    def source(self, record: Record) -> str | None:
        """Whose evidence it is, as a screen says it; None: this clone's."""
        if _of_ci(record):
            return "CI" if record.id in self.ci else "says CI, and no CI key of the base's policy signed it"
        if record.writer == self.own:
            return None
        by = self.names.get(record.writer)
        return f"writer {record.writer[:_SHORT]}" + (f", vouched for by {by}" if by else "")


def _of_ci(record: Record) -> bool:
    return getattr(record.body, "observed_by", None) == "ci"
