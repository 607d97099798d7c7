"""``passdown template``: the kinds of handoffs; list them, show one, begin a team's own, check what was written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from passdown.checks.policy_places import FOLDER, MOST_BYTES, readable
from passdown.checks.template_file import decoded, file_of, named_by_file, parse_template
from passdown.cli.agent_process import person_only
from passdown.cli.context import Context
from passdown.cli.output import plain, print_json, say
from passdown.errors import EXIT_BAD_INPUT, PassdownError
from passdown.packet.templates import ORDER, built_in_text, find, known
from passdown.workspace.diff import read_path

if TYPE_CHECKING:
    from passdown.model.template import Template

_json = click.option("--json", "as_json", is_flag=True, help="One JSON document.")


@click.group(invoke_without_command=True, epilog="Example:  passdown template show failing-test")
@_json
@click.pass_context
def template(ctx: click.Context, as_json: bool) -> None:
    """List the kinds of handoffs, show one, begin one of your own, check what you wrote.

    A kind shapes what pack proposes, its checklist, when the next run stops and what holds. A team's own lie in
    .passdown/templates of the base branch. Without a word: list.
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_, as_json=as_json)
    elif as_json:
        raise click.UsageError(f"--json comes after {ctx.invoked_subcommand!r}", ctx)


@template.command("list", epilog="Example:  passdown template list --json")
@_json
def list_(as_json: bool) -> None:
    """List the templates in force, in the order in which they are tried."""
    from passdown.cli.template_screen import recognised

    context = Context(reads=True)
    found = known(context.policy.templates)
    waiting = _waiting(context)
    if as_json:
        print_json({"templates": found, "not_in_force": waiting})
        return
    width = max(len(one.name) for one in found) + 2
    for one in found:
        say(f"{one.name:<{width}}{plain(one.title)}")
        say(f"{'':<{width}}{plain(recognised(one.recognise))}{_from(one)}")
    if waiting:
        say(f"Not in force   {', '.join(plain(name) for name in waiting)}: other than in the base, or not there")
    say("Next   passdown template show NAME   or: passdown pack --template NAME")


@template.command(
    "show", short_help="Show what a template changes.", epilog="Example:  passdown template show paused-docs"
)
@click.argument("name")
@_json
def show(name: str, as_json: bool) -> None:
    """Show what the template NAME changes: proposal, checklist, stop, hold."""
    from passdown.cli.template_screen import rows

    found = find(name, Context(reads=True).policy.templates)
    if as_json:
        print_json(found)
        return
    for row in rows(found):
        say(plain(row))


@template.command("new", epilog="Example:  passdown template new migration --from general")
@click.argument("name")
@click.option("--from", "origin", metavar="NAME", help="The one to begin with.  [default: NAME itself, else general]")
@_json
@person_only("template new")
def new(name: str, origin: str | None, as_json: bool) -> None:
    """Write .passdown/templates/NAME.toml, to be edited. A built-in one's name replaces that one.

    It counts as soon as it is committed on the base branch.
    """
    context = Context(reads=True)
    path = file_of(name)
    text = _begun(context, origin or (name if name in ORDER else "general"), name)
    parse_template(path, text, name=name)
    _write(context.place.root, path, text)
    if as_json:
        print_json({"path": path, "template": name})
        return
    say(f"Written   {path}")
    say("Next      edit it, passdown template check, then commit it: it counts once the base branch has it")


@template.command(
    "check", short_help="Check the worktree's templates, or FILE.", epilog="Example:  passdown template check"
)
@click.argument("file", required=False)
@_json
def check(file: str | None, as_json: bool) -> int:
    """Read the worktree's templates, or FILE; tell the first mistake of each. Exit 2: there is one."""
    found = (
        [_checked(Path(file), file)] if file is not None else [*map(_lying, readable(Context(reads=True).place.root))]
    )
    if as_json:
        print_json({"files": found})
    elif not found:
        say(f"No template of your own in {FOLDER}: passdown template new NAME")
    else:
        for one in found:
            say(plain(one["mistake"] or f"{one['path']}: fine"))
    return EXIT_BAD_INPUT if any(one["mistake"] for one in found) else 0


def _from(one: Template) -> str:
    return f"   ({one.source})" if one.source else ""


def _waiting(context: Context) -> list[str]:
    """The worktree's templates that the base has otherwise or not at all, by name; broken ones too."""
    in_force = {one.name: one for one in context.policy.templates}
    found = []
    for path in readable(context.place.root):
        name = named_by_file(path.name)
        mine = None if _lying(path)["mistake"] else parse_template(path.name, _text(path), name=name)
        base = in_force.get(name)
        if mine is None or base is None or not base.shapes_as(mine):
            found.append(name)
    return found


def _lying(path: Path) -> dict[str, str | None]:
    """A file of the team's folder, as the repository names it."""
    return _checked(path, f"{FOLDER}/{path.name}")


def _checked(path: Path, called: str) -> dict[str, str | None]:
    """The file as one line: where it lies, its name, its first mistake."""
    name, mistake = named_by_file(path.name), None
    try:
        parse_template(called, _text(path), name=name)
    except PassdownError as error:
        mistake = error.message
    return {"path": called, "template": name, "mistake": mistake}


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return decoded(path.name, file.read(MOST_BYTES + 1))
    except OSError as error:
        raise PassdownError(f"{path}: {error.strerror}", "passdown template check FILE") from error


def _begun(context: Context, origin: str, name: str) -> str:
    """The TOML of another template, under the new name; comments stay."""
    source = find(origin, context.policy.templates).source
    if source is None:
        text = built_in_text(origin)
    else:
        data = read_path(context.place, context.policy.revision or "", file_of(origin))
        text = decoded(file_of(origin), data or b"")
    words = f'words = ["{name.replace("-", " ")}"]   # that the request says; or items, paths: docs/templates.md'
    changed = {"name": f'name = "{name}"'} | ({"always": words} if name != origin else {})
    lines = text.split("\n")
    return "\n".join(changed.get(line.partition(" = ")[0], line) for line in lines)


def _write(root: Path, path: str, text: str) -> None:
    """A new file; what is there is never written over, and no link is followed out of the worktree."""
    target = root / path
    for folder in (target.parent.parent, target.parent):
        if folder.is_symlink():
            raise PassdownError(f"{folder.relative_to(root)} is a link", "templates lie in a folder of the repository")
        folder.mkdir(exist_ok=True)
    try:
        with target.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise PassdownError(f"{path} is there already", f"edit it, then passdown template check {path}") from error
