"""Runs that end with exit code 0 and prove nothing: none of them may be verified."""

from __future__ import annotations

import json
import os
import sys

from support.situations.work import DECLARED, RUN, WHOLE, Situation, Work, fake

GOOD = '<testsuite><testcase name="a"/></testsuite>'
RED = '<testsuite><testcase name="a"/><testcase name="b"><failure/></testcase></testsuite>'
BOMB = '<!DOCTYPE a [<!ENTITY x "xxxx"><!ENTITY y "&x;&x;">]>' + GOOD
UNITTEST = f"{sys.executable} -m unittest -q test_x"
PYTEST = f"{sys.executable} -m pytest -q -p no:cacheprovider"


def nothing(_: Work) -> None:
    """The run itself is the situation."""


def run(
    name: str, command: str | list[str], act=nothing, files: dict[str, str] | None = None, more: str = ""
) -> Situation:
    policy = f"[checks.tests]\nrun = {json.dumps(command)}\n{more}"
    return Situation(name, act, "before", policy, files or {})


def report(name: str, command: str, act=nothing, more: str = "") -> Situation:
    return run(name, command, act, more=f'kind = "test"\nreport = "r.xml"\n{more}')


def says(text: str) -> str:
    return f"printf '%s' {json.dumps(text)} > r.xml"


def printed(name: str, text: str) -> Situation:
    return run(name, ["printf", text], more='kind = "test"\n')


def proposed(policy: str):
    return lambda work: work.repo.write("passdown.toml", policy)


def committed_policy(work: Work) -> None:
    work.bad()
    work.repo.branch("work").write("passdown.toml", '[checks.tests]\nrun = "true"\n').commit("Loosen")


def loosened(policy: str):
    """The worktree's policy would let the bad state pass."""

    def act(work: Work) -> None:
        work.bad()
        work.repo.write("passdown.toml", policy)

    return act


def shadowing(entry: str):
    def act(work: Work) -> None:
        work.bad()
        fake(work.repo.path("bin" if entry else ""))
        work.repo.commit("Handy tools")
        work.setenv("PATH", f"{entry.format(root=work.repo.root)}:{os.environ['PATH']}")

    return act


def ignored_file(path: str, text: str = "x = 1\n"):
    def act(work: Work) -> None:
        work.repo.write(".gitignore", f"ignored/\n{path}\n").commit("Ignore more")
        work.desk.base = work.repo.head
        work.repo.write(path, text, mode=0o755)

    return act


def info_excluded(path: str):
    def act(work: Work) -> None:
        work.repo.write(".git/info/exclude", f"{path}\n").write(path, "x = 1\n")

    return act


def leading_away(target: str):
    def act(work: Work) -> None:
        work.tmp.joinpath("beside").mkdir()
        work.tmp.joinpath("beside/state.txt").write_text("good\n")
        work.repo.link("data", target).commit("Link")

    return act


def sparse(work: Work) -> None:
    work.repo.git("sparse-checkout", "set", "--no-cone", "/*", "!/docs")


def old_report(work: Work) -> None:
    work.repo.write("r.xml", GOOD)


def linked_report(work: Work) -> None:
    (work.tmp / "old.xml").write_text(GOOD)
    work.repo.link("r.xml", str(work.tmp / "old.xml"))


def aged_report(work: Work) -> None:
    """A copy of an old report, times kept."""
    (work.tmp / "old.xml").write_text(GOOD)
    os.utime(work.tmp / "old.xml", (1, 1))


def conftest_cheat(work: Work) -> None:
    """A test that fails, and a conftest.py that says it passed; both untracked."""
    work.repo.write("test_x.py", "def test_x():\n    assert 0\n")
    hook = "import pytest\n@pytest.hookimpl(wrapper=True)\ndef pytest_runtest_makereport(item, call):\n"
    work.repo.write("conftest.py", f"{hook}    r = yield\n    r.outcome = 'passed'\n    return r\n")


def file_cheat(path: str, text: str):
    def act(work: Work) -> None:
        work.repo.write("test_x.py", "def test_x():\n    assert 0\n").write(path, text)

    return act


