"""Candidates of other ecosystems, and of make and just."""

from __future__ import annotations

import re
from collections.abc import Iterator

from passdown.checks.found import Candidate
from passdown.checks.tree import TreeView
from passdown.model.session import CheckKind
from passdown.rules.patterns import lazy

_TARGETS: dict[str, CheckKind] = {
    "test": "test", "tests": "test", "lint": "lint", "typecheck": "types", "types": "types", "build": "build",
    "check": "other",
}  # fmt: skip
_TARGET = lazy(r"^([\w.-]+)(?:[ \t]+[^:\n]*)?:(?!=)", re.MULTILINE)
_BUILD_FILES = (("make", ("GNUmakefile", "makefile", "Makefile")), ("just", ("justfile", "Justfile", ".justfile")))


def other_candidates(view: TreeView) -> Iterator[Candidate]:
    """Go, Rust, Gradle, Maven, .NET, Ruby, PHP, CMake; make and just targets."""
    yield from _compiled(view)
    yield from _managed(view)
    for program, names in _BUILD_FILES:
        path = next((name for name in names if name in view), None)
        targets = _TARGET.findall(view.text(path)) if path else []
        yield from (Candidate(_TARGETS[t], f"{program} {t}", f"{path} {t}") for t in targets if t in _TARGETS)


def _compiled(view: TreeView) -> Iterator[Candidate]:
    if "go.mod" in view:
        yield Candidate("test", "go test ./...", "go.mod")
        yield Candidate("lint", "go vet ./...", "go.mod")
        yield Candidate("build", "go build ./...", "go.mod")
    if "Cargo.toml" in view:
        nextest = ".config/nextest.toml" in view
        yield Candidate("test", "cargo nextest run" if nextest else "cargo test", "Cargo.toml")
        yield Candidate("build", "cargo build", "Cargo.toml")
    if "CMakeLists.txt" in view and "enable_testing" in view.text("CMakeLists.txt"):
        yield Candidate("test", "ctest --test-dir build", "CMakeLists.txt")


def _managed(view: TreeView) -> Iterator[Candidate]:
    gradle = next((name for name in ("build.gradle", "build.gradle.kts") if name in view), None)
    if gradle:
        yield Candidate("test", "./gradlew test" if "gradlew" in view else "gradle test", gradle)
    if "pom.xml" in view:
        yield Candidate("test", "./mvnw -q test" if "mvnw" in view else "mvn -q test", "pom.xml")
    solution = next((path for path in sorted(view.entries) if path.endswith((".sln", ".slnx", ".csproj"))), None)
    if solution:
        yield Candidate("test", "dotnet test", solution)
    if ".rspec" in view or "spec/spec_helper.rb" in view:
        bundled = "Gemfile.lock" in view or "Gemfile" in view
        yield Candidate("test", "bundle exec rspec" if bundled else "rspec", ".rspec" if ".rspec" in view else "spec")
    php = next((name for name in ("phpunit.xml", "phpunit.xml.dist") if name in view), None)
    if php:
        yield Candidate("test", "vendor/bin/phpunit", php)
