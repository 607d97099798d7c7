"""Judging what a payload would write, and saying it in the client's own form.

Exit 0 and silence: nothing to say. What goes wrong in here while a boundary may be armed ends with 2 and a line,
which every client takes for a denial; exit 1 would let the tool run.
"""

from __future__ import annotations

import os

from . import gate, lease, parent
from .journal import keep
from .place import Stop, armed, in_force, stands, worktree
from .rules import Rules
from .scan import Json, dumps, read, received, text_of
from .targets import may_write, shell_text, shells, targets
from .whole import become

OWN_FOLDER = ("/proc/self/cwd/", "/proc/thread-self/cwd/")
ASKING = ("default", "acceptEdits")
DENIED, ASKED, PASSED = "outside-blocked", "asked", "inside"
UNREAD = "not-read-back"
OWN_TOOLS = ("get_packet", "read_back", "note", "ask_widen", "check_path", "run_check", "status")


def judge(rules: Rules, cwd: str, asked: str) -> tuple[str, str, str, str]:
    """``(where, path, rule, because)`` of one path as the agent wrote it: where it lands, where a link there leads."""
    if "\0" in asked:
        return DENIED, asked, "outside", "a name with a NUL"
    for near in OWN_FOLDER:  # the agent's, not this process's
        asked = cwd + asked[len(near) - 1 :] if asked.startswith(near) else asked
    written = os.path.join(cwd, os.path.expanduser(asked))
    path = os.path.normpath(written)  # as clients resolve it; the system looks through a link before ".."
    real = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
    followed = os.path.realpath(path)
    here = rules.where(real)
    if here is None and rules.where(path) is None:
        return elsewhere(rules, followed)
    for form in dict.fromkeys((real, followed, os.path.realpath(written))):
        within = rules.where(form)
        if within is None:
            return DENIED, rules.where(path) or asked, "symlink", f"a symbolic link that leaves the worktree: {form}"
        inside, rule, because = rules.decide(within)
        if not inside and rule == "outside":
            spared = rules.spared(within)
            inside, rule = bool(spared), spared or rule
            because = because if spared else rules.crowded(within) or because
        if not inside:
            return DENIED, within, rule, because
    return PASSED, here or asked, rule, because


def elsewhere(rules: Rules, path: str) -> tuple[str, str, str, str]:
    """A path outside the worktree is not the boundary's, unless it is this repository's own."""
    if path == rules.common or path.startswith(rules.common + "/"):
        return DENIED, path, "protected", "git's own files are always protected"
    other = worktree(os.path.dirname(path), rules.common)
    if other is not None:
        return DENIED, path, "wrong-place", f"it lies in another worktree of this repository: {other[0]}"
    return PASSED, path, "elsewhere", "outside the repository"


def main(argv: list[str]) -> int:
    """One payload on standard input; ``argv`` after the program: the guard's folder, the agent, the event.

    Events: none (before a tool call), "after" one, "session" for the rest.
    """
    folder, agent, event = os.path.realpath(argv[1]), *(*argv[2:], "", "")[:2]
    common = os.path.dirname(os.path.dirname(folder))
    if event == "session":
        from .session import main as session  # not for a tool call

        return session(agent, folder, common)
    try:
        return answer(agent, folder, common, event)
    except Stop as stop:
        said = str(stop)
    except Exception as error:  # noqa: BLE001 -- whatever fails here denies, see above
        said = f"the guard failed ({type(error).__name__}: {error}); a person runs: passdown doctor"
    if not armed(folder):
        return 0
    os.write(2, f"Passdown: {' '.join(said.split())}\n".encode("utf-8", "backslashreplace"))
    return 2


def bound(folder: str, common: str, cwd: str) -> Rules | None:
    """The rules that bind a session: of the worktree it stands in; where it went elsewhere, of its project."""
    project = os.environ.get("CLAUDE_PROJECT_DIR")
    place = worktree(cwd, common) or (worktree(os.path.realpath(project), common) if project else None)
    return in_force(folder, *place, common) if place is not None else None


def landing(folder: str, common: str, cwd: str, path: str) -> Rules | None:
    """The rules that bind the worktree that a path lands in."""
    if "\0" in path:
        return None
    real = os.path.realpath(os.path.join(cwd, os.path.expanduser(path)))
    place = worktree(os.path.dirname(real), common)
    return in_force(folder, *place, common) if place is not None else None


