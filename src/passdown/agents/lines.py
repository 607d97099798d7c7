"""Transcripts as lines: read lazily, decoded once, bearing what is broken."""

from __future__ import annotations

import io
import re
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
BUFFER = 256 * 1024
_NEWLINE, _BRACE = b"\n{"
_LINE_END = re.compile(b"\n")

# Number of the line; the line, empty where it was too long to keep; whether a newline ended it.
Line = tuple[int, bytes, bool]


class _Flat(io.RawIOBase):
    """The bytes of a file; of a line that goes on past ``LONGEST`` the rest is left out, so that memory stays flat."""

    def __init__(self, raw: Any) -> None:
        self._raw, self._since = raw, 0  # bytes since the last newline, or some more

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count: int = self._raw.readinto(buffer)
        if _LINE_END.search(buffer, 0, count) is not None:
            self._since = count
            return count
        self._since += count
        while count and self._since - len(buffer) > LONGEST:  # so that what is cut is seen to be too long
            count = self._raw.readinto(buffer)
            if (end := _LINE_END.search(buffer, 0, count)) is not None:
                self._since = count - end.start()
                buffer[: self._since] = bytes(buffer[end.start() : count])
                return self._since
        return count

    def tell(self) -> int:
        return int(self._raw.tell())

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Frames(io.RawIOBase):
    """Decompressed bytes; a damaged end reads as the end of the file, so that what came before counts."""

    def __init__(self, stream: Any, damage: type[Exception]) -> None:
        self._stream, self._damage, self._given = stream, damage, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data: bytes = self._stream.read(len(buffer))
        except self._damage:
            return 0
        buffer[: len(data)] = data
        self._given += len(data)
        return len(data)

    def tell(self) -> int:
        return self._given

    def close(self) -> None:
        self._stream.close()
        super().close()


def open_transcript(path: Path) -> IO[bytes]:
    """Open a transcript, compressed (zstd) or not; PassdownError where it cannot be read."""
    try:
        kind = path.stat().st_mode
        if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):  # a device or pipe may never end
            raise PassdownError(f"{path} is no file, so no transcript", "name the .jsonl file of a session")
        raw = path.open("rb", buffering=0)
        packed = raw.read(len(ZSTD_MAGIC)) == ZSTD_MAGIC
        raw.seek(0)
    except IsADirectoryError:
        raise PassdownError(f"{path} is a folder, not a transcript", "name the .jsonl file in it") from None
    except FileNotFoundError:
        raise PassdownError(f"there is no transcript {path}", "`passdown session --list` shows those found") from None
    except OSError as error:
        raise PassdownError(f"cannot read {path}: {error.strerror}", "check the name and the rights") from None
    return io.BufferedReader(_Flat(_unpacked(raw, path) if packed else raw), BUFFER)


def _unpacked(stream: IO[bytes], path: Path) -> io.RawIOBase:
    try:
        import zstandard  # noqa: PLC0415 - optional, for compressed rollouts alone
    except ImportError:
        stream.close()
        hint = 'install "passdown[zstd]", or unpack it with `zstd -d`'
        raise PassdownError(f"{path} is compressed with zstd, which this installation cannot read", hint) from None
    reader = zstandard.ZstdDecompressor().stream_reader(stream, read_across_frames=True)
    return _Frames(reader, zstandard.ZstdError)


def odd(number: int, data: bytes) -> tuple[bytes, bool] | None:
    """Return what counts of a line that is no plain object, and whether a newline ended it; None where it is blank."""
    whole = data[-1] == _NEWLINE
    if len(data) > LONGEST:
        return b"", whole
    if data[0] == _BRACE:
        return data, whole
    stripped = (data.removeprefix(BOM) if number == 0 else data).strip(BLANK)
    return (stripped, whole) if stripped else None


def lines(path: Path, *, until: int | None = None) -> Iterator[Line]:
    """Yield the lines that hold something, of the first ``until`` bytes alone if given."""
    with open_transcript(path) as stream:
        for number, data in enumerate(stream):
            if until is not None and stream.tell() - len(data) >= until:
                break
            if data[0] == _BRACE and data[-1] == _NEWLINE and len(data) <= LONGEST:
                yield number, data, True
            elif (found := odd(number, data)) is not None:
                yield number, *found


def first_lines(path: Path, count: int) -> list[bytes]:
    """Return the first lines that hold something."""
    return [data for _, data, _ in islice(lines(path), count)]
