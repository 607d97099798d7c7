"""Settings that decide nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passdown.cli.output import aside
from passdown.rules.review import idle_settings

if TYPE_CHECKING:
    from passdown.cli.context import Context


def tell_idle_settings(context: Context) -> None:
    """One line where the policy asks something of an answer and nothing requires one."""
    found = idle_settings(context.policy)
    if found:
        aside(f"{' and '.join(found)}: decides nothing while review.required is not set")
