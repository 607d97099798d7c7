"""The composite action: each of its steps by bash, in a runner's environment, on a shallow clone of a real remote."""

from __future__ import annotations

import os
import re
import subprocess
import textwrap
from collections.abc import Mapping
from pathlib import Path

import pytest

from support.clients import MissingError
from support.github import TOKEN, Forge
from support.github_api import GRAPHQL, OPENAPI, fetched
from support.process import PASSDOWN
from support.repo import Repo

ACTION = Path(__file__).parents[1] / "action.yml"
_STEP = re.compile(r"^    - id: (\w+)\n((?:(?!    - ).*\n)*)", re.MULTILINE)
_VALUE = re.compile(r"^        (\w+): (.*)$", re.MULTILINE)


def steps() -> dict[str, tuple[dict[str, str], str]]:
    """Each step's variables as they are written, and its script."""
    found = {}
    for name, text in _STEP.findall(ACTION.read_text()):
        head, _, script = text.partition("      run: |\n")
        found[name] = (dict(_VALUE.findall(head)), textwrap.dedent(script))
    return found


def given(expression: str, known: Mapping[str, str]) -> str:
    """The value of an expression as the runner gives it: the first that is there."""
    inside = expression.removeprefix("${{ ").removesuffix(" }}")
    values = (_both(part.split(" && "), known) for part in inside.split(" || "))
    return next((value for value in values if value), "")


def _both(parts: list[str], known: Mapping[str, str]) -> str:
    """The last of `A == 'x' && B != 'y' && C`, where the others hold."""
    *conditions, name = parts
    for condition in conditions:
        what, sign, wanted = condition.split(" ")
        if (known.get(what, "") == wanted.strip("'")) is not (sign == "=="):
            return ""
    return known.get(name, "")


def defaults() -> dict[str, str]:
    inputs = ACTION.read_text().partition("inputs:\n")[2].partition("\noutputs:")[0]
    found = re.findall(r"^  (\w+):\n(?:    .*\n)*?    default: (.*)$", inputs, re.MULTILINE)
    return {f"inputs.{name}": value.strip('"') for name, value in found}


class Runner:
    """A runner's job: its folders, its checkout and its event."""

    def __init__(self, folder: Path, checkout: Repo, event: Mapping[str, str]) -> None:
        self.checkout, self.event, self.folder = checkout, event, folder
        (folder / "passdown" / "bin").mkdir(parents=True)
        (folder / "passdown" / "bin" / "passdown").symlink_to(PASSDOWN)

    def job(self, **inputs: str) -> tuple[int, str, dict[str, str]]:
        """The exit code of the job, its summary and the answer's outputs."""
        known = {**defaults(), **self.event, **{f"inputs.{name}": value for name, value in inputs.items()}}
        code, outputs = 0, {}
        for name, (variables, script) in steps().items():
            if name == "install":
                continue
            code, said = self._step(script, {key: given(value, known) for key, value in variables.items()})
            outputs = said or outputs
            known |= {f"steps.{name}.outputs.{key}": value for key, value in said.items()}
            if code:
                break
        summary = self.folder / "summary"
        return code, summary.read_text() if summary.exists() else "", outputs

    def _step(self, script: str, env: Mapping[str, str]) -> tuple[int, dict[str, str]]:
        output = self.folder / "output"
        output.write_text("")
        around = {
            **os.environ,
            **env,
            "RUNNER_TEMP": str(self.folder),
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
        }
        argv = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        done = subprocess.run(argv, cwd=self.checkout.root, env=around, capture_output=True, text=True, check=False)
        self.said = done.stdout + done.stderr
        return done.returncode, dict(line.split("=", 1) for line in output.read_text().splitlines())


