"""`passdown sync`: records between clones through a git remote, by the person's git settings and never by force."""

from __future__ import annotations

import http.server
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from support.kernel import know
from support.process import PASSDOWN, TIMEOUT, environment, until
from support.repo import Repo

LOG = "refs/passdown/log/"


@pytest.fixture
def hub(make_repo: Callable[..., Repo]) -> Repo:
    return make_repo("hub.git", bare=True)


@pytest.fixture
def alice(make_repo: Callable[..., Repo], hub: Repo) -> Repo:
    repo = make_repo("alice").write("src/a.py", "x = 1\n").commit("Begin")
    repo.git("remote", "add", "origin", hub.root)
    repo.git("push", "-q", "-u", "origin", "main")
    repo.passdown("start", "make it work", "--allow", "src/**").check()
    return repo


@pytest.fixture
def bob(alice: Repo, hub: Repo) -> Repo:
    assert alice.git("rev-parse", "origin/main")
    return hub.clone("bob")


def chains(repo: Repo) -> dict[str, str]:
    lines = repo.git("for-each-ref", "--format=%(refname) %(objectname)", LOG).splitlines()
    return dict(line.split(" ") for line in lines)


def store(repo: Repo) -> Repo:
    return Repo(repo.path(".git/passdown/store.git"))


def test_two_clones_see_each_other_and_nothing_else_changes(alice: Repo, bob: Repo, hub: Repo):
    before = [repo.git("for-each-ref") for repo in (alice, bob)], hub.git("for-each-ref", "refs/heads")
    assert alice.passdown("sync", "--json").check().json()["sent"] == 1
    got = bob.passdown("sync", "--json").check().json()["got"]
    assert [each["type"] for each in got] == ["task-opened"]
    bob.passdown("note", "carry on", "--task", got[0]["task"])
    bob.passdown("start", "another").check()
    bob.passdown("sync").check()
    assert "1 record of 1 clone: 1 start" in alice.passdown("sync").check().out
    assert ([repo.git("for-each-ref") for repo in (alice, bob)], hub.git("for-each-ref", "refs/heads")) == before
    assert "passdown" not in alice.git("log", "--all", "--format=%an %D")
    assert all(
        name.startswith("refs/passdown/log/")
        for name in hub.git("for-each-ref", "--format=%(refname)").splitlines()
        if "heads" not in name
    )
    again = alice.passdown("sync", "--json").check().json()
    assert (again["sent"], again["got"]) == (0, [])


def test_a_dry_run_sends_and_fetches_nothing(alice: Repo, bob: Repo, hub: Repo):
    assert alice.passdown("sync", "--dry-run", "--json").check().json()["sent"] == 1
    assert chains(hub) == {}
    alice.passdown("sync").check()
    assert bob.passdown("sync", "--dry-run", "--json").check().json()["chains"] == 1
    assert not store(bob).git("for-each-ref")


def test_three_at_once_in_each_of_two_clones(alice: Repo, bob: Repo, hub: Repo):
    bob.passdown("start", "another").check()
    running = [
        subprocess.Popen([PASSDOWN, "sync"], cwd=repo.root, stdout=subprocess.DEVNULL, env=environment({}))
        for repo in (alice, bob, alice, bob, alice, bob)
    ]
    assert [process.wait(TIMEOUT) for process in running] == [0] * 6
    for repo in (alice, bob):
        repo.passdown("sync").check()
    assert len(chains(hub)) == 2
    assert alice.passdown("log", "--verify").check()


@pytest.mark.parametrize("after", [0.1, 0.25, 0.4, 0.6])
def test_killed_in_the_middle_the_next_one_goes_on(alice: Repo, bob: Repo, after: float):
    alice.passdown("sync").check()
    process = subprocess.Popen([PASSDOWN, "sync"], cwd=bob.root, start_new_session=True, env=environment({}))
    time.sleep(after)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    until(lambda: not know(bob.root))  # its git may live on a moment
    bob.passdown("sync").check()
    assert "make it work" in bob.passdown("log").out
    assert list(bob.path(".git/passdown").glob("exchange-*")) == []


def test_a_remote_that_refuses_the_namespace(alice: Repo, hub: Repo):
    hub.git("config", "transfer.hideRefs", "refs/passdown")
    result = alice.passdown("sync").check(3)
    assert "the remote refuses refs/passdown/: [remote rejected] (deny updating a hidden ref)" in result.out
    assert chains(hub) == {}
    assert alice.passdown("sync", "--json").check(3).json()["refused"]


