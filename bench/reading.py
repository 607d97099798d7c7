"""How fast sessions are read against merely decoding their lines: at least 60 % of that speed.

Decoding is what a program that wants nothing of a transcript but its values would do: ``for line in open(...)`` and one
``msgspec.json.Decoder().decode`` a line. Seconds of the processor, each in a process of its own: other work on the
machine counts for nothing. What either side loads and builds once (modules, decoders) is put in place before its clock
begins; ``startup.py`` and ``pack.py`` count that. Reading is the normalised stream of records. All facts of a session
(checks, claims, dead ends, redaction) are measured beside it, without a budget of their own: they count in ``pack``.

``reading.py FILE...`` measures real transcripts instead, each read again and again in one process, and names the worst;
opening a file and looking for its side files weighs in the small ones.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import median

from measure import Case, budget, interleave, medians, show
from pack import own_seconds
from workload import claude_transcript, codex_transcript, workload

ROUNDS = 7
SPEED = 0.6
DECODE = """\
import sys, time
from msgspec.json import Decoder
decode = Decoder().decode
begun = time.process_time()
with open(sys.argv[1], "rb") as file:
    for line in file:
        decode(line)
print(time.process_time() - begun)
"""
READ = """\
import sys, time
from pathlib import Path
from passdown.agents.sessions import reader_of
path = Path(sys.argv[1])
reader = reader_of(path)
next(reader.read(path))
begun = time.process_time()
for record in reader.read(path):
    pass
print(time.process_time() - begun)
"""
FACTS = """\
import sys, time
from pathlib import Path
from passdown.agents.sessions import read_session
begun = time.process_time()
read_session(Path(sys.argv[1]))
print(time.process_time() - begun)
"""
MEMORY = """\
import re, sys
from pathlib import Path
from passdown.agents.sessions import read_session
def peak():
    return int(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024
before = peak()
read_session(Path(sys.argv[1]))
print(peak() - before)
"""
AGAIN = """\
import sys, time
from pathlib import Path
from msgspec import DecodeError
from msgspec.json import Decoder
from passdown.agents.sessions import reader_of
path, decode_line = Path(sys.argv[1]), Decoder().decode
reader = reader_of(path)
def decode():
    with path.open("rb") as file:
        for line in file:
            try:
                decode_line(line)
            except DecodeError:
                pass
def read():
    for record in reader.read(path):
        pass
def best(run):
    taken = []
    for _ in range(9):
        begun = time.process_time()
        run()
        taken.append(time.process_time() - begun)
    return min(taken)
print(best(decode) / best(read))
"""


def printed(program: str, transcript: Path) -> float:
    """The number that a small program prints about a transcript."""
    done = subprocess.run([sys.executable, "-c", program, str(transcript)], capture_output=True, text=True, check=True)
    return float(done.stdout)


def real(transcripts: list[Path]) -> int:
    """Show decoding / reading of each file, the worst last."""
    ratios = sorted(((printed(AGAIN, one), one) for one in transcripts), reverse=True)
    for ratio, one in ratios:
        print(f"  {ratio:5.2f}  {one.stat().st_size / 1e6:7.2f} MB  {one.name}")
    print(f"  decoding / reading: median {median(ratio for ratio, _ in ratios):.2f}, worst {ratios[-1][0]:.2f}")
    return 0


def main() -> int:
    if len(sys.argv) > 1:
        return real([Path(name) for name in sys.argv[1:]])
    kept = []
    with workload(files=200) as work:
        for agent, transcript in (("claude", claude_transcript(work)), ("codex", codex_transcript(work))):
            taken = interleave(
                {
                    f"{agent}: decoding": Case(lambda t=transcript: own_seconds(DECODE, work.home, str(t))),
                    f"{agent}: reading": Case(lambda t=transcript: own_seconds(READ, work.home, str(t))),
                    f"{agent}: all facts": Case(lambda t=transcript: own_seconds(FACTS, work.home, str(t))),
                },
                ROUNDS,
            )
            size, added = transcript.stat().st_size / 1e6, printed(MEMORY, transcript)
            show(f"Reading a {agent} session of {size:.1f} MB (adds {added:.0f} MB of memory)", taken)
            decoding, reading, facts = medians(taken).values()
            print(f"       decoding / all facts: {decoding / facts:.2f}")
            kept.append(budget("decoding / reading", decoding / reading, SPEED, at_least=True))
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
