"""Which files are tests, hold what tests expect, or configure what checks the code."""

from __future__ import annotations

import pytest

from passdown.rules.integrity.paths import collected, expected_values, is_settings, is_test_file

TESTS = [
    "tests/test_a.py",
    "a_test.py",
    "app/tests.py",
    "tests/support/repo.py",
    "conftest.py",
    "src/a.test.ts",
    "src/__tests__/a.tsx",
    "test/a.js",
    "cypress/e2e/a.cy.js",
    "pkg/a_test.go",
    "src/lib.rs",
    "src/test/java/ATest.java",
    "spec/a_spec.rb",
    "tests/ATest.php",
]
OTHERS = [
    "src/app.py",
    "docs/guide.md",
    "src/testing.py",
    "src/a.ts",
    "pkg/a.go",
    "src/main/java/A.java",
    "contest.py",
    "tests/data.json",
]
EXPECTED = [
    "tests/__snapshots__/a.ambr",
    "src/__snapshots__/a.test.tsx.snap",
    "pkg/testdata/a.json",
    "tests/golden/a.txt",
    "a.golden",
    "tests/cassettes/a.yaml",
    "tests/expected/a.out",
    "tests/fixtures/a.json",
    "test/snapshots/a.md",
    "tests/data/a.csv",
    "tests/ui/a.stderr",
    "src/test/resources/a.xml",
    "tests/expected_output.json",
    "app.approved.txt",
]
NOT_EXPECTED = [
    "src/snapshots/manager.py",
    "src/recordings/player.ts",
    "docs/snapshot.md",
    "config/baseline.json",
    "data/a.csv",
    "src/data/a.json",
    "fixtures/seed.sql",
    "src/expected.py",
    "tests/test_golden.py",
    "resources/logo.svg",
]
SETTINGS = [
    "pyproject.toml",
    "web/package.json",
    "tsconfig.build.json",
    ".github/workflows/ci.yml",
    "setup.cfg",
    "vitest.config.ts",
    "conftest.py",
    "eslint.config.mjs",
    ".coveragerc",
    "Makefile",
    "Cargo.toml",
    ".golangci.yml",
    "playwright.config.ts",
]


@pytest.mark.parametrize("path", TESTS)
def test_test_files(path):
    assert is_test_file(path)


@pytest.mark.parametrize("path", OTHERS)
def test_other_files(path):
    assert not is_test_file(path)


@pytest.mark.parametrize("path", EXPECTED)
def test_expected_values(path):
    assert expected_values(path)


@pytest.mark.parametrize("path", NOT_EXPECTED)
def test_code_and_data_beside_no_tests_are_no_expected_values(path):
    assert not expected_values(path)


@pytest.mark.parametrize("path", SETTINGS)
def test_settings(path):
    assert is_settings(path)


@pytest.mark.parametrize("path", ["docs/a.md", "src/app.py", "config/settings.toml", "data.json"])
def test_no_settings(path):
    assert not is_settings(path)


def test_a_helper_beside_tests_is_not_collected():
    assert collected("tests/test_a.py")
    assert not collected("tests/helpers.py")
    assert not collected("tests/conftest.py")