def answer(agent: str, folder: str, common: str, event: str) -> int:
    """Judge what the payload would write, keep it, say it."""
    try:
        payload = received()
    except ValueError:
        raise Stop("the hook got no payload that it can read; nothing was decided") from None
    cwd = stands(payload)
    rules = bound(folder, common, cwd)
    if event == "after" and parent.inside():
        return parent.ask(agent, "after", payload) if rules is not None else 0
    if event == "after":
        return hand_over(rules, payload, "after_hook") if rules is not None else asleep(folder, common, cwd, payload)
    tool, given = text_of(payload.get("tool_name")), payload.get("tool_input")
    if own(tool):
        return allow(agent)
    wanted = dict.fromkeys(targets(tool, given if isinstance(given, dict) else {}))
    if rules is None:  # nothing binds where the agent stands; something may where it writes
        rules = next(filter(None, (landing(folder, common, cwd, path) for path in wanted)), None)
    if rules is None:
        return spoken(folder, payload, given, agent) if shells(tool, given) else 0
    displaced = lease.kept(text_of(rules.stored.get("lease")), payload)
    judged = [judge(rules, cwd, path) for path in wanted]
    refused = [each for each in judged if each[0] == DENIED]
    asks = bool(refused) and agent == "claude" and payload.get("permission_mode") in ASKING
    asks = asks and all(rule == "outside" for _, _, rule, _ in refused)
    mode = text_of(rules.stored["mode"])
    inside = next((path for where, path, rule, _ in judged if where == PASSED and rule != "elsewhere"), None)
    closed = (displaced or gate.shut(rules, payload)) if inside is not None and not refused else ""
    if inside is not None and closed:
        return not_read_back(rules, payload, closed, inside)
    for where, path, rule, _ in judged:
        kind = where if where != DENIED or mode == "enforce" else f"would-{DENIED}"
        keep(rules, payload, (ASKED if asks and where == DENIED else kind, path, rule))
    if not judged:
        keep(rules, payload, None)
    if not refused:
        return slow(rules, payload, given, agent) if shells(tool, given) else 0
    return say(mode, line(rules, refused), asks=asks)


def line(rules: Rules, refused: list[tuple[str, str, str, str]]) -> str:
    """One line: what, which rule, where to continue, how to ask."""
    _, path, rule, because = refused[0]
    more = f" (and {len(refused) - 1} more)" if len(refused) > 1 else ""
    go_on = text_of(rules.stored["go_on"])
    said = f"{path}{more} is outside what this run may write ({rule}: {because})."
    asked = f" To ask for it: passdown note --ask-widen {path} --because WHY."
    ask = "" if rule in ("protected", "wrong-place") else asked
    return " ".join((said + (f" Continue in {go_on}." if go_on else "") + ask).split())


def say(mode: str, text: str, *, asks: bool) -> int:
    """A denial, a question to the person, or advice, in the form that both clients take."""
    if mode == "observe":
        return 0
    output: Json = {"hookEventName": "PreToolUse"}
    if mode == "advise":
        output["additionalContext"] = f"Passdown: {text}"
    else:
        output["permissionDecision"] = "ask" if asks else "deny"
        output["permissionDecisionReason"] = f"Passdown: {text}"
    os.write(1, dumps({"hookSpecificOutput": output}).encode())
    return 0


def not_read_back(rules: Rules, payload: Json, text: str, path: str) -> int:
    """Refuse a write inside: the packet was not read back."""
    mode = text_of(rules.stored["mode"])
    keep(rules, payload, (UNREAD if mode == "enforce" else f"would-{UNREAD}", path, "readback"))
    return say(mode, text, asks=False)


def own(tool: str) -> bool:
    """Whether the tool is one of our own server's: it writes nothing but the record."""
    parts = tool.split("__", 2)
    return parts[:2] == ["mcp", "passdown"] and parts[-1] in OWN_TOOLS


def allow(agent: str) -> int:
    """Let one of our own calls through without a question; Codex takes no such answer."""
    if agent != "codex":
        output: Json = {"hookEventName": "PreToolUse", "permissionDecision": "allow"}
        output["permissionDecisionReason"] = "Passdown's own"
        os.write(1, dumps({"hookSpecificOutput": output}).encode())
    return 0


def slow(rules: Rules, payload: Json, given: object, agent: str) -> int:
    """A shell command that may write is read by the whole Passdown; the rest goes through."""
    worth = may_write(shell_text(given) if isinstance(given, dict) else "")
    return hand_over(rules, payload, "shell_hook", agent) if worth else 0


def spoken(folder: str, payload: Json, given: object, agent: str) -> int:
    """Where nothing binds, the whole Passdown hears a note or a read-back all the same."""
    line = shell_text(given) if isinstance(given, dict) else ""
    if "passdown" not in line or not ("note" in line or "readback" in line):
        return 0
    try:
        program = os.fsdecode(read(folder + "/program"))
    except OSError:
        return 0
    return become(program, payload, "shell_hook", [agent]) if os.access(program, os.X_OK) else 0


def hand_over(rules: Rules, payload: Json, module: str, agent: str = "") -> int:
    """Go on as the whole Passdown, in this process's place; where it is gone, the journal says ``unread``."""
    program = rules.stored["slow"]
    if not os.access(program, os.X_OK):
        keep(rules, payload, None, rule="unread")
        return 0
    return become(program, payload, module, [agent, rules.root])


def asleep(folder: str, common: str, cwd: str, payload: Json) -> int:
    """Where nothing binds any more: say so where this very call went to another branch."""
    from .asleep import tell  # after a call, and only here

    return tell(folder, common, cwd, payload)


def unread(folder: str) -> int:
    """Keep that a call was not read by the whole Passdown, which is gone; the payload is on standard input."""
    payload = received()
    rules = bound(folder, os.path.dirname(os.path.dirname(folder)), stands(payload))
    if rules is not None:
        keep(rules, payload, None, rule="unread")
    return 0
