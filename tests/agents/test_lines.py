from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from passdown.agents import lines as module
from passdown.agents.lines import first_lines, lines
from passdown.errors import PassdownError

KINDS = {
    "plain": (b"{a}\n{b}\n", [(0, b"{a}\n", True), (1, b"{b}\n", True)]),
    "no last newline": (b"{a}\n{b", [(0, b"{a}\n", True), (1, b"{b", False)]),
    "byte order mark": (b"\xef\xbb\xbf{a}\n", [(0, b"{a}", True)]),
    "carriage returns and blank lines": (b"\r\n\n  \n{a}\r\n", [(3, b"{a}\r\n", True)]),
    "zeros": (b"\0\0\0\n\0{a}\0\n", [(1, b"{a}", True)]),
    "empty": (b"", []),
}


@pytest.mark.parametrize(("data", "expected"), KINDS.values(), ids=KINDS.keys())
def test_lines_keep_their_numbers(tmp_path: Path, data: bytes, expected: list[object]) -> None:
    path = tmp_path / "t"
    path.write_bytes(data)
    assert list(lines(path)) == expected


def test_a_line_too_long_to_keep_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST", 16)
    path = tmp_path / "t"
    path.write_bytes(b"{a}\n{" + b"x" * 90 + b"}\n{b}\n{" + b"y" * 40)
    assert list(lines(path)) == [(0, b"{a}\n", True), (1, b"", True), (2, b"{b}\n", True), (3, b"", False)]


@pytest.mark.parametrize("seed", range(20))
def test_of_a_long_line_only_its_beginning_is_ever_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(module, "LONGEST", 256)
    monkeypatch.setattr(module, "BUFFER", 64)
    dice = random.Random(seed)
    sizes = [dice.choice((10, 60, 64, 200, 256, 300, 5_000)) for _ in range(40)]
    path = tmp_path / "t"
    path.write_bytes(b"".join(b"{" + b"x" * (size - 2) + b"\n" for size in sizes))
    with module.open_transcript(path) as stream:
        held = [len(line) for line in stream]
    assert max(held) <= 256 + 4 * 64
    assert [(number, len(data)) for number, data, _ in lines(path)] == [
        (number, size if size <= 256 else 0) for number, size in enumerate(sizes)
    ]


def test_only_the_first_bytes_where_a_fork_says_so(tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_bytes(b"{a}\n{b}\n{c}\n")
    assert [data for _, data, _ in lines(path, until=8)] == [b"{a}\n", b"{b}\n"]


def test_zstd_is_read_by_its_content_and_a_damaged_end_is_the_end(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    packed = zstandard.ZstdCompressor().compress(b'{"a":1}\n' * 50_000)
    whole, cut = tmp_path / "w.jsonl", tmp_path / "c.jsonl.zst"
    whole.write_bytes(packed)
    cut.write_bytes(packed[: len(packed) // 2])
    assert sum(1 for _ in lines(whole)) == 50_000
    assert first_lines(whole, 2) == [b'{"a":1}\n'] * 2
    assert 0 <= sum(1 for _ in lines(cut)) < 50_000


def test_zstd_without_its_library_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "r.jsonl.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd....")
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(PassdownError, match="compressed with zstd") as caught:
        first_lines(path, 1)
    assert "passdown[zstd]" in caught.value.hint


def test_what_cannot_be_opened_is_said_plainly(tmp_path: Path) -> None:
    with pytest.raises(PassdownError, match="is a folder"):
        first_lines(tmp_path, 1)
    with pytest.raises(PassdownError, match="there is no transcript"):
        first_lines(tmp_path / "none", 1)
