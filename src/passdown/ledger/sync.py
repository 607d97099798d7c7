"""Exchanging chains with a remote: a writer's ref goes forward or not at all; ours are sent, others kept here."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, field

from passdown.ledger import git_log
from passdown.ledger.alarm import Alarm
from passdown.ledger.audit import APART, REMOTE, whose
from passdown.ledger.batch import LOG
from passdown.ledger.check import read_manifest
from passdown.rules.amount import amount
from passdown.workspace.git import Git
from passdown.workspace.transport import Talk

_CHAIN = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{0,99}/[0-9A-Za-z][0-9A-Za-z_-]{0,99}")
_THERE, _FORWARD = "refs/there/", "refs/forward/"


class Exchanged(Struct):
    """What one exchange did. ``sent``: statements of ours; ``got``: chains that came or went on; ``refused``: why."""

    sent: int = 0
    got: int = 0
    refused: str = ""
    alarms: list[Alarm] = field(default_factory=list)


def known_refs(store: Path, folder: str) -> dict[str, str]:
    """The names and tips that the talk may count on: ours, and what was seen at the remote before."""
    tips = git_log.tips(store)
    refs = {f"refs/known/{n}": tip for n, tip in enumerate(sorted(set(tips.values())))}
    there = f"{REMOTE}{folder}/log/"
    return refs | {_FORWARD + ref.removeprefix(there): tip for ref, tip in tips.items() if ref.startswith(there)}


def exchange(store: Path, talk: Talk) -> Exchanged:
    """Fetch all chains, send ours. GitError where the remote cannot be reached."""
    done = Exchanged()
    ours = {ref.removeprefix(LOG): tip for ref, tip in git_log.tips(store).items() if ref.startswith(LOG)}
    before = _seen(store, talk.remote.folder)
    there = _fetch(store, talk, before, done)
    sending = {name: tip for name, tip in ours.items() if _goes_on(talk.git, name, tip, there.get(name), done)}
    if sending:
        _send(store, talk, sending, there, done)
    return done


def compare(store: Path, talk: Talk) -> Exchanged:
    """What an exchange would do, by the names that the remote lists: nothing is fetched or sent."""
    said = talk.run("ls-remote", "--refs", "x", f"{LOG}*").decode("ascii", "replace")
    there = {ref.removeprefix(LOG): tip for tip, ref in (line.split("\t") for line in said.splitlines())}
    ours = {ref.removeprefix(LOG): tip for ref, tip in git_log.tips(store).items() if ref.startswith(LOG)}
    before = _seen(store, talk.remote.folder)
    found = Exchanged(got=sum(before.get(name) != tip for name, tip in there.items() if name not in ours))
    found.sent = sum(_new(store, tip, before.get(name)) for name, tip in ours.items() if there.get(name) != tip)
    return found


def _seen(store: Path, folder: str) -> dict[str, str]:
    there = f"{REMOTE}{folder}/log/"
    return {ref.removeprefix(there): tip for ref, tip in git_log.tips(store).items() if ref.startswith(there)}


def _fetch(store: Path, talk: Talk, before: Mapping[str, str], done: Exchanged) -> dict[str, str]:
    """Bring the chains in and move our names for them forward; what the remote says of each."""
    quiet = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--no-recurse-submodules")
    both = (f"+{LOG}*:{_THERE}*", f"{LOG}*:{_FORWARD}*")
    talk.run("fetch", *quiet, "x", *both, allow=(0, 1))  # 1: a chain that does not go on from what we have
    there, forward = _commits(talk.git, _THERE), _commits(talk.git, _FORWARD)
    for name, tip in there.items():
        folder = talk.remote.folder
        if forward.get(name) == tip:
            _set(store, f"{REMOTE}{folder}/{APART}/{name}", None)
            if before.get(name) != tip:
                _set(store, f"{REMOTE}{folder}/log/{name}", tip)
                done.got += 1
        else:
            _set(store, f"{REMOTE}{folder}/{APART}/{name}", tip)
            done.alarms.append(_alarm(talk.git, name, forward.get(name), tip))
    gone = [name for name in before if name not in there]
    done.alarms += [Alarm("gone", f"{whose(name)} is gone from the remote", LOG + name, before[name]) for name in gone]
    return there


def _commits(git: Git, below: str) -> dict[str, str]:
    """Name -> commit of the references below; those of other kinds and of strange names are left out."""
    told = git.run("for-each-ref", "--format=%(objecttype) %(objectname) %(refname)", below)
    rows = (line.split(" ", 2) for line in os.fsdecode(told).splitlines())
    found = {ref.removeprefix(below): name for kind, name, ref in rows if kind == "commit"}
    return {name: tip for name, tip in found.items() if _CHAIN.fullmatch(name)}


def _alarm(git: Git, name: str, had: str | None, tip: str) -> Alarm:
    if had is not None and git.ok("merge-base", "--is-ancestor", tip, had):
        return Alarm("rewound", f"{whose(name)} was set back at the remote", LOG + name, tip)
    return Alarm("forked", f"{whose(name)} was replaced by another at the remote", LOG + name, tip)


def _goes_on(git: Git, name: str, tip: str, there: str | None, done: Exchanged) -> bool:
    """Whether to send this chain of ours; an alarm where the remote's is no beginning of it."""
    if there == tip or any(alarm.ref == LOG + name and alarm.code == "forked" for alarm in done.alarms):
        return False
    if there is None or git.ok("merge-base", "--is-ancestor", there, tip):
        done.alarms = [alarm for alarm in done.alarms if alarm.ref != LOG + name]  # sending mends it
        return True
    ahead = git.ok("merge-base", "--is-ancestor", tip, there)
    text = "is longer at the remote than here" if ahead else "is another one at the remote"
    done.alarms.append(Alarm("rewound" if ahead else "forked", f"{whose(name)}, ours, {text}", LOG + name, there))
    return False


