"""Write docs/schema/packet-v1.schema.json from ``passdown.model.packet.Packet`` (``make schema``)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from passdown.model.packet import SCHEMA, Packet

TARGET = Path(__file__).resolve().parent.parent / "docs" / "schema" / "packet-v1.schema.json"


def packet_schema() -> dict[str, Any]:
    """The JSON Schema of a packet as ``pack --json`` and ``show --json`` print it."""
    (_,), definitions = msgspec.json.schema_components([Packet], ref_template="#/$defs/{name}")
    packet = definitions.pop("Packet")
    packet["properties"]["schema"] = {"const": SCHEMA}
    packet["required"] = ["schema", *packet["required"]]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA,
        **packet,
        "$defs": definitions,
    }


def main() -> int:
    """Write the file."""
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(json.dumps(packet_schema(), indent=2, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
