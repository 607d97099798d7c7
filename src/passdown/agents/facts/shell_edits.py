"""Commands that plainly edited code of the project: ``sed -i``, ``cat > a.py``, ``git restore a.py``, a heredoc."""

from __future__ import annotations

import posixpath
import re

from passdown.agents.facts.journal import Journal, Ran, in_project, is_document
from passdown.agents.facts.reading import read_line
from passdown.rules.patterns import lazy
from passdown.rules.shell_words import program, unwrap
from passdown.rules.shell_writes import Target, writes

_MAY = lazy(
    r"(?<![0-9&<=-])>{1,2}\s*(?!/dev/|/tmp/|&)[\w./\"'$~]"
    r"|\b(?:sed|perl) |\b(?:tee|cp|mv|rm|black|isort|gofmt|rustfmt|prettier) |\bwrite_text\(|\bwriteFile|\bopen\("
)
_VERBS = {"restore", "checkout", "rm", "mv", "pull", "apply", "am", "revert", "cherry-pick", "reset"}
_CODE = lazy(
    r"(?:\.(?:pyi?|[cm]?[jt]sx?|go|rs|rb|java|kts?|php|c|cc|cpp|h|hpp|cs|swift|exs?|vue|svelte|scala|dart|sql|toml|ya?ml"
    r"|sh|gradle|tf|s?css|lua|zig|nix)|(?:^|/)(?:Makefile|Dockerfile|justfile|Rakefile|Gemfile))$"
)
_SCRIPTED = lazy(
    r"\bwrite_text\(|\.writeFile(?:Sync)?\(|\bopen\([^)\n]{1,200},\s*['\"][wa]\+?['\"]|\bfileinput\b.*inplace"
)
_QUOTED = lazy(r"['\"]([\w./@+-]{1,200})['\"]")
_INTERPRETERS = {"python", "python3", "node", "ruby", "perl"}
_PUT_BACK = {"cherry-pick", "revert", "apply", "am"}
_NOTHING = lazy(r"\bup[ -]to[ -]date\b|nothing to commit|no changes|Aborting|error:|fatal:", re.IGNORECASE)


def edit_by_shell(journal: Journal, seq: int) -> Ran | None:
    """The first command after ``seq`` that plainly edited code; documents and outputs aside."""
    for ran in journal.ran_after(seq):
        if edits(ran, journal.cwd):
            return ran
    return None


def last_by_shell(journal: Journal) -> int:
    """Where the last command stands that plainly edited code; -1 where there is none."""
    for ran in reversed(journal.ran):
        if edits(ran, journal.cwd):
            return ran.seq
    return -1


def edits(ran: Ran, cwd: str | None) -> bool:
    """Whether it ran, failed not and was no check, and its text shows that it edited code under ``cwd``."""
    if not ran.executed or ran.ok is False or ran.check is not None:
        return False
    command = ran.command
    if _MAY.search(command) is None and _VERBS.isdisjoint(ran.verbs):
        return False
    return (
        _tree(ran)
        or any(_is_code(target, ran.cwd, cwd) for target in writes(command))
        or (_SCRIPTED.search(command) is not None and _scripted(command, cwd))
    )


def _tree(ran: Ran) -> bool:
    """A git verb that brings other content into the worktree."""
    if not ran.verbs or _NOTHING.search(ran.output):
        return False
    for verb, call in read_line(ran.command).git:
        words = call.words
        back = verb in _PUT_BACK and not {"--stat", "--check", "--abort", "--cached"} & set(words)
        hard = verb == "reset" and "--hard" in words
        whole = (verb == "restore" and "--staged" not in words and "." in words) or (
            verb == "checkout" and words[-2:] == ("--", ".")
        )
        if back or hard or whole:
            return True
    return "pull" in ran.verbs and "Successfully rebased" in ran.output


def _is_code(target: Target, started: str | None, cwd: str | None) -> bool:
    path = posixpath.normpath(posixpath.join(started or "", target.folder or "", target.path))
    return _CODE.search(path) is not None and in_project(path, cwd) and not is_document(path)


def _scripted(command: str, cwd: str | None) -> bool:
    """An interpreter was handed a text that writes, and the text names code."""
    heads = {program(words[0]) for call in read_line(command).all if (words := unwrap(call.words))}
    if _INTERPRETERS.isdisjoint(re.sub(r"[\d.]+$", "", head) for head in heads) and _INTERPRETERS.isdisjoint(heads):
        return False
    return any(_CODE.search(name) and in_project(name, cwd) for name in _QUOTED.findall(command))
