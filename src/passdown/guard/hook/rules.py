"""The boundary of one worktree and branch, asked one path at a time; equal to ``passdown.rules.decide``."""

from __future__ import annotations

import os
import sys

from .scan import Json, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

HFS = dict.fromkeys((*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF))


class Pattern:
    """A compiled pattern from the rules: code for this interpreter's matcher, else the expression itself."""

    def __init__(self, stored: Json, magic: object) -> None:
        self._search = _compiled(stored, magic)

    def hits(self, path: str) -> bool:
        """Whether it matches the normalised path."""
        return self._search(path) is not None


def _compiled(stored: Json, magic: object) -> Callable[[str], object]:
    import _sre  # type: ignore[import-not-found] # what re itself stands on

    code = stored.get("code")
    groups = stored["groups"]
    if isinstance(code, list) and isinstance(groups, int) and magic == [_sre.MAGIC, _sre.CODESIZE, sys.version]:
        names: tuple[None, ...] = (None,) * (groups + 1)
        found: Callable[[str], object] = _sre.compile(stored["text"], stored["flags"], code, groups, {}, names).search
        return found
    import re  # another version than the one that compiled

    return re.compile(text_of(stored["text"])).search


def folded(path: str, *, fold_case: bool) -> str:
    """The path as it is compared: NFC, and case-folded where the file system does so."""
    if path.isascii():
        return path.casefold() if fold_case else path
    from unicodedata import normalize  # only for names that need it

    path = normalize("NFC", path)
    return normalize("NFC", path.casefold()) if fold_case else path


class Rules:
    """The boundary of one worktree and branch, asked one path at a time; equal to ``rules.decide``."""

    def __init__(self, stored: Any, root: str, common: str, key: str = "") -> None:
        self.stored = stored
        self.key = key  # of these rules among the worktree's: "/" and the branch
        self.root = root
        self.common = common
        self.fold_case = stored["fold_case"] is True

    def pattern(self, stored: object) -> Pattern | None:
        """A pattern of the rules, None where there is none."""
        return Pattern(stored, self.stored["magic"]) if isinstance(stored, dict) else None

    def where(self, path: str) -> str | None:
        """A repository-relative path, ``.`` for the root itself; None where it lies elsewhere."""
        if path == self.root:
            return "."
        inside = self.root.rstrip("/") + "/"
        return path[len(inside) :] if path.startswith(inside) else None

    def decide(self, path: str) -> tuple[bool, str, str]:
        """``(inside, rule, because)`` of a repository-relative path."""
        why = self._protected(path)
        if why:
            return False, "protected", why
        name = folded(path, fold_case=self.fold_case)
        for kind in ("deny", "allow"):
            entry = self._entry(kind, name)
            if entry is not None:
                return kind == "allow", *entry
        return False, "outside", "not listed in the boundary"

    def _entry(self, kind: str, name: str) -> tuple[str, str] | None:
        listed = self.stored[kind]
        either = self.pattern(listed["any"])
        if either is None or not either.hits(name):
            return None
        for each, entry in zip(listed["each"], listed["entries"], strict=True):
            if Pattern(each, self.stored["magic"]).hits(name):
                return entry[0], entry[1]
        return None

    def _protected(self, path: str) -> str:
        control = self.pattern(self.stored["control"])
        parts = path.translate(HFS).replace("\\", "/").split("/")
        if control is not None and any(control.hits(part) for part in parts):
            return "git's own files are always protected"
        name = folded(path, fold_case=True)
        for stored, why in self.stored["armed"]:
            if Pattern(stored, self.stored["magic"]).hits(name):
                opened = self.pattern(self.stored["opened"])
                return "" if opened is not None and opened.hits(name) else text_of(why)
        return ""

    def spared(self, path: str, *, exists: bool | None = None) -> str:
        """The rule by which a path that is not listed may be written all the same: a new file beside, a derived one.

        ``exists``: whether it was there before; None looks on the disk.
        """
        derived = self.pattern(self.stored["derived"])
        name = folded(path, fold_case=self.fold_case)
        if derived is not None and derived.hits(name):
            return "derived"
        if not self._beside(name):
            return ""
        if exists is False or path in self.stored["made"]:
            return "new"
        return "" if self._there(path) or self._full() else "new"

    def crowded(self, path: str) -> str:
        """Why no further new file may lie beside the allowed ones; "" where that is not what keeps the path out."""
        name = folded(path, fold_case=self.fold_case)
        if not self._beside(name) or self._there(path) or not self._full():
            return ""
        return f"not listed in the boundary, and as many new files as it allows are there: {self.stored['new']}"

    def _beside(self, name: str) -> bool:
        return bool(self.stored["new"]) and name.rpartition("/")[0] in self.stored["folders"]

    def _there(self, path: str) -> bool:
        return os.path.lexists(self.root + "/" + path)

    def _full(self) -> bool:
        """Whether the new files that the boundary let appear so far are as many as it allows."""
        new: int = self.stored["new"]
        return sum(map(self._there, self.stored["made"])) >= new
