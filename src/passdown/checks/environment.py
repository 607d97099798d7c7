"""Where a check runs: platform, programs, lockfiles, installed packages, declared values."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from passdown.checks.beside import named_in_values, named_outside, plugins
from passdown.checks.fingerprint import disk_entry
from passdown.checks.meaning import settings_texts, unheld_code, unheld_data, unheld_outside
from passdown.checks.outside import outside
from passdown.checks.programs import programs, shown, typed
from passdown.checks.read_variables import read_variables
from passdown.checks.replaced import replaced
from passdown.checks.salt import read_salt
from passdown.checks.scripts import follow
from passdown.checks.tools import LOCKFILES, PARTS, STAND_INS, mentioned
from passdown.checks.tree import TreeView, folders
from passdown.checks.variables import sways
from passdown.model.evidence import CheckDefinition, EnvironmentFingerprint
from passdown.rules import command
from passdown.rules.patterns import lazy

SWAYING = (
    "PYTHONPATH", "PYTHONHOME", "PYTHONWARNINGS", "PYTHONHASHSEED", "PYTHONNOUSERSITE", "PYTHONSAFEPATH", "MYPYPATH",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD", "COVERAGE_RCFILE", "DJANGO_SETTINGS_MODULE", "UV_PYTHON", "UV_PROJECT",
    "UV_NO_SYNC",
    "TOXENV", "TOX_SKIP_ENV", "TOX_OVERRIDE", "TOX_USER_CONFIG_FILE", "NOXSESSION", "NOXPYTHON",
    "NODE_OPTIONS", "NODE_PATH", "NODE_ENV", "BABEL_ENV", "TS_NODE_PROJECT", "MOCHA_OPTIONS", "ESLINT_USE_FLAT_CONFIG",
    "GOFLAGS", "GOENV", "GOWORK", "GOOS", "GOARCH", "GOROOT", "GOTOOLCHAIN", "GOEXPERIMENT", "CGO_ENABLED",
    "RUSTFLAGS", "RUSTDOCFLAGS", "RUSTC", "RUSTC_WRAPPER", "CARGO_BUILD_TARGET", "CARGO_BUILD_RUSTC",
    "RUSTC_WORKSPACE_WRAPPER", "CARGO_BUILD_RUSTC_WRAPPER",
    "RUSTUP_TOOLCHAIN",
    "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "MAVEN_OPTS", "MAVEN_ARGS", "GRADLE_OPTS", "GRADLE_USER_HOME",
    "RUBYOPT", "RUBYLIB", "SPEC_OPTS", "TESTOPTS", "TEST_OPTS", "BUNDLE_GEMFILE", "RAKEOPT",
    "PERL5OPT", "PERL5LIB", "PHP_INI_SCAN_DIR", "PHPRC", "COMPOSER",
    "GTEST_FILTER", "GTEST_TOTAL_SHARDS", "CTEST_PARALLEL_LEVEL", "CMAKE_BUILD_TYPE", "VSTEST_TESTHOST_ENV",
    "BAZELRC", "MISE_ENV", "UV_ENV_FILE", "HATCH_ENV",
    "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "DYLD_INSERT_LIBRARIES",
    "TZ", "LC_ALL", "LANG", "LANGUAGE",
)  # fmt: skip
"""Variables that change what a tool does though nobody declares them: part of every fingerprint where set."""
_NO_SECRET = lazy(
    r"TZ|LANG|LANGUAGE|LC_\w+|PYTHON(?:HASHSEED|NOUSERSITE|SAFEPATH|WARNINGS)|PYTEST_DISABLE_PLUGIN_AUTOLOAD"
    r"|NODE_ENV|BABEL_ENV|ESLINT_USE_FLAT_CONFIG|UV_NO_SYNC|TOXENV|NOXSESSION|NOXPYTHON|GO(?:OS|ARCH|TOOLCHAIN|EXPERIMENT)"
    r"|CGO_ENABLED|RUSTUP_TOOLCHAIN|CMAKE_BUILD_TYPE|MISE_ENV|HATCH_ENV"
)
"""Their values are told alike by every clone, so that one's evidence can hold in another."""
_HOME = (
    ("cargo", ".cargo/config.toml"),
    ("cargo", ".cargo/config"),
    ("go", ".config/go/env"),
    ("npm", ".npmrc"),
    ("yarn", ".yarnrc.yml"),
)
_FAMILIES = lazy(r"CARGO_TARGET_\w+_(?:RUNNER|RUSTFLAGS|LINKER)|LC_(?:COLLATE|CTYPE|MESSAGES|MONETARY|NUMERIC|TIME)")
_PYTHON_HOOKS = ("sitecustomize.py", "usercustomize.py", "pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg")

