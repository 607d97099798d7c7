"""A process that writes facts and statements and prints the id of each statement once it is acknowledged."""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from passdown.model.event import Note
from passdown.store import open_ledger

ledger = open_ledger(Path(sys.argv[1]))
for count in range(int(sys.argv[2]) if len(sys.argv) > 2 else 20):
    at = datetime.now(UTC).isoformat()
    ledger.fact("touch", {"path": f"src/{count}.py"}, task="t", at=at)
    name = ledger.append(Note(task="t", kind="step", text=f"{os.getpid()} {count}", by="agent"), task="t", at=at)
    os.write(1, json.dumps({"id": name, "pending": ledger.pending}).encode() + b"\n")
