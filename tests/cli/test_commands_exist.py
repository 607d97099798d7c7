"""Every command that a hold's lines name can be typed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

import passdown.rules
from passdown.cli.main import cli

FOLDER = Path(passdown.rules.__file__).parent
NAMED = re.compile(r"""(?:(?<=["'])|or )(passdown (?:[^"'`\n]|"\.\.\.")+)""")
TEXTS = [re.sub(r"\{[^{}]*\}", "7c1e9a2", path.read_text()) for path in sorted(FOLDER.glob("hold*.py"))]
FOUND = sorted({found[1] for text in TEXTS for found in NAMED.finditer(text)})


def parses(command: click.Command, words: list[str]) -> None:
    if isinstance(command, click.Group) and words:
        inner = command.get_command(click.Context(command), words[0])
        assert inner is not None, words
        parses(inner, words[1:])
    else:
        command.make_context(command.name, words)


@pytest.mark.parametrize("line", FOUND)
def test_a_named_command_parses(line):
    parses(cli, shlex.split(line)[1:])


CI_PAGE = Path(__file__).parents[2] / "docs" / "ci.md"
CI_LINES = sorted(set(re.findall(r"^[ -]*(passdown [^#\n>|`]+)", CI_PAGE.read_text(), re.MULTILINE)))


@pytest.mark.parametrize("line", CI_LINES)
def test_the_page_on_ci_names_what_can_be_typed(line):
    parses(cli, shlex.split(line)[1:])


def test_the_table_names_commands():
    assert len(FOUND) > 10
