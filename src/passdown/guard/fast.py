"""The agents' pre-tool hook: one payload in, one answer out, from compiled rules. Standard library alone, no git.

It runs as a copy of itself under ``<common>/passdown/guard/``, without the package: ``python -I -S COPY AGENT``.
:mod:`passdown.guard.compiled` writes the rules that it reads. Exit 0 and silence: nothing to say. A denial is the
client's own JSON; what goes wrong in here while a boundary is armed ends with 2 and a line, which every client takes
for a denial. ``re`` and ``json`` would double its time: the rules carry compiled patterns, ``_json`` scans alone.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

Json = dict[str, object]

EDITORS = ("Edit", "Write", "MultiEdit", "NotebookEdit", "Update", "Create", "str_replace_based_edit_tool")
SHELLS = ("Bash", "PowerShell", "shell", "local_shell", "exec_command")
PATH_FIELDS = ("file_path", "notebook_path", "path")
MCP_FIELDS = (
    *PATH_FIELDS,
    "filename",
    "file",
    "filepath",
    "filePath",
    "uri",
    "source",
    "target",
    "destination",
    "paths",
    "files",
    "edits",
    "from",
    "to",
    "old_path",
    "new_path",
    "relative_path",
)
READERS = frozenset(
    "read get list search find view show stat status fetch query grep glob describe info tree cat head tail diff log "
    "exists check open lookup inspect".split()
)
PATCH_LINES = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")
ASKING = ("default", "acceptEdits")
HFS = dict.fromkeys((*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF))
DENIED, ASKED, PASSED = "outside-blocked", "asked", "inside"


class Stop(Exception):  # noqa: N818 -- it stops this process, it is no error of a program
    """End with a line for the agent and exit code 2."""


# reading
def loads(text: str) -> object:
    """The JSON value of ``text``; ValueError where it is none."""
    try:
        from _json import make_scanner  # CPython's own scanner, without re and json
    except ImportError:
        import json  # another interpreter: slower, the same

        return json.loads(text)
    text = text.strip()
    try:
        value, end = make_scanner(_Scan())(text, 0)  # type: ignore[arg-type] # what it reads of a decoder
    except StopIteration:
        end = -1
    if end != len(text):
        raise ValueError("not one JSON value")
    return value


class _Scan:
    strict = False
    object_hook = object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


def read(path: str) -> bytes:
    """The file's bytes; OSError as usual."""
    with open(path, "rb", buffering=0) as file:
        return file.read()


def text_of(value: object) -> str:
    """A string field, empty where it is none."""
    return value if isinstance(value, str) else ""


# patterns
class Pattern:
    """A compiled pattern from the rules: code for this interpreter's matcher, else the expression itself."""

    def __init__(self, stored: Json, magic: object) -> None:
        self._search = _compiled(stored, magic)

    def hits(self, path: str) -> bool:
        """Whether it matches the normalised path."""
        return self._search(path) is not None


def _compiled(stored: Json, magic: object) -> Callable[[str], object]:
    import _sre  # type: ignore[import-not-found] # what re itself stands on

    code = stored.get("code")
    groups = stored["groups"]
    if isinstance(code, list) and isinstance(groups, int) and magic == [_sre.MAGIC, _sre.CODESIZE, sys.version]:
        names: tuple[None, ...] = (None,) * (groups + 1)
        found: Callable[[str], object] = _sre.compile(stored["text"], stored["flags"], code, groups, {}, names).search
        return found
    import re  # another version than the one that compiled

    return re.compile(text_of(stored["text"])).search


def folded(path: str, *, fold_case: bool) -> str:
    """The path as it is compared: NFC, and case-folded where the file system does so."""
    if path.isascii():
        return path.casefold() if fold_case else path
    from unicodedata import normalize  # only for names that need it

    path = normalize("NFC", path)
    return normalize("NFC", path.casefold()) if fold_case else path


# the place
def worktree(start: str, common: str) -> tuple[str, str] | None:
    """``(root, git dir)`` of this repository's worktree around a real path; nested repositories are looked past."""
    here = start
    while True:
        git_dir = _git_dir(here)
        if git_dir is not None and _common_of(git_dir) == common:
            return here, git_dir
        above = os.path.dirname(here)
        if above == here:
            return None
        here = above


