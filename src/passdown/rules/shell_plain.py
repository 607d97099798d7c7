"""Reads the plain majority of command lines without a grammar: ``cd x && a --b "c" 2>&1 | tail -5``.

What it reads, it reads as the grammar does (a test compares the two), but for redirections before a pipe, which the
grammar binds wrongly; everything else it leaves alone.
"""

from __future__ import annotations

from passdown.rules.patterns import lazy
from passdown.rules.shell_call import Call
from passdown.rules.shell_words import inner_script, plain

TRIVIAL = {
    "cd", "echo", "export", "set", "source", ".", "mkdir", "cat", "printf", "true", "pushd", "popd", "unset",
    "sleep", "touch", "rm", "cp", "mv", "chmod", "which", "pwd", "ls", "date", "shopt", "ulimit", "local",
    "declare", "eval", "tee", "head", "tail",
}  # fmt: skip
_WORD = r"""(?:[A-Za-z0-9_./:@,+%=~*?^-]|'[^'\n]*'|"(?:[^"$`\\\n]|\\[^$`\n])*")+"""
_REDIRECT = r"2>(?:&1|[ ]?/dev/null)"
_COMMAND = rf"[A-Za-z0-9_./~][A-Za-z0-9_./:@,+%~-]*(?:[ ]+{_WORD})*(?:[ ]+{_REDIRECT})?"
_LINE = lazy(rf"[ ]*{_COMMAND}(?:[ ]+(?:&&|\|)[ ]+{_COMMAND})*[ \n]*")
_TOKEN = lazy(rf"{_REDIRECT}|&&|\||{_WORD}")
_GRAMMAR = lazy(
    r"(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|in|select|function|time|coproc|export|declare"
    r"|typeset|readonly|local|unset|unsetenv|set)$|[A-Za-z_]\w*\+?=|\d+$"
)
_FOLDER = lazy(r"""(?:cd|pushd)\s+(?:"([^"]+)"|'([^']+)'|([^\s;&|]+))""")
_LONGEST = 2000

Words = tuple[str, ...]


def plain_calls(line: str) -> tuple[Call, ...] | None:
    """The programs of a line of plain words, ``&&`` and one pipe at its end; None: the grammar must read it."""
    if len(line) > _LONGEST or _LINE.fullmatch(line) is None:
        return None
    chain, pipe = _split(line)
    if chain is None:
        return None
    return _in_order(chain, pipe, folder_of(line.lstrip()) if len(chain) > 1 else None)


def _split(line: str) -> tuple[list[Words] | None, list[Words]]:
    """The commands joined by ``&&`` and those behind the pipe; None where a word means something to the grammar."""
    parts: list[list[str]] = [[]]
    pipe_at = 0
    for part in _TOKEN.findall(line):
        if part in {"&&", "|"}:
            if part == "&&" and pipe_at:
                return None, []
            pipe_at = pipe_at or (len(parts) if part == "|" else 0)
            parts.append([])
        elif not part.startswith("2>"):
            parts[-1].append(part)
    commands = [tuple(plain(word) for word in words) for words in parts]
    for raw, words in zip(parts, commands, strict=True):
        if _GRAMMAR.match(raw[0]) or inner_script(words) is not None:
            return None, []
    return (commands[:pipe_at], commands[pipe_at:]) if pipe_at else (commands, [])


def _in_order(chain: list[Words], pipe: list[Words], folder: str | None) -> tuple[Call, ...]:
    ready = all(trivial(words) for words in chain[:-1])
    found = [Call(words, blamed=False, folder=folder if number else None) for number, words in enumerate(chain[:-1])]
    parts = [chain[-1], *pipe]
    for number, words in enumerate(parts, 1):
        last = number == len(parts)
        found.append(Call(words, vouched=last, blamed=last and ready, pipe=tuple(parts[number:]), folder=folder))
    return tuple(found)


def trivial(words: Words) -> bool:
    """A program that hardly ever ends a chain by itself."""
    return bool(words) and (words[0] in TRIVIAL or words[:2] == ("git", "add"))


def folder_of(text: str) -> str | None:
    """``x`` of ``cd x``."""
    found = _FOLDER.match(text)
    return next((group for group in found.groups() if group), None) if found else None
