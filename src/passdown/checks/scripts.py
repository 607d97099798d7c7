"""What a command leads to inside the repository: package scripts, make and just files, script files."""

from __future__ import annotations

import fnmatch
import posixpath
import re
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct, field

from passdown.checks.package_json import (
    MANAGERS,
    RUNNERS,
    PackageCall,
    composer_scripts,
    package_call,
    package_scripts,
)
from passdown.checks.python_scripts import entry_files, imported, module_files
from passdown.checks.tree import TreeView, upwards
from passdown.rules import command
from passdown.rules.patterns import lazy
from passdown.rules.shell_words import program, unwrap

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
_TASK_FILES = {
    "tox": ("tox.ini", "tox.toml"),
    "nox": ("noxfile.py",),
    "rake": ("Rakefile", "rakefile", "Rakefile.rb"),
    "pre-commit": (".pre-commit-config.yaml",),
    "prek": (".pre-commit-config.yaml", "prek.toml"),
}
_FOLDER_OPTIONS = ("-C", "--directory", "-d", "--working-directory", "--dir")
_FILE_OPTIONS = ("-f", "--file", "--makefile", "--justfile", "--taskfile", "-t")
_SETTINGS = frozenset({
    "-c", "--config", "--config-file", "--configuration", "-p", "--project", "--setup", "-r", "--require", "--import",
    "--loader", "--rcfile", "--bootstrap", "--options", "--settings", "-s", "--init-script", "-I", "--env-file",
})  # fmt: skip
_VALUED = frozenset({
    "-W", "-X", "-r", "-o", "--require", "--import", "--loader", "--experimental-loader", "--env-file",
    "--test-reporter", "--test-reporter-destination", "--test-name-pattern", "--conditions", "-C", "-I",
})  # fmt: skip
"""Options of interpreters that take a word: it is not the script."""
_INCLUDE = lazy(r"^[ \t]*(?:-?include|sinclude|import\??|mod\??)[ \t]+(.+)$", re.MULTILINE)
_WILDCARD = lazy(r"\$[({]wildcard\s+([^(){}]*)[)}]")
_QUOTED = lazy(r"""['"]([^'"]+)['"]""")
_MAKES = lazy(r"(?:\$[({]MAKE[)}]|\bmake)((?:[ \t]+(?:-C[ \t]*|-f[ \t]*|--directory=|--file=)[\w./@+-]+)+)")
_DOTENV = lazy(r"^set\s+dotenv-(?:load|filename|path|required)", re.MULTILINE)
_TASK_INCLUDE = lazy(r"(?:taskfile:|^\s{2,}[\w-]+:)[ \t]+(\.{0,2}/?[\w./-]+\.ya?ml)", re.MULTILINE)
_RUN = lazy(r"\b(?:npm|pnpm|yarn|bun|npm-run-all|run-s|run-p)\s+(?:run(?:-script)?\s+)?([\w:.*-]+)")
_PATH = lazy(r"[\w@.+-]*(?:/[\w@.+-]+)+|[\w@.+-]+\.(?:sh|bash|mk)")
_SOURCED = lazy(r"(?:^|[;&|])\s*(?:\.|source)\s+([\w@./+-]+)", re.MULTILINE)
_FED = lazy(r"(?:<|\bcat\s|\s@|--arg-file[ =]|-a\s)\s*(?![<&(])([\w./@+-]*[\w+-])(?![\w(])")
"""Files whose text becomes words or a script: ``sh < t.sh``, ``$(cat options)``, ``pytest @options``."""
_UNKNOWN = lazy(r"\*|%|\$\([^)]*\)|\$\{[^}]*\}")
_SCRIPTS = (".sh", ".bash", ".mk")
_DEEPEST = 4
_RUN_FILES = frozenset(
    {"node", "mocha", "jest", "vitest", "ava", "tap", "bats", "prove", "pytest", "py.test", "rspec", "java"}
)
_AROUND = frozenset(
    {"cd", "npx", "bunx", "env", "uv", "poetry", "pdm", "bundle", "python", "python3", "timeout", "exec"}
)
_BUILDS = lazy(r"cmake\s+--(?:build|workflow)|\b(?:ninja|make)\b|--build-and-test")
"""What a test program of C runs was built before: by this command, or nobody knows from which code."""


class Found(Struct):
    """``files``: whole files that the command runs; ``texts``: parts of files, by name; ``words``: all text seen.

    ``built``: build files among them whose includes were followed. ``unheld``: files that it would run or read
    first, were they there, and that the tree does not hold. ``calls``: each program that is run by name, with the
    folder that it runs in; ``bodies``: the text of the files. ``imported``: modules
    that scripts import from beside them.
    """

    files: set[str] = field(default_factory=set)
    unheld: set[str] = field(default_factory=set)
    texts: dict[str, str] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)
    built: set[str] = field(default_factory=set)
    calls: set[tuple[str, str]] = field(default_factory=set)
    bodies: list[str] = field(default_factory=list)
    imported: set[str] = field(default_factory=set)


