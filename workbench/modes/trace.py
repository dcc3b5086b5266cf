"""A real trace of a failing visible test: which lines ran, and what the variables were.

A language can be traced when `tracers/` has a file of its id: text that goes after the candidate,
in which ENTRY stands for the function and WANTED for the number of the call (-1: every call). It
writes `workbench-trace:` and JSON on a line of standard error.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from workbench.apart import apart
from workbench.benchmarks.task import Task
from workbench.execution.program import Candidate, Execution
from workbench.languages import Language
from workbench.modes.context import Context
from workbench.outcomes import Outcome
from workbench.text import clean_line

_TRACERS = Path(__file__).resolve().parent / "tracers"
_MARK = "workbench-trace:"
_TRACEABLE = (Outcome.WRONG_ANSWER, Outcome.RUNTIME_ERROR)


def can_trace(language: Language) -> bool:
    """Whether there is a tracer for a language."""
    return (_TRACERS / f"{language.id}.tail").is_file()


async def trace(context: Context, task: Task, code: Candidate, visible: Execution) -> str:
    """The steps of the first failing visible test, a line each; empty where there is no trace."""
    if visible.outcome not in _TRACEABLE or not can_trace(context.language):
        return ""
    wanted = visible.case.index if visible.case else -1
    tail = (_TRACERS / f"{context.language.id}.tail").read_text(encoding="utf-8")
    tail = re.sub(r"\bENTRY\b", task.entry_point, tail)
    candidate = replace(code, text=code.text + re.sub(r"\bWANTED\b", str(wanted), tail))
    assemble = context.language.assembly.assemble
    program = await apart(code.text, lambda: assemble(task, candidate, "visible"))
    traced = await context.execute(program, "trace")
    step = next((s for s in traced.steps if s.name == "run"), None)
    if step is None:
        return ""
    said = f"{step.stderr.head}\n{step.stderr.tail}"
    found = [line for line in said.splitlines() if line.startswith(_MARK)]
    # The last call is the one that failed: a test ends with its first failure.
    for line in reversed(found):
        try:
            told = json.loads(line.removeprefix(_MARK))
            return _shown(cast("dict[str, Any]", told), code.text, program.candidate_lines[0])
        except (ValueError, TypeError, KeyError, IndexError, AttributeError):
            continue  # cut, or written by the program itself
    return ""


def _shown(told: dict[str, Any], code: str, first: int) -> str:
    lines = code.splitlines()

    def step(number: int, changed: dict[str, str]) -> str:
        at = int(number) - first
        text = lines[at].strip() if 0 <= at < len(lines) else ""
        values = ", ".join(f"{name} = {value}" for name, value in changed.items())
        return clean_line(f"line {at + 1}: {text:.80}" + (f"   # {values}" if values else ""))

    shown = [step(*one) for one in told["steps"]]
    if told["left_out"]:
        shown.append(f"… {int(told['left_out'])} steps left out …")
    return "\n".join([*shown, *(step(*one) for one in told["more"])])
