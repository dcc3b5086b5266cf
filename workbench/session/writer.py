"""Write a session: the only place that does."""

from __future__ import annotations

import json
import sqlite3
import time
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from workbench.errors import SessionError
from workbench.session import packing, schema
from workbench.session.commits import Commits
from workbench.session.store import DATABASE
from workbench.text import encodable


def to_json(value: Any) -> str:
    """Compact JSON, as it is stored."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, default=str)


class SessionWriter:
    """The writing side of one session, for the process that holds its lock.

    A method returns once its rows are on the disk, but for `add_outcome` and `finish_unit`: what
    they write costs nothing to find again, so they return at once, their rows are on the disk a
    quarter of a second later, and what goes wrong is raised by the next call. While rows keep
    coming there are a few commits a second, so that thousands of small ones share them.
    """

    def __init__(self, path: Path, *, create: bool = False) -> None:
        """Open `path`/session.db, or make it.

        Raises:
            SessionError: the database can't be opened or isn't of this format.
        """
        self._file = path / DATABASE
        self._name = path.name
        try:
            self._db = schema.connect_writer(self._file, create=create)
            found = schema.format_of(self._db)
            self._change = int(
                self._db.execute("SELECT coalesce(max(change), 0) FROM unit").fetchone()[0]
                if found in schema.READABLE
                else 0
            )
        except sqlite3.Error as error:
            raise SessionError(f"{self._name}: {self._file} can't be written: {error}") from None
        if found not in schema.READABLE:
            self._db.close()
            raise SessionError(
                f"{self._name}: session format {found}, this version writes {schema.FORMAT}"
            )
        schema.raise_format(self._db)
        self._bases: dict[tuple[str, int], tuple[bytes, bytes]] = {}
        what = f"{self._name}: {self._file}"
        # What a difference is told from may be gone with a write.
        self._commits = Commits(self._db, what, rolled_back=self._bases.clear)

    def close(self) -> None:
        """Finish what is queued and close the database."""
        self._commits.close()
        self._db.close()

    async def flush(self) -> None:
        """Return once everything is on the disk.

        Raises:
            SessionError: something couldn't be written.
        """
        await self._commits.flush()

    def _packed(self, db: sqlite3.Connection, kind: str, unit_id: int, value: Any) -> bytes:
        """A JSON value as its difference from the first of its kind and task."""
        text = encodable(to_json(value)).encode()
        row = db.execute("SELECT task_pk FROM unit WHERE id = ?", (unit_id,)).fetchone()
        key = (kind, int(row[0]) if row else 0)
        if key not in self._bases:
            name = packing.name_of(text)
            body = (name.hex(), zlib.compress(text, 6))
            db.execute("INSERT OR IGNORE INTO program VALUES (?, ?)", body)
            self._bases[key] = (text, name)
        base, name = self._bases[key]
        return packing.pack(text, base, name)

    def _next(self) -> int:
        self._change += 1
        return self._change

    # --- what can be written

    async def set_meta(self, values: Mapping[str, Any]) -> None:
        """Set session facts."""
        rows = [(k, to_json(v)) for k, v in values.items()]
        await self._commits.now(
            lambda db: db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", rows)
        )

    async def add_cell(self, cell: Mapping[str, Any]) -> int:
        """Add a cell, or raise the `n` of the one that is there; returns its id."""

        def job(db: sqlite3.Connection) -> int:
            row = {**cell, "protocol": to_json(cell["protocol"])}
            db.execute(
                "INSERT INTO cell (benchmark, suite, language, mode, recipe, n, max_turns, "
                "fingerprint, label, protocol) VALUES (:benchmark, :suite, :language, :mode, "
                ":recipe, :n, :max_turns, :fingerprint, :label, :protocol) "
                "ON CONFLICT DO UPDATE SET n = excluded.n, protocol = excluded.protocol, "
                "label = excluded.label",
                row,
            )
            found = db.execute(
                "SELECT id FROM cell WHERE benchmark = :benchmark AND suite = :suite AND "
                "language = :language AND mode = :mode AND recipe = :recipe",
                row,
            ).fetchone()
            return int(found[0])

        return await self._commits.now(job)

    async def add_tasks(self, tasks: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], int]:
        """Add tasks that aren't there yet; returns (language, task id) -> row id."""
        rows = list(tasks)

        def job(db: sqlite3.Connection) -> dict[tuple[str, str], int]:
            db.executemany(
                "INSERT OR IGNORE INTO task (benchmark, language, task_id, problem, entry_point, "
                "prompt, has_visible_tests) VALUES (:benchmark, :language, :task_id, :problem, "
                ":entry_point, :prompt, :has_visible_tests)",
                rows,
            )
            found = db.execute("SELECT language, task_id, id FROM task").fetchall()
            return {(r[0], r[1]): int(r[2]) for r in found}

        return await self._commits.now(job)

    async def plan_units(self, units: Iterable[tuple[int, int, int]]) -> None:
        """Add planned units (cell id, task row id, index); those that exist stay as they are."""
        rows = list(units)

        def job(db: sqlite3.Connection) -> None:
            db.executemany(
                "INSERT OR IGNORE INTO unit (cell_id, task_pk, idx, change) VALUES (?, ?, ?, ?)",
                [(*row, self._next()) for row in rows],
            )

        await self._commits.now(job)

    async def add_units(self, units: Sequence[tuple[int, int, int]]) -> list[int]:
        """Add planned units (cell id, task row id, index) and return their ids, in this order."""

        def job(db: sqlite3.Connection) -> list[int]:
            sql = "INSERT INTO unit (cell_id, task_pk, idx, change) VALUES (?, ?, ?, ?)"
            return [int(db.execute(sql, (*u, self._next())).lastrowid or 0) for u in units]

        return await self._commits.now(job)

    async def add_completion(
        self,
        unit_id: int,
        turn: int,
        *,
        request_key: str,
        request: Mapping[str, Any],
        feedback: str,
        completion: Mapping[str, Any],
        shared: bool,
    ) -> None:
        """Keep an answer the moment it arrives. `shared`: another unit already paid for it."""
        usage = completion["usage"]
        kept = {k: v for k, v in completion.items() if k != "text"}

        def job(db: sqlite3.Connection) -> None:
            db.execute(
                "INSERT INTO turn (unit_id, turn, request_key, request, feedback, raw, completion, "
                "shared) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    unit_id,
                    turn,
                    request_key,
                    self._packed(db, "request", unit_id, request),
                    encodable(feedback),
                    encodable(completion["text"]),
                    encodable(to_json(kept)),
                    int(shared),
                ),
            )
            db.execute(
                "UPDATE unit SET turns = ?, prompt_tokens = prompt_tokens + ?, "
                "completion_tokens = completion_tokens + ?, seconds = seconds + ?, change = ? "
                "WHERE id = ?",
                (
                    turn,
                    usage["prompt_tokens"] or 0,
                    usage["completion_tokens"] or 0,
                    completion["seconds"],
                    self._next(),
                    unit_id,
                ),
            )

        await self._commits.soon(job)

    async def add_step(
        self,
        unit_id: int,
        turn: int,
        step: str,
        *,
        request: Mapping[str, Any],
        completion: Mapping[str, Any],
    ) -> None:
        """Keep an answer between turns the moment it arrives."""
        usage = completion["usage"]
        kept = {k: v for k, v in completion.items() if k != "text"}

        def job(db: sqlite3.Connection) -> None:
            db.execute(
                "INSERT INTO step (unit_id, turn, step, request, raw, completion) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                (
                    unit_id,
                    turn,
                    step,
                    self._packed(db, "request", unit_id, request),
                    encodable(completion["text"]),
                    encodable(to_json(kept)),
                ),
            )
            db.execute(
                "UPDATE unit SET prompt_tokens = prompt_tokens + ?, "
                "completion_tokens = completion_tokens + ?, seconds = seconds + ?, change = ? "
                "WHERE id = ?",
                (
                    usage["prompt_tokens"] or 0,
                    usage["completion_tokens"] or 0,
                    completion["seconds"],
                    self._next(),
                    unit_id,
                ),
            )

        await self._commits.soon(job)

    async def add_outcome(
        self,
        unit_id: int,
        turn: int,
        *,
        extraction: Mapping[str, Any],
        code: str,
        program: Mapping[str, Any] | None,
        visible: Mapping[str, Any] | None,
        scored: Mapping[str, Any] | None,
        flags: tuple[str, ...],
        accepted: bool = False,
    ) -> None:
        """Keep what was made of a turn's answer and what came of it."""
        cpu = sum(s["cpu_s"] for e in (visible, scored) if e for s in e["steps"])

        def job(db: sqlite3.Connection) -> None:
            db.execute(
                "UPDATE turn SET extraction = ?, code = ?, program = ?, visible = ?, scored = ?, "
                "outcome = ?, visible_outcome = ?, flags = ?, accepted = ? WHERE unit_id = ? AND turn = ?",
                (
                    encodable(to_json(extraction)),
                    encodable(code),
                    self._packed(db, "program", unit_id, program) if program else None,
                    self._packed(db, "execution", unit_id, visible) if visible else None,
                    self._packed(db, "execution", unit_id, scored) if scored else None,
                    scored["outcome"] if scored else None,
                    visible["outcome"] if visible else None,
                    ",".join(flags),
                    int(accepted),
                    unit_id,
                    turn,
                ),
            )
            db.execute(
                "UPDATE unit SET cpu_s = cpu_s + ?, change = ? WHERE id = ?",
                (cpu, self._next(), unit_id),
            )

        await self._commits.later(job)

    async def finish_unit(
        self,
        unit_id: int,
        *,
        outcome: str,
        solved_turn: int | None,
        flags: tuple[str, ...],
        detail: str,
        cost_usd: str | None,
        attempts: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        """Give a unit its final outcome; `attempts` are calls of a lost unit that gave no answer."""

        def job(db: sqlite3.Connection) -> None:
            db.execute(
                "UPDATE unit SET outcome = ?, solved_turn = ?, flags = ?, detail = ?, "
                "cost_usd = ?, attempts = ?, change = ? WHERE id = ?",
                (
                    outcome,
                    solved_turn,
                    ",".join(flags),
                    encodable(detail)[:500],
                    cost_usd,
                    encodable(to_json(attempts)),
                    self._next(),
                    unit_id,
                ),
            )

        await self._commits.later(job)

    async def reopen_lost(self) -> list[int]:
        """Plan again every unit that was lost to infrastructure; returns their ids.

        Answers that were paid for stay: only what failed is done again.
        """

        def job(db: sqlite3.Connection) -> list[int]:
            lost = [
                int(r[0])
                for r in db.execute(
                    "SELECT id FROM unit WHERE outcome IN ('generation_failed', 'sandbox_error')"
                )
            ]
            for unit in lost:
                db.execute(
                    "UPDATE unit SET outcome = NULL, detail = '', change = ? WHERE id = ?",
                    (self._next(), unit),
                )
                db.execute(
                    "UPDATE turn SET scored = NULL, outcome = NULL WHERE unit_id = ? AND "
                    "outcome = 'sandbox_error'",
                    (unit,),
                )
                db.execute(
                    "UPDATE turn SET visible = NULL, visible_outcome = NULL WHERE unit_id = ? AND "
                    "visible_outcome = 'sandbox_error'",
                    (unit,),
                )
            return lost

        return await self._commits.now(job)

    async def add_event(self, level: str, text: str) -> None:
        """Write one line of the session's log."""
        row = (time.time(), level, encodable(text)[:1000])
        await self._commits.now(
            lambda db: db.execute("INSERT INTO event (at, level, text) VALUES (?, ?, ?)", row)
        )


def record(value: Any) -> dict[str, Any]:
    """A frozen record as JSON-ready mapping."""
    return asdict(value)
