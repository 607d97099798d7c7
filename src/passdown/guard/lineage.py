"""Which commits since the start are this work's own, and which paths others' work brought."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from passdown.guard.merges import Own, own_changes
from passdown.model.paths import printable
from passdown.rules.amount import amount
from passdown.workspace import diff, history, reflog
from passdown.workspace.history import Commit
from passdown.workspace.place import Place

_NAMED = 3


class Start(Struct, frozen=True):
    """Where the work began.

    ``tree``: the raw worktree; ``head``: None before the first commit; ``moves``: entries of HEAD's reflog then;
    ``upstream``: the base branch's tips then; ``control``: the control surface's parts then.
    """

    tree: str
    head: str | None
    moves: int = 0
    upstream: Sequence[str] = ()
    control: dict[str, str] = field(default_factory=dict)


class Upstream(Struct, frozen=True):
    """The base branch's tips now: as fetched from a remote, and as it stands in this clone."""

    remote: Sequence[str] = ()
    local: Sequence[str] = ()


class Line(Struct, frozen=True):
    """The own commits since ``start``, oldest first, and the paths that others' merges brought."""

    start: str | None
    own: list[Own]
    merged_in: set[str]


def read_line(place: Place, start: Start, upstream: Upstream, notes: list[str]) -> Line:
    """The commits between the start and HEAD, told apart."""
    head, begun = place.head, start.head
    if head is None or head == begun:
        return Line(begun, [], set())
    if begun is not None and not history.is_ancestor(place, begun, head):
        notes.append(f"HEAD left {begun[:9]}, where this work began: commits were rewritten or another was checked out")
        begun = history.merge_base(place, begun, head)
    everything = {commit.id: commit for commit in history.commits(place, [head], [begun] if begun else [])}
    main = _first_parents(everything, head)
    theirs, elsewhere = _theirs(place, begun, start, upstream)
    foreign = (theirs | elsewhere) & everything.keys()
    own = own_changes(place, [commit for name, commit in reversed(everything.items()) if name not in foreign])
    merged_in = {path for one in own if one.commit.id in main for path in one.brought}
    below = next((commit for commit in main if commit in foreign), None)
    if below is not None:  # a rebase or fast-forward: others' commits lie under this work's own
        merged_in |= {change.path for change in diff.tree_diff(place, begun or "", below)}
    if foreign:
        notes.append(f"{amount(len(foreign), 'commit')} came in with the base branch: not counted as this work")
    notes += _made_beside(place, [everything[name] for name in foreign & (elsewhere - theirs)])
    return Line(begun, own, merged_in)


def _first_parents(commits: Mapping[str, Commit], head: str) -> dict[str, None]:
    """The first-parent line from ``head`` down, as far as it lies among the commits."""
    line: dict[str, None] = {}
    at: str | None = head
    while at is not None and at in commits:
        line[at] = None
        at = next(iter(commits[at].parents), None)
    return line


def _made_beside(place: Place, commits: Sequence[Commit]) -> list[str]:
    """What no remote has and another worktree of this clone made: whoever worked here can have made it there."""
    paths = sorted({change.path for own in own_changes(place, commits) for change in own.changes})
    if not paths:
        return []
    more = f" and {len(paths) - _NAMED} more" if paths[_NAMED:] else ""
    named = ", ".join(map(printable, paths[:_NAMED])) + more
    return [f"of these {len(commits)} made in another worktree here, on no remote, judged by nobody: {named}"]


def _theirs(place: Place, begun: str | None, start: Start, upstream: Upstream) -> tuple[set[str], set[str]]:
    """Commits of the base branch that this worktree did not make since the start; the second ones another one did.

    Refs can be moved by the run itself, so a ref alone makes no commit somebody else's: what the base had at the
    start is; what a remote's branch has is, unless the reflog shows that it was made here; what the local branch
    has gained is only where another worktree's reflog shows that it was made there.
    """

    def reached(tips: Sequence[str]) -> set[str]:
        names = sorted(set(tips))
        return {commit.id for commit in history.commits(place, names, [begun] if begun else [])} if names else set()

    here = reflog.made_here(place, start.moves)
    local = reached(upstream.local)
    elsewhere = local & reflog.made_in_other_worktrees(place) if local else set()
    known = [tip for tip in start.upstream if history.resolve(place, tip) is not None]
    return reached(known) | (reached(upstream.remote) - here), elsewhere - here