def test_a_remote_that_cannot_be_written_or_reached(alice: Repo, hub: Repo, tmp_path: Path):
    shutil.move(hub.root, tmp_path / "away.git")
    said = alice.passdown("sync").check(3).err
    assert "there is no repository at" in said
    alice.git("remote", "set-url", "origin", "https://u:hunter22@localhost:9/x.git?private_token=abc")
    said = alice.passdown("sync", "--yes", "--json").check(3).out
    assert "cannot be reached" in said
    assert not [secret for secret in ("hunter22", "private_token") if secret in said]
    kept = b"".join(path.read_bytes() for path in alice.path(".git/passdown").rglob("*") if path.is_file())
    assert b"hunter22" not in kept


def test_an_address_that_changed_is_asked_for(alice: Repo, hub: Repo, make_repo: Callable[..., Repo]):
    alice.passdown("sync").check()
    other = make_repo("other.git", bare=True)
    alice.git("remote", "set-url", "origin", other.root)
    result = alice.passdown("sync").check(2)
    assert str(hub.root) in result.err
    assert "passdown sync --yes" in result.err
    agent = {"CLAUDECODE": "1"}
    assert "a person" in alice.passdown("sync", "--yes", env=agent).check(2).err
    assert chains(other) == {}
    alice.passdown("sync", "--yes").check()
    alice.passdown("note", "x", env=agent).check()
    alice.passdown("sync", env=agent).check()
    assert len(chains(other)) == 1


def test_an_agent_begins_with_no_new_address(alice: Repo, hub: Repo):
    alice.passdown("sync", env={"CODEX_CI": "1"}).check(2)
    assert chains(hub) == {}


def test_no_setting_of_the_repository_runs_a_command(alice: Repo, hub: Repo, tmp_path: Path):
    run = tmp_path / "run"
    script = tmp_path / "evil"
    script.write_text(f"#!/bin/sh\ntouch {run}\nexit 1\n")
    script.chmod(0o755)
    for key, value in {
        "core.sshCommand": script,
        "credential.helper": f"!{script}",
        "core.askPass": script,
        "core.gitProxy": script,
        "core.hooksPath": tmp_path,
        "remote.origin.uploadpack": script,
        "remote.origin.receivepack": script,
        "remote.origin.vcs": "ext",
        "protocol.ext.allow": "always",
        "core.fsmonitor": script,
        f"url.ext::{script}.insteadOf": str(hub.root),
    }.items():
        alice.git("config", key, value)
    for name in ("pre-push", "reference-transaction"):
        shutil.copy(script, tmp_path / name)
        shutil.copy(script, alice.path(".git/hooks") / name)
    alice.passdown("sync", env={"GIT_ALLOW_PROTOCOL": None}).check()
    assert len(chains(hub)) == 1
    for address in (f"ext::{script}", "ssh://localhost:1/x", "https://localhost:9/x", "git://localhost:9/x"):
        alice.git("config", "remote.origin.url", address)
        said = alice.passdown("sync", "--yes", env={"GIT_ALLOW_PROTOCOL": None}).check(3).err
        assert "core.sshcommand" in said
    assert not run.exists()


@pytest.mark.parametrize("form", ["{}", "file://{}"])
def test_a_folder_of_this_machine_runs_nothing_by_being_the_remote(
    alice: Repo, make_repo: Callable[..., Repo], tmp_path: Path, form: str
):
    """Who can write the repository's settings can make a folder and name it there before the first sync."""
    run, planted, lender = tmp_path / "run", make_repo("planted.git", bare=True), make_repo("lender.git", bare=True)
    for name in ("pre-receive", "update", "post-receive", "post-update", "proc-receive", "reference-transaction"):
        planted.write(f"hooks/{name}", f"#!/bin/sh\ntouch {run}-{name}\n", mode=0o755)
    planted.write("objects/info/alternates", f"{lender.root}/objects\n")
    for key in ("core.alternateRefsCommand", "core.fsmonitor", "uploadpack.packObjectsHook", "core.sshCommand"):
        planted.git("config", key, f"touch {run}-{key}; true")
    alice.git("config", "remote.origin.url", form.format(planted.root))
    alice.passdown("sync").check()
    assert len(chains(planted)) == 1
    assert list(tmp_path.glob("run*")) == []