EXIT = "import os\nos._exit(0)\n"

MASKED = [
    run(f"M-{name}", command)
    for name, command in {
        "or-true": "false || true",
        "or-colon": "false || :",
        "or-echo": f"{RUN}; false || echo fine",
        "semicolon": "false; true",
        "pipe": "false | cat",
        "pipe-tail": f"{RUN} | tail -1",
        "background": "false & true",
        "trap": "trap 'exit 0' EXIT; false",
        "inner-shell": ["sh", "-c", "false; true"],
        "inner-bash": ["bash", "-c", "false || true"],
        "group": "(false) || true",
        "and-or": "false && true || true",
        "exit-0": "false; exit 0",
        "if": "if false; then true; fi",
        "newline": "false\ntrue",
    }.items()
]

REPORTS = [
    report("R-missing", "true"),
    report("R-not-written-A8", "true", old_report),
    report("R-touched-back-in-time", "touch -d @1 r.xml", old_report),
    report("R-copied-with-its-time", "cp -p ../old.xml r.xml", aged_report),
    report("R-old-behind-a-link", "true", linked_report),
    report("R-removed", "rm r.xml", old_report),
    report("R-lists-failures", says(RED)),
    report("R-lists-errors", says(RED.replace("failure", "error"))),
    report("R-no-case", says("<testsuite tests='9'/>")),
    report("R-empty", "true > r.xml"),
    report("R-cut", says(GOOD[:-5])),
    report("R-bomb", says(BOMB)),
    report("R-all-skipped", says('<testsuite><testcase name="a"><skipped/></testcase></testsuite>')),
    report("R-flaky", says('<testsuite><testcase name="a"><flakyFailure/></testcase></testsuite>')),
    report("R-folder", "mkdir -p r.xml"),
    report("R-fifo", "mkfifo r.xml"),
    report("R-device", "ln -sf /dev/zero r.xml"),
    report("R-no-report", says("all is fine")),
    run("R-gigabyte", "truncate -s 1G ignored/r.xml", more='report = "ignored/r.xml"\n'),
    report("R-plan-not-kept", says("TAP version 13\\n1..3\\nok 1\\n")),
    report("R-bail-out", says("TAP version 13\\n1..1\\nok 1\\nBail out!\\n")),
    report("R-todo-alone", says("TAP version 13\\n1..1\\nnot ok 1 # TODO\\n")),
    Situation(
        "R-another-format",
        nothing,
        "before",
        f'[checks.tests]\nrun = {json.dumps(says(GOOD))}\nreport = {{ path = "r.xml", format = "ctrf" }}\n',
    ),
]

PRINTED = [
    printed("P-failures", "2 passed, 1 failed in 0.1s\n"),
    printed("P-nothing-ran", "no tests ran in 0.01s\n"),
    printed("P-collected-alone", "3 tests collected in 0.01s\n"),
    printed("P-all-skipped", "4 skipped in 0.1s\n"),
    printed("P-rerun", "3 passed, 1 rerun in 0.1s\n"),
    printed("P-no-go-tests", "?   \tex/a\t[no test files]\n"),
    printed("P-zero-cargo", "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored\n"),
    printed("P-go-failure", '{"Action":"fail","Package":"a","Test":"TestA"}\n{"Action":"fail","Package":"a"}\n'),
    printed("P-tap-failure", "TAP version 13\n1..1\nnot ok 1 - a\n"),
]

PROPOSALS = [
    Situation("C-no-policy-in-base", proposed(WHOLE), "before", ""),
    Situation("C-loosened", loosened('[checks.tests]\nrun = "true"\n'), "before"),
    Situation("C-narrowed-inputs", loosened(DECLARED.replace("src/**", "docs/**")), "before"),
    Situation("C-input-called-report", loosened(WHOLE + 'report = "src/state.txt"\n'), "before"),
    Situation("C-removed", loosened("mode = 'solo'\n"), "before"),
    Situation("C-emptied", loosened(""), "before"),
    Situation("C-env-narrowed", loosened('[checks.tests]\nrun = ["true"]\nenv = []\n'), "before"),
    Situation("C-committed-on-the-branch", committed_policy, "before"),
    Situation(
        "C-in-pyproject",
        lambda w: (w.bad(), w.repo.write("pyproject.toml", "[tool.passdown.checks.tests]\nrun = 'true'\n")),
        "before",
        "",
        {"pyproject.toml": f"[tool.passdown.checks.tests]\nrun = '{RUN}'\n"},
    ),
]

