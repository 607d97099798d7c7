"""The plan as bubblewrap takes it, and whether this machine lets it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from passdown.sandbox import SOCKET
from passdown.sandbox.plan import Plan

_ALONE = ("--die-with-parent", "--unshare-pid", "--unshare-ipc", "--cap-drop", "ALL")
_PROFILE = (
    "printf 'abi <abi/4.0>,\\ninclude <tunables/global>\\nprofile bwrap /usr/bin/bwrap flags=(unconfined)"
    " { userns, }\\n'"
    " | sudo tee /etc/apparmor.d/bwrap && sudo systemctl reload apparmor"
)


class Support(Struct, frozen=True):
    """What bubblewrap can do here; ``fault`` "" where it works. ``extra``: words that this machine needs besides.

    ``remedy``: what to do, and on a line of its own a command that is long.
    """

    program: str = ""
    extra: tuple[str, ...] = ()
    fault: str = ""
    remedy: str = ""


def support() -> Support:
    """Try it on nothing: as root without, else with a user namespace."""
    program = shutil.which("bwrap")
    if program is None:
        return Support(
            fault="bubblewrap is not installed", remedy="sudo apt-get install bubblewrap (dnf, pacman: same)"
        )
    said = ""
    for extra in ((), ("--unshare-user",)):
        trial = [program, *extra, *_ALONE, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "true"]
        done = subprocess.run(trial, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode == 0:
            return Support(program, extra)
        said = said or (done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[-1]
    return Support(fault=f"bubblewrap cannot make namespaces here: {said}", remedy=_remedy())


def words(plan: Plan, empty: str, *, cwd: str, new_session: bool) -> Iterator[str]:
    """The options of bubblewrap; ``empty``: an empty file, to be seen in place of a hidden one."""
    yield from _ALONE
    if new_session:
        yield "--new-session"
    for mount in plan.mounts:
        if mount.kind in ("scratch", "hidden folder"):
            yield from ("--tmpfs", mount.path)
        else:
            source = empty if mount.kind == "hidden file" else mount.path
            yield from ("--bind" if mount.kind == "writable" else "--ro-bind", source, mount.path)
        if mount.path == "/":
            yield from ("--dev", "/dev", "--proc", "/proc")
    for mount in plan.mounts:
        if mount.kind == "hidden folder":
            yield from ("--remount-ro", mount.path)
    yield from ("--chdir", cwd)


def socket(path: str) -> Iterator[str]:
    """The options by which the parent's socket stands where it is looked for, in a folder that cannot be moved away."""
    folder = os.path.dirname(SOCKET)
    yield from ("--tmpfs", folder, "--bind", path, SOCKET, "--remount-ro", folder)


def _remedy() -> str:
    """What forbids namespaces, read from the kernel's own switches."""
    if _switch("kernel/apparmor_restrict_unprivileged_userns") == "1":
        return f"AppArmor forbids them to programs without a profile; give it one:\n{_PROFILE}"
    if _switch("kernel/unprivileged_userns_clone") == "0":
        return "sudo sysctl kernel.unprivileged_userns_clone=1"
    if _switch("user/max_user_namespaces") == "0":
        return "sudo sysctl user.max_user_namespaces=15000"
    if os.geteuid() == 0 or Path("/.dockerenv").exists():
        return "in a container: start it with --security-opt seccomp=unconfined --security-opt apparmor=unconfined"
    return "the kernel, seccomp or a container forbids them; your administrator knows"


def _switch(name: str) -> str:
    try:
        return Path("/proc/sys", name).read_text("ascii").strip()
    except OSError:
        return ""


def nul_separated(options: Sequence[str]) -> bytes:
    """As ``--args`` reads them."""
    return b"".join(os.fsencode(word) + b"\0" for word in options)
