"""Stored turns judged anew, and what comes of a unit whose turns were."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any

from workbench.benchmarks.task import Task
from workbench.bodies import body_of
from workbench.errors import SessionError
from workbench.execution.judge import Judge
from workbench.execution.program import Candidate, Execution, Program
from workbench.generation.extracted import Extraction, ExtractionStep
from workbench.generation.extraction import extract
from workbench.generation.model import Completion, Request
from workbench.languages import Language
from workbench.modes.turns import judge_answer, stored_completion
from workbench.outcomes import Outcome
from workbench.protocol.recipe import RepairRecipe
from workbench.session.plan import EXTRACTORS, Plan
from workbench.session.records import TaskRow, TurnRow, UnitRow


class Anew:
    """The judge of a rescoring, and the tasks as they are judged now."""

    def __init__(self, plan: Plan, judge: Judge, threads: Executor, *, again: bool) -> None:
        """`again`: code is taken from the answers anew, too."""
        self.plan = plan
        self.judge = judge
        self.again = again
        self._threads = threads
        self._tasks = {(task.language, task.id): task for task in plan.taskset.tasks}

    def task(self, row: TaskRow) -> Task:
        """The task that a row names.

        Raises:
            SessionError: the benchmark doesn't have it any more.
        """
        found = self._tasks.get((row.language, row.task_id))
        if found is None:
            raise SessionError(f"{row.benchmark} has no task {row.task_id} in {row.language} now")
        return found

    async def extract(self, text: str, task: Task, language: Language) -> Extraction:
        """Code of an answer, in a thread: a hard text may take seconds."""
        spec = self.plan.spec
        work = partial(
            extract, text, task, language, spec.style, extractor=EXTRACTORS[spec.extraction]
        )
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


@dataclass(frozen=True, slots=True)
class AnewTurn:
    """What is stored of a turn beside its answer."""

    extraction: Mapping[str, Any]
    code: str
    program: Mapping[str, Any]
    visible: Mapping[str, Any] | None
    scored: Mapping[str, Any] | None
    flags: tuple[str, ...]
    accepted: bool
    """As it was when the episode went on."""


def copied(turn: TurnRow) -> AnewTurn:
    """A turn as it is."""
    return AnewTurn(
        turn.extraction,
        turn.code,
        turn.program,
        turn.visible,
        turn.scored,
        turn.flags,
        turn.accepted,
    )


async def judged_turn(anew: Anew, row: TaskRow, turn: TurnRow, *, repair: bool) -> AnewTurn:
    """Judge a stored answer by the plan's rules.

    What the visible tests said in an episode stays: it is why the episode went on as it did.
    """
    context = _Context(anew, turn, anew.plan.languages[row.language])
    task = anew.task(row)
    context.task = task
    completion = stored_completion(turn.raw, turn.completion)
    visible = not repair and (turn.visible is not None or anew.plan.picks)
    made, extraction, program = await judge_answer(context, task, completion, visible=visible)
    body = body_of(extraction)
    candidate = body.pop("candidate")
    body["form"] = candidate["form"] if candidate else None
    seen = turn.visible if repair else (body_of(made.visible) if made.visible else None)
    return AnewTurn(
        body if anew.again else turn.extraction,
        made.code,
        body_of(program) if program else {},
        seen,
        body_of(made.scored),
        made.flags,
        turn.accepted,
    )


class _Context:
    """What judging an answer needs: see `workbench.modes.context`."""

    def __init__(self, anew: Anew, turn: TurnRow, language: Language) -> None:
        self._anew = anew
        self._turn = turn
        self.language = language
        self.task: Task | None = None

    async def generate(self, request: Request, turn: int) -> Completion:
        raise AssertionError("rescoring asks no model")

    async def extract(self, text: str, previous: str) -> Extraction:
        assert self.task is not None
        if self._anew.again:
            return await self._anew.extract(text, self.task, self.language)
        return _stored_extraction(self._turn)

    async def execute(self, program: Program, purpose: str) -> Execution:
        return await self._anew.judge.execute(
            program, limits=self._anew.plan.limits(program.language)
        )

    async def store_completion(
        self, turn: int, request: Request, feedback: str, completion: Completion
    ) -> None:
        raise AssertionError("rescoring stores turns itself")

    async def store_outcome(
        self,
        turn: int,
        extraction: Extraction,
        program: Program | None,
        visible: Execution | None,
        scored: Execution,
        flags: tuple[str, ...],
        accepted: bool,
    ) -> None:
        raise AssertionError("rescoring stores turns itself")


def _stored_extraction(turn: TurnRow) -> Extraction:
    body = turn.extraction
    form = body.get("form")
    candidate = None if form is None else Candidate(turn.code, form)
    steps = tuple(ExtractionStep(**step) for step in body.get("steps", ()))
    return Extraction(
        candidate,
        steps,
        refused=bool(body.get("refused")),
        extractor=str(body.get("extractor", "")),
    )


@dataclass(frozen=True, slots=True)
class End:
    """What comes of a unit."""

    outcome: str
    detail: str
    flags: tuple[str, ...]
    solved_turn: int | None
    lost: bool = False


def cut(unit: UnitRow, turns: Sequence[AnewTurn], recipe: RepairRecipe | None) -> End:
    """What a unit hands in after these turns; one that was lost before the cut stays lost."""
    judged = [turn for turn in turns if turn.scored is not None]
    whole = len(judged) == len(turns) and bool(turns)
    ended = whole and (recipe is None or len(turns) == recipe.turns or _went_to_its_end(unit))
    if not ended:
        outcome = unit.outcome or Outcome.GENERATION_FAILED.value
        return End(outcome, unit.detail, unit.flags, None, lost=True)
    for number, turn in enumerate(turns, 1):
        for execution in (turn.visible, turn.scored):
            if execution is not None and execution["outcome"] == Outcome.SANDBOX_ERROR.value:
                detail = str(execution.get("detail", ""))
                why = detail if recipe is None else f"turn {number}: {detail}"
                if recipe is not None or execution is turn.scored:
                    return End(Outcome.SANDBOX_ERROR.value, why, turn.flags, None, lost=True)
    handed = [turns[_handed_in(turns[: t + 1], recipe)] for t in range(len(turns))]
    solved = next((t for t, turn in enumerate(handed, 1) if _outcome(turn) == "passed"), None)
    final = handed[-1]
    assert final.scored is not None
    return End(_outcome(final), str(final.scored.get("detail", "")), final.flags, solved)


def _went_to_its_end(unit: UnitRow) -> bool:
    return unit.outcome not in (None, "generation_failed", "sandbox_error")


def _outcome(turn: AnewTurn) -> str:
    assert turn.scored is not None
    return str(turn.scored["outcome"])


def _handed_in(turns: Sequence[AnewTurn], recipe: RepairRecipe | None) -> int:
    """Which turn's program is handed in, from 0."""
    if recipe is not None and recipe.submit == "any":
        return next((i for i, t in enumerate(turns) if _outcome(t) == "passed"), len(turns) - 1)
    if recipe is not None and recipe.submit == "accepted-else-last":
        return next((i for i, turn in enumerate(turns) if turn.accepted), len(turns) - 1)
    if recipe is not None and recipe.submit == "any":
        return next((i for i, t in enumerate(turns) if _outcome(t) == "passed"), len(turns) - 1)
    return len(turns) - 1
