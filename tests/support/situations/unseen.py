"""After a verified run something changes that git does not show. Each says what the check reads; the check then fails.

What no snapshot holds must be part of the environment or make the pass worth less: none may stand as verified.
"""

from __future__ import annotations

import os
from pathlib import Path

from support.situations.work import Situation, Work, fake


def _policy(run: str) -> str:
    return f"[checks.tests]\nrun = '''{run}'''\n"


def _env(name: str, value: str):
    return lambda work: work.setenv(name, value)


def _home(path: str, text: str):
    def act(_: Work) -> None:
        file = Path(os.environ["HOME"], path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    return act


def _file(path: str, text: str):
    return lambda work: work.repo.write(path, text, mode=0o755)


def _first_on_path(work: Work) -> None:
    work.setenv("PATH", f"{fake(work.tmp / 'first')}:{os.environ['PATH']}")


def _again(work: Work) -> None:
    work.repo.write("src/state.txt", "bad\n").write("src/state.txt", "good\n").write("src/extra.txt", "x\n")


def _case(work: Work) -> None:
    work.repo.path("docs/a.md").rename(work.repo.path("docs/A.md"))


def _linked(work: Work) -> None:
    os.link(work.repo.path("src/state.txt"), work.tmp / "linked")
    (work.tmp / "linked").write_text("bad\n")


def _worktree(work: Work) -> None:
    work.repo.git("worktree", "add", "-q", "-b", "other", str(work.repo.path("other")))
    work.repo.write("other/src/state.txt", "bad\n").write("src/state.txt", "bad\n")


def _nested(work: Work) -> None:
    work.repo.git("init", "-q", "sub")
    work.repo.write("sub/state.txt", "bad\n")


UNSEEN = [
    Situation("a-b-a with a new file", _again),
    Situation("a name that differs by case", _case),
    Situation("an edit through a hard link outside", _linked),
    Situation("another worktree inside and an edit here", _worktree),
    Situation("a repository made inside", _nested),
    Situation("python path of the person", _env("PYTHONPATH", "/nowhere/else")),
    Situation("node options", _env("NODE_OPTIONS", "--require=/nowhere.js")),
    Situation("go flags", _env("GOFLAGS", "-run=None")),
    Situation("a preloaded library", _env("LD_PRELOAD", "")),
    Situation("rust flags", _env("RUSTFLAGS", "--cfg skip")),
    Situation("the tool of another folder first on PATH", _first_on_path),
    Situation("the time zone", _env("TZ", "Pacific/Kiritimati")),
    Situation("the language", _env("LC_ALL", "tr_TR.UTF-8")),
    Situation("a source of randomness", _env("PYTHONHASHSEED", "7")),
    Situation(
        "make includes",
        _file("more.mk", "test:\n\tfalse\n"),
        policy=_policy("make -s test"),
        files={"Makefile": "include more.mk\n", "more.mk": "test:\n\ttrue\n"},
    ),
    Situation(
        "a makefile that wins over the other",
        _file("GNUmakefile", "test:\n\tfalse\n"),
        policy=_policy("make -s test"),
        files={"Makefile": "test:\n\ttrue\n"},
    ),
    Situation(
        "a script called by a script, inputs narrowed",
        _file("deep.sh", "exit 1\n"),
        policy=_policy("sh run.sh") + 'inputs = ["src/**"]\n',
        files={"run.sh": "sh ./deep.sh\n", "deep.sh": "exit 0\n"},
    ),
    Situation(
        "settings of cargo in the home folder",
        _home(".cargo/config.toml", "[build]\n"),
        policy=_policy("true cargo test"),
    ),
    Situation(
        "settings of go in the home folder",
        _home(".config/go/env", "GOFLAGS=-run=None\n"),
        policy=_policy("true go test"),
    ),
    Situation(
        "settings of npm in the home folder",
        _home(".npmrc", "script-shell=/bin/true\n"),
        policy=_policy("true npm test"),
    ),
]