def _git_dir(folder: str) -> str | None:
    dot = folder.rstrip("/") + "/.git"
    if os.path.isdir(dot):
        return os.path.realpath(dot)
    try:
        said = read(dot)
    except OSError:
        return None
    if not said.startswith(b"gitdir:"):
        return None
    return os.path.realpath(os.path.join(folder, os.fsdecode(said[7:].strip())))


def _common_of(git_dir: str) -> str:
    try:
        said = os.fsdecode(read(git_dir + "/commondir").strip())
    except OSError:
        return git_dir
    return os.path.realpath(os.path.join(git_dir, said))


def branch_of(git_dir: str) -> str | None:
    """The branch's name, None where HEAD is detached."""
    head = os.fsdecode(read(git_dir + "/HEAD").strip())
    return head[5:].strip().removeprefix("refs/heads/") if head.startswith("ref:") else None


# the rules
class Rules:
    """The boundary of one worktree and branch, asked one path at a time; equal to ``rules.decide``."""

    def __init__(self, stored: Any, root: str, common: str) -> None:
        self.stored = stored
        self.root = root
        self.common = common
        self.fold_case = stored["fold_case"] is True

    def pattern(self, stored: object) -> Pattern | None:
        """A pattern of the rules, None where there is none."""
        return Pattern(stored, self.stored["magic"]) if isinstance(stored, dict) else None

    def where(self, path: str) -> str | None:
        """A repository-relative path, ``.`` for the root itself; None where it lies elsewhere."""
        if path == self.root:
            return "."
        inside = self.root.rstrip("/") + "/"
        return path[len(inside) :] if path.startswith(inside) else None

    def decide(self, path: str) -> tuple[bool, str, str]:
        """``(inside, rule, because)`` of a repository-relative path."""
        why = self._protected(path)
        if why:
            return False, "protected", why
        name = folded(path, fold_case=self.fold_case)
        for kind in ("deny", "allow"):
            entry = self._entry(kind, name)
            if entry is not None:
                return kind == "allow", *entry
        return False, "outside", "not listed in the boundary"

    def _entry(self, kind: str, name: str) -> tuple[str, str] | None:
        listed = self.stored[kind]
        either = self.pattern(listed["any"])
        if either is None or not either.hits(name):
            return None
        for each, entry in zip(listed["each"], listed["entries"], strict=True):
            if Pattern(each, self.stored["magic"]).hits(name):
                return entry[0], entry[1]
        return None

    def _protected(self, path: str) -> str:
        control = self.pattern(self.stored["control"])
        parts = path.translate(HFS).replace("\\", "/").split("/")
        if control is not None and any(control.hits(part) for part in parts):
            return "git's own files are always protected"
        name = folded(path, fold_case=True)
        for stored, why in self.stored["armed"]:
            if Pattern(stored, self.stored["magic"]).hits(name):
                opened = self.pattern(self.stored["opened"])
                return "" if opened is not None and opened.hits(name) else text_of(why)
        return ""

    def spared(self, path: str) -> str:
        """The rule by which a path that is not listed may be written all the same: a new file beside, a derived one."""
        derived = self.pattern(self.stored["derived"])
        name = folded(path, fold_case=self.fold_case)
        if derived is not None and derived.hits(name):
            return "derived"
        folders, new = self.stored["folders"], self.stored["new"]
        if not new or not isinstance(folders, list) or name.rpartition("/")[0] not in folders:
            return ""
        made = self.stored["made"]
        known = isinstance(made, list) and path in made
        return "new" if known or not os.path.lexists(self.root + "/" + path) else ""


def in_force(folder: str, root: str, git_dir: str, common: str) -> Rules | None:
    """The rules that bind this worktree on its branch now; None: none, asleep, switched off or run out."""
    key = "main" if git_dir == common else os.path.basename(git_dir)
    try:
        stored = loads(read(f"{folder}/rules/{key}.json").decode("utf-8", "surrogateescape"))
    except FileNotFoundError:
        return None
    if not isinstance(stored, dict):
        raise Stop("the compiled rules cannot be read")
    branch = branch_of(git_dir)
    found = stored["branches"].get("" if branch is None else "/" + branch)
    now = time.time()
    if found is None or now < stored["off_until"] or now > found["until"]:
        return None
    return Rules(found, root, common)


