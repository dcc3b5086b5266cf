"""Read a session: rows for every reader, in any process, while another writes."""

from __future__ import annotations

import json
import sqlite3
import threading
import zlib
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from workbench.errors import SessionError
from workbench.execution.program import Diagnostic
from workbench.session import packing, schema
from workbench.session.diagnoses import Failure
from workbench.session.records import (
    Access,
    CellRow,
    EventRow,
    FirstProgram,
    Pick,
    StepRow,
    TaskRow,
    TurnOutcome,
    TurnRow,
    UnitRow,
    Unstable,
)

DATABASE = "session.db"
BASES = 256
"""Whole texts that a reader keeps, from which others are told by their difference."""
PROTOCOL = "protocol.json"


class SessionReader:
    """Read-only view of one session folder. May be used from several threads."""

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        """Use `open`."""
        self.path = path
        self.name = path.name
        self._db = db
        self._guard = threading.Lock()
        self._bases: OrderedDict[bytes, bytes] = OrderedDict()
        self._has_steps = schema.has_steps(db)

    @classmethod
    def open(cls, path: Path) -> SessionReader:
        """Open the session in folder `path`.

        Raises:
            SessionError: there is no session, or its database can't be read.
        """
        file = path / DATABASE
        if not file.is_file():
            raise SessionError(f"{path.name}: no session here ({file} is missing)")
        try:
            db = schema.connect_reader(file)
            found = schema.format_of(db)
        except sqlite3.Error as error:
            raise SessionError(f"{path.name}: {file} can't be read: {error}") from None
        if found not in schema.READABLE:
            db.close()
            raise SessionError(
                f"{path.name}: session format {found}, this version reads {schema.FORMAT}"
            )
        return cls(path, db)

    def close(self) -> None:
        """Close the database."""
        self._db.close()

    def __enter__(self) -> SessionReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _rows(self, sql: str, *values: Any) -> list[sqlite3.Row]:
        try:
            with self._guard:
                return self._db.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise SessionError(f"{self.name}: {DATABASE} can't be read: {error}") from None

    def meta(self) -> dict[str, Any]:
        """Session facts: model, created, spec, generator, environment, tags, …"""
        return {r["key"]: json.loads(r["value"]) for r in self._rows("SELECT * FROM meta")}

    def cells(self) -> list[CellRow]:
        """Every cell, in the order in which they were planned."""
        return [
            CellRow(**_with(r, protocol=json.loads(r["protocol"])))
            for r in self._rows("SELECT * FROM cell ORDER BY id")
        ]

    def tasks(self) -> dict[int, TaskRow]:
        """Every task by its row id."""
        return {
            r["id"]: TaskRow(**_with(r, has_visible_tests=bool(r["has_visible_tests"])))
            for r in self._rows("SELECT * FROM task ORDER BY id")
        }

    def units(self, cell_id: int | None = None, since: int = 0) -> list[UnitRow]:
        """Units whose `change` is greater than `since`, of one cell or all, in planned order."""
        rows = self._rows(
            "SELECT * FROM unit WHERE change > ? AND (? IS NULL OR cell_id = ?) ORDER BY id",
            since,
            cell_id,
            cell_id,
        )
        return [_unit(r) for r in rows]

    def unit(self, unit_id: int) -> UnitRow:
        """One unit.

        Raises:
            SessionError: there is none with this id.
        """
        rows = self._rows("SELECT * FROM unit WHERE id = ?", unit_id)
        if not rows:
            raise SessionError(f"{self.name}: no unit {unit_id}")
        return _unit(rows[0])

    def counts(self) -> dict[int, dict[str, int]]:
        """Cell id -> outcome -> number of units; `open` counts those without an outcome."""
        found: dict[int, dict[str, int]] = {}
        for r in self._rows(
            "SELECT cell_id, coalesce(outcome, 'open') AS o, count(*) AS n "
            "FROM unit GROUP BY cell_id, outcome"
        ):
            found.setdefault(r["cell_id"], {})[r["o"]] = r["n"]
        return found

    def turns(self, unit_id: int) -> list[TurnRow]:
        """The turns of one unit, from the first."""
        rows = self._rows("SELECT * FROM turn WHERE unit_id = ? ORDER BY turn", unit_id)
        return [self._turn(r) for r in rows]

    def steps(self, unit_id: int) -> list[StepRow]:
        """The answers of one unit that are no programs, in the order they came."""
        if not self._has_steps:
            return []
        rows = self._rows("SELECT * FROM step WHERE unit_id = ? ORDER BY id", unit_id)
        return [
            StepRow(
                r["unit_id"],
                r["turn"],
                r["step"],
                self._json(r["request"]),
                r["raw"],
                json.loads(r["completion"]),
            )
            for r in rows
        ]

    def _step_usage(self) -> dict[tuple[int, int], list[sqlite3.Row]]:
        """(Unit id, turn) -> tokens and cost of each step that leads to it."""
        found: dict[tuple[int, int], list[sqlite3.Row]] = {}
        if self._has_steps:
            for r in self._rows(
                "SELECT unit_id, turn, "
                "json_extract(completion, '$.usage.prompt_tokens') AS prompt_tokens, "
                "json_extract(completion, '$.usage.completion_tokens') AS completion_tokens, "
                "json_extract(completion, '$.cost_usd') AS cost_usd FROM step"
            ):
                found.setdefault((r["unit_id"], r["turn"]), []).append(r)
        return found

    def _paid(self) -> list[sqlite3.Row]:
        """The completions that were paid for, each once."""
        rows = self._rows("SELECT completion FROM turn WHERE shared = 0")
        return rows + self._rows("SELECT completion FROM step") if self._has_steps else rows

    def first_answers(self) -> Iterator[tuple[str, TurnRow]]:
        """Request key and turn of every first answer that was paid for."""
        for r in self._rows("SELECT * FROM turn WHERE turn = 1 AND shared = 0"):
            yield r["request_key"], self._turn(r)

    def _turn(self, r: sqlite3.Row) -> TurnRow:
        program: Mapping[str, Any] = {}
        if isinstance(r["program"], str):  # format 1: the name of one that is kept whole
            program = json.loads(self._whole(r["program"]))
        elif r["program"]:
            program = self._json(r["program"])
        return TurnRow(
            id=r["id"],
            unit_id=r["unit_id"],
            turn=r["turn"],
            request=self._json(r["request"]),
            feedback=r["feedback"],
            raw=r["raw"],
            completion={**json.loads(r["completion"]), "shared": bool(r["shared"])},
            extraction=json.loads(r["extraction"]) if r["extraction"] else {},
            code=r["code"] or "",
            program=program,
            visible=self._json(r["visible"]) if r["visible"] else None,
            scored=self._json(r["scored"]) if r["scored"] else None,
            outcome=r["outcome"],
            visible_outcome=r["visible_outcome"],
            accepted=bool(r["accepted"]),
            flags=_flags(r["flags"]),
        )

    def events(self, since: int = 0) -> list[EventRow]:
        """Log lines with an id greater than `since`, oldest first."""
        rows = self._rows("SELECT * FROM event WHERE id > ? ORDER BY id", since)
        return [EventRow(**dict(r)) for r in rows]

    def turn_outcomes(self) -> dict[int, list[TurnOutcome]]:
        """Unit id -> what came of its turns, from the first: what repair metrics need."""
        found: dict[int, list[TurnOutcome]] = {}
        steps = self._step_usage()
        for r in self._rows(
            "SELECT unit_id, turn, outcome, visible_outcome, accepted, "
            "json_extract(completion, '$.usage.prompt_tokens') AS prompt_tokens, "
            "json_extract(completion, '$.usage.completion_tokens') AS completion_tokens, "
            "json_extract(completion, '$.cost_usd') AS cost_usd "
            "FROM turn ORDER BY unit_id, turn"
        ):
            between = steps.get((r["unit_id"], r["turn"]), [])
            found.setdefault(r["unit_id"], []).append(
                TurnOutcome(
                    r["turn"],
                    r["outcome"],
                    r["visible_outcome"],
                    bool(r["accepted"]),
                    _sum([r["prompt_tokens"], *(s["prompt_tokens"] for s in between)]),
                    _sum([r["completion_tokens"], *(s["completion_tokens"] for s in between)]),
                    _money([r["cost_usd"], *(s["cost_usd"] for s in between)]),
                    1 + len(between),
                )
            )
        return found

    def picks(self, cell_id: int) -> list[Pick]:
        """What is known of each sample of a plain cell beside its scored outcome."""
        return [
            Pick(r["id"], r["visible_outcome"], r["logprob"])
            for r in self._rows(
                "SELECT unit.id AS id, turn.visible_outcome, "
                "json_extract(turn.completion, '$.logprob_mean') AS logprob "
                "FROM turn JOIN unit ON unit.id = turn.unit_id "
                "WHERE unit.cell_id = ? AND turn.turn = 1",
                cell_id,
            )
        ]

    def first_programs(self, cell_id: int) -> Iterator[FirstProgram]:
        """Every distinct first program of a cell that passed, task by task."""
        sql = (
            "SELECT task.task_id, turn.code, count(*) AS n, "
            "coalesce(json_extract(turn.extraction, '$.form'), 'full') AS form "
            "FROM turn JOIN unit ON unit.id = turn.unit_id JOIN task ON task.id = unit.task_pk "
            "WHERE unit.cell_id = ? AND turn.turn = 1 AND turn.outcome = 'passed' "
            "GROUP BY unit.task_pk, turn.code, form ORDER BY unit.task_pk"
        )
        for r in self._stream(sql, cell_id):
            yield FirstProgram(r["task_id"], r["code"], r["form"], r["n"])

    def failures(self, cell_id: int) -> Iterator[Failure]:
        """Every scored unit of a cell that didn't pass, with the diagnostic of its last turn."""
        sql = (
            "SELECT unit.outcome, unit.detail, unit.idx, task.task_id, turn.scored FROM unit "
            "JOIN task ON task.id = unit.task_pk LEFT JOIN turn ON turn.unit_id = unit.id AND "
            "turn.turn = unit.turns WHERE unit.cell_id = ? AND unit.outcome NOT IN "
            "('passed', 'generation_failed', 'sandbox_error') ORDER BY unit.id"
        )
        for r in self._stream(sql, cell_id):
            body = self._json(r["scored"]) if r["scored"] else {}
            told = body.get("diagnostic") if body.get("outcome") == r["outcome"] else None
            yield Failure(
                outcome=r["outcome"],
                detail=r["detail"],
                diagnostic=None if told is None else Diagnostic(**told),
                task_id=r["task_id"],
                index=r["idx"],
            )

    def unstable(self) -> list[Unstable]:
        """Every program that didn't come to the same outcome each time it was executed."""
        sql = (
            "SELECT cell.language, coalesce(nullif(cell.recipe, ''), cell.mode) AS mode, "
            "task.task_id, unit.idx, turn.turn, turn.scored FROM turn "
            "JOIN unit ON unit.id = turn.unit_id JOIN cell ON cell.id = unit.cell_id "
            "JOIN task ON task.id = unit.task_pk "
            "WHERE turn.flags LIKE '%unstable%' ORDER BY unit.id, turn.turn"
        )
        return [
            Unstable(
                r["language"],
                r["mode"],
                r["task_id"],
                r["idx"],
                r["turn"],
                tuple(self._json(r["scored"]).get("outcomes", ())),
            )
            for r in self._stream(sql)
        ]

    def _json(self, stored: str | bytes) -> dict[str, Any]:
        """An object as it was given to the writer, whether packed or not."""
        if isinstance(stored, str):
            return json.loads(stored)
        try:
            name = packing.base_of(stored)
            base = self._bases.get(name)
            if base is None:
                base = self._bases[name] = self._whole(name.hex())
                if len(self._bases) > BASES:
                    self._bases.popitem(last=False)
            return json.loads(packing.unpack(stored, base))
        except ValueError as error:
            raise SessionError(f"{self.name}: {DATABASE} is damaged: {error}") from None

    def _whole(self, digest: str) -> bytes:
        rows = self._rows("SELECT body FROM program WHERE digest = ?", digest)
        if not rows:
            raise SessionError(f"{self.name}: {DATABASE} is damaged: text {digest[:12]} is missing")
        try:
            return zlib.decompressobj().decompress(rows[0]["body"], packing.LONGEST)
        except zlib.error as error:
            raise SessionError(f"{self.name}: {DATABASE} is damaged: {error}") from None

    def _stream(self, sql: str, *values: Any) -> Iterator[sqlite3.Row]:
        """Rows a handful at a time: what large columns hold is never in memory at once."""
        try:
            with self._guard:
                cursor = self._db.execute(sql, values)
            while True:
                with self._guard:
                    rows = cursor.fetchmany(200)
                if not rows:
                    return
                yield from rows
        except sqlite3.Error as error:
            raise SessionError(f"{self.name}: {DATABASE} can't be read: {error}") from None

    def cost(self) -> float | None:
        """US dollars spent on this session's answers; `None` when a price is unknown."""
        sums = self._rows(
            "SELECT coalesce(sum(json_extract(completion, '$.cost_usd')), 0.0) AS cost, "
            "count(*) - count(json_extract(completion, '$.cost_usd')) AS unknown "
            "FROM turn WHERE shared = 0"
        )
        if self._has_steps:
            sums += self._rows(
                "SELECT coalesce(sum(json_extract(completion, '$.cost_usd')), 0.0) AS cost, "
                "count(*) - count(json_extract(completion, '$.cost_usd')) AS unknown FROM step"
            )
        return None if any(r["unknown"] for r in sums) else sum(float(r["cost"]) for r in sums)

    def access(self) -> dict[int, Access]:
        """Cell id -> who answered, from when to when."""
        found: dict[int, Access] = {}
        for r in self._rows(
            "SELECT unit.cell_id AS cell, json_extract(completion, '$.model') AS model, "
            "min(json_extract(completion, '$.started')) AS first, "
            "max(json_extract(completion, '$.started')) AS last "
            "FROM turn JOIN unit ON unit.id = turn.unit_id GROUP BY 1, 2 ORDER BY 1, 2"
        ):
            old = found.get(r["cell"])
            first, last, models = r["first"] or 0.0, r["last"] or 0.0, (str(r["model"]),)
            if old is not None:
                first, last = min(first, old.first), max(last, old.last)
                models = (*old.models, *models)
            found[r["cell"]] = Access(models, first, last)
        return found

    def repeated(self) -> dict[int, tuple[int, int]]:
        """Plain cell id -> (answers whose code repeats another's of the same task, answers)."""
        return {
            r["cell"]: (r["answers"] - r["kinds"], r["answers"])
            for r in self._rows(
                "SELECT cell, sum(n) AS answers, sum(kinds) AS kinds FROM ("
                "SELECT unit.cell_id AS cell, count(*) AS n, count(DISTINCT turn.code) AS kinds "
                "FROM turn JOIN unit ON unit.id = turn.unit_id JOIN cell ON cell.id = unit.cell_id "
                "WHERE cell.mode = 'plain' AND turn.code IS NOT NULL "
                "GROUP BY unit.cell_id, unit.task_pk) GROUP BY cell"
            )
        }

    def totals(self) -> dict[str, Any]:
        """Tokens, money and duplicates over everything that was generated for this session.

        `cost_usd` is `None` when at least one price is unknown; a completion that two modes share
        counts once.
        """
        prompt = completion = generated = 0
        cost: Decimal | None = Decimal(0)
        retries = 0
        for r in self._paid():
            row = json.loads(r["completion"])
            generated += 1
            prompt += row["usage"]["prompt_tokens"] or 0
            completion += row["usage"]["completion_tokens"] or 0
            retries += len(row["attempts"])
            cost = (
                None if cost is None or row["cost_usd"] is None else cost + Decimal(row["cost_usd"])
            )
        return {
            "completions": generated,
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "cost_usd": None if cost is None else float(cost),
            "retries": retries,
        }


def _sum(values: list[int | None]) -> int | None:
    """Their sum; `None` when one isn't known."""
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _money(values: list[str | float | None]) -> float | None:
    known = [float(value) for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _with(row: sqlite3.Row, **changed: Any) -> dict[str, Any]:
    return {**dict(row), **changed}


def _flags(text: str) -> tuple[str, ...]:
    return tuple(f for f in text.split(",") if f)


def _unit(r: sqlite3.Row) -> UnitRow:
    return UnitRow(
        id=r["id"],
        cell_id=r["cell_id"],
        task_pk=r["task_pk"],
        index=r["idx"],
        outcome=r["outcome"],
        turns=r["turns"],
        solved_turn=r["solved_turn"],
        flags=_flags(r["flags"]),
        detail=r["detail"],
        prompt_tokens=r["prompt_tokens"],
        completion_tokens=r["completion_tokens"],
        cost_usd=None if r["cost_usd"] is None else float(r["cost_usd"]),
        cpu_s=r["cpu_s"],
        seconds=r["seconds"],
        attempts=tuple(json.loads(r["attempts"])),
        change=r["change"],
    )
