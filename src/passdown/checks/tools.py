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
    """``files``: basenames (regular expressions) at any depth, with a ``/``: the path's last names.

    ``tables``: parts of pyproject.toml (``a.b``: b of a); ``keys``: of package.json; ``modules``: what Python would
    import.
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


_COMPOSE = (r"(docker-)?compose(\..+)?\.ya?ml", r"([Dd]ocker|[Cc]ontainer)file(\..+)?", r"\.dockerignore")
_MISE = (r"\.?mise(\..+)?\.toml", r"\.?(config/)?mise/config(\..+)?\.toml", r"\.?mise[-/]tasks/.+", r"\.rtx\.toml")
TASK_RUNNERS = (
    Tool(("mise", "rtx"), _MISE),
    Tool(("poe", "poethepoet"), (r"poe_tasks\.(toml|ya?ml|json)",), ("poe",)),
    Tool(("inv", "invoke", "fab"), (r"(tasks|fabfile)\.py", r"invoke\.(ya?ml|json|py)")),
    Tool(("pdm",), (r"\.pdm\.toml",), ("pdm.scripts",)),
    Tool(("rye",), (), ("rye.scripts",)),
    Tool(("pixi",), (r"pixi\.toml",), ("pixi.tasks", "pixi.feature")),
    Tool(("doit",), (r"dodo\.py",), ("doit",)),
    Tool(("docker", "docker-compose", "podman"), _COMPOSE),
    Tool(("bazel", "bazelisk"), (r"\.bazelrc", r"\.bazelversion", r"(BUILD|MODULE|WORKSPACE)(\.bazel)?", r".+\.bzl")),
    Tool(("buck", "buck2"), (r"\.buckconfig", r"BUCK(\.v2)?", r".+\.bzl")),
    Tool(("pants",), (r"pants(\..+)?\.toml", r"BUILD(\.\w+)?")),
    Tool(("earthly", "earth"), (r"Earthfile",)),
    Tool(("devbox",), (r"devbox\.json",)),
    Tool(("nix", "nix-shell", "nix-build"), (r".+\.nix",)),
    Tool(("mage",), (r"magefile\.go", r"magefiles/.+\.go")),
    Tool(("moon",), (r"moon\.ya?ml", r"\.moon/.+")),
    Tool(("gulp", "grunt", "jake"), (r"([Gg]ulp|[Gg]runt|[Jj]ake)file(\..+)?",)),
    Tool(("ant",), (r"build\.xml",)),
    Tool(("sbt",), (r".+\.sbt", r"project/.+\.(scala|properties)")),
    Tool(("lein", "clojure", "clj"), (r"(project|deps|tests)\.(clj|edn)",)),
    Tool(("mix", "elixir"), (r"mix\.exs", r"test_helper\.exs", r"\.(credo|formatter|dialyzer_ignore)\.exs")),
    Tool(("rebar3",), (r"rebar\.config",)),
    Tool(("stack", "cabal"), (r"stack\.yaml", r"cabal\.project(\..+)?", r".+\.cabal", r"package\.yaml")),
    Tool(("dune",), (r"dune(-project|-workspace)?",)),
    Tool(("zig",), (r"build\.zig(\.zon)?",)),
    Tool(("swift", "xcodebuild"), (r"Package\.swift", r".+\.xctestplan", r".+\.xcscheme", r"project\.pbxproj")),
    Tool(("dart", "flutter", "melos"), (r"(dart_test|pubspec|melos|analysis_options)\.ya?ml",)),
    Tool(("meson", "ninja"), (r"meson(\.build|\.options|_options\.txt)", r"build\.ninja")),
    Tool(("scons",), (r"SCons(truct|cript)",)),
    Tool(("prove",), (r"\.proverc",)),
    Tool(("busted",), (r"\.busted",)),
    Tool(("shellspec",), (r"\.shellspec",)),
    Tool(
        ("behave", "cucumber", "robot"),
        (r"\.?behave\.(rc|ini)|behaverc", r"cucumber\.(.+)", r"features/environment\.py"),
        ("behave",),
    ),
    Tool(("ginkgo",), (r".+_suite_test\.go",)),
    Tool(("shellcheck",), (r"\.?shellcheckrc",)),
    Tool(("yamllint",), (r"\.yamllint(\.ya?ml)?",)),
    Tool(("bandit", "codespell", "vulture"), (r"\.bandit", r"\.codespellrc"), ("bandit", "codespell", "vulture")),
    Tool(("clang-tidy", "clang-format"), (r"\.clang-(tidy|format)",)),
    Tool(("stylelint",), (r"\.?stylelint(rc|\.config).*",)),
    Tool(("markdownlint", "markdownlint-cli2"), (r"\.markdownlint.*",)),
    Tool(("rubocop", "standardrb"), (r"\.rubocop.*\.yml", r"\.standard\.yml")),
    Tool(("swiftlint", "detekt", "ktlint"), (r"\.swiftlint\.yml", r"detekt.*\.ya?ml", r"\.editorconfig")),
    Tool(
        ("psalm", "rector", "php-cs-fixer"), (r"psalm\.xml(\.dist)?", r"rector\.php", r"\.php-cs-fixer(\.dist)?\.php")
    ),
    Tool(("oxlint", "knip", "dprint"), (r"\.?oxlintrc\.json", r"\.?knip\.(jsonc?|[jt]s)", r"\.?dprint\.jsonc?")),
    _node("karma", "wdio", "testcafe", "nightwatch", files=(r"(karma|wdio|nightwatch)\.conf\..+", r"\.testcaferc\..+")),
    _node("ng", "react-scripts", "craco", "webpack", files=(r"angular\.json", r"(craco|webpack)\.config\..+", *_BABEL)),
    _node("svelte-check", files=(r"svelte\.config\..+", r"tsconfig.*\.json")),
)
"""What says, for programs that run tasks of a project and for further test and lint tools, what such a command does."""


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
        ("gradle", "gradlew"),
        (r".+\.gradle(\.kts)?", r"gradle(-wrapper)?\.(properties|jar)", r"gradlew", _CATALOGUE, r"buildSrc/.+"),
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
    Tool(("task",), (r"Taskfile(\..+)?\.ya?ml",), ("taskipy",)),
    *TASK_RUNNERS,
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
