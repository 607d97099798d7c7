"""System calls that no mount and no Landlock rule holds: the kernel's keyrings, and typing into the terminal.

Standard library alone: it runs inside, before the command.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Sequence

_LOAD, _AND, _EQUAL, _RETURN = 0x20, 0x54, 0x15, 0x06  # BPF: a word of the call, a mask, a comparison, the verdict
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM
_NUMBER, _ARCH, _SECOND_ARGUMENT = 0, 4, 24
_NOT_X32 = 0xBFFFFFFF
_TYPING = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
_CALLS: dict[str, tuple[tuple[int, tuple[int, ...], int], ...]] = {
    "x86_64": ((0xC000003E, (248, 249, 250), 16), (0x40000003, (286, 287, 288), 54)),
    "aarch64": ((0xC00000B7, (217, 218, 219), 29), (0x40000028, (309, 310, 311), 54)),
}
"""By machine, its own calls and the 32-bit ones: the audit number, add_key, request_key and keyctl, then ioctl."""


def known() -> bool:
    """Whether this machine's calls are known."""
    return os.uname().machine in _CALLS


def close() -> bool:
    """Refuse them to this process and its children, which can gain no privileges any more; False: not this machine."""
    calls = _CALLS.get(os.uname().machine)
    if calls is None:
        return False
    code = b"".join(struct.pack("=HBBI", *each) for each in program(calls))
    held = ctypes.create_string_buffer(code)
    told = struct.pack("HL", len(code) // 8, ctypes.addressof(held))
    refused: int = ctypes.CDLL(None, use_errno=True).prctl(22, 2, ctypes.c_char_p(told), 0, 0)
    return refused == 0


def program(calls: Sequence[tuple[int, tuple[int, ...], int]]) -> list[tuple[int, int, int, int]]:
    """The filter: ``(operation, jump if so, jump if not, value)`` each."""
    found = [(_LOAD, 0, 0, _ARCH)]
    for arch, keys, ioctl in calls:
        block = _block(keys, ioctl)
        found += [(_EQUAL, 0, len(block), arch), *block]
    return [*found, (_RETURN, 0, 0, _ALLOW)]


def _block(keys: Sequence[int], ioctl: int) -> list[tuple[int, int, int, int]]:
    typing = [(_LOAD, 0, 0, _SECOND_ARGUMENT), *((_EQUAL, len(_TYPING) - n, 0, c) for n, c in enumerate(_TYPING))]
    tail = [*typing, (_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _REFUSE)]
    refuse = len(tail) - 1
    tests = [(_EQUAL, refuse + len(keys) - n, 0, key) for n, key in enumerate(keys)]
    number = [(_LOAD, 0, 0, _NUMBER), (_AND, 0, 0, _NOT_X32)]
    return [*number, *tests, (_EQUAL, 0, len(typing), ioctl), *tail]
