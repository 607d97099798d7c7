"""A code owner answers in their own clone: it counts where the base lists their key, and no forgery does (E14, J4)."""

from __future__ import annotations

import base64
import subprocess
from pathlib import Path

import msgspec
import pytest

from passdown.checks.policy import base_policy
from passdown.checks.trust import trust_of
from passdown.ledger.person import PersonSignature
from passdown.model.event import Lifted, Resumed, Verdict
from passdown.model.packet import Packet
from passdown.rules.fold import fold
from passdown.store import open_ledger
from passdown.workspace.place import find_place

NOW = "2027-01-01T00:00:00Z"


def person(name: str) -> dict[str, str]:
    email = f"{name}@example.test"
    return {
        "GIT_AUTHOR_NAME": name, "GIT_AUTHOR_EMAIL": email, "GIT_COMMITTER_NAME": name, "GIT_COMMITTER_EMAIL": email,
    }  # fmt: skip


def make_key(folder: Path, name: str) -> str:
    """An SSH key pair in ``folder``; the public line."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "id_ed25519"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(path)], check=True)
    return path.with_suffix(".pub").read_text().rsplit(" ", 1)[0]


class Team:
    """Alice's clone with the packet, Bob's whose key the base lists, Mallory's who can push; one hub."""

    def __init__(self, make_repo, sessions, tmp_path, signers: str) -> None:
        self.homes = {name: tmp_path / "homes" / name for name in ("bob", "mallory", "carol")}
        keys = {name: make_key(home / ".ssh", name) for name, home in self.homes.items()}
        self.hub = make_repo("hub.git", bare=True)
        self.alice = make_repo("alice").write("src/retry.py", "WAIT = 3\n").write("CODEOWNERS", "src/ @bob\n")
        policy = 'mode = "team"\nresume_owner = "@alice"\n[git]\nbase = "main"\n[review]\n'
        self.alice.write("passdown.toml", policy + signers.format(**keys)).commit("Project")
        self.alice.git("remote", "add", "origin", self.hub.root)
        self.alice.git("push", "-q", "-u", "origin", "main")
        self.bob, self.mallory = self.hub.clone("bob"), self.hub.clone("mallory")
        self.alice.branch("retry").git("push", "-q", "-u", "origin", "retry")
        session = sessions.claude(self.alice.root, branch="retry").user("make the wait longer")
        session.edit("src/retry.py", "WAIT = 3", "WAIT = 5").say("Done.").save()
        packet = self.alice.passdown("pack", "--no-check", "--json", env=person("alice")).check().json()
        self.packet = packet["packet"]
        self.alice.passdown("sync").check()

    def answers(self, name: str, *options: str):
        """A person's answer in their clone, sent to the hub."""
        repo = getattr(self, name)
        env = {**person(name), "HOME": str(self.homes[name])}
        repo.git("fetch", "-q", "origin")
        repo.passdown("sync").check()
        result = repo.passdown("review", self.packet, *(options or ("--approve",)), env=env).check()
        repo.passdown("sync").check()
        self.alice.passdown("sync").check()
        return result

    def held(self, code: int) -> list[str]:
        document = self.alice.passdown("resume", "--no-check", "--json").check(code).json()
        return [reason["code"] for reason in document["hold"]["reasons"] if reason["level"] == "hold"]


LISTED = 'signers = ["@bob {bob}"]\n'


@pytest.fixture
def team(make_repo, sessions, tmp_path) -> Team:
    return Team(make_repo, sessions, tmp_path, LISTED)


def test_an_answer_signed_by_a_listed_person_arms_the_next_run(team):
    assert team.held(1) == ["review-missing"]
    team.answers("bob", "--narrow", "-src/secret/**", "--note", "keep it small")
    shown = team.alice.passdown("show", "--json").check().json()
    assert (shown["verdict"]["by"], shown["verdict"]["answer"], shown["verdict"]["self"]) == ("@bob", "narrow", False)
    assert "keep it small" in team.alice.passdown("show", "--brief").check().out
    resumed = team.alice.passdown("resume", "--no-check", "--json").check().json()
    assert "src/secret/**" in [entry["path"] for entry in resumed["boundary"]["deny"]]
    team.alice.write("src/secret/key.py", "x\n")
    assert team.alice.passdown("verify").check(1).out


def test_one_whom_the_base_does_not_list_is_nobody(team):
    team.answers("mallory")
    assert team.alice.passdown("show", "--json").check().json()["verdict"] is None
    assert team.held(1) == ["review-missing"]


