"""What a command leads to inside the repository: package scripts, make and just files, script files."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from msgspec import Struct, field

from passdown.checks.tree import TreeView
from passdown.rules import command
from passdown.rules.patterns import lazy
from passdown.rules.shell_words import program, unwrap

_MANAGERS = {"npm", "pnpm", "yarn", "bun"}
_INTERPRETERS = {
    "sh",
    "bash",
    "zsh",
    "dash",
    "python",
    "python3",
    "node",
    "ruby",
    "perl",
    "php",
    "tsx",
    "ts-node",
    "source",
    ".",
}
_BUILD_FILES = {
    "make": ("GNUmakefile", "makefile", "Makefile"),
    "gmake": ("GNUmakefile", "makefile", "Makefile"),
    "just": ("justfile", "Justfile", ".justfile"),
    "task": ("Taskfile.yml", "Taskfile.yaml"),
}
_INCLUDE = lazy(r"^\s*(?:-?include|sinclude|import|mod\??)\s+(.+)$", re.MULTILINE)
_RUN = lazy(r"\b(?:npm|pnpm|yarn|bun|npm-run-all|run-s|run-p)\s+(?:run(?:-script)?\s+)?([\w:.-]+)")
_PATH = lazy(r"[\w@.+-]*(?:/[\w@.+-]+)+|[\w@.+-]+\.(?:sh|bash|mk)")
_SOURCED = lazy(r"(?:^|[;&|])\s*(?:\.|source)\s+([\w@./+-]+)", re.MULTILINE)
_UNKNOWN = lazy(r"\*|%|\$\([^)]*\)|\$\{[^}]*\}")
_SCRIPTS = (".sh", ".bash", ".mk")
_DEEPEST = 4


class Found(Struct):
    """``files``: whole files that the command runs; ``texts``: parts of files, by name; ``words``: all text seen.

    ``unheld``: files that it would run or read first, were they there, and that the tree does not hold.
    """

    files: set[str] = field(default_factory=set)
    unheld: set[str] = field(default_factory=set)
    texts: dict[str, str] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)


def follow(view: TreeView, run: str | list[str]) -> Found:
    """Everything that the command leads to in this tree, conservatively."""
    found = Found()
    _Walk(view, found).command(run, "", 0)
    return found


def package_scripts(view: TreeView, folder: str = "") -> dict[str, str]:
    """The scripts of the package.json in ``folder``; {} where it has none or is no JSON."""
    scripts = package(view, folder).get("scripts")
    return {k: v for k, v in scripts.items() if isinstance(v, str)} if isinstance(scripts, dict) else {}


def composer_scripts(view: TreeView, folder: str = "") -> dict[str, list[str]]:
    """The scripts of the composer.json in ``folder``, each as a list of commands."""
    try:
        value = json.loads(view.text(posixpath.join(folder, "composer.json")) or "{}")
    except ValueError:
        return {}
    scripts = value.get("scripts") if isinstance(value, dict) else None
    entries = scripts.items() if isinstance(scripts, dict) else ()
    listed = ((name, [text] if isinstance(text, str) else text) for name, text in entries)
    return {name: [t for t in texts if isinstance(t, str)] for name, texts in listed if isinstance(texts, list)}


def package(view: TreeView, folder: str = "") -> dict[str, Any]:
    """The package.json in ``folder``; {} where it is none."""
    try:
        value = json.loads(view.text(posixpath.join(folder, "package.json")) or "{}")
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


class _Walk(Struct, frozen=True):
    """Collects into ``found``; ``folder`` is where a command runs, ``depth`` how many hops it is away."""

    view: TreeView
    found: Found

    def command(self, run: str | list[str], folder: str, depth: int) -> None:
        if depth > _DEEPEST:
            return
        self.found.words.append(command.text(run))
        for words in command.programs(run):
            if program(words[0]) == "cd" and len(words) > 1:
                folder = _join(folder, words[1])
            for layer in _layers(words):
                self._program(layer, folder, depth)

    def _program(self, words: tuple[str, ...], folder: str, depth: int) -> None:
        name = program(words[0])
        for path in _script_files(words):
            self._file(_join(folder, path), depth)
        if name in _BUILD_FILES:
            self._build_file(name, words, folder, depth)
        if name in _MANAGERS:
            self._package_script(_verb(words), folder, depth)

    def _file(self, path: str, depth: int) -> None:
        """A script file counts whole; the files that it names and runs count too."""
        if path not in self.view:
            self.found.unheld.add(path)
        if path not in self.view or path in self.found.files:
            return
        self.found.files.add(path)
        text = self.view.text(path)
        self.found.words.append(text)
        if depth >= _DEEPEST:
            return
        for name in set(_PATH.findall(text)):
            for other in {_join("", name), _join(posixpath.dirname(path), name)}:
                if other in self.view and (self.view.entries[other][0] == "100755" or other.endswith(_SCRIPTS)):
                    self._file(other, depth + 1)
        for sourced in _SOURCED.findall(text):
            self._file(_join("", sourced), depth + 1)
        for script in _RUN.findall(text):
            self._package_script(script, "", depth + 1)

    def _build_file(self, name: str, words: tuple[str, ...], folder: str, depth: int) -> None:
        options = dict(pairwise(words))
        folder = _join(folder, options.get("-C", ""))
        names = (options["-f"],) if "-f" in options else _BUILD_FILES[name]
        candidates = [_join(folder, file) for file in names]
        path = next((p for p in candidates if p in self.view), None)
        if path is None:
            self.found.unheld.update(candidates)
            return
        self.found.unheld.update(candidates[: candidates.index(path)])
        self._file(path, depth)
        for pattern in " ".join(_INCLUDE.findall(self.view.text(path))).split():
            if not _UNKNOWN.search(pattern) and _join(folder, pattern) not in self.view:
                self.found.unheld.add(_join(folder, pattern))
            regex = re.compile("[^/]*".join(re.escape(p) for p in _UNKNOWN.split(_join(folder, pattern))))
            for included in [p for p in self.view.entries if regex.fullmatch(p)]:
                self._file(included, depth + 1)

    def _package_script(self, name: str, folder: str, depth: int) -> None:
        scripts = package_scripts(self.view, folder)
        for script in (f"pre{name}", name, f"post{name}"):
            part = f"{posixpath.join(folder, 'package.json')} scripts.{script}"
            if script in scripts and part not in self.found.texts:
                self.found.texts[part] = scripts[script]
                self.command(scripts[script], folder, depth + 1)
                for other in _RUN.findall(scripts[script]):
                    self._package_script(other, folder, depth + 1)


def _join(folder: str, path: str) -> str:
    """Repository path of ``path`` as seen from ``folder``; the root is ""."""
    joined = posixpath.normpath(posixpath.join(folder, path)) if folder or path else ""
    return "" if joined == "." else joined


def _verb(words: tuple[str, ...]) -> str:
    """``test`` of ``npm test`` and ``lint`` of ``pnpm run lint``."""
    plain = [w for w in words[1:] if not w.startswith("-")] or [""]
    if plain[0] in {"run", "run-script"} and len(plain) > 1:
        return plain[1]
    return "test" if plain[0] == "t" else plain[0]


def _layers(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The command as typed, then without its wrappers."""
    yield words
    inner = unwrap(words)
    if inner and inner != words:
        yield inner


def _script_files(words: tuple[str, ...]) -> Iterator[str]:
    """The program itself where it is a path, and the script that an interpreter is given."""
    if "/" in words[0]:
        yield words[0]
    if program(words[0]) not in _INTERPRETERS:
        return
    for word in words[1:]:
        if word in {"-c", "-m", "-e"}:
            return
        if not word.startswith("-"):
            yield word
            return
