"""What the agents of the real-client tests do to the project of prices: one story, told through each client's tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from support.model import Model, Say, Turn

if TYPE_CHECKING:
    from pathlib import Path

    from support.clients import Client
    from support.repo import Repo
    from support.tool_calls import Calls

GOAL = "make the discounts right; don't touch docs/guide.md"
CLAIM = "All 4 tests pass."
OLD, WRONG, RIGHT = (
    f"    return {value}\n" for value in ("price", "price - percent", "price * (100 - percent) // 100")
)


def half_done(calls: Calls) -> list[Turn]:
    """Read, a wrong edit, a failing test, a file beside it, and a claim that is not so."""
    return [
        [Say("First the code."), calls.read("prices.py")],
        [calls.edit("prices.py", OLD, WRONG)],
        [calls.shell("pytest -q")],
        [calls.write("docs/discounts.md", "# Discounts\n")],
        [Say(CLAIM)],
    ]


def mended(calls: Calls) -> list[Turn]:
    """The right edit, tests that pass, the same claim."""
    return [[calls.edit("prices.py", WRONG, RIGHT)], [calls.shell("pytest -q")], [Say(CLAIM)]]


def waiting(calls: Calls, folder: Path) -> list[Turn]:
    """A wrong edit, then a command that makes ``folder``/started and waits for ``folder``/go."""
    command = f"touch {folder}/started; for n in $(seq 3000); do test -e {folder}/go && break; sleep 0.1; done"
    return [[calls.edit("prices.py", OLD, WRONG)], [Say("The tests take a while."), calls.shell(command)], [Say(CLAIM)]]


def play(agent: Client, script: list[Turn], prompt: str = GOAL, *, resume: str | None = None) -> Model:
    """Run the whole script through the client; the model, with what it was asked."""
    with Model(script) as model:
        agent.run(model, prompt, resume=resume).check()
    assert not model.left, f"the client stopped before {model.left[0]}"
    return model


def session_of(project: Repo) -> str:
    """The id of the newest session that Passdown finds."""
    found = project.passdown("session", "--list", "--json").check().json()
    newest: str = found[0]["session"]
    return newest
