"""Which layers of the guard were alive for a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from passdown.cli.context import Context
    from passdown.model.packet import Guard
    from passdown.model.session import SessionFacts


def layers_alive(context: Context, facts: SessionFacts | None) -> list[Guard]:
    """Hook, git hooks and sandbox; [] where none was ever in place."""
    if facts is None or not context.place.home.is_dir():
        return []
    from passdown.cli.in_force_here import here_in_force
    from passdown.guard import git_hooks
    from passdown.guard.heartbeat import hook_guard, pulse, sandbox_guard
    from passdown.model.packet import Guard

    kept = {kind: list(context.recorder.facts(kind=kind)) for kind in ("touch", "heartbeat", "sandbox")}
    alive = pulse([*kept["touch"], *kept["heartbeat"]], facts.session, facts.started)
    worktree = context.place.worktree_id
    found = [sandbox_guard(kept["sandbox"], alive, worktree, facts.started, facts.ended)]
    if (context.place.home / "guard").is_dir():
        force = here_in_force(context)
        wrote = len([write for write in facts.writes if force is not None and (write.at or "") > force.at])
        hook = hook_guard(alive, armed=force is not None, mode=context.policy.guard_mode, wrote=wrote)
        ours = [each.ours and not each.fault for each in git_hooks.look(context.place)]
        git = Guard(layer="git hooks", state="enforcing" if all(ours) else "dead") if any(ours) else None
        found = [hook, git, *found]
    return [each for each in found if each is not None]
