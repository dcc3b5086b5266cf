"""Plain mode: one independent draw, one program."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.benchmarks.task import Task
from workbench.errors import GenerationFailed
from workbench.generation.model import Request
from workbench.modes.context import Context
from workbench.modes.result import UnitEnd, unanswered
from workbench.modes.stored import StoredTurn
from workbench.modes.turns import judge_answer, stored_completion, stored_turn
from workbench.outcomes import Outcome


async def run_sample(
    context: Context,
    task: Task,
    first: Request,
    stored: Sequence[StoredTurn],
    *,
    visible: bool = False,
) -> UnitEnd:
    """Bring one sample to its outcome; a stored answer is never asked for again.

    Args:
        context: the unit's connection to model, judge and store.
        task: what the sample is for.
        first: the request.
        stored: what an earlier run kept.
        visible: whether the visible tests are run, too, apart from the scored ones: they change no
            outcome, and say which of several samples a user without the scored tests would pick.
    """
    kept = stored[0] if stored else None
    if kept is None:
        try:
            completion = await context.generate(first, 1)
        except GenerationFailed as error:
            return unanswered(error, 1)
        await context.store_completion(1, first, "", completion)
    else:
        completion = stored_completion(kept.raw, kept.completion)
    if kept is not None and kept.scored is not None:
        turn = stored_turn(kept.raw, kept.code, kept.visible, kept.scored, kept.flags)
    else:
        turn, extraction, program = await judge_answer(context, task, completion, visible=visible)
        await context.store_outcome(
            1, extraction, program, turn.visible, turn.scored, turn.flags, accepted=False
        )
    outcome = turn.scored.outcome
    return UnitEnd(
        outcome, turn.scored.detail, turn.flags, 1 if outcome is Outcome.PASSED else None
    )
