"""One turn: from an answer to its outcomes, whatever the mode; what is stored isn't done again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from workbench.apart import apart
from workbench.benchmarks.task import Task
from workbench.execution.program import Candidate, Execution, Program, read_execution
from workbench.generation.extracted import Extraction
from workbench.generation.model import Completion
from workbench.modes.context import Judging
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
    form: Literal["body", "full"] = "full"
    """Of the code: see `Candidate`."""

    @property
    def candidate(self) -> Candidate:
        """The code as it is assembled."""
        return Candidate(self.code, self.form)


async def judge_answer(
    context: Judging,
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
    scored, program, flags = await score(context, task, candidate, completion)
    turn = Turn(completion.text, candidate.text, seen, scored, flags, candidate.form)
    return turn, extraction, program


async def score(
    context: Judging, task: Task, candidate: Candidate, completion: Completion
) -> tuple[Execution, Program, tuple[str, ...]]:
    """Put a candidate before the scored tests; also its program and the turn's flags."""
    hooks = context.language.assembly
    program, tricks = await apart(
        candidate.text,
        lambda: (
            hooks.assemble(task, candidate, "scored"),
            tuple(hooks.suspicions(task, candidate.text)),
        ),
    )
    scored = await context.execute(program, "scored")
    return scored, program, _flags(completion, scored, suspect=bool(tricks))


def is_bare(task: Task) -> bool:
    """Whether a task has no visible tests, but a test that tests nothing: then a program can be
    compiled and loaded, and what that says may be told."""
    return not task.has_visible_tests and bool(task.parts.get("bare_test"))


def visibly(task: Task) -> Task | None:
    """The task as its visible program is made; `None`: none can be."""
    if task.has_visible_tests:
        return task
    return replace(task, visible_test=task.parts["bare_test"]) if is_bare(task) else None


async def _visible(context: Judging, whole: Task, candidate: Candidate) -> Execution | None:
    task = visibly(whole)
    if task is None:
        return None
    assemble = context.language.assembly.assemble
    program = await apart(candidate.text, lambda: assemble(task, candidate, "visible"))
    return await context.execute(program, "visible")


def _flags(completion: Completion, scored: Execution, *, suspect: bool) -> tuple[str, ...]:
    flags = [Flag.TRUNCATED.value] if completion.truncated else []
    if suspect:
        flags.append(Flag.SUSPECT.value)
    return (*flags, *(f for f in scored.flags if f not in flags))


def stored_turn(
    raw: str,
    code: str,
    visible: Mapping[str, Any] | None,
    scored: Mapping[str, Any],
    flags: tuple[str, ...],
    form: str | None = "full",
) -> Turn:
    """A turn that was judged before."""
    seen = read_execution(visible) if visible else None
    kind = "body" if form == "body" else "full"
    return Turn(raw, code, seen, read_execution(scored), flags, kind)


def stored_completion(raw: str, body: Mapping[str, Any]) -> Completion:
    """As much of a stored answer as judging needs."""
    return Completion(text=raw, finish_reason=str(body["finish_reason"]), model=str(body["model"]))