_SETS = ("python of ", "packages of ")
_INSTALLS = lazy(r"\b(?:uv|tox|nox|hatch|pixi|poetry|pdm|pipenv|rye)\b|\b(?:install|sync|ci|restore)\b")
_FOLDERS = 50
_MODULE = lazy(r"(?:^|\s)-m[ =]?([A-Za-z_]\w*)")
_NPM = lazy(r"^\s*(?:script-shell|shell|node-options|ignore-scripts|prefix)\s*=", re.MULTILINE)
_INI = {
    "pytest.ini": None,
    ".pytest.ini": None,
    "pytest.toml": None,
    ".pytest.toml": None,
    "pyproject.toml": "[tool.pytest",
    "tox.ini": "[pytest]",
    "setup.cfg": "[tool:pytest]",
}
"""Where pytest looks for settings: the file, and what must stand in it."""
_ROOTS = ("setup.py", "pyproject.toml")


def environment(
    view: TreeView, definition: CheckDefinition, *, env: Mapping[str, str] | None = None, salt: bytes | None = None
) -> EnvironmentFingerprint:
    """Today's environment of the check. ``env``: default the process's own; ``salt``: default this clone's."""
    env = os.environ if env is None else env
    salt = read_salt(view.place) if salt is None else salt
    machine = os.uname()
    parts = {"platform": f"{machine.sysname} {machine.machine} {_distribution()}".strip()}
    parts |= programs(view, definition, env)
    parts |= {f"lockfile {path}": view.entries[path][1] for path in sorted(_lockfiles(view))}
    parts |= {f"ignored {path}": disk_entry(view.place.root / path)[1] for path in hidden(view, definition)}
    parts |= dict(_of_home(definition, env))
    parts |= {f"named {path}": disk_entry(view.place.root / path)[1] for path in unheld_data(view, definition)}
    beside = {*above(view, definition), *named_outside(view, definition, system=True)}
    parts |= {f"settings {path}": disk_entry(Path(path))[1] for path in sorted(beside)}
    read = {name for name in read_variables(settings_texts(view, definition)) if name in env and not sways(name)}
    parts |= dict(_values(view.place.root, {*definition.env, *read}, env, salt))
    return _of(parts)


def grown(
    before: EnvironmentFingerprint, view: TreeView, definition: CheckDefinition, env: Mapping[str, str]
) -> EnvironmentFingerprint:
    """The same after the run: installed sets that the command itself makes (``tox``, ``npm ci``) as it left them."""
    words = "\n".join(follow(view, definition.run).words)
    if not _INSTALLS.search(words):
        return before
    kept = {name: value for name, value in before.parts.items() if not name.startswith(_SETS)}
    now = {name: value for name, value in programs(view, definition, env).items() if name.startswith(_SETS)}
    return _of(kept | now)


def _of(parts: dict[str, str]) -> EnvironmentFingerprint:
    digest = hashlib.sha256(json.dumps(sorted(parts.items())).encode()).hexdigest()
    return EnvironmentFingerprint(digest=digest, parts=parts)


def differing(old: EnvironmentFingerprint, new: EnvironmentFingerprint) -> list[str]:
    """One line for each part that differs; values of variables are never shown."""
    names = sorted(k for k in old.parts.keys() | new.parts.keys() if old.parts.get(k) != new.parts.get(k))
    return [_difference(name, old.parts.get(name), new.parts.get(name)) for name in names]


def shadowed(view: TreeView, definition: CheckDefinition, env: Mapping[str, str]) -> list[str]:
    """Programs named without a path that PATH finds inside the worktree, its environments aside."""
    found = (p for p in typed(view, definition, env) if "/" not in p.name)
    return sorted(f"{p.name} is {shown(p.path, view.place.root)}" for p in found if _inside(p.path, view.place.root))


