"""Whose evidence counts: another clone's and CI's, by signatures that the base names (semantics: section 2).

Every row of the tables would be a false VERIFIED if one condition were forgotten.
"""

from __future__ import annotations

import base64
import json
import subprocess
from pathlib import Path

import msgspec
import pytest

from passdown.checks.policy import find_policy
from passdown.checks.trust import signers_of, trust_of
from passdown.ledger.person import PersonKey, PersonSignature, Signer
from passdown.ledger.writer import ensure_writer
from passdown.model.event import WriterVouched
from passdown.model.packet import Closing
from passdown.rules.fold import fold
from passdown.rules.trust import Trust
from passdown.workspace.place import find_place
from support.desk import Desk
from support.evidence import evidence
from support.ledgers import opened, store_git
from support.repo import Repo

NOW = "2026-11-30T12:00:00.000Z"
CHECK = '[git]\nbase = "main"\n[checks.tests]\nrun = "grep -q good src/state.txt"\n'


def key(folder: Path, name: str = "alice") -> Signer:
    """A real SSH key and who signs with it."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(path)], check=True)
    public = " ".join(Path(f"{path}.pub").read_text().split()[:2])
    print_ = subprocess.check_output(["ssh-keygen", "-l", "-f", f"{path}.pub"], text=True).split()[1]
    return Signer(PersonKey(public, print_, name, path), name)


@pytest.fixture
def alice(tmp_path):
    return key(tmp_path / "keys", "alice")


@pytest.fixture
def mallory(tmp_path):
    return key(tmp_path / "keys", "mallory")


class Team:
    """A repository with a policy on main, my clone of it on a branch, and another's."""

    def __init__(self, repo: Repo, policy: str) -> None:
        repo.write("src/state.txt", "good\n").write("passdown.toml", CHECK + policy).commit("Begin")
        self.origin = repo
        self.mine = repo.clone("mine").branch("work")
        self.theirs = repo.clone("theirs").branch("work")

    def bring(self, *, to: Repo | None = None, source: Repo | None = None) -> None:
        """What sync does: the other clone's chains, under the names of a remote."""
        into, out = (to or self.mine).home, (source or self.theirs).home
        if not (into / "store.git").is_dir():
            with opened(into) as ledger:
                ledger.append(WriterVouched(writer="", public="", by="nobody"), task=None, at=NOW)
        store_git(into, "fetch", "-q", str(out / "store.git"), "+refs/passdown/log/*:refs/passdown-remote/origin/log/*")

    def trust(self, now: str = NOW):
        place = find_place(self.mine.root)
        policy, _, _ = find_policy(place)
        with opened(place.home) as ledger:
            return trust_of(place, policy, ledger, now)

    def stands(self):
        """My clone's standing of the check."""
        place = find_place(self.mine.root)
        with opened(place.home) as ledger:
            desk = Desk(self.mine, base=self.origin.head, trust=self.trust(), records=ledger.records())
            return desk.stand()


def vouch(repo: Repo, signer: Signer | None, *, at: str = NOW, about: Repo | None = None, **changes) -> None:
    """``signer`` says, in this clone's record, that the writer of ``about`` is to be believed."""
    home = (about or repo).home
    home.mkdir(parents=True, exist_ok=True)
    writer = ensure_writer(home)
    body = WriterVouched(writer=writer.id, public=writer.public, by="alice")
    with opened(repo.home) as ledger:
        ledger.append(msgspec.structs.replace(body, **changes), task=None, at=at, person_signer=signer)


def listed(signer: Signer, name: str = "@alice", options: str = "") -> str:
    assert signer.key is not None
    line = f"{name} {options}{signer.key.public}".replace('"', '\\"')
    return f'[review]\nsigners = ["{line}"]\n'


def test_another_clones_evidence_is_seen_until_an_allowed_signer_vouches_for_it(repo, alice):
    team = Team(repo, listed(alice))
    team.theirs.passdown("check", "tests").check()
    team.bring()
    seen = team.stands()
    assert (seen.result, seen.class_) == ("PASSED", "OBSERVED")
    writer = ensure_writer(team.theirs.home).id
    assert f"other-writer: writer {writer[:12]}" in seen.warnings
    vouch(team.theirs, alice)
    team.bring()
    stands = team.stands()
    assert (stands.class_, stands.source) == ("VERIFIED", f"writer {writer[:12]}, vouched for by @alice")
    team.mine.write("src/state.txt", "good too\n")
    assert team.stands().class_ == "OBSERVED", "a vouched clone's evidence goes stale like our own"


def another_key(team, alice, _):
    third = team.origin.clone("third")
    third.home.mkdir(parents=True)
    vouch(team.theirs, alice, public=ensure_writer(third.home).public)


def withdrawn(team, alice, _):
    vouch(team.theirs, alice)
    vouch(team.theirs, alice, withdrawn=True)


