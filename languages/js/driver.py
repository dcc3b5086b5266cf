"""JavaScript: typed tasks made into programs. `program.js` is the candidate, `main.js` the driver."""

from __future__ import annotations

from pathlib import Path

from workbench.benchmarks.task import Task
from workbench.execution.program import Candidate, DataCase, Program, SourceFile
from workbench.source_text import Draft
from workbench.translation.program_parts import (
    data_cases,
    driver_pieces,
    once_a_task,
    suite_cases,
    typed_task,
)
from workbench.translation.typed import TypedTask
from workbench.translation.values import zero

from .assembly import _full  # pyright: ignore[reportPrivateUsage]
from .printer import call, entry_point, literal

_TEMPLATE = Path(__file__).with_name("driver_main.js.in")


def assemble_typed(task: Task, candidate: Candidate, suite: str) -> Program:
    """Make the program that calls `candidate` with the arguments of `suite`.

    Raises:
        ValueError: the task has no typed form, or no cases of that suite.
    """
    typed = typed_task(task)
    before, text = (
        (task.prompt, candidate.text) if candidate.form == "body" else _full(task, candidate.text)
    )
    draft = Draft("program.js").add(before).candidate(text)
    # The last line hands the function over by its own name, however it was declared; a name that
    # isn't there is a ReferenceError.
    draft.add(f"\n;module.exports.workbenchEntry = {entry_point(typed.signature)};\n")
    return Program(
        language=task.language,
        files=(draft.file(), SourceFile("main.js", _driver(typed, suite))),
        cases=_cases(typed, suite),
        candidate_file=draft.name,
        candidate_lines=draft.lines,
    )


def typed_stub(task: Task) -> Candidate:
    """Make the candidate that returns the zero value of the result's type."""
    result = typed_task(task).signature.result
    return Candidate(f"    return {literal(result, zero(result))};\n}}\n", "body")


@once_a_task
def _cases(task: TypedTask, suite: str) -> tuple[DataCase, ...]:
    return data_cases(task, suite_cases(task, suite), call)


@once_a_task
def _driver(task: TypedTask, suite: str) -> tuple[str, ...]:
    lines: list[str] = []
    name = entry_point(task.signature)
    for case in suite_cases(task, suite):
        pairs = zip(task.signature.parameters, case.arguments, strict=True)
        arguments = ", ".join(literal(p.type, v, ascii_only=True) for p, v in pairs)
        lines.append(f"    ({name}) => {name}({arguments}),\n")
    return driver_pieces(_TEMPLATE, {"// Cases\n": "".join(lines)})
