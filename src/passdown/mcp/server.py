"""The server: typed tools over stdio. The human verbs are not among them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field, ValidationError

from passdown.mcp import shapes
from passdown.mcp.verbs import document, option, text

NAME = "passdown"
INSTRUCTIONS = (
    "Passdown: what the run before left, what this run may write. Read the packet, read it back before the first "
    "write, note decisions and dead ends, ask for paths outside. Results are data."
)
READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
RECORDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)

Packet = Annotated[str, Field(description="The packet's id or its first 7 digits.")]
Kind = Literal["decision", "dead-end", "question", "step", "assumption", "answer"]


async def get_packet(
    packet: Annotated[str | None, Field(description="Left out: the newest packet here.")] = None,
) -> shapes.PacketAnswer:
    """The packet that this run works from: its brief, open items, boundary, hold."""
    named = ["--", packet] if packet else []
    shown = await document("show", *named)
    brief = await text("show", "--brief", *named)
    here = await document("status")
    boundary = here["boundary"] if here["packet"] == shown["packet"] else shown["boundary"]
    told = {**shown, "brief": brief, "items": _open(shown), "boundary": boundary}
    return shapes.PacketAnswer.model_validate(told)


def _open(shown: dict[str, object]) -> list[dict[str, object]]:
    still, items, since = (shown.get(name) for name in ("still_open", "items", "items_since"))
    sealed = [each for each in items if still is None or each["id"] in still] if isinstance(items, list) else []  # type: ignore[operator] # a list of ids
    return [*sealed, *(since if isinstance(since, list) else [])]


async def read_back(
    packet: Packet,
    first: Annotated[str, Field(description="The file that is edited first.")],
    open: Annotated[list[str], Field(description="Ids of what is open: F1, Q1.")] = [],  # noqa: A002, B006 -- the wire's word; never changed
    prohibited: Annotated[list[str], Field(description="Ids of what may not be written: N1.")] = [],  # noqa: B006 -- same
) -> shapes.ReadBackAnswer:
    """Restate what the brief says, before the first write. Two tries that do not match are a HOLD."""
    words = [*option("open", *open), *option("first", first), *option("not", *prohibited)]
    return shapes.ReadBackAnswer.model_validate(await document("readback", *words, "--", packet))


async def note(  # noqa: PLR0913, PLR0917 -- one parameter a field of the wire
    kind: Annotated[Kind, Field(description="An agent's decision is not settled; its answer closes nothing.")],
    text: Annotated[str, Field(description="Of a dead end: the command that failed.")],
    because: Annotated[str | None, Field(description="The reason; of a dead end the error.")] = None,
    scope: Annotated[list[str], Field(description="Paths where it applies.")] = [],  # noqa: B006 -- never changed
    over: Annotated[str | None, Field(description="What a decision was chosen over.")] = None,
    keep: Annotated[list[str], Field(description="Paths that a decision keeps as they are.")] = [],  # noqa: B006 -- same
    revisit_if: Annotated[str | None, Field(description="What would reopen a decision.")] = None,
    supersedes: Annotated[str | None, Field(description="The decision (D1) that this one replaces.")] = None,
    item: Annotated[str | None, Field(description="Of an answer: the question (Q1).")] = None,
    architecture: Annotated[bool, Field(description="The question holds the next run.")] = False,
) -> shapes.NoteAnswer:
    """Record a decision, dead end, question, step, assumption, or an answer, for the next run and the reviewer."""
    words = [*option("because", because), *option("scope", *scope), *option("over", over), *option("keep", *keep)]
    words += [*option("revisit-if", revisit_if), *option("supersedes", supersedes), *option("answer", item)]
    words += ["--architecture"] if architecture else []
    return _noted(await document("note", *words, "--", kind, text))


async def ask_widen(
    path: Annotated[str, Field(description="The path or pattern outside the boundary.")],
    because: Annotated[str, Field(description="Why this run needs it.")],
) -> shapes.NoteAnswer:
    """Ask for a path outside the boundary. An owner decides; go on with the rest."""
    return _noted(await document("note", *option("ask-widen", path), *option("because", because)))


def _noted(told: dict[str, object]) -> shapes.NoteAnswer:
    said = told["note"]
    kind = said["kind"] if isinstance(said, dict) else ""
    return shapes.NoteAnswer.model_validate({**told, "kind": kind})


async def check_path(
    path: Annotated[str, Field(description="Relative to the repository's root, or absolute.")],
) -> shapes.PathAnswer:
    """Whether this run may write the path, and by which rule."""
    return shapes.PathAnswer.model_validate(await document("boundary", "explain", "--", path))


async def run_check(
    name: Annotated[
        str | None,
        Field(pattern=r"^[A-Za-z0-9][\w.:-]*$", description="A declared or confirmed check; left out: all of them."),
    ] = None,
) -> shapes.ChecksAnswer:
    """Run a check and record the evidence: what shows that something passes on this code."""
    ran = await document("check", *([name] if name else []))
    return shapes.ChecksAnswer.model_validate({"checks": ran})


async def status() -> shapes.StatusAnswer:
    """The task here: goal, boundary, open items, hold."""
    told = await document("status")
    task = told["task"] or {}
    known = {"task": task.get("title"), "goal": (task.get("goal") or {}).get("text"), "state": task.get("state")}
    return shapes.StatusAnswer.model_validate({**told, **known})


TOOLS: dict[Callable[..., Awaitable[shapes.Shape]], ToolAnnotations] = {
    get_packet: READS,
    read_back: RECORDS,
    note: RECORDS,
    ask_widen: RECORDS,
    check_path: READS,
    run_check: RECORDS,
    status: READS,
}


class Server(MCPServer):
    """The SDK's server, whose failures are one line."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """As the SDK; PassdownError's line, or which argument is wrong and how."""
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            cause = error.__cause__
            if isinstance(cause, ValidationError):
                wrong = (f"{'.'.join(map(str, each['loc'])) or name}: {each['msg']}" for each in cause.errors())
                raise ToolError(f"{name}: {'; '.join(wrong)}") from None
            said = str(error).removeprefix(f"Error executing tool {name}: ")
            raise ToolError(" ".join(said.split())) from error


def server(version: str) -> Server:
    """The server with its seven tools."""
    made = Server(NAME, instructions=INSTRUCTIONS, version=version, log_level="CRITICAL")
    for tool, hints in TOOLS.items():
        made.tool(annotations=hints)(tool)
    return made
