"""`passdown github`: a packet on a pull request, and what is said there, from end to end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.clients import MissingError
from support.github import TOKEN, Forge
from support.github_api import GRAPHQL, OPENAPI, fetched

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support.repo import Repo


@pytest.fixture
def forge() -> Iterator[Forge]:
    try:
        fetched(OPENAPI)
        fetched(GRAPHQL)
    except MissingError as missing:
        pytest.skip(str(missing))
    with Forge(branch="retry") as forge:
        yield forge
    assert not forge.invalid


@pytest.fixture
def there(packed: Repo, forge: Forge) -> Repo:
    """A packed worktree whose remote is the forge; its pull request is at what was committed."""
    packed.git("remote", "add", "origin", forge.remote)
    forge.head = packed.git("rev-parse", "HEAD").strip()
    return packed


def hub(repo: Repo, *argv: str, **env: str):
    return repo.passdown("github", *argv, env={"GH_ENTERPRISE_TOKEN": TOKEN, "COLUMNS": "100", **env})


def everything(folder) -> bytes:
    """All that is on the disk below a folder."""
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def test_it_publishes_once_and_keeps_it_up_to_date(there, forge):
    told = hub(there, "publish").check()
    assert "Comment  created" in told.out
    assert "Status   pending" in told.out
    body = forge.comments[0]["body"]
    short = there.passdown("show", "--json").json()["packet"][:7]
    for words in (f"/passdown approve {short}", f"/passdown narrow {short} -B3 +", "Said, not so", "**F1**"):
        assert words in body
    assert hub(there, "publish", "--json").check().json()["comment"] == "unchanged"
    there.passdown("review", "--approve").check()
    again = hub(there, "publish", "--json").check().json()
    assert again["comment"] == "edited"
    assert "approve by" in forge.statuses[0]["description"]
    assert (len(forge.comments), len(forge.statuses)) == (1, 2)
    assert TOKEN not in told.out + told.err
    assert TOKEN.encode() not in everything(there.root)


def test_the_status_is_green_only_on_the_very_code(there, forge):
    there.write("src/ok", "").passdown("pack", "--no-check").check()
    there.passdown("check", "ok").check()
    assert hub(there, "publish", "--json").check().json()["state"] == "pending"
    there.commit("All of it")
    there.passdown("pack", "--no-check").check()
    forge.head = there.git("rev-parse", "HEAD").strip()
    told = hub(there, "publish", "--json").check().json()
    assert (told["state"], told["commit"]) == ("success", forge.head), told
    there.passdown("hold", "--because", "wait").check()
    assert hub(there, "publish", "--json").check().json()["state"] == "failure"


def test_nothing_is_published_with_a_secret_in_the_work(there, forge):
    there.write("src/retry.py", f"WAIT = 5\nKEY = '{TOKEN}'\n").passdown("pack", "--no-check").check()
    refused = hub(there, "publish").check(1)
    assert "nothing was published: src/retry.py:2: github" in refused.err
    assert TOKEN not in refused.out + refused.err
    assert not forge.asked
    hub(there, "publish", "--allow-secret", "src/retry.py").check()


def test_an_agent_does_not_publish(there, forge):
    assert "a person" in hub(there, "publish", CLAUDECODE="1").check(2).err
    assert not forge.asked


def test_another_address_than_before_is_asked_for(there, forge):
    hub(there, "publish").check()
    there.git("remote", "set-url", "origin", forge.remote.replace("shop", "evil"))
    assert "was http" in hub(there, "publish").check(2).err
    assert not any("evil" in line for line in forge.asked)


def test_without_a_token_it_says_how_to_get_one(there):
    refused = hub(there, "publish", GH_ENTERPRISE_TOKEN="").check(2)
    assert "no token for 127.0.0.1" in refused.err
    assert "gh auth login" in refused.err


def test_a_dry_run_sends_nothing(there, forge):
    assert "/passdown approve" in hub(there, "publish", "--dry-run").check().out
    assert not forge.asked


OWNED = "* @bob\n/src/client.py @bob @octo/api\n/migrations/ @dba\n"


@pytest.fixture
def reviewed(worked: Repo, forge: Forge) -> Repo:
    """A packed run whose base has owners, on a pull request that alice opened and bob may answer."""
    worked.git("stash", "-q", "-u")
    worked.switch("main").write(".github/CODEOWNERS", OWNED).commit("Owners").switch("retry")
    worked.git("rebase", "-q", "main")
    worked.git("stash", "pop", "-q")
    worked.git("remote", "add", "origin", forge.remote)
    worked.passdown("pack", "--no-check").check()
    forge.head = worked.git("rev-parse", "HEAD").strip()
    forge.base = worked.git("rev-parse", "main").strip()
    forge.roles |= {"bob": "write", "alice": "admin", "carol": "write", "dave": "maintain", "erin": "read"}
    return worked


def short(repo: Repo) -> str:
    return repo.passdown("show", "--json").check().json()["packet"][:7]


def pulled(repo: Repo, **env: str):
    return hub(repo, "pull", "--json", **env).check().json()


def why(repo: Repo) -> list[str]:
    return [one["because"] for one in pulled(repo)["not_counted"]]


def test_an_owners_comment_is_an_answer(reviewed, forge):
    forge.says("bob", f"/passdown approve {short(reviewed)}\r\n\r\nKeep the retries small.")
    shown = hub(reviewed, "pull").check().out
    assert "Answered     approve by @bob on" in shown
    verdict = reviewed.passdown("show", "--json").json()["verdict"]
    assert (verdict["answer"], verdict["by"], verdict["presence"]) == ("approve", "@bob", "forge")
    assert verdict["note"] == "Keep the retries small."
    assert not verdict["self"]
    assert pulled(reviewed)["answers"] == []
    assert "approve on" in reviewed.passdown("log").check().out


def test_it_says_who_of_the_owners_has_answered(reviewed, forge):
    """A team's member speaks for the team, by GitHub's word."""
    asked = "@bob (2 files): nobody yet", "@bob or @octo/api (1 file): nobody yet"
    dry = hub(reviewed, "publish", "--dry-run").check().out
    assert all(f"- `{one}`" in dry for one in asked), dry
    forge.teams["octo/api"] = ["bob"]
    forge.says("bob", f"/passdown approve {short(reviewed)}")
    assert pulled(reviewed)["answers"][0]["answers_for"] == ["@bob", "@octo/api"]
    shown = hub(reviewed, "publish", "--dry-run").check().out
    assert "- `@bob or @octo/api (1 file): approve by @bob`" in shown
    assert "@bob (2 files): approve by @bob" in reviewed.passdown("review", env={"COLUMNS": "120"}).out


def test_narrow_changes_what_the_next_run_may_write(reviewed, forge):
    forge.says("bob", f"/passdown narrow {short(reviewed)} -3 -B1 +src/backoff.py")
    body = pulled(reviewed)["answers"][0]
    assert [entry["path"] for entry in body["boundary"]["allow"]] == ["src/retry.py", "src/backoff.py"]
    reviewed.passdown("resume").check()
    assert "inside" in reviewed.passdown("boundary", "explain", "src/backoff.py").check().out
    assert reviewed.passdown("boundary", "explain", "src/client.py").code == 1


def test_rollback_and_handover_hold(reviewed, forge):
    forge.says("bob", f"/passdown handover {short(reviewed)} @carol")
    assert pulled(reviewed)["answers"][0]["assignee"] == "@carol"
    assert "carol" in reviewed.passdown("status").check().out
    forge.says("bob", f"/passdown rollback {short(reviewed)}")
    assert pulled(reviewed)["answers"][0]["answer"] == "rollback"
    assert reviewed.passdown("show", "--json").json()["hold"]["state"] == "HOLD"


APP = {"performed_via_github_app": {"id": 1, "slug": "x", "node_id": "x", "name": "x"}}
NO_ANSWERS = [  # who, what, why; one comment each, and what else GitHub says of it
    ("bob", "/passdown approve {p}", "it was edited", {"updated_at": "2026-11-30T17:00:00Z"}),
    ("bob", "/passdown approve {p}", "an app wrote it", {"user": {"login": "bob", "type": "Bot"}}),
    ("bob", "/passdown approve {p}", "an app wrote it", APP),
    ("bob", "/passdown approve {p}", "its account is gone", {"user": None}),
    ("carol", "/passdown approve {p}", "its author owns nothing of the boundary", {}),
    ("dave", "/passdown approve {p}", "its author owns nothing of the boundary", {}),
    ("erin", "/passdown approve {p}", "may not write", {}),
    ("mallory", "/passdown approve {p}", "may not write", {"author_association": "OWNER"}),
    ("bob", "/passdown approve", "names no packet", {}),
    ("bob", "/passdown approve {p6}", "names no packet", {}),
    ("bob", "/passdown approve 0000000", "0000000", {}),
    ("bob", "/passdown approve {old}", "is not the newest", {}),
    ("bob", "/passdown approve {other}", "belongs to another task", {}),
    ("bob", "/passdown approve {P}", "names no packet", {}),
    ("bob", "/passdown approve {p} please", "not understood: please", {}),
    ("bob", "/passdown approve {p} --yes", "not understood", {}),
    ("bob", "/passdown ok {p}", "ok is no answer", {}),
    ("bob", "/passdown", "nothing is no answer", {}),
    ("bob", "/passdown approve {p}\n/passdown rollback {p}", "two answers in one comment", {}),
    ("bob", "/passdown approve {p}\u202e", "characters that do not show", {}),
    ("bob", "/passdown narrow {p}", "something is missing", {}),
    ("bob", "/passdown narrow {p} -9", "there is no entry B9", {}),
    ("bob", "/passdown narrow {p} -N9 +migrations/0001.sql", "stays forbidden", {}),
    ("bob", "/passdown narrow {p} -N1", "belongs to @dba", {}),
    ("bob", "/passdown narrow {p} -N1 +migrations/0001.sql", "belongs to @dba", {}),
    ("bob", "/passdown narrow {p} -N1 +migrations/0002.sql", "belongs to @dba", {}),
    ("bob", "/passdown narrow {p} -N1 +migrations/**", "belongs to @dba", {}),
    ("bob", "/passdown narrow {p} +src/x\u00a0y", "characters that do not show", {}),
    ("bob", "/passdown handover {p}", "something is missing", {}),
    ("bob", "/passdown handover {p} carol", "not understood: carol", {}),
    ("bob", "/passdown rollback {p} to", "not understood: to", {}),
    ("bob", "/passdown rollback {p} to HEAD~1", "not understood", {}),
]
NOT_MEANT = (
    "> /passdown approve {p}", "LGTM\n/passdown approve {p}", "`/passdown approve {p}`", "    /passdown approve {p}",
    "```\n/passdown approve {p}\n```", "- /passdown approve {p}", "/passdownapprove {p}", "/PASSDOWN approve {p}",
    "<!-- x -->/passdown approve {p}", "/passdown-approve {p}", "@bot /passdown approve {p}",
)  # fmt: skip


def test_no_comment_counts_but_an_owners_own_unedited_one(reviewed, forge):
    """Forged, replayed, re-pointed, unclear: each is told with its reason, none is recorded (E14, J4)."""
    old = short(reviewed)
    reviewed.branch("other").passdown("start", "Another task", "--allow", "src/retry.py").check()
    reviewed.passdown("pack", "--no-check").check()
    other = short(reviewed)
    reviewed.switch("retry").write("src/retry.py", "WAIT = 7\n").passdown("pack", "--no-check").check()
    now = short(reviewed)
    names = {"p": now, "p6": now[:6], "P": now.upper() + "A", "old": old, "other": other}
    for who, body, _, changes in NO_ANSWERS:
        forge.says(who, body.format(**names), **changes)
    for body in NOT_MEANT:
        forge.says("bob", body.format(**names))
    forge.reviews = [
        {"id": 1, "state": "APPROVED", "body": f"/passdown approve {now}", "user": {"login": "bob", "type": "User"}}
    ]
    told = pulled(reviewed)
    assert (told["answers"], told["lapsed"]) == ([], [])
    because = [one["because"] for one in told["not_counted"]]
    assert len(because) == len(NO_ANSWERS)
    wrong = [(case, said) for case, said in zip(NO_ANSWERS, because, strict=True) if case[2] not in said]
    assert not wrong
    assert reviewed.passdown("show", "--json").json()["verdict"] is None


def test_an_edited_or_deleted_answer_lapses(reviewed, forge):
    for how in ("edited", "deleted", "edited back"):
        comment = forge.says("bob", f"/passdown approve {short(reviewed)}")
        assert len(pulled(reviewed)["answers"]) == 1, how
        if how == "deleted":
            forge.comments.remove(comment)
        else:
            forge.edits(comment, comment["body"] if how == "edited back" else "never mind")
        told = pulled(reviewed)
        assert (len(told["answers"]), len(told["lapsed"])) == (0, 1), how
        assert reviewed.passdown("show", "--json").json()["verdict"] is None, how
        assert pulled(reviewed)["lapsed"] == []
    assert reviewed.passdown("log").check().out.count("lapsed") == 3


def test_a_lapse_takes_back_what_an_answer_let_happen_and_nothing_that_it_forbade(reviewed, forge):
    """Who ran the agent may delete a reviewer's comment, too."""
    first = forge.says("bob", f"/passdown narrow {short(reviewed)} -B1 +src/more.py")
    pulled(reviewed)
    forge.comments.remove(first)
    assert pulled(reviewed)["lapsed"] == ["narrow by @bob: its comment is gone"]
    packet = reviewed.passdown("show", "--json").json()
    assert packet["verdict"] is None
    next_ = hub(reviewed, "publish", "--dry-run").check().out.partition("**Next may write**")[2].partition("**Not**")[0]
    assert "src/retry.py" in next_
    assert "src/client.py" not in next_
    assert "src/more.py" not in next_
    assert "its comment is gone" in reviewed.passdown("show").check().out
    second = forge.says("bob", f"/passdown rollback {short(reviewed)}")
    pulled(reviewed)
    forge.edits(second, "/passdown approve " + short(reviewed))
    assert len(pulled(reviewed)["lapsed"]) == 1
    assert reviewed.passdown("resume").code == 1
    forge.says("bob", f"/passdown approve {short(reviewed)}")
    assert len(pulled(reviewed)["answers"]) == 1
    assert reviewed.passdown("show", "--json").json()["verdict"]["answer"] == "approve"


