"""Somebody who moves folders about while the sandbox is set up, and the calls that no mount holds."""

from __future__ import annotations

import os
import shutil

import pytest

from passdown.sandbox import seccomp, seen
from support.world import GOT_OUT

SWAPS = {
    "a folder for a link": "mv lib/far lib/away; ln -s $OUT lib/far",
    "a folder for another": "mv lib/far lib/away; mkdir -p lib/far/off; echo d > lib/far/off/denied.py",
    "a folder above": "mv lib lib2; ln -s $OUT lib",
    "a denied file for a link": "rm lib/secret.py; ln -s ok.py lib/secret.py",
    "git's folder": "mv .git git2; ln -s git2 .git",
}


@pytest.mark.parametrize("name", SWAPS)
def test_what_is_exchanged_while_it_is_mounted_ends_it(world, name):
    """The exchange comes at the worst moment: after the last look, right before bubblewrap mounts."""
    there = world.root.parent / f"bin-{world.uid}"
    there.mkdir(exist_ok=True)
    swap = f'case "$*" in *--args*) {SWAPS[name]};; esac; exec {shutil.which("bwrap")} "$@"'
    (there / "bwrap").write_text(f"#!/bin/sh\n{swap}\n")
    (there / "bwrap").chmod(0o755)
    before = (world.root / "out/file").read_text()
    script = f"echo x > lib/far/file; echo x > lib/far/off/denied.py; echo x > lib/file; echo {GOT_OUT}"
    done = world.sandbox(script, env={"PATH": f"{there}:{world.env['PATH']}"})
    try:
        assert done.returncode != 0
        assert "changed while it was mounted: nothing was run" in done.stderr or "bwrap: " in done.stderr
        assert GOT_OUT not in done.stdout, done.stderr
        assert (world.root / "out/file").read_text() == before
        assert not (world.root / "out/off").exists()
    finally:
        for path, back in (("lib2", "lib"), ("git2", ".git")):
            if (world.repo / path).exists():
                (world.repo / back).unlink()
                (world.repo / path).rename(world.repo / back)


def test_places_are_known_by_their_number_and_reached_through_no_link(tmp_path):
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "link").symlink_to("a")
    (tmp_path / "a/file").touch()
    places = seen.known([f"{tmp_path}/a/b"], [])
    assert seen.changed(places) == ""
    with pytest.raises(OSError, match="link"):
        seen.known([f"{tmp_path}/link/b"], [])
    with pytest.raises(OSError, match="nowhere"):
        seen.known([f"{tmp_path}/nowhere"], [])
    assert seen.changed(seen.known([], [f"{tmp_path}/a/file"])) == f"{tmp_path}/a/file", "it can be written"
    (tmp_path / "a/b").rename(tmp_path / "a/c")
    assert seen.changed(places) == f"{tmp_path}/a/b"
    (tmp_path / "a/b").mkdir()
    assert seen.changed(places) == f"{tmp_path}/a/b"


X86, X86_32, ARM, UNKNOWN = 0xC000003E, 0x40000003, 0xC00000B7, 5
JUDGED = [
    ("x86_64", X86, 1, 0, True),
    ("x86_64", X86, 247, 0, True),
    ("x86_64", X86, 248, 0, False),
    ("x86_64", X86, 250, 0, False),
    ("x86_64", X86, 250 | 0x40000000, 0, False),
    ("x86_64", X86, 251, 0, True),
    ("x86_64", X86, 16, 0x5401, True),
    ("x86_64", X86, 16, 0x5412, False),
    ("x86_64", X86, 16, 0x5412 | 1 << 32, False),
    ("x86_64", X86, 16, 0x541C, False),
    ("x86_64", X86_32, 288, 0, False),
    ("x86_64", X86_32, 54, 0x5412, False),
    ("x86_64", X86_32, 54, 0x5413, True),
    ("x86_64", UNKNOWN, 250, 0, True),
    ("aarch64", ARM, 219, 0, False),
    ("aarch64", ARM, 29, 0x5412, False),
    ("aarch64", ARM, 250, 0, True),
]


@pytest.mark.parametrize(("machine", "arch", "number", "argument", "passes"), JUDGED)
def test_the_filter_refuses_keyrings_and_typing_alone(machine, arch, number, argument, passes):
    assert _judge(seccomp.program(seccomp._CALLS[machine]), arch, number, argument) == passes


def _judge(program, arch, number, argument):
    """The kernel's part: run the filter over one call."""
    words = {0: number, 4: arch, 24: argument & 0xFFFFFFFF}
    value = at = 0
    while True:
        operation, yes, no, given = program[at]
        at += 1
        if operation == 0x20:
            value = words[given]
        elif operation == 0x54:
            value &= given
        elif operation == 0x15:
            at += yes if value == given else no
        else:
            return given == 0x7FFF0000


def test_the_machine_here_is_one_that_it_knows():
    assert os.uname().machine in seccomp._CALLS
