"""Every situation here would be a false VERIFIED if one condition were forgotten (A8, A10, A13, A22).

The check passes iff src/state.txt says "good". Each row begins with a run of ours that is VERIFIED,
then something happens, and the row says what must stand afterwards.
"""

from __future__ import annotations

import os
import time
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from passdown.checks.run import adhoc, run_check
from passdown.rules.classify import Trust
from support.desk import Desk

RUN = "grep -q good src/state.txt"
WHOLE = f'[checks.tests]\nrun = "{RUN}"\n'
DECLARED = f'[checks.tests]\nrun = "{RUN}"\ninputs = ["src/**"]\n'


def begin(repo, policy=WHOLE, **files):
    repo.write("passdown.toml", policy).write("src/state.txt", "good\n").write("docs/a.md", "a\n")
    repo.write(".gitignore", "ignored/\n").write("ignored/data", "1\n").write("tool.sh", "true\n", mode=0o755)
    for path, text in files.items():
        repo.write(path, text)
    repo.commit("Begin the work")
    return Desk(repo)


def verified(desk):
    evidence = desk.check()
    assert evidence.result == "PASSED", evidence
    assert desk.stand().class_ == "VERIFIED", desk.stand()
    return evidence


def bad(repo, path="src/state.txt"):
    repo.write(path, "bad\n")


def quiet_edit(repo, path="src/state.txt", text="bad!\n"):
    """Same size, old times put back: what git's own stat cache may miss."""
    old = repo.path(path).stat()
    repo.write(path, text)
    os.utime(repo.path(path), ns=(old.st_atime_ns, old.st_mtime_ns))


def assume_unchanged(repo):
    repo.git("update-index", "--assume-unchanged", "src/state.txt")
    bad(repo)


def skip_worktree(repo):
    repo.git("update-index", "--skip-worktree", "src/state.txt")
    bad(repo)


def exclude(repo):
    repo.write(".git/info/exclude", "extra.py\n").write("extra.py", "x\n")


def excludes_file(repo):
    repo.write(".git/hide", "*.py\n").git("config", "core.excludesFile", str(repo.path(".git/hide")))
    repo.write("extra.py", "x\n")


def check_stat(repo):
    repo.git("config", "core.checkStat", "minimal")
    repo.git("config", "core.trustctime", "false")
    quiet_edit(repo)


def clean_filter(repo):
    repo.git("config", "filter.tidy.clean", "echo good")
    repo.write(".git/info/attributes", "*.txt filter=tidy\n")
    bad(repo)


def self_ignoring(repo):
    repo.write("extra/.gitignore", "*\n").write("extra/conftest.py", "x\n")


def nested(repo):
    inner = repo.nested("vendor/lib").write("a.c", "int a;\n")
    inner.commit("Inner")


def swap_link(repo):
    repo.write("elsewhere.txt", "good\n").delete("src/state.txt").link("src/state.txt", "../elsewhere.txt")


def swap_folder(repo):
    repo.path("src").rename(repo.path("old"))
    repo.write("other/state.txt", "bad\n").link("src", "other")


def hard_link(repo):
    os.link(repo.path("src/state.txt"), repo.path("../link"))
    repo.path("../link").write_text("bad\n")


def crlf(repo):
    repo.write(".git/info/attributes", "* text=auto\n").write("src/state.txt", "good\r\n")


def older(repo):
    repo.write("src/state.txt", "good 2\n").commit("Second")