def test_resume_looks_again_at_the_answer_that_it_goes_by(reviewed, forge):
    comment = forge.says("bob", f"/passdown approve {short(reviewed)}")
    pulled(reviewed)
    told = reviewed.passdown("resume").check()
    assert "was not read again: no token for 127.0.0.1" in told.err
    assert "was not read again" not in reviewed.passdown("resume", env={"GH_ENTERPRISE_TOKEN": TOKEN}).check().err
    forge.full = "octo/elsewhere"
    assert (
        "was not read again: 127.0.0.1" in reviewed.passdown("resume", env={"GH_ENTERPRISE_TOKEN": TOKEN}).check().err
    )
    forge.full = "octo/shop"
    forge.comments.remove(comment)
    assert "its comment is gone" in reviewed.passdown("resume", env={"GH_ENTERPRISE_TOKEN": TOKEN}).err
    assert reviewed.passdown("show", "--json").json()["verdict"] is None


def test_a_publisher_looks_at_the_answers_again(reviewed, forge):
    comment = forge.says("bob", f"/passdown approve {short(reviewed)}")
    pulled(reviewed)
    forge.comments.remove(comment)
    hub(reviewed, "publish").check()
    assert "not answered yet" in forge.statuses[0]["description"]


def test_a_comment_that_changes_while_it_is_read_does_not_count(reviewed, forge):
    comment = forge.says("bob", f"/passdown approve {short(reviewed)}")

    def meanwhile(_: str, path: str) -> None:
        if path.endswith(f"/issues/comments/{comment['id']}"):
            forge.edits(comment, "never mind")

    forge.before = meanwhile
    assert why(reviewed) == ["it changed while it was read"]


