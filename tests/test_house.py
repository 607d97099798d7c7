"""House rules that no linter knows: sizes, names, what must never be committed, pins that cover what is declared."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from importlib.metadata import requires
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "passdown"
HOOKS = [SOURCE / "cli" / f"{name}_hook.py" for name in ("shell", "after", "git", "session")]
EDGES = {
    SOURCE / "cli" / "edge.py",
    *(SOURCE / "guard" / "hook" / f"{name}.py" for name in ("answer", "session")),
    *HOOKS,
}
WIDE = {"Exception", "BaseException"}
MODULE_LINES = 400
FUNCTION_LINES = 40
VAGUE_NAMES = {"utils", "util", "common", "helpers", "helper", "manager", "managers", "base", "core", "misc", "shared"}
MACHINE_PATHS = re.compile(r"/work/(main|shared|\.library)|/root/\.|/tmp/(bash_jobs|CONTRACTS)")
REGISTRIES = re.compile(r"py" r"pi\.org|python" r"hosted\.org|registry\.np" r"mjs|(extra-|^|\s)index-url")
PIN = re.compile(r"[A-Za-z0-9._-]+==[A-Za-z0-9.!+_-]+")


def committed() -> list[Path]:
    """Files that git tracks, or would: no ignored ones."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    return [path for path in paths if path.is_file()]


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.parse(path.read_text())
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its decorators and docstring."""
    total = (function.end_lineno or function.lineno) - function.lineno + 1
    first = function.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        total -= (first.end_lineno or first.lineno) - first.lineno + 1
    return total


def matches(pattern: re.Pattern[str]) -> list[str]:
    found = []
    for path in committed():
        name = path.relative_to(ROOT).as_posix()
        if path == Path(__file__).resolve():
            continue
        text = path.read_bytes().decode("utf-8", "replace")
        found += [
            f"{name}:{n}: {line.strip()[:120]}" for n, line in enumerate(text.splitlines(), 1) if pattern.search(line)
        ]
    return found


def test_modules_are_small():
    large = {
        p.relative_to(ROOT).as_posix(): n for p in modules() if (n := len(p.read_text().splitlines())) > MODULE_LINES
    }
    assert not large


def test_functions_fit_a_screen():
    long = [
        f"{path.relative_to(ROOT)}:{f.lineno} {f.name}: {lines_of(f)} lines"
        for path in modules()
        for f in functions(path)
        if lines_of(f) > FUNCTION_LINES
    ]
    assert not long


def test_a_thing_is_found_by_its_name():
    parts = {part for path in modules() for part in path.relative_to(SOURCE).with_suffix("").parts}
    assert not parts & VAGUE_NAMES


def swallows_everything(handler: ast.ExceptHandler) -> bool:
    """Whether a handler takes any exception and does not raise it again at its end."""
    wide = handler.type is None or (isinstance(handler.type, ast.Name) and handler.type.id in WIDE)
    last = handler.body[-1]
    return wide and not (isinstance(last, ast.Raise) and last.exc is None)


def test_only_the_edges_of_a_process_swallow_every_exception():
    broad = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in modules()
        if path not in EDGES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ExceptHandler) and swallows_everything(node)
    ]
    assert not broad


# The agents' hook runs without the package; where references are kept in a table git alone knows the branch.
RUN_GIT = (SOURCE / "workspace" / "git.py", SOURCE / "guard" / "hook" / "place.py")


def test_git_is_run_in_one_module():
    callers = [
        path.relative_to(SOURCE).as_posix()
        for path in modules()
        if re.search(r"""\[\s*["']git["']\s*,""", path.read_text()) and path not in RUN_GIT
    ]
    assert not callers


@pytest.mark.parametrize("pattern", [MACHINE_PATHS, REGISTRIES], ids=["machine paths", "registry addresses"])
def test_nothing_of_this_machine_is_committed(pattern):
    assert not matches(pattern)


def test_constraints_are_names_and_versions_alone():
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
    assert not [line for line in lines if not PIN.fullmatch(line)]


def test_constraints_cover_what_is_declared():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    declared = project["project"]["dependencies"] + project["dependency-groups"]["dev"]
    pinned = {
        plain(line.split("==")[0]) for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line
    }
    wanted = {plain(re.split(r"[^A-Za-z0-9._-]", item, maxsplit=1)[0]) for item in declared}
    transitive = {
        plain(re.split(r"[^A-Za-z0-9._-]", need, maxsplit=1)[0])
        for name in wanted
        for need in requires(name) or []
        if ";" not in need
    }
    assert not (wanted | transitive) - pinned


def plain(name: str) -> str:
    """A package's name in its one normal form."""
    return re.sub(r"[-_.]+", "-", name).lower()


def test_agents_instructions_stay_short():
    assert len((ROOT / "AGENTS.md").read_text().splitlines()) <= 60


def test_links_between_documents_lead_somewhere():
    dead = [
        f"{document.relative_to(ROOT)}: {target}"
        for document in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", document.read_text())
        if "://" not in target and not (document.parent / target).exists()
    ]
    assert not dead


def test_values_are_structs():
    """A dataclass takes ten times as long to be made, and every command pays for each that it loads."""
    assert [path.name for path in modules() if re.search(r"^\s*@dataclass", path.read_text(), re.MULTILINE)] == []