EDITS = {
    "tracked": bad,
    "untracked": lambda repo: repo.write("new.py", "x\n"),
    "deleted": lambda repo: repo.delete("docs/a.md"),
    "mode": lambda repo: repo.executable("docs/a.md"),
    "link": swap_link,
    "folder link": swap_folder,
    "hard link": hard_link,
    "same size and time": quiet_edit,
    "assume-unchanged": assume_unchanged,
    "skip-worktree": skip_worktree,
    "info/exclude": exclude,
    "core.excludesFile": excludes_file,
    "checkStat=minimal": check_stat,
    "clean filter": clean_filter,
    "self-ignoring .gitignore": self_ignoring,
    "nested repository": nested,
    "line ends": crlf,
    "renamed": lambda repo: repo.git("mv", "docs/a.md", "docs/b.md"),
    "staged and committed": lambda repo: repo.write("src/state.txt", "bad\n").commit("Bad"),
    "another revision's file": lambda repo: (older(repo), repo.git("checkout", "-q", "HEAD~1", "--", "docs")),
    "tracked .gitignore": lambda repo: repo.write(".gitignore", "ignored/\n*.pyc\n"),
    "odd name": lambda repo: repo.write(b"a\nb\xff.txt", "x"),
    "empty file": lambda repo: repo.write("src/__init__.py", ""),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_an_edit_by_any_route_makes_the_whole_tree_stale(repo, edit):
    desk = begin(repo)
    verified(desk)
    edit(repo)
    stands = desk.stand()
    assert (stands.class_, stands.freshness.state) == ("OBSERVED", "STALE")
    assert stands.freshness.because


SAME = {
    "touched": lambda repo: repo.path("src/state.txt").touch(),
    "edited and put back": lambda repo: (bad(repo), repo.write("src/state.txt", "good\n")),
    "committed": lambda repo: repo.commit("Same content"),
    "another branch": lambda repo: repo.branch("other"),
    "amended": lambda repo: repo.git("commit", "-q", "--amend", "-m", "Other words"),
    "no longer in the index": lambda repo: repo.git("rm", "-q", "--cached", "docs/a.md"),
    "an ignored file": lambda repo: repo.write("ignored/data", "2\n"),
    "a tool's cache": lambda repo: repo.write("src/__pycache__/a.cpython-311.pyc", b"\0"),
    "detached": lambda repo: repo.switch(repo.head),
}


@pytest.mark.parametrize("act", SAME.values(), ids=SAME)
def test_the_same_content_stays_verified(repo, act):
    desk = begin(repo)
    verified(desk)
    act(repo)
    assert desk.stand().class_ == "VERIFIED", desk.stand()


@pytest.mark.parametrize(
    ("act", "state"),
    [
        (lambda repo: repo.write("docs/a.md", "b\n"), "FRESH"),
        (lambda repo: repo.write("new.md", "b\n").commit("Unrelated"), "FRESH"),
        (lambda repo: repo.delete("docs/a.md"), "FRESH"),
        (lambda repo: repo.write("src/new.txt", "b\n"), "STALE"),
        (lambda repo: repo.delete("src/state.txt"), "STALE"),
        (lambda repo: repo.executable("src/state.txt"), "STALE"),
        (lambda repo: repo.write("uv.lock", "x\n"), "STALE"),
        (lambda repo: repo.write("web/package-lock.json", "{}"), "STALE"),
        (lambda repo: repo.write("pyproject.toml", "[project]\n"), "STALE"),
    ],
    ids=[
        "edit",
        "commit",
        "delete",
        "new input",
        "deleted input",
        "mode of an input",
        "lockfile",
        "deep lock",
        "config",
    ],
)
def test_declared_inputs(repo, act, state):
    desk = begin(repo, DECLARED)
    verified(desk)
    act(repo)
    stands = desk.stand()
    assert stands.freshness.state == state
    assert (stands.class_ == "VERIFIED") == (state == "FRESH")


@pytest.mark.parametrize(
    ("path", "state"), [("tools/b.py", "STALE"), ("tools/c/d.py", "STALE"), ("tools/e.py", "FRESH")]
)
@pytest.mark.parametrize("run", ["python tools/a.py", "python -m tools.a"])
def test_what_a_script_imports_is_an_input_whatever_is_declared(repo, run, path, state):
    imports = (
        "import os\nfrom b import x\nfrom c import d\n" if "-m" not in run else "from . import b\nfrom .c.d import y\n"
    )
    own = {"tools/a.py": imports, "tools/b.py": "x = 1\n", "tools/c/d.py": "y = 1\n", "tools/e.py": ""}
    desk = begin(repo, f'[checks.tests]\nrun = "{run}"\ninputs = ["src/**"]\n', **own, **{"tools/c/__init__.py": ""})
    verified(desk)
    repo.write(path, "z = 1\n")
    assert desk.stand().freshness.state == state


def test_a_rebase_with_equal_inputs_stays_fresh_under_declared_inputs(repo):
    desk = begin(repo, DECLARED)
    repo.branch("work").write("src/more.txt", "x\n").commit("Work")
    verified(desk)
    repo.switch("main").write("docs/a.md", "b\n").commit("Meanwhile").switch("work")
    repo.git("rebase", "-q", "main")
    assert desk.stand().class_ == "VERIFIED"


def test_ignored_inputs_are_inputs_when_listed(repo):
    desk = begin(repo, WHOLE + 'inputs_ignored = ["ignored/**"]\n')
    verified(desk)
    repo.write("ignored/data", "2\n")
    assert (desk.stand().class_, desk.stand().freshness.state) == ("OBSERVED", "STALE")


# the policy


@pytest.mark.parametrize(
    "policy",
    [
        '[checks.tests]\nrun = "true"\n',
        DECLARED.replace("src/**", "docs/**"),
        WHOLE + 'report = "src/state.txt"\n',
        "mode = 'solo'\n",
        "",
    ],
    ids=["another command", "narrower inputs", "an input called report", "check removed", "emptied"],
)
def test_the_worktrees_policy_changes_no_declared_check(repo, policy):
    desk = begin(repo)
    verified(desk)
    repo.write("passdown.toml", policy)
    bad(repo)
    assert desk.find("tests").definition.run == RUN
    assert desk.stand().class_ == "OBSERVED"
    assert desk.check().result == "FAILED"


def test_a_committed_policy_of_the_branch_changes_nothing_either(repo):
    desk = begin(repo)
    repo.branch("work").write("passdown.toml", '[checks.tests]\nrun = "true"\n').commit("Loosen")
    assert desk.find("tests").definition.run == RUN
    bad(repo)
    desk.check()
    assert desk.stand().class_ == "OBSERVED"


def test_a_check_that_only_the_worktree_declares_is_a_candidate(repo):
    desk = begin(repo, "")
    repo.write("passdown.toml", WHOLE)
    desk.check()
    assert desk.stand().class_ == "OBSERVED"
    desk.confirm()
    assert desk.stand().class_ == "VERIFIED", "exactly this definition ran on exactly this code"


@pytest.mark.parametrize(
    "policy", ['[checks.tests]\nrun = "true"\n', DECLARED.replace("src/**", "docs/**")], ids=["command", "inputs"]
)
def test_a_confirmed_check_stays_what_was_confirmed(repo, policy):
    desk = begin(repo, "")
    repo.write("passdown.toml", WHOLE)
    desk.confirm()
    repo.write("passdown.toml", policy)
    known = desk.find("tests")
    assert known.definition.run == RUN
    assert not known.definition.inputs
    bad(repo)
    assert desk.check().result == "FAILED"


# what stands behind the command

INDIRECT = {
    "conftest.py": ("sh -c 'true pytest'", "conftest.py", "x = 1\n"),
    "nested conftest.py": ("true pytest -q", "tests/unit/conftest.py", "x = 1\n"),
    "pytest.ini": ("true pytest", "pytest.ini", "[pytest]\naddopts = --co\n"),
    "pyproject table": ("true pytest", "pyproject.toml", "[tool.pytest.ini_options]\naddopts = '--co'\n"),
    "setup.cfg": ("true pytest", "setup.cfg", "[tool:pytest]\n"),
    "tox.ini": ("true tox", "tox.ini", "[tox]\n"),
    "noxfile.py": ("true nox", "noxfile.py", "x\n"),
    "sitecustomize.py": ("true python -m unittest", "sitecustomize.py", "x\n"),
    "usercustomize.py": ("true python -m unittest", "lib/usercustomize.py", "x\n"),
    "a module that shadows the tool": ("true python -m pytest", "pytest.py", "x\n"),
    "a package that shadows the tool": ("true python -m pytest", "src/pytest/__init__.py", "x\n"),
    "mypy.ini": ("true mypy", "mypy.ini", "[mypy]\nignore_errors = True\n"),
    "ruff.toml": ("true ruff", "ruff.toml", "select = []\n"),
    "jest.config": ("true jest", "jest.config.js", "x\n"),
    "vitest.config": ("true vitest", "web/vitest.config.ts", "x\n"),
    "eslint.config": ("true eslint", "eslint.config.mjs", "x\n"),
    "tsconfig": ("true tsc", "tsconfig.build.json", "{}\n"),
    ".npmrc": ("true npm test", ".npmrc", "script-shell=/bin/true\n"),
    "cargo config": ("true cargo test", ".cargo/config.toml", "[target]\n"),
    "Makefile": ("make -s test", "Makefile", "test:\n\t@true\nother:\n"),
    "included makefile": ("make -s test", "mk/rules.mk", "X = 2\n"),
    "script file": ("./tool.sh", "tool.sh", "exit 0\n"),
    "script of a script": ("sh outer.sh", "scripts/inner.sh", "exit 0\n"),
    "package script": ("true; npm test", "package.json", '{"scripts": {"test": "npm run unit", "unit": "true"}}'),
    "script of a package script": ("true; npm test", "scripts/inner.sh", "exit 0\n"),
}
MADE = {
    "Makefile": "include mk/*.mk\ntest:\n\t@true\n",
    "mk/rules.mk": "X = 1\n",
    "outer.sh": "sh scripts/inner.sh\n",
    "scripts/inner.sh": "true\n",
    "package.json": '{"scripts": {"test": "npm run unit", "unit": "sh scripts/inner.sh"}}',
    "tool.sh": "true\n",
}


@pytest.mark.parametrize(("run", "path", "text"), INDIRECT.values(), ids=INDIRECT)
@pytest.mark.parametrize("tier", ["whole", "declared"])
def test_a_changed_indirection_is_a_changed_definition(repo, run, path, text, tier):
    inputs = "" if tier == "whole" else 'inputs = ["src/**"]\n'
    desk = begin(repo, f'[checks.tests]\nrun = "{run}"\n{inputs}', **MADE)
    desk.repo.executable("tool.sh").commit("Tools")
    desk.base = repo.head
    desk.check()
    before = desk.stand()
    assert before.freshness.state == "FRESH", before
    repo.write(path, text)
    if path == "tool.sh":
        repo.executable(path)
    changed = desk.stand()
    assert (changed.class_, changed.freshness.state) == ("OBSERVED", "DEFINITION-CHANGED")
    assert any(path.rpartition("/")[2] in part for part in changed.freshness.because), changed.freshness
    desk.check()
    again = desk.stand()
    assert (again.class_, again.freshness.state) == ("OBSERVED", "FRESH"), "nobody accepted it"
    assert any(warning.startswith("definition-changed") for warning in again.warnings)


def test_a_reviewer_accepts_a_changed_definition(repo):
    desk = begin(repo, '[checks.tests]\nrun = "sh run.sh"\n', **{"run.sh": f"{RUN}\n"})
    repo.write("run.sh", f"# quicker\n{RUN}\n")
    desk.check()
    assert desk.stand().class_ == "OBSERVED"
    desk.confirm()
    assert desk.stand().class_ == "VERIFIED"
    repo.write("run.sh", "exit 0\n")
    desk.check()
    assert desk.stand().class_ == "OBSERVED"


def test_a_confirmed_check_names_what_changed_since(repo):
    desk = begin(repo, "", **{"run.sh": f"{RUN}\n"})
    repo.write("passdown.toml", '[checks.tests]\nrun = "sh run.sh"\n')
    desk.confirm(by="alice")
    repo.write("run.sh", "exit 0\n")
    known = desk.find("tests")
    assert (known.declared, known.accepted, known.changed) == (True, False, ["run.sh"])
    assert known.because == "definition-changed since alice confirmed it: run.sh"


def test_another_package_script_changes_nothing(repo):
    desk = begin(repo, '[checks.tests]\nrun = "true; npm test"\ninputs = ["src/**"]\n', **MADE)
    before = desk.find("tests").definition.digest
    repo.write("package.json", MADE["package.json"].replace('"unit"', '"lint": "eslint .", "unit"', 1))
    assert desk.find("tests").definition.digest == before


def test_line_ends_of_a_checkout_are_no_changed_definition(repo):
    desk = begin(repo, '[checks.tests]\nrun = "sh run.sh"\n', **{"run.sh": f"{RUN}\n", ".gitattributes": "*.sh text\n"})
    repo.write("run.sh", f"{RUN} \r\n".replace(" \r", "\r"))
    assert desk.find("tests").accepted


# who says so


def test_another_writers_evidence_is_observed_until_vouched_for(repo):
    desk = begin(repo)
    desk.check(writer="f" * 32)
    stands = desk.stand()
    assert stands.class_ == "OBSERVED"
    assert any(w.startswith("other-writer") for w in stands.warnings)
    desk.trust = Trust(own=desk.trust.own, vouched=frozenset({"f" * 32}))
    assert desk.stand().class_ == "VERIFIED"


def test_another_writers_confirmation_counts_for_nothing(repo):
    desk = begin(repo, "")
    repo.write("passdown.toml", WHOLE)
    desk.confirm()
    desk.records[-1] = msgspec.structs.replace(desk.records[-1], writer="f" * 32)
    desk.check()
    assert desk.stand().class_ == "OBSERVED"


def test_a_record_that_does_not_verify_is_no_evidence(repo):
    desk = begin(repo)
    desk.check(trusted=False)
    assert desk.stand().class_ is None
    assert desk.stand().result is None


@pytest.mark.parametrize(
    "changes",
    [
        {"result": "PASSED", "exit": 1},
        {"observed_by": "agent-side"},
        {"observed_by": "hook"},
        {"observed_by": "transcript"},
        {"tree_after": ""},
        {"changed_inputs": ["src/state.txt"]},
    ],
)
def test_edited_evidence(repo, changes):
    desk = begin(repo)
    evidence = verified(desk)
    desk.records.clear()
    desk.record(msgspec.structs.replace(evidence, **changes))
    assert desk.stand().class_ == "OBSERVED"


def test_an_ad_hoc_command_never_passes_for_a_check_of_its_name(repo):
    desk = begin(repo)
    command = msgspec.structs.replace(adhoc(["true"]), name="tests")
    desk.record(run_check(desk.place, command, now=desk.now()))
    stands = desk.stands()
    assert [(s.name, s.result, s.class_) for s in stands] == [("tests", None, None), ("tests", "PASSED", "OBSERVED")]


def test_an_ad_hoc_run_of_the_same_command_is_observed(repo):
    desk = begin(repo)
    desk.record(run_check(desk.place, adhoc(["grep", "-q", "good", "src/state.txt"]), now=desk.now()))
    assert {s.class_ for s in desk.stands()} == {None, "OBSERVED"}


# where it ran


def test_a_declared_value_that_differs(repo, monkeypatch):
    desk = begin(repo, WHOLE + 'env = ["DATABASE_URL"]\n')
    monkeypatch.setenv("DATABASE_URL", "postgres://user:hunter2@one/db")
    evidence = verified(desk)
    assert "hunter2" not in msgspec.json.encode(evidence).decode()
    monkeypatch.setenv("DATABASE_URL", "postgres://user:hunter2@two/db")
    assert (desk.stand().class_, desk.stand().freshness.state) == ("OBSERVED", "ENVIRONMENT-CHANGED")
    monkeypatch.delenv("DATABASE_URL")
    assert desk.stand().freshness.because == ["passed on that machine", "value of DATABASE_URL differs"]


@pytest.mark.parametrize("name", ["PYTHONPATH", "NODE_OPTIONS", "LD_PRELOAD", "GOFLAGS"])
def test_a_variable_that_sways_tools(repo, monkeypatch, name):
    desk = begin(repo)
    verified(desk)
    monkeypatch.setenv(name, "/nowhere")
    assert desk.stand().freshness.state == "ENVIRONMENT-CHANGED"


def fake(folder: Path, name="grep"):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("#!/bin/sh\nexit 0\n")
    (folder / name).chmod(0o755)
    return folder


def test_another_program_of_that_name(repo, tmp_path, monkeypatch):
    desk = begin(repo)
    verified(desk)
    monkeypatch.setenv("PATH", f"{fake(tmp_path / 'bin')}:{os.environ['PATH']}")
    assert desk.stand().freshness.state == "ENVIRONMENT-CHANGED"


@pytest.mark.parametrize("entry", ["{root}/bin", "bin", "./bin", ""])
def test_a_program_in_the_worktree_that_shadows_the_real_one(repo, monkeypatch, entry):
    desk = begin(repo)
    fake(repo.path("bin" if entry else ""))
    repo.commit("Handy tools")
    monkeypatch.setenv("PATH", f"{entry.format(root=repo.root)}:{os.environ['PATH']}")
    assert desk.check().result == "PASSED"
    stands = desk.stand()
    assert stands.class_ == "OBSERVED"
    assert any(w.startswith("shadowed: grep is ./") for w in stands.warnings)


def test_a_program_that_was_replaced_in_place(repo, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", f"{fake(tmp_path / 'bin', 'mytool')}:{os.environ['PATH']}")
    desk = begin(repo, '[checks.tests]\nrun = "mytool"\n')
    verified(desk)
    (tmp_path / "bin/mytool").write_text("#!/bin/sh\n# newer\nexit 0\n")
    assert desk.stand().freshness.state == "ENVIRONMENT-CHANGED"


def environment_at(folder: Path, version="3.11.7"):
    fake(folder / "bin", "python3.11")
    (folder / "bin/tool").write_text(f"#!{folder}/bin/python3.11\n")
    (folder / "bin/tool").chmod(0o755)
    (folder / "pyvenv.cfg").write_text(f"home = /usr/bin\nversion = {version}\n")
    site = folder / "lib/python3.11/site-packages"
    (site / "requests-1.0.dist-info").mkdir(parents=True)
    return site


@pytest.mark.parametrize(
    "act",
    [
        lambda site: (site / "requests-1.0.dist-info").rename(site / "requests-2.0.dist-info"),
        lambda site: (site / "extra-0.1.dist-info").mkdir(),
        lambda site: (site / "evil.pth").write_text("import os\n"),
        lambda site: (site / "sitecustomize.py").write_text("x = 1\n"),
        lambda site: (site.parents[2] / "pyvenv.cfg").write_text("version = 3.12.1\n"),
        lambda site: (site.parents[2] / "bin/python3.11").write_text("#!/bin/sh\nexit 0 \n"),
    ],
    ids=["version", "package", "path file", "start-up hook", "interpreter version", "interpreter"],
)
def test_the_python_environment(repo, tmp_path, monkeypatch, act):
    site = environment_at(tmp_path / "venv")
    monkeypatch.setenv("PATH", f"{tmp_path}/venv/bin:{os.environ['PATH']}")
    desk = begin(repo, '[checks.tests]\nrun = "tool"\n')
    verified(desk)
    act(site)
    assert desk.stand().freshness.state == "ENVIRONMENT-CHANGED"


def test_node_modules(repo):
    desk = begin(repo)
    repo.write(".gitignore", "ignored/\nnode_modules/\n").write("node_modules/.package-lock.json", "{}").commit()
    verified(desk)
    repo.write("node_modules/.package-lock.json", '{"a": 1}')
    assert desk.stand().freshness.state == "ENVIRONMENT-CHANGED"


@pytest.mark.parametrize("path", ["conftest.py", "sitecustomize.py", "tests/conftest.py", "pytest.ini"])
def test_configuration_that_git_ignores(repo, path):
    desk = begin(repo, '[checks.tests]\nrun = "true pytest"\n', **{"tests/test_a.py": "x = 1\n"})
    repo.write(".gitignore", f"ignored/\n{path}\n").commit("Ignore more")
    verified(desk)
    repo.write(path, "x = 1\n")
    assert desk.stand().freshness.state == "ENVIRONMENT-CHANGED"
    desk.check()
    stands = desk.stand()
    assert stands.class_ == "OBSERVED"
    assert f"hidden-configuration: {path} is ignored by git" in stands.warnings


@pytest.mark.parametrize(
    ("run", "path", "text"),
    [
        ("sh scripts/t.sh", "scripts/t.sh", "exit 0\n"),
        ("./scripts/t.sh", "scripts/t.sh", "#!/bin/sh\nexit 0\n"),
        ("sh .git/hooks/t.sh", ".git/hooks/t.sh", "exit 0\n"),
        ("make test", "GNUmakefile", "test:\n\ttrue\n"),
        ("make test", "local.mk", "CMD = true\n"),
        ("make test", ".env", "X=1\n"),
        ("npm test", ".npmrc", "script-shell=/bin/true\n"),
    ],
)
def test_what_the_command_leads_to_and_no_tree_holds(repo, run, path, text):
    """Who may write an ignored file decides what the check means: seen, not verified."""
    makefile = "-include local.mk\ntest:\n\t$(CMD) sh run.sh\n"
    files = {"Makefile": makefile, "run.sh": ". ./.env\nexit 0\n", "package.json": '{"scripts": {"test": "true"}}'}
    repo.write(".gitignore", "ignored/\nscripts/\nGNUmakefile\nlocal.mk\n.env\n.npmrc\n")
    repo.write("passdown.toml", f'[checks.tests]\nrun = "{run}"\n')
    for name, content in files.items():
        repo.write(name, content)
    repo.commit("Begin the work")
    desk = Desk(repo)
    repo.write(".env", "").write(path, text, mode=0o755)
    assert desk.check().result == "PASSED"
    assert desk.stand().class_ == "OBSERVED"
    assert f"hidden-configuration: {path} is ignored by git" in desk.stand().warnings


@pytest.mark.parametrize("run", [". .venv/bin/activate && test -f passdown.toml", ".venv/bin/tool"])
def test_an_environment_is_no_hidden_configuration(repo, run):
    repo.write(".gitignore", "ignored/\n.venv/\n").write("passdown.toml", f'[checks.tests]\nrun = "{run}"\n').commit()
    repo.write(".venv/pyvenv.cfg", "").write(".venv/bin/activate", "").write(
        ".venv/bin/tool", "#!/bin/sh\n", mode=0o755
    )
    desk = Desk(repo)
    assert desk.check().warnings == []


@pytest.mark.parametrize(("target", "held"), [("../beside", False), ("ignored", False), ("docs", True), ("no", True)])
def test_a_link_among_the_inputs_that_leads_away(repo, target, held):
    """What it leads to can change while the tree stays the same."""
    repo.root.parent.joinpath("beside").mkdir()
    desk = begin(repo)
    repo.link("data", target).commit("Link")
    desk.check()
    assert (desk.stand().class_ == "VERIFIED") == held
    assert ("not-on-disk: data" in desk.stand().warnings) != held


@pytest.mark.parametrize("path", ["pytest.py", "pytest/__init__.py"])
def test_a_module_that_git_ignores_in_place_of_the_tool(repo, path):
    desk = begin(repo, '[checks.tests]\nrun = "true python -m pytest -q"\n', **{"tests/test_a.py": "x = 1\n"})
    repo.write(".gitignore", "ignored/\npytest*\n").commit("Ignore more")
    verified(desk)
    repo.write(path, "print('2 passed')\n")
    desk.check()
    assert desk.stand().class_ == "OBSERVED"
    assert f"hidden-configuration: {path} is ignored by git" in desk.stand().warnings


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pytest.ini", "[pytest]\naddopts = -k good\n"),
        ("setup.cfg", "[tool:pytest]\naddopts = -k good\n"),
        ("pyproject.toml", "[tool.pytest.ini_options]\naddopts = '-k good'\n"),
    ],
)
def test_settings_above_the_repository(repo, name, text):
    """A run may write beside the repository, and pytest looks there where the repository has no settings."""
    desk = begin(repo, '[checks.tests]\nrun = "true pytest"\n')
    verified(desk)
    above = repo.root.parent / name
    above.write_text(text)
    desk.check()
    assert desk.stand().class_ == "OBSERVED"
    assert f"hidden-configuration: {above} is outside the repository" in desk.stand().warnings
    above.write_text("[other]\n" if name != "pytest.ini" else text)
    repo.write("pytest.ini", "")
    desk.check()
    assert not any("outside the" in warning for warning in desk.stand().warnings)