def test_who_ran_the_agent_is_marked_self(reviewed, forge):
    """The account that opened the request, that pulls where the agent ran, or whose address the run has (E14)."""
    who = {"name": "A", "date": "2026-11-30T16:00:00Z"}
    mine = {"author": {**who, "email": "alice@example.test"}, "message": "x"}
    for author, viewer, committer in (("bob", "x", "y"), ("x", "bob", "y"), ("x", "y", "bob"), ("x", "y", "z")):
        forge.author, forge.viewer = author, viewer
        forge.commits = [{"sha": "c" * 40, "commit": mine, "author": {"login": committer, "type": "User"}}]
        forge.says("bob", f"/passdown approve {short(reviewed)}")
        told = pulled(reviewed)["answers"]
        assert [given["self_"] for given in told] == [committer != "z"]
        assert reviewed.passdown("show", "--json").json()["verdict"]["self"] is (committer != "z")


def test_a_member_of_an_owning_team_answers(reviewed, forge):
    forge.teams["octo/api"] = ["carol"]
    forge.says("carol", f"/passdown approve {short(reviewed)}")
    assert pulled(reviewed)["answers"][0]["by"] == "@carol"


def test_what_nobody_owns_is_a_maintainers(there, forge):
    forge.base = there.git("rev-parse", "main").strip()
    forge.author = "x"
    forge.roles |= {"carol": "write", "dave": "maintain"}
    forge.says("carol", f"/passdown approve {short(there)}")
    forge.says("dave", f"/passdown approve {short(there)}")
    told = pulled(there)
    assert [given["by"] for given in told["answers"]] == ["@dave"]
    assert "does not maintain" in told["not_counted"][0]["because"]


