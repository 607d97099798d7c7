"""``passdown attest``: two CI jobs, one that runs the change's code and one that holds the key; and vouching."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from passdown.checks.attest import read
from passdown.errors import PassdownError
from support.ledgers import store_git

POLICY = '[git]\nbase = "main"\n[checks.tests]\nrun = "sh run.sh"\n'
CI = {"CI": "1", "GITHUB_SERVER_URL": "https://git.example", "GITHUB_REPOSITORY": "a/b", "GITHUB_RUN_ID": "7"}


def make_key(path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "ci", "-f", str(path)], check=True)
    return " ".join(Path(f"{path}.pub").read_text().split()[:2])


@pytest.fixture
def key(tmp_path) -> Path:
    return tmp_path / "secrets/ci_key"


@pytest.fixture
def origin(repo, key):
    """The project: main with the policy that lists CI's key, and the change on a branch."""
    public = make_key(key)
    repo.write("run.sh", "grep -q good src/state.txt\n").write("src/state.txt", "good\n").write("uv.lock", "1\n")
    repo.write("passdown.toml", f'{POLICY}[trust]\nci = ["{public}"]\n').commit("Begin")
    return repo.branch("work").write("src/new.txt", "x\n").commit("Change")


def first_job(origin, name="one", **edits):
    """Runs the change's code in a clone of its own; what it uploads."""
    clone = origin.clone(name)
    for path, text in edits.items():
        clone.write(path, text)
    done = clone.passdown("check", "tests", "--json")
    file = clone.root.parent / f"{name}.json"
    file.write_text(done.out)
    return file


def second_job(origin, file, key, *options, env=None, name="two"):
    clone = origin.clone(name)
    options = options or ("--commit", origin.head, "--base", "origin/main")
    return clone, clone.passdown(
        "attest", str(file), *options, env={**CI, "PASSDOWN_CI_KEY": key.read_text(), **(env or {})}
    )


def bring(into, source):
    if not (into.home / "store.git").is_dir():
        into.passdown("rescue").check()
    store_git(
        into.home,
        "fetch",
        "-q",
        str(source.home / "store.git"),
        "+refs/passdown/log/*:refs/passdown-remote/origin/log/*",
    )


def test_two_jobs(origin, key):
    file = first_job(origin)
    ci, done = second_job(origin, file, key)
    assert done.check().out.startswith("signed       tests PASSED on ")
    person = origin.clone("person")
    bring(person, ci)
    (check,) = person.passdown("pack", "--dry-run", "--json").check().json()["checks"]
    assert (check["class"], check["observed_by"], check["source"]) == ("VERIFIED", "ci", "CI")


def test_an_empty_checkout_is_enough(origin, key):
    """As in docs/ci.md: nothing of the change lies on the disk of the job that holds the key."""
    file = first_job(origin)
    origin.git("symbolic-ref", "HEAD", "refs/heads/main")  # what a forge calls the default branch
    clone = origin.clone("two", "--no-checkout")
    clone.git("fetch", "-q", "origin", "work")
    options = ("--commit", json.loads(file.read_text())[0]["commit"], "--base", "origin/HEAD")
    clone.passdown("attest", str(file), *options, env={"PASSDOWN_CI_KEY": key.read_text()}).check()
    assert not clone.path("run.sh").exists()


@pytest.mark.parametrize("form", ["file", "windows line ends", "no last newline"])
def test_the_key_as_secret_stores_keep_it(origin, key, form):
    file = first_job(origin)
    text = key.read_text()
    if form == "file":
        clone = origin.clone("two")
        options = ("--commit", origin.head, "--base", "origin/main", "--key", str(key))
        clone.passdown("attest", str(file), *options).check()
        return
    changed = text.replace("\n", "\r\n") if form.startswith("windows") else text.strip()
    second_job(origin, file, key, env={"PASSDOWN_CI_KEY": changed})[1].check()


def forged(**changes):
    def change(evidence, _):
        return [{**evidence[0], **{k: v(evidence[0][k]) if callable(v) else v for k, v in changes.items()}}]

    return change


def another_commit(evidence, origin):
    origin.write("src/new.txt", "later\n").commit("Later")
    return evidence


