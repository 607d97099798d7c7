"""CI judges by a comment that it reads from GitHub itself; no record, no edited, deleted or foreign comment is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.clients import MissingError
from support.github import TOKEN, Forge
from support.github_api import GRAPHQL, OPENAPI, fetched

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support.repo import Repo

OWNED = "* @bob\n/migrations/ @dba\n"
TEAM = '[review]\nrequired = true\npresence = "forge"\nindependent = true\n'


@pytest.fixture
def forge() -> Iterator[Forge]:
    try:
        fetched(OPENAPI)
        fetched(GRAPHQL)
    except MissingError as missing:
        pytest.skip(str(missing))
    with Forge(branch="retry") as forge:
        forge.roles |= {"bob": "write", "carol": "write", "alice": "admin", "erin": "read"}
        yield forge
    assert not forge.invalid


class Job:
    """A packed run of alice's on a pull request, and the clone in which CI judges it: it has her record, and no key."""

    def __init__(self, mine: Repo, hub: Repo, forge: Forge) -> None:
        self.mine, self.hub, self.forge = mine, hub, forge
        mine.git("remote", "add", "origin", hub.root)
        mine.git("push", "-q", "origin", "main", "retry")
        self.digest = self.packed()
        self.clone = hub.clone("ci")
        self.clone.git("checkout", "-q", "--detach", "origin/retry")

    def packed(self) -> str:
        digest = self.mine.passdown("pack", "--no-check", "--json").check().json()["packet"]
        self.mine.passdown("sync", "--yes").check()
        return digest

    def after(self, path: str = "src/retry.py", text: str = "WAIT = 7\n") -> Job:
        """What is committed after the packet."""
        self.mine.write(path, text).commit("Second run").git("push", "-q", "origin", "retry")
        return self

    def verify(self, *more: str, **env: str):
        """What the job says."""
        self.clone.git("fetch", "-q", "origin")
        self.clone.passdown("sync", "--yes").check()
        self.forge.base = self.clone.git("rev-parse", "origin/main")
        self.forge.head = self.clone.git("rev-parse", "origin/retry")
        options = more or ("--pr", "7", "--remote", self.forge.remote)
        return self.clone.passdown(
            "verify", "origin/main..origin/retry", "--branch", "retry", *options,
            env={"GH_ENTERPRISE_TOKEN": TOKEN, "COLUMNS": "160", **env},
        )  # fmt: skip


@pytest.fixture
def job(worked: Repo, make_repo, forge: Forge) -> Job:
    worked.git("stash", "-q", "-u")
    policy = worked.switch("main").read("passdown.toml") + TEAM
    worked.write(".github/CODEOWNERS", OWNED).write("passdown.toml", policy).commit("Owners").switch("retry")
    worked.git("rebase", "-q", "main")
    worked.git("stash", "pop", "-q")
    worked.commit("First run")
    return Job(worked, make_repo("hub.git", bare=True), forge)


@pytest.mark.parametrize(
    ("path", "code", "says"), [("src/retry.py", 0, "HOLDS"), ("docs/guide.md", 1, "DOES NOT HOLD")]
)
def test_an_owners_comment_decides(job, forge, path, code, says):
    job.after(path)
    forge.says("bob", f"/passdown approve {job.digest[:16]}")
    told = job.verify()
    assert (told.code, told.out.split("   ")[0]) == (code, says), told.out + told.err
    assert f"by @bob's comment on GitHub: approve on packet {job.digest[:7]}" in told.out
    assert code == 0 or "docs/guide.md" in told.out
    assert TOKEN not in told.out + told.err


def test_narrowing_and_rolling_back_decide_too(job, forge):
    job.after("src/client.py", "def call():\n    return 3\n")
    forge.says("bob", f"/passdown narrow {job.digest} -B1")
    assert job.verify().code == 1
    forge.says("bob", f"/passdown rollback {job.digest}")
    told = job.verify()
    assert told.code == 1
    assert "@bob answered rollback" in told.out


EDITED = {"updated_at": "2026-11-30T17:00:00Z"}
BOT = {"user": {"login": "bob", "type": "Bot"}}
FORGED = [  # who, what, why it does not count
    ("bob", "/passdown approve {d16}", "it was edited", EDITED),
    ("bob", "/passdown approve {d16}", "an app wrote it", BOT),
    ("bob", "/passdown approve {d16}", "its account is gone", {"user": None}),
    ("carol", "/passdown approve {d16}", "owns nothing of the boundary", {}),
    ("erin", "/passdown approve {d16}", "may not write", {}),
    ("mallory", "/passdown approve {d16}", "may not write", {"author_association": "OWNER"}),
    ("bob", "/passdown approve {d7}", "names 7 digits of the packet; CI asks for 16", {}),
    ("bob", "/passdown approve {d15}", "names 15 digits", {}),
    ("bob", "/passdown approve {d15}x", "names no packet", {}),
    ("bob", "/passdown approve {old16}", "is not the newest of this work", {}),
    ("bob", "/passdown approve 0000000000000000", "is not the newest of this work", {}),
    ("bob", "/passdown narrow {d16} -N1 +migrations/0001.sql", "belongs to @dba", {}),
    ("bob", "/passdown narrow {d16} -B99", "there is no entry B99", {}),
    ("bob", "> /passdown approve {d16}", "nobody has answered", {}),
    ("bob", "Looks good: /passdown approve {d16}", "nobody has answered", {}),
]


