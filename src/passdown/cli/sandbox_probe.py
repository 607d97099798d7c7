"""The sandbox as a layer of the guard: a canary in a scratch repository, confined as a run would be."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from passdown.errors import PassdownError
from passdown.guard import probe
from passdown.guard.layers import Layer
from passdown.model.boundary import Boundary, Entry
from passdown.sandbox import SOCKET, bubblewrap, landlock
from passdown.sandbox.bubblewrap import Support
from passdown.workspace.place import find_place

NAME = "sandbox"
HOLES = "new files in writable folders, .git's references, the network, reading"
_WRITES = "echo x > inside/canary; for f in canary.txt .git/config .git/hooks/pre-commit; do echo x > $f; done; exit 0"


def sandbox_layer() -> Layer:
    """What `passdown sandbox` would do on this machine."""
    if Path(SOCKET).exists():
        return Layer(NAME, "enforcing", "this command runs in one", "", HOLES)
    support, version = bubblewrap.support(), landlock.support()
    if not support.program and not support.fault.startswith("bubblewrap cannot"):
        return Layer(NAME, "off", support.fault, support.remedy, HOLES)
    if support.fault:
        return Layer(NAME, "dead", support.fault, support.remedy, HOLES)
    if not version:
        fix = "a kernel of 5.13 or later with Landlock on (boot it with lsm=landlock,...)"
        return Layer(NAME, "advisory", "this kernel has no Landlock: it starts with --advisory alone", fix, HOLES)
    began = time.monotonic()
    try:
        got_out = _tried(support)
    except (OSError, PassdownError) as error:
        return Layer(NAME, "dead", f"the canary could not be run: {error}", support.remedy, HOLES)
    if got_out:
        return Layer(NAME, "dead", f"a canary got through: {', '.join(got_out)}", "do not rely on it here", HOLES)
    took = (time.monotonic() - began) * 1000
    said = f"passdown sandbox -- CMD: a canary was refused in {took:.0f} ms ({_version(support)}, Landlock {version})"
    return Layer(NAME, "enforcing", said, "", HOLES)


def _tried(support: Support) -> list[str]:
    """What a confined command could write and must not, or could not and must; [] where it held."""
    from passdown.sandbox.compile import Wish, compile_plan
    from passdown.sandbox.run import Job, run_confined

    allowed = Boundary(version=1, source="hand", allow=[Entry(id="B1", path="inside/**", because="the probe")])
    with probe.scratch() as root, TemporaryDirectory(prefix="passdown-home-") as home:
        (root / "inside").mkdir()
        place = find_place(root)
        env = {"HOME": home, "PATH": os.environ.get("PATH", os.defpath)}
        before = (root / ".git/config").read_bytes()
        plan = compile_plan(place, allowed.sealed(), Wish(env, program="sh"))
        job = Job(["sh", "-c", f"exec 2>/dev/null; {_WRITES}"], str(root), env)
        run_confined(plan, job, support)
        wrong = {
            "a file outside the boundary": (root / "canary.txt").exists(),
            "git's settings": (root / ".git/config").read_bytes() != before,
            "git's hooks": (root / ".git/hooks/pre-commit").exists(),
            "nothing inside could be written either": not (root / "inside/canary").exists(),
        }
    return [what for what, happened in wrong.items() if happened]


def _version(support: Support) -> str:
    done = subprocess.run([support.program, "--version"], capture_output=True, text=True, check=False)
    return done.stdout.strip() or "bubblewrap"