def withdrawn_before(team, alice, _):
    vouch(team.theirs, alice, withdrawn=True)
    vouch(team.theirs, alice)


def proposed_by_the_change(team, _, mallory):
    vouch(team.theirs, mallory)
    team.mine.write("passdown.toml", CHECK + listed(mallory, "@mallory")).commit("Let me in")


NOBODY = {
    "unsigned": lambda team, _, __: vouch(team.theirs, None),
    "by a key that nobody listed": lambda team, _, mallory: vouch(team.theirs, mallory),
    "about another clone": lambda team, alice, _: vouch(team.theirs, alice, about=team.origin.clone("third")),
    "with another's public key": another_key,
    "withdrawn": withdrawn,
    "withdrawn, then vouched for again": withdrawn_before,
    "by a key that the change itself lists": proposed_by_the_change,
}


@pytest.mark.parametrize("act", NOBODY.values(), ids=NOBODY)
def test_what_vouches_for_nobody(repo, alice, mallory, act):
    team = Team(repo, listed(alice))
    team.theirs.passdown("check", "tests").check()
    act(team, alice, mallory)
    team.bring()
    assert team.stands().class_ == "OBSERVED"
    assert ensure_writer(team.theirs.home).id not in team.trust().vouched


def test_an_agents_copy_of_the_signature_vouches_for_nothing_else(repo, alice):
    """The signature covers the statement: taken over into another one it does not verify."""
    team = Team(repo, listed(alice))
    vouch(team.theirs, alice)
    with opened(team.theirs.home) as ledger:
        (record,) = ledger.records(type="writer-vouched")
        text = json.loads(ledger.envelopes([record.id])[record.id])

    class Copied:
        because = ""

        def sign(self, _):
            taken = next(s for s in text["signatures"] if s["keyid"].startswith("SHA256:"))
            return PersonSignature(taken["keyid"], base64.b64decode(taken["sig"]).decode())

    third = team.origin.clone("third")
    third.home.mkdir(parents=True)
    vouch(third, Copied())
    team.bring(source=third)
    assert team.trust().vouched == frozenset()


@pytest.mark.parametrize(
    ("options", "times", "counts"),
    [
        ("", (NOW, NOW), True),
        ('namespaces="passdown" ', (NOW, NOW), True),
        ('namespaces="git,passdown" ', (NOW, NOW), True),
        ('namespaces="git" ', (NOW, NOW), False),
        ('valid-after="20261101" ', (NOW, NOW), True),
        ('valid-after="20261201" ', (NOW, NOW), False),
        ('valid-before="20270101" ', (NOW, NOW), True),
        ('valid-before="20261101" ', (NOW, NOW), False),
        ('valid-before="20261201" ', (NOW, "2026-12-02T00:00:00Z"), False),
        ('valid-before="20261201" ', ("2020-01-01T00:00:00Z", "2026-12-02T00:00:00Z"), False),
        ('valid-after="20261101" ', ("2020-01-01T00:00:00Z", NOW), False),
    ],
)
def test_what_the_line_of_a_signer_says_counts(repo, alice, options, times, counts):
    team = Team(repo, listed(alice, options=options))
    vouch(team.theirs, alice, at=times[0])
    team.bring()
    assert bool(team.trust(times[1]).vouched) == counts


FILE = ".github/allowed_signers"


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("alice@example.com {key}\n", True),
        ("# people\n\n*@example.com {key} alice\n", True),
        ("bob@example.com,alice@example.com {key}\n", True),
        ("alice@example.com {other}\n", False),
        ("", False),
        ("not a line\n", False),
    ],
)
def test_the_file_of_allowed_signers_is_the_bases(repo, alice, mallory, text, counts):
    policy = f'[review]\nallowed_signers = "{FILE}"\n'
    keys = {"key": alice.key.public, "other": mallory.key.public}
    repo.write(FILE, text.format(**keys))
    team = Team(repo, policy)
    vouch(team.theirs, alice)
    team.bring()
    team.mine.write(FILE, f"mallory {mallory.key.public}\nalice {alice.key.public}\n").commit("Change the signers")
    assert bool(team.trust().vouched) == counts


def test_with_no_signers_in_the_base_nobody_vouches(repo, alice):
    team = Team(repo, "")
    vouch(team.theirs, alice)
    team.bring()
    place = find_place(team.mine.root)
    assert not signers_of(place, find_policy(place)[0])
    assert team.trust().vouched == frozenset()


# CI


def by_ci(repo: Repo, signer: Signer | None, **changes) -> None:
    """Evidence that says CI ran it, in this clone's record."""
    desk = Desk(repo)
    evidence = msgspec.structs.replace(desk.check(), observed_by="ci", **changes)
    with opened(repo.home) as ledger:
        ledger.append(evidence, task=None, at=NOW, person_signer=signer)


def ci_key(signer: Signer) -> str:
    return f'[trust]\nci = ["{signer.key.public}"]\n'


