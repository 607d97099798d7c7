"""The programs that a program of a shell line runs in its turn: ``script -c``, ``find -exec``, ``busybox sh -c``.

For an early word to the agent: what a language's own program, a variable or a copy runs is seen by nobody beforehand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from passdown.rules.shell import calls, parsed, text_of
from passdown.rules.shell_call import Call
from passdown.rules.shell_words import Words, inner_script, plain, program, unwrap

if TYPE_CHECKING:
    from tree_sitter import Node

_MAX_DEPTH = 3
_RUNNERS = frozenset({
    "at", "batch", "busybox", "bwrap", "chroot", "chronic", "coproc", "dbus-run-session", "entr", "env", "expect",
    "firejail", "flock", "gdb", "ltrace", "npx", "nsenter", "parallel", "rlwrap", "runuser", "screen",
    "script", "setpriv", "socat", "spawn", "strace", "su", "systemd-run", "tmux", "toybox", "unshare",
    "valgrind", "watch", "xargs", "xterm",
})  # fmt: skip
_SHELLS = ("sh", "bash", "dash", "zsh", "ksh", "ash", "fish")
_FIND_RUNS = ("-exec", "-execdir", "-ok", "-okdir")
_GIT_RUNS = {"rebase": ("-x", "--exec"), "submodule": ("foreach",), "bisect": ("run",)}


def all_calls(line: str) -> list[Call]:
    """Every call of the line, those that are run by another program of it behind that one."""
    read = [line, *(_fed(parsed(line)) if "<<" in line else [])]
    return [each for text in read for call in calls(text) for each in (call, *_within(call, _MAX_DEPTH))]


def _fed(node: Node) -> Iterator[str]:
    """The scripts that a shell of the line reads from its input: a heredoc, a here string."""
    for child in node.named_children:
        if child.type == "herestring_redirect" and _reads_script(node):
            yield from (plain(text_of(each)) for each in child.named_children)
        elif child.type == "heredoc_redirect" and _reads_script(_last(node)):
            yield from (text_of(each) for each in child.named_children if each.type == "heredoc_body")
        else:
            yield from _fed(child)


def _last(node: Node) -> Node:
    """The command that a redirection behind a list or pipeline belongs to."""
    body = node.child_by_field_name("body")
    while body is not None and body.type != "command" and body.named_children:
        body = body.named_children[-1]
    return body or node


def _reads_script(command: Node) -> bool:
    words = [plain(text_of(each)) for each in command.named_children if not each.type.endswith("_redirect")]
    bare = unwrap(tuple(words)) if command.type == "command" else ()
    return bool(bare) and program(bare[0]) in _SHELLS and all(word.startswith("-") for word in bare[1:])


def _within(call: Call, depth: int) -> Iterator[Call]:
    if not depth:
        return
    for words in _run_by(call.words):
        texts = [words[0]] if len(words) == 1 else []
        script = inner_script(words)
        found = [*(each for text in [*texts, script] if text for each in calls(text)), Call(words, folder=call.folder)]
        for each in found:
            yield each
            yield from _within(each, depth - 1)


def _run_by(words: Words) -> Iterator[Words]:
    """What could be a program's words among the operands; a text of several words is a script of one word."""
    bare = unwrap(words)
    name = program(bare[0]) if bare else ""
    if name == "git":
        yield from _by_git(bare)
    elif name == "find":
        yield from (bare[at:] for at, word in enumerate(bare[1:], 1) if bare[at - 1] in _FIND_RUNS)
    elif name in _RUNNERS:
        for at, word in enumerate(bare[1:], 1):
            text = _value(word)
            if " " in text.strip():
                yield (text,)
            elif not word.startswith("-"):
                yield bare[at:]


def _by_git(words: Words) -> Iterator[Words]:
    for at, word in enumerate(words):
        _, is_alias, command = word.partition("=!")
        if is_alias and word.lower().startswith("alias."):
            yield (command,)
        for option in _GIT_RUNS.get(word, ()):
            rest = words[at + 1 :]
            if option in rest and rest.index(option) + 1 < len(rest):
                after = rest[rest.index(option) + 1 :]
                yield (after[0],) if " " in after[0] else after
            yield from ((each.partition("=")[2],) for each in rest if each.startswith(f"{option}="))


def _value(word: str) -> str:
    """The value that an option carries in its own word; any other word as it is."""
    if word.startswith("--"):
        return word.partition("=")[2]
    return word[2:] if word.startswith("-") else word
