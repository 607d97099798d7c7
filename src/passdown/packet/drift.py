"""What moved under a packet: the worktree since it was sealed, the base branch since its base."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from passdown.errors import PassdownError
from passdown.model.boundary import Boundary
from passdown.model.packet import Packet
from passdown.packet.own_settings import Ours
from passdown.rules.decide import Asked
from passdown.rules.hold_facts import Drift
from passdown.rules.overlap import overlapping
from passdown.workspace import diff, history, merge
from passdown.workspace.place import Place
from passdown.workspace.snapshot import Snapshot

LIMIT = 256 * 1024
_SHOWN = 3
SETTINGS = "git's or an agent's settings, hooks, CODEOWNERS or the policy"


def since_sealed(place: Place, packet: Packet, now: Snapshot, boundary: Boundary, ours: Ours) -> Drift:
    """The worktree against the sealed tree, by the next run's ``boundary``; settings aside.

    Another worktree's is not compared, nor content that is not here: each is a reason of its own.
    """
    sealed = packet.place
    if sealed.worktree_id != place.worktree_id:
        return Drift()
    moved = moved_since(place, sealed.tree, now.tree, ours)
    if moved is None:
        return Drift()
    asked = Asked.of(boundary)
    denied = [path for path in moved if asked.deny.matches(path) is not None]
    return Drift(tree=moved, denied=[path for path in denied if not _taken_back(place, packet, path, now)])


def _taken_back(place: Place, packet: Packet, path: str, now: Snapshot) -> bool:
    """Whether the run had changed the path outside, and it is again as in the commit that stood there then."""
    if not any(file.path == path and file.inside is False for file in packet.files):
        return False
    here = diff.read_path(place, now.commit_tree or now.tree, path)
    commits = [commit for commit in (packet.place.head, packet.place.base) if commit]
    return any(diff.read_path(place, commit, path) == here for commit in commits)


def moved_since(place: Place, sealed: str, now: str, ours: Ours) -> list[str] | None:
    """Paths that differ between two trees, without ``ours``; None where the sealed one is not in this clone."""
    try:
        found = diff.tree_diff(place, sealed, now) if sealed != now else []
    except PassdownError:
        return None
    return [change.path for change in found if (change.path, change.new_blob) not in ours]


def of_base(place: Place, tip: str | None, base: str | None, now: Snapshot, inside: Callable[[str], bool]) -> Drift:
    """What the base branch's ``tip`` has that HEAD has not: commits, files of this work or ``inside``, conflicts.

    ``base``: the packet's; None: nothing to compare. What was merged or rebased onto since is no drift.
    """
    since = history.merge_base(place, tip, place.head) if tip and base and place.head and tip != base else None
    if tip is None or since is None or since == tip:
        return Drift()
    commits = len(history.commits_between(place, since, tip))
    tree = now.commit_tree or now.tree
    ours = {c.path for c in diff.tree_diff(place, since, tree)}
    theirs = [c.path for c in diff.tree_diff(place, since, tip)]
    shared = [path for path in theirs if path in ours or inside(path)]
    both = [path for path in theirs if path in ours]
    found = merge.conflicts(place, since, tip, tree) if both else {}
    if found is None:
        found = {path: [] for path in both if _conflict(place, path, since, tip, now)}
    listed = [f"{path}:{','.join(map(str, lines[:_SHOWN]))}" if lines else path for path, lines in found.items()]
    by = history.last_touching(place, since, tip, list(found)) if found else ""
    return Drift(base_commits=commits, base_paths=shared, conflicts=listed, conflicts_by=by, base_tip=tip)


def _conflict(place: Place, path: str, base: str, tip: str, now: Snapshot) -> bool:
    texts = [diff.read_path(place, treeish, path) for treeish in (base, now.commit_tree or now.tree, tip)]
    if any(text is not None and len(text) > LIMIT for text in texts):
        return True  # both changed a large file: a person looks
    if texts[1] == texts[2]:
        return False
    if texts[1] is None or texts[2] is None or texts[0] is None:
        return True  # one side deleted what the other changed, or both made it
    decoded = [text.decode("utf-8", "replace") for text in texts if text is not None]
    return overlapping(decoded[0], decoded[1], decoded[2])


def together(one: Drift, other: Drift) -> Drift:
    """Worktree's and base's drift in one value."""
    return Drift(
        tree=one.tree,
        denied=one.denied,
        outside=one.outside,
        control=one.control,
        base_commits=other.base_commits,
        base_paths=other.base_paths,
        conflicts=other.conflicts,
        conflicts_by=other.conflicts_by,
        base_tip=other.base_tip,
    )


def allowed(boundary: Boundary) -> Callable[[str], bool]:
    """Asks whether a path may be written."""
    asked = Asked.of(boundary)
    return lambda path: asked.decide(path).inside


def changed_inside(place: Place, old: str | None, new: str | None, boundary: Boundary) -> Sequence[str]:
    """Files inside the boundary that differ between two commits."""
    if old is None or new is None or old == new:
        return []
    inside = allowed(boundary)
    paths: Collection[str] = [change.path for change in diff.tree_diff(place, old, new)]
    return [path for path in paths if inside(path)]