def test_what_is_no_answer_decides_nothing(job, forge):
    old = job.digest
    job.after()
    job.mine.passdown("note", "step", "then the docs").check()
    new = job.packed()
    known = {"d16": new[:16], "d7": new[:7], "d15": new[:15], "old16": old[:16]}
    for who, body, says, changes in FORGED:
        forge.comments.clear()
        forge.says(who, body.format(**known), **changes)
        told = job.verify()
        assert told.code == 3, (body, told.out)
        assert says in told.out, (body, told.out)


def test_who_ran_the_agent_satisfies_no_required_review(job, forge):
    """The pull request's own author, although an owner: the answer is by who ran it."""
    forge.author = "bob"
    job.after()
    forge.says("bob", f"/passdown approve {job.digest[:16]}")
    told = job.verify()
    assert told.code == 3
    assert "the answer is by the person who ran the agent" in told.out


def test_a_record_of_a_comment_is_none(job, forge):
    """What a clone recorded of a comment travels and decides nothing; the comment itself was deleted."""
    job.after()
    job.mine.git("remote", "add", "forge", forge.remote)
    forge.head, forge.base = job.mine.git("rev-parse", "retry"), job.mine.git("rev-parse", "main")
    comment = forge.says("bob", f"/passdown approve {job.digest[:16]}")
    env = {"GH_ENTERPRISE_TOKEN": TOKEN}
    assert job.mine.passdown("github", "pull", "--remote", "forge", "--pr", "7", "--json", env=env).json()["answers"]
    job.mine.passdown("sync", "origin", "--yes").check()
    assert job.verify().code == 0
    forge.comments.remove(comment)
    told = job.verify()
    assert told.code == 3
    assert "is signed by somebody" in told.out
    assert job.verify("--json").code == 3  # and without asking GitHub it is none either


def test_who_deletes_or_edits_what_forbade_gains_nothing(job, forge):
    job.after()
    job.mine.git("remote", "add", "forge", forge.remote)
    forge.head, forge.base = job.mine.git("rev-parse", "retry"), job.mine.git("rev-parse", "main")
    forge.says("bob", f"/passdown approve {job.digest[:16]}")
    rollback = forge.says("bob", f"/passdown rollback {job.digest[:16]}")
    env = {"GH_ENTERPRISE_TOKEN": TOKEN}
    job.mine.passdown("github", "pull", "--remote", "forge", "--pr", "7", env=env).check()
    job.mine.passdown("sync", "origin", "--yes").check()
    assert job.verify().code == 1
    forge.edits(rollback, "/passdown rollback")
    assert "a later answer of @bob was edited" in (told := job.verify()).out, told.out
    assert told.code == 3
    forge.comments.remove(rollback)
    told = job.verify()
    assert (told.code, "its comment is gone" in told.out) == (3, True), told.out
    forge.says("bob", f"/passdown approve {job.digest[:16]}")  # its author answers anew
    assert job.verify().code == 0


def test_the_owners_are_those_of_the_base(job, forge):
    """J4: the change makes somebody an owner, and that counts for nothing."""
    job.after(".github/CODEOWNERS", "* @carol\n")
    forge.says("carol", f"/passdown approve {job.digest[:16]}")
    told = job.verify()
    assert told.code == 3
    assert "owns nothing of the boundary" in told.out


def test_a_base_that_is_none_of_the_pull_request_is_refused(job, forge):
    forge.says("bob", f"/passdown approve {job.digest[:16]}")
    job.after().verify()
    forge.base = "b" * 40
    argv = ("verify", "origin/main..origin/retry", "--branch", "retry", "--pr", "7", "--remote", forge.remote)
    told = job.clone.passdown(*argv, env={"GH_ENTERPRISE_TOKEN": TOKEN})
    assert told.code != 0
    assert "is not in this clone" in told.out + told.err


def test_the_lines_to_answer_with_name_as_much_as_ci_asks_for(job, forge):
    job.mine.git("remote", "add", "forge", forge.remote)
    shown = job.mine.passdown("github", "publish", "--dry-run").check().out
    assert f"/passdown approve {job.digest[:16]}\n" in shown


def test_a_lost_network_decides_nothing(job, forge):
    job.after()
    forge.says("bob", f"/passdown approve {job.digest[:16]}")
    assert job.verify("--pr", "7", "--remote", "https://127.0.0.1:1/octo/shop.git").code == 3


def test_a_token_is_not_handed_to_the_changes_own_checks(job):
    told = job.verify("--pr", "7", "--checks")
    assert told.code == 2
    assert "must not see one" in told.err
    assert job.clone.passdown("verify", "--pr", "7").code == 2