def hidden(view: TreeView, definition: CheckDefinition) -> list[str]:
    """Configuration of the check's tools on the disk that the snapshot does not hold, since something ignores it."""
    words = "\n".join(follow(view, definition.run).words)
    names = {".npmrc"} if "package.json" in view else set()
    conftests: frozenset[str] = frozenset()
    if "py" in words or "tox" in words or "nox" in words or any(name.endswith(".py") for name in view.by_name):
        names |= set(_PYTHON_HOOKS)
        conftests = view.once("conftests", lambda: _unseen_conftests(view))
        modules = {*_MODULE.findall(words), *PARTS}
        names |= {f"{name}{end}" for name in modules for end in (".py", "/__init__.py", "/__main__.py")}
        names |= {path for path in _unseen(view) if path.endswith(".py") and path[:-3] in STAND_INS}
    names |= {path for path in follow(view, definition.run).unheld if not _installed(view.place.root, path)}
    names |= _unseen_settings(view, definition) | unheld_code(view, definition)
    if re.search(r"\bpy\.?test\b|\btox\b|\bnox\b", words):
        names |= set(plugins(view))
    root = view.place.root
    return sorted({name for name in names if not _held(view, name) and os.path.exists(root / name)} | conftests)  # noqa: PTH110 - never raises


def _held(view: TreeView, path: str) -> bool:
    """Whether the tree has such a file, or files in such a folder."""
    return path in view or path in view.once("folders", lambda: folders(view))


def _unseen_settings(view: TreeView, definition: CheckDefinition) -> set[str]:
    """Files on the disk that configure the tools and that no tree holds: in the root and where packages are."""
    tools = list(mentioned("\n".join(follow(view, definition.run).words)))
    patterns = sorted({p for tool in tools for p in tool.files if "/" not in p})
    if not patterns:
        return set()
    wanted = re.compile("|".join(f"(?:{p})" for p in patterns))
    return {path for path in _unseen(view) if wanted.fullmatch(path.rpartition("/")[2]) and not path.endswith(".npmrc")}


def _unseen(view: TreeView) -> list[str]:
    return view.once("on disk", lambda: _on_disk(view))


def _on_disk(view: TreeView) -> list[str]:
    """Files of the root and of folders with a manifest, as far as the tree does not hold them."""
    manifests = ("package.json", "pyproject.toml", "composer.json", "Gemfile")
    held = (path.rpartition("/")[0] for name in manifests for path in view.by_name.get(name, ())[:_FOLDERS])
    found = []
    for folder in {"", *held}:
        try:
            with os.scandir(view.place.root / folder) as entries:
                names = [entry.name for entry in entries if not entry.is_dir(follow_symlinks=True)]
        except OSError:
            continue
        found += [path for name in names if (path := f"{folder}/{name}".lstrip("/")) not in view]
    return found


def _installed(root: Path, path: str) -> bool:
    """Whether a path is outside the repository or belongs to an environment: the fingerprint has those as such."""
    if path.startswith(("/", "../")) or path == ".." or "node_modules" in path.split("/"):
        return True
    if path.startswith("vendor/") and (root / "vendor/composer/installed.json").is_file():
        return True
    return any((root / folder / "pyvenv.cfg").is_file() for folder in Path(path).parents)


def sways_npm(path: Path) -> bool:
    """Whether an .npmrc says which shell or options a script runs with; most hold a registry's address."""
    return _NPM.search(_beginning(path)) is not None


def changed_tools(view: TreeView, definition: CheckDefinition, env: Mapping[str, str]) -> list[str]:
    """Installed programs and packages of the check that are not what was installed."""
    words = "\n".join(follow(view, definition.run).words)
    names = {
        name
        for tool in mentioned(words)
        for name in tool.names
        if re.search(rf"(?<![\w.]){re.escape(name)}(?![\w])", words)
    }
    return replaced(view.place.root, typed(view, definition, env), names)


def above(view: TreeView, definition: CheckDefinition) -> list[str]:
    """Settings outside the repository that count in it: the tools' own in a home or above, npm's own shell."""
    words = "\n".join(follow(view, definition.run).words)
    own = {*named_outside(view, definition), *unheld_outside(view, definition)}
    return sorted({*_above(view, words), *outside(view, list(mentioned(words))), *own})


