"""What a command line may have written: nothing, a named file, a whole tree, or one cannot tell."""

from __future__ import annotations

from passdown.agents.facts.reading import Line, read_line
from passdown.rules.patterns import lazy
from passdown.rules.shell import Call
from passdown.rules.shell_words import program, unwrap

_LOOKING = {
    "cd", "echo", "printf", "cat", "ls", "pwd", "true", "false", "export", "set", "head", "tail", "sort", "uniq", "wc",
    "grep", "egrep", "fgrep", "rg", "ag", "sleep", "which", "whoami", "uname", "stat", "file", "tree", "diff", "nl",
    "cut", "tr", "column", "jq", "less", "find", "fd", "ps", "du", "df", "basename", "dirname", "realpath", "test",
    "type", "command", "gh", "glab", "wait", "exit", "sed", "awk", "kill", "date", "Get-Content", "Get-ChildItem",
    "Select-String", "Select-Object", "[", "source", ".", "more", "env", "printenv", "id", "seq", "xxd", "od", "cmp",
}  # fmt: skip
_RECORDING = {
    "status", "diff", "log", "show", "add", "commit", "push", "fetch", "branch", "blame", "ls-files", "rev-parse",
    "remote", "tag", "config", "describe", "reflog", "shortlog", "cat-file", "ls-tree", "merge-base", "rev-list",
    "for-each-ref", "grep", "whatchanged", "worktree", "check-ignore", "update-index", "hash-object",
}  # fmt: skip
_WRITING = lazy(
    r"\bsed\b.* (?:-i|--in-place)|-delete\b|-exec\b|(?<![0-9&<=-])>{1,2}\s*(?!/dev/null|/tmp/|&)[\w./\"'$~]"
)
_TREE_VERBS = {"merge", "rebase", "pull", "cherry-pick", "revert", "apply", "am", "stash", "reset", "restore"}
_BRANCHES = {"-b", "-B", "-c", "-C", "--orphan", "--create"}
_FORMATTING = lazy(
    r"(?:^|[\s:_-])(?:fmt|format|fix|prettier|black|isort|rustfmt|gofmt|goimports|generate|gen|codegen|build|compile|sync|update"
    r"|bootstrap|scaffold|init|new|create|migrate|makemigrations)(?:$|[\s:_-])"
)
_HOOKED = {"commit", "push"}


def may_change(command: str) -> bool:
    """Any program may have changed files but those that only look, record in git, or are checks themselves."""
    line = read_line(command)
    if _WRITING.search(command) or not line.all:
        return True
    return any(_writes(call, line) for call in line.all)


def _writes(call: Call, line: Line) -> bool:
    words = unwrap(call.words)
    name = program(words[0]) if words else ""
    if any(call is check for _, check in line.checks) or name in _LOOKING:
        return False
    return name != "git" or not all(verb in _RECORDING for verb, one in line.git if one is call)


def tree_writes(command: str) -> bool:
    """Whether it writes files that it does not name: a formatter, a generator, a merge."""
    line = read_line(command)
    for verb, call in line.git:
        if verb in _TREE_VERBS or (verb in {"checkout", "switch"} and _BRANCHES.isdisjoint(call.words)):
            return True
    return any(
        _writes(call, line) and program(call.words[0]) != "git" and _FORMATTING.search(" ".join(unwrap(call.words)))
        for call in line.all
    )


def named_outputs(command: str) -> set[str]:
    """Last names of the paths in it that it may have written: not those that it only reads, runs or checks."""
    line = read_line(command)
    found = {word for call in line.all if _writes(call, line) for word in _operands(call)}
    redirected = {match[1] for match in _TARGET.finditer(command)}
    in_place = set(_PATH.findall(command)) if _IN_PLACE.search(command) else set()
    return {word.rstrip("/").rpartition("/")[2] for word in (*found, *redirected, *in_place)} - {""}


_TARGET = lazy(r"(?<![0-9&<=-])>{1,2}\s*[\"']?([\w./@+-]+)")
_PATH = lazy(r"[\w.@+-]*(?:/[\w.@+-]+)+|[\w@+-]+\.[\w.]+")
_IN_PLACE = lazy(r"\b(?:sed|perl)\b.* (?:-i|-p?i|--in-place)|\btee\b|\bwrite_text\b|\bopen\(|\bwriteFile")
_INTERPRETERS = {"python", "python3", "node", "bash", "sh", "zsh", "ruby", "perl", "php", "deno", "bun", "tsx", "pwsh"}


def _operands(call: Call) -> list[str]:
    """Paths among its words; what an interpreter runs is not what it writes."""
    words = unwrap(call.words)
    rest = [word.partition("=")[2] or word for word in words[1:] if not word.startswith("-") or "=" in word]
    if program(words[0]) in _INTERPRETERS:
        rest = rest[1:]
    return [path for word in rest for path in _PATH.findall(word)] + [word for word in rest if word.isidentifier()]


def runs_hooks_alone(command: str) -> bool:
    """Only git records here, with the hooks that it runs: what changes in the worktree meanwhile is theirs."""
    line = read_line(command)
    return not _HOOKED.isdisjoint(line.verbs) and not may_change(command)


def writes_text(command: str) -> bool:
    """It writes a file by its own text: ``sed -i``, ``> file``."""
    return _WRITING.search(command) is not None
