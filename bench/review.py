"""`review` against `show`, and the page's first paint, on a packet of three files and on one of 5,000.

`passdown review --web` itself is running when the browser asks: the first paint is from the request on.
"""

from __future__ import annotations

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from measure import PASSDOWN, budget, process, show
from playwright.sync_api import Browser, sync_playwright

FILES = 5000
ROUNDS = 5
SCREEN = 2.0
CPU = 0.5
PAINT = 1.0
"""Seconds from asking for the page to its first paint."""
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
FIRST_PAINT = """new Promise(done => new PerformanceObserver(list => {
  const told = list.getEntriesByName("first-contentful-paint")[0];
  if (told) done(told.startTime);
}).observe({type: "paint", buffered: true}))"""
OWNERS = "* @all\n" + "".join(f"/made/{number}/ @team{number % 7}\n" for number in range(50))


def lay(root: Path, files: int, env: dict[str, str]) -> None:
    """A project of 2,000 files with 51 lines of CODEOWNERS, and a packet of so many changed ones."""
    root.mkdir(parents=True)
    _write(root, {"CODEOWNERS": OWNERS, **{f"src/m{n % 40}/f{n}.py": "x = 1\n" for n in range(2000)}})
    for command in (
        ["init", "-q", "-b", "main"],
        ["add", "-A"],
        ["commit", "-q", "-m", "Begin"],
        ["switch", "-qc", "work"],
    ):
        process(["git", *command], root, env)
    _write(root, {f"made/{n % 50}/{n}.py": f"x = {n}\n" for n in range(files)})
    process([PASSDOWN, "pack", "--no-check", "--goal", "make many files"], root, env)


def _write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def timed(verbs: tuple[str, ...], root: Path, env: dict[str, str]) -> tuple[dict[str, list[float]], dict[str, float]]:
    """Each verb in turn: its seconds, and the median of its CPU seconds (its children's too)."""
    wall: dict[str, list[float]] = {verb: [] for verb in verbs}
    cpu: dict[str, list[float]] = {verb: [] for verb in verbs}
    for number in range(ROUNDS + 1):
        for verb in verbs:
            before, begun = _children(), time.perf_counter()
            process([PASSDOWN, verb], root, env)
            if number:
                wall[verb].append(time.perf_counter() - begun)
                cpu[verb].append(_children() - before)
    return wall, {verb: statistics.median(values) for verb, values in cpu.items()}


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def painted(root: Path, env: dict[str, str]) -> tuple[dict[str, list[float]], float]:
    """Seconds until the served page is whole and until a browser first paints it; the server's CPU seconds for one."""
    server = subprocess.Popen(
        [PASSDOWN, "review", "--web"], cwd=root, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    try:
        address = server.stdout.readline().strip() if server.stdout else ""
        if not address:
            sys.exit("passdown review --web did not start")
        if chromium is None:
            print("  no chromium: first paint is not measured")
            used = _cpu(server.pid)
            return {"the whole page": [_whole(address) for _ in range(ROUNDS)]}, (_cpu(server.pid) - used) / ROUNDS
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            cold = [_first_paint(browser, address)]
            used = _cpu(server.pid)
            rounds = [(_whole(address), _first_paint(browser, address)) for _ in range(ROUNDS)]
            pages = {
                "the very first paint": cold,
                "the whole page": [one for one, _ in rounds],
                "first paint": [one for _, one in rounds],
            }
            return pages, (_cpu(server.pid) - used) / 3 / ROUNDS  # a browser asks for the page and for its effect
    finally:
        server.terminate()
        server.wait()


def _cpu(pid: int) -> float:
    """CPU seconds of a process and of those that it waited for; 0 where the system does not say."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return 0.0
    fields = stat.read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _whole(address: str) -> float:
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    begun = time.perf_counter()
    with opener.open(address) as answer:
        answer.read()
    return time.perf_counter() - begun


def _first_paint(browser: Browser, address: str) -> float:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(address)
    told = page.evaluate(FIRST_PAINT)
    page.locator("#effect p").first.wait_for()  # the page asks once more: not beside the next one that is timed
    page.close()
    return float(told) / 1000


def main() -> int:
    kept = []
    with tempfile.TemporaryDirectory(prefix="passdown-bench-") as scratch:
        home = Path(scratch).resolve() / "home"
        home.mkdir()
        (home / ".gitconfig").write_text("[user]\n\tname = Alice\n\temail = alice@example.com\n")
        env = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
        env |= {"HOME": str(home), "CLAUDE_CONFIG_DIR": str(home / ".claude"), "CODEX_HOME": str(home / ".codex")}
        for files in (3, FILES):
            root = Path(scratch).resolve() / str(files)
            lay(root, files, env)
            wall, cpu = timed(("show", "review"), root, env)
            pages, used = painted(root, env)
            show(f"A packet of {files:,} files", {**wall, **pages})
            print(f"  CPU: show {cpu['show'] * 1000:.0f} ms, review {cpu['review'] * 1000:.0f} ms")
            ratio = statistics.median(wall["review"]) / statistics.median(wall["show"])
            kept.append(budget(f"review / show, {files:,} files", ratio, SCREEN))
            kept.append(budget(f"review / show, {files:,} files, CPU", cpu["review"] / cpu["show"], SCREEN))
            kept.append(budget(f"CPU of the server for a page, {files:,} files, seconds", used, CPU))
            for name, taken in pages.items():  # shown beside its budget and not counted: what else runs here adds to it
                budget(f"{name}, seconds, the quickest", min(taken), PAINT)
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
