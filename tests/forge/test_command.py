"""What a comment says as an answer: understood as it stands, or not at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passdown.errors import PassdownError
from passdown.forge.command import ANSWERS, Command, command_of, is_command

P = "7c1e9a2"


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (f"/passdown approve {P}", Command("approve", P)),
        (f"  \n\n/passdown approve {P}  \r\n", Command("approve", P)),
        (f"\ufeff/passdown\tapprove   {P}", None),
        (f"/passdown approve {P}\n\nMind it.\nAll of it.", Command("approve", P, note="Mind it.\nAll of it.")),
        (f"/passdown narrow {P} -3 +src/x.py", Command("narrow", P, ["-B3", "+src/x.py"])),
        (f"/passdown narrow {P} -N1 -docs/** +b*.py", Command("narrow", P, ["-N1", "-docs/**", "+b*.py"])),
        (f"/passdown rollback {P}", Command("rollback", P)),
        (f"/passdown rollback {P} to {P * 2}", Command("rollback", P, to=P * 2)),
        (f"/passdown handover {P} @carol", Command("reassign", P, who="@carol")),
        (f"/passdown handover {P} @octo/web-team", Command("reassign", P, who="@octo/web-team")),
        (f"/passdown approve {'a' * 64}", Command("approve", "a" * 64)),
        (f"/passdown approve {'a' * 65}", None),
        (f"/passdown approve {P} # and go", None),
        (f"/passdown handover {P} @carol @dave", None),
        (f"/passdown handover {P} @-carol", None),
        (f"/passdown narrow {P} src/x.py", None),
        (f"/passdown narrow {P} +", None),
        (f"/passdown narrow {P} +a\u200bb", None),
        (f"/passdown approve {P}; rm -rf .", None),
        (f"/passdown approve {P}\x1b[2K", None),
        (f"/passdown approve {P}\nfine\n  /passdown rollback {P}", None),
    ],
)  # fmt: skip
def test_an_answer_is_read_as_it_stands(body, wanted):
    assert is_command(body)
    if wanted is None:
        with pytest.raises(PassdownError):
            command_of(body)
    else:
        assert command_of(body) == wanted


@given(st.text(max_size=60))
def test_whatever_follows_an_answer_is_read_or_refused(tail):
    body = f"/passdown approve {P}{tail}"
    try:
        found = command_of(body)
    except PassdownError:
        return
    assert found.answer == "approve"
    assert found.packet.startswith(P)
    assert not found.specs


@given(st.text(max_size=80))
def test_no_text_breaks_the_reader(text):
    if is_command(text):
        try:
            assert command_of(text).answer in ANSWERS.values()
        except PassdownError:
            return
