"""What a shell line obviously writes: redirections, and the operands of programs that only exist to write.

For an early word to the agent and nothing else: no reader of a line sees what a script, a variable or a loop writes.
What is not plain from the text is left out; the tree's difference finds it afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from passdown.rules.patterns import lazy
from passdown.rules.shell import parsed, text_of
from passdown.rules.shell_plain import folder_of
from passdown.rules.shell_words import inner_script, plain, program, unwrap

if TYPE_CHECKING:
    from tree_sitter import Node

Words = tuple[str, ...]
_MAX_DEPTH = 3
_UNKNOWN = lazy(r"[$`]|<\(|>\(")
_DEVICE = lazy(r"/dev/(?:null|stdout|stderr|tty|fd/\d+)$")
_OPTION_I = lazy(r"-(?![mMI])[a-zA-Z0-9]*i")
_TRIAL = lazy(r"-[a-zA-Z]*n")
_REMOTE = lazy(r"[^/]+:")
_CONTAINERS = frozenset({"docker", "podman", "docker-compose", "kubectl", "ssh"})
_REMOVERS = frozenset({"rm", "rmdir", "unlink", "shred"})
_UNTOLD = ""


class Target(Struct, frozen=True):
    """A path as the line names it, seen from ``folder`` (where a ``cd`` went).

    ``glob``: the shell would expand it. ``of``: where the path is a folder, what lands in it under its own name.
    ``gone``: it is removed, so nothing happens where it is not there.
    """

    path: str
    folder: str | None = None
    glob: bool = False
    of: tuple[str, ...] = ()
    gone: bool = False


def writes(line: str) -> list[Target]:
    """The paths that the line obviously writes, in its order."""
    return list(dict.fromkeys(_read(line, None, 0)))


def _read(line: str, folder: str | None, depth: int) -> Iterator[Target]:
    if line.strip():
        yield from _walk(parsed(line), _Where(folder), depth)


class _Where:
    """The folder that the shell is in: None where it began, "" where the text does not tell."""

    def __init__(self, folder: str | None) -> None:
        self.folder = folder
        self._before: list[str | None] = []

    def follow(self, text: str, words: Words) -> None:
        """Go where a ``cd``, ``pushd`` or ``popd`` goes."""
        name = words[0] if words else ""
        if name == "popd":
            self.folder = self._before.pop() if self._before and len(words) == 1 else _UNTOLD
        elif name in ("cd", "pushd"):
            if name == "pushd":
                self._before.append(self.folder)
            went = folder_of(text) if len(words) > 1 else "~"
            if went is None or went.startswith("-") or _UNKNOWN.search(went):
                self.folder = _UNTOLD
            elif went.startswith(("/", "~")) or self.folder is None:
                self.folder = went
            elif self.folder != _UNTOLD:
                self.folder = f"{self.folder}/{went}"


def _walk(node: Node, where: _Where, depth: int) -> Iterator[Target]:
    if node.type in ("subshell", "command_substitution", "process_substitution"):
        where = _Where(where.folder)
    if node.type == "command":
        yield from _command(node, where, depth)
        where.follow(text_of(node), tuple(plain(text_of(each)) for each in node.named_children))
    elif node.type == "file_redirect":
        yield from _redirection(node, where)
    if node.type in ("comment", "heredoc_body", "function_definition"):
        return
    for child in node.named_children:
        yield from _walk(child, where, depth)


def _redirection(node: Node, where: _Where) -> Iterator[Target]:
    goal = node.child_by_field_name("destination")
    if goal is None or goal.type == "number" or not any(">" in each.type for each in node.children):
        return
    yield from _targets([text_of(goal)], where)


def _command(node: Node, where: _Where, depth: int) -> Iterator[Target]:
    kept = [
        c for c in node.named_children if c.type not in ("variable_assignment", "file_redirect", "heredoc_redirect")
    ]
    raw = [text_of(child) for child in kept]
    words = tuple(plain(word) for word in raw)
    bare = unwrap(words)
    if _CONTAINERS & {program(word) for word in words[: max(len(words) - len(bare), 1)]}:  # its files are not ours
        return
    script = inner_script(words)
    if script is not None:
        if depth < _MAX_DEPTH:
            yield from _read(script, where.folder, depth + 1)
        return
    if not bare or program(words[0]) == "xargs":  # its operands come from elsewhere
        return
    reader = _PROGRAMS.get(program(bare[0]))
    if reader is not None:
        quoted = {plain(word) for word in raw if word[:1] in "'\""}
        into, paths = reader(bare)
        gone = program(bare[0]) in _REMOVERS
        for target in _targets(paths, where, quoted, into):
            yield replace(target, gone=True) if gone else target


def _targets(paths: Sequence[str], where: _Where, quoted: set[str] | None = None, of: Words = ()) -> Iterator[Target]:
    for raw in paths:
        path = plain(raw)
        if not path or path == "-" or _UNKNOWN.search(path) or _DEVICE.match(path):
            continue
        if where.folder == _UNTOLD and not path.startswith(("/", "~")):
            continue
        literal = raw != path or path in (quoted or ())
        yield Target(path, where.folder, glob=not literal and bool(set(path) & set("*?[{")), of=of)


# programs: (what lands in a folder, paths)
Read = tuple[Words, list[str]]


def _split(words: Words, valued: str = "") -> tuple[dict[str, str], list[str]]:
    """``(options, operands)``; options in ``valued`` take the next word, long ones also ``--name=value``."""
    options: dict[str, str] = {}
    operands: list[str] = []
    taking, rest = set(valued.split()), list(words[1:])
    while rest:
        word = rest.pop(0)
        if word == "--":
            operands += rest
            break
        if not word.startswith("-") or word == "-":
            operands.append(word)
        elif word in taking:
            options[word] = rest.pop(0) if rest else ""
        else:
            name, _, value = word.partition("=")
            options[name] = value
    return options, operands


def _all(valued: str = "") -> Callable[[Words], Read]:
    return lambda words: ((), _split(words, valued)[1])


def _last(*, moves: bool = False) -> Callable[[Words], Read]:
    """``cp``, ``mv`` and their like: into the last operand or ``-t``; ``moves``: the sources go away."""

    def read(words: Words) -> Read:
        options, operands = _split(words, "-t --target-directory -S --suffix -m --mode -o --owner -g --group -e --rsh")
        named = options.get("-t") or options.get("--target-directory")
        if not named and len(operands) < 2:  # noqa: PLR2004 - a source and a target
            return (), []
        goal, sources = (named, operands) if named else (operands[-1], operands[:-1])
        names = tuple(source.rstrip("/").rpartition("/")[2] for source in sources)
        return names, [goal, *(sources if moves else [])]

    return read


def _in_place(valued: str) -> Callable[[Words], Read]:
    """``sed -i`` and ``perl -i``: every operand but the script, which ``-e`` or ``-f`` may have given."""

    def read(words: Words) -> Read:
        options, operands = _split(words, valued)
        operands = [each for each in operands if each]  # BSD's `-i ''`
        if not any(_OPTION_I.match(name) or name == "--in-place" for name in options):
            return (), []
        short = {name for name in options if name[:1] == "-" and name[:2] != "--"}
        scripted = options.keys() & {"--expression", "--file"} or any(set(name) & set("ef") for name in short)
        return (), operands if scripted else operands[1:]

    return read


def _git(words: Words) -> Read:
    options, operands = _split(words, "-C -c --git-dir --work-tree --namespace")
    if not operands or options.keys() & {"-C", "--git-dir", "--work-tree"}:
        return (), []
    verb, rest = operands[0], words[words.index(operands[0]) + 1 :]
    if verb in ("rm", "mv") and {"-n", "--dry-run"} & set(rest):
        return (), []
    if verb in ("rm", "mv"):
        return ((), _split(("git", *rest))[1]) if verb == "rm" else _last(moves=True)(("git", *rest))
    if verb == "restore" and "--staged" not in rest:
        return (), _split(("git", *rest), "-s --source")[1]
    if verb == "checkout" and "--" in rest:
        return (), list(rest[rest.index("--") + 1 :])
    return (), []


def _option(*names: str, valued: str = "") -> Callable[[Words], Read]:
    """Programs that write what an option names."""

    def read(words: Words) -> Read:
        options = _split(words, " ".join([*(name for name in names), valued]))[0]
        return (), [options[name] for name in names if options.get(name)]

    return read


def _rsync(words: Words) -> Read:
    """As ``cp``; a host's path is not ours, and a trial writes nothing."""
    names, paths = _last()(words)
    trial = {"--dry-run", "--list-only"} & set(words) or any(_TRIAL.match(word) for word in words[1:])
    return names, [] if trial else [path for path in paths if not _REMOTE.match(path)]


