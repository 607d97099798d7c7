"""package.json and composer.json: their scripts, and which of them a package manager's command runs."""

from __future__ import annotations

import json
import posixpath
from typing import Any

from msgspec import Struct

from passdown.checks.tree import TreeView

MANAGERS = frozenset({"npm", "pnpm", "yarn", "bun"})
RUNNERS = frozenset({"turbo", "nx", "lerna", "npm-run-all", "run-s", "run-p", "wireit"})
"""Programs that run scripts of many packages, or many of one."""
_FOLDER = ("--prefix", "-C", "--dir", "--cwd")
_CHOOSES = ("-w", "--workspace", "--filter", "-F", "--scope", "-p", "--projects")
_EVERYWHERE = ("-ws", "--workspaces", "-r", "--recursive", "-A", "--all")
_VALUED = (*_FOLDER, *_CHOOSES, "-t", "--target", "--targets")
_INSTALL = ("install", "i", "ci", "add", "clean-install", "install-test", "it", "cit")
_ON_INSTALL = ("install", "prepare", "prepublish")
"""Scripts that installing runs, each with its ``pre`` and ``post``."""


class PackageCall(Struct, frozen=True):
    """The scripts that a command runs, the folder it names, and whether other packages' scripts are meant."""

    scripts: tuple[str, ...]
    folder: str = ""
    everywhere: bool = False


def package_scripts(view: TreeView, folder: str = "") -> dict[str, str]:
    """The scripts of the package.json in ``folder``; {} where it has none or is no JSON."""
    scripts = package(view, folder).get("scripts")
    return {k: v for k, v in scripts.items() if isinstance(v, str)} if isinstance(scripts, dict) else {}


def composer_scripts(view: TreeView, folder: str = "") -> dict[str, list[str]]:
    """The scripts of the composer.json in ``folder``, each as a list of commands."""
    scripts = json_object(view.text(posixpath.join(folder, "composer.json"))).get("scripts")
    entries = scripts.items() if isinstance(scripts, dict) else ()
    listed = ((name, [text] if isinstance(text, str) else text) for name, text in entries)
    return {name: [t for t in texts if isinstance(t, str)] for name, texts in listed if isinstance(texts, list)}


def package(view: TreeView, folder: str = "") -> dict[str, Any]:
    """The package.json in ``folder``; {} where it is none."""
    return json_object(view.text(posixpath.join(folder, "package.json")))


def json_object(text: str | bytes) -> dict[str, Any]:
    """The object that a file is; {} where it is none."""
    try:
        value = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def package_call(name: str, words: tuple[str, ...]) -> PackageCall:
    """What ``npm --prefix web test``, ``yarn workspace web test`` or ``turbo run test`` runs; conservatively."""
    folder, everywhere = "", name in {"turbo", "nx", "lerna"}
    plain: list[str] = []
    chosen: list[str] = []
    rest = list(words[1:])
    while rest:
        word = rest.pop(0)
        option, equals, value = word.partition("=")
        if word == "--":
            break
        if option in _VALUED:
            value = value if equals else (rest.pop(0) if rest else "")
            folder = value if option in _FOLDER else folder
            everywhere = everywhere or option in _CHOOSES
            chosen += value.split(",") if option in {"-t", "--target", "--targets"} else []
        elif word.startswith("-"):
            everywhere = everywhere or word in _EVERYWHERE
        else:
            plain.append(word)
    if name == "yarn" and plain[:1] in (["workspace"], ["workspaces"]):
        everywhere, plain = True, plain[2 if plain[0] == "workspace" else 1 :]
    while plain[:1] and plain[0] in {"run", "run-script", "run-many", "foreach", "affected", "exec"}:
        plain = plain[1:]
    many = name in RUNNERS
    installs = name in MANAGERS and (plain[0] in _INSTALL if plain else name == "yarn")
    scripts = [*chosen, *(_ON_INSTALL if installs else plain if many else plain[:1])]
    named = ("test" if script in {"t", "tst"} else script for script in scripts)
    return PackageCall(
        tuple(part for script in named for part in {script, script.rpartition(":")[2]}), folder, everywhere
    )
