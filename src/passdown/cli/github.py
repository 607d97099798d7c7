"""``passdown github``: publish a packet to a pull request, and read from it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from passdown.cli.agent_process import person_only
from passdown.cli.context import Context
from passdown.cli.github_again import converse
from passdown.cli.output import plain, print_json, say
from passdown.cli.weighing import as_it_stands
from passdown.errors import PassdownError

VERIFIED = {
    "holds": "what was committed lies inside the boundary",
    "does-not-hold": "what was committed does not lie inside the boundary",
    "undecided": "could not be decided",
}
if TYPE_CHECKING:
    from passdown.forge.client import Github
    from passdown.forge.shapes import Pull
    from passdown.model.packet import HoldState, Packet

_HERE = ("wrong-place", "content-missing")
_REMOTE = click.option("--remote", metavar="NAME", help="The git remote on GitHub; default: the branch's, else origin.")
_PR = click.option("--pr", metavar="N", type=int, help="The pull request; default: the CI job's, else the branch's.")
_YES = click.option("--yes", is_flag=True, help="The remote's address is right, although it is another than before.")
_JSON = click.option("--json", "as_json", is_flag=True, help="One JSON document; nothing is asked.")


@click.group(epilog="Example:  passdown github publish --pr 12")
def github() -> None:
    """Publish to a pull request on GitHub, and read from it.

    A token comes from GH_TOKEN or GITHUB_TOKEN, else from `gh auth token`. docs/github.md says what it may do.
    """


@github.command(
    short_help="Keep one comment and one commit status up to date.", epilog="Example:  passdown github publish --pr 12"
)
@click.argument("packet", required=False)
@_PR
@_REMOTE
@click.option("--allow-secret", metavar="PATH", multiple=True, help="No secret stands in this file. Repeatable.")
@click.option("--no-status", is_flag=True, help="The comment alone, no commit status.")
@click.option("--dry-run", is_flag=True, help="Print the comment; nothing is sent.")
@click.option("--branch", metavar="NAME", help="The newest packet of that branch, whoever packed it: for CI.")
@click.option("--verified", type=click.Choice(list(VERIFIED)), help="What `passdown verify` answered there: for CI.")
@_YES
@_JSON
@person_only("github publish")
def publish(packet: str | None, pr: int | None, remote: str | None, **more: Any) -> None:
    """Keep one comment and one commit status up to date: what `show --markdown` says, and lines to answer with.

    Nothing is published while a secret stands in it. Run it again whenever something failed: it looks first, and
    never makes a second comment.
    """
    from passdown.cli.github_answers import lapse_answers
    from passdown.cli.github_secrets import refuse_secrets
    from passdown.cli.github_text import comment_text

    context = Context(reads=more["dry_run"])
    chosen = newest_of(context, more["branch"]) if more["branch"] and not packet else context.packet(packet)
    judged = VERIFIED.get(more["verified"] or "")
    shown = _shown(context, chosen)
    text = comment_text(context, shown, None, judged)
    refuse_secrets(context, shown, text, more["allow_secret"])
    if more["dry_run"]:
        say(text.rstrip("\n"))
        return
    with converse(context, remote, yes=more["yes"], asks=not more["as_json"]) as hub:
        found = _pull(context, hub, pr)
        if lapse_answers(context, hub, found, shown.task.id):
            shown = _shown(context, chosen)
        told = _publish(context, (hub, found), shown, judged, status=not more["no_status"])
    if more["as_json"]:
        print_json(told)
        return
    removed = f", {told['removed']} older of ours taken away" if told["removed"] else ""
    say(f"Comment  {told['comment']}{removed}   {plain(str(told['url']))}")
    if told["state"]:
        say(f"Status   {told['state']}: {plain(str(told['description']))}")


def newest_of(context: Context, branch: str) -> Packet:
    """The newest packet that was sealed on that branch, in this clone or another."""
    import msgspec

    from passdown.model.packet import Packet

    for record in reversed(context.recorder.records(type="packet")):
        body = record.body
        if record.trusted and isinstance(body, Packet) and body.place.branch == branch:
            return msgspec.structs.replace(body, packet=record.id)
    raise PassdownError(
        f"no packet of branch {plain(branch)} is in this clone", "passdown sync fetches what others recorded"
    )


def _shown(context: Context, packet: Packet) -> Packet:
    """The packet as of now, without what only says where this clone stands."""
    from passdown.cli.show import in_force

    return without_place(in_force(context, as_it_stands(context, packet)))


def without_place(packet: Packet) -> Packet:
    """Without the reasons that speak of this machine's folders: they are nobody's business elsewhere."""
    import msgspec

    from passdown.model.packet import Hold

    reasons = [reason for reason in packet.hold.reasons if reason.code not in _HERE]
    levels = {reason.level for reason in reasons}
    state: HoldState = "HOLD" if "hold" in levels else "WATCH" if "watch" in levels else "GO"
    return msgspec.structs.replace(packet, hold=Hold(state=state, reasons=reasons))


@github.command(short_help="Take in what the pull request says now.", epilog="Example:  passdown github pull --pr 12")
@_PR
@_REMOTE
@_YES
@_JSON
@person_only("github pull")
def pull(pr: int | None, remote: str | None, *, yes: bool, as_json: bool) -> None:
    """Take in what the pull request says now: remarks of reviewers, CI's results, what is asked for, answers.

    An answer is a comment whose first line is `/passdown approve PACKET` (or narrow, rollback, handover), by an owner
    of the boundary's paths. Each is read again before it counts; an edited or deleted one counts no more. An approving
    review is none.
    """
    from passdown.cli.github_answers import Talk, take_answers
    from passdown.cli.github_pull import read_pull
    from passdown.cli.github_screen import document, lines
    from passdown.forge.people import People

    context = Context()
    task = context.need_task()
    with converse(context, remote, yes=yes, asks=not as_json) as hub:
        found = _pull(context, hub, pr)
        seen = read_pull(context, hub, found, task)
        told = take_answers(context, Talk(hub, found, People(hub), seen.ran), task.id)
    if as_json:
        print_json(document(found.number, seen, told))
        return
    for line in lines(found.number, seen, told):
        say(line)


def _publish(
    context: Context, where: tuple[Github, Pull], packet: Packet, judged: str | None, *, status: bool
) -> dict[str, object]:
    from passdown.cli.github_text import comment_text, light_of
    from passdown.forge.publish import DESCRIPTION, Light, put_comment, put_status, viewer

    hub, pull = where
    other = elsewhere(context, pull, packet)
    text = comment_text(context, packet, other, judged)
    posted = put_comment(hub, pull.number, packet.task.id, text, viewer(hub))
    state, description = light_of(packet, other)
    description = description if len(description) <= DESCRIPTION else f"{description[: DESCRIPTION - 3].rstrip()}..."
    light = Light(state, description, posted.url)
    changed = put_status(hub, pull.head.sha, light) if status else None
    return {
        "packet": packet.packet, "pull_request": pull.number, "comment": posted.done, "url": posted.url,
        "removed": len(posted.removed), "state": state if status else None,
        "description": description if status else None, "status_set": changed, "commit": pull.head.sha,
    }  # fmt: skip


def elsewhere(context: Context, pull: Pull, packet: Packet) -> str | None:
    """Why the request's newest commit is not what was packed; None where it is, file by file."""
    from passdown.workspace import history

    sha = pull.head.sha
    here = history.resolve(context.place, sha) if _is_id(sha) else None
    if here is None:
        return f"the pull request is at {plain(sha)[:7]}, which is not in this clone"
    if history.commit_tree_of(context.place, here) != packet.place.commit_tree:
        return f"the pull request is at {sha[:7]}, and the packet is not of what that commit holds"
    return None


def _is_id(text: str) -> bool:
    return len(text) in (40, 64) and not set(text) - set("0123456789abcdef")


def _pull(context: Context, hub: Github, number: int | None) -> Pull:
    from passdown.forge.request import find_pull

    return find_pull(hub, number, context.place.branch, os.environ)