def _dd(words: Words) -> Read:
    return (), [word[3:] for word in words if word.startswith("of=")]


def _formatter(*modes: str) -> Callable[[Words], Read]:
    """Formatters rewrite their operands, some only when told so."""

    def read(words: Words) -> Read:
        if modes and not set(modes) & set(words):
            return (), []
        quiet = {"--check", "--check-only", "--diff", "-c", "-d", "-l", "--list-different"} & set(words)
        return (), [] if quiet else [each for each in _split(words)[1] if "." in each.rpartition("/")[2].strip(".")]

    return read


_PROGRAMS: dict[str, Callable[[Words], Read]] = {
    "rm": _all(),
    "rmdir": _all(),
    "unlink": _all(),
    "shred": _all("-n -s"),
    "truncate": _all("-s -r --size --reference"),
    "touch": _all("-d -r -t --date --reference"),
    "tee": _all(),
    "sponge": _all(),
    "chmod": lambda words: ((), _split(words)[1][1:]),
    "cp": _last(),
    "install": _last(),
    "ln": _last(),
    "rsync": _rsync,
    "mv": _last(moves=True),
    "sed": _in_place("-e -f --expression --file"),
    "gsed": _in_place("-e -f --expression --file"),
    "perl": _in_place("-e -pe -ne -pie"),
    "dd": _dd,
    "git": _git,
    "sort": _option("-o", "--output", valued="-k -t"),
    "curl": _option("-o", "--output", valued="-H -d -X -u"),
    "wget": _option("-O", "--output-document"),
    "black": _formatter(),
    "isort": _formatter(),
    "gofmt": _formatter("-w"),
    "prettier": _formatter("--write", "-w"),
    "rustfmt": _formatter(),
}