def test_an_input_that_a_sparse_checkout_keeps_off_the_disk(repo):
    """The tree holds it as the index has it; what ran did not see it."""
    desk = begin(repo, DECLARED.replace(RUN, "! grep -q bad src/state.txt"))
    verified(desk)
    repo.git("config", "core.sparseCheckout", "true")
    repo.write(".git/info/sparse-checkout", "/*\n!/docs/\n").git("update-index", "--skip-worktree", "docs/a.md")
    repo.delete("docs/a.md")
    verified(desk)  # no input of this check
    bad(repo)
    repo.stage("src/state.txt")
    repo.git("update-index", "--skip-worktree", "src/state.txt")
    repo.delete("src/state.txt")
    desk.check()
    assert desk.stand().class_ == "OBSERVED"
    assert "not-on-disk: src/state.txt" in desk.stand().warnings


# time


@pytest.mark.parametrize(("later", "state"), [(23, "FRESH"), (25, "EXPIRED"), (-1, "EXPIRED")])
def test_time_to_live(repo, later, state):
    desk = begin(repo, WHOLE + 'ttl = "24h"\n')
    verified(desk)
    desk.later = timedelta(hours=later)
    assert desk.stand().freshness.state == state
    assert (desk.stand().class_ == "VERIFIED") == (state == "FRESH")