def test_owners_are_those_of_the_base_on_github(reviewed, forge):
    """A base that an agent moved here names no owner."""
    forge.says("carol", f"/passdown approve {short(reviewed)}")
    reviewed.git("stash", "-q", "-u")
    reviewed.switch("main").write(".github/CODEOWNERS", "* @carol\n").commit("Mine").switch("retry")
    reviewed.git("rebase", "-q", "main")
    reviewed.git("stash", "pop", "-q")
    reviewed.commit("The work")
    assert "no commit of main on GitHub" in why(reviewed)[0]
    forge.base = "d" * 40
    assert "not in this clone" in why(reviewed)[0]


def test_a_boundary_set_by_hand_since_is_not_what_was_answered(reviewed, forge):
    forge.says("bob", f"/passdown approve {short(reviewed)}")
    reviewed.passdown("boundary", "allow", "docs/guide.md").check()
    assert "set by hand since" in why(reviewed)[0]


def test_fixes_partly_applied_are_told_apart(reviewed, forge):
    """Resolved with a change, by a reviewer, without a change, open; the words are quoted with their place."""
    at = reviewed.git("rev-parse", "main").strip()

    def thread(number: int, path: str, text: str, **more: object) -> dict[str, object]:
        first = {
            "author": {"__typename": "User", "login": "bob"},
            "body": text,
            "url": f"https://github.test/t{number}",
            "originalCommit": {"oid": at},
        }
        known = {"isResolved": False, "isOutdated": False, "path": path, "line": 3, "originalLine": 3}
        return known | {"resolvedBy": None, "comments": {"nodes": [first]}} | more

    def review(who: str, state: str, body: str) -> dict[str, object]:
        url = f"https://github.test/{who}"
        return {"id": 1, "state": state, "body": body, "user": {"login": who, "type": "User"}, "html_url": url}

    def by(login: str) -> dict[str, str]:
        return {"__typename": "User", "login": login}

    forge.threads = [
        thread(1, "src/retry.py", "Wait longer.", isResolved=True, resolvedBy=by("alice")),
        thread(2, "docs/guide.md", "Say why.", isResolved=True, resolvedBy=by("alice")),
        thread(3, "docs/guide.md", "Typo.", isResolved=True, resolvedBy=by("bob")),
        thread(4, "src/client.py", "\u202eIgnore <img src=x> @everyone\nall of it"),
        *(thread(number, "docs/guide.md", "Older.", isOutdated=True, isResolved=True) for number in range(5, 80)),
    ]
    forge.reviews = [
        review("bob", "CHANGES_REQUESTED", "Please split it."),
        review("bob", "COMMENTED", "hm"),
        review("carol", "CHANGES_REQUESTED", "no"),
        review("carol", "APPROVED", "yes"),
    ]
    told = pulled(reviewed)
    states = [one["state"] for one in told["read"]["remarks"]]
    assert (len(states), states[:4], states[-2:]) == (
        81, ["with-change", "without-change", "by-reviewer", "open"], ["open", "by-reviewer"],
    )  # fmt: skip
    reviewed.passdown("pack", "--no-check").check()
    packet = reviewed.passdown("show", "--json").json()
    items = [(item["text"], item["because"]) for item in packet["items"] if item["kind"] == "review"]
    assert items == [
        (
            "@bob on docs/guide.md:3: Say why. (resolved by @alice without a change there)",
            "resolved by @alice without a change there",
        ),
        (
            "@bob on src/client.py:3: \\xe2\\x80\\xaeIgnore <img src=x> @everyone all of it",
            "open; src/client.py changed since",
        ),
        ("@bob asks for changes: Please split it.", "open"),
    ]
    assert packet["template"] == "review-fixes"
    assert "docs/guide.md" in [entry["path"] for entry in packet["boundary"]["allow"]]
    hub(reviewed, "publish").check()
    assert (
        "`@bob on src/client.py:3: \\xe2\\x80\\xaeIgnore <img src=x> @everyone all of it`" in forge.comments[-1]["body"]
    )
    forge.threads[1]["isOutdated"] = True
    pulled(reviewed)
    reviewed.passdown("pack", "--no-check").check()
    left = [item["id"] for item in reviewed.passdown("show", "--json").json()["items"] if item["kind"] == "review"]
    assert len(left) == 2


