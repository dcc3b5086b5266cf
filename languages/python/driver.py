"""Python: typed tasks made into programs. `program.py` is the candidate, `main.py` the driver."""

from __future__ import annotations

from pathlib import Path
from typing import Any

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
from workbench.translation.typed import Type, TypedTask
from workbench.translation.values import zero

from .printer import call, entry_point, literal

_TEMPLATE = Path(__file__).with_name("driver_main.py.in")


def assemble_typed(task: Task, candidate: Candidate, suite: str) -> Program:
    """Make the program that calls `candidate` with the arguments of `suite`.

    Raises:
        ValueError: the task has no typed form, or no cases of that suite.
    """
    typed = typed_task(task)
    draft = Draft("program.py").add(task.prompt if candidate.form == "body" else "")
    draft.candidate(candidate.text).add("\n")
    return Program(
        language=task.language,
        files=(draft.file(), SourceFile("main.py", _driver(typed, suite))),
        cases=_cases(typed, suite),
        candidate_file=draft.name,
        candidate_lines=draft.lines,
    )


def typed_stub(task: Task) -> Candidate:
    """Make the candidate that returns the zero value of the result's type."""
    result = typed_task(task).signature.result
    return Candidate(f"    return {literal(result, zero(result))}\n", "body")


@once_a_task
def _cases(task: TypedTask, suite: str) -> tuple[DataCase, ...]:
    return data_cases(task, suite_cases(task, suite), call)


@once_a_task
def _driver(task: TypedTask, suite: str) -> tuple[str, ...]:
    name = entry_point(task.signature)
    parts = [f"ENTRY_POINT = {name!r}", f"SHAPE = {_shape(task.signature.result)!r}", "CASES = []"]
    for case in suite_cases(task, suite):
        pairs = zip(task.signature.parameters, case.arguments, strict=True)
        arguments = ", ".join(_ascii(literal(p.type, v)) for p, v in pairs)
        parts.append(f"CASES.append(lambda {name}: {name}({arguments}))")
    return driver_pieces(_TEMPLATE, {"# Cases\n": "\n".join(parts) + "\n\n"})


def _shape(wanted: Type) -> tuple[Any, ...]:
    """Write a type as the driver reads it: its name, then the shapes of its arguments."""
    return (wanted.name, *(_shape(a) for a in wanted.args))


def _ascii(text: str) -> str:
    """Escape what isn't ASCII: a literal is the same value in any encoding."""
    return "".join(
        c if ord(c) < 127 else f"\\u{ord(c):04x}" if ord(c) < 0x10000 else f"\\U{ord(c):08x}"
        for c in text
    )
