"""The help pages: seven verbs at most for a first visit, all of them on request."""

from __future__ import annotations

from passdown.cli.verbs import VERBS

_FIRST = """\
passdown hands a coding agent's work to the next run: sealed facts, an owner's
answer, a boundary for what comes next.

    run --> pack --> review --> resume --> run --> verify --> outcome

"""
_LAST = """
Begin:  passdown pack       (nothing to set up)
One:    passdown VERB --help
All:    passdown help -a
"""


def first_page() -> str:
    """The page that ``--help`` prints."""
    return _FIRST + _lines([name for name, entry in VERBS.items() if entry.first]) + _LAST


def all_page() -> str:
    """One line for every verb."""
    return "Every verb; --json works on each, and passdown VERB --help says more.\n\n" + _lines(list(VERBS))


def _lines(names: list[str]) -> str:
    width = max(map(len, names))
    return "".join(f"  {name:<{width}}  {VERBS[name].line}\n" for name in names)
