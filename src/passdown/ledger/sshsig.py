"""SSH signatures (SSHSIG), namespace ``passdown``, by ssh-keygen; never asks without a terminal, never hangs."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from msgspec import Struct

NAMESPACE = "passdown"
_SECONDS = 15.0
_SECONDS_AT_A_TERMINAL = 120.0
_GOOD = re.compile(rb'Good "passdown" signature with [A-Z0-9-]+ key (SHA256:[A-Za-z0-9+/]+)')
_PRINTED = re.compile(rb"^[0-9]+ (SHA256:[A-Za-z0-9+/]+) ", re.MULTILINE)


class Ran(Struct, frozen=True):
    """What a run of an SSH tool gave; ``problem`` is one line where it failed."""

    out: bytes
    problem: str


def run(*argv: str, message: bytes = b"", asks: bool = False) -> Ran:
    """Run an SSH tool. Unless it may ask (a passphrase, a touch), it has no terminal to ask at."""
    env = {name: value for name, value in os.environ.items() if name not in {"SSH_ASKPASS", "DISPLAY"}}
    env |= {"SSH_ASKPASS_REQUIRE": "never", "TZ": "UTC"}  # a key is valid from and until the same instant everywhere
    try:
        done = subprocess.run(
            argv,
            input=message,
            stdout=subprocess.PIPE,
            stderr=None if asks else subprocess.PIPE,
            env=env,
            timeout=_SECONDS_AT_A_TERMINAL if asks else _SECONDS,
            start_new_session=not asks,
            check=False,
        )
    except FileNotFoundError:
        return Ran(b"", f"{argv[0]} is not installed")
    except PermissionError:
        return Ran(b"", f"{argv[0]} cannot be run")
    except subprocess.TimeoutExpired:
        return Ran(b"", f"{argv[0]} did not answer in time")
    if done.returncode:
        said = (done.stderr or b"").decode("utf-8", "backslashreplace").strip().splitlines()
        return Ran(done.stdout, said[-1] if said else f"{argv[0]} failed")
    return Ran(done.stdout, "")


def sign(key: Path, message: bytes, *, asks: bool) -> Ran:
    """The armoured signature. ``key`` is a private key, or a public one whose private half the agent holds."""
    return run("ssh-keygen", "-Y", "sign", "-n", NAMESPACE, "-f", str(key), message=message, asks=asks)


def verify(armoured: str, message: bytes) -> str | None:
    """The fingerprint (``SHA256:...``) of the key whose signature over the message verifies; None where it does not."""
    import tempfile  # noqa: PLC0415 - few commands need it

    with tempfile.TemporaryDirectory(prefix="passdown-") as folder:
        path = Path(folder) / "signature"
        path.write_text(armoured)
        ran = run("ssh-keygen", "-Y", "check-novalidate", "-n", NAMESPACE, "-s", str(path), message=message)
    found = None if ran.problem else _GOOD.search(ran.out)
    return found[1].decode("ascii") if found else None


def principals(signature: Path, allowed: Path, at: str) -> list[str]:
    """The names under which an allowed_signers file lists the key of a signature; ``at``: "" or its time, UTC."""
    ran = run("ssh-keygen", "-Y", "find-principals", *_time(at), "-s", str(signature), "-f", str(allowed))
    lists = [] if ran.problem else ran.out.decode("utf-8", "replace").splitlines()
    return list(dict.fromkeys(name for line in lists for name in line.split(",") if name and not name.startswith("!")))


def vouches(signature: Path, allowed: Path, name: str, at: str, message: bytes) -> bool:
    """Whether the signature over the message counts for ``name`` under an allowed_signers file."""
    files = ("-f", str(allowed), "-s", str(signature))
    ran = run("ssh-keygen", "-Y", "verify", *_time(at), "-n", NAMESPACE, "-I", name, *files, message=message)
    return not ran.problem


def _time(at: str) -> tuple[str, ...]:
    return ("-O", f"verify-time={at}") if at else ()


def fingerprint(public: str) -> str | None:
    """The fingerprint of a public key line ("type base64 ..."); None where it is none."""
    ran = run("ssh-keygen", "-l", "-f", "/dev/stdin", message=public.encode() + b"\n")
    found = None if ran.problem else _PRINTED.search(ran.out)
    return found[1].decode("ascii") if found else None


def agent_keys() -> list[str]:
    """The public keys in the SSH agent, if one answers."""
    if not os.environ.get("SSH_AUTH_SOCK"):
        return []
    ran = run("ssh-add", "-L")
    if ran.problem:
        return []
    return [line for line in ran.out.decode("utf-8", "replace").splitlines() if is_public(line)]


def is_public(line: str) -> bool:
    """Whether a line looks like an SSH public key."""
    return line.startswith(("ssh-", "ecdsa-", "sk-")) and len(line.split()) > 1
