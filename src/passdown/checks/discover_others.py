"""Candidates of other ecosystems, and of make and just."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from passdown.checks.found import Candidate
from passdown.checks.package_json import composer_scripts, json_object
from passdown.checks.project import Project
from passdown.model.session import CheckKind
from passdown.rules.patterns import lazy

_TARGETS: dict[str, CheckKind] = {
    "test": "test", "tests": "test", "lint": "lint", "typecheck": "types", "types": "types", "build": "build",
    "check": "other",
}  # fmt: skip
_TARGET = lazy(r"^([\w.-]+(?:[ \t]+[\w.-]+)*)[ \t]*::?(?![:=])", re.MULTILINE)
_RECIPE = lazy(r"^@?([\w-]+)(?:[ \t]+[^:\n]*)?:(?!=)", re.MULTILINE)
_VARIABLE = lazy(r"^define\b.*?^endef\b", re.MULTILINE | re.DOTALL)
_BUILD_FILES = (("make", ("GNUmakefile", "makefile", "Makefile")), ("just", ("justfile", "Justfile", ".justfile")))
_TEST_PROJECT = lazy(r"Microsoft\.NET\.Test\.Sdk|<IsTestProject>\s*true|xunit|NUnit|MSTest|TUnit", re.IGNORECASE)
_PROJECTS = (".csproj", ".fsproj", ".vbproj")
_SOLUTIONS = (".sln", ".slnx")
_RAKE_TEST = lazy(r"Rake::TestTask|Minitest::TestTask|task\s+:?test\b|task\s*\(?:test\b|task\s+test:")


def other_candidates(project: Project) -> Iterator[Candidate]:
    """Ruby and PHP; make and just targets of the root."""
    yield from _ruby(project)
    yield from _php(project)
    if project.folder:
        return
    for program, names in _BUILD_FILES:
        path = next((name for name in names if name in project), None)
        text = _VARIABLE.sub("", project.text(path)) if path else ""
        lines = (_TARGET if program == "make" else _RECIPE).findall(text)
        targets = dict.fromkeys(target for line in lines for target in line.split())
        yield from (Candidate(_TARGETS[t], f"{program} {t}", f"{path} {t}") for t in targets if t in _TARGETS)


def go_candidates(project: Project) -> Iterator[Candidate]:
    """A module; one below it is a module of its own, which its tests do not reach."""
    if "go.mod" in project:
        yield Candidate("test", "go test ./...", "go.mod")
        yield Candidate("lint", "go vet ./...", "go.mod")
        yield Candidate("build", "go build ./...", "go.mod")


def built_candidates(project: Project) -> Iterator[Candidate]:
    """Rust, Gradle, Maven, .NET, CMake."""
    if "Cargo.toml" in project:
        nextest = any(".config/nextest.toml" in one for one in (project, *project.above()))
        yield Candidate("test", "cargo nextest run" if nextest else "cargo test", "Cargo.toml")
        yield Candidate("build", "cargo build", "Cargo.toml")
    gradle = next((name for name in _GRADLE if name in project), None)
    if gradle:
        yield Candidate("test", "./gradlew test" if "gradlew" in project else "gradle test", gradle)
    if "pom.xml" in project:
        yield Candidate("test", "./mvnw -q test" if "mvnw" in project else "mvn -q test", "pom.xml")
    yield from _dotnet(project)
    yield from _cmake(project)


_GRADLE = ("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts")


def _dotnet(project: Project) -> Iterator[Candidate]:
    """The solution here, else the test projects by name; none where nothing in them is a test."""
    named = (paths for name, paths in project.view.by_name.items() if name.endswith((*_PROJECTS, *_SOLUTIONS)))
    here = [path for paths in named for path in paths if project.owns(path)]
    sources = [path for path in here if path.endswith(_PROJECTS)]
    tests = sorted(path for path in sources if _tests_dotnet(project, path))
    top = [posixpath.basename(path) for path in here if posixpath.dirname(path) == project.folder]
    solution = next((name for name in sorted(top) if name.endswith(_SOLUTIONS)), None)
    single = [name for name in top if name.endswith(_PROJECTS)]
    if not tests and (sources or not solution):
        return
    if solution or len(single) == 1:
        yield Candidate("test", "dotnet test", solution or single[0])
    elif not project.others:
        own = [path[len(project.folder) + 1 :] if project.folder else path for path in tests]
        yield from (Candidate("test", f"dotnet test {path}", path) for path in own[:3])


def _tests_dotnet(project: Project, path: str) -> bool:
    """By its packages, else by its name."""
    named = "test" in posixpath.basename(path).lower()
    return named or bool(_TEST_PROJECT.search(project.view.text(path)))


def _cmake(project: Project) -> Iterator[Candidate]:
    """The first test preset, else the folder that one builds in."""
    if "CMakeLists.txt" not in project or not re.search(
        r"enable_testing\s*\(|include\s*\(\s*CTest", project.text("CMakeLists.txt")
    ):
        return
    presets = json_object(project.text("CMakePresets.json")).get("testPresets", [])
    names = [str(p["name"]) for p in presets if isinstance(p, dict) and p.get("name") and not p.get("hidden")]
    if names:
        yield Candidate("test", f"ctest --preset {names[0]}", "CMakePresets.json testPresets")
    else:
        yield Candidate("test", "ctest --test-dir build", "CMakeLists.txt")


def _ruby(project: Project) -> Iterator[Candidate]:
    bundled = "bundle exec " if "Gemfile" in project or "Gemfile.lock" in project else ""
    if ".rspec" in project or "spec/spec_helper.rb" in project:
        yield Candidate("test", f"{bundled}rspec", ".rspec" if ".rspec" in project else "spec")
    elif "bin/rails" in project and "test/test_helper.rb" in project:
        yield Candidate("test", "bin/rails test", "test/test_helper.rb")
    elif "Rakefile" in project and _RAKE_TEST.search(project.text("Rakefile")):
        yield Candidate("test", f"{bundled}rake test", "Rakefile test")


def _php(project: Project) -> Iterator[Candidate]:
    """Composer's own test script, else the tool."""
    scripts = composer_scripts(project.view, project.folder)
    if "test" in scripts:
        yield Candidate("test", "composer test", "composer.json scripts.test")
        return
    php = next((name for name in ("phpunit.xml", "phpunit.xml.dist") if name in project), None)
    if php:
        pest = '"pestphp/pest"' in project.text("composer.json")
        yield Candidate("test", "vendor/bin/pest" if pest else "vendor/bin/phpunit", php)
