"""What the screens say of a guard layer of a run."""

from __future__ import annotations

from passdown.model.packet import Guard

_SAID = {
    ("hook", "enforcing"): "the agent's hook refuses",
    ("hook", "advisory"): "the agent's hook tells, it refuses nothing",
    ("hook", "dead"): "the agent's hook was not asked: nothing was refused",
    ("hook", "off"): "the agent's hook is ready, no run yet",
    ("git hooks", "enforcing"): "git's hooks refuse",
    ("git hooks", "dead"): "git's hooks do not run",
    ("sandbox", "enforcing"): "the kernel confined it",
    ("sandbox", "advisory"): "not confined for certain",
}


def guard_words(guard: Guard) -> str:
    """One layer in plain words."""
    said = _SAID.get((guard.layer, guard.state), f"{guard.layer}: {guard.state}")
    opened = guard.because if guard.layer == "sandbox" and guard.state == "enforcing" else ""
    more = [*([opened] if opened else []), *([f"{guard.denied} denied"] if guard.denied else [])]
    return said + (f" ({', '.join(more)})" if more else "")
