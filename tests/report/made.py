"""Session folders with given outcomes: no model, no sandbox; one mark a turn."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.metrics.cells import WORDS, plain, repair
from workbench.protocol.fingerprint import fingerprint
from workbench.protocol.records import Protocol
from workbench.session.store import PROTOCOL
from workbench.session.writer import SessionWriter

VISIBLE = {"●": "passed", "H": "passed", "?": None, "!": None}
"""`H`: passes the visible tests and fails the scored ones."""


@dataclass
class Made:
    """One cell: a task a row, a unit a word, a turn a mark (`●WH?!TC`)."""

    rows: Sequence[str]
    """`"WH● ●"`: a task with two episodes; plain mode takes one mark a word."""
    language: str = "python"
    recipe: str = ""
    temperature: float = 0.8
    ks: Sequence[int] = (1,)
    logprobs: Mapping[tuple[int, int], float] = field(default_factory=dict[tuple[int, int], float])
    """(task, sample) -> mean log-probability."""
    judged: Mapping[str, Any] = field(default_factory=dict[str, Any])
    record: Mapping[str, Any] = field(default_factory=dict[str, Any])
    codes: Mapping[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])

    @property
    def n(self) -> int:
        return max(len(row.split()) for row in self.rows)

    @property
    def protocol(self) -> Protocol:
        tasks = len(self.rows)
        made = repair(tasks, self.n) if self.recipe else plain(tasks, self.n)
        body = made.model_dump()
        body["gen"]["temperature"] = self.temperature
        body["eval"] |= {"language": self.language, **self.judged}
        body["record"] |= {"ks": list(self.ks), "model": "made/model", **self.record}
        if self.recipe:
            body["gen"]["recipe"]["name"] = self.recipe
        return Protocol.model_validate(body)


def make_session(path: Path, *cells: Made, model: str = "made/model") -> Path:
    """Write a session folder and return it."""
    path.mkdir(parents=True)
    (path / PROTOCOL).write_text("{}", encoding="utf-8")
    asyncio.run(_write(path, cells, model))
    return path


async def _write(path: Path, cells: Sequence[Made], model: str) -> None:
    writer = SessionWriter(path, create=True)
    await writer.set_meta({"model": model, "created": 1.0, "spec": {}, "tags": []})
    for cell in cells:
        await _write_cell(writer, cell)
    await writer.flush()
    writer.close()


async def _write_cell(writer: SessionWriter, cell: Made) -> None:
    protocol = cell.protocol
    tasks = [
        {"benchmark": protocol.eval.benchmark, "language": cell.language,
         "task_id": f"{cell.language}/{i}", "problem": str(i), "entry_point": "f", "prompt": "",
         "has_visible_tests": True}
        for i in range(len(cell.rows))
    ]  # fmt: skip
    ids = await writer.add_tasks(tasks)
    cell_id = await writer.add_cell(
        {"benchmark": protocol.eval.benchmark, "suite": "base", "language": cell.language,
         "mode": "repair" if cell.recipe else "plain", "recipe": cell.recipe, "n": cell.n,
         "max_turns": 3 if cell.recipe else 1, "fingerprint": fingerprint(protocol).whole,
         "label": "made", "protocol": protocol.model_dump(mode="json")}
    )  # fmt: skip
    keys = [ids[cell.language, str(task["task_id"])] for task in tasks]
    planned = [(cell_id, keys[t], i) for t, row in enumerate(cell.rows)
               for i in range(len(row.split()))]  # fmt: skip
    ids_of_units = await writer.add_units(planned)
    found = {
        (task, index): unit for (_, task, index), unit in zip(planned, ids_of_units, strict=True)
    }
    # At once: an answer is committed a tenth of a second after it comes.
    await asyncio.gather(
        *(
            _write_unit(writer, cell, found[keys[t], i], marks, (t, i))
            for t, row in enumerate(cell.rows)
            for i, marks in enumerate(row.split())
        )
    )


async def _write_unit(
    writer: SessionWriter, cell: Made, unit: int, marks: str, place: tuple[int, int]
) -> None:
    outcomes = [{**WORDS, "H": "wrong_answer"}[mark] for mark in marks]
    solved = next((turn for turn, o in enumerate(outcomes, 1) if o == "passed"), None)
    for turn, (mark, outcome) in enumerate(zip(marks, outcomes, strict=True), 1):
        if outcome == "generation_failed":
            break
        usage = {"prompt_tokens": 100 * turn, "completion_tokens": 10, "reasoning_tokens": None}
        completion = {
            "text": "made", "finish_reason": "stop", "model": "made", "usage": usage,
            "cost_usd": "0.01", "logprob_mean": cell.logprobs.get(place), "started": 1.0,
            "seconds": 0.1, "attempts": [], "reasoning": "",
        }  # fmt: skip
        await writer.add_completion(
            unit, turn, request_key=f"{unit}/{turn}", request={}, feedback="",
            completion=completion, shared=False,
        )  # fmt: skip
        seen = VISIBLE.get(mark, "wrong_answer")
        await writer.add_outcome(
            unit, turn, extraction={}, code=cell.codes.get(place, f"code {unit} {turn}"),
            program=None,
            visible=None if seen is None else {"outcome": seen, "steps": [], "detail": ""},
            scored={"outcome": outcome, "steps": [], "detail": "made", "diagnostic": None},
            flags=(), accepted=bool(cell.recipe) and seen == "passed",
        )  # fmt: skip
    await writer.finish_unit(
        unit, outcome=outcomes[-1], solved_turn=solved, flags=(), detail="made", cost_usd="0.01"
    )
