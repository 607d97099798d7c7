"""Every benchmark but the one with other tools, each in its own process; fails if a budget is exceeded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
BENCHMARKS = (
    ["startup.py"],
    ["snapshot.py"],
    ["reading.py"],
    ["pack.py"],
    ["guard.py"],
    ["review.py"],
    ["ledger.py", "100000"],
    ["metrics.py"],
)


def main() -> int:
    failed = [
        name
        for name, *args in BENCHMARKS
        if subprocess.run([sys.executable, HERE / name, *args], check=False).returncode
    ]
    print("\nover budget: " + ", ".join(failed) if failed else "\nevery budget is kept")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
