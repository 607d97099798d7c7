"""The files that an edit of ``passdown learn`` goes into: instructions, policy, a template."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from passdown.checks.policy_file import parse
from passdown.checks.policy_places import FILE, PROJECT
from passdown.checks.template_file import file_of, parse_template
from passdown.errors import PassdownError
from passdown.packet.templates import ORDER, built_in_text
from passdown.rules.learn.toml_edit import edited
from passdown.rules.marked_block import marked, renewed, span

if TYPE_CHECKING:
    from passdown.model.policy import Policy
    from passdown.rules.learn.proposals import Proposal

AGENTS, CLAUDE = "AGENTS.md", "CLAUDE.md"
_HEAD = "Learned from earlier handoffs (`passdown learn`):"
_MOST = 20
_SECTION = "[tool.passdown"


def instruction_files(root: Path) -> list[str]:
    """Where agents read it: Claude Code leaves AGENTS.md where there is a CLAUDE.md that does not import it."""
    there = [name for name in (CLAUDE, AGENTS) if (root / name).is_file() and not (root / name).is_symlink()]
    if there == [CLAUDE, AGENTS] and f"@{AGENTS}" in _text(root / CLAUDE):
        return [AGENTS]
    return there or [AGENTS]


def stands(root: Path, policy: Policy, one: Proposal) -> bool:
    """Whether files or policy say it already."""
    edit = one.edit
    if edit.file == "instructions":
        return all(edit.value in _text(root / name) for name in instruction_files(root))
    if edit.file == "template":
        return any(one.subject in own.allow for own in policy.templates if own.name == edit.template)
    if edit.table == "hold":
        return one.subject in policy.hold
    if edit.table == "boundary":
        return any(one.subject == rule.path for rule in policy.deny)
    return any(edit.table == f"checks.{check.name}" or check.run == one.subject for check in policy.checks)


def put(root: Path, policy: Policy, one: Proposal) -> list[str]:
    """Write the edit; the files that changed. PassdownError before anything is written where one cannot be."""
    edit = one.edit
    if edit.file == "instructions":
        made = {name: _with_line(name, _text(root / name), edit.value) for name in instruction_files(root)}
    elif edit.file == "template":
        path = file_of(edit.template)
        text = edited(_template(root, policy, edit.template), edit, name=path)
        parse_template(path, text, name=edit.template)
        made = {path: text}
    else:
        made = _policy(root, one)
    for name in made:
        if (root / name).is_symlink() or (root / name).parent.resolve() != root.resolve() / Path(name).parent:
            raise PassdownError(f"{name} is reached through a link", f"add it by hand: {edit.value}")
    for name, text in made.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return list(made)


def _with_line(name: str, text: str, line: str) -> str:
    """The file with one line more in Passdown's block, which stands at the end where there is none yet."""
    where = span(text, name=name)
    lines = text[where[0] : where[1]].splitlines()[1:-1] if where is not None else [_HEAD]
    if len(lines) > _MOST:
        raise PassdownError(f"{name}: {_MOST} lines are learned already", "passdown learn --prune says which may go")
    return renewed(text, marked("\n".join([*lines, f"- {line}"])), name=name)[0]


def _policy(root: Path, one: Proposal) -> dict[str, str]:
    own, shared = _text(root / FILE), _text(root / PROJECT)
    if not own and _SECTION in shared:
        text = edited(shared, one.edit, name=PROJECT, prefix="tool.passdown.")
        parse(None, text)
        return {PROJECT: text}
    text = edited(own or "version = 1\n", one.edit, name=FILE)
    parse(text, None)
    return {FILE: text}


def _template(root: Path, policy: Policy, name: str) -> str:
    """The worktree's text of a template, else the built-in one's, which the team's own then replaces."""
    text = _text(root / file_of(name))
    if not text and (name not in ORDER or any(own.name == name for own in policy.templates)):
        raise PassdownError(f"{file_of(name)} is not in this worktree", "check out the branch that has it")
    return text or built_in_text(name)


def _text(path: Path) -> str:
    """What a file of the worktree holds; "" where there is none, or a link to somewhere."""
    if path.is_symlink() or not path.is_file():
        return ""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise PassdownError(f"{path.name}: expected UTF-8", "nothing was written") from error
