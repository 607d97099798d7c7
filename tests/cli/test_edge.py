"""The edge: every failure is one clear line, a hint and an exit code; --json is one document even then."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from passdown.cli.main import cli
from passdown.cli.verbs import VERBS as THE_VERBS
from support.process import PASSDOWN, run

VERBS = [verb for verb in THE_VERBS if verb != "boundary"]


@pytest.mark.parametrize("verb", [*VERBS, "boundary"])
def test_every_verb_has_a_help_with_one_example(tmp_path, verb):
    out = run([PASSDOWN, verb, "--help"], tmp_path).check().out
    assert out.startswith(f"Usage: passdown {verb}")
    assert out.count("Example:") == 1
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize(
    "verb", [*VERBS, *(f"boundary {word}" for word in ("show", "explain", "set", "allow", "deny"))]
)
def test_the_example_is_one_line_that_can_be_typed(tmp_path, verb):
    out = run([PASSDOWN, *verb.split(), "--help"], tmp_path).check().out
    words = shlex.split(out.partition("Example:")[2])
    assert out.rstrip().splitlines()[-1].lstrip().startswith("Example:")
    assert words[: 1 + len(verb.split())] == ["passdown", *verb.split()]
    command, args = cli.get_command(click.Context(cli), words[1]), words[2:]
    while isinstance(command, click.Group):
        command, args = command.get_command(click.Context(command), args[0]), args[1:]
    command.make_context(verb, args)


@pytest.mark.parametrize("verb", ["resume", "readback", "check", "verify", "outcome", "rollback", "boundary explain"])
def test_a_verb_whose_exit_code_says_something_names_it(tmp_path, verb):
    out = run([PASSDOWN, *verb.split(), "--help"], tmp_path).check().out
    assert re.search(r"\b[Ee]xit (code )?[01]", " ".join(out.split()))


@pytest.mark.parametrize("args", [["--help"], ["-h"], ["help"]])
def test_the_first_page_shows_few_verbs_the_loop_and_the_way_to_all(tmp_path, args):
    out = run([PASSDOWN, *args], tmp_path).check().out
    assert "run --> pack --> review --> resume" in out
    assert "passdown help -a" in out
    assert len(out.splitlines()) <= 20
    assert max(map(len, out.splitlines())) <= 80


def test_the_whole_list_has_every_verb_and_each_of_them_works(tmp_path):
    out = run([PASSDOWN, "help", "-a"], tmp_path).check().out
    listed = [line.split()[0] for line in out.splitlines() if line.startswith("  ")]
    assert sorted(listed) == sorted([*VERBS, "boundary"])
    assert max(map(len, out.splitlines())) <= 80


def test_version(tmp_path):
    assert run([PASSDOWN, "--version"], tmp_path).check().out.startswith("passdown ")


@pytest.mark.parametrize("args", ["--version", "--help"])
def test_help_and_version_import_nothing_but_click(args):
    script = """if True:
        import atexit, sys
        sys.argv = ["passdown", sys.argv[1]]
        from passdown.cli.main import main
        heavy = ("msgspec", "rich", "sqlite3", "subprocess", "cryptography", "pathspec")
        loaded = lambda: print([m for m in sys.modules if m.split(".")[0] in heavy], file=sys.stderr, flush=True)
        atexit.register(loaded)
        main()
    """
    done = subprocess.run([sys.executable, "-c", script, args], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["stats"], "did you mean 'status'"),
        (["pack", "--nope"], "no such option"),
        (["lift"], "missing option '--because'"),
        (["pack", "--gaol", "x"], "no such option '--gaol'; did you mean '--goal'?"),
        (["pack", "--frobnicate"], "no such option '--frobnicate'\n  passdown pack --help"),
        (["outcome", "complete"], "rolled-back, abandoned, replanned; did you mean 'completed'?"),
        (["outcome"], "which one? completed, rolled-back"),
        (["import", "--as", "foo", "x"], "--as 'foo' is not one of handoff, todo, features"),
        (["check", "--repeat", "x"], "'x' is no whole number"),
        (["session", "--at"], "requires an argument\n  passdown session --help"),
        (["boundary", "alow"], "no verb 'boundary alow'; did you mean 'allow'?\n  passdown boundary --help"),
        (["github"], "which one? publish, pull"),
        (["hnadoff"], "no verb 'hnadoff'\n  passdown help -a"),
        (["approve"], "no verb 'approve'; of that speaks: review"),
        (["help", "nothing"], "no verb"),
        (["help", "verdict"], "no verb 'verdict'; of that speaks: "),
        (["check", "--"], "no command"),
    ],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_a_usage_error_is_one_line(repo, args, says, as_json):
    words = [args[0], "--json", *args[1:]] if as_json else args
    result = repo.passdown(*words).check(2)
    if as_json:
        error = result.json()["error"]
        assert set(error) == {"message", "hint", "code"}
        said = f"{error['message']}\n  {error['hint']}".lower()
        assert says.lower() in said or "no such option" in said
        assert result.err == ""
    else:
        assert result.out == ""
        assert result.err.startswith("passdown: ")
        assert says.lower() in result.err.lower()
        assert len(result.err.splitlines()) <= 2


def test_without_a_verb_it_is_status(repo):
    assert repo.passdown().check().out == repo.passdown("status").check().out
    assert "next" in repo.passdown("--json").check().json()


# Bad input and bad circumstances: (what is done to the place, arguments, exit code, what the line says)
def _no_repository(tmp_path: Path) -> tuple[Path, dict[str, str | None]]:
    (tmp_path / "bare-folder").mkdir()
    return tmp_path / "bare-folder", {}


def _no_git(tmp_path: Path) -> tuple[Path, dict[str, str | None]]:
    empty = tmp_path / "empty-path"
    empty.mkdir()
    return tmp_path, {"PATH": str(empty)}


def _old_git(tmp_path: Path) -> tuple[Path, dict[str, str | None]]:
    tools = tmp_path / "tools"
    tools.mkdir()
    script = 'test "$1" = version || shift $(($# - 1)); test "$1" = version && echo git version 2.20.1 && exit\n'
    (tools / "git").write_text(f"#!/bin/sh\n{script}echo error: unknown option >&2; exit 129\n")
    (tools / "git").chmod(0o755)
    return tmp_path, {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize(
    ("circumstance", "args", "code", "says"),
    [
        (_no_repository, ["status"], 2, "no git repository"),
        (_no_repository, ["pack"], 2, "no git repository"),
        (_no_git, ["status"], 2, "git is not installed"),
        (_old_git, ["status"], 2, "git is too old"),
        (_old_git, ["session"], 2, "git is too old"),
        (_old_git, ["session", "--list"], 2, "git is too old"),
    ],
)
def test_circumstances(tmp_path, circumstance, args, code, says, *, as_json):
    cwd, env = circumstance(tmp_path)
    _one_line(run([PASSDOWN, *args, *(["--json"] if as_json else [])], cwd, env), code, says, as_json=as_json)


def _one_line(result, code, says, *, as_json):
    result.check(code)
    if as_json:
        assert says in result.json()["error"]["message"]
        assert result.err == ""
    else:
        assert result.out == ""
        assert says in result.err.splitlines()[0]
        assert result.err.startswith("passdown: ")
        assert len(result.err.splitlines()) <= 2
        assert "Traceback" not in result.err


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b"\x00\x01\x02\xff" * 50, "session"),
        (b"hello, this is no transcript\n", "session"),
        (b'{"some": "json"}\n', "session"),
        (None, "no transcript"),
    ],
    ids=["empty", "binary", "text", "foreign-json", "missing"],
)
def test_a_file_that_is_no_session(tmp_path, content, says):
    file = tmp_path / "session.jsonl"
    if content is not None:
        file.write_bytes(content)
    result = run([PASSDOWN, "session", str(file)], tmp_path).check(2)
    assert result.err.startswith("passdown: ")
    assert "bug" not in result.err
    assert says in result.err.lower()


def test_a_session_that_is_not_there_is_an_error_and_never_another_one(repo):
    """F6."""
    for verb in ("session", "pack"):
        result = repo.passdown(verb, "deadbeef").check(2)
        assert "deadbeef" in result.err
    assert not repo.home.exists()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[checks.ok]\nrun = 3\n", "run"),
        ("[checks.ok\n", "passdown.toml:1"),
        ("nonsense = 1\n", "nonsense"),
        ('mode = "crowd"\n', "mode"),
    ],
)
@pytest.mark.parametrize("verb", ["status", "check", "verify", "start x"])
def test_a_mistake_in_the_base_s_policy_is_one_line_with_its_place(repo, verb, text, says):
    repo.write("passdown.toml", text).commit("Policy")
    result = repo.passdown(*verb.split())
    if verb in ("status", "verify"):  # without a task they need no policy
        result.check(0 if verb == "status" else 3)
        return
    result.check(2)
    assert "passdown.toml" in result.err
    assert says in result.err
    assert len(result.err.splitlines()) <= 2


@pytest.mark.parametrize("verb", ["show", "resume", "rollback", "review"])
def test_a_packet_that_is_not_there(repo, verb):
    result = repo.passdown(verb, "feedface").check(2)
    assert "feedface" in result.err
    assert len(result.err.splitlines()) <= 2


def test_a_deleted_current_folder(tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    result = run(["sh", "-c", f'cd "{gone}" && rmdir "{gone}" && exec "{PASSDOWN}" status'], tmp_path).check(2)
    assert result.err.startswith("passdown: ")
    assert "folder" in result.err
    assert "bug" not in result.err


def test_no_home(repo):
    repo.passdown("status", env={"HOME": None, "CLAUDE_CONFIG_DIR": None, "CODEX_HOME": None}).check()


def test_a_full_disk_is_one_line(repo):
    result = run(["sh", "-c", f'exec "{PASSDOWN}" status > /dev/full'], repo.root).check(3)
    assert "standard output takes no more: No space left on device" in result.err
    assert len(result.err.splitlines()) <= 2


@pytest.mark.parametrize("redirect", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_closed_streams_change_nothing(repo, redirect):
    run(["sh", "-c", f'exec "{PASSDOWN}" status {redirect}'], repo.root).check()


def test_a_reader_that_goes_away_says_nothing(repo):
    result = run(["sh", "-c", f'"{PASSDOWN}" help -a | true; "{PASSDOWN}" help -a | head -1'], repo.root).check()
    assert result.err == ""


@pytest.mark.parametrize("locale", ["C", "POSIX"])
def test_output_is_utf8_whatever_the_locale(repo, locale):
    repo.branch("café-设计")
    env = {"LC_ALL": locale, "LANG": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert "café-设计" in repo.passdown("status", env=env).check().out


def test_no_colour_where_there_is_no_terminal(repo):
    assert "\x1b" not in repo.passdown("status").check().out
    assert "\x1b" not in repo.passdown_at_terminal("status", env={"NO_COLOR": "1"}).check().out


@pytest.mark.parametrize(
    ("number", "code", "says"),
    [
        ("ENOSPC", 3, "cannot write /some/file: No space left on device"),
        ("EDQUOT", 3, "cannot write /some/file: Disk quota exceeded"),
        ("EROFS", 3, "cannot write /some/file: Read-only file system"),
        ("EACCES", 2, "no permission: /some/file"),
        ("EMFILE", 2, "too many open files: /some/file"),
    ],
)
def test_what_the_system_refuses_is_one_line(repo, number, code, says):
    script = f"""if True:
        import errno, os, sys, click
        from passdown.cli.edge import run
        @click.command()
        def refused():
            raise OSError(errno.{number}, os.strerror(errno.{number}), "/some/file")
        sys.exit(run(refused, []))
    """
    result = run([sys.executable, "-c", script], repo.root).check(code)
    assert result.err.splitlines()[0] == f"passdown: {says}"
    assert len(result.err.splitlines()) == 2


WRITERS = ["rescue", "pack", "start g", "check -- true", "init", "sync", "note x"]


@pytest.mark.parametrize("verb", WRITERS[:2])
def test_a_git_folder_that_can_not_be_written(repo, verb):
    repo.home.write_text("a file stands where the folder would be")
    result = repo.passdown(verb).check(3)
    assert len(result.err.splitlines()) <= 2
    assert "Traceback" not in result.err


@pytest.mark.parametrize("verb", WRITERS)
def test_a_read_only_git_folder_says_the_same_in_every_verb(repo, verb):
    repo.passdown("start", "g").check()
    repo.git("remote", "add", "origin", repo.root)
    repo.write("note.md", "- x\n")
    script = f'mount --bind .git .git && mount -o remount,ro,bind .git && exec "{PASSDOWN}" {verb}'
    result = run(["unshare", "--map-root-user", "--mount", "sh", "-c", script], repo.root).check(3)
    told = result.err.splitlines()
    assert re.fullmatch(r"passdown: cannot write .*: Read-only file system", told[-2])
    assert told[-1] == "  make it writable, then run it again"


def test_a_bug_is_one_line_and_a_traceback_only_on_request(repo):
    script = (
        "import sys, click\nfrom passdown.cli.edge import run\n"
        "@click.command()\ndef broken():\n    raise RuntimeError('first\\nsecond')\nsys.exit(run(broken, []))"
    )
    quiet = run([sys.executable, "-c", script], repo.root).check(3)
    assert quiet.err.splitlines()[0] == "passdown: this is a bug in Passdown: RuntimeError: first"
    assert "Traceback" in run([sys.executable, "-c", script], repo.root, {"PASSDOWN_DEBUG": "1"}).check(3).err


def test_an_interrupt_exits_with_130(repo):
    script = (
        "import sys, click\nfrom passdown.cli.edge import run\n"
        "@click.command()\ndef stopped():\n    raise KeyboardInterrupt\nsys.exit(run(stopped, []))"
    )
    assert run([sys.executable, "-c", script], repo.root).check(130).err.strip() == "passdown: stopped by you"


@pytest.mark.parametrize("args", [["--version"], ["help"], ["--help"], ["-h"], ["help", "-a"]])
def test_version_and_help_are_one_document_too(tmp_path, args):
    found = run([PASSDOWN, *args, "--json"], tmp_path).check().json()
    assert found == run([PASSDOWN, "--json", *args], tmp_path).check().json()
    assert found.get("version") or {"pack", "review"} <= {one["verb"] for one in found["verbs"]}


@pytest.mark.parametrize(
    ("args", "verb"),
    [
        (["help", "pack"], "pack"),
        (["pack", "--help"], "pack"),
        (["review", "7c1e9a2", "-h"], "review"),
        (["boundary", "--help"], "boundary"),
        (["boundary", "deny", "--help"], "boundary deny"),
    ],
)
def test_a_verbs_help_is_one_document_too(tmp_path, args, verb):
    found = run([PASSDOWN, *args, "--json"], tmp_path).check().json()
    assert (found["verb"], found["example"].startswith(f"passdown {verb}")) == (verb, True)
    assert all(set(option) == {"names", "value", "many", "help"} for option in found["options"])


def test_help_for_a_command_behind_the_dashes_is_the_commands(repo):
    assert repo.passdown("check", "--json", "--", "echo", "--help").check(0).json()[0]["exit"] == 0


# Streams that take nothing: the command does its work, its exit code stays its own, nothing else is printed
@pytest.mark.parametrize(
    ("redirect", "args", "code"),
    [
        ("2>/dev/full", "status", 0),
        ("2>/dev/full", "nope", 2),
        ("2>/dev/full", "check -- true", 0),
        ("2>/dev/full", "check -- sh -c 'echo told >&2; exit 3'", 1),
        ("2>/dev/full", "pack", 0),
        ("2>/dev/full", "show abcdef0", 2),
        (">/dev/full", "status", 3),
        (">/dev/full", "status --json", 3),
        (">/dev/full", "nope --json", 2),
        (">/dev/full 2>/dev/full", "status", 3),
        (">/dev/full 2>/dev/full", "nope --json", 2),
        (">/dev/full 2>&-", "help -a", 3),
    ],
)
def test_a_full_stream_has_a_code_of_ours(repo, redirect, args, code):
    result = run(["sh", "-c", f'exec "{PASSDOWN}" {args} {redirect}'], repo.root).check(code)
    assert "Traceback" not in result.out + result.err
    assert "Exception ignored" not in result.err


def test_a_packet_whose_screen_no_one_takes_is_sealed_all_the_same(repo):
    result = run(["sh", "-c", f'exec "{PASSDOWN}" pack > /dev/full'], repo.root).check(3)
    assert "standard output takes no more" in result.err
    assert len(repo.passdown("log", "--json").check().json()) == 1


@pytest.mark.parametrize("args", ["status", "status --json", "nope --json", "pack", "help -a"])
def test_a_reader_that_is_gone_before_the_first_word(repo, args):
    script = f'"{PASSDOWN}" {args} | true; exit "${{PIPESTATUS[0]}}"'
    result = run(["bash", "-c", script], repo.root)
    assert result.code in (({0}, {2})["nope" in args] | {141})
    assert "Traceback" not in result.err
    assert "Exception ignored" not in result.err


@pytest.mark.parametrize("as_json", [False, True])
def test_an_installation_without_a_module_is_one_line(repo, as_json):
    script = f"""if True:
        import sys
        sys.modules["passdown.cli.output"] = None
        sys.argv = ["passdown", "status", *{["--json"] if as_json else []}]
        from passdown.cli.main import main
        main()
    """
    done = run([sys.executable, "-c", script], repo.root).check(3)
    assert "passdown.cli.output" in (done.json()["error"]["message"] if as_json else done.err)
    assert "Traceback" not in done.err
