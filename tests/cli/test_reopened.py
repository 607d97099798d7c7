"""A settled decision that an agent reopens: it stays settled, and every screen says so (semantics: section 9)."""

from __future__ import annotations

AGENT = {"CLAUDECODE": "1"}
WHOLE = {"COLUMNS": None}


def test_by_a_note_or_by_a_change_of_what_it_keeps(worked):
    worked.passdown("start", "retry", "--allow", "src/**").check()
    settled = ["--scope", "src/**", "--keep", "src/client.py", "--over", "sleeping", "--revisit-if", "it is slow"]
    noted = worked.passdown("note", "decision", "use a deadline", *settled, "--json").check().json()
    assert (noted["item"], noted["note"]["keep"]) == ("D1", ["src/client.py"])
    agent = worked.passdown("note", "sleep instead", "--supersedes", "D1", env=AGENT).check()
    assert agent.out.startswith("Noted D2 (decision). It is not settled")
    worked.replace("src/client.py", "return 2", "return 3")
    packet = worked.passdown("pack", "--no-check", "--json").check().json()
    assert [(d["id"], d["settled"]) for d in packet["decisions"]] == [("D1", True), ("D2", False)]
    shown = worked.passdown("show", "--json").check().json()["reopened"]
    assert [(one["decision"], one["by"], one["paths"]) for one in shown] == [
        ("D1", "sleep instead", []),
        ("D1", "", ["src/client.py"]),
    ]
    for verb in ("status", "show", "review"):
        out = worked.passdown(verb, env=WHOLE).check().out
        assert 'D1 "use a deadline": an agent decided "sleep instead" instead; it stays settled' in out, verb
        assert "src/client.py changed, which it keeps" in out, verb
    assert "replaces D1" in worked.passdown("log", env=WHOLE).check().out
    brief = worked.passdown("show", "--brief").check().out
    assert 'Do not reopen: D1 "use a deadline"' in brief
    assert "sleep instead" not in brief


def test_a_decision_stays_out_of_a_brief_whose_boundary_it_does_not_speak_of(packed):
    """B17."""
    packed.passdown("note", "decision", "use cents", "--scope", "services/billing/**").check()
    packed.passdown("note", "decision", "use a deadline", "--scope", "src/").check()
    packed.passdown("pack", "--no-check").check()
    brief = packed.passdown("show", "--brief").check().out
    assert "use cents" not in brief
    assert "use a deadline" in brief


def test_an_agent_s_answer_stays_a_claim_and_a_person_s_closes(packed):
    packed.passdown("note", "question", "may the API change?", "--architecture").check()
    assert packed.passdown("resume", "--no-check").check(1).out.startswith("HOLD")
    said = packed.passdown("note", "--answer", "Q1", "yes", env=AGENT).check().out
    assert "it stays open until a person answers" in said
    packed.passdown("resume", "--no-check").check(1)
    packed.passdown("note", "--answer", "Q1", "no").check()
    packed.passdown("resume", "--no-check").check()
