"""What the numbers of 10,000 tasks cost: `passdown metrics`, its page, and counting all tasks for them once.

python bench/metrics.py [TASKS]
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from histories import History, history
from measure import PASSDOWN, budget

from passdown.cli.accounts import every
from passdown.cli.context import Context
from passdown.cli.web_desk import RepositoryDesk
from passdown.ledger.batch import Manifest
from passdown.ledger.check import Batch, Stated
from passdown.ledger.fact import Fact
from passdown.ledger.statement import Clock
from passdown.ledger.writer import ensure_writer
from passdown.model.event import TYPES
from passdown.model.packet import Packet
from passdown.store.sqlite import SqliteProjection

ROUNDS = 3
COUNTING, FIRST, AGAIN = 2.5, 0.4, 0.2
"""Times the CPU of decoding every packet of the record once, as a whole: counting all tasks for the first time, as
`serve` does before it says its address; the first look of a server at the page, and each after it."""


def main(tasks: int) -> int:
    made = history(tasks, 7)
    with tempfile.TemporaryDirectory(prefix="passdown-bench-") as folder:
        root = Path(folder) / "r"
        git = ("git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@example.test")
        subprocess.run(["git", "init", "-q", str(root)], check=True)
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "Begin"], check=True)
        index(root / ".git/passdown", made)
        os.chdir(root)
        print(f"{tasks:,} tasks, {len(made.records):,} records, {len(made.touches):,} touches; seconds of CPU")
        packets = [msgspec.json.encode(r.body) for r in made.records if isinstance(r.body, Packet)]
        whole = best(lambda: [msgspec.json.decode(each, type=Packet) for each in packets])
        print(f"  decoding {len(packets):,} packets whole   {whole:.2f}")
        counting = cpu(lambda: every(Context(reads=True)))
        print(f"  counting every task             {counting:.2f}")
        desk = RepositoryDesk()
        first = best(lambda: RepositoryDesk().numbers("30d"))
        desk.numbers("30d")
        again = best(lambda: desk.numbers("30d"))
        print(f"  the page, first look            {first:.2f}")
        print(f"  the page, again                 {again:.2f}")
        print(f"  passdown metrics                {min(command() for _ in range(ROUNDS)):.2f}")
        kept = [budget("counting every task, to decoding whole packets", counting / whole, COUNTING)]
        kept.append(budget("the page's first look, to the same", first / whole, FIRST))
        kept.append(budget("the page again, to the same", again / whole, AGAIN))
    return 0 if all(kept) else 1


def index(home: Path, made: History) -> None:
    """The index as it is once all that was committed, by one writer: nothing is signed, as reading asks for none."""
    home.mkdir()
    writer = ensure_writer(home)
    projection = SqliteProjection(home / "index.db")
    statements = [
        Stated(
            id=record.id, type=TYPES[type(record.body)], task=record.task, at=record.at, writer=writer.id,
            sequence=number, clock=Clock(lamport=number), body=msgspec.json.encode(record.body), envelope=b"",
            public=writer.public, people=False, sound=True,
        )
        for number, record in enumerate(made.records, 1)
    ]  # fmt: skip
    facts = [
        Fact(id=f"{n:032x}", kind="touch", at=t.at, task=t.task, data={"path": t.path, "where": t.where})
        for n, t in enumerate(made.touches)
    ]
    said = Manifest(
        writer=writer.id, public=writer.public, epoch="2026q4", number=1, previous=None, sequence=1,
        lamport=len(statements), at="2026-11-30T12:00:00Z", statements=[], facts="", fact_count=len(facts), segments={},
    )  # fmt: skip
    with projection.adding():
        projection.add(Batch("0" * 40, said, sound=True, statements=statements, facts=facts))
        for clock in projection.clocks():
            projection.settle_clock(clock, holds=True)
        for link in projection.links():
            projection.settle_link(link, holds=True)
    projection.close()


def command() -> float:
    """The whole process, its children included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([PASSDOWN, "metrics"], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def best(action: Callable[[], object]) -> float:
    return min(cpu(action) for _ in range(ROUNDS))


def cpu(action: Callable[[], object]) -> float:
    begun = time.process_time()
    action()
    return time.process_time() - begun


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