def _send(store: Path, talk: Talk, sending: Mapping[str, str], there: Mapping[str, str], done: Exchanged) -> None:
    answers = push(talk, {LOG + name: tip for name, tip in sending.items()})
    for name, tip in sending.items():
        why = answers.get(LOG + name, "the remote did not say")
        if why:
            done.refused = done.refused or why
            continue
        done.sent += _new(store, tip, there.get(name))
        _set(store, f"{REMOTE}{talk.remote.folder}/log/{name}", tip)
        _set(store, f"{REMOTE}{talk.remote.folder}/{APART}/{name}", None)


def push(talk: Talk, refs: Mapping[str, str]) -> dict[str, str]:
    """Set these names at the remote, "": remove; of each why it was refused, "" where it was not. Nothing is forced."""
    plain = ("--porcelain", "--no-verify", "--no-follow-tags", "--no-signed", "--recurse-submodules=no")
    pairs = [f"{commit}:{ref}" for ref, commit in refs.items()]
    said = os.fsdecode(talk.run("push", *plain, "x", *pairs, allow=(0, 1)))
    answers = {}
    for line in said.splitlines():
        flag, _, rest = line.partition("\t")
        pair, _, why = rest.partition("\t")
        if rest:
            answers[pair.rpartition(":")[2]] = (why or "refused") if flag == "!" else ""
    return answers


def _new(store: Path, tip: str, before: str | None) -> int:
    """How many statements a chain has over what the remote had of it."""
    commits = git_log.new_commits(store, [tip], [before] if before else []).commits
    opened = [read_manifest(raw.manifest) for raw in git_log.read_batches(store, commits)]
    return sum(len(each[2].statements) for each in opened if each)


def _set(store: Path, ref: str, commit: str | None) -> None:
    """Set or remove a name of ours, as git writes it: a file of its own, there at once or not at all.

    Only the exchange writes these names, under its lock.
    """
    path = store / ref
    if commit is None:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    new = store / f"seen.{os.getpid()}"
    new.write_text(f"{commit}\n")
    new.replace(path)


def words(done: Exchanged) -> str:
    """What was sent, in a few words."""
    return amount(done.sent, "record") if done.sent else "nothing new"