def _above(view: TreeView, words: str) -> list[str]:
    npmrc = Path(os.path.expanduser("~/.npmrc"))  # noqa: PTH111 - never raises
    npm = [npmrc] if "package.json" in view and sways_npm(npmrc) else []
    if not re.search(r"\b(?:py\.?test|tox|nox)\b", words) or any(
        name in view and _of_pytest(name, view.text(name)) for name in _INI
    ):
        return [str(path) for path in npm]
    found = (folder / name for folder in view.place.root.parents for name in _INI)
    counting = [path for path in found if os.path.isfile(path) and _of_pytest(path.name, _beginning(path))]  # noqa: PTH113 - never raises
    return [str(path) for path in (*npm, *counting, *_conftests_above(view))]


def _conftests_above(view: TreeView) -> list[Path]:
    """A conftest.py above the repository counts where pytest takes a folder there for the project's root."""
    if any(name in view for name in (*_ROOTS, *_INI)):
        return []
    parents = view.place.root.parents
    rooted = [n for n, folder in enumerate(parents) if any(os.path.isfile(folder / name) for name in (*_ROOTS, *_INI))]  # noqa: PTH113 - never raises
    paths = (folder / "conftest.py" for folder in parents[: rooted[0] + 1]) if rooted else ()
    return [path for path in paths if os.path.isfile(path)]  # noqa: PTH113 - never raises


def _of_pytest(name: str, text: str) -> bool:
    """Whether pytest takes a file of this name and text for its settings."""
    section = _INI[name]
    return section is None or section in text


def _beginning(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")[: 1 << 20]
    except OSError:
        return ""


def _unseen_conftests(view: TreeView) -> frozenset[str]:
    """Where a conftest.py would count: folders of Python files and those above them, the tree's own ones aside."""
    folders = {""}
    for folder in {path.rpartition("/")[0] for path in view.entries if path.endswith(".py")}:
        above = folder
        while above not in folders:
            folders.add(above)
            above = above.rpartition("/")[0]
    names = {f"{folder}/conftest.py" if folder else "conftest.py" for folder in folders}
    return frozenset(name for name in names if name not in view and (view.place.root / name).exists())


def _difference(name: str, old: str | None, new: str | None) -> str:
    if old is None or new is None:
        return f"{name}: {'not there now' if new is None else 'new'}"
    shown = name.startswith(("platform", "python")) and len(old) + len(new) < 120  # noqa: PLR2004 - one line
    return f"{name}: {old} -> {new}" if shown else f"{name} differs"


def _distribution() -> str:
    import platform  # noqa: PLC0415 - slow to load, and most commands run no check

    try:
        release = platform.freedesktop_os_release()
    except OSError:
        return ""
    return f"{release.get('ID', '')} {release.get('VERSION_ID', '')}"


def _lockfiles(view: TreeView) -> Iterator[str]:
    return (path for name in LOCKFILES & view.by_name.keys() for path in view.by_name[name])


def _of_home(definition: CheckDefinition, env: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The tools' settings in the person's home folder, where there are any."""
    named = {name for tool in mentioned(command.text(definition.run)) for name in tool.names}
    home = env.get("HOME")
    for tool, path in _HOME if home else ():
        entry = disk_entry(Path(home or "", path)) if tool in named else ("", "")
        if entry[0]:
            yield f"settings ~/{path}", entry[1]


def _values(root: Path, said: set[str], env: Mapping[str, str], salt: bytes) -> Iterator[tuple[str, str]]:
    named = {n for n in env if n in SWAYING or _FAMILIES.fullmatch(n)}
    for name in sorted(said | named):
        value = env.get(name)
        key = b"every clone" if _NO_SECRET.fullmatch(name) else salt
        known = "unset" if value is None else hmac.new(key, os.fsencode(f"{name}={value}"), "sha256").hexdigest()
        yield f"value of {name}", known
    yield from named_in_values(named, env, root)


def _inside(path: Path, root: Path) -> bool:
    """In the worktree, and in none of its virtual environments or node_modules."""
    if not path.is_relative_to(root):
        return False
    parts = path.relative_to(root).parts
    return "node_modules" not in parts and not (path.parent.parent / "pyvenv.cfg").is_file()
