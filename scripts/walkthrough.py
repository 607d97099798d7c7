"""Write docs/walkthrough.md: the reviewer's first screen of one packet of each kind (``make walkthrough``)."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "demo"))

from run import environment  # noqa: E402 -- the demo's folder is no package

from support.repo import Repo  # noqa: E402 -- as above
from support.sessions import Sessions  # noqa: E402 -- as above
from support.walkthrough import SCENES, Scene, document, screen_of  # noqa: E402 -- as above

OUT = ROOT / "docs" / "walkthrough.md"


def screen(scene: Scene) -> str:
    """The scene's screen, in a home of its own."""
    with tempfile.TemporaryDirectory(prefix="passdown-walkthrough-") as scratch:
        place = Path(scratch).resolve()
        os.environ.clear()
        os.environ.update(environment(place / "home") | {"CODEX_HOME": str(place / "home" / ".codex")})
        repo = Repo.create(place / "billing")
        return screen_of(scene, repo, Sessions(place / "home" / ".claude", place / "home" / ".codex"))


def main() -> None:
    """Lay, pack and review each."""
    OUT.write_text(document({scene.template: screen(scene) for scene in SCENES}), encoding="utf-8")
    print(f"wrote {OUT.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
