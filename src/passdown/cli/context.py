"""What a verb works with: worktree, policy, record and task, each opened when first asked for."""

from __future__ import annotations

import os
import time
from functools import cached_property
from typing import TYPE_CHECKING

from passdown.cli.folder import current_folder, instant
from passdown.errors import EXIT_UNDECIDED, PassdownError
from passdown.workspace.place import Looking, Place

if TYPE_CHECKING:
    from passdown.agents.protocol import FoundSession
    from passdown.checks.known import Known
    from passdown.checks.look import Moment
    from passdown.checks.tree import TreeView
    from passdown.cli.ahead import Ahead
    from passdown.guard.unjudged import Unjudged
    from passdown.ledger.ledger import Ledger
    from passdown.model.event import Body
    from passdown.model.packet import Packet
    from passdown.model.policy import Policy
    from passdown.model.session import SessionFacts
    from passdown.packet.base_branch import Base
    from passdown.review.owners import Owners
    from passdown.rules.classify import Trust
    from passdown.rules.redact import Redactor
    from passdown.rules.task import TaskView
    from passdown.workspace.result import Snapshot


class Context:
    """One command's view: the clock is read once, everything else at most once.

    ``reads``: the command only reads, so it creates nothing where Passdown was never used. ``strict``: a
    mistake in the worktree's own policy is an error; else it is told and the base's policy stands alone. ``base``: a
    commit whose policy counts alone, whatever branch the worktree is on.
    """

    def __init__(self, *, reads: bool = False, strict: bool = False, base: str | None = None) -> None:
        self.reads = reads
        self.named_base = base
        self.strict = strict
        self.now = instant()
        self._ahead: Ahead[Snapshot] | None = None
        self._looking: Looking | None = None

    @cached_property
    def place(self) -> Place:
        """The worktree around the current folder."""
        return self._look().place()

    def _look(self) -> Looking:
        if self._looking is None:
            self._looking = Looking(current_folder())
        return self._looking

    @cached_property
    def snapshot(self) -> Snapshot:
        """The worktree's content now."""
        ahead, self._ahead = self._ahead, None  # once: after a change it is taken anew
        return ahead.result() if ahead is not None else self._take()

    def _take(self) -> Snapshot:
        from passdown.workspace import snapshot

        self.began = time.time()
        return snapshot.look(self.place) if self.reads else snapshot.take(self.place)

    def look_ahead(self) -> None:
        """Begin the look at the worktree now, beside the rest, and its snapshot where Passdown was used before.

        A first command that fails creates nothing.
        """
        from passdown.cli.ahead import Ahead

        self._look()
        self._ahead = Ahead(self._take, self._used_before)

    def _used_before(self) -> bool:
        return self.place.home.exists()

    @cached_property
    def _found_policy(self) -> tuple[Policy, str | None, str]:
        from passdown.checks.policy import base_policy
        from passdown.cli.base_policy import first_head, found_policy

        if self.named_base is not None:
            return base_policy(self.place, self.named_base), self.named_base, "named"
        start = first_head(self.place, self.tasks_alone, lambda: self.sessions)
        return found_policy(self.place, start, strict=self.strict)

    @property
    def policy(self) -> Policy:
        """passdown.toml of the base revision, else the defaults."""
        return self._found_policy[0]

    @property
    def base(self) -> str | None:
        """The base commit; where none is known, HEAD."""
        return self._found_policy[1] or self.place.head

    @cached_property
    def recorder(self) -> Ledger:
        """The record; nothing is created on the disk before its first append."""
        from passdown.store import open_ledger

        ledger = open_ledger(self.place.home, self.place.object_format)
        ledger.clean = self._clean
        ledger.appended = self._guard
        return ledger

    def _guard(self, body: Body) -> None:
        """What was just said may bind or free a worktree: the rules of the agents' hook follow, where one is."""
        if not (self.place.home / "guard").is_dir():
            return
        from passdown.guard import arm
        from passdown.rules.fold import fold

        if isinstance(body, arm.BINDING):
            arm.refresh(self.place, fold(self.recorder.records(), self.trust), self.policy, self.now)

    @cached_property
    def tasks(self) -> dict[str, TaskView]:
        """All tasks, folded from the record."""
        from passdown.rules.fold import fold

        records = self.recorder.records()
        others = any(record.type in ("evidence", "verdict") and not record.here for record in records)
        return fold(records, self.trust) if others else self.tasks_alone

    @cached_property
    def tasks_alone(self) -> dict[str, TaskView]:
        """The tasks with this clone's evidence alone: whom to trust is read from a task's base."""
        from passdown.rules.fold import fold

        return fold(self.recorder.records())

    @property
    def task(self) -> TaskView | None:
        """The task of this worktree and branch, None where there is none open."""
        from passdown.cli.spot import spot_of
        from passdown.rules.fold import same_task

        return same_task(self.tasks, *spot_of(self.place, self.tasks))

    def was_moved(self) -> PassdownError | None:
        """What to say where this repository was moved, None where it was not."""
        from passdown.cli.moved import was_moved

        return was_moved(self.place, self.tasks, self.recorder)

    def need_task(self) -> TaskView:
        """The task here, or an error that says how one begins."""
        task = self.task
        if task is None:
            was = self.was_moved()
            if was is not None:
                raise was
            where = f"branch {self.place.branch}" if self.place.branch else "this detached HEAD"
            raise PassdownError(
                f"no open task on {where} in {self.place.root}",
                'begin with `passdown pack` after a run, or `passdown start "GOAL"`',
            )
        return task

    def forget_place(self) -> None:
        """Find the worktree anew: it is known by another id."""
        self._looking = None
        for name in ("place", "_found_policy", "owners"):
            self.__dict__.pop(name, None)
        self.forget()

    def forget(self, tree: str | None = None) -> None:
        """Read record and worktree anew after a change; ``tree``: what the worktree holds, where that was just seen."""
        view = self.__dict__.get("view")
        for name in ("tasks", "tasks_alone", "trust", "snapshot", "view", "unjudged"):
            self.__dict__.pop(name, None)
        if view is not None and view.tree == tree:
            self.view = view

    def moment(self) -> Moment | None:
        """The snapshot that was taken and when it began; None where there is none yet."""
        return (self.snapshot, self.began) if "snapshot" in self.__dict__ and not self.reads else None

    @cached_property
    def sessions(self) -> list[FoundSession]:
        """The agents' sessions that worked here, newest first."""
        from passdown.agents.sessions import find_sessions

        return find_sessions(self.place.root, os.environ)

    @cached_property
    def owners(self) -> Owners:
        """CODEOWNERS of the base."""
        from passdown.review.owners import load_owners

        return load_owners(self.place, self.base)

    @cached_property
    def person(self) -> tuple[str, str]:
        """``(name, handle or address)`` of the person at this clone."""
        from passdown.ledger.person import identity

        return identity(self.place)

    @property
    def me(self) -> str:
        """How the record names the person at this clone."""
        name, handle = self.person
        return handle or name or "somebody without a git identity"

    @property
    def resume_owner(self) -> str | None:
        """Who picks it up: named by the policy; who works alone is it themselves."""
        alone = self.me if self.policy.mode == "solo" and any(self.person) else None
        return self.policy.resume_owner or alone

    @cached_property
    def salt(self) -> bytes:
        """This clone's salt; empty before its first write."""
        from passdown.checks.salt import read_salt

        return read_salt(self.place)

    def will_write(self) -> None:
        """Make what every record of this clone needs: the salt of its redactions."""
        from passdown.checks.salt import make_salt

        self.salt = make_salt(self.place)

    @cached_property
    def view(self) -> TreeView:
        """The files of the worktree as they are now."""
        from passdown.checks.tree import TreeView

        return TreeView(self.place, self.snapshot.tree, self.snapshot.commit_tree)

    @cached_property
    def redactor(self) -> Redactor:
        """Takes secrets out of every text that is written."""
        from passdown.rules.redact import Redactor

        return Redactor(self.policy.redact_extra, self.salt)

    def redact(self, text: str) -> str:
        """The text without its secrets, for a record."""
        if not self.salt:
            self.will_write()
        return self.redactor.text(text)

    def pattern(self, text: str) -> str:
        """As the repository names it; PassdownError where it lies outside or holds a secret: it would match nothing."""
        if self.redact(text) != text:
            raise PassdownError("a pattern holds what looks like a secret", "use * in its place; nothing was written")
        from passdown.review.narrow import of_root

        return of_root(self.place.root, text)

    def _clean(self, body: Body) -> Body:
        """Every free text of a statement without its secrets, whichever verb gave it.

        Packets, evidence and their texts were redacted while they were built; a boundary's patterns must match.
        """
        import msgspec

        from passdown.model.event import Attachment
        from passdown.model.evidence import Evidence
        from passdown.model.packet import Packet

        if isinstance(body, Packet | Evidence | Attachment):
            return body
        self.redact("")
        kept = {name: getattr(body, name) for name in ("boundary", "control", "definition") if hasattr(body, name)}
        return msgspec.structs.replace(self.redactor.value(body), **kept)

    @cached_property
    def trust(self) -> Trust:
        """Whose evidence counts as our own."""
        from passdown.checks.trust import trust_of

        return trust_of(self.place, self.policy, self.recorder, self.now)

    def declared_checks(self) -> list[Known]:
        """Declared and confirmed checks alone: nothing is looked for."""
        from passdown.checks.known import declared

        return declared(self.view, self.policy, self.recorder.records(), self.trust)

    def known_checks(self, facts: SessionFacts | None = None) -> list[Known]:
        """Declared, confirmed and candidate checks of the worktree as it is now."""
        from passdown.checks.known import known

        return known(self.view, self.policy, self.recorder.records(), self.trust, facts)

    def task_of(self, packet: Packet) -> TaskView:
        """The task that a sealed packet belongs to; PassdownError where its record does not verify."""
        task = self.tasks.get(packet.task.id)
        if task is None:
            raise PassdownError(
                f"packet {(packet.packet or '')[:7]} does not verify", "passdown log --verify says why", EXIT_UNDECIDED
            )
        return task

    @cached_property
    def unjudged(self) -> dict[str, Unjudged]:
        """By its task what changed outside the boundary without a person's answer, as far as it was looked for."""
        return {}

    def lapsed(self, packet: Packet) -> str | None:
        """Why the answer to this packet no longer binds; None where it does, or where there is none."""
        from passdown.packet.place_now import verdict_fault
        from passdown.review.lapse import owners_changed
        from passdown.review.owners import load_owners

        task = self.tasks.get(packet.task.id)
        given = task.decision_of(packet.packet) if task is not None and packet.packet else None
        if given is None:
            return None
        base = self._integrated()
        moved = verdict_fault(self.place, base, task, packet)
        owners = load_owners(self.place, base.commit or self.base)
        return moved or owners_changed(self.place, given.body, owners, sorted(self.view.entries))

    def _integrated(self) -> Base:
        """The base branch's commit that the work stands on: HEAD itself where it has nothing over that branch."""
        from msgspec.structs import replace

        from passdown.packet.base_branch import base_of
        from passdown.workspace import history

        base, head = base_of(self.place, self.policy.base), self.place.head
        if base.commit is None and base.tip and head and history.is_ancestor(self.place, head, base.tip):
            return replace(base, commit=head)
        return base

    def packet(self, prefix: str | None) -> Packet:
        """The named sealed packet, else the newest of the task here."""
        if prefix is not None:
            return self.named_packet(prefix)
        task = self.task
        if task is not None and task.latest is not None:
            return task.latest.body
        from passdown.cli.elsewhere import no_packet

        raise (self.was_moved() if task is None else None) or no_packet(self)

    def named_packet(self, prefix: str) -> Packet:
        """The packet whose digest begins with ``prefix``; PassdownError where none or several do."""
        import msgspec

        from passdown.model.packet import Packet

        record = self.recorder.record(prefix, "packet")
        body = record.body
        if not isinstance(body, Packet):
            raise PassdownError(f"{prefix} is no packet, it is a {record.type}", "passdown log lists the packets")
        return msgspec.structs.replace(body, packet=record.id)
