"""The first screen alone, of each kind: goal, what is not verified, what may be touched next, what undoes it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from passdown.packet.text import cells
from support.repo import Repo
from support.sessions import Sessions
from support.walkthrough import FIRST, SCENES, Scene, answers, document, screen_of, steady

PAGE = Path(__file__).resolve().parents[2] / "docs" / "walkthrough.md"


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.template)
def test_the_first_screen_answers_the_four_questions(scene: Scene, repo: Repo, sessions: Sessions):
    wide = screen_of(scene, repo, sessions)
    packet = repo.passdown("show", "--json").check().json()
    assert packet["template"] == scene.template
    narrow = repo.passdown("review", env={"COLUMNS": "80"}).check().out
    for screen, columns in ((wide, 100), (narrow, 80)):
        for (question, _, words), lines in zip(scene.asked, answers(scene, screen).values(), strict=True):
            missing = [word for word in words if not any(word in line for line in lines)]
            assert not missing or columns < 100, (question, missing, screen)
            assert lines, (question, screen)
        assert max(cells(line) for line in screen.splitlines()) <= columns
    assert len(wide.partition("Answer  ")[0].strip().splitlines()) < FIRST
    assert f"```text\n{steady(wide)}\n```" in steady(PAGE.read_text()), "make walkthrough"


def test_the_page_has_one_of_each_kind_that_ships():
    shipped = {path.stem for path in TEMPLATES.glob("*.toml")}
    assert {scene.template for scene in SCENES} == shipped
    screens = dict(
        zip((s.template for s in SCENES), re.findall(r"```text\n(.*?)\n```", PAGE.read_text(), re.DOTALL), strict=True)
    )
    assert PAGE.read_text() == document(screens)


TEMPLATES = PAGE.parents[1] / "src" / "passdown" / "packet" / "templates"