def test_here_too_the_key_must_be_a_listed_one(team):
    """Somebody else at this clone, with a key that the base does not list: seen, and not enough."""
    env = {**person("carol"), "HOME": str(team.homes["carol"])}
    team.alice.passdown("review", "--approve", env=env).check()
    assert team.held(1) == ["review-missing"]
    assert "nobody whom the base's policy lists" in team.alice.passdown("resume", "--no-check").check(1).out


def test_the_stricter_of_two_answers_holds_until_its_reviewer_answers_anew(make_repo, sessions, tmp_path):
    team = Team(make_repo, sessions, tmp_path, 'signers = ["@bob {bob}", "@mallory {mallory}"]\n')
    team.answers("bob")
    team.answers("mallory", "--rollback")
    assert team.held(1) == ["rollback-pending"]
    team.answers("bob", "--approve")
    assert team.held(1) == ["rollback-pending"]
    team.answers("mallory", "--approve")
    assert team.held(0) == []


class By:
    """Signs with a key of ours, changed by ``bend``."""

    because = ""

    def __init__(
        self, home: Path, bend=lambda pae: pae, namespace: str = "passdown", pretend: str | None = None
    ) -> None:
        self.key, self.bend, self.namespace, self.pretend = home / ".ssh/id_ed25519", bend, namespace, pretend

    def sign(self, pae: bytes) -> PersonSignature:
        argv = ["ssh-keygen", "-Y", "sign", "-n", self.namespace, "-f", str(self.key)]
        done = subprocess.run(argv, input=self.bend(pae), capture_output=True, check=True)
        listed = subprocess.run(["ssh-keygen", "-lf", str(self.key)], capture_output=True, text=True, check=True)
        return PersonSignature(self.pretend or listed.stdout.split()[1], done.stdout.decode())


class Again:
    """A signature of Bob's that stands under another statement, put under this one."""

    because = ""

    def __init__(self, signature: PersonSignature) -> None:
        self.signature = signature

    def sign(self, _pae: bytes) -> PersonSignature:
        return self.signature


def forgeries(team: Team, given: Verdict, real: PersonSignature) -> dict[str, tuple[object, object]]:
    """What Mallory records: (body, signer) by what it tries."""
    mallory, bob = team.homes["mallory"], team.homes["bob"]
    change = msgspec.structs.replace
    wide = change(given.boundary, allow=[change(given.boundary.allow[0], path="**")], version=9).sealed()
    fingerprint = real.fingerprint
    bodies = {
        "as it was": given,
        "another answer": change(given, answer="narrow"),
        "a wider boundary": change(given, boundary=wide, boundary_digest=wide.digest),
        "a wider boundary under the old digest": change(given, boundary=wide),
        "another packet": change(given, packet="f" * 64),
        "another task": change(given, task="other"),
        "the owner's name": change(given, by="@bob"),
        "the owner's address": change(given, by="bob@example.test"),
        "more presence": change(given, presence="fido"),
        "a forge's presence": change(given, presence="forge"),
        "not self": change(given, self_=False, by="@bob"),
        "accepted strays": change(given, accepted=["migrations/0001.sql"]),
        "accepted tests": change(given, tests_accepted=["0" * 64]),
        "a waiver": change(given, waived={"F1": "no"}),
        "an owner more": change(given, owners=["@mallory"]),
        "another base": change(given, base="0" * 40),
    }
    made: dict[str, tuple[object, object]] = {}
    for name, body in bodies.items():
        made[f"{name}, unsigned"] = (body, None)
        made[f"{name}, by an unlisted key"] = (body, By(mallory))
        if name != "as it was":
            made[f"{name}, under a signature of another answer"] = (body, Again(real))
    made["an unlisted key under the listed one's name"] = (given, By(mallory, pretend=fingerprint))
    made["the listed key for another namespace"] = (given, By(bob, namespace="git"))
    made["the listed key over other bytes"] = (given, By(bob, bend=lambda pae: pae + b" "))
    made["the listed key over nothing"] = (given, By(bob, bend=lambda _: b""))
    made["a lift"] = (Lifted(task=given.task, because="go on", by="@bob"), By(mallory))
    return made


