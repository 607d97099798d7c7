"""The published packet format: the schema is what the code says, and every golden packet still reads."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import jsonschema
import msgspec
import pytest

from passdown.model.packet import SCHEMA, Packet

ROOT = Path(__file__).resolve().parent.parent
PUBLISHED = ROOT / "docs" / "schema" / "packet-v1.schema.json"
GOLDEN = sorted((ROOT / "docs" / "golden").glob("packet-v1*.json"))


def schema_of_the_code():
    spec = importlib.util.spec_from_file_location("schema_script", ROOT / "scripts" / "schema.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script.packet_schema()


def test_the_published_schema_is_current():
    assert json.loads(PUBLISHED.read_text()) == schema_of_the_code(), "run: make schema"


def test_the_schema_is_a_valid_schema():
    jsonschema.Draft202012Validator.check_schema(json.loads(PUBLISHED.read_text()))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_packet_validates(path):
    jsonschema.validate(json.loads(path.read_text()), json.loads(PUBLISHED.read_text()))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_packet_still_reads_and_keeps_what_it_says(path):
    raw = path.read_bytes()
    packet = msgspec.json.decode(raw, type=Packet)
    assert packet.schema == SCHEMA
    assert lost(json.loads(raw), json.loads(msgspec.json.encode(packet))) == []


def test_what_a_newer_version_adds_is_ignored():
    newer = json.loads(GOLDEN[0].read_text()) | {"added_later": {"x": 1}}
    assert msgspec.json.decode(json.dumps(newer), type=Packet).packet == newer["packet"]


def test_a_packet_without_what_is_required_is_refused():
    broken = json.loads(GOLDEN[0].read_text())
    del broken["boundary"]
    with pytest.raises(msgspec.ValidationError, match="boundary"):
        msgspec.json.decode(json.dumps(broken), type=Packet)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, json.loads(PUBLISHED.read_text()))


def lost(before, after, at=""):
    """Paths of values that do not come back the same."""
    if isinstance(before, dict) and isinstance(after, dict):
        return [p for key, value in before.items() for p in lost(value, after.get(key), f"{at}/{key}")]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        return [p for n, pair in enumerate(zip(before, after, strict=True)) for p in lost(*pair, f"{at}/{n}")]
    return [] if before == after else [at]
