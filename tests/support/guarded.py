"""A repository with the agents' pre-tool hook in place, asked as the clients ask it: a payload to the wrapper."""

from __future__ import annotations

import json
import subprocess
import time

from passdown.guard import compiled, hook_files
from passdown.guard.compiled import Arming
from passdown.ledger import journal
from passdown.model.boundary import Boundary, Budget, Entry


def boundary(allow=(), deny=(), opened=(), new=None):
    return Boundary(
        version=1,
        source="hand",
        allow=[Entry(id=f"B{n}", path=path, because="given") for n, path in enumerate(allow, 1)],
        deny=[Entry(id=f"N{n}", path=path, because="said so") for n, path in enumerate(deny, 1)],
        opened=list(opened),
        budget=Budget(new=new),
    ).sealed()


class Guarded:
    """A repository with the hook in place and, where one is given, one boundary armed."""

    def __init__(self, repo, bound=None, mode="enforce", branch="main", until=None):
        self.repo = repo
        self.root = str(repo.root)
        self.home = repo.root / ".git" / "passdown"
        (self.home / "journal").mkdir(parents=True, exist_ok=True)
        self.wrapper = hook_files.install(self.home)
        git_dir = repo.root / ".git"
        self.rules = hook_files.rules_file(self.home, git_dir, git_dir)
        if bound is not None:
            arming = Arming(boundary=bound, task="t1", mode=mode, until=until or time.time() + 3600)
            hook_files.write_rules(self.rules, compiled.for_worktree({branch: compiled.compiled(arming)}))

    def ask(self, tool, given, *, agent="claude", cwd=None, **more):
        payload = {
            "session_id": "s1",
            "hook_event_name": "PreToolUse",
            "permission_mode": "bypassPermissions",
            "tool_use_id": "call-1",
            "cwd": cwd or self.root,
            "tool_name": tool,
            "tool_input": given,
            **more,
        }
        return self.feed(json.dumps(payload).encode(), agent)

    def after(self, tool, given, *, agent="claude", **more):
        payload = {"hook_event_name": "PostToolUse", "cwd": self.root, "tool_name": tool, "tool_input": given, **more}
        return self.feed(json.dumps(payload).encode(), agent, "after")

    def feed(self, payload, *arguments):
        argv = ["/bin/sh", self.wrapper, *(arguments or ("claude",))]
        return subprocess.run(argv, input=payload, capture_output=True, check=False)

    def write(self, path, **more):
        return self.ask("Write", {"file_path": f"{self.root}/{path}", "content": "x"}, **more)

    def through(self, argv, path):
        """The decision over one path by a command from a settings file."""
        payload = {"cwd": self.root, "tool_name": "Write", "tool_input": {"file_path": f"{self.root}/{path}"}}
        done = subprocess.run(argv, input=json.dumps(payload).encode(), cwd=self.root, capture_output=True, check=False)
        return decision(done)

    def facts(self):
        return [journal.fact(each) for each in journal.pending(self.home, statements=False)]


def decision(done):
    assert done.returncode == 0, done.stderr
    if not done.stdout:
        return None
    output = json.loads(done.stdout)["hookSpecificOutput"]
    assert output["hookEventName"] == "PreToolUse"
    return output.get("permissionDecision", "advice")
