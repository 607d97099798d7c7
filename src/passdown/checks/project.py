"""The folders of a tree that are projects of their own, each seen as if it were the root."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from msgspec import Struct

from passdown.checks.tree import TreeView
from passdown.rules.patterns import lazy

MANIFESTS = frozenset({
    "package.json", "pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini", "noxfile.py", "go.mod",
    "Cargo.toml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "pom.xml", ".rspec",
    "Gemfile", "composer.json", "phpunit.xml", "phpunit.xml.dist",
})  # fmt: skip
_DEEPEST = 3
_MOST = 12
_READ = 40
_NO_PROJECT = lazy(
    r"(?:^|/)(?:\.[^/]+|node_modules|vendor|vendored|third[_-]party|external|testdata|test-data|__?fixtures?__?|fixtures?"
    r"|examples?|samples?|demos?|templates?|skeletons?|boilerplate|dist|build|target|out|snapshots?|__snapshots__)(?:/|$)"
)


class Project(Struct, frozen=True):
    """``folder`` of the tree, "" is its root. Names are relative to it; ``others``: projects below it."""

    view: TreeView
    folder: str = ""
    others: tuple[str, ...] = ()

    def __contains__(self, name: str) -> bool:
        return self.path(name) in self.view

    def path(self, name: str) -> str:
        """The repository path of a name."""
        return posixpath.join(self.folder, name) if self.folder else name

    def text(self, name: str) -> str:
        """The file's text, "" where there is none."""
        return self.view.text(self.path(name))

    def files(self, name: str) -> Iterator[str]:
        """Repository paths of this basename that are the project's own: in none of the projects below it."""
        return (path for path in self.view.by_name.get(name, ()) if self.owns(path))

    def owns(self, path: str) -> bool:
        """Whether a repository path lies in the project and in none below it, nor in what is no code of it."""
        if self.folder and not path.startswith(f"{self.folder}/"):
            return False
        own = path[len(self.folder) + 1 :] if self.folder else path
        return not _NO_PROJECT.search(posixpath.dirname(own)) and not any(path.startswith(f"{o}/") for o in self.others)

    def above(self) -> Iterator[Project]:
        """The folders above, the nearest first, down to the root."""
        folder = self.folder
        while folder:
            folder = posixpath.dirname(folder)
            yield Project(self.view, folder)


def projects(view: TreeView) -> list[Project]:
    """The root, then folders with a manifest of their own: no dependencies, fixtures, examples or templates."""
    manifests = (posixpath.dirname(path) for name in MANIFESTS & view.by_name.keys() for path in view.by_name[name])
    folders = {f for f in manifests if f and f.count("/") < _DEEPEST and not _NO_PROJECT.search(f)}
    folders |= {
        posixpath.dirname(path)
        for name, paths in view.by_name.items()
        if name.endswith((".sln", ".slnx"))
        for path in paths
        if posixpath.dirname(path) and not _NO_PROJECT.search(posixpath.dirname(path))
    }
    view.load(path for name in MANIFESTS & view.by_name.keys() for path in view.by_name[name][:_READ])
    shown = sorted(folders, key=lambda folder: (folder.count("/"), folder))[:_MOST]
    return [Project(view, folder, tuple(f for f in folders if _below(f, folder))) for folder in ("", *shown)]


def _below(path: str, folder: str) -> bool:
    return path != folder and (not folder or path.startswith(f"{folder}/"))