HIDDEN = [
    *(
        Situation(f"H-path-{entry or 'empty'}", shadowing(entry), "before")
        for entry in ("{root}/bin", "bin", "./bin", "")
    ),
    *(
        run(f"H-ignored-{path}", "true pytest", ignored_file(path), {"tests/test_a.py": "x = 1\n"})
        for path in (
            "conftest.py",
            "sitecustomize.py",
            "usercustomize.py",
            "tests/conftest.py",
            "pytest.ini",
            "tox.ini",
        )
    ),
    run("H-ignored-module", "true python -m pytest", ignored_file("pytest.py"), {"tests/test_a.py": "x = 1\n"}),
    run("H-ignored-script", "sh scripts/t.sh", ignored_file("scripts/t.sh", "exit 0\n")),
    run("H-ignored-program", "./scripts/t.sh", ignored_file("scripts/t.sh", "#!/bin/sh\nexit 0\n")),
    run("H-script-in-git", "sh .git/hooks/t.sh", lambda w: w.repo.write(".git/hooks/t.sh", "exit 0\n")),
    run(
        "H-ignored-makefile",
        "make -s test",
        ignored_file("GNUmakefile", "test:\n\t@true\n"),
        {"Makefile": "test:\n\t@false\n"},
    ),
    run(
        "H-ignored-include",
        "make -s test",
        ignored_file("local.mk", "CMD = true\n"),
        {"Makefile": "-include local.mk\ntest:\n\t@$(CMD)\n"},
    ),
    run("H-sourced", "sh run.sh", ignored_file(".env", "exit 0\n"), {"run.sh": ". ./.env\nfalse\n"}),
    Situation("H-link-to-a-sibling", leading_away("../beside"), "before"),
    Situation("H-link-to-ignored", leading_away("ignored"), "before"),
    Situation("H-not-on-disk", sparse, "before"),
    run("H-conftest-trick-A6", PYTEST, conftest_cheat),
    run("H-sitecustomize-trick", UNITTEST, file_cheat("sitecustomize.py", EXIT)),
    run("H-module-trick", PYTEST, file_cheat("pytest.py", EXIT)),
    run("H-pytest-ini-trick", PYTEST, file_cheat("pytest.ini", "[pytest]\naddopts = --collect-only\n")),
    run("H-unittest-trick", UNITTEST, file_cheat("unittest.py", EXIT)),
    run("H-excluded-conftest", "true pytest", info_excluded("conftest.py"), {"tests/test_a.py": "x\n"}),
]

OWN = [
    run("O-writes-input", "echo good > src/state.txt"),
    run("O-deletes-input", "rm docs/a.md"),
    run("O-mode", "chmod +x docs/a.md"),
    run("O-leaves-file", "touch left"),
    run("O-makes-and-removes", "touch conftest.py && rm conftest.py"),
    run(
        "O-puts-back", "cp src/state.txt /tmp/$$ && echo x > src/state.txt && cat /tmp/$$ > src/state.txt && rm /tmp/$$"
    ),
    run("O-folder-away-and-back", "mv src gone && mv gone src"),
    run("O-commits", "echo x >> docs/a.md && git commit -qam x"),
    run("O-kills-its-runner", "kill -9 $PPID"),
    run("O-signal", "kill -15 $$"),
    run("O-never-ends", ["sleep", "600"], more='timeout = "300ms"\n'),
    run("O-not-there", ["no-such-program"]),
    run("O-not-executable", ["docs/a.md"]),
    run("O-needs-a-terminal", "stty size < /dev/tty"),
    run("O-deletes-everything", "rm -rf src docs"),
]
BEFORE = [*MASKED, *REPORTS, *PRINTED, *PROPOSALS, *HIDDEN, *OWN]
