"""The facts of a session on the screen: a repository's own patterns count as well."""

from __future__ import annotations

import pytest

from support.process import PASSDOWN, run

SECRET = "corp-" + "0123456789abcdef" * 2
POLICY = "version = 1\n[redact]\nextra = ['corp-[0-9a-f]{32}']\n"


@pytest.mark.parametrize("options", [[], ["--json"], ["--at", "0"]], ids=" ".join)
def test_a_repositorys_patterns_hold_for_a_named_transcript(repo, sessions, options) -> None:
    file = sessions.claude(repo.root).user(f"use {SECRET}").say("Done.").save()
    repo.write("passdown.toml", POLICY).commit("policy")
    shown = repo.passdown("session", str(file), *options).check().out
    assert SECRET not in shown
    assert "[redacted:extra:" in shown


def test_a_named_transcript_needs_no_repository(sessions, tmp_path, repo) -> None:
    file = sessions.claude(repo.root).user("go").say("Done.").save()
    assert run([PASSDOWN, "session", str(file), "--json"], tmp_path).check().json()["end"]["reason"] == "finished"