# what came out


def test_a_pass_and_a_fail_on_the_same_code_is_flaky(repo):
    desk = begin(repo, '[checks.tests]\nrun = "rm ../once"\n')
    (repo.root.parent / "once").touch()
    verified(desk)
    assert desk.check().result == "FAILED"
    (repo.root.parent / "once").touch()
    assert desk.check().result == "PASSED"
    stands = desk.stand()
    assert (stands.result, stands.class_) == ("FLAKY", "OBSERVED")


def test_a_fail_then_an_edit_then_a_pass_is_not_flaky(repo):
    desk = begin(repo)
    bad(repo)
    assert desk.check().result == "FAILED"
    repo.write("src/state.txt", "good\n")
    verified(desk)


@pytest.mark.parametrize(
    ("run", "result"),
    [
        ("false || true", "PASSED"),
        ("false; true", "PASSED"),
        ("false | cat", "PASSED"),
        ("kill -9 $$", "ERROR"),
        ("nonexistent-program", "ERROR"),
        ("echo '3 skipped in 0.1s' # pytest", "SKIPPED"),
        ("echo 'no tests ran in 0.01s' # pytest", "NOT RUN"),
        ("echo '12 tests collected in 0.01s' # pytest", "NOT RUN"),
        ("printf 'Ran 0 tests in 0.000s\\n\\nOK\\n'", "NOT RUN"),
        ("echo '1 failed, 2 passed in 0.1s'", "INCONCLUSIVE"),
        ("printf '?   \\texample.com/a\\t[no test files]\\n'", "NOT RUN"),
    ],
)
def test_what_is_no_verified_pass(repo, run, result):
    text = msgspec.json.encode(run).decode()
    desk = begin(repo, f'[checks.tests]\nrun = {text}\nkind = "test"\n')
    assert desk.check().result == result
    assert desk.stand().class_ == "OBSERVED"


