"""The agents' pre-tool hook, run as its clients run it: the wrapper, a payload, without the package."""

from __future__ import annotations

import json
import shutil
import subprocess
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passdown.guard import compiled, hook_files
from passdown.guard.compiled import Arming
from passdown.guard.hook.rules import Rules
from passdown.guard.hook.scan import dumps, loads
from passdown.guard.hook.targets import targets
from passdown.rules.decide import Asked
from support.guarded import Guarded, boundary, decision


@pytest.fixture
def guarded(repo):
    repo.write("src/a.py", "a = 1\n")
    repo.commit("start")
    return Guarded(repo, boundary(["src/**", "docs/guide.md"], ["src/gen/**"], new=1))


INSIDE_OR_NOT = [
    ("src/a.py", None),
    ("src/new/deep.py", None),
    ("docs/guide.md", None),
    ("docs/new.md", None),  # a new file beside an allowed one
    ("src/gen/x.py", "deny"),
    ("README.md", "deny"),
    ("src/../README.md", "deny"),
    ("./src//a.py", None),
    ("SRC/a.py", "deny"),
    (".git/config", "deny"),
    (".GIT/config", "deny"),
    ("src/.git/hooks/post-commit", "deny"),
    (".git/passdown/store.git/HEAD", "deny"),
    (".claude/settings.json", "deny"),
    ("src/.mcp.json", "deny"),
    (".github/workflows/ci.yml", "deny"),
    ("passdown.toml", "deny"),
    ("", "deny"),
    ("new\nline.py", "deny"),
    ("src/tab\tand\nline.py", None),
    ("caf\u00e9.py", "deny"),
    ("src/\u8bbe\u8ba1.py", None),
]


@pytest.mark.parametrize(("path", "expected"), INSIDE_OR_NOT)
def test_one_path(guarded, path, expected):
    assert decision(guarded.write(path)) == expected


def test_the_denial_says_what_why_where_and_how_to_ask(guarded):
    said = json.loads(guarded.write("src/gen/x.py").stdout)["hookSpecificOutput"]["permissionDecisionReason"]
    assert said == (
        "Passdown: src/gen/x.py is outside what this run may write (N1: src/gen/**: said so). "
        "Continue in src/**, docs/guide.md. To ask for it: passdown note --ask-widen src/gen/x.py --because WHY."
    )


