"""What the parent runs outside for a sandbox: no program of it can come from inside."""

from __future__ import annotations

import os

import pytest

from passdown.sandbox.own import closed, trusted
from passdown.sandbox.plan import Mount
from support.process import PASSDOWN
from support.world import need_bubblewrap

WRITABLE = ["/repo/src", "/repo/.venv"]


@pytest.mark.parametrize(
    ("name", "value", "given"),
    [
        ("PATH", "/repo/.venv/bin:/usr/bin", "/usr/bin"),
        ("PATH", "node_modules/.bin:.:/usr/bin::/bin", "/usr/bin:/bin"),
        ("PATH", "/repo/srcs:/repo/bin", "/repo/srcs:/repo/bin"),
        ("PATH", "/usr/../repo/src/bin:/bin", "/bin"),
        ("PYTHONPATH", "src", None),
        ("PYTHONPATH", "", None),
        ("PYTHONPATH", "/repo/src:/opt/lib", "/opt/lib"),
        ("LD_LIBRARY_PATH", ":/repo/src/lib", None),
        ("LD_PRELOAD", "/repo/src/x.so", None),
        ("LD_PRELOAD", "/opt/a.so:/repo/src/x.so", None),
        ("LD_PRELOAD", "/opt/a.so", "/opt/a.so"),
        ("PYTHONHOME", "/repo/.venv", None),
        ("OTHER", "/repo/src", "/repo/src"),
    ],
)
def test_nothing_is_looked_for_where_the_inside_can_write(name, value, given):
    assert trusted({name: value}, WRITABLE).get(name) == given


def of(mounts):
    return [(mount.path, mount.kind) for mount in mounts]


def test_our_own_folders_are_read_only_and_cannot_be_moved_away():
    mounts = [Mount("/", "read-only"), Mount("/repo", "writable"), Mount("/repo/a/b/venv/lib", "writable")]
    assert of(closed(mounts, ["/repo/a/b/venv", "/usr"])) == [
        ("/", "read-only"),
        ("/repo", "writable"),
        ("/repo/a/b", "writable"),
        ("/repo/a", "writable"),
        ("/repo/a/b/venv", "read-only"),
    ]
    assert closed(mounts[:1], ["/repo/a/b/venv"]) == mounts[:1]


def test_a_program_planted_inside_is_not_run_outside(repo):
    """A virtual environment of the project on PATH, a PYTHONPATH as many have it, both inside the boundary."""
    need_bubblewrap()
    repo.write("src/a.py", "a\n").write("tools/bin/keep", "").write("passdown.toml", '[checks.t]\nrun = "mine"\n')
    repo.commit("start")
    repo.passdown("start", "mend", "--allow", "src/**", "--allow", "tools/**").check()
    got_out = repo.root / "got-out"
    evil = f'#!/bin/sh\ntouch {got_out}\nexec /usr/bin/$(basename $0) "$@"\n'
    script = "; ".join(
        [
            *(
                f"printf '%s' '{evil}' > tools/bin/{name}; chmod +x tools/bin/{name}"
                for name in ("git", "bwrap", "env")
            ),
            f'printf \'open("{got_out}", "w")\' > src/msgspec.py; cp src/msgspec.py src/click.py',
            "printf '#!/bin/sh\\necho mine ran\\n' > tools/bin/mine; chmod +x tools/bin/mine",
            f"PATH=/usr/bin:/bin {PASSDOWN} note hello; PATH=/usr/bin:/bin {PASSDOWN} check t",
        ]
    )
    env = {
        "PATH": f"{repo.root}/tools/bin:{os.environ['PATH']}",
        "PYTHONPATH": f"src:{os.environ.get('PYTHONPATH', '')}",
    }
    done = repo.passdown("sandbox", "--quiet", "--", "env", "-u", "PYTHONPATH", "sh", "-c", script, env=env)
    assert not got_out.exists()
    assert "Noted" in done.out, done.err
    assert "mine ran" in done.err + done.out