OF_JOB_ONE = {
    "a failure called passed": (forged(result="PASSED", exit=1), "its result does not follow from its exit code"),
    "ended by a signal": (forged(exit=0, signal=9), "its result does not follow"),
    "inputs that changed": (forged(changed_inputs=["a"]), "its result does not follow"),
    "another command": (forged(argv=["/bin/sh", "-c", "true"]), "another command than the base's policy declares"),
    "a command for the same name": (forged(definition=lambda d: {**d, "run": "true"}), "another command than"),
    "an undeclared check": (forged(check="unit"), "the base's policy declares no check 'unit'"),
    "other inputs": (forged(inputs=lambda i: {**i, "digest": "0" * 64}), "its inputs are not the commit's"),
    "narrower inputs": (forged(inputs=lambda i: {**i, "tier": "declared"}), "its inputs are not the commit's"),
    "another definition": (forged(definition=lambda d: {**d, "digest": "0" * 64}), "its definition is not that"),
    "another commit": (forged(commit="0" * 40), "it ran on commit 000000000000"),
    "a later commit": (another_commit, "it ran on commit"),
    "no commit": (forged(commit=None), "it ran on commit none"),
    "an edited environment": (
        forged(environment=lambda e: {**e, "parts": {**e["parts"], "x": "y"}}),
        "environment's digest",
    ),
    "another lockfile": (
        forged(environment=lambda e: {**e, "parts": {n: v for n, v in e["parts"].items() if "lock" not in n}}),
        "other lockfiles than the commit's: lockfile uv.lock",
    ),
    "seen in a transcript": (forged(observed_by="transcript"), "not a run of Passdown's own runner"),
    "already called CI's": (forged(observed_by="ci"), "not a run of Passdown's own runner"),
    "tomorrow": (forged(started="2099-01-01T00:00:00Z"), "its time lies in the future"),
    "in another folder": (forged(cwd="sub"), "another command than"),
}


@pytest.mark.parametrize(("change", "because"), OF_JOB_ONE.values(), ids=OF_JOB_ONE)
def test_what_the_second_job_does_not_sign(origin, key, change, because):
    commit = origin.head
    file = first_job(origin)
    file.write_text(json.dumps(change(json.loads(file.read_text()), origin)))
    at = origin.head if change is another_commit else commit
    ci, done = second_job(origin, file, key, "--commit", at, "--base", "origin/main", "--json")
    answer = done.check(1).json()
    assert answer["attested"] == []
    assert any(because in line for line in answer["refused"][0]["because"]), answer
    assert not (ci.home / "store.git").exists()


@pytest.mark.parametrize(
    "edits",
    [{"src/state.txt": "good, here\n"}, {"run.sh": "true\n"}, {"new_file.txt": "x\n"}],
    ids=["an input", "the definition", "a file that no commit has"],
)
def test_what_the_first_job_ran_must_be_the_commit(origin, key, edits):
    file = first_job(origin, **edits)
    second_job(origin, file, key)[1].check(1)


def test_a_failure_is_signed_as_one(origin, key):
    origin.write("src/state.txt", "bad\n").commit("Break it")
    ci, done = second_job(origin, first_job(origin), key)
    assert "signed       tests FAILED" in done.check().out
    person = origin.clone("person")
    bring(person, ci)
    (check,) = person.passdown("pack", "--dry-run", "--json").check().json()["checks"]
    assert (check["result"], check["class"]) == ("FAILED", "OBSERVED")


def test_a_definition_that_the_change_wrote_counts_where_a_person_accepts_it(origin, key):
    origin.write("run.sh", "exit 0\n").commit("Quicker tests")
    ci, done = second_job(origin, first_job(origin), key)
    assert "counts where a person accepts it: run.sh differs from the base" in done.check().out
    person = origin.clone("person")
    bring(person, ci)
    (check,) = person.passdown("pack", "--dry-run", "--json").check().json()["checks"]
    assert check["class"] == "OBSERVED"


def test_the_changes_own_policy_lists_no_key(origin, tmp_path):
    mine = tmp_path / "mine"
    public = make_key(mine)
    origin.write("passdown.toml", f'{POLICY}[trust]\nci = ["{public}"]\n').commit("Let me sign")
    file = first_job(origin)
    done = second_job(origin, file, mine)[1].check(2)
    assert "the base's policy does not list this key" in done.err
    assert f'ci = ["{public}"]' in done.err


def test_the_change_is_no_base_of_its_own(origin, key):
    """On the branch itself nothing tells what the change goes into: it would judge itself."""
    origin.switch("main")
    file = first_job(origin)
    done = second_job(origin, file, key, "--commit", origin.head)[1]
    assert done.code in {2, 3}
    assert "the change would judge itself" in done.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no evidence"),
        ("[]", "the list is empty"),
        ("{}", "no evidence"),
        ("[1]", "no evidence"),
        ("[" * 9999, "no evidence"),
    ],
)
def test_what_is_no_evidence(origin, key, text, said):
    file = origin.root.parent / "x.json"
    file.write_text(text)
    done = second_job(origin, file, key)[1].check(2)
    assert said in done.err


