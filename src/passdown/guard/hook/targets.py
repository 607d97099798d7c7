"""The paths that a call of a tool would write, as the agent wrote them."""

from __future__ import annotations

import os

from .scan import Json, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

EDITORS = ("Edit", "Write", "MultiEdit", "NotebookEdit", "Update", "Create", "str_replace_based_edit_tool")
SHELLS = ("Bash", "PowerShell", "shell", "local_shell", "exec_command")
PATH_FIELDS = ("file_path", "notebook_path", "path")
# Fields of MCP tools that name files, by their words; the second ones only where a tool moves or copies.
FILE_WORDS = frozenset(("path", "paths", "file", "files", "filename", "filepath", "uri", "notebook"))
GOAL_WORDS = frozenset(("source", "src", "dest", "dst", "target", "destination", "from", "to"))
AROUND_WORDS = frozenset(("repo", "repository", "project", "root", "base", "workspace", "working", "cwd", "allowed"))
MOVERS = frozenset(("move", "rename", "copy", "mv", "cp", "link"))
WRITERS = frozenset(
    (
        *("write", "edit", "create", "delete", "remove", "move", "rename", "replace", "insert", "append", "patch"),
        *("apply", "update", "save", "put", "add", "set", "modify", "overwrite", "copy", "touch", "mkdir", "format"),
        *("refactor", "truncate", "unlink", "rm", "mv", "cp", "make", "generate", "download", "extract", "restore"),
    )
)
CONTENTS = (
    "content",
    "contents",
    "text",
    "new_string",
    "newText",
    "new_text",
    "data",
    "body",
    "patch",
    "diff",
    "edits",
)
COPIED_FROM = ("source", "from", "src")
# Words of a shell line that can write; what is missing here is found by the comparison after the call.
WRITING = frozenset(
    (
        *("tee", "rm", "rmdir", "unlink", "shred", "mv", "cp", "ln", "install", "rsync", "dd", "truncate", "touch"),
        *(
            "chmod",
            "sponge",
            "sed",
            "gsed",
            "perl",
            "git",
            "sort",
            "curl",
            "wget",
            "black",
            "isort",
            "gofmt",
            "prettier",
        ),
        *("rustfmt",),
    )
)
READING_GIT = ("status", "log", "diff", "show", "add", "branch", "rev-parse", "ls-files", "blame", "grep", "fetch")
HARMLESS = (
    "2>&1",
    "1>&2",
    ">&2",
    "2>/dev/null",
    "1>/dev/null",
    "&>/dev/null",
    ">/dev/null",
    "2> /dev/null",
    "> /dev/null",
)
BETWEEN = dict.fromkeys(map(ord, "\n\t;&|(){}`\"'$"), " ")
COMMANDS = ("command", "cmd", "commandLine", "command_line")
FOLDERS = ("workdir", "cwd", "working_directory", "workingDirectory")
QUOTING = dict.fromkeys(map(ord, "\\'\""))
PATCH_LINES = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")


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
    elif tool.startswith("mcp__"):
        verbs = set(words(tool.split("__", 2)[-1]))
        if "owner" in given and "repo" in given:  # a forge's file, not ours
            return
        if verbs & WRITERS or any(name in given for name in CONTENTS):
            wanted = FILE_WORDS | GOAL_WORDS if verbs & MOVERS else FILE_WORDS
            yield from named(given, wanted, COPIED_FROM if "copy" in verbs or "cp" in verbs else (), depth=3)


def shells(tool: str, given: object) -> bool:
    """Whether the call runs a shell line: a shell's, or one of an MCP server that is given a command."""
    return tool in SHELLS or (tool.startswith("mcp__") and isinstance(given, dict) and bool(shell_text(given)))


def runs_in(stands: str, given: Json) -> str:
    """The folder that the line runs in: where the agent stands, but where the call names another one."""
    folder = next((text_of(given[name]) for name in FOLDERS if text_of(given.get(name))), "")
    return os.path.realpath(os.path.join(stands, os.path.expanduser(folder)))


def shell_text(given: Json) -> str:
    """The command of a shell tool: a text, or a list of words."""
    command = next((given[name] for name in COMMANDS if given.get(name)), "")
    return " ".join(map(str, command)) if isinstance(command, list) else text_of(command)


def may_write(command: str) -> bool:
    """Whether a shell line is worth a whole reading: it redirects to a file, or names a program that writes."""
    if "passdown" in command.translate(QUOTING):
        return True
    for harmless in HARMLESS:
        command = command.replace(harmless, " ")
    if ">" in command:
        return True
    said = command.translate(BETWEEN).split()
    names = [word.rpartition("/")[2] for word in said]
    if "git" in names and not WRITING.intersection(names) - {"git"}:
        verbs = [after for word, after in zip(names, said[1:], strict=False) if word == "git"]
        return any(verb not in READING_GIT for verb in verbs) or "-D" in said or "--force" in said
    return bool(WRITING.intersection(names))


def words(name: str) -> list[str]:
    """The lower-case words of ``write_file`` and ``writeFile``."""
    spaced = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name)
    return spaced.replace("_", " ").replace("-", " ").split()


def patched(text: str) -> Iterator[str]:
    """The paths that a patch in Codex's form names; white space around a line does not count."""
    for line in text.split("\n"):  # no other character ends a line there
        line = line.strip()  # noqa: PLW2901 -- the line as the client reads it
        for start in PATCH_LINES:
            if line.startswith(start):
                yield line[len(start) :].strip()


def named(given: object, wanted: frozenset[str], read: tuple[str, ...], depth: int) -> Iterator[str]:
    """The values of fields that name paths, in objects and lists too; ``read`` are fields that are read alone."""
    if isinstance(given, list) and depth:
        for each in given:
            yield from named(each, wanted, read, depth - 1)
    elif isinstance(given, dict):
        for name, value in given.items():
            said = words(name)
            if not wanted.isdisjoint(said) and said[0] not in AROUND_WORDS and name not in read:
                yield from (path for each in _texts(value) if (path := _local(each)))
            if depth and isinstance(value, (dict, list)):
                yield from named(value, wanted, read, depth - 1)


def _local(text: str) -> str:
    """The path of a file's address or the path itself; "" where it is an address elsewhere."""
    if text.startswith("file://"):
        rest = text[7:] if text.startswith("file:///") else text[7:].partition("/")[2]
        from urllib.parse import unquote  # only for the few that say it so

        return unquote(rest)
    scheme, found, _ = text.partition("://")
    return "" if found and scheme.isalnum() else text


def _texts(value: object) -> list[str]:
    return [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, str) and each]
