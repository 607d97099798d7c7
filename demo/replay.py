"""Lays the sample project and an agent's finished session of it: the transcript's own writes are done on the disk."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import time
import uuid
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMMITTED_AGO = 3 * 3600


def lay_project(root: Path, env: dict[str, str]) -> None:
    """Copy ``sample/`` to ``root``, commit it on main three hours ago, switch to the branch of the work."""
    shutil.copytree(HERE / "sample", root)
    when = f"{int(time.time()) - COMMITTED_AGO} +0000"
    dated = {**env, "GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
    for command in (
        ["init", "-q", "-b", "main"],
        ["add", "-A"],
        ["commit", "-q", "-m", "Charge accounts, try again when the service is busy"],
        ["switch", "-q", "-c", "retry"],
    ):
        subprocess.run(["git", *command], cwd=root, env=dated, check=True)


def lay_session(root: Path, claude_home: Path) -> Path:
    """Write ``session.jsonl`` where Claude Code would, ending two minutes ago, and do its writes in ``root``."""
    session = str(uuid.uuid4())
    text = (HERE / "session.jsonl").read_text()
    text = text.replace("@ROOT@", str(root)).replace("@SESSION@", session)
    now = time.time()
    text = re.sub(r"@(-\d+)@", lambda found: _stamp(now + int(found[1])), text)
    for line in text.splitlines():
        _do_write(json.loads(line).get("toolUseResult"))
    file = claude_home / "projects" / re.sub(r"[^A-Za-z0-9]", "-", str(root)) / f"{session}.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    return file


def _do_write(result: dict[str, str] | str | None) -> None:
    """What the Write and Edit tools report that they did."""
    if not isinstance(result, dict) or "filePath" not in result:
        return
    file = Path(result["filePath"])
    if "newString" in result:
        file.write_text(file.read_text().replace(result["oldString"], result["newString"], 1))
    elif "content" in result:
        file.write_text(result["content"])


def _stamp(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
