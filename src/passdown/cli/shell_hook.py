"""The guard's long way for a shell command: read it, rescue before it destroys, deny what it obviously writes outside.

Run by the hook in its own place, with the payload on standard input; the answer is the client's JSON. Arguments: the
client, and the root of the worktree that binds the session, wherever it stands; none where nothing binds it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from passdown.cli import hearing
from passdown.errors import in_a_line
from passdown.guard.hook import answer, gate, lease, parent
from passdown.guard.hook.journal import keep
from passdown.guard.hook.place import stands, worktree
from passdown.guard.hook.rules import Rules
from passdown.guard.hook.scan import Json, received, text_of
from passdown.guard.hook.targets import runs_in, shell_text
from passdown.guard.place_rules import place_and_rules
from passdown.guard.shell_judge import first_write, judge_line
from passdown.rules.destructive import destroys, shares_stash
from passdown.rules.literal import literal_words, spoken
from passdown.rules.shell_call import Call
from passdown.rules.shell_runs import all_calls
from passdown.rules.shell_words import program, unwrap

PERSONS = ("boundary", "start", "lift", "off", "on", "outcome", "review", "init", "hold", "github", "serve", "attest")
PERSONS_OPTIONS = {
    "check": ("--confirm",),
    "doctor": ("--fix",),
    "learn": ("--take", "--refuse"),
    "resume": ("--with", "--take-over"),
    "sync": ("--yes", "--with-work", "--allow-secret"),
    "template": ("new",),
}
HELP = ("-h", "--help")
OPEN_BOUNDARY = ("show", "explain")
NAME = "passdown"
FED = ("xargs", "parallel")
AGENTS = ("note", "readback", "status", "show", "check")


def main() -> int:
    """One payload on standard input; 2 and a line where this fails, which denies."""
    try:
        return _answer(received(), *sys.argv[1:3])
    except Exception as error:  # noqa: BLE001 -- exit 1 would let the command run: whatever fails here denies
        sys.stderr.write(f"Passdown: the guard failed ({in_a_line(error)}); a person runs: passdown doctor\n")
        return 2


def _answer(payload: Json, agent: str, root: str = "") -> int:
    given = payload.get("tool_input")
    if not isinstance(given, dict):
        return 0
    line, cwd = shell_text(given), runs_in(stands(payload), given)
    found = place_and_rules(Path(root)) if root else None
    if found is None:
        return _hear(payload, line, cwd, agent) or 0
    place, rules, _ = found
    programs = all_calls(line)
    said = next(filter(None, map(_persons, programs)), None)
    if said is None and any(shares_stash(call.words) and _works_in(call, cwd, rules) for call in programs):
        said = "the stash is shared by all worktrees of a repository; keep work by: passdown rescue, or a commit"
    if said is not None:
        return answer.say(text_of(rules.stored["mode"]), said, asks=False)
    refused = judge_line(rules, cwd, line, place)
    for where, path, rule, _ in refused:
        keep(rules, payload, (where, path, rule))
    if refused:
        return answer.say(text_of(rules.stored["mode"]), answer.line(rules, refused), asks=False)
    told = _hear(payload, line, cwd, agent)
    if told is not None:
        return told
    shut = lease.kept(text_of(rules.stored.get("lease")), payload) or gate.shut(rules, payload)
    first = first_write(rules, cwd, line) if shut else None
    if first is not None:
        return answer.not_read_back(rules, payload, shut, first)
    for call in programs:
        what = destroys(call.words)
        at = _works_in(call, cwd, rules) if what is not None else ""
        if at:
            _rescue(at, what or "")
            break
    return answer.allow(agent) if _agents(line) else 0


def _hear(payload: Json, line: str, cwd: str, agent: str) -> int | None:
    """Record a note or read-back that is the whole command, and let it through; None where the line is something else.

    Its client may keep ``.git`` read-only for the command, but not for this hook.
    """
    words = spoken(line, NAME, hearing.VERBS)
    if words is None:
        return None
    hearing.hear(words, cwd, text_of(payload.get("tool_use_id")), text_of(payload.get("session_id")))
    return answer.allow(agent) if _agents(line) else 0


def _works_in(call: Call, cwd: str, rules: Rules) -> str:
    """The root of this repository's worktree that the command works in, "" where its words lead elsewhere."""
    named = [after for word, after in zip(call.words, call.words[1:], strict=False) if word == "-C"]
    folders = [*([call.folder] if call.folder else []), *named]
    at = str(Path(cwd, *map(os.path.expanduser, folders)))
    found = worktree(os.path.realpath(at), rules.common)
    return rules.root if "$" in at else found[0] if found is not None else ""


def _verb(call: Call) -> list[str] | None:
    """The words after ``passdown``, None where another program runs."""
    words = list(unwrap(call.words))
    return words[1:] if words and program(words[0]).partition(".")[0] == NAME else None


def _persons(call: Call) -> str | None:
    """Why an agent may not run this verb, None where it may."""
    words = _verb(call)
    if words is not None and program(call.words[0]) in FED and (words[:1] or [":::"])[0][:3] in ("<<<", ":::"):
        return "`passdown` with words that come from elsewhere may be a person's decision; type the command itself"
    if not words:
        return None
    plain = [word for word in words if not word.startswith("-")]
    verb = plain[0] if plain else ""
    asked = words[-1] in HELP and all(word in (*plain[:2], *HELP) for word in words)  # elsewhere it is a value
    if asked or (verb == "boundary" and (plain[1:2] or ["show"])[0] in OPEN_BOUNDARY):
        return None
    option = next((word for word in map(_name, words) if word in PERSONS_OPTIONS.get(verb, ())), "")
    if verb in PERSONS or option:
        said = f"{verb} {option}".strip()
        return (
            f"`passdown {said}` is a person's decision; say what you need: passdown note --ask-widen PATH --because WHY"
        )
    return None


def _name(word: str) -> str:
    return word.partition("=")[0]


def _agents(line: str) -> bool:
    """Whether the line is one command of ours that an agent needs no permission for, and does nothing besides.

    What the client would ask about stays its question: a program of that name elsewhere, a variable set for it, a
    program that starts it, a file that takes its output, a word that the shell works out.
    """
    words = literal_words(line)
    if words is None or words[0] not in (NAME, str(Path(sys.executable).with_name(NAME))) or words[1:2] == []:
        return False
    return words[1] in AGENTS and "--confirm" not in map(_name, words) and "--" not in words


def _rescue(root: str, what: str) -> None:
    from passdown.cli.context import Context
    from passdown.cli.rescued import record_rescue

    os.chdir(root)
    why = f"before a command that can destroy {what}"
    if parent.inside():
        from passdown.cli import inside

        inside.rescue(why)
        return
    record_rescue(Context(), why)


if __name__ == "__main__":
    sys.exit(main())
