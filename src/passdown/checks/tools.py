"""What configures each tool: the files, by name, that change what its command means."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from msgspec import Struct

from passdown.rules.patterns import lazy

_PYTHON = ("sitecustomize.py", "usercustomize.py")
_NODE = (".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", "pnpm-workspace.yaml", ".pnp.cjs", ".pnp.loader.mjs")
_YARN = (r"releases/yarn-.+\.[cm]?js", r"plugins/.+\.[cm]?js")
_CATALOGUE = r".+\.versions\.toml"
_MSBUILD = r"Directory\.(Build|Packages)\.(props|targets)|.+\.(cs|fs|vb)proj|.+\.slnx?"
_NUGET = r"[Nn]u[Gg]et\.[Cc]onfig"
_RSPEC = r"\.rspec(-local)?|(spec|rails|test)_helper\.rb"
_BABEL = (r"\.?babel\.?(rc|config)(\..+)?", r"tsconfig.*\.json", r"\.swcrc")


class Tool(Struct, frozen=True):
    """``files``: basenames (regular expressions) at any depth, with a ``/``: the path's last two names.

    ``tables``: parts of pyproject.toml; ``keys``: of package.json; ``modules``: what Python would import.
    """

    names: tuple[str, ...]
    files: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()


def _python(*names: str, files: tuple[str, ...] = (), tables: tuple[str, ...] = ()) -> Tool:
    """A tool that a module of its own name in the repository could replace."""
    literal = tuple(re.escape(f) for f in (*_PYTHON, *files))
    return Tool(names, (*literal, r"setup\.cfg", r"tox\.ini"), tables or names, modules=names)


def _node(*names: str, files: tuple[str, ...] = (), keys: tuple[str, ...] = ()) -> Tool:
    return Tool(names, (*(re.escape(f) for f in _NODE), *_YARN, *files), keys=keys or names)


TOOLS = (
    _python(
        "pytest",
        "py.test",
        files=("conftest.py", "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml"),
        tables=("pytest",),
    ),
    _python("unittest", "nose2", "python", "python3", "coverage", files=(".coveragerc",), tables=("coverage",)),
    _python(
        "tox", "nox", files=("noxfile.py", "tox.toml", "conftest.py", "pytest.ini"), tables=("tox", "nox", "pytest")
    ),
    _python("hatch", files=("hatch.toml",)),
    _python("mypy", files=("mypy.ini", ".mypy.ini")),
    Tool(("pyright", "basedpyright"), (r"pyrightconfig\.json",), ("pyright", "basedpyright")),
    Tool(("ruff",), (r"\.?ruff\.toml",), ("ruff",)),
    _python("black", "flake8", "pylint", "isort", files=(".flake8", ".pylintrc", "pylintrc", ".isort.cfg")),
    Tool(("pre-commit", "prek"), (r"\.pre-commit-config\.yaml",)),
    _node("jest", files=(r"jest\..+", r"jest[.-]?setup.*", *_BABEL), keys=("jest", "babel")),
    _node("vitest", "vite", files=(r"vite(st)?\.(config|workspace|setup).*", *_BABEL), keys=("vitest",)),
    _node("mocha", "ava", "tap", files=(r"\.mocharc.*", r"ava\.config.*", *_BABEL), keys=("mocha", "ava", "nyc", "c8")),
    _node("playwright", "cypress", files=(r"(playwright|cypress)\.(config.*|json)",)),
    _node("eslint", files=(r"\.eslintrc.*", r"eslint\.config\..+", r"\.eslintignore"), keys=("eslintConfig",)),
    _node("prettier", "biome", files=(r"\.prettierrc.*", r"prettier\.config.*", r"\.prettierignore", r"biome\.jsonc?")),
    _node("tsc", "vue-tsc", "tsx", "ts-node", files=(r"tsconfig.*\.json",)),
    _node("npm", "pnpm", "yarn", "bun", "node", "npx", files=(r"bunfig\.toml",), keys=("type", "imports")),
    _node("turbo", "nx", "lerna", files=(r"(turbo|nx|lerna|project)\.json",)),
    Tool(
        ("cargo", "nextest"),
        (r"\.cargo/config(\.toml)?", r"\.config/nextest\.toml", r"rust-toolchain(\.toml)?", r"clippy\.toml"),
    ),
    Tool(("go", "gotestsum"), (r"go\.work",)),
    Tool(("golangci-lint",), (r"\.golangci\.(ya?ml|toml|json)",)),
    Tool(
        ("gradle", "gradlew"), (r".+\.gradle(\.kts)?", r"gradle(-wrapper)?\.(properties|jar)", r"gradlew", _CATALOGUE)
    ),
    Tool(
        ("mvn", "mvnw"),
        (r"pom\.xml", r"mvnw", r"(maven|jvm)\.config", r"extensions\.xml", r"maven-wrapper\.(jar|properties)"),
    ),
    Tool(
        ("dotnet",),
        (r".+\.runsettings", _MSBUILD, r"global\.json", _NUGET, r"testconfig\.json", r"xunit\.runner\.json"),
    ),
    Tool(
        ("rspec", "rake", "rails", "minitest"), (_RSPEC, r"Rakefile", r".+\.rake", r"\.rubocop\.yml", r"\.minitest\.rb")
    ),
    Tool(
        ("phpunit", "composer", "phpstan", "pest"),
        (r"phpunit\.xml(\.dist)?", r"phpstan\.neon(\.dist)?", r"Pest\.php"),
    ),
    Tool(("ctest", "cmake"), (r"CMakeLists\.txt", r"CMake(User)?Presets\.json", r"CTest.*\.cmake", r".+\.cmake")),
    Tool(("deno",), (r"deno\.jsonc?",)),
    Tool(("task",), (r"Taskfile(\..+)?\.ya?ml",)),
)
LOCKFILES = frozenset({
    "uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock", "pylock.toml", "requirements.txt", "constraints.txt",
    "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb", "deno.lock",
    "Cargo.lock", "go.sum", "go.mod", "Gemfile.lock", "composer.lock", "gradle.lockfile", "packages.lock.json",
    "mix.lock", "flake.lock", ".python-version", ".tool-versions", ".nvmrc", ".node-version", "mise.toml",
    "rust-toolchain.toml",
})  # fmt: skip
CONFIGURATION = frozenset({
    "pyproject.toml", "package.json", "setup.cfg", "setup.py", "tox.ini", "Cargo.toml", "composer.json", "Gemfile",
})  # fmt: skip
"""Inputs under every tier beside the definition and lockfiles."""
PARTS = ("_pytest", "pluggy", "iniconfig", "packaging", "exceptiongroup")
"""What pytest is made of: a module of that name in the repository's root may be imported in its place."""
STAND_INS = frozenset({*PARTS, *sys.stdlib_module_names}) - {"test", "this", "antigravity"}
BY_PRODUCTS = lazy(
    r"(?:^|/)(?:__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.hypothesis|htmlcov|\.nyc_output|node_modules/\.cache)/"
    r"|(?:^|/)(?:\.coverage(?:\..+)?|\.eslintcache|\.phpunit\.result\.cache|\.testmondata)$"
)
"""What tools write beside the code and never read as a test: no inputs, even where nothing ignores them."""
_WORD = lazy(r"[A-Za-z][\w.-]*")


def mentioned(text: str) -> Iterator[Tool]:
    """The tools that a command or a script names."""
    words = set(_WORD.findall(text))
    words |= {word.rsplit(".", 1)[0] for word in words}
    return (tool for tool in TOOLS if not words.isdisjoint(tool.names))
