"""One stored program executed again, and the plain commands that do the same by hand."""

from __future__ import annotations

import json
import math
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench import images, languages
from workbench.errors import SessionError, UsageError
from workbench.execution import messages
from workbench.execution.pool import open_pool
from workbench.execution.program import Execution, Limits, Program, read_execution, read_program
from workbench.languages import Language
from workbench.session.records import CellRow, TaskRow, TurnRow, UnitRow
from workbench.session.store import SessionReader

TOKEN = "0" * 32
"""What stands in the files for the pass token, which is drawn anew for each execution."""

_ROW = re.compile(r"(?P<task>.+?):(?P<index>\d+)(?::(?P<turn>\d+))?")


@dataclass(frozen=True, slots=True)
class Stored:
    """A program as a session keeps it, with what came of it."""

    cell: CellRow
    task: TaskRow
    unit: UnitRow
    turn: TurnRow
    program: Program
    execution: Execution

    @property
    def row(self) -> str:
        """How it is addressed: task, sample, turn."""
        return f"{self.task.task_id}:{self.unit.index}:{self.turn.turn}"

    @property
    def limits(self) -> dict[str, Limits]:
        """The limits under which it was judged, by step."""
        stored: Mapping[str, Mapping[str, Any]] = self.cell.protocol["eval"]["limits"]
        return {step: _limits(values) for step, values in stored.items()}

    @property
    def sandbox(self) -> str:
        """The launcher that judged it."""
        return self.execution.sandbox or str(self.cell.protocol["eval"]["sandbox"])


def find(reader: SessionReader, row: str, language: str = "", mode: str = "") -> Stored:
    """The program that `row` names.

    Args:
        reader: the session.
        row: `TASK:SAMPLE` or `TASK:SAMPLE:TURN` as `rows` and `report` have them (samples from 0,
            turns from 1; without a turn the last one), or a unit's number as `view --plain` has it.
        language: where several cells have such a row: this one's.
        mode: `plain` or a recipe, likewise.

    Raises:
        UsageError: no such row, several, or one without a program.
    """
    wanted_turn = None
    if row.isdigit():
        units = [u for u in reader.units() if u.id == int(row)]
    else:
        match = _ROW.fullmatch(row)
        if match is None:
            raise UsageError(
                f"{row!r}: TASK:SAMPLE[:TURN], such as HumanEval/3:0, or a unit's number"
            )
        tasks = {t.id for t in reader.tasks().values() if t.task_id == match["task"]}
        units = [u for u in reader.units() if u.task_pk in tasks and u.index == int(match["index"])]
        wanted_turn = int(match["turn"]) if match["turn"] else None
    cells = {c.id: c for c in reader.cells()}
    fitting = [u for u in units if _fits(cells[u.cell_id], language, mode)]
    if not fitting:
        raise UsageError(f"{reader.name} has no row {row}: see `workbench rows {reader.name}`")
    if len(fitting) > 1:
        found = ", ".join(
            f"{c.language} {c.recipe or c.mode}" for c in (cells[u.cell_id] for u in fitting)
        )
        raise UsageError(f"{row} is in several cells ({found}): name one with -l and --mode")
    (unit,) = fitting
    turns = [t for t in reader.turns(unit.id) if wanted_turn in (None, t.turn)]
    if not turns or not turns[-1].program or turns[-1].scored is None:
        raise UsageError(f"{row}: no program was executed ({unit.outcome or 'not done yet'})")
    turn = turns[-1]
    assert turn.scored is not None
    try:
        program, execution = read_program(turn.program), read_execution(turn.scored)
    except (KeyError, TypeError, ValueError) as error:
        raise SessionError(f"{reader.name}: {row} can't be read: {error!r}") from None
    task = reader.tasks()[unit.task_pk]
    return Stored(cells[unit.cell_id], task, unit, turn, program, execution)


def _fits(cell: CellRow, language: str, mode: str) -> bool:
    return language in ("", cell.language) and mode in ("", cell.recipe or cell.mode)


