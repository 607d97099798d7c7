"""What an agent does, as the calls that each client's model would make: one script runs through all of them.

calls = ClaudeCalls(root)
script = [[calls.read("a.py")], [calls.edit("a.py", "x = 1", "x = 2")], [calls.shell("pytest -q")], [Say("Done.")]]
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from support.model import Block, Call, Custom


class Calls(Protocol):
    """One client's tools; paths are repository-relative."""

    def read(self, path: str) -> Block: ...

    def write(self, path: str, content: str) -> Block: ...

    def edit(self, path: str, old: str, new: str) -> Block: ...

    def shell(self, command: str) -> Block: ...


@dataclass(frozen=True, slots=True)
class ClaudeCalls:
    """Read, Write, Edit, Bash."""

    root: Path

    def read(self, path: str) -> Block:
        return Call("Read", {"file_path": str(self.root / path)})

    def write(self, path: str, content: str) -> Block:
        return Call("Write", {"file_path": str(self.root / path), "content": content})

    def edit(self, path: str, old: str, new: str) -> Block:
        return Call("Edit", {"file_path": str(self.root / path), "old_string": old, "new_string": new})

    def shell(self, command: str) -> Block:
        return Call("Bash", {"command": command, "description": "Run a command"})


def patch(*parts: str) -> str:
    """The text of one apply_patch over several files."""
    return "\n".join(["*** Begin Patch", *parts, "*** End Patch"])


def added(path: str, content: str) -> str:
    """The part of a patch that adds a file."""
    return "\n".join([f"*** Add File: {path}", *(f"+{line}" for line in content.splitlines())])


def updated(path: str, old: str, new: str) -> str:
    """The part of a patch that changes whole lines of a file."""
    lines = [f"-{line}" for line in old.splitlines()] + [f"+{line}" for line in new.splitlines()]
    return "\n".join([f"*** Update File: {path}", "@@", *lines])


@dataclass(frozen=True, slots=True)
class CodexCalls:
    """Direct tools: apply_patch and exec_command."""

    def read(self, path: str) -> Block:
        return self.shell(f"cat {path}")

    def write(self, path: str, content: str) -> Block:
        return self.patch(added(path, content))

    def edit(self, path: str, old: str, new: str) -> Block:
        return self.patch(updated(path, old, new))

    def shell(self, command: str) -> Block:
        return Call("exec_command", {"cmd": command, "yield_time_ms": 30000})

    def patch(self, *parts: str) -> Block:
        return Custom("apply_patch", patch(*parts))


@dataclass(frozen=True, slots=True)
class CodeModeCalls(CodexCalls):
    """Code mode: one tool, whose text is JavaScript that calls the others."""

    def shell(self, command: str) -> Block:
        arguments = json.dumps({"cmd": command, "yield_time_ms": 30000})
        return Custom("exec", f"const r = await tools.exec_command({arguments});\ntext(r);")

    def patch(self, *parts: str) -> Block:
        return Custom("exec", f"text(await tools.apply_patch({json.dumps(patch(*parts))}));")
