"""What a path is to the tests: a test file, expected values, or configuration of what checks the code."""

from __future__ import annotations

from passdown.rules.counterparts import is_test
from passdown.rules.patterns import lazy

_CODE = lazy(
    r".+\.(?:py|[cm]?[jt]sx?|go|rs|java|kt|kts|scala|groovy|rb|php|cs|fs|vb|c|cc|cpp|cxx|h|hpp|m|mm|swift|ex|exs|erl|"
    r"hs|clj|cljs|dart|lua|pl|t|r|R|jl|sh|bats|feature|vue|svelte|zig|nim|ml|sql|robot)"
)
_PYTHON = lazy(r"(?:.*/)?(?:test_[^/]*|[^/]*_test|tests|conftest)\.py")
_SCRIPT = lazy(r".*[._-](?:test|spec|cy|e2e)\.[cm]?[jt]sx?|(?:.*/)?(?:__tests__|cypress|e2e)/.+\.[cm]?[jt]sx?")
_JAVA = lazy(r"(?:.*/)?src/(?:test|integrationTest|it)/.+\.java|.*(?:Test|Tests|IT|TestCase)\.java")
_BY_NAME = lazy(
    r".*[._-](?:test|spec|cy|e2e)\.[cm]?[jt]sx?|(?:.*/)?__tests__/.+\.[cm]?[jt]sx?"
    r"|(?:.*/)?(?:Test[^/]*|[^/]*(?:Test|Tests|IT|TestCase))\.java"
)
_EXPECTED = lazy(
    r"(?:.*/)?(?:__snapshots__|__image_snapshots__|goldens?|golden_files|testdata|test[-_]data|cassettes)/.+"
    r"|(?:.*/)?[^/]+\.(?:spec|test)\.[cm]?[jt]sx?-snapshots/.+"
    r"|.+\.(?:snap|ambr|golden|approved(?:\.\w+)?|received\.\w+|verified\.\w+|snap\.new)"
    r"|(?:.*/)?[\w.-]*golden[\w-]*\.(?:json|txt|ya?ml|xml|html|csv|out|png|svg|md)"
)
_IN_TESTS = lazy(
    r"(?:.*/)?(?:snapshots?|expected|expectations|expected_output|baselines?|reference_output|approved|recordings)/.+"
    r"|.+\.(?:expected|stdout|stderr)"
    r"|(?:.*/)?[\w.-]*(?:expected|baseline|snapshot)[\w-]*\.(?:json|txt|ya?ml|xml|html|csv|out|png|svg|md)"
    r"|(?:.*/)?(?:fixtures?|data|resources|samples|__fixtures__)/.+"
)
"""What such a name says of a file only beside tests."""
_SETTINGS = lazy(
    r"(?:.*/)?(?:pyproject\.toml|setup\.cfg|tox\.ini|pytest\.ini|\.pytest\.ini|\.coveragerc|mypy\.ini|\.mypy\.ini|"
    r"\.?ruff\.toml|\.flake8|\.pylintrc|pylintrc|pyrightconfig\.json|conftest\.py|noxfile\.py|"
    r"package\.json|tsconfig[\w.-]*\.json|\.eslintrc(?:\.\w+)?|eslint\.config\.[cm]?[jt]s|\.eslintignore|biome\.jsonc?|"
    r"(?:jest|vitest|vite|playwright|cypress|karma)[\w.-]*\.(?:config|workspace)\.[cm]?[jt]s(?:on)?|jest\.config\.json|"
    r"\.mocharc(?:\.\w+)?|\.nycrc(?:\.json)?|\.c8rc(?:\.json)?|codecov\.ya?ml|\.codecov\.ya?ml|"
    r"\.golangci\.(?:ya?ml|toml|json)|clippy\.toml|\.clippy\.toml|Cargo\.toml|nextest\.toml|pom\.xml|build\.gradle(?:\.kts)?|"
    r"checkstyle\.xml|\.rubocop(?:_todo)?\.yml|\.rspec|\.shellcheckrc|\.clang-tidy|\.editorconfig|detekt[\w-]*\.yml|"
    r"\.swiftlint\.yml|psalm\.xml(?:\.dist)?|sonar-project\.properties|CMakeLists\.txt|Directory\.Build\.(?:props|targets)|"
    r"[\w.-]+\.(?:cs|fs|vb)proj|\.stylelintrc(?:\.\w+)?|phpunit\.xml(?:\.dist)?|phpstan\.neon(?:\.dist)?|Makefile|GNUmakefile|justfile|"
    r"\.pre-commit-config\.yaml|\.gitlab-ci\.yml|azure-pipelines\.yml|\.markdownlint\w*(?:\.\w+)?|Jenkinsfile|\.travis\.yml)"
    r"|(?:.*/)?\.github/workflows/.+\.ya?ml|\.circleci/config\.yml|\.buildkite/.+\.ya?ml"
)


def is_code(path: str) -> bool:
    """Whether the file is program text."""
    return _CODE.fullmatch(path) is not None


def is_test_file(path: str) -> bool:
    """Whether a runner would look for tests in it, or tests stand on it. Rust's stand beside the code."""
    if expected_values(path) and not path.endswith((".py", ".ts", ".js")):
        return False
    if path.endswith(".py"):
        return _PYTHON.fullmatch(path) is not None or is_test(path)
    if path.endswith((".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts")):
        return _SCRIPT.fullmatch(path) is not None or is_test(path)
    if path.endswith(".go"):
        return path.endswith("_test.go")
    if path.endswith(".java"):
        return _JAVA.fullmatch(path) is not None
    return path.endswith(".rs") or (is_code(path) and is_test(path))


def collected(path: str) -> bool:
    """Whether the runner finds tests in a file of this name by itself."""
    if path.endswith(".py"):
        return _PYTHON.fullmatch(path) is not None and not path.endswith("conftest.py")
    return is_test_file(path)


def named_as_test(path: str) -> bool:
    """Whether its name alone says so to runners that go by names (jest, vitest, Maven); any other language: no."""
    return _BY_NAME.fullmatch(path) is not None


def expected_values(path: str) -> bool:
    """Whether the file holds what tests expect: snapshots, golden files, recordings, data that tests read."""
    if _EXPECTED.fullmatch(path) is not None:
        return True
    return not is_code(path) and _IN_TESTS.fullmatch(path) is not None and is_test(path)


def is_settings(path: str) -> bool:
    """Whether the file says what is checked, and how strictly."""
    return _SETTINGS.fullmatch(path) is not None


def concerns(path: str) -> bool:
    """Whether a change of the file can change what its tests or checks say."""
    return is_code(path) or is_test_file(path) or expected_values(path) or is_settings(path)  # the quick one first
