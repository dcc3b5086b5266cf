"""One turn: from an answer to its outcomes, whatever the mode; what is stored isn't done again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.apart import apart
from workbench.benchmarks.task import Task
from workbench.execution.program import Candidate, Execution, Program, read_execution
from workbench.generation.extracted import Extraction
from workbench.generation.model import Completion
from workbench.modes.context import Context
from workbench.outcomes import Flag, Outcome


@dataclass(frozen=True, slots=True)
class Turn:
    """What came of one answer."""

    text: str
    """The answer."""
    code: str
    """Extracted; empty when there was none."""
    visible: Execution | None
    scored: Execution
    flags: tuple[str, ...]


async def judge_answer(
    context: Context,
    task: Task,
    completion: Completion,
    *,
    previous: str = "",
    visible: bool,
) -> tuple[Turn, Extraction, Program | None]:
    """Extract, assemble and execute: visible and scored tests apart, each in a program of its own.

    Args:
        context: the unit's connection to the judge.
        task: what the answer is for.
        completion: the answer.
        previous: code of the turn before.
        visible: whether the visible tests are run, too (repair does, plain has no use for them).
    """
    extraction = await context.extract(completion.text, previous)
    candidate = extraction.candidate
    if candidate is None or (candidate.form == "full" and not candidate.text.strip()):
        declined = extraction.refused or completion.declined
        outcome = Outcome.REFUSED if declined else Outcome.NO_CODE
        why = extraction.steps[-1].note if extraction.steps else "no code in the answer"
        nothing = Execution(outcome, why)
        flags = (Flag.TRUNCATED.value,) if completion.truncated else ()
        return Turn(completion.text, "", None, nothing, flags), extraction, None
    seen = await _visible(context, task, candidate) if visible else None
    hooks = context.language.assembly
    program, tricks = await apart(
        candidate.text,
        lambda: (
            hooks.assemble(task, candidate, "scored"),
            tuple(hooks.suspicions(task, candidate.text)),
        ),
    )
    scored = await context.execute(program, "scored")
    flags = _flags(completion, scored, suspect=bool(tricks))
    return Turn(completion.text, candidate.text, seen, scored, flags), extraction, program


async def _visible(context: Context, task: Task, candidate: Candidate) -> Execution | None:
    if not task.has_visible_tests:
        return None
    assemble = context.language.assembly.assemble
    program = await apart(candidate.text, lambda: assemble(task, candidate, "visible"))
    return await context.execute(program, "visible")


def _flags(completion: Completion, scored: Execution, *, suspect: bool) -> tuple[str, ...]:
    flags = [Flag.TRUNCATED.value] if completion.truncated else []
    if suspect:
        flags.append(Flag.SUSPECT.value)
    return (*flags, *(f for f in scored.flags if f not in flags))


def stored_turn(raw: str, code: str, visible: Mapping[str, Any] | None,
                scored: Mapping[str, Any], flags: tuple[str, ...]) -> Turn:  # fmt: skip
    """A turn that was judged before."""
    seen = read_execution(visible) if visible else None
    return Turn(raw, code, seen, read_execution(scored), flags)


def stored_completion(raw: str, body: Mapping[str, Any]) -> Completion:
    """As much of a stored answer as judging needs."""
    return Completion(text=raw, finish_reason=str(body["finish_reason"]), model=str(body["model"]))
