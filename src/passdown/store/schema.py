"""The tables of the index. A change of any of them needs a new VERSION; the index is then rebuilt."""

from __future__ import annotations

VERSION = 1

TABLES = """
CREATE TABLE tips (ref TEXT PRIMARY KEY, tip TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE batches (
    place INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    writer TEXT NOT NULL,
    epoch TEXT NOT NULL,
    number INTEGER NOT NULL,
    previous TEXT,
    sequence INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    lamport INTEGER NOT NULL,
    inside INTEGER NOT NULL,
    sound INTEGER NOT NULL,
    holds INTEGER
);
CREATE INDEX batches_number ON batches (writer, number);
CREATE INDEX batches_open ON batches (place) WHERE holds IS NULL;
CREATE TABLE statements (
    id TEXT PRIMARY KEY,
    rank TEXT NOT NULL,
    batch INTEGER NOT NULL,
    type TEXT NOT NULL,
    task TEXT,
    at TEXT NOT NULL,
    writer TEXT NOT NULL,
    lamport INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    seen BLOB NOT NULL,
    body BLOB NOT NULL,
    envelope BLOB NOT NULL,
    public TEXT NOT NULL,
    people INTEGER NOT NULL,
    sound INTEGER NOT NULL,
    holds INTEGER
);
CREATE INDEX statements_task ON statements (task, type);
CREATE INDEX statements_type ON statements (type);
CREATE INDEX statements_open ON statements (batch) WHERE holds IS NULL;
CREATE TABLE facts (
    id BLOB NOT NULL UNIQUE,
    batch INTEGER NOT NULL,
    line INTEGER NOT NULL,
    task TEXT,
    kind TEXT NOT NULL,
    at TEXT NOT NULL,
    data BLOB NOT NULL
);
CREATE INDEX facts_task ON facts (task, kind);
CREATE TABLE alarms (
    id TEXT NOT NULL,
    code TEXT NOT NULL,
    text TEXT NOT NULL,
    ref TEXT NOT NULL,
    statements BLOB NOT NULL,
    PRIMARY KEY (id, code, text)
) WITHOUT ROWID;
"""

NAMES = ("tips", "batches", "statements", "facts", "alarms")