class Project:
    """A hub, a person whose key the base lists, and a branch that an agent went on with after a signed answer."""

    def __init__(self, make_repo, tmp_path):
        key = tmp_path / "keys" / "alice"
        key.parent.mkdir()
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "alice", "-f", str(key)], check=True)
        public = " ".join(Path(f"{key}.pub").read_text().split()[:2])
        self.tmp, self.hub = tmp_path, make_repo("hub.git", bare=True)
        mine = self.mine = make_repo("mine")
        mine.git("config", "user.signingkey", str(key))
        mine.git("config", "gpg.format", "ssh")
        mine.write("src/a.py", "a = 1\n").write("README.md", "hello\n")
        mine.write("passdown.toml", f'version = 1\n[review]\nsigners = ["alice@example.test {public}"]\n').commit(
            "Begin"
        )
        mine.git("remote", "add", "origin", self.hub.root)
        mine.git("push", "-q", "-u", "origin", "main")
        mine.branch("work").write("src/a.py", "a = 2\n").commit("First run")
        mine.passdown("start", "mend a", "--allow", "src/**").check()
        mine.passdown("pack", "--no-check").check()

    def answered(self):
        self.mine.passdown("review", "--approve").check()
        return self

    def pushed(self, *, sync=True):
        self.mine.git("push", "-q", "origin", "work", "work:refs/pull/7/head")
        if sync:
            self.mine.passdown("sync", "--yes").check()
        return self

    def event(self, name="work"):
        base, head = self.mine.git("rev-parse", "main"), self.mine.git("rev-parse", "work")
        return {
            "github.event.pull_request.base.sha": base,
            "github.event.pull_request.head.sha": head,
            "github.event.pull_request.number": "7",
            "github.event.repository.default_branch": "main",
            "github.head_ref": name,
            "github.sha": head,
        }

    def runner(self, event=None, *, branch="work"):
        checkout = self.tmp / "checkout"
        argv = ["git", "clone", "-q", "--depth", "1", "--branch", branch, f"file://{self.hub.root}", str(checkout)]
        subprocess.run(argv, check=True)
        subprocess.run(["git", "-C", str(checkout), "checkout", "-q", "--detach"], check=True)
        return Runner(self.tmp / "temp", Repo(checkout), event or self.event())


@pytest.fixture
def project(make_repo, tmp_path):
    return Project(make_repo, tmp_path)


@pytest.mark.parametrize(("path", "code", "answer"), [("src/a.py", 0, "holds"), ("README.md", 1, "does-not-hold")])
def test_a_pull_request_is_judged_by_the_signed_answer(project, path, code, answer):
    project.answered().mine.write(path, "a = 3\n").commit("Second run")
    ended, summary, outputs = (runner := project.pushed().runner()).job(checks="true")
    assert (ended, outputs) == (code, {"answer": answer, "code": str(code)}), runner.said
    assert f"### Passdown: {answer}\n" in summary
    assert "by the answer that alice@example.test signed: approve on packet" in summary
    assert ("    " + ("HOLDS" if code == 0 else "DOES NOT HOLD")) in summary
    assert path == "src/a.py" or (path in summary) is (code == 1)
    assert "no acceptance check is declared or confirmed: not measured" in summary


def test_what_the_first_run_had_changed_is_not_judged_by_the_answer_to_it(project):
    project.mine.write("README.md", "by the first run\n").commit("More of the first run")
    project.mine.passdown("pack", "--no-check").check()
    project.answered().mine.write("src/a.py", "a = 3\n").commit("Second run")
    assert project.pushed().runner().job()[0] == 0


def test_a_fork_has_its_commits_from_the_pull_request(project):
    project.answered().mine.write("README.md", "slipped\n").commit("Second run")
    project.pushed()
    project.hub.git("update-ref", "-d", "refs/heads/work")
    code, summary, _ = project.runner(branch="main").job()
    assert (code, "README.md" in summary) == (1, True), summary


@pytest.mark.parametrize("undecided", ["fail", "pass"])
def test_without_an_answer_or_a_record_nothing_is_decided(project, undecided):
    project.mine.write("src/a.py", "a = 3\n").commit("Second run")
    code, summary, outputs = project.pushed(sync=False).runner().job(undecided=undecided)
    assert (code, outputs["answer"]) == (3 if undecided == "fail" else 0, "undecided")
    assert "no packet's record is in this clone" in summary
    project.mine.passdown("sync", "--yes").check()
    code, summary, _ = Runner(project.tmp / "again", Repo(project.tmp / "checkout"), project.event()).job()
    assert (code, "nobody has answered a packet of branch work" in summary) == (3, True)