def test_no_forgery_is_an_answer(team):
    team.answers("bob")
    place = find_place(team.alice.root)
    with_bob = open_ledger(place.home)
    (genuine,) = with_bob.records(type="verdict")
    signed = with_bob.envelopes([genuine.id])[genuine.id]
    document = msgspec.json.decode(signed)
    listed = [s for s in document["signatures"] if s["keyid"].startswith("SHA256:")]
    real = PersonSignature(listed[0]["keyid"], base64.b64decode(listed[0]["sig"]).decode())
    with_bob.close()

    ledger = open_ledger(find_place(team.mallory.root).home)
    forged = {}
    for name, (body, signer) in forgeries(team, genuine.body, real).items():
        forged[ledger.append(body, task=body.task, at=NOW, person_signer=signer)] = name
    boundary = msgspec.structs.replace(genuine.body.boundary, version=20).sealed()
    armed = Resumed(
        task=genuine.body.task, packet=team.packet, run="r", boundary=boundary, worktree_id=place.worktree_id,
        branch="retry", tree="", head=None,
    )  # fmt: skip
    forged[ledger.append(armed, task=armed.task, at=NOW, person_signer=By(team.homes["bob"]))] = "a resume of ours"
    ledger.flush()
    ledger.close()
    assert len(forged) >= 40
    team.mallory.passdown("sync").check()
    team.alice.passdown("sync").check()

    place = find_place(team.alice.root)
    record = open_ledger(place.home)
    policy = base_policy(place, team.alice.git("rev-parse", "main"))
    tasks = fold(record.records(), trust_of(place, policy, record, NOW))
    (task,) = [task for task in tasks.values() if any(p.id == team.packet for p in task.packets)]
    assert {r.id for r in record.records()} >= set(forged), "they did arrive"
    taken = {stated.id for stated in (*task.verdicts, *task.lifts, *task.resumes)} & set(forged)
    assert [forged[name] for name in taken] == []
    assert [stated.id for stated in task.verdicts] == [genuine.id]
    assert isinstance(task.latest.body, Packet)
    record.close()


@pytest.mark.parametrize(
    ("signers", "counts"),
    [
        ('signers = ["@bob valid-before=\\"20200101\\" {bob}"]\n', False),
        ('signers = ["@bob namespaces=\\"git\\" {bob}"]\n', False),
        ('signers = ["@bob {carol}"]\n', False),
        (LISTED, True),
    ],
    ids=["ran out", "for another use", "another's key under his name", "listed"],
)
def test_a_key_counts_as_the_base_lists_it(make_repo, sessions, tmp_path, signers, counts):
    team = Team(make_repo, sessions, tmp_path, signers)
    team.answers("bob")
    verdict = team.alice.passdown("show", "--json").check().json()["verdict"]
    assert (verdict is not None) == counts


def says(team: Team, name: str, **changed) -> None:
    """A listed person's answer as a bent client of theirs signs and sends it."""
    repo, home = getattr(team, name), team.homes[name]
    repo.git("fetch", "-q", "origin")
    repo.passdown("sync").check()
    ledger = open_ledger(find_place(repo.root).home)
    given = ledger.records(type="verdict")[0].body
    body = msgspec.structs.replace(given, **changed)
    ledger.append(body, task=body.task, at=NOW, person_signer=By(home))
    ledger.flush()
    ledger.close()
    repo.passdown("sync").check()
    team.alice.passdown("sync").check()


def judged_in_ci(team: Team):
    """The commit of the run, as CI meets it."""
    team.alice.git("add", "src/retry.py")
    team.alice.git("commit", "-q", "-m", "Wait longer")
    team.alice.git("push", "-q", "origin", "retry")
    ci = team.hub.clone("ci")
    ci.passdown("sync").check()
    return ci.passdown("verify", "origin/main..origin/retry", "--branch", "retry")


def test_presence_is_by_the_key_that_signed_not_by_what_the_answer_says(make_repo, sessions, tmp_path):
    team = Team(make_repo, sessions, tmp_path, 'presence = "fido"\n' + LISTED)
    team.answers("bob")
    says(team, "bob", presence="fido")
    assert team.held(1) == ["review-missing"]
    done = judged_in_ci(team)
    assert "answered with no sign of a person; a hardware key is asked for" in done.check(3).out


def test_in_ci_too_an_answer_is_by_who_signed_it(make_repo, sessions, tmp_path):
    """Nobody's rollback is taken back by another who is listed and says the same name."""
    team = Team(make_repo, sessions, tmp_path, 'signers = ["@bob {bob}", "@mallory {mallory}"]\n')
    team.answers("bob", "--rollback")
    says(team, "mallory", answer="approve", by="@bob")
    assert team.held(1) == ["rollback-pending"]
    assert "@bob answered rollback" in judged_in_ci(team).check(1).out
