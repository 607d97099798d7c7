"""The table of hold reasons: one small function each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from passdown.model.packet import HoldLevel, Item
from passdown.rules.amount import amount
from passdown.rules.hold_drift import base_drift, control_surface_changed, tree_drift
from passdown.rules.hold_facts import Found, HoldFacts
from passdown.rules.hold_replan import replan_cheaper
from passdown.rules.match import Matcher, whole_tree
from passdown.rules.open_now import open_now

READBACK_TRIES = 2
SHOWN = 3
EVERYTHING = "everything may be written"


def _packet(facts: HoldFacts) -> str:
    return (facts.packet.packet or "")[:7]


def _show(facts: HoldFacts) -> str:
    return f"passdown show {_packet(facts)}".rstrip()


def _team(facts: HoldFacts) -> HoldLevel:
    return "hold" if facts.mode == "team" else "watch"


def _reviewed(facts: HoldFacts) -> HoldLevel:
    """HOLD where the policy requires a review, in solo as in team."""
    required = facts.mode == "team" if facts.review_required is None else facts.review_required
    return "hold" if required else "ignore"


def _listed(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else ""
    return ", ".join(paths[:SHOWN]) + more


def _goal_unknown(facts: HoldFacts) -> Found | None:
    if facts.packet.task.goal.source != "none":
        return None
    return Found("hold", "no goal is known", _show(facts), 'passdown pack --goal "..."')


def _boundary_missing(facts: HoldFacts) -> Found | None:
    boundary = facts.packet.boundary
    if boundary.allow:
        return None
    opening = "" if open_now(facts.packet) else "nothing is open, and "
    done = facts.packet.task.done
    if opening and done and all(one.class_ == "VERIFIED" for one in done):
        fact = "nothing is open and every acceptance check passes on this code: there is nothing to go on with"
        return Found("hold", fact, "passdown boundary show", "passdown outcome completed")
    fact = f"{opening}nothing says what the next run may write"
    return Found("hold", fact, "passdown boundary show", "passdown review --narrow +PATH")


def _wrong_place(facts: HoldFacts) -> Found | None:
    if facts.wrong_place is None:
        return None
    way = facts.right_place or "go to the packet's worktree and branch"
    return Found("hold", facts.wrong_place, "git status --branch", way)


def _integrity_broken(facts: HoldFacts) -> Found | None:
    if not facts.integrity:
        return None
    return Found("hold", facts.integrity[0], "passdown log --verify")


def _content_missing(facts: HoldFacts) -> Found | None:
    if not facts.missing_content:
        return None
    fact = f"sealed content is not here: {_listed(facts.missing_content)}"
    way = "where nothing changed since: passdown rescue; else: passdown pack"
    made = facts.right_place if " --worktree " in facts.right_place else ""
    if facts.elsewhere and facts.wrong_place is None:  # its folder is this one: the other clone's content comes in here
        way = f"passdown rollback {_packet(facts)}"
    elif facts.elsewhere:
        way = made or f"passdown resume {_packet(facts)} --worktree DIR"
    return Found("hold", fact, _show(facts), way)


def _failure_without_plan(facts: HoldFacts) -> Found | None:
    planned = {step.item for step in facts.packet.checklist}
    found = [i for i in open_now(facts.packet) if i.blocks == "continuation" and i.id not in planned and not _asked(i)]
    if not found:
        return None
    fact = f"{found[0].id} blocks continuation and no step names it: {found[0].text}"
    return Found("hold", fact, f"{_show(facts)} --json", 'passdown note step "..."')


def _asked(item: Item) -> bool:
    return item.kind in ("architecture", "question", "tests")


def _tests_weakened(facts: HoldFacts) -> Found | None:
    found = [item for item in open_now(facts.packet) if item.kind == "tests"]
    if not found:
        return None
    fact = f"{found[0].id}: {found[0].text}; nobody accepted it"
    lifts = f"restore them, or passdown review {_packet(facts)} --approve --accept-tests"
    return Found("hold", fact, f"{_show(facts)} --json", " ".join(lifts.split()))


def _architecture_question(facts: HoldFacts) -> Found | None:
    found = [item for item in open_now(facts.packet) if item.kind == "architecture"]
    if not found:
        return None
    grave = [item for item in found if item.blocks == "continuation"]
    item = (grave or found)[0]
    lifts = f'passdown note --answer {item.id} "..."'
    return Found(
        "hold" if grave else "watch", f"open architecture question {item.id}: {item.text}", _show(facts), lifts
    )


def _held_by_person(facts: HoldFacts) -> Found | None:
    return Found("hold", facts.held_by_person, "passdown log") if facts.held_by_person else None


def _handed_over(facts: HoldFacts) -> Found | None:
    if facts.handed_over is None:
        return None
    return Found("hold", f"handed over to {facts.handed_over}, who has not answered", "passdown log", "passdown review")


def _rollback_pending(facts: HoldFacts) -> Found | None:
    if facts.rollback_pending is None:
        return None
    lifts = f"passdown rollback {facts.rollback_to[:7] or _packet(facts)}".rstrip()
    return Found("hold", f"a rollback was asked for by {facts.rollback_pending}", "passdown log", lifts)


def _readback_failed(facts: HoldFacts) -> Found | None:
    if facts.readback_failures < READBACK_TRIES:
        return None
    fact = f"{amount(facts.readback_failures, 'read-back')} did not match"
    return Found("hold", fact, f"passdown show {_packet(facts)} --brief", "")


def _boundary_violated(facts: HoldFacts) -> Found | None:
    if not facts.landed_outside:
        return None
    fact = f"changed outside the boundary: {_listed(facts.landed_outside)}"
    packed = {file.path for file in facts.packet.files if file.inside is False}
    known = packed.issuperset(facts.landed_outside)
    way = "let it stand: passdown review --approve" if known else "passdown review --narrow +PATH"
    return Found("hold", fact, "passdown verify", f"undo it, or {way}")


def _contradicted_claims(facts: HoldFacts) -> Found | None:
    found = [o for o in facts.packet.outcomes if o.class_ == "CONTRADICTED"]
    if not found:
        return None
    required = [check for check in facts.packet.checks if check.acceptance]
    acceptance = {name for check in required for name in (check.name, check.command, check.evidence or "")}
    grave = any(acceptance & set(outcome.evidence) for outcome in found)
    fact = f'said "{found[0].text}", but: {found[0].because}'
    refuting = [c for c in facts.packet.checks if {c.name, c.evidence or ""} & set(found[0].evidence)]
    candidate = next((c.name for c in refuting if any(w.startswith("candidate") for w in c.warnings)), None)
    lift = "passdown check" if candidate is None else f"passdown check --confirm {candidate}"
    return Found("hold" if grave else "watch", fact, _show(facts), lift)


def _interrupted_dirty(facts: HoldFacts) -> Found | None:
    end = facts.packet.run.end.reason
    if facts.running is not None:
        return Found("hold", f"the run is still going: {facts.running}", "passdown session --list", "let it end")
    if end in ("finished", "unknown") or not facts.packet.files:
        return None
    how = "it had not ended when it was packed" if end == "running" else f"it stopped in the middle: {end}"
    return Found("watch", f"{how}, {amount(len(facts.packet.files), 'file')} changed", "git status")


def _not_on_remote(facts: HoldFacts) -> Found | None:
    if facts.packet.place.on_remote is not False or facts.pushed:
        return None
    level: HoldLevel = "hold" if facts.other_clone else "watch"
    return Found(level, "the commit is on no remote", "git status --branch", facts.push)


def _goal_superseded(facts: HoldFacts) -> Found | None:
    if facts.superseded_by is None:
        return None
    return Found("watch", f"a later request or task replaced the goal: {facts.superseded_by}", "passdown show --goal")


def _boundary_too_wide(facts: HoldFacts) -> Found | None:
    allow = facts.packet.boundary.allow
    wide = next((entry for entry in allow if whole_tree(entry.path)), None)
    if wide is not None:
        fact = f"{EVERYTHING}: {wide.id} {wide.path}, {wide.because}"
        lifts = f"passdown review --narrow -{allow.index(wide) + 1} +PATTERN"
        return Found("watch", fact, "passdown boundary show", lifts)
    folders = [entry.path for entry in allow if entry.path.endswith(("/", "/**"))]
    in_them = Matcher.compile(folders)
    files = len(allow) - len(folders) + sum(in_them.matches(file.path) is not None for file in facts.packet.files)
    if files <= facts.limits.files:
        return None
    more = f", and whatever else lies in {_listed(folders)}" if folders else ""
    return Found(
        "watch",
        f"{amount(files, 'file')} may be written{more}",
        "passdown boundary show",
        "passdown review --narrow -N",
    )


def _too_old(facts: HoldFacts) -> Found | None:
    if facts.age_days is None or facts.age_days <= facts.limits.days:
        return None
    days = amount(int(facts.age_days), "day")
    lifts = 'passdown pack --note "..."'  # where nothing is new, a note alone seals it anew
    return Found("watch", f"sealed {days} ago (limit {facts.limits.days})", _show(facts), lifts)


def _owner_missing(facts: HoldFacts) -> Found | None:
    if facts.packet.resume_owner:
        return None
    lifts = "resume_owner in passdown.toml, or passdown pack --for WHO"
    return Found(_team(facts), "nobody is named to pick it up", _show(facts), lifts)


def _scope_widened(facts: HoldFacts) -> Found | None:
    found = [file.path for file in facts.packet.files if file.in_goal is False]
    if not found:
        return None
    return Found(
        _team(facts), f"changed but not in the goal: {_listed(found)}", f"{_show(facts)} --json", "passdown review"
    )


def _guard_dead(facts: HoldFacts) -> Found | None:
    if not facts.dead_guards:
        return None
    fact = "; ".join(facts.dead_guards)
    return Found(_team(facts), fact, "passdown status --json", "passdown pack")


def _secret_found(facts: HoldFacts) -> Found | None:
    if not facts.secrets:
        return None
    # it stops publishing alone, whoever publishes asks for it
    fact = f"{amount(facts.secrets, 'secret')} in the work: it is not published"
    return Found("ignore", fact, "passdown show --json")


def _review_missing(facts: HoldFacts) -> Found | None:
    if (facts.verdict and facts.verdict_short is None) or facts.verdict_fault:
        return None
    fact = facts.verdict_short if facts.verdict and facts.verdict_short else "no owner has answered"
    if facts.answered_away and not facts.verdict:
        fact = f"{facts.answered_away} in another clone: it counts here once the base's policy lists who signed it"
    return Found(_reviewed(facts), fact, f"passdown review {_packet(facts)}".rstrip(), "passdown review")


def _review_mismatch(facts: HoldFacts) -> Found | None:
    if facts.verdict_fault is None:
        return None
    return Found(_reviewed(facts), facts.verdict_fault, "passdown log", "passdown review")


REASONS: Sequence[tuple[str, Callable[[HoldFacts], Found | None]]] = (
    ("goal-unknown", _goal_unknown),
    ("boundary-missing", _boundary_missing),
    ("wrong-place", _wrong_place),
    ("integrity-broken", _integrity_broken),
    ("content-missing", _content_missing),
    ("failure-without-plan", _failure_without_plan),
    ("tests-weakened", _tests_weakened),
    ("replan-cheaper", replan_cheaper),
    ("held-by-person", _held_by_person),
    ("handed-over", _handed_over),
    ("rollback-pending", _rollback_pending),
    ("readback-failed", _readback_failed),
    ("boundary-violated", _boundary_violated),
    ("architecture-question", _architecture_question),
    ("contradicted-claims", _contradicted_claims),
    ("tree-drift", tree_drift),
    ("interrupted-dirty", _interrupted_dirty),
    ("base-drift", base_drift),
    ("not-on-remote", _not_on_remote),
    ("goal-superseded", _goal_superseded),
    ("boundary-too-wide", _boundary_too_wide),
    ("too-old", _too_old),
    ("owner-missing", _owner_missing),
    ("scope-widened", _scope_widened),
    ("guard-dead", _guard_dead),
    ("control-surface-changed", control_surface_changed),
    ("secret-found", _secret_found),
    ("review-missing", _review_missing),
    ("review-mismatch", _review_mismatch),
)
CODES = tuple(code for code, _ in REASONS)
