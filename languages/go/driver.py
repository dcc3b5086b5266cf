"""Go: typed tasks made into programs. `program.go` is the candidate, `main.go` the driver."""

from __future__ import annotations

import re
from pathlib import Path

from workbench.benchmarks.task import Task
from workbench.execution.program import Candidate, DataCase, Program, SourceFile
from workbench.source_text import Draft, Source
from workbench.translation.program_parts import (
    data_cases,
    driver_pieces,
    once_a_task,
    suite_cases,
    typed_task,
)
from workbench.translation.typed import TypedTask
from workbench.translation.values import zero

from .imports import GRAMMAR, functions_in, header, imports_in, packages_used, without_header
from .printer import call, entry_point, literal

_TEMPLATE = Path(__file__).with_name("driver_main.go.in")


def assemble_typed(task: Task, candidate: Candidate, suite: str) -> Program:
    """Make the program that calls `candidate` with the arguments of `suite`.

    Raises:
        ValueError: the task has no typed form, or no cases of that suite.
    """
    typed = typed_task(task)
    if candidate.form == "body":
        whole = Source.of_candidate(GRAMMAR, task.prompt + candidate.text)
        before, text = (
            without_header(Source.parse(GRAMMAR, task.prompt)).lstrip("\n"),
            candidate.text,
        )
    else:
        whole = Source.of_candidate(GRAMMAR, candidate.text)
        before, text = "", without_header(whole)
    head = header("main", packages_used(whole), imports_in(whole))
    draft = Draft("program.go").add(head + before).candidate(_without_main(whole, text)).add("\n")
    return Program(
        language=task.language,
        files=(draft.file(), SourceFile("main.go", _driver(typed, suite))),
        options={"build": ("build",)},
        cases=_cases(typed, suite),
        candidate_file=draft.name,
        candidate_lines=draft.lines,
    )


def typed_stub(task: Task) -> Candidate:
    """Make the candidate that returns the zero value of the result's type."""
    result = typed_task(task).signature.result
    value = "nil" if result.name == "optional" else literal(result, zero(result))
    return Candidate(f"    return {value}\n}}\n", "body")


def _without_main(whole: Source, text: str) -> str:
    """Give a candidate's own main another name: the program has one already."""
    if "main" not in functions_in(whole):
        return text
    return re.sub(r"^(func[ \t]+)main\b", r"\1workbenchCandidateMain", text, flags=re.MULTILINE)


@once_a_task
def _cases(task: TypedTask, suite: str) -> tuple[DataCase, ...]:
    return data_cases(task, suite_cases(task, suite), call)


@once_a_task
def _driver(task: TypedTask, suite: str) -> tuple[str, ...]:
    name = entry_point(task.signature)
    lines: list[str] = []
    for index, case in enumerate(suite_cases(task, suite)):
        pairs = zip(task.signature.parameters, case.arguments, strict=True)
        arguments = ", ".join(literal(p.type, v) for p, v in pairs)
        lines.append(f"\tworkbenchResult({index}, {name}({arguments}))\n")
    return driver_pieces(_TEMPLATE, {"// Cases\n": "".join(lines)})