def report(inner=""):
    return f'<testsuite><testcase classname="a" name="b">{inner}</testcase></testsuite>'


@pytest.mark.parametrize(
    ("write", "result"),
    [
        (f"echo '{report()}' > ignored/r.xml", "PASSED"),
        (f"echo '{report('<failure/>')}' > ignored/r.xml", "INCONCLUSIVE"),
        (f"echo '{report('<skipped/>')}' > ignored/r.xml", "SKIPPED"),
        ("echo '<testsuite/>' > ignored/r.xml", "NOT RUN"),
        ("echo 'all fine' > ignored/r.xml", "INCONCLUSIVE"),
        ("rm -f ignored/r.xml", "INCONCLUSIVE"),
        ("true", "INCONCLUSIVE"),
        ("rm ignored/r.xml; ln -s /dev/null ignored/r.xml", "INCONCLUSIVE"),
    ],
    ids=["green", "red", "skipped", "empty", "no report", "missing", "older", "device"],
)
def test_the_report_must_be_the_runs_own(repo, write, result):
    text = msgspec.json.encode(write).decode()
    desk = begin(repo, f'[checks.tests]\nrun = {text}\nreport = "ignored/r.xml"\n')
    repo.write("ignored/r.xml", report())
    time.sleep(0.02)
    assert desk.check().result == result
