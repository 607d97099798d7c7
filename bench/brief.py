"""Tokens of a session, of our brief and of what others hand over for it, by a real tokenizer (``make bench-brief``).

PASSDOWN_CORPUS names a folder of transcripts with labels (``labels/<agent>/<file>.json``); each is packed in a scratch
repository of its own, its folder's name replaced. Without it one generated session is. The exit code is 1 where a fact
that must be kept, or that a label names, is not in the brief.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from measure import process
from workload import Workload, claude_transcript, workload

from passdown.agents.sessions import read_session
from passdown.model.packet import Packet
from support.must_keep import QUOTE, missing
from support.repo import Repo

TOKENIZER = "gpt-tokenizer@4.0.0"
OTHERS = ("dimissory==0.0.8", "context-handoff-bundle==0.5.0")
BYTES = 1024 * 1024
BEGIN = 60
CORPUS = os.environ.get("PASSDOWN_CORPUS", "")
COUNT = """\
import { readFileSync } from "node:fs";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
const texts = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map((text) => countTokens(text, { allowedSpecial: "all" }))));
"""


class Session(NamedTuple):
    """A transcript in the repository that it speaks of; what its label says, {} where there is none."""

    name: str
    repo: Repo
    transcript: Path
    label: dict[str, Any]


class Handed(NamedTuple):
    """What each tool would give the next run."""

    raw: str
    passdown: str
    dimissory: str
    bundle: str


def main() -> int:
    rows, gone = [], []
    with tempfile.TemporaryDirectory(prefix="passdown-brief-") as folder:
        tools = install(Path(folder))
        with workload(files=50) as work:
            for session in sessions(work, Path(folder)):
                handed, lost = hand_over(session, tools)
                rows.append((session.name, *count(tools, handed)))
                gone += [f"{session.name}: {fact}" for fact in lost]
    print("| session | raw | passdown | dimissory | context-handoff-bundle |\n|---|---|---|---|---|")
    for row in rows:
        print("| " + " | ".join(f"{cell:,}" if isinstance(cell, int) else cell for cell in row) + " |")
    print(*gone or ["every fact that must be kept is in its brief"], sep="\n")
    return 1 if gone else 0


def install(folder: Path) -> Path:
    """A folder with the tokenizer and the other tools."""
    venv.create(folder / "venv", with_pip=True)
    process([str(folder / "venv/bin/python"), "-m", "pip", "install", "-q", *OTHERS])
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "count.js").write_text(COUNT)
    process(["npm", "install", "--silent", TOKENIZER], folder)
    return folder


def sessions(work: Workload, folder: Path) -> Iterator[Session]:
    """The labelled ones, else the generated one."""
    labels = sorted(Path(CORPUS).glob("labels/*/*.json")) if CORPUS else []
    for number, path in enumerate(labels, 1):
        yield retold(json.loads(path.read_text()), Path(CORPUS), folder / f"repo{number}")
    if not labels:
        yield Session("generated", work.repo, claude_transcript(work, BYTES), {})


def retold(label: dict[str, Any], corpus: Path, root: Path) -> Session:
    """The transcript with its folder's name replaced, and the files that it wrote, changed."""
    cwd = label["cwd"].rstrip("/\\")
    text = (corpus / label["file"]).read_text(errors="surrogateescape")
    for spelled in {cwd, json.dumps(cwd)[1:-1]}:
        text = text.replace(spelled, str(root))
    transcript = root.with_suffix(".jsonl")
    transcript.write_text(text, errors="surrogateescape")
    repo = Repo.create(root)
    paths = {w["path"].replace("\\", "/").removeprefix(cwd.replace("\\", "/") + "/"): w["op"] for w in label["writes"]}
    inside = {path: op for path, op in paths.items() if not path.startswith("/")}
    for path, op in inside.items():
        if op != "create":
            repo.write(path, "before\n")
    repo.write("README", "x\n").commit("Before")
    for path, op in inside.items():
        if op == "delete":
            (root / path).unlink()
        else:
            repo.write(path, "after\n")
    return Session(label["file"].rpartition("/")[2][:32], repo, transcript, label)


def hand_over(session: Session, tools: Path) -> tuple[Handed, list[str]]:
    """The four texts, and the facts that our brief lacks."""
    repo, transcript = session.repo, session.transcript
    repo.passdown("pack", str(transcript), "--no-check").check()
    brief = repo.passdown("show", "--brief").check().out
    packet = msgspec.json.decode(repo.passdown("show", "--json").check().out.encode(), type=Packet)
    letter = run([str(tools / "venv/bin/dim"), "write", "--transcript", str(transcript)], repo.root).split()[0]
    bundle = str(tools / "venv/bin/context-handoff-bundle")
    notes = repo.root.with_suffix(".notes.md")
    notes.write_text(written(session))
    run([bundle, "save", "--title", "bench", "--notes", str(notes), "--global", "--update"], repo.root)
    handed = Handed(
        transcript.read_text(errors="replace"),
        brief,
        Path(letter).read_text(),
        run([bundle, "load", "latest"], repo.root),
    )
    return handed, missing(packet, brief) + unlabelled(session.label, brief)


def written(session: Session) -> str:
    """The notes that the bundle's tool asks a writer for: the requests and what the agent said at the end."""
    facts = read_session(session.transcript)
    asked = "\n".join(f"- {' '.join(request.text.split())}" for request in facts.requests)
    said = "\n".join(f"- {line.strip()}" for line in (facts.closing or "").splitlines() if line.strip())
    todo = "\n".join(f"- {one.text}" for one in facts.todos if one.status != "completed")
    return f"# Handoff\n\n## Scope\n{asked}\n\n## Findings\n{said}\n\n## Open questions\n{todo}\n"


def unlabelled(label: dict[str, Any], brief: str) -> list[str]:
    """What a person noted of the session and the brief lacks: the goal's beginning, prohibitions, what still fails."""
    said = QUOTE.sub(lambda found: found[1].replace('\\"', '"'), brief)
    plain = " ".join([*brief.split(), *said.split()])
    wanted = [" ".join(label["requests"][0]["text_start"].split())[:BEGIN]] if label.get("requests") else []
    wanted += [" ".join(text.split()) for text in label.get("prohibitions") or []]
    last = {check["command"]: check for check in label.get("checks") or []}
    wanted += [named(name) for name, one in last.items() if one["result"] == "FAILED"]
    return [f"label: {text}" for text in wanted if text not in plain]


def named(command: str) -> str:
    """A command's beginning; of a script (labels cut those) the file that its first line writes."""
    first, _, rest = command.strip().partition("\n")
    written = re.search(r">\s*([^\s<>]+)", first) if rest else None
    return written[1] if written else " ".join(command.split())[:BEGIN]


def count(tools: Path, handed: Handed) -> list[int]:
    """Tokens of each text."""
    argv = ["node", "count.js"]
    done = subprocess.run(argv, cwd=tools, input=json.dumps(handed), capture_output=True, text=True, check=True)
    counted: list[int] = json.loads(done.stdout)
    return counted


def run(argv: list[str], cwd: Path) -> str:
    """Its standard output; another exit code than 0 ends the benchmark."""
    return subprocess.run(argv, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    sys.exit(main())
