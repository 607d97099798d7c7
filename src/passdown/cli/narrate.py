"""``pack --narrate``: an agent's own client, headless and outside the repository, or the llm program, tells it."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from passdown.cli.output import aside, plain
from passdown.errors import PassdownError
from passdown.packet.narration import SCHEMA, asked, facts, narrated, sentences
from passdown.rules.amount import amount

if TYPE_CHECKING:
    from collections.abc import Callable

    from passdown.model.packet import Packet

SECONDS = 120.0
_OUTPUT = 1024 * 1024
_SAID = 200


class Narrator(Struct, frozen=True):
    """Who tells it, and the whole command; ``answer``: the file that it writes, else its standard output.

    ``plain``: the command for a model that takes no schema.
    """

    who: str
    argv: list[str]
    answer: Path | None = None
    plain: list[str] | None = None


class SilentError(Exception):
    """No narration, and why in a few words."""


def narrate(packet: Packet, said: str, root: Path, redact: Callable[[str], str], seconds: float = SECONDS) -> Packet:
    """The packet with what the narrator says of it; where it says nothing, one line why, and the packet as it was."""
    known = facts(packet)
    try:
        with tempfile.TemporaryDirectory(prefix="passdown-narrate-") as folder:
            narrator = narrator_of(said, root, Path(folder))
            answer = _told(narrator, asked(known), Path(folder), seconds)
        told = sentences(redact(answer), known)
    except SilentError as why:
        aside(f"Not narrated: {plain(str(why))}. The packet is sealed without it.")
        return packet
    if not told:
        why_not = "the answer is not of the shape that was asked for" if told is None else "no sentence cites a fact"
        aside(f"Not narrated: {why_not}. The packet is sealed without it.")
        return packet
    aside(f"{amount(len(told), 'sentence')} of {plain(narrator.who)}, each only said.")
    return narrated(packet, told, narrator.who)


def known_narrator(said: str) -> str:
    """The words as they are; PassdownError where they name no narrator."""
    try:
        words = shlex.split(said)
    except ValueError as error:
        raise PassdownError(f"--narrate {said!r}: {error}", "--narrate claude, codex or llm:MODEL") from error
    first = words[0] if words else ""
    if first not in ("claude", "codex") and not (first.startswith("llm:") and first != "llm:"):
        raise PassdownError(f"--narrate {said!r}: no narrator of that name", "--narrate claude, codex or llm:MODEL")
    return said


def narrator_of(said: str, root: Path, folder: Path) -> Narrator:
    """The command, its tools off, its session kept nowhere; SilentError where its program is not here."""
    first, *options = shlex.split(said)
    if first.startswith("llm:"):
        model = first.removeprefix("llm:")
        argv = [sys.executable, "-m", "llm"] if find_spec("llm") is not None else [_program("llm", root)]
        argv += ["-m", model, "--no-stream", "--no-log", *options]
        return Narrator(first, [*argv, "--schema", json.dumps(SCHEMA)], plain=argv)
    program = _program(first, root)
    if first == "claude":
        return Narrator(first, [program, "--print", "--output-format", "json", *_quiet(), *options])
    schema, answer = folder / "schema.json", folder / "answer.json"
    schema.write_text(json.dumps(SCHEMA))
    kept = ["--ephemeral", "--skip-git-repo-check", "--sandbox", "read-only", "--ignore-rules"]
    asks = ["--output-schema", str(schema), "--output-last-message", str(answer), "--cd", str(folder)]
    return Narrator(first, [program, "exec", *kept, *asks, *options, "-"], answer)


def _quiet() -> list[str]:
    """Claude Code without tools, hooks, servers, commands and a session of its own."""
    return [
        *("--json-schema", json.dumps(SCHEMA)),
        *("--tools", ""),
        *("--settings", json.dumps({"disableAllHooks": True})),
        *("--setting-sources", "user"),
        "--strict-mcp-config",
        "--disable-slash-commands",
        "--no-session-persistence",
    ]


def _program(name: str, root: Path) -> str:
    found = shutil.which(name)
    if found is None or root in Path(found).absolute().parents or root in Path(found).resolve().parents:
        raise SilentError(f"{name} is not on PATH")
    return found


def _told(narrator: Narrator, prompt: str, folder: Path, seconds: float) -> str:
    try:
        return _answer(narrator, prompt, folder, seconds)
    except SilentError as why:
        if narrator.plain is None or "schema" not in str(why).casefold():
            raise
    return _answer(replace(narrator, argv=narrator.plain), prompt, folder, seconds)


def _answer(narrator: Narrator, prompt: str, folder: Path, seconds: float) -> str:
    """Its answer's JSON text."""
    out = folder / "out"
    with out.open("wb") as stdout, (folder / "err").open("wb") as stderr:
        process = subprocess.Popen(
            narrator.argv, cwd=folder, stdin=subprocess.PIPE, stdout=stdout, stderr=stderr, start_new_session=True
        )
        try:
            process.communicate(prompt.encode("utf-8", "replace"), timeout=seconds)
        except subprocess.TimeoutExpired:
            raise SilentError(f"{narrator.who} said nothing within {seconds:.0f} s") from None
        finally:
            _end(process)
    text = _head(out)
    if process.returncode:
        said = (_head(folder / "err").strip() or text.strip()).splitlines()
        raise SilentError(f"{narrator.who} ended with {process.returncode}" + (f": {said[-1][:_SAID]}" if said else ""))
    if narrator.answer is not None:
        return _head(narrator.answer)
    return _structured(text) if narrator.who == "claude" else text


def _structured(text: str) -> str:
    """The answer within Claude Code's result document."""
    try:
        document = json.loads(text)
    except ValueError:
        return text
    if not isinstance(document, dict):
        return text
    structured = document.get("structured_output")
    return json.dumps(structured) if isinstance(structured, dict) else str(document.get("result") or "")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Whatever it left running goes with it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _head(file: Path) -> str:
    try:
        with file.open("rb") as stream:
            return stream.read(_OUTPUT).decode("utf-8", "replace")
    except OSError:
        return ""