def follow(view: TreeView, run: str | list[str]) -> Found:
    """Everything that the command leads to in this tree, conservatively."""
    return view.once(("follow", command.text(run), isinstance(run, str)), lambda: _follow(view, run))


def _follow(view: TreeView, run: str | list[str]) -> Found:
    found = Found()
    _Walk(view, found).command(run, "", 0)
    return found


class _Walk(Struct, frozen=True):
    """Collects into ``found``; ``folder`` is where a command runs, ``depth`` how many hops it is away."""

    view: TreeView
    found: Found

    def command(self, run: str | list[str], folder: str, depth: int) -> None:
        if depth > _DEEPEST:
            return
        self.found.words.append(command.text(run))
        for path in _FED.findall(command.text(run)):
            self._file(_join(folder, path), depth)
        for words in command.programs(run):
            if program(words[0]) == "cd" and len(words) > 1:
                folder = _join(folder, words[1])
            first = not self._built()
            for layer in _layers(words):
                self._program(layer, folder, depth)
                if first and program(layer[0]) in _RUN_FILES:
                    self.found.unheld.update(_join(folder, word) for word in _operands(layer))

    def _built(self) -> bool:
        """Whether another program ran before: what git ignores may be what it made."""
        return any(program(word) not in MANAGERS | RUNNERS | _RUN_FILES | _AROUND for word, _ in self.found.calls)

    def _program(self, words: tuple[str, ...], folder: str, depth: int) -> None:
        name = program(words[0])
        self.found.calls.add((words[0], folder))
        for path in _script_files(words):
            made = name == "node" and _join(folder, path) not in self.view and self._built()
            if not made:
                self._file(_join(folder, path), depth)
            self.found.imported |= imported(self.view, _join(folder, path))
        for path in module_files(self.view, folder, words) if name.startswith("python") else ():
            self._file(path, depth)
            self.found.imported |= imported(self.view, path, folder)
        for path in _settings(words):
            if _join(folder, path) in self.view:
                self._file(_join(folder, path), depth)
        self.found.unheld.update(_join(folder, path) for path in _named_settings(words))
        for path in entry_files(self.view, folder, name):
            self._file(path, depth)
        if name == "ctest" and not _BUILDS.search("\n".join(self.found.words)):
            self.found.unheld.add(_join(folder, f"{_options(words).get('--test-dir', '.')}/CTestTestfile.cmake"))
        if name in _BUILD_FILES:
            self._build_file(name, words, folder, depth)
        if name in _TASK_FILES:
            self._task_files(name, folder, depth)
        if name == "composer":
            self._composer(package_call(name, words), folder, depth)
        if name in MANAGERS | RUNNERS:
            self._packages(name, words, folder, depth)

    def _task_files(self, name: str, folder: str, depth: int) -> None:
        """What tox, nox, rake and their like read for what to do: here, else above."""
        for above in upwards(folder):
            found = [path for file in _TASK_FILES[name] if (path := _join(above, file)) in self.view]
            for path in found:
                self._file(path, depth)
            if found:
                return

    def _packages(self, name: str, words: tuple[str, ...], folder: str, depth: int) -> None:
        call = package_call(name, words)
        folder = _join(folder, call.folder)
        folders = {folder}
        if call.everywhere:
            folders |= {posixpath.dirname(path) for path in self.view.by_name.get("package.json", ())}
        for one in sorted(folders):
            for script in call.scripts:
                self._package_script(script, one, depth)

    def _composer(self, call: PackageCall, folder: str, depth: int) -> None:
        scripts = composer_scripts(self.view, folder)
        for script in (n for name in call.scripts for n in (f"pre-{name}-cmd", name, f"post-{name}-cmd")):
            part = f"{posixpath.join(folder, 'composer.json')} scripts.{script}"
            if script not in scripts or part in self.found.texts:
                continue
            self.found.texts[part] = "\n".join(scripts[script])
            for line in scripts[script]:
                if line.startswith("@") and line[1:].split(" ")[0] in scripts:
                    self._composer(PackageCall((line[1:].split(" ")[0],)), folder, depth + 1)
                elif depth < _DEEPEST:
                    self.command(line.removeprefix("@php ").removeprefix("@composer "), folder, depth + 1)

    def _file(self, path: str, depth: int) -> None:
        """A script file counts whole; the files that it names and runs count too."""
        path = path.removeprefix(f"{self.view.place.root}/")
        if path not in self.view:
            self.found.unheld.add(path)
        if path not in self.view or path in self.found.files:
            return
        self.found.files.add(path)
        text = self.view.text(path)
        self.found.words.append(text)
        self.found.bodies.append(text)
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
        options = _options(words)
        folder = _join(folder, next((options[o] for o in _FOLDER_OPTIONS if o in options), ""))
        named = next((options[o] for o in _FILE_OPTIONS if o in options), None)
        candidates = [_join(folder, named)] if named else _candidates(name, folder)
        path = next((p for p in candidates if p in self.view), None)
        if path is None:
            self.found.unheld.update(_join(folder, file) for file in ([named] if named else _BUILD_FILES[name]))
            return
        self.found.unheld.update(candidates[: candidates.index(path)])
        self._makefile(name, path, depth)

    def _makefile(self, name: str, path: str, depth: int) -> None:
        """A build file, what it includes, and the build files that it calls in other folders."""
        if path in self.found.built or depth > _DEEPEST:
            return
        self.found.built.add(path)
        self._file(path, depth)
        folder, text = posixpath.dirname(path), self.view.text(path)
        for pattern in _included(name, text):
            if not _UNKNOWN.search(pattern) and _join(folder, pattern) not in self.view:
                self.found.unheld.add(_join(folder, pattern))
            regex = re.compile("[^/]*".join(re.escape(p) for p in _UNKNOWN.split(_join(folder, pattern))))
            for included in [p for p in self.view.entries if regex.fullmatch(p)]:
                self._makefile(name, included, depth + 1)
        for called in _MAKES.findall(text):
            self._build_file("make", ("make", *called.split()), folder, depth + 1)

    def _package_script(self, name: str, folder: str, depth: int) -> None:
        scripts = package_scripts(self.view, folder)
        named = fnmatch.filter(scripts, name) if "*" in name else [name]
        for script in (s for one in named for s in (f"pre{one}", one, f"post{one}")):
            part = f"{posixpath.join(folder, 'package.json')} scripts.{script}"
            if script in scripts and part not in self.found.texts:
                self.found.texts[part] = scripts[script]
                self.command(scripts[script], folder, depth + 1)
                for other in _RUN.findall(scripts[script]):
                    self._package_script(other, folder, depth + 1)


