"""Timing for the benchmarks: cases interleaved A B A B in one run, medians, ratios against a budget."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

BIN = Path(sys.executable).parent
PASSDOWN = str(BIN / "passdown")


class Case(NamedTuple):
    """What is timed, and what is put in place before each time (not timed). ``run`` may return its own seconds."""

    run: Callable[[], float | None]
    before: Callable[[], object] = lambda: None


def interleave(cases: Mapping[str, Case], rounds: int, *, warm: int = 1) -> dict[str, list[float]]:
    """Seconds of every case, ``rounds`` times, in turn; the first ``warm`` rounds are not counted."""
    taken: dict[str, list[float]] = {name: [] for name in cases}
    for number in range(rounds + warm):
        for name, case in cases.items():
            case.before()
            begun = time.perf_counter()
            own = case.run()
            seconds = own if own is not None else time.perf_counter() - begun
            if number >= warm:
                taken[name].append(seconds)
    return taken


def medians(taken: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """The median of each case, in seconds."""
    return {name: statistics.median(values) for name, values in taken.items()}


def process(argv: Sequence[str], cwd: Path | None = None, env: Mapping[str, str] | None = None, code: int = 0) -> None:
    """Run a process quietly; anything but ``code`` ends the benchmark with its output."""
    done = subprocess.run(
        argv, cwd=cwd, env={**os.environ, **(env or {})}, stdin=subprocess.DEVNULL, capture_output=True, check=False
    )
    if done.returncode != code:
        sys.exit(f"{argv} -> {done.returncode}\n{done.stdout.decode()}\n{done.stderr.decode()}")


def show(title: str, taken: Mapping[str, Sequence[float]]) -> None:
    """A table of medians and 95th percentiles in milliseconds."""
    print(f"\n{title}")
    for name, values in taken.items():
        print(f"  {name:<34} median {statistics.median(values) * 1000:8.1f} ms   p95 {p95(values) * 1000:8.1f} ms")


def p95(values: Sequence[float]) -> float:
    """The 95th percentile (the largest, of few)."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(len(ranked) * 0.95))]


def budget(what: str, value: float, limit: float, *, at_least: bool = False) -> bool:
    """Print a ratio beside its budget; whether it is kept."""
    kept = value >= limit if at_least else value <= limit
    print(f"  {'ok  ' if kept else 'OVER'} {what}: {value:.2f} (budget {'>=' if at_least else '<='} {limit:.2f})")
    return kept