def _limits(values: Mapping[str, Any]) -> Limits:
    return Limits(
        cpu_s=float(values["cpu_s"]),
        wall_s=float(values["wall_s"]),
        memory_mb=int(values["memory_mb"]),
        output_bytes=int(values["output_bytes"]),
        processes=int(values["processes"]),
        file_mb=int(values["file_mb"] or Limits.__dataclass_fields__["file_mb"].default),
    )


async def execute(stored: Stored, sandbox: str | None = None) -> Execution:
    """Execute it again under its own limits.

    Raises:
        SandboxUnavailable: that sandbox, or the toolchain in it, isn't there.
    """
    language = languages.load(stored.cell.language)
    chosen = sandbox or stored.sandbox
    async with open_pool([language], chosen, slots=1, reuse=False) as judge:
        return await judge.execute(stored.program, limits=stored.limits)


def changed(stored: Stored) -> bool:
    """Whether the language folder isn't the one that judged it."""
    then = stored.cell.protocol["eval"].get("toolchain", {}).get("content_sha256", "")
    return bool(then) and then != languages.load(stored.cell.language).content_hash


def write_files(program: Program, folder: Path) -> list[Path]:
    """Write a program's files, and its expected values as cases.json where tests are data.

    Raises:
        UsageError: the folder isn't empty, or can't be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise UsageError(f"{folder} isn't empty: --to makes a folder of its own")
        written: list[Path] = []
        for file in program.files:
            if Path(file.name).name != file.name:
                raise UsageError(f"{file.name!r} is no plain file name")
            path = folder / file.name
            path.write_text(TOKEN.join(file.pieces), encoding="utf-8", newline="")
            written.append(path)
        if program.cases is not None:
            path = folder / "cases.json"
            cases = [{"call": case.shown, "expected": case.expected} for case in program.cases]
            path.write_text(json.dumps(cases, indent=1, ensure_ascii=False), encoding="utf-8")
            written.append(path)
    except OSError as error:
        raise UsageError(f"{folder}: can't be written: {error.strerror}") from None
    return written


@dataclass(frozen=True, slots=True)
class ByHand:
    """Plain commands, for a shell."""

    container: str
    """One command that runs all steps in a container of the language's image."""
    steps: tuple[str, ...]
    """The steps alone, for a machine that has the toolchain; in the files' folder."""


def by_hand(stored: Stored, folder: Path | None) -> ByHand:
    """The commands that judge the files in `folder` (here: None) as the sandbox does."""
    language = languages.load(stored.cell.language)
    limits = stored.limits
    steps = messages.effective_limits(language, limits)
    lines = tuple(_step(name, stored.program, *steps[name]) for name in steps)
    memory = max(limit.memory_mb for _, limit in steps.values())
    processes = max(limit.processes for _, limit in steps.values())
    where = '"$PWD"' if folder is None else shlex.quote(str(folder.resolve()))
    script = "\n".join(("set -e", "cp /program/* .", *lines))
    words = [
        "docker run --rm --init --network none --read-only --cap-drop ALL",
        "--security-opt no-new-privileges --user 65534:65534",
        f"--memory {memory}m --memory-swap {memory}m --pids-limit {2 * processes}",
        "--tmpfs /box:rw,exec,size=256m,uid=65534 --tmpfs /tmp:rw,size=64m,uid=65534 --workdir /box",
        f"-e HOME=/box -e TMPDIR=/tmp -v {where}:/program:ro",
        f"--entrypoint /bin/sh {_image(language)} -c {shlex.quote(script)}",
    ]
    return ByHand(" \\\n  ".join(words), lines)


def _image(language: Language) -> str:
    named = language.settings.get("image", {}).get("tag")
    return str(named) if named else images.content_tag(language.id)


def _step(name: str, program: Program, spec: languages.StepSpec, limits: Limits) -> str:
    """One step, with its limits: CPU seconds by the shell, wall time by `timeout`."""
    argv = messages.expand(spec.argv, program.options)
    environment = [f"{key}={value}" for key, value in spec.env.items()]
    command = shlex.join([*(("env", *environment) if environment else ()), *argv])
    # Descriptor 3 is the channel on which the end of the tests, or their values, are told.
    channel = " 3>&1" if name == "run" else ""
    return (
        f"(ulimit -t {math.ceil(limits.cpu_s)}; exec timeout {limits.wall_s:g} {command}{channel})"
    )
