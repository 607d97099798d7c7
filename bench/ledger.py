"""The ledger: what an append costs, how fast the index is rebuilt, and whether a million facts slow down reading.

python bench/ledger.py [FACTS]
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from passdown.ledger import batch, journal
from passdown.ledger.ledger import Ledger
from passdown.model.event import Note
from passdown.store import open_ledger

AT = "2026-11-30T10:00:00+00:00"
RECORDS = 60


def main(facts: int) -> None:
    with tempfile.TemporaryDirectory(prefix="passdown-bench-") as folder:
        home = Path(folder) / "r/.git/passdown"
        subprocess.run(["git", "init", "-q", str(home.parents[1])], check=True)
        ledger = open_ledger(home)
        note(ledger, "warm")
        append(home, ledger)
        before = reading(home)
        write_facts(home, facts)
        seconds = timed(ledger.flush)
        print(f"commit {facts:,} facts: {seconds:.1f} s ({facts / seconds:,.0f}/s)")
        after = reading(home)
        for name, old in before.items():
            print(
                f"{name}: {old:.2f} ms with none, {after[name]:.2f} ms with {facts:,} facts ({after[name] / old:.2f} x)"
            )
        append(home, ledger)
        rebuild(home, facts)


def note(ledger: Ledger, text: str) -> None:
    ledger.append(Note(task="t", kind="step", text=text, by="agent"), task="t", at=AT)


def append(home: Path, ledger: Ledger) -> None:
    """One after the other, so that both see the same load; the bare import commits as many new objects."""
    ours, bare = [], []
    for _ in range(RECORDS):
        ours.append(timed(lambda: note(ledger, "more")) * 1000)
        commands = import_commands()
        bare.append(one_import(home, commands) * 1000)
    ours_p50, bare_p50 = statistics.median(ours), statistics.median(bare)
    more = ours_p50 - bare_p50
    print(f"append: {ours_p50:.1f} ms, its git fast-import alone {bare_p50:.1f} ms (+{more:.1f} ms; budget 10)")


def import_commands() -> bytes:
    new = os.urandom(900).hex().encode()
    return batch.stream(
        f"refs/bench/{new[:32].decode()}", batch.RawBatch("", None, new, b"", {"0" * 64: new[::-1]}), AT
    )


def one_import(home: Path, commands: bytes) -> float:
    git = ["git", f"--git-dir={home}/store.git", "fast-import", "--quiet", "--date-format=raw"]
    return timed(lambda: subprocess.run(git, input=commands, check=True, capture_output=True))


def write_facts(home: Path, count: int) -> None:
    """As hooks write them, in one go."""
    with (journal.folder(home) / "open").open("ab") as file:
        for n in range(count):
            data = {"path": f"src/module_{n % 977}.py", "rule": f"B{n % 9}", "tool": "Edit"}
            fact = {"id": f"{n:032x}", "kind": "touch", "at": AT, "task": f"t{n % 50}", "data": data}
            file.write(b"\n" + json.dumps(fact).encode() + b"\n")


def reading(home: Path) -> dict[str, float]:
    """Milliseconds, median, of a ledger opened anew, as a command does."""

    def one(ask: Callable[[Ledger], object]) -> float:
        times = []
        for _ in range(21):
            ledger = open_ledger(home)
            times.append(timed(lambda ledger=ledger: ask(ledger)) * 1000)
            ledger.close()
        return statistics.median(times)

    return {
        "records(task)": one(lambda ledger: ledger.records(task="t")),
        "records(all)": one(lambda ledger: ledger.records()),
        "alarms()": one(lambda ledger: ledger.alarms()),
    }


def rebuild(home: Path, facts: int) -> None:
    for name in ("index.db", "index.db-wal", "index.db-shm"):
        (home / name).unlink(missing_ok=True)
    ledger = open_ledger(home)
    seconds = timed(lambda: ledger.records(task="t"))
    print(f"rebuild, signatures verified: {seconds:.1f} s ({facts / seconds:,.0f} facts/s; budget 50,000)")
    ledger.close()
    print(f"index.db: {(home / 'index.db').stat().st_size / 1e6:.0f} MB")


def timed(action: Callable[[], object]) -> float:
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
