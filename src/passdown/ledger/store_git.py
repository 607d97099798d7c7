"""Stand-in."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from passdown.errors import PassdownError


class StoreGit:
    def __init__(self, store: Path) -> None:
        self.store = store
        self.env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}

    def run(self, *args: str, input: bytes = b"") -> bytes:
        done = subprocess.run(
            ["git", f"--git-dir={self.store}", *args], input=input, capture_output=True, env=self.env, check=False
        )
        if done.returncode:
            raise PassdownError(f"git {args[0]} failed: {done.stderr.decode(errors='replace').strip()}")
        return done.stdout


def ensure_store(home: Path, object_format: str) -> Path:
    store = home / "store.git"
    if not store.exists():
        home.mkdir(exist_ok=True, parents=True)
        tmp = home / f"store.{os.urandom(8).hex()}"
        subprocess.run(["git", "init", "-q", "--bare", f"--object-format={object_format}", str(tmp)], check=True)
        subprocess.run(["git", f"--git-dir={tmp}", "config", "gc.auto", "0"], check=True)
        try:
            tmp.rename(store)
        except OSError:
            pass
    return store
