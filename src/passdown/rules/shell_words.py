"""Words of a shell command: quotes off, wrappers (``env``, ``timeout 60``, ``uv run``) looked through."""

from __future__ import annotations

import re
from collections.abc import Callable

from passdown.rules.patterns import lazy

Words = tuple[str, ...]
_MOST_WRAPPERS = 8
_SHELLS = {"bash", "sh", "zsh", "dash", "ksh", "fish", "pwsh", "powershell", "cmd"}
_ASSIGNMENT = lazy(r"[A-Za-z_]\w*=")
_ESCAPE = lazy(r"\\(.)", re.DOTALL)
_ENDINGS = {".exe", ".cmd", ".bat"}
_ESCAPED = lazy(r'\\(["\\$`])')
_QUOTED = lazy(r"""(['"])(.*?)\1""")
_DRIVE = lazy(r"[A-Za-z]:\\")
_COMMAND_OPTION = lazy(r"-\w*c$")
_PYTHON = lazy(r"python[\d.]+$")
_BIN = lazy(r"(?:^|/)bin/")
_DURATION = lazy(r"\d+(?:\.\d+)?[smhd]?$")


def plain(word: str) -> str:
    """A word without its quotes, as far as that is possible without expanding anything."""
    if word[:1] == "'" and word[-1:] == "'" and len(word) > 1:
        return word[1:-1]
    if word[:1] == '"' and word[-1:] == '"' and len(word) > 1:
        return _ESCAPED.sub(r"\1", word[1:-1])
    if "'" not in word and '"' not in word and "\\" not in word:
        return word
    if "\\" in word and _DRIVE.match(word):
        return word
    return _ESCAPE.sub(r"\1", _QUOTED.sub(r"\2", word))


def program(word: str) -> str:
    r"""``pytest`` of ``./.venv/bin/pytest`` and ``gradlew`` of ``.\\gradlew.bat``."""
    name = word[max(word.rfind("/"), word.rfind("\\")) + 1 :]
    return name[:-4] if name[-4:].lower() in _ENDINGS else name


def inner_script(words: Words) -> str | None:
    """The script of ``bash -lc SCRIPT`` (also behind ``env``, ``timeout``, ``docker exec``), else None."""
    bare = unwrap(words)
    name = program(bare[0]) if bare else ""
    if name == "eval" and len(bare) > 1 and not any("$" in word for word in bare):
        return " ".join(bare[1:])
    if len(bare) < 3 or name not in _SHELLS:  # noqa: PLR2004 - shell, option, script
        return None
    valued = False
    for index, word in enumerate(bare[1:-1], 1):
        if _COMMAND_OPTION.match(word) or word.lower() in {"-command", "/c"}:
            return bare[index + 1]
        if not valued and not word.startswith("-") and not (name == "cmd" and word.startswith("/")):
            return None
        valued = word.startswith("-") and word.endswith("o")
    return None


def inner_options(words: Words) -> tuple[bool, bool]:
    """``(pipefail, errexit)`` of the shell that ``words`` start: ``bash -eo pipefail -c``."""
    options = [word for word in unwrap(words)[1:] if word.startswith("-") or word == "pipefail"]
    short = "".join(word for word in options if not word.startswith("--"))
    return "pipefail" in options, "e" in short.replace("pipefail", "").partition("c")[0]


def _options(words: Words, start: int, valued: set[str]) -> int:
    """Index of the first word after the options that begin at ``start``; ``valued`` ones take a word."""
    index = start
    while index < len(words) and words[index].startswith("-") and words[index] != "-":
        if words[index] == "--":
            return index + 1
        index += 2 if words[index] in valued else 1
    return index


def _env(words: Words) -> Words:
    index = _options(words, 1, {"-u", "-C", "-S", "-e", "-f"})
    while index < len(words) and _ASSIGNMENT.match(words[index]):
        index += 1
    return words[index:]


def _timeout(words: Words) -> Words:
    index = _options(words, 1, {"-s", "-k", "--signal", "--kill-after"})
    return words[index + 1 :] if index < len(words) and _DURATION.match(words[index]) else ()


def _after(valued: str = "") -> Callable[[Words], Words]:
    taking = set(valued.split())
    return lambda words: words[_options(words, 1, taking) :]


def _runner(*verbs: str, valued: str = "") -> Callable[[Words], Words]:
    """``poetry run X`` and its like: what follows one of ``verbs``; () where it does something else."""
    taking = set(valued.split())

    def strip(words: Words) -> Words:
        index = _options(words, 1, taking)
        if index >= len(words) or words[index] not in verbs:
            return ()
        return words[_options(words, index + 1, taking) :]

    return strip


