"""The parent's counter: what is malformed, too long, too slow or too much ends alone, and the rest is served."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from types import SimpleNamespace

import msgspec
import pytest

from passdown.sandbox import broker
from passdown.sandbox.broker import Parent, serving
from passdown.sandbox.budget import Bucket, Budget
from passdown.sandbox.messages import LONGEST, Asked, Kept, Touched, read
from support.process import TIMEOUT, until

ECHO = "import sys; m = sys.stdin.read(); print(len(m)); print('aside', file=sys.stderr); sys.exit(5)"
LONG = "import time,sys; print('began', flush=True); time.sleep(3600)"
FLOOD = "import sys; sys.stdout.write('x' * 20_000_000)"


@pytest.fixture
def counter(tmp_path):
    """Begin a counter with this program behind it; the lines that it kept."""
    with contextlib.ExitStack() as ends:

        def begin(program=ECHO):
            kept = []
            parent = Parent([sys.executable, "-c", program], str(tmp_path), dict(os.environ), kept.append)
            path, desk = ends.enter_context(serving(parent, str(tmp_path)))
            return path, desk, kept

        yield begin


def to(path):
    asked = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    asked.connect(path)  # without a limit of time: a full backlog would end that at once
    asked.settimeout(TIMEOUT)
    return asked


def send(path, message):
    asked = to(path)
    asked.send(message if isinstance(message, bytes) else msgspec.json.encode(message))
    return asked


def answer(asked):
    pieces = []
    with asked:
        while piece := asked.recv(1 << 17):
            pieces.append(piece)
    return pieces


ASKED = Asked(verb="note", args=["hello"], cwd="/")
LINE = Kept(kind="touch", data=Touched(session="s", where="outside-blocked", path="x"))

BAD = {
    "nothing": b"",
    "no JSON": b"\xff\xfe{",
    "half a message": b'{"type":"asked","verb":"no',
    "another kind": b'{"type":"statement","verdict":"approve"}',
    "a person's verb": b'{"type":"asked","verb":"review","args":["--approve"],"cwd":"/"}',
    "a field of its own": b'{"type":"asked","verb":"note","args":[],"cwd":"/","env":{"PATH":"x"}}',
    "a number for a word": b'{"type":"asked","verb":"note","args":[1],"cwd":"/"}',
    "a NUL in a word": b'{"type":"asked","verb":"note","args":["a\\u0000b"],"cwd":"/"}',
    "a NUL in the folder": b'{"type":"asked","verb":"note","args":[],"cwd":"/a\\u0000"}',
    "too many words": msgspec.json.encode({"type": "asked", "verb": "note", "args": ["x"] * 1000, "cwd": "/"}),
    "a word too long": msgspec.json.encode({"type": "asked", "verb": "note", "args": ["x" * 30_000], "cwd": "/"}),
    "deep": b'{"type":"asked","verb":' + b"[" * 30_000 + b"]" * 30_000 + b"}",
    "objects in objects": b'{"type":"kept","kind":"touch","data":{"path":' + b'{"a":' * 12_000,
    "objects in an unknown field": b'{"type":"kept","kind":"touch","data":{},"more":' + b'{"a":' * 12_000,
    "a whole line for the journal": b'{"statement":"0","public":"x","envelope":{}}',
    "a line of another kind": b'{"type":"kept","kind":"statement","data":{}}',
    "a line that says what landed": b'{"type":"kept","kind":"touch","data":{"where":"outside-landed"}}',
    "a line with its own time": b'{"type":"kept","kind":"touch","at":"2020-01-01T00:00:00Z","data":{}}',
    "a line break in a name": b'{"type":"kept","kind":"touch","data":{"session":"a\\nb"}}',
    "a lone surrogate": b'{"type":"kept","kind":"touch","data":{"path":"\\udc80"}}',
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_message_is_refused_and_changes_nothing(name):
    assert read(BAD[name]) is None


def test_refused_messages_end_their_connection_alone(counter):
    path, desk, kept = counter()
    assert answer(send(path, BAD["no JSON"])) == [b"!not a message that the sandbox takes (at most 64 KB)"]
    assert answer(send(path, b"x" * (LONGEST + 1)))[0].startswith(b"!")
    assert answer(send(path, BAD["objects in objects"]))[0].startswith(b"!")
    assert answer(send(path, ASKED))[-1] == b"=5"
    assert desk.dropped == 3
    assert kept == []


def test_a_verb_is_answered_as_it_comes_and_with_its_code(counter):
    path, _, _ = counter()
    pieces = answer(send(path, ASKED))
    size = len(msgspec.json.encode(ASKED))
    assert b"".join(p[1:] for p in pieces if p[:1] == b"1") == f"{size}\n".encode()
    assert b"".join(p[1:] for p in pieces if p[:1] == b"2") == b"aside\n"
    assert pieces[-1] == b"=5"


def test_who_connects_and_is_silent_holds_up_nobody(counter):
    path, desk, kept = counter()
    silent = []
    for _ in range(150):  # more than wait at a time: the oldest go
        silent.append(to(path))
        until(lambda: len(desk._waiting) + desk.dropped >= len(silent))  # the backlog is shorter
    send(path, LINE).close()
    until(lambda: kept == [LINE])
    assert answer(send(path, ASKED))[-1] == b"=5"
    for each in silent:
        each.close()


def test_who_goes_away_ends_what_they_asked_for(counter):
    path, desk, _ = counter(LONG)
    asked = send(path, ASKED)
    assert asked.recv(100).startswith(b"1began")
    asked.close()
    until(lambda: not desk._serving)


def test_the_end_of_the_sandbox_ends_what_still_runs(tmp_path):
    kept = []
    parent = Parent([sys.executable, "-c", LONG], str(tmp_path), dict(os.environ), kept.append)
    with serving(parent, str(tmp_path)) as (path, _):
        asked = send(path, ASKED)
        assert asked.recv(100).startswith(b"1began")
        send(path, LINE).close()
    assert b"=" not in b"".join(answer(asked)), "no code: it did not end by itself"
    assert kept == [LINE], "what was sent before the end is kept"


def test_output_has_an_end(counter):
    path, _, _ = counter(FLOOD)
    pieces = answer(send(path, ASKED))
    assert sum(map(len, pieces)) < 5_000_000
    assert pieces[-1] == b"=0"


def test_too_many_lines_are_left_out_and_counted(counter, monkeypatch):
    monkeypatch.setattr(broker, "time", SimpleNamespace(monotonic=lambda: 0.0))  # none comes back meanwhile
    path, desk, kept = counter()
    for _ in range(2500):
        with send(path, LINE):
            pass
    until(lambda: len(kept) + desk.dropped == 2500)
    assert len(kept) == 2000


@pytest.mark.parametrize(("message", "size", "most"), [(ASKED, 60_000, 133), (LINE, 30_000, 1066)])
def test_one_run_says_no_more_than_fits(message, size, most):
    budget = Budget()
    passed = [not budget.refuses(message, size, now=n * 10.0) for n in range(2000)]
    assert sum(passed) == most


def test_a_bucket_fills_again():
    bucket = Bucket(2, 1)
    assert [bucket.take(now) for now in (0, 0, 0, 1, 1, 9, 9, 9)] == [True, True, False, True, False, True, True, False]


def test_a_folder_that_is_a_link_or_long_is_no_matter(tmp_path):
    deep = tmp_path / ("d" * 100) / ("e" * 100)
    deep.mkdir(parents=True)
    parent = Parent([sys.executable, "-c", ECHO], str(deep), dict(os.environ), print)
    with serving(parent, str(deep)) as (path, _):
        assert path.startswith(str(deep))
        at = os.open(deep, os.O_PATH)
        assert answer(send(f"/proc/self/fd/{at}/broker", ASKED))[-1] == b"=5"
        os.close(at)