# what a tool would write
def targets(tool: str, given: Json) -> Iterator[str]:
    """The paths that a call of the tool would write, as the agent wrote them."""
    if tool in EDITORS:
        yield from (text_of(given[name]) for name in PATH_FIELDS if text_of(given.get(name)))
    elif tool == "apply_patch":
        yield from patched(text_of(given.get("command")) or text_of(given.get("input")) or text_of(given.get("patch")))
    elif tool in SHELLS:
        command = shell_text(given)
        if "*** " in command:
            yield from patched(command)
    elif tool.startswith("mcp__") and not READERS & set(words(tool.split("__", 2)[-1])):
        yield from named(given, depth=3)


def shell_text(given: Json) -> str:
    """The command of a shell tool: a text, or a list of words."""
    command = given.get("command") or given.get("cmd") or ""
    return " ".join(map(str, command)) if isinstance(command, list) else text_of(command)


def words(name: str) -> list[str]:
    """The lower-case words of ``write_file`` and ``writeFile``."""
    spaced = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name)
    return spaced.replace("_", " ").replace("-", " ").split()


def patched(text: str) -> Iterator[str]:
    """The paths that a patch in Codex's form names; white space around a line does not count."""
    for line in text.splitlines():
        line = line.strip()  # noqa: PLW2901 -- the line as the client reads it
        for start in PATCH_LINES:
            if line.startswith(start):
                yield line[len(start) :].strip()


def named(given: object, depth: int) -> Iterator[str]:
    """The values of fields that name paths, in objects and lists too."""
    if isinstance(given, list) and depth:
        for each in given:
            yield from named(each, depth - 1)
    elif isinstance(given, dict):
        for name, value in given.items():
            if name in MCP_FIELDS and isinstance(value, str):
                yield value.removeprefix("file://")
            elif name in MCP_FIELDS and isinstance(value, list):
                yield from (each for each in value if isinstance(each, str))
            if depth:
                yield from named(value, depth - 1) if isinstance(value, dict | list) else ()


# judging
def judge(rules: Rules, cwd: str, asked: str) -> tuple[str, str, str, str]:
    """``(where, path, rule, because)`` of one path as the agent wrote it; every form of it must lie inside."""
    if "\0" in asked:
        return DENIED, asked, "outside", "a name with a NUL"
    path = os.path.normpath(os.path.join(cwd, os.path.expanduser(asked)))
    real = os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
    followed = os.path.realpath(path)
    here = rules.where(path)
    if here is None:
        here = rules.where(real)
    if here is None:
        return elsewhere(rules, followed)
    for form in dict.fromkeys((path, real, followed)):
        within = rules.where(form)
        if within is None:
            return DENIED, here, "symlink", f"a symbolic link that leaves the worktree: {form}"
        inside, rule, because = rules.decide(within)
        if not inside and rule == "outside":
            spared = rules.spared(within)
            inside, rule = bool(spared), spared or rule
        if not inside:
            return DENIED, within, rule, because
    return PASSED, here, rule, because


def elsewhere(rules: Rules, path: str) -> tuple[str, str, str, str]:
    """A path outside the worktree is not the boundary's, unless it is this repository's own."""
    if path == rules.common or path.startswith(rules.common + "/"):
        return DENIED, path, "protected", "git's own files are always protected"
    other = worktree(os.path.dirname(path), rules.common)
    if other is not None:
        return DENIED, path, "wrong-place", f"it lies in another worktree of this repository: {other[0]}"
    return PASSED, path, "elsewhere", "outside the repository"


def main(argv: list[str]) -> int:
    """One payload on standard input."""
    folder = os.path.dirname(os.path.realpath(argv[0]))
    common = os.path.dirname(os.path.dirname(folder))
    try:
        return answer(argv[1] if len(argv) > 1 else "", folder, common)
    except Stop as stop:
        said = str(stop)
    except Exception as error:  # noqa: BLE001 -- exit 1 would let the tool run: whatever fails here denies
        said = f"the guard failed ({type(error).__name__}: {error}); a person runs: passdown doctor"
    os.write(2, f"Passdown: {' '.join(said.split())}\n".encode("utf-8", "backslashreplace"))
    return 2


