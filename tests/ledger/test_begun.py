"""Records of work that began: one value in the code, plain fields in the record, as they always were."""

from __future__ import annotations

import msgspec
import pytest

from passdown.model.event import Begun, Resumed, TaskOpened

BOUNDARY = {"version": 1, "source": "hand", "allow": [{"id": "B1", "path": "src/**", "because": "x"}]}
BEGAN = {"worktree_id": "wt", "branch": "main", "tree": "a" * 40, "head": None}
SINCE = {"commit_tree": "b" * 40, "upstream": ["c" * 40], "control": {"config": "d"}, "moves": 3}
OPENED = {"task": "t", "title": "x", "goal": {"text": "x", "source": "user"}, "done": [], "boundary": BOUNDARY}
RESUMED = {"task": "t", "packet": "p", "run": "r", "boundary": BOUNDARY, "agent": "claude"}


@pytest.mark.parametrize("since", [{}, SINCE], ids=["older", "newer"])
@pytest.mark.parametrize(("kind", "own"), [(TaskOpened, OPENED), (Resumed, RESUMED)])
def test_a_record_as_it_was_written_reads_and_stays_flat(kind: type[Begun], own, since) -> None:
    flat = {**own, **BEGAN, **since}
    body = msgspec.convert(flat, kind)
    assert isinstance(body, Begun)
    assert (body.tree, body.moves, body.upstream) == ("a" * 40, since.get("moves", 0), since.get("upstream", []))
    written = msgspec.to_builtins(body)
    assert {name: written[name] for name in flat if name != "boundary"} == {
        name: value if name != "goal" else {**value, "at": None} for name, value in flat.items() if name != "boundary"
    }