def _candidates(name: str, folder: str) -> list[str]:
    """Make looks in its folder alone, just and task in those above as well."""
    above = upwards(folder) if name in {"just", "task"} else [folder]
    return [_join(one, file) for one in above for file in _BUILD_FILES[name]]


def _options(words: tuple[str, ...]) -> dict[str, str]:
    """``-C sub``, ``-Csub`` and ``--directory=sub`` alike."""
    found = dict(pairwise(words))
    for word in words[1:]:
        name, equals, value = word.partition("=")
        if equals and name.startswith("--"):
            found[name] = value
        elif word[:2] in {"-C", "-f"} and len(word) > 2:  # noqa: PLR2004 - the option and its value
            found[word[:2]] = word[2:]
    return found


def _included(name: str, text: str) -> list[str]:
    """The patterns that a build file includes, as they stand: quotes off, a module of just as the files it may be."""
    found = []
    for line in _INCLUDE.findall(text):
        if name == "make":
            found += _WILDCARD.sub(r"\1", line.split("#")[0]).split()
            continue
        words = _QUOTED.findall(line) or line.split()
        plain = [w for w in words if w.strip("'\"")]
        if line.strip()[:1] not in "'\"" and not _QUOTED.search(line):
            module = plain[0] if plain else ""
            found += [f"{module}.just", f"{module}/mod.just", f"{module}/justfile", f"{module}/.justfile"]
        else:
            found += plain
    if name == "just" and _DOTENV.search(text):
        found.append(".env")
    return [*found, *(f for f in _TASK_INCLUDE.findall(text) if name == "task")]


def _settings(words: tuple[str, ...]) -> list[str]:
    """Files that options name as settings: they say what the command means."""
    found = [word.partition("=")[2] for word in words if word.startswith("--") and "=" in word]
    found += [after for option, after in pairwise(words) if option in _SETTINGS]
    return [path for path in found if path and not path.startswith("-")]


def _operands(words: tuple[str, ...]) -> list[str]:
    """Paths among the words of a program that runs test files."""
    paths = (word for word in words[1:] if "/" in word and not word.startswith("-"))
    return [word.rstrip("/").partition("::")[0] for word in paths if len(word) < 200 and not _UNKNOWN.search(word)]  # noqa: PLR2004 - a path


def _named_settings(words: tuple[str, ...]) -> list[str]:
    """Those of them that no test run writes itself: the tree need not hold them to count."""
    pairs = [*pairwise(words), *((word.partition("=")[0], word.partition("=")[2]) for word in words[1:])]
    long = (value for option, value in pairs if option in _SETTINGS and option.startswith("--"))
    return [value for value in long if value and not value.startswith("-") and len(value) < 200]  # noqa: PLR2004 - a path


def _join(folder: str, path: str) -> str:
    """Repository path of ``path`` as seen from ``folder``; the root is ""."""
    joined = posixpath.normpath(posixpath.join(folder, path)) if folder or path else ""
    return "" if joined == "." else joined


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
    for before, word in pairwise(words):
        if word in {"-c", "-m", "-e"}:
            return
        if not word.startswith("-") and before not in _VALUED:
            yield word
            return