def test_an_answer_that_nobody_listed_signed_decides_nothing(project):
    project.mine.git("config", "--unset", "user.signingkey")
    (project.tmp / "keys" / "alice").unlink()
    project.answered().mine.write("src/a.py", "a = 3\n").commit("Second run")
    code, summary, _ = project.pushed().runner().job()
    assert code == 3
    assert "no answer to the work of branch work is signed by somebody whom the base's policy lists" in summary


def test_a_policy_that_only_the_change_has_lists_nobody(project):
    other = project.mine.git("show", "main:passdown.toml")
    project.mine.git("switch", "-q", "main")
    project.mine.write("passdown.toml", "version = 1\n").commit("Nobody signs")
    project.mine.git("switch", "-q", "work")
    project.mine.git("merge", "-q", "main", "-m", "merge")
    project.answered().mine.write("passdown.toml", other).commit("I list myself")
    project.mine.git("push", "-q", "origin", "main")
    code, summary, _ = project.pushed().runner().job()
    assert (code, "lists nobody whose signed answer counts" in summary) == (3, True)


def test_a_shallow_clone_that_fetches_nothing_says_what_to_run(project):
    project.answered().mine.write("src/a.py", "a = 3\n").commit("Second run")
    code, summary, _ = project.pushed().runner().job(fetch="false")
    assert code == 3
    assert "COULD NOT DECIDE" in summary
    assert "git fetch --unshallow" in summary


def test_a_push_is_judged_from_where_the_branch_was(project):
    project.answered().mine.write("README.md", "slipped\n").commit("Second run")
    head = project.pushed().mine.git("rev-parse", "work")
    push = {"github.event.before": "0" * 40, "github.event.repository.default_branch": "main"}
    code, summary, _ = project.runner({**push, "github.sha": head, "github.ref_name": "work"}).job()
    assert (code, "README.md" in summary) == (1, True), summary


def test_an_owners_comment_is_an_answer_where_the_job_asks_for_it(project, monkeypatch):
    try:
        fetched(OPENAPI)
        fetched(GRAPHQL)
    except MissingError as missing:
        pytest.skip(str(missing))
    digest = project.mine.passdown("show", "--json").check().json()["packet"]
    project.mine.write("src/a.py", "a = 3\n").commit("Second run")
    project.pushed()
    event = project.event()
    with Forge(head=event["github.event.pull_request.head.sha"], branch="work") as forge:
        forge.base = event["github.event.pull_request.base.sha"]
        forge.roles["bob"] = "admin"
        forge.says("bob", f"/passdown approve {digest[:16]}")
        for name, value in {"SERVER_URL": forge.url, "REPOSITORY": forge.full}.items():
            monkeypatch.setenv(f"GITHUB_{name}", value)
        runner = project.runner()
        assert runner.job(token=TOKEN)[2]["answer"] == "undecided"
        told = runner.job(answers="true", token=TOKEN)
        assert told[2]["answer"] == "holds", runner.said
        assert "by @bob's comment on GitHub" in told[1]
        assert runner.job(answers="true", checks="true", token=TOKEN)[0] == 2
    assert not forge.invalid


def test_it_keeps_a_comment_with_the_answer(project, monkeypatch):
    try:
        fetched(OPENAPI)
        fetched(GRAPHQL)
    except MissingError as missing:
        pytest.skip(str(missing))
    project.answered().pushed()
    head = project.event()["github.event.pull_request.head.sha"]
    with Forge(head=head, branch="work", viewer="github-actions[bot]") as forge:
        monkeypatch.setenv("GITHUB_SERVER_URL", forge.url)
        monkeypatch.setenv("GITHUB_REPOSITORY", forge.full)
        runner = project.runner()
        assert runner.job(comment="true", token=TOKEN)[2]["answer"] == "holds"
        assert runner.job(comment="true", token=TOKEN)[0] == 0
        (comment,) = forge.comments
        assert "**passdown verify in CI:** what was committed lies inside the boundary" in comment["body"]
        assert "/passdown approve" in comment["body"]
        assert str(project.tmp) not in comment["body"]
        assert not forge.statuses
        assert runner.job(comment="true", token="wrong")[2]["answer"] == "holds"
        assert "::warning::no comment:" in runner.said
    assert not forge.invalid
