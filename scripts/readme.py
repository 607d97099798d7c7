"""Put the demo's real output between the markers of README.md (``make readme``)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
BEGIN = "<!-- demo: begin (make readme) -->"
END = "<!-- demo: end -->"


def main() -> int:
    """Run the demo; a demo that fails leaves README.md as it was."""
    done = subprocess.run(
        [sys.executable, ROOT / "demo" / "run.py"],
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "COLUMNS": "100"},
        text=True,
        check=False,
    )
    if done.returncode:
        print(done.stdout)
        return done.returncode
    before, rest = README.read_text().split(BEGIN)
    _, after = rest.split(END)
    shown = "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())
    README.write_text(f"{before}{BEGIN}\n```text\n{shown}\n```\n{END}{after}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