@pytest.mark.parametrize(
    ("env", "said"),
    [({"PASSDOWN_CI_KEY": ""}, "no CI key"), ({"PASSDOWN_CI_KEY": "nonsense"}, "is no private SSH key")],
)
def test_no_usable_key(origin, key, env, said):
    done = second_job(origin, first_job(origin), key, env=env)[1].check(2)
    assert said in done.err


def test_an_agent_attests_nothing(origin, key):
    done = second_job(origin, first_job(origin), key, env={"CLAUDECODE": "1"})[1].check(2)
    assert "is a person's decision" in done.err


def test_the_key_never_reaches_what_a_check_runs(origin):
    origin.switch("main").write(
        "passdown.toml", '[checks.tests]\nrun = "test -z \\"$PASSDOWN_CI_KEY\\""\nenv = ["PASSDOWN_CI_KEY"]\n'
    )
    origin.commit("Look for the key")
    origin.passdown("check", "tests", env={"PASSDOWN_CI_KEY": "secret"}).check()


def test_the_second_job_runs_nothing_of_the_repository(origin, key):
    """Neither a hook, nor a filter, nor the check itself."""
    file = first_job(origin)
    clone = origin.clone("two")
    trap = "touch ../trap"
    clone.write("run.sh", trap)
    for name in ("post-checkout", "pre-commit", "post-index-change"):
        clone.write(f".git/hooks/{name}", f"#!/bin/sh\n{trap}\n", mode=0o755)
    clone.git("config", "filter.x.clean", trap)
    clone.git("config", "core.fsmonitor", trap)
    clone.write(".gitattributes", "* filter=x\n")
    options = ("--commit", origin.head, "--base", "origin/main", "--key", str(key))
    clone.passdown("attest", str(file), *options).check()
    assert not (clone.root.parent / "trap").exists()


# vouching


@pytest.fixture
def team(repo, scratch_home):
    public = make_key(scratch_home / ".ssh/id_ed25519")
    repo.write("passdown.toml", f'{POLICY}[review]\nsigners = ["@alice {public}"]\n').write("run.sh", "true\n").commit()
    return repo


def test_a_person_vouches_for_a_clone(team):
    mine, theirs = team.clone("mine").branch("work"), team.clone("theirs").branch("work")
    theirs.passdown("check", "tests").check()
    said = theirs.passdown("attest", "--writer", "--because", "my laptop").check().out
    assert said.startswith("Vouched for: writer ")
    assert "signed as @alice" in said
    bring(mine, theirs)
    rows = mine.passdown("attest", "--list", "--json").check().json()["writers"]
    assert {(row["here"], row["believed"], row["vouched_by"]) for row in rows} == {
        (True, True, None),
        (False, True, "@alice"),
    }
    (check,) = mine.passdown("pack", "--dry-run", "--json").check().json()["checks"]
    assert check["class"] == "VERIFIED"
    writer = next(row["writer"] for row in rows if not row["here"])
    mine.passdown("attest", "--writer", writer[:8], "--withdraw", "--because", "lost").check()
    (check,) = mine.passdown("pack", "--dry-run", "--json").check().json()["checks"]
    assert check["class"] == "OBSERVED"
    assert f"other-writer: writer {writer[:12]}" in check["warnings"]
    assert "never to be believed again" in mine.passdown("log").check().out


def test_who_cannot_vouch(team, scratch_home):
    clone = team.clone("mine").branch("work")
    assert "is a person's decision" in clone.passdown("attest", "--writer", env={"CLAUDECODE": "1"}).check(2).err
    (scratch_home / ".ssh/id_ed25519").rename(scratch_home / "old")
    (scratch_home / ".ssh/id_ed25519.pub").unlink()
    assert "vouching needs your SSH key" in clone.passdown("attest", "--writer").check(2).err
    public = make_key(scratch_home / ".ssh/id_ed25519")
    done = clone.passdown("attest", "--writer").check(2)
    assert "is not among" in done.err
    assert public in done.err
    assert "no writer 0000" in clone.passdown("attest", "--writer", "0000").check(2).err


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\xff\xfe", "not one JSON document"),
        (b"[1]", "record 1 is no evidence"),
        (b'[{"check": 3}]', "`check` of record 1 is no such value"),
        (b'{"check": "a"}', "record 1 has no `definition`"),
        (b'[{"check": "a", "definition": {"name": 1}}]', "`definition.name` of record 1 is no such value"),
    ],
)
def test_a_bad_file_is_told_by_record_and_field(data, says):
    with pytest.raises(PassdownError, match=re.escape(f"no evidence: {says}")):
        read(data)
