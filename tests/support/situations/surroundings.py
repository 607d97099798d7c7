"""What surrounds a check after a verified run: programs, packages, variables, definitions, time."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

from support.situations.work import WHOLE, Situation, Work, fake

ENV = WHOLE + 'env = ["DATABASE_URL"]\n'
TOOL = '[checks.tests]\nrun = "mytool"\n'
TTL = WHOLE + 'ttl = "1h"\n'
IGNORED = WHOLE + 'inputs_ignored = ["ignored/**"]\n'


def first_on_path(entry: Path | str):
    def act(work: Work) -> None:
        work.setenv("PATH", f"{entry if isinstance(entry, str) else work.tmp / entry}:{os.environ['PATH']}")

    return act


def other_program(work: Work) -> None:
    work.setenv("PATH", f"{fake(work.tmp / 'bin')}:{os.environ['PATH']}")


def other_shell_program(work: Work) -> None:
    fake(work.repo.path("bin"))
    work.setenv("PATH", f"{work.repo.root}/bin:{os.environ['PATH']}")


def with_tool(work: Work) -> None:
    """Before the run: a tool of a virtual environment outside of the repository, first on PATH."""
    venv = work.tmp / "venv"
    fake(venv / "bin", "python3.11")
    fake(venv / "bin", "mytool", f"#!{venv}/bin/python3.11\n")
    (venv / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.11.7\n")
    (venv / "lib/python3.11/site-packages/requests-1.0.dist-info").mkdir(parents=True)
    work.setenv("PATH", f"{venv}/bin:{os.environ['PATH']}")


def with_npm(work: Work) -> None:
    """Before the run: an npm that always passes, first on PATH."""
    work.setenv("PATH", f"{fake(work.tmp / 'bin', 'npm')}:{os.environ['PATH']}")


def site(work: Work) -> Path:
    return work.tmp / "venv/lib/python3.11/site-packages"


def setenv(name: str, value: str = "/nowhere"):
    return lambda work: work.setenv(name, value)


def later(**time: float):
    def act(work: Work) -> None:
        work.desk.later = timedelta(**time)

    return act


def definition(run: str, path: str, text: str, **files: str) -> Situation:
    made = {name.replace("__", "/"): content for name, content in files.items()}
    return Situation(
        f"D-{path}-of-{run.rpartition(' ')[2] if run.startswith('true') else run.replace(' ', '-')}",
        lambda work: work.repo.write(path, text, mode=0o755 if path.endswith(".sh") else None),
        policy=f'[checks.tests]\nrun = "{run}"\ninputs = ["src/**"]\n',
        files=made,
    )


SURROUNDINGS = [
    Situation("S-program-before-it", other_program),
    Situation("S-program-in-worktree", other_shell_program),
    *(
        Situation(f"S-variable-{name}", setenv(name))
        for name in ("PYTHONPATH", "NODE_OPTIONS", "LD_PRELOAD", "LD_LIBRARY_PATH", "GOFLAGS", "RUSTFLAGS", "PERL5OPT")
    ),
    Situation("S-declared-value", setenv("DATABASE_URL", "two"), policy=ENV),
    Situation("S-declared-value-empty", setenv("DATABASE_URL", ""), policy=ENV),
    Situation("S-ttl-over", later(hours=2), policy=TTL),
    Situation("S-clock-back", later(days=-2), policy=TTL),
    Situation("S-ignored-input", lambda w: w.repo.write("ignored/data", "2\n"), policy=IGNORED),
    Situation("S-ignored-input-new", lambda w: w.repo.write("ignored/more", "2\n"), policy=IGNORED),
    Situation("S-ignored-input-gone", lambda w: w.repo.delete("ignored/data"), policy=IGNORED),
    Situation(
        "S-node-modules",
        lambda w: w.repo.write("node_modules/.package-lock.json", '{"a": 1}'),
        files={".gitignore": "ignored/\nnode_modules/\n", "node_modules/.package-lock.json": "{}"},
    ),
]

TOOLS = [
    Situation(f"S-{name}", act, policy=TOOL)
    for name, act in {
        "tool-replaced": lambda w: fake(w.tmp / "venv/bin", "mytool", "#!/bin/sh\n# newer\nexit 0\n"),
        "interpreter-replaced": lambda w: fake(w.tmp / "venv/bin", "python3.11", "#!/bin/sh\nexit 0 \n"),
        "interpreter-version": lambda w: (w.tmp / "venv/pyvenv.cfg").write_text("version = 3.12.1\n"),
        "package-version": lambda w: (site(w) / "requests-1.0.dist-info").rename(site(w) / "requests-2.0.dist-info"),
        "package-added": lambda w: (site(w) / "extra-0.1.dist-info").mkdir(),
        "path-file": lambda w: (site(w) / "evil.pth").write_text("import os\n"),
        "sitecustomize": lambda w: (site(w) / "sitecustomize.py").write_text("x = 1\n"),
        "usercustomize": lambda w: (site(w) / "usercustomize.py").write_text("x = 1\n"),
    }.items()
]

DEFINITIONS = [
    definition("true pytest", "conftest.py", "x = 1\n"),
    definition("true pytest", "tests/unit/conftest.py", "x = 1\n"),
    definition("true pytest", "pytest.ini", "[pytest]\naddopts = --co\n"),
    definition("true pytest", "pyproject.toml", "[tool.pytest.ini_options]\naddopts = '--co'\n"),
    definition("true pytest", "setup.cfg", "[tool:pytest]\n"),
    definition("true tox", "tox.ini", "[tox]\n"),
    definition("true nox", "noxfile.py", "x\n"),
    definition("true python -m unittest", "sitecustomize.py", "x\n"),
    definition("true python -m unittest", "lib/usercustomize.py", "x\n"),
    definition("true python -m pytest", "pytest.py", "x\n"),
    definition("true python -m pytest", "src/pytest/__init__.py", "x\n"),
    definition("true mypy", "mypy.ini", "[mypy]\nignore_errors = True\n"),
    definition("true ruff", "ruff.toml", "select = []\n"),
    definition("true jest", "jest.config.js", "x\n"),
    definition("true vitest", "web/vitest.config.ts", "x\n"),
    definition("true eslint", "eslint.config.mjs", "x\n"),
    definition("true tsc", "tsconfig.build.json", "{}\n"),
    definition("true npm test", ".npmrc", "script-shell=/bin/true\n"),
    definition("true cargo test", ".cargo/config.toml", "[target]\n"),
    definition("make -s test", "Makefile", "test:\n\t@true\nother:\n", Makefile="test:\n\t@true\n"),
    definition(
        "make -s all",
        "mk/rules.mk",
        "X = 2\n",
        Makefile="include mk/*.mk\nall:\n\t@true\n",
        **{"mk__rules.mk": "X = 1\n"},
    ),
    definition("./tool.sh", "tool.sh", "exit 0\n"),
    definition("sh outer.sh", "inner.sh", "exit 0\n", **{"outer.sh": "sh ./inner.sh\n", "inner.sh": "true\n"}),
    definition(
        "npm test", "package.json", '{"scripts": {"test": "true"}}', **{"package.json": '{"scripts": {"test": "x"}}'}
    ),
    definition(
        "npm run unit",
        "scripts/inner.sh",
        "exit 0\n",
        **{"package.json": '{"scripts": {"unit": "sh scripts/inner.sh"}}', "scripts__inner.sh": "true\n"},
    ),
]
