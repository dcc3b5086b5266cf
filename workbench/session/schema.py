"""The session database: its tables, and how it is opened."""

from __future__ import annotations

import sqlite3
from pathlib import Path

FORMAT = 2
"""Grows when the tables change in a way that older readers can't follow. In 1 no text was packed;
what is written into such a session makes it one of 2."""
READABLE = (1, 2)
_STEPS = """
CREATE TABLE IF NOT EXISTS step (
  id INTEGER PRIMARY KEY, unit_id INTEGER NOT NULL REFERENCES unit, turn INTEGER NOT NULL,
  step TEXT NOT NULL, request TEXT NOT NULL, raw TEXT NOT NULL, completion TEXT NOT NULL,
  UNIQUE (unit_id, turn, step));
"""
"""Answers that are no programs. Sessions that were begun before there were any lack the table until
they are written again; older versions read past it."""
CHECKPOINT = 4_000
"""Pages that the log may hold before they are put into the database: a page that changes often is
written into it once for many changes."""

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE cell (
  id INTEGER PRIMARY KEY, benchmark TEXT NOT NULL, suite TEXT NOT NULL, language TEXT NOT NULL,
  mode TEXT NOT NULL, recipe TEXT NOT NULL, n INTEGER NOT NULL, max_turns INTEGER NOT NULL,
  fingerprint TEXT NOT NULL, label TEXT NOT NULL, protocol TEXT NOT NULL,
  UNIQUE (benchmark, suite, language, mode, recipe));
CREATE TABLE task (
  id INTEGER PRIMARY KEY, benchmark TEXT NOT NULL, language TEXT NOT NULL, task_id TEXT NOT NULL,
  problem TEXT NOT NULL, entry_point TEXT NOT NULL, prompt TEXT NOT NULL,
  has_visible_tests INTEGER NOT NULL, UNIQUE (benchmark, language, task_id));
CREATE TABLE unit (
  id INTEGER PRIMARY KEY, cell_id INTEGER NOT NULL REFERENCES cell, task_pk INTEGER NOT NULL
  REFERENCES task, idx INTEGER NOT NULL, outcome TEXT, turns INTEGER NOT NULL DEFAULT 0,
  solved_turn INTEGER, flags TEXT NOT NULL DEFAULT '', detail TEXT NOT NULL DEFAULT '',
  prompt_tokens INTEGER NOT NULL DEFAULT 0, completion_tokens INTEGER NOT NULL DEFAULT 0,
  attempts TEXT NOT NULL DEFAULT '[]', cost_usd TEXT, cpu_s REAL NOT NULL DEFAULT 0, seconds REAL NOT NULL DEFAULT 0,
  change INTEGER NOT NULL, UNIQUE (cell_id, task_pk, idx));
CREATE INDEX unit_change ON unit (change);
CREATE INDEX unit_outcome ON unit (cell_id, outcome);
CREATE TABLE program (digest TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE turn (
  id INTEGER PRIMARY KEY, unit_id INTEGER NOT NULL REFERENCES unit, turn INTEGER NOT NULL,
  request_key TEXT NOT NULL, request TEXT NOT NULL, feedback TEXT NOT NULL, raw TEXT NOT NULL,
  completion TEXT NOT NULL, shared INTEGER NOT NULL DEFAULT 0, extraction TEXT, code TEXT,
  program TEXT, visible TEXT, scored TEXT, outcome TEXT, visible_outcome TEXT,
  accepted INTEGER NOT NULL DEFAULT 0, flags TEXT NOT NULL DEFAULT '', UNIQUE (unit_id, turn));
CREATE TABLE event (id INTEGER PRIMARY KEY, at REAL NOT NULL, level TEXT NOT NULL,
  text TEXT NOT NULL);
"""


def connect_writer(path: Path, *, create: bool) -> sqlite3.Connection:
    """Open the database for the one process that holds the session's lock."""
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
    db.execute("PRAGMA journal_mode = WAL")
    # A completion may have been paid for: it has to survive a power cut, not only a kill.
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA foreign_keys = ON")
    db.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT}")
    if create:
        db.executescript("BEGIN;" + _TABLES + f"PRAGMA user_version = {FORMAT}; COMMIT;")
    if create or format_of(db) in READABLE:
        db.executescript(_STEPS)
    return db


def connect_reader(path: Path) -> sqlite3.Connection:
    """Open the database read-only, beside a writer in any process."""
    db = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False, timeout=5
    )
    db.row_factory = sqlite3.Row
    db.execute("PRAGMA query_only = ON")
    return db


def has_steps(db: sqlite3.Connection) -> bool:
    """Whether the database has the table of answers that are no programs."""
    sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'step'"
    return db.execute(sql).fetchone() is not None


def raise_format(db: sqlite3.Connection) -> None:
    """Say that older versions can't read it any more."""
    db.execute(f"PRAGMA user_version = {FORMAT}")


def format_of(db: sqlite3.Connection) -> int:
    """The database's format number; 0 for a file that is no session."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])
