"""Repair mode: one episode of turns, with feedback between, until accepted or out of turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from workbench.benchmarks.task import Task
from workbench.errors import GenerationFailed
from workbench.generation.model import Message, Request
from workbench.modes.context import Context
from workbench.modes.feedback import Said, judge_turn, render
from workbench.modes.recipe import Recipe
from workbench.modes.result import UnitEnd, unanswered
from workbench.modes.stored import StoredTurn
from workbench.modes.turns import Turn, judge_answer, stored_completion, stored_turn
from workbench.outcomes import Outcome


@dataclass(frozen=True, slots=True)
class Taken:
    """A turn that was taken, and what it was answered with."""

    turn: Turn
    said: Said


async def run_episode(
    context: Context,
    task: Task,
    recipe: Recipe,
    first: Request,
    stored: Sequence[StoredTurn],
) -> UnitEnd:
    """Bring one episode to its outcome; stored answers and outcomes are taken as they are."""
    taken: list[Taken] = []
    kept = {s.turn: s for s in stored}
    for number in range(1, recipe.max_turns + 1):
        feedback = render(recipe, taken[-1].said) if taken else ""
        request = first if not taken else next_request(recipe, first, taken, feedback, number)
        try:
            turn = await _take(context, task, recipe, request, feedback, number, kept, taken)
        except GenerationFailed as error:
            return unanswered(error, number)
        taken.append(turn)
        lost = _lost(turn.turn)
        if lost is not None:
            return UnitEnd(Outcome.SANDBOX_ERROR, f"turn {number}: {lost}", turn.turn.flags)
        if turn.said.accepted and recipe.stop != "none":
            break
    final = taken[submitted_at(recipe, taken, len(taken))].turn
    cuts = range(1, len(taken) + 1)
    solved = (
        t
        for t in cuts
        if taken[submitted_at(recipe, taken, t)].turn.scored.outcome is Outcome.PASSED
    )
    return UnitEnd(final.scored.outcome, final.scored.detail, final.flags, next(solved, None))


def submitted_at(recipe: Recipe, taken: Sequence[Taken], cut: int) -> int:
    """Which turn's program is handed in when the episode is cut at `cut` turns (from 0)."""
    turns = taken[:cut]
    if recipe.submit == "accepted-else-last":
        for number, one in enumerate(turns):
            if one.said.accepted:
                return number
    return len(turns) - 1


def next_request(
    recipe: Recipe, first: Request, taken: Sequence[Taken], feedback: str, number: int
) -> Request:
    """The request of turn `number`: the task, as much history as the recipe keeps, the feedback."""
    shown = taken if recipe.rounds is None else taken[-recipe.rounds :]
    messages = list(first.messages)
    for one in shown[:-1]:
        messages.append(Message("assistant", one.turn.text))
        messages.append(Message("user", render(recipe, one.said)))
    messages.append(Message("assistant", shown[-1].turn.text))
    messages.append(Message("user", feedback))
    return replace(
        first,
        messages=tuple(messages),
        sampling=recipe.later(first.sampling),
        key=f"{first.key.rpartition('/')[0]}/{number}",
    )


async def _take(
    context: Context,
    task: Task,
    recipe: Recipe,
    request: Request,
    feedback: str,
    number: int,
    kept: dict[int, StoredTurn],
    taken: Sequence[Taken],
) -> Taken:
    stored = kept.get(number)
    if stored is not None and stored.scored is not None:
        turn = stored_turn(stored.raw, stored.code, stored.visible, stored.scored, stored.flags)
        return Taken(turn, judge_turn(recipe, turn.visible, bool(turn.code)))
    if stored is None:
        completion = await context.generate(request, number)
        await context.store_completion(number, request, feedback, completion)
    else:
        completion = stored_completion(stored.raw, stored.completion)
    previous = taken[-1].turn.code if taken else ""
    turn, extraction, program = await judge_answer(
        context, task, completion, previous=previous, visible=True
    )
    said = judge_turn(recipe, turn.visible, bool(turn.code))
    await context.store_outcome(
        number, extraction, program, turn.visible, turn.scored, turn.flags, accepted=said.accepted
    )
    return Taken(turn, said)


def _lost(turn: Turn) -> str | None:
    """Why the machine lost a turn: neither feedback nor outcome may come of that."""
    for execution in (turn.visible, turn.scored):
        if execution is not None and execution.outcome is Outcome.SANDBOX_ERROR:
            return execution.detail
    return None
