"""How long ``passdown --version`` and ``--help`` take against a bare click command, and what importing costs."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from measure import PASSDOWN, Case, budget, interleave, medians, process, show

ROUNDS = 30
LIMIT = 1.3
BARE = """\
import click

@click.command()
def main():
    click.echo("bare")

main()
"""


def bare_command(folder: Path) -> list[str]:
    """A click command that prints one word: the floor for every verb."""
    script = folder / "bare.py"
    script.write_text(BARE)
    return [sys.executable, str(script)]


def import_milliseconds() -> float:
    """What Python itself says about importing the command line, in milliseconds."""
    shown = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", "import passdown.cli.main"],
        capture_output=True,
        text=True,
        check=True,
    ).stderr
    return int(shown.splitlines()[-1].split("|")[1]) / 1000


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        bare = bare_command(Path(folder))
        taken = interleave(
            {
                "bare click command": Case(lambda: process(bare)),
                "passdown --version": Case(lambda: process([PASSDOWN, "--version"])),
                "passdown --help": Case(lambda: process([PASSDOWN, "--help"])),
            },
            ROUNDS,
        )
    show("Start-up", taken)
    print(f"  import of passdown.cli.main          {import_milliseconds():.1f} ms by -X importtime")
    middle = medians(taken)
    floor = middle.pop("bare click command")
    kept = [budget(f"{name} / bare click command", seconds / floor, LIMIT) for name, seconds in middle.items()]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
