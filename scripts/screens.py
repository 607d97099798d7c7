"""Write docs/screens/*.png: the pages of the demo's packet in a real browser, wide and narrow, light and dark."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "demo"))

from replay import lay_project, lay_session  # noqa: E402 -- the demo's folder is no package
from run import environment  # noqa: E402 -- as above

OUT = ROOT / "docs" / "screens"
VIEWS = ((1440, "light"), (1440, "dark"), (390, "light"), (390, "dark"))
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@contextmanager
def served() -> Iterator[str]:
    """The address of the demo's packet."""
    with tempfile.TemporaryDirectory(prefix="passdown-screens-") as scratch:
        place = Path(scratch).resolve()
        env = environment(place / "home")
        project = place / "billing"
        lay_project(project, env)
        lay_session(project, place / "home" / ".claude")
        subprocess.run(["passdown", "pack"], cwd=project, env=env, check=True, capture_output=True)
        command = ["passdown", "review", "--web"]
        server = subprocess.Popen(command, cwd=project, env=env, stdout=subprocess.PIPE, text=True)
        try:
            yield server.stdout.readline().strip() if server.stdout else ""
        finally:
            server.terminate()
            server.wait()


def main() -> None:
    """Take the pictures."""
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("passdown: no chromium: apt-get install chromium")
    OUT.mkdir(exist_ok=True)
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for width, scheme in VIEWS:
            context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
            page = context.new_page()
            page.goto(address)
            for part in page.locator(".part summary.load-into").all():
                part.click()
            page.locator(".timeline").wait_for()
            page.locator(".picture").wait_for()
            page.locator("#effect p").first.wait_for()
            page.screenshot(path=OUT / f"review-{width}-{scheme}.png", full_page=True)
            context.close()
        browser.close()
    print(f"wrote {OUT.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