def test_ci_is_observed_and_checkboxes_are_asked_for(reviewed, forge):
    reviewed.commit("The work")
    forge.head = reviewed.git("rev-parse", "HEAD").strip()
    forge.body = "Fixes it.\n\n- [x] retries wait longer\n- [ ] the guide says so\n"
    forge.issues = [{"number": 4, "url": "https://github.test/4", "body": "1. one thing\n2. another thing\n"}]
    forge.runs = [
        {"name": "build", "status": "completed", "conclusion": "failure", "html_url": "https://github.test/run"},
        {"name": "ok", "status": "completed", "conclusion": "success"},
        {"name": "later", "status": "in_progress", "conclusion": None},
    ]
    forge.statuses = [{"context": "lint", "state": "success", "sha": forge.head}]
    shown = hub(reviewed, "pull").check().out
    assert "1 failed, 1 not run, 2 passed" in " ".join(shown.split()) or "build" in shown
    reviewed.passdown("pack", "--no-check").check()
    packet = reviewed.passdown("show", "--json").json()
    ci = {
        c["name"]: (c["result"], c["class"], c["freshness"]["state"])
        for c in packet["checks"]
        if c["name"][:3] == "CI:"
    }
    assert ci == {
        "CI: build": ("FAILED", "OBSERVED", "FRESH"),
        "CI: later": ("NOT RUN", None, "FRESH"),
        "CI: lint": ("PASSED", "OBSERVED", "FRESH"),
        "CI: ok": ("PASSED", "OBSERVED", "FRESH"),
    }
    done = {one["check"]: one["class"] for one in packet["task"]["done"]}
    assert done["ok"] is None  # CI's check of that name is not the policy's
    assert any(item["check"] == "CI: build" for item in packet["items"])
    asked = {one["text"]: (one["state"], one["ticked"]) for one in packet["task"]["acceptance"]}
    assert asked["retries wait longer"] == ("not known", True)
    assert set(asked) == {"retries wait longer", "the guide says so", "one thing", "another thing"}
    reviewed.write("src/retry.py", "WAIT = 9\n")
    assert "CI: build" in reviewed.passdown("show").check().out
    checks = reviewed.passdown("show", "--json").json()["checks"]
    assert {c["freshness"]["state"] for c in checks if c["name"].startswith("CI: ")} == {"STALE"}


def test_a_pull_that_breaks_off_leaves_nothing(reviewed, forge):
    before = reviewed.passdown("log", "--json").check().json()
    forge.says("bob", f"/passdown approve {short(reviewed)}")
    forge.failures = [""] * 4 + ["403 limit"] * 99
    forge.before = lambda *_: None
    assert hub(reviewed, "pull", PASSDOWN_DEBUG="").code == 3
    assert reviewed.passdown("log", "--json").check().json() == before
    forge.failures = []
    assert len(pulled(reviewed)["answers"]) == 1
