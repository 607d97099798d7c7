from __future__ import annotations

import pytest

from passdown.packet.parsing import broken


@pytest.mark.parametrize(
    ("path", "now", "line"),
    [
        ("a.py", b"def f(:\n", 1),
        ("a.py", b"x = 1\n\nprint((\n", 3),
        ("a.json", b'{"a": 1,\n', 2),
        ("a.toml", b"a = [1,\n", None),
    ],
)
def test_a_cut_file_is_told_with_its_line(path: str, now: bytes, line: int | None) -> None:
    fault = broken(path, now, lambda: b"")
    assert fault is None or (fault.path, fault.line) == (path, line)
    assert broken(path, now, lambda: None) is not None


@pytest.mark.parametrize(
    ("path", "now", "before"),
    [
        ("a.py", b"x = 1\n", None),
        ("a.py", b"print 'two'\n", b"print 'one'\n"),
        ("a.py", b"x = '\\d'\n", None),
        ("a.py", b"(" * 3000, b"x"),
        ("tsconfig.json", b"// comment\n{}", None),
        ("a.rs", b"fn (", None),
        ("a.json", b'{"a": 1}', None),
        ("a.toml", b"\xff", None),
    ],
)
def test_what_cannot_be_told_or_never_parsed_is_no_fault(path: str, now: bytes, before: bytes | None) -> None:
    found = broken(path, now, lambda: before)
    assert found is None or b"((((" in now
