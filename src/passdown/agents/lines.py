"""Transcripts as lines: read lazily, decoded once, bearing what is broken."""

from __future__ import annotations

import io
import stat
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

from passdown.errors import PassdownError

LONGEST = 32 * 1024 * 1024  # bytes; a longer line is not kept, so that memory stays flat
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
BOM = b"\xef\xbb\xbf"
BLANK = b"\r\n \t\0"
BUFFER = 64 * 1024
_NEWLINE, _BRACE = b"\n{"

# Number of the line; the line, empty where it was too long to keep; whether a newline ended it.
Line = tuple[int, bytes, bool]


class _Frames(io.RawIOBase):
    """Decompressed bytes; a damaged end reads as the end of the file, so that what came before counts."""

    def __init__(self, stream: Any, damage: type[Exception]) -> None:
        self._stream, self._damage = stream, damage

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data: bytes = self._stream.read(len(buffer))
        except self._damage:
            return 0
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()


def open_transcript(path: Path) -> IO[bytes]:
    """Open a transcript, compressed (zstd) or not; PassdownError where it cannot be read."""
    try:
        kind = path.stat().st_mode
        if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):  # a device or pipe may never end
            raise PassdownError(f"{path} is no file, so no transcript", "name the .jsonl file of a session")
        stream = io.BufferedReader(path.open("rb", buffering=0), BUFFER)
        packed = stream.peek(4)[:4] == ZSTD_MAGIC
    except IsADirectoryError:
        raise PassdownError(f"{path} is a folder, not a transcript", "name the .jsonl file in it") from None
    except FileNotFoundError:
        raise PassdownError(f"there is no transcript {path}", "`passdown session --list` shows those found") from None
    except OSError as error:
        raise PassdownError(f"cannot read {path}: {error.strerror}", "check the name and the rights") from None
    return _unpacked(stream, path) if packed else stream


def _unpacked(stream: IO[bytes], path: Path) -> IO[bytes]:
    try:
        import zstandard  # noqa: PLC0415 - optional, for compressed rollouts alone
    except ImportError:
        stream.close()
        hint = 'install "passdown[zstd]", or unpack it with `zstd -d`'
        raise PassdownError(f"{path} is compressed with zstd, which this installation cannot read", hint) from None
    reader = zstandard.ZstdDecompressor().stream_reader(stream, read_across_frames=True)
    return io.BufferedReader(_Frames(reader, zstandard.ZstdError), BUFFER)


def lines(path: Path, *, until: int | None = None) -> Iterator[Line]:
    """Yield the lines that hold something, the first ``until`` bytes' alone if given."""
    number = offset = 0
    with open_transcript(path) as stream:
        readline = stream.readline
        while data := readline(LONGEST):
            if until is not None:
                if offset >= until:
                    break
                offset += len(data)
            whole = data[-1] == _NEWLINE
            if data[0] == _BRACE and (whole or len(data) < LONGEST):
                yield number, data, whole
            elif not whole and len(data) == LONGEST:
                skipped, whole = _skip_line(stream)
                offset += skipped
                yield number, b"", whole
            elif stripped := (data.removeprefix(BOM) if number == 0 else data).strip(BLANK):
                yield number, stripped, whole
            number += 1


def _skip_line(stream: IO[bytes]) -> tuple[int, bool]:
    """Read on to the end of the line; say how many bytes that were and whether a newline was there."""
    skipped = 0
    while data := stream.readline(BUFFER):
        skipped += len(data)
        if data.endswith(b"\n"):
            return skipped, True
    return skipped, False


def first_lines(path: Path, count: int) -> list[bytes]:
    """Return the first lines that hold something."""
    return [data for _, data, _ in islice(lines(path), count)]
