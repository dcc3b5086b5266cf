"""Java: typed tasks made into programs. `Solution.java` is the candidate, `Main.java` the driver."""

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
from workbench.translation.typed import Type, TypedTask
from workbench.translation.values import zero

from .assembly import _full  # pyright: ignore[reportPrivateUsage]
from .printer import call, entry_point, literal, zero_literal

_TEMPLATE = Path(__file__).with_name("driver_main.java.in")


def assemble_typed(task: Task, candidate: Candidate, suite: str) -> Program:
    """Make the program that calls `candidate` with the arguments of `suite`.

    Raises:
        ValueError: the task has no typed form, or no cases of that suite.
    """
    typed = typed_task(task)
    before, text = (
        (task.prompt, candidate.text) if candidate.form == "body" else _full(task, candidate.text)
    )
    draft = Draft("Solution.java").add(before).candidate(text).add("\n")
    return Program(
        language=task.language,
        files=(draft.file(), SourceFile("Main.java", _driver(typed, suite))),
        cases=_cases(typed, suite),
        candidate_file=draft.name,
        candidate_lines=draft.lines,
    )


def typed_stub(task: Task) -> Candidate:
    """Make the candidate that returns the zero value of the result's type."""
    result = typed_task(task).signature.result
    return Candidate(f"        return {zero_literal(result, zero(result))};\n    }}\n}}\n", "body")


@once_a_task
def _cases(task: TypedTask, suite: str) -> tuple[DataCase, ...]:
    return data_cases(task, suite_cases(task, suite), call)


@once_a_task
def _driver(task: TypedTask, suite: str) -> tuple[str, ...]:
    calls: list[str] = []
    methods: list[str] = []
    name = entry_point(task.signature)
    for index, case in enumerate(suite_cases(task, suite)):
        # A method for each: one method may have 64 KB of code only.
        pairs = zip(task.signature.parameters, case.arguments, strict=True)
        arguments = ", ".join(literal(p.type, v) for p, v in pairs)
        calls.append(f'        line("{index} " + written(case{index}(), shape));\n')
        methods.append(
            f"    private static Object case{index}() throws Throwable {{\n"
            f"        return new Solution().{name}({arguments});\n    }}\n"
        )
    insertions = {
        "@SHAPE@": _shape(task.signature.result),
        "// Calls\n": "".join(calls),
        "// Cases\n": "".join(methods),
    }
    return driver_pieces(_TEMPLATE, insertions)


def _shape(wanted: Type) -> str:
    """Write a type as the driver reads it: its name, then the shapes of its arguments."""
    inner = "".join(f", {_shape(a)}" for a in wanted.args)
    return f'new Shape("{wanted.name}"{inner})'
