"""C++: typed tasks made into programs: one file, the candidate first, then the driver."""

from __future__ import annotations

import re
from pathlib import Path

from workbench.benchmarks.task import Task
from workbench.execution.program import Candidate, DataCase, Program
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

from .printer import call, entry_point, literal

_TEMPLATE = Path(__file__).with_name("driver_main.cpp.in")

# In front of every candidate, the same for all: a model that continues the prompt can't include
# anything more, and one that repeats the function alone relies on the prompt's directive. The
# candidate's own main stays, under another name.
_BEFORE = """\
#include <algorithm>
#include <climits>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>
using namespace std;
#define main workbench_candidate_main
"""
# A candidate's macros, such as `#define int long long`, end where its text ends.
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)", re.MULTILINE)


def assemble_typed(task: Task, candidate: Candidate, suite: str) -> Program:
    """Make the program that calls `candidate` with the arguments of `suite`.

    Raises:
        ValueError: the task has no typed form, or no cases of that suite.
    """
    typed = typed_task(task)
    draft = Draft("program.cpp").add(_BEFORE)
    draft.add(task.prompt if candidate.form == "body" else "")
    macros = sorted({"main", *_MACRO.findall(candidate.text)})
    draft.candidate(candidate.text).add("\n" + "".join(f"#undef {name}\n" for name in macros))
    for index, piece in enumerate(_driver(typed, suite)):
        (draft.token() if index else draft).add(piece)
    return Program(
        language=task.language,
        files=(draft.file(),),
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
    for index, case in enumerate(suite_cases(task, suite)):
        # Arguments are variables: a parameter that is a reference takes them too.
        pairs = list(zip(task.signature.parameters, case.arguments, strict=True))
        held = "".join(f"auto a{i} = {literal(p.type, v)}; " for i, (p, v) in enumerate(pairs))
        arguments = ", ".join(f"a{i}" for i in range(len(pairs)))
        lines.append(
            f"    {{ {held}::workbench_driver::result({index}, ::{name}({arguments})); }}\n"
        )
    return driver_pieces(_TEMPLATE, {"// Cases\n": "".join(lines)})
