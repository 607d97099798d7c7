"""Git commands of a shell line that can destroy work, and those that reach into other runs' work."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from passdown.rules.shell_words import program, unwrap

Words = Sequence[str]
_VALUED = ("-C", "-c", "--git-dir", "--work-tree", "--namespace")
_HARMLESS_STASH = ("list", "show", "create")
_UNCOMMITTED = "changes that are not committed"
When = Callable[[set[str], list[str]], bool]


def _any(*names: str) -> When:
    return lambda given, _: bool(given & set(names))


def _first(*words: str, force: bool = False) -> When:
    return lambda given, rest: rest[:1] != [] and rest[0] in words and (not force or bool(given & {"f", "--force"}))


_DESTROY: tuple[tuple[tuple[str, ...], When, str], ...] = (
    (("reset",), _any("--hard", "--merge", "--keep"), _UNCOMMITTED),
    (("clean",), lambda given, _: bool(given & {"f", "--force"}) and not given & {"n", "--dry-run"}, "untracked files"),
    (("checkout", "switch"), _any("f", "--force", "--discard-changes"), _UNCOMMITTED),
    (("checkout",), lambda _, rest: "--" in rest or "." in rest, _UNCOMMITTED),
    (("restore",), lambda given, _: not given & {"S", "--staged"} or bool(given & {"W", "--worktree"}), _UNCOMMITTED),
    (("stash",), lambda _, rest: (rest[:1] or ["push"])[0] not in _HARMLESS_STASH, _UNCOMMITTED),
    (("rm",), lambda given, _: "--cached" not in given, "tracked files"),
    (("read-tree",), _any("u", "--reset"), _UNCOMMITTED),
    (("branch",), lambda given, _: "D" in given or given >= {"--delete", "--force"}, "a branch's commits"),
    (("worktree",), _first("remove", force=True), "another worktree's changes"),
    (("gc",), _any("--prune"), "what no branch reaches"),
    (("prune", "filter-branch", "filter-repo"), lambda _given, _rest: True, "what no branch reaches"),
    (("reflog",), _first("expire", "delete"), "the way back to earlier commits"),
)


def git_verb(words: Words) -> tuple[str, list[str]] | None:
    """``(verb, its words)`` of a git command, options before the verb passed over; None for another program."""
    bare = list(unwrap(tuple(words)))
    if not bare or program(bare[0]) != "git":
        return None
    rest = bare[1:]
    while rest and rest[0].startswith("-"):
        rest = rest[2:] if rest[0] in _VALUED else rest[1:]
    return (rest[0], rest[1:]) if rest else None


def destroys(words: Words) -> str | None:
    """What the command can destroy, in words; None where it destroys nothing that git does not keep."""
    found = git_verb(words)
    if found is None:
        return _removes_all(list(unwrap(tuple(words))))
    verb, rest = found
    given = {letter for word in rest if word[:1] == "-" and word[:2] != "--" for letter in word[1:]}
    given |= {word.partition("=")[0] for word in rest if word.startswith("--")}
    return next((what for verbs, when, what in _DESTROY if verb in verbs and when(given, rest)), None)


def shares_stash(words: Words) -> bool:
    """Whether the command touches the stash, which all worktrees of a repository share (case G5)."""
    found = git_verb(words)
    return found is not None and found[0] == "stash" and (found[1][:1] or ["push"])[0] not in _HARMLESS_STASH


def _removes_all(words: list[str]) -> str | None:
    if not words or program(words[0]) != "rm" or not any("r" in w.lower() for w in words[1:] if w.startswith("-")):
        return None
    whole = {".", "./", "*", "./*", "..", "/", "~", ".git", "./.git"}
    return "the whole worktree" if whole & set(words[1:]) else None
