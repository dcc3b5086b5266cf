"""One unit's way through generation, extraction and execution, each step kept as it is done."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any

from workbench.bodies import body_of
from workbench.errors import GenerationFailed
from workbench.execution.program import Execution, Program
from workbench.generation.budget import BudgetReached
from workbench.generation.extracted import Extraction
from workbench.generation.extraction import extract
from workbench.generation.model import Completion, Request
from workbench.modes.context import Purpose, Step
from workbench.modes.spent import Spent, of_completion, of_stored
from workbench.session.firsts import request_key
from workbench.session.plan import EXTRACTORS, PlannedUnit
from workbench.session.records import TurnRow

if TYPE_CHECKING:
    from workbench.session.engine import Engine


class Stopped(Exception):
    """The session stops: this unit stays open and goes on when it is resumed."""


class UnitContext:
    """What a mode needs from the engine, for one unit: see `workbench.modes.context`."""

    def __init__(self, engine: Engine, unit: PlannedUnit, kept: Sequence[TurnRow]) -> None:
        """Work on `unit` for `engine`; `kept` are the turns that an earlier run paid for."""
        self._engine = engine
        self._unit = unit
        self._shared = False
        self._turn = 1
        self._key = ""
        self.language = engine.plan.languages[unit.task.language]
        self._steps = dict(unit.read_steps())
        self.cost = _paid(kept, self._steps.values())
        """US dollars for all that was asked for this unit, in every run; `None`: a price is unknown."""

    async def generate(self, request: Request, turn: int) -> Completion:
        """Get the answer to `request`; a first answer that another mode asked for is shared.

        Raises:
            GenerationFailed: none came after all retries.
            Stopped: the session stops before the request was sent.
        """
        engine, board, unit_id = self._engine, self._engine.board, self._unit.unit_id
        self._turn = turn
        board.stage(unit_id, "generate", turn)
        if not engine.gate.is_set():
            board.why(unit_id, "paused by you")
            await engine.gate.wait()
        key = self._key = request_key(request)
        self._shared = False
        if turn == 1:
            board.why(unit_id, "waiting for the same first answer")
            shared = await engine.firsts.claim(key)
            if shared is not None:
                self._shared = True
                return shared
        try:
            completion = await self._call(request)
        except GenerationFailed as error:
            engine.firsts.fail(key, error)
            raise
        except BaseException:
            engine.firsts.fail(key, None)
            raise
        self._count(completion)
        return completion

    async def ask(self, step: Step, turn: int, request: Request, by: str = "") -> Completion:
        """Get and keep an answer that is no program, once; see `Context.ask`."""
        kept = self._steps.get((turn, step))
        if kept is not None:
            return kept
        engine, board, unit_id = self._engine, self._engine.board, self._unit.unit_id
        board.stage(unit_id, "generate", self._turn)
        if not engine.gate.is_set():
            board.why(unit_id, "paused by you")
            await engine.gate.wait()
        completion = await self._call(request, by)
        self._count(completion)
        await engine.writer.add_step(
            unit_id, turn, step, request=body_of(request), completion=body_of(completion)
        )
        self._steps[turn, step] = completion
        return completion

    def _count(self, completion: Completion) -> None:
        usage, board = completion.usage, self._engine.board
        board.generated(usage.prompt_tokens or 0, usage.completion_tokens or 0, completion.cost_usd)
        if self.cost is not None:
            self.cost = None if completion.cost_usd is None else self.cost + completion.cost_usd

    async def _call(self, request: Request, by: str = "") -> Completion:
        engine, unit_id = self._engine, self._unit.unit_id
        generator = engine.critics[by] if by else engine.generator
        engine.board.why(unit_id, "queued for the model")
        await engine.acquire_call()
        try:
            engine.board.why(unit_id, "waiting for the model")
            return await generator.complete(
                request, on_wait=lambda phrase: engine.board.why(unit_id, phrase)
            )
        except BudgetReached as reached:
            await engine.stop(str(reached), by_person=False)
            raise Stopped from None
        finally:
            await engine.release_call()

    async def store_completion(
        self, turn: int, request: Request, feedback: str, completion: Completion
    ) -> None:
        """Keep an answer before anything else is done with it."""
        engine, key = self._engine, self._key
        try:
            await engine.writer.add_completion(
                self._unit.unit_id,
                turn,
                request_key=key,
                request=body_of(request),
                feedback=feedback,
                completion=body_of(completion),
                shared=self._shared,
            )
        except BaseException:
            engine.firsts.fail(key, None)
            raise
        engine.firsts.settle(key, completion)

    async def extract(self, text: str, previous: str) -> Extraction:
        """Turn an answer into code."""
        plan = self._engine.plan
        # Milliseconds for a program, but seconds for a text made to be hard to read.
        work = partial(
            extract,
            text,
            self._unit.task,
            self.language,
            plan.spec.style,
            extractor=EXTRACTORS[plan.spec.extraction],
            previous=previous,
        )
        return await asyncio.get_running_loop().run_in_executor(self._engine.extracting, work)

    async def execute(self, program: Program, purpose: Purpose) -> Execution:
        """Put a program before its tests."""
        engine, unit_id = self._engine, self._unit.unit_id
        entry = engine.board
        entry.stage(unit_id, "execute", self._turn)
        if not engine.gate.is_set():
            entry.why(unit_id, "paused by you")
            await engine.gate.wait()
        execution = await engine.judge.execute(
            program,
            limits=engine.limits.get(program.language),
            on_wait=lambda phrase: entry.why(unit_id, phrase),
        )
        entry.executed()
        return execution

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
        """Keep what was made of a turn's answer and what came of it."""
        candidate = extraction.candidate
        await self._engine.writer.add_outcome(
            self._unit.unit_id,
            turn,
            extraction=_without_candidate(extraction),
            code=candidate.text if candidate else "",
            program=body_of(program) if program else None,
            visible=body_of(visible) if visible else None,
            scored=body_of(scored),
            flags=flags,
            accepted=accepted,
        )


def _paid(kept: Sequence[TurnRow], steps: Iterable[Completion]) -> Decimal | None:
    turns = (of_stored(t.completion) for t in kept if not t.completion.get("shared"))
    return sum((*turns, *map(of_completion, steps)), Spent()).cost_usd


def _without_candidate(extraction: Extraction) -> dict[str, Any]:
    body = body_of(extraction)
    candidate = body.pop("candidate")
    body["form"] = candidate["form"] if candidate else None
    return body
