"""One small table a language: where its tests are, what its assertions and marks look like."""

from __future__ import annotations

from passdown.checks.integrity.dialect import Dialect

_JAVASCRIPT = (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts")


def dialect_of(path: str) -> Dialect | None:
    """The language of a file by its suffix; None: it is compared by its lines."""
    if path.endswith(".py"):
        from passdown.checks.integrity.languages.python import Python  # noqa: PLC0415 - one language at a time

        return Python()
    if path.endswith(_JAVASCRIPT):
        from passdown.checks.integrity.languages.javascript import JavaScript  # noqa: PLC0415 - the same

        return JavaScript()
    if path.endswith(".go"):
        from passdown.checks.integrity.languages.go import Go  # noqa: PLC0415 - the same

        return Go()
    if path.endswith(".rs"):
        from passdown.checks.integrity.languages.rust import Rust  # noqa: PLC0415 - the same

        return Rust()
    if path.endswith(".java"):
        from passdown.checks.integrity.languages.java import Java  # noqa: PLC0415 - the same

        return Java()
    return None
