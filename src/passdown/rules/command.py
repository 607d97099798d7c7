"""A check's command, compared and judged as a shell would read it."""

from __future__ import annotations

import re
import shlex

from passdown.rules.patterns import lazy
from passdown.rules.shell_call import Call
from passdown.rules.shell_words import inner_script, program, unwrap

_SHELL_CHARACTERS = lazy(r"[|&;<>()$`\\\n*?\[#~{}!]|^\w+=|\s\w+=")
_AROUND = {"cd", "echo", "printf", "export", "set", "source", ".", "true", ":", "pushd", "popd", "mkdir", "unset"}
_PYTEST_LOOKS = lazy(r"-q+|-v+|--quiet|--verbose|--tb=.*|--color=.*|--no-header|--no-summary|-r\w*|-s|--durations=.*")
_SUBSTITUTION = lazy(r"\$\([^()]*\)|`[^`]*`")
_RENAMED = lazy(r"(?:^|[\s;&|({])(?:function\s+[\w.+-]+|[\w.+-]+\s*\(\s*\))\s*[{(]|(?:^|[\s;&|({])alias\s+[\w.+-]+=")
"""A function or an alias: a program of that name is not what runs."""
_CONTAINERS = frozenset(("docker", "docker-compose", "podman"))


def text(run: str | list[str]) -> str:
    """The command as one string; a list is shell-quoted."""
    return run if isinstance(run, str) else shlex.join(run)


def programs(run: str | list[str]) -> list[tuple[str, ...]]:
    """The words of each program that the command runs, wrappers (``uv run``) still in front."""
    if not isinstance(run, str):
        return [tuple(run)] if run else []
    if not _SHELL_CHARACTERS.search(run):
        try:
            words = tuple(shlex.split(run))
        except ValueError:
            return []
        if not words or inner_script(words) is None:
            return [words] if words else []
    return [call.words for call in _of_shell(run)]


def _of_shell(line: str) -> list[Call]:
    from passdown.rules.shell import calls  # noqa: PLC0415 - most commands are one plain program

    return list(calls(line))


def judged(run: str | list[str]) -> list[tuple[str, ...]]:
    """The programs that the command is about: no ``cd`` or ``echo``, no filter behind a pipe, wrappers off."""
    return [unwrap(call.words) for call in about(run)]


def about(run: str | list[str]) -> list[Call]:
    """The same as they stand in the line: wrappers on, each with its folder and what its exit code is worth."""
    found = [call for call in _calls(run) if call.words and program(call.words[0]) not in _AROUND]
    filters = {words for call in found for words in call.pipe}
    return [call for call in found if call.words not in filters]


def _calls(run: str | list[str]) -> list[Call]:
    if isinstance(run, str) and _SHELL_CHARACTERS.search(run):
        return _of_shell(run)
    return [Call(words=words) for words in programs(run)]


def masked(run: str | list[str]) -> bool:
    """Whether exit code 0 does not vouch for each program: ``|| true``, ``; echo``, a pipe without pipefail."""
    plain = text(run).strip()
    if _RENAMED.search(plain):
        return True
    if not _SHELL_CHARACTERS.search(plain) or not (isinstance(run, str) or inner_script(tuple(run))):
        return False
    while _SUBSTITUTION.search(plain):  # `test -z "$(gofmt -l .)"` judges the text itself
        plain = _SUBSTITUTION.sub("X", plain)
    if plain.startswith("! ") and not re.search(r"[|;&]", plain):
        return False
    found = [call for call in _of_shell(plain) if program(call.words[0]) not in _AROUND | {"exit", "return"}]
    return not found or not all(call.vouched and call.words[0] != "trap" for call in found)


Key = tuple[str, tuple[str, ...]]


def key(run: str | list[str], root: str = "", cwd: str | None = None) -> Key | None:
    """``(folder, words)`` by which two commands are the same check; None where it is not one program."""
    found = keys(run, root, cwd)
    return found[0] if len(found) == 1 else None


def keys(run: str | list[str], root: str = "", cwd: str | None = None) -> list[Key | None]:
    """:func:`key` of each program that it is about; None where ``xargs`` gives it words that nobody sees.

    In a container it is not what it is outside.
    """
    return [_key(call, root, cwd) for call in about(run)]


def _key(call: Call, root: str, cwd: str | None) -> Key | None:
    words = unwrap(call.words)
    around = {program(word) for word in call.words[: len(call.words) - len(words)]}
    if not words or "xargs" in around:
        return None
    words = (program(words[0]), *words[1:])
    if words[0] in {"pytest", "py.test"}:
        words = ("pytest", *(w for w in words[1:] if not _PYTEST_LOOKS.fullmatch(w)))
    if around & _CONTAINERS:
        words = ("in a container", *words)
    return _folder(call.folder, cwd, root), words


def _folder(folder: str | None, cwd: str | None, root: str) -> str:
    at = cwd or root
    if folder is not None:
        at = folder if folder.startswith("/") else f"{at}/{folder}" if at else folder
    at = at.rstrip("/")
    base = root.rstrip("/")
    if base and (at == base or at.startswith(base + "/")):
        at = at[len(base) + 1 :]
    elsewhere = "/" if base and at.startswith("/") else ""
    return elsewhere + "/".join(part for part in at.split("/") if part not in ("", "."))


def operands(words: tuple[str, ...]) -> list[str]:
    """Words that are no options: what narrows a test run to a part of the suite."""
    return [word for word in words[1:] if not word.startswith("-")]


def tool(run: str | list[str]) -> str:
    """The program whose exit code ends the command: ``pytest`` of ``cd x && uv run pytest``, else ""."""
    found = judged(run)
    return program(found[-1][0]) if found and found[-1] else ""