TOOLS = [
    ("Edit", {"file_path": "{root}/README.md"}, "deny"),
    ("MultiEdit", {"file_path": "{root}/README.md", "edits": []}, "deny"),
    ("NotebookEdit", {"notebook_path": "{root}/x.ipynb", "new_source": ""}, "deny"),
    ("Read", {"file_path": "{root}/README.md"}, None),
    ("Grep", {"pattern": "x", "path": "{root}"}, None),
    ("Bash", {"command": "cat README.md"}, None),
    ("apply_patch", {"command": "*** Begin Patch\n*** Update File: README.md\n@@\n-a\n+b\n*** End Patch"}, "deny"),
    ("apply_patch", {"command": "*** Begin Patch\n*** Update File: src/a.py\n@@\n-a\n+b\n*** End Patch"}, None),
    (
        "apply_patch",
        {"command": "*** Begin Patch\n*** Update File: src/a.py\n*** Move to: b.py\n*** End Patch"},
        "deny",
    ),
    ("apply_patch", {"command": "*** Begin Patch\n  *** Delete File:   README.md  \n*** End Patch"}, "deny"),
    ("apply_patch", {"input": "*** Begin Patch\n*** Add File: {root}/README2.md\n+x\n*** End Patch"}, "deny"),
    (
        "Bash",
        {"command": "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: evil.txt\n+x\n*** End Patch\nEOF"},
        "deny",
    ),
    (
        "Bash",
        {"command": ["bash", "-lc", "applypatch '*** Begin Patch\n*** Add File: e.txt\n+x\n*** End Patch'"]},
        "deny",
    ),
    ("mcp__fs__write_file", {"path": "README.md", "content": "x"}, "deny"),
    ("mcp__fs__writeFile", {"filePath": "{root}/README.md", "text": "x"}, "deny"),
    ("mcp__fs__move_file", {"source": "src/a.py", "destination": "a.py"}, "deny"),
    ("mcp__fs__move_file", {"source": "README.md", "destination": "src/r.md"}, "deny"),
    ("mcp__fs__copy_file", {"source": "README.md", "destination": "src/r.md"}, None),
    ("mcp__fs__edit_many", {"edits": [{"path": "src/a.py"}, {"path": "README.md"}]}, "deny"),
    ("mcp__fs__edit", {"uri": "file://{root}/README.md"}, "deny"),
    ("mcp__fs__edit", {"uri": "file://{root}/READM%45.md"}, "deny"),
    ("mcp__ide__create_new_file", {"pathInProject": "README.md", "text": "x"}, "deny"),
    ("mcp__ide__replace_text", {"target_file": "README.md", "new_text": "x"}, "deny"),
    ("mcp__ide__rename_symbol", {"relative_path": "src/a.py", "new_name": "b"}, None),
    ("mcp__fs__write_file", {"repo_path": "{root}", "path": "src/a.py", "content": "x"}, None),
    ("mcp__github__create_or_update_file", {"owner": "o", "repo": "r", "path": "README.md", "content": "x"}, None),
    ("mcp__mail__add_message", {"to": "me@example.org", "from": "you", "body": "x"}, None),
    ("mcp__page__set_value", {"target": "#name", "text": "x"}, None),
    ("mcp__web__save", {"uri": "https://example.org/a", "source": "x"}, None),
    ("mcp__fs__read_file", {"path": "README.md"}, None),
    ("mcp__fs__list_directory", {"path": "."}, None),
    ("mcp__tests__run", {"path": "tests"}, None),
]


@pytest.mark.parametrize(("tool", "given", "expected"), TOOLS)
def test_every_tool_that_names_paths(guarded, tool, given, expected):
    filled = json.loads(json.dumps(given).replace("{root}", guarded.root))
    assert decision(guarded.ask(tool, filled)) == expected
    assert decision(guarded.ask(tool, filled, agent="codex")) == expected


def test_links_lead_where_they_lead(guarded, tmp_path):
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    (guarded.repo.root / "src" / "out").symlink_to(outside)
    (guarded.repo.root / "src" / "gen_link.py").symlink_to("gen/x.py")
    (guarded.repo.root / "in").symlink_to("src")
    assert decision(guarded.write("src/out/x.py")) == "deny"
    assert decision(guarded.write("src/gen_link.py")) == "deny"
    assert decision(guarded.write("src/out/../a.py")) == "deny"  # to the system that is beside "elsewhere"
    assert decision(guarded.write("in/a.py")) is None  # it lands in src
    assert decision(guarded.write("in/gen/x.py")) == "deny"
    through = tmp_path / "door"
    through.symlink_to(guarded.repo.root)
    assert decision(guarded.ask("Write", {"file_path": f"{through}/README.md"})) == "deny"
    assert decision(guarded.ask("Write", {"file_path": f"{through}/src/a.py"})) is None


def test_elsewhere_is_not_the_boundarys_but_other_worktrees_are(guarded, tmp_path):
    assert decision(guarded.ask("Write", {"file_path": str(tmp_path / "scratch.txt")})) is None
    guarded.repo.git("worktree", "add", "-q", str(tmp_path / "other"), "-b", "other")
    assert decision(guarded.ask("Write", {"file_path": str(tmp_path / "other/src/a.py")})) == "deny"
    assert decision(guarded.ask("Write", {"file_path": "src/a.py"}, cwd=str(tmp_path / "other"))) is None