def test_ci_evidence_counts_by_the_key_that_the_base_lists(repo, alice):
    team = Team(repo, ci_key(alice))
    by_ci(team.theirs, alice)
    team.bring()
    assert (team.stands().class_, team.stands().source) == ("VERIFIED", "CI")


@pytest.mark.parametrize("where", ["theirs", "mine"])
@pytest.mark.parametrize("how", ["unsigned", "another key", "key of the change's policy", "a reviewer's key"])
def test_what_only_says_that_it_is_ci(repo, alice, mallory, where, how):
    """In our own record too: that CI ran it is CI's to say."""
    team = Team(repo, ci_key(alice) + listed(mallory))
    clone = team.theirs if where == "theirs" else team.mine
    if how == "key of the change's policy":
        team.mine.write("passdown.toml", CHECK + ci_key(mallory)).commit("Trust me")
    by_ci(clone, None if how == "unsigned" else mallory)
    if where == "theirs":
        team.bring()
    stands = team.stands()
    assert stands.class_ == "OBSERVED"
    assert any("no CI key of the base's policy signed it" in warning for warning in stands.warnings)


def test_a_ci_key_vouches_for_no_runner_and_no_clone(repo, alice):
    team = Team(repo, ci_key(alice))
    team.theirs.passdown("check", "tests").check()
    vouch(team.theirs, alice)
    team.bring()
    assert team.stands().class_ == "OBSERVED"


def test_failed_evidence_of_another_clone_closes_nothing_here(repo):
    """An open failure closes with evidence that counts."""
    team = Team(repo, "")
    team.mine.write("src/state.txt", "bad\n")
    team.mine.passdown("check", "tests").check(1)
    team.mine.passdown("pack", "--goal", "make it good").check()
    place = find_place(team.mine.root)
    passed = evidence(check="tests", result="PASSED")
    with opened(place.home) as ledger:
        (task,) = fold(ledger.records())
        assert [item.check for item in fold(ledger.records())[task].items] == ["tests"]
    team.bring(to=team.theirs, source=team.mine)
    with opened(team.theirs.home) as ledger:
        ledger.append(passed, task=task, at="2026-12-30T12:00:00.000Z")
        writer = ledger.writer
    team.bring()
    with opened(place.home) as ledger:
        records = ledger.records()
        assert [item.check for item in fold(records)[task].items] == ["tests"]
        trust = Trust(own=ledger.writer, vouched=frozenset({writer}))
        assert fold(records, trust)[task].items == []


# which of several runs is shown


def again(repo, code=0):
    """One more run of the check in this clone."""
    repo.passdown("check", "tests").check(code)


def test_evidence_that_nobody_stands_behind_hides_no_failure_of_ours(repo):
    team = Team(repo, "")
    team.mine.write("src/state.txt", "bad\n")
    again(team.mine, 1)
    again(team.theirs)
    team.bring()
    stands = team.stands()
    assert (stands.result, stands.source) == ("FAILED", None)


def test_a_pass_on_another_machine_hides_no_pass_here(repo, alice, monkeypatch):
    team = Team(repo, ci_key(alice))
    again(team.mine)
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("NODE_ENV", "ci")
        by_ci(team.theirs, alice)
    team.bring()
    stands = team.stands()
    assert (stands.class_, stands.source) == ("VERIFIED", None)
    team.mine.write("src/state.txt", "good too\n")
    assert team.stands().class_ == "OBSERVED"


def test_a_failure_in_ci_on_this_code_is_shown(repo, alice, monkeypatch):
    team = Team(repo, ci_key(alice))
    again(team.mine)
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("NODE_ENV", "ci")
        by_ci(team.theirs, alice, result="FAILED", exit=1)
    team.bring()
    assert (team.stands().result, team.stands().source) == ("FAILED", "CI")


def test_another_clones_packet_closes_nothing_here(repo):
    """Its packet says that the check passed and the item is closed; nobody vouched for that clone."""
    team = Team(repo, "")
    team.mine.write("src/state.txt", "bad\n")
    again(team.mine, 1)
    team.mine.passdown("pack", "--goal", "make it good").check()
    team.bring(to=team.theirs, source=team.mine)
    with opened(team.theirs.home) as ledger:
        (packet,) = ledger.records(type="packet")
        passed = [msgspec.structs.replace(check, result="PASSED", exit=0) for check in packet.body.checks]
        closing = Closing(id="F1", text="x", because="tests passes", evidence=["tests"])
        body = msgspec.structs.replace(packet.body, checks=passed, items=[], closed=[closing])
        ledger.append(body, task=packet.task, at="2026-12-30T12:00:00.000Z")
        writer = ledger.writer
    team.bring()
    with opened(team.mine.home) as ledger:
        records = ledger.records()
        (task,) = fold(records).values()
        assert [item.id for item in task.items] == ["F1"]
        (task,) = fold(records, Trust(own=ledger.writer, vouched=frozenset({writer}))).values()
        assert task.items == []