def answer(agent: str, folder: str, common: str) -> int:
    """Judge what the payload would write, keep it, say it."""
    try:
        payload = loads(sys.stdin.buffer.read().decode("utf-8", "surrogateescape"))
    except ValueError:
        payload = None
    if not isinstance(payload, dict):
        raise Stop("the hook got no payload that it can read; nothing was decided")
    cwd = os.path.realpath(text_of(payload.get("cwd")) or ".")
    place = worktree(cwd, common)
    rules = in_force(folder, *place, common) if place is not None else None
    if rules is None:
        return 0
    tool, given = text_of(payload.get("tool_name")), payload.get("tool_input")
    wanted = dict.fromkeys(targets(tool, given if isinstance(given, dict) else {}))
    judged = [judge(rules, cwd, path) for path in wanted]
    refused = [each for each in judged if each[0] == DENIED]
    asks = bool(refused) and agent == "claude" and payload.get("permission_mode") in ASKING
    asks = asks and all(rule == "outside" for _, _, rule, _ in refused)
    mode = text_of(rules.stored["mode"])
    for where, path, rule, _ in judged:
        kind = where if where != DENIED or mode == "enforce" else f"would-{DENIED}"
        keep(folder, rules, payload, (ASKED if asks and where == DENIED else kind, path, rule))
    if not judged:
        keep(folder, rules, payload, None)
    if not refused:
        return slow(rules, agent, payload) if tool in SHELLS else 0
    return say(agent, mode, line(rules, refused), asks=asks)


# keeping and saying
def line(rules: Rules, refused: list[tuple[str, str, str, str]]) -> str:
    """One line: what, which rule, where to continue, how to ask."""
    _, path, rule, because = refused[0]
    more = f" (and {len(refused) - 1} more)" if len(refused) > 1 else ""
    go_on = text_of(rules.stored["go_on"])
    said = f"{path}{more} is outside what this run may write ({rule}: {because})."
    asked = f" To ask for it: passdown note --ask-widen {path} --because WHY."
    ask = "" if rule in ("protected", "wrong-place") else asked
    return " ".join((said + (f" Continue in {go_on}." if go_on else "") + ask).split())


def say(agent: str, mode: str, text: str, *, asks: bool) -> int:
    """The client's own form of a denial, a question to the person, or advice."""
    if mode == "observe":
        return 0
    output: Json = {"hookEventName": "PreToolUse"}
    if mode == "advise":
        output["additionalContext"] = f"Passdown: {text}"
    else:
        output["permissionDecision"] = "ask" if asks else "deny"
        output["permissionDecisionReason"] = f"Passdown: {text}"
    del agent  # both clients take this form
    os.write(1, dumps({"hookSpecificOutput": output}).encode())
    return 0


def dumps(value: object) -> str:
    """JSON in ASCII of texts, numbers, null and objects of them."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{dumps(name)}:{dumps(each)}" for name, each in value.items()) + "}"
    if isinstance(value, str):
        try:
            from _json import encode_basestring_ascii as encode  # as in loads
        except ImportError:
            from json.encoder import encode_basestring_ascii as encode
        text: str = encode(value)
        return text
    return "null" if value is None else str(value)


def keep(folder: str, rules: Rules, payload: Json, touch: tuple[str, str, str] | None) -> None:
    """One line in the journal: path, rule, tool and ids; a journal that cannot be written changes no answer."""
    import fcntl  # only where something is kept

    names = {"session": "session_id", "call": "tool_use_id", "agent": "agent_id", "tool": "tool_name"}
    data: Json = {name: payload[field] for name, field in names.items() if isinstance(payload.get(field), str)}
    if touch is not None:
        data |= {"where": touch[0], "path": touch[1], "rule": touch[2]}
    now = time.time()
    at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + f".{int(now * 1000) % 1000:03d}Z"
    record: Json = {"id": os.urandom(16).hex(), "kind": "touch" if touch else "heartbeat", "at": at}
    record |= {"task": rules.stored["task"], "data": data}
    journal = os.path.dirname(folder) + "/journal"
    try:
        lock = os.open(journal + "/lock", os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
        for _ in range(40):
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(0.005)
                continue
            out = os.open(journal + "/open", os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
            os.write(out, b"\n" + dumps(record).encode() + b"\n")
            break
    except OSError:
        return


def slow(rules: Rules, agent: str, payload: Json) -> int:
    """Hand a shell command that may write to the whole Passdown; what only reads goes through."""
    del rules, agent, payload
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
