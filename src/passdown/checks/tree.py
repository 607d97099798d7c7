"""One tree, listed once and read piece by piece: what all checks of one moment share."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import cached_property
from typing import Any, TypeVar, cast

from passdown.workspace.diff import Change, list_tree, read_blob, read_blobs, tree_diff
from passdown.workspace.place import Place

T = TypeVar("T")
LARGEST = 1 << 20


class TreeView:
    """The files of ``tree`` (a tree or commit id; "" is empty): listing and texts are read at most once.

    ``committed``: the same content as git would commit it, where it is known: what a commit is compared with.
    """

    def __init__(self, place: Place, tree: str, committed: str | None = None) -> None:
        self.place = place
        self.tree = tree
        self.committed = committed
        self._texts: dict[str, bytes] = {}
        self._kept: dict[Hashable, Any] = {}

    @cached_property
    def entries(self) -> dict[str, tuple[str, str]]:
        """Path -> (mode, blob id)."""
        return list_tree(self.place, self.tree) if self.tree else {}

    def at(self, tree: str) -> TreeView:
        """Another tree, which holds nearly the same: listed by what differs from this one."""
        return self.once(("at", tree), lambda: _Beside(self, tree) if tree else TreeView(self.place, tree))

    @cached_property
    def by_name(self) -> dict[str, list[str]]:
        """Basename -> its paths."""
        names: dict[str, list[str]] = {}
        for path in self.entries:
            name = path.rpartition("/")[2]
            if name in names:
                names[name].append(path)
            else:
                names[name] = [path]
        return names

    def __contains__(self, path: str) -> bool:
        return path in self.entries

    def read(self, path: str, limit: int = LARGEST) -> bytes | None:
        """The first ``limit`` bytes of a file; None where the tree has no such file."""
        if path not in self.entries:
            return None
        if path not in self._texts:
            self._texts[path] = read_blob(self.place, self.entries[path][1], limit)
        return self._texts[path]

    def load(self, paths: Iterable[str]) -> None:
        """Read many files of ordinary size at once: each is then at hand."""
        wanted = {path: self.entries[path][1] for path in paths if path in self.entries and path not in self._texts}
        found = read_blobs(self.place, wanted.values(), LARGEST) if len(wanted) > 1 else {}
        self._texts.update((path, found[blob]) for path, blob in wanted.items() if blob in found)

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value of ``make`` under ``key``, made at most once for this tree."""
        if key not in self._kept:
            self._kept[key] = make()
        return cast("T", self._kept[key])

    def text(self, path: str) -> str:
        """The file's text, "" where there is none."""
        return (self.read(path) or b"").decode("utf-8", "replace")


def folders(view: TreeView) -> frozenset[str]:
    """Every folder that holds a file of the tree; "" is none of them."""
    found: set[str] = set()
    for path in view.entries:
        folder = path.rpartition("/")[0]
        while folder and folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return frozenset(found)


def upwards(folder: str) -> list[str]:
    """The folder and those above it, the nearest first, the root "" last; one outside the tree stands alone."""
    found = [folder]
    while found[-1] and not folder.startswith("/"):
        found.append(found[-1].rpartition("/")[0])
    return found


class _Beside(TreeView):
    """A tree listed from the listing of another."""

    def __init__(self, other: TreeView, tree: str) -> None:
        super().__init__(other.place, tree)
        self._other = other

    @cached_property
    def entries(self) -> dict[str, tuple[str, str]]:
        """Path -> (mode, blob id)."""
        found = dict(self._other.entries)
        for change in self._other.once(("diff", self.tree, self._other.tree), self._changes):
            if change.status == "added":
                del found[change.path]
            else:
                found[change.path] = (change.old_mode, change.old_blob)
        return found

    def _changes(self) -> list[Change]:
        return tree_diff(self.place, self.tree, self._other.tree)
