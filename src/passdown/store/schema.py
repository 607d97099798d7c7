"""The tables of the index. A change of any of them needs a new VERSION; the index is then rebuilt."""

from __future__ import annotations

VERSION = 2

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
CREATE TABLE kept (task TEXT PRIMARY KEY, claim TEXT NOT NULL, told BLOB);
CREATE TRIGGER statements_came AFTER INSERT ON statements WHEN NEW.task IS NOT NULL
    BEGIN DELETE FROM kept WHERE task = NEW.task; END;
CREATE TRIGGER statements_changed AFTER UPDATE ON statements
    BEGIN DELETE FROM kept WHERE task IN (OLD.task, NEW.task); END;
CREATE TRIGGER statements_went AFTER DELETE ON statements BEGIN DELETE FROM kept WHERE task = OLD.task; END;
CREATE TRIGGER facts_came AFTER INSERT ON facts WHEN NEW.task IS NOT NULL
    BEGIN DELETE FROM kept WHERE task = NEW.task; END;
CREATE TRIGGER facts_changed AFTER UPDATE ON facts
    BEGIN DELETE FROM kept WHERE task IN (OLD.task, NEW.task); END;
CREATE TRIGGER facts_went AFTER DELETE ON facts BEGIN DELETE FROM kept WHERE task = OLD.task; END;
CREATE TRIGGER batches_changed AFTER UPDATE ON batches WHEN (NEW.place, NEW.writer, NEW.sound, ifnull(NEW.holds, 1))
    IS NOT (OLD.place, OLD.writer, OLD.sound, ifnull(OLD.holds, 1)) BEGIN DELETE FROM kept; END;
CREATE TRIGGER batches_went AFTER DELETE ON batches BEGIN DELETE FROM kept; END;
"""
"""What is kept of a task goes with any change of its records, whoever makes it; with a batch that turns out not to
hold, which is rare, all of it."""

NAMES = ("tips", "batches", "statements", "facts", "alarms", "kept")