def test_the_persons_own_settings_count(alice: Repo, hub: Repo):
    alice.git("remote", "set-url", "origin", "hub:team/repo")
    alice.git("config", "--global", f"url.{hub.root}.insteadOf", "hub:team/repo")
    alice.passdown("sync").check()
    assert len(chains(hub)) == 1


def test_settings_that_the_person_has_for_this_folder_count(alice: Repo, hub: Repo, tmp_path: Path):
    (tmp_path / "work.conf").write_text(f'[url "{hub.root}"]\n\tinsteadOf = work:repo\n')
    alice.git("config", "--global", f"includeIf.gitdir:{alice.root}/.path", tmp_path / "work.conf")
    alice.git("remote", "set-url", "origin", "work:repo")
    alice.passdown("sync").check()
    assert len(chains(hub)) == 1


def test_headers_of_the_repository_are_handed_on(alice: Repo, tmp_path: Path):
    """A CI's checkout keeps its token so."""
    seen = tmp_path / "seen"
    with http.server.HTTPServer(("localhost", 0), handler(seen)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://localhost:{server.server_port}/"
        alice.git("config", f"http.{address}.extraheader", "AUTHORIZATION: basic abc")
        alice.git("remote", "set-url", "origin", f"{address}x.git")
        assert "there is no repository" in alice.passdown("sync").check(3).err
        server.shutdown()
    assert "basic abc" in seen.read_text()


def handler(seen: Path) -> type[http.server.BaseHTTPRequestHandler]:
    class Noting(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.write_text(str(self.headers["Authorization"]))
            self.send_error(404)

        def log_message(self, *_: object) -> None:
            pass

    return Noting


def test_a_chain_that_was_set_back_or_replaced_raises_the_alarm(alice: Repo, bob: Repo, hub: Repo):
    alice.passdown("sync").check()
    ((ref, old),) = chains(hub).items()
    alice.passdown("note", "more").check()
    alice.passdown("sync").check()
    bob.passdown("sync").check()
    hub.git("update-ref", ref, old)
    result = bob.passdown("sync").check(1)
    assert "was set back at the remote" in result.out
    assert "was set back or replaced" in bob.passdown("log", "--verify").check(1).out
    assert "more" in bob.passdown("log").out, "what was seen stays"
    alice.passdown("sync").check()
    bob.passdown("sync").check()
    assert bob.passdown("log", "--verify").check()
    hub.git("update-ref", ref, hub.git("commit-tree", "main^{tree}", "-m", "x"))
    assert "was replaced by another" in bob.passdown("sync").check(1).out
    assert "was replaced by another" in alice.passdown("sync").check(1).out
    hub.git("update-ref", "-d", ref)
    assert "gone" in bob.passdown("sync").check(1).out
    alice.passdown("sync").check()
    bob.passdown("sync").check()


@pytest.mark.parametrize("kind", ["blob", "tag", "tree"])
def test_what_is_no_chain_is_not_taken(bob: Repo, hub: Repo, kind: str):
    blob = bob.git("rev-parse", "HEAD:src/a.py" if kind == "blob" else "HEAD^{tree}")
    hub.git("update-ref", "refs/passdown/log/abc/2026q4", blob)
    if kind == "tag":
        hub.git("tag", "-a", "-m", "x", "t", "main")
        hub.git("update-ref", "refs/passdown/log/abc/2026q4", hub.git("rev-parse", "t"))
    bob.passdown("start", "x").check()
    bob.passdown("sync").check()
    assert bob.passdown("log", "--verify").check()


def test_no_remote_and_unknown_ones(repo: Repo):
    assert "git remote add" in repo.passdown("sync").check(2).err
    assert "no remote nowhere here" in repo.passdown("sync", "nowhere").check(2).err
    assert not repo.path(".git/passdown").exists()


def test_a_strange_name_of_a_remote_stays_in_its_folder(hub: Repo, bob: Repo):
    bob.git("config", "remote.../../x.url", hub.root)
    bob.passdown("start", "another").check()
    bob.passdown("sync", "../../x").check()
    refs = store(bob).git("for-each-ref", "--format=%(refname)").splitlines()
    assert all(ref.startswith(("refs/passdown/", "refs/passdown-remote/at-")) for ref in refs)


def test_a_clone_of_another_hash(make_repo: Callable[..., Repo], hub: Repo):
    other = make_repo("other", object_format="sha256").write("a").commit()
    other.git("remote", "add", "origin", hub.root)
    other.passdown("start", "x").check()
    assert "another hash" in other.passdown("sync").check(3).err