def test_the_rules_of_the_payloads_folder_hold_not_those_of_the_hooks(guarded):  # F11
    sub = guarded.repo.root / "src" / "deep"
    sub.mkdir()
    assert decision(guarded.ask("Edit", {"file_path": "x.py"}, cwd=str(sub))) is None
    assert decision(guarded.ask("Edit", {"file_path": "../../README.md"}, cwd=str(sub))) == "deny"
    nested = guarded.repo.root / "src" / "nested"
    subprocess.run(["git", "init", "-q", str(nested)], check=True)
    assert decision(guarded.ask("Edit", {"file_path": "../../README.md"}, cwd=str(nested))) == "deny"


def test_it_sleeps_on_another_branch_and_when_its_time_is_over(guarded):
    guarded.repo.git("switch", "-q", "-c", "side")
    assert decision(guarded.write("README.md")) is None
    guarded.repo.git("switch", "-q", "main")
    assert decision(guarded.write("README.md")) == "deny"
    late = Guarded(guarded.repo, boundary(["src/**"]), until=time.time() - 1)
    late.repo.git("switch", "-q", "main")
    assert decision(late.write("README.md")) is None


@pytest.mark.parametrize(
    ("mode", "permission", "agent", "path", "expected"),
    [
        ("enforce", "default", "claude", "README.md", "ask"),
        ("enforce", "acceptEdits", "claude", "README.md", "ask"),
        ("enforce", "acceptEdits", "claude", "src/gen/x.py", "deny"),
        ("enforce", "default", "claude", ".git/config", "deny"),
        ("enforce", "bypassPermissions", "claude", "README.md", "deny"),
        ("enforce", "dontAsk", "claude", "README.md", "deny"),
        ("enforce", "default", "codex", "README.md", "deny"),  # Codex lets "ask" through
        ("advise", "bypassPermissions", "claude", "README.md", "advice"),
        ("observe", "bypassPermissions", "claude", "README.md", None),
    ],
)
def test_modes(repo, mode, permission, *, agent, path, expected):
    repo.write("a", "a")
    repo.commit("start")
    guarded = Guarded(repo, boundary(["src/**"], ["src/gen/**"]), mode=mode)
    done = guarded.write(path, agent=agent, permission_mode=permission)
    assert decision(done) == expected
    kept = guarded.facts()[-1].data["where"]
    assert kept == {"ask": "asked", "deny": "outside-blocked"}.get(expected, "would-outside-blocked")


def test_each_call_is_one_line_in_the_journal_that_the_ledger_reads(guarded):
    guarded.write("src/a.py", agent_id="sub-1")
    guarded.write("README.md")
    guarded.ask("Bash", {"command": "ls"})
    first, second, third = guarded.facts()
    assert (first.kind, first.task) == ("touch", "t1")
    assert first.data == {
        "session": "s1",
        "call": "call-1",
        "agent": "sub-1",
        "tool": "Write",
        "where": "inside",
        "path": "src/a.py",
        "rule": "B1",
    }
    assert second.data["where"] == "outside-blocked"
    assert (third.kind, third.data["tool"]) == ("heartbeat", "Bash")


BROKEN = [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"cwd": 1}x']


@pytest.mark.parametrize("payload", BROKEN)
def test_what_it_cannot_read_is_denied_in_the_form_that_every_client_takes(guarded, payload):
    done = guarded.feed(payload)
    assert done.returncode == 2
    assert done.stderr.startswith(b"Passdown: ")
    assert b"Traceback" not in done.stderr


def test_rules_that_cannot_be_read_deny(guarded):
    for content in (b"", b"{", b"[]", b'{"off_until":0}', b'{"off_until":0,"branches":{"/main":{"until":1e12}}}'):
        guarded.rules.write_bytes(content)
        done = guarded.write("src/a.py")
        assert done.returncode == 2, content
        assert len(done.stderr.splitlines()) == 1