def _python(words: Words) -> Words:
    index = 1
    while index < len(words) and words[index].startswith("-"):
        if words[index] == "-m" and index + 1 < len(words):
            return words[index + 1 :]
        if words[index] in {"-c", "-"}:
            return ()
        index += 2 if words[index] in {"-W", "-X"} else 1
    return words[index:] if index < len(words) and _BIN.search(words[index]) else ()


_DOCKER_VALUED = {
    "--entrypoint", "--env", "--env-file", "--file", "--label", "--mount", "--name", "--network", "--platform",
    "--profile", "--project-name", "--publish", "--rm-name", "--user", "--volume", "--workdir", "-e", "-f",
    "-l", "-p", "-u", "-v", "-w",
}  # fmt: skip


def _docker(words: Words) -> Words:
    index = _options(words, 1, _DOCKER_VALUED)
    if words[index : index + 1] == ("compose",):
        return _docker(("docker", *words[index + 1 :]))
    if index >= len(words) or words[index] not in {"exec", "run"}:
        return ()
    return words[_options(words, index + 1, _DOCKER_VALUED) + 1 :]


def _conda(words: Words) -> Words:
    return _runner("run", valued="-n --name -p --prefix --cwd")(words)


def _npm(words: Words) -> Words:
    index = _options(words, 1, {"--filter", "-F", "-C", "--dir", "--prefix", "-w", "--workspace"})
    if index < len(words) and words[index] in {"exec", "x", "dlx"}:
        return words[_options(words, index + 1, {"-p", "--package", "-c"}) :]
    return ()


_WRAPPERS: dict[str, Callable[[Words], Words]] = {
    "env": _env,
    "cross-env": _env,
    "sudo": _after("-u -g -C -D -h"),
    "doas": _after("-u"),
    "nohup": _after(),
    "time": _after("-f -o"),
    "gtime": _after("-f -o"),
    "nice": _after("-n"),
    "ionice": _after("-c -n"),
    "stdbuf": _after(),
    "setsid": _after(),
    "command": lambda words: () if words[1:2] in (("-v",), ("-V",)) else _after()(words),
    "exec": _after(),
    "builtin": _after(),
    "caffeinate": _after(),
    "unbuffer": _after(),
    "rtk": _after(),
    "xargs": _after("-n -P -I -L -d"),
    "timeout": _timeout,
    "gtimeout": _timeout,
    "xvfb-run": _after("-s -n -e --server-args"),
    "uv": _runner(
        "run", valued="--with --extra --group --project --directory -p --python --env-file --package --only-group"
    ),
    "uvx": _after("--with --from -p --python"),
    "pipx": _runner("run", valued="--spec --python"),
    "poetry": _runner("run", valued="-C --directory -P"),
    "pipenv": _runner("run"),
    "pdm": _runner("run", valued="-p --project"),
    "rye": _runner("run"),
    "pixi": _runner("run", valued="-e --environment --manifest-path"),
    "conda": _conda,
    "mamba": _conda,
    "micromamba": _conda,
    "npx": _after("-p --package -c"),
    "bunx": _after("-p --package"),
    "npm": _npm,
    "pnpm": _npm,
    "yarn": _npm,
    "bun": _npm,
    "opam": _runner("exec"),
    "symfony": lambda words: words[1:] if words[1:2] == ("php",) else (),
    "bundle": _runner("exec"),
    "direnv": lambda words: words[3:] if words[1:2] == ("exec",) else (),
    "devbox": _runner("run"),
    "nix": lambda words: words[words.index("-c") + 1 :] if "-c" in words else (),
    "dotenv": lambda words: words[words.index("--") + 1 :] if "--" in words else (),
    "docker": _docker,
    "podman": _docker,
    "docker-compose": _docker,
    "python": _python,
    "python3": _python,
    "py": _python,
    "php": lambda words: words[1:] if len(words) > 1 and ("/" in words[1] or words[1] == "artisan") else (),
    "node": lambda words: words[1:] if len(words) > 1 and "node_modules" in words[1] else (),
    "coverage": lambda words: _python(("python", *words[2:])) if words[1:2] == ("run",) else (),
}


def unwrap(words: Words) -> Words:
    """``words`` without the programs that only run another one."""
    for _ in range(_MOST_WRAPPERS):
        while words and (_ASSIGNMENT.match(words[0]) or words[0] == "&"):
            words = words[1:]
        if not words:
            return words
        name = program(words[0])
        wrapper = _WRAPPERS.get("python" if name.startswith("python") and _PYTHON.match(name) else name)
        inner = wrapper(words) if wrapper else ()
        if not inner:
            return words
        words = inner
    return words