def test_a_lost_interpreter_or_copy_denies_while_armed_and_is_silent_else(guarded):  # E10
    text = guarded.wrapper.read_text()
    guarded.wrapper.write_text(text.replace(hook_files.interpreter(), "/nowhere/python3"))
    assert decision(guarded.write("README.md")) == "deny", "another python3 does"
    guarded.wrapper.write_text(guarded.wrapper.read_text().replace("command -v python3", "command -v python-none"))
    done = guarded.write("src/a.py")
    assert done.returncode == 2
    assert b"passdown doctor --fix" in done.stderr
    guarded.wrapper.write_text(text)
    (copy,) = guarded.wrapper.parent.glob("hook_*")
    (copy / "answer.py").write_text("raise SystemExit(1)\n")
    shutil.rmtree(copy / "__pycache__")
    assert guarded.write("src/a.py").returncode == 2
    shutil.rmtree(copy)
    assert guarded.write("src/a.py").returncode == 2
    guarded.rules.unlink()
    assert guarded.write("README.md").returncode == 0


def test_a_journal_that_cannot_be_written_changes_no_answer(guarded):
    shutil.rmtree(guarded.home / "journal")
    assert decision(guarded.write("README.md")) == "deny"
    assert decision(guarded.write("src/a.py")) is None


def test_installing_again_changes_nothing_and_leaves_one_copy(guarded):
    before = guarded.wrapper.stat().st_mtime_ns
    (guarded.wrapper.parent / "hook_000000000000").mkdir()
    assert hook_files.install(guarded.home) == guarded.wrapper
    assert guarded.wrapper.stat().st_mtime_ns == before
    guarded.wrapper.write_text("")
    hook_files.install(guarded.home)
    assert len(list(guarded.wrapper.parent.glob("hook_*"))) == 1


def test_another_interpreter_compiles_for_itself(guarded):
    rules = json.loads(guarded.rules.read_text())
    rules["branches"]["/main"]["magic"] = [0, 0, "another"]
    guarded.rules.write_text(json.dumps(rules))
    assert decision(guarded.write("README.md")) == "deny"
    assert decision(guarded.write("src/a.py")) is None


# one engine
ODD = ("\u00e9", "e\u0301", "n\nl", ".g\u200cit", "\udcff", "[b]", "a b", "*")
NAMED = (".git", "GIT~1", ".claude", "CODEOWNERS", ".github", "workflows", "passdown.toml")
PARTS = st.sampled_from(["a", "b", "src", "tests", "x.py", "A", *ODD, *NAMED])
PATHS = st.lists(PARTS, min_size=1, max_size=4).map("/".join)
PATTERNS = st.lists(
    st.one_of(
        st.lists(
            st.sampled_from(["a", "src", "*", "**", "*.py", "x.py", "[ab]", "?", "\u00e9"]), min_size=1, max_size=3
        )
        .map("/".join)
        .filter(lambda text: "***" not in text),
        st.sampled_from(["src/", "/a", "tests/**", ".claude/**", ".github/**", "a/**/x.py"]),
    ),
    max_size=4,
)


@settings(deadline=None)
@given(PATTERNS, PATTERNS, PATTERNS, st.lists(PATHS, min_size=1, max_size=8))
def test_the_hook_decides_as_the_engine_does(allow, deny, opened, paths):
    bound = boundary(allow, deny, opened)
    asked = Asked.of(bound)
    stored = loads(json.dumps(compiled.compiled(Arming(boundary=bound, task="t", mode="enforce", until=0.0))))
    rules = Rules(stored, "/r", "/r/.git")
    for path in paths:
        decided = asked.decide(path)
        assert rules.decide(path) == (decided.inside, decided.rule, decided.because)


@given(
    st.recursive(st.none() | st.text() | st.integers(), lambda inner: st.dictionaries(st.text(), inner), max_leaves=8)
)
def test_json_both_ways(value):
    assert json.loads(dumps(value)) == value
    assert loads(" " + json.dumps(value) + "\n") == value


@given(st.text())
def test_no_patch_text_breaks_it(text):
    assert all(isinstance(path, str) for path in targets("apply_patch", {"command": text}))
