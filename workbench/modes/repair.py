"""Repair mode: one episode of turns, with feedback between, until accepted or out of budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.benchmarks.task import Task
from workbench.errors import GenerationFailed
from workbench.generation.model import Message, Request
from workbench.modes.context import Context
from workbench.modes.episode import Episode, Taken, lost
from workbench.modes.recipe import Recipe
from workbench.modes.result import UnitEnd, unanswered
from workbench.modes.self_tests import SandboxLost
from workbench.modes.stored import StoredTurn
from workbench.outcomes import Outcome


async def run_episode(
    context: Context,
    task: Task,
    recipe: Recipe,
    first: Request,
    stored: Sequence[StoredTurn],
) -> UnitEnd:
    """Bring one episode to its outcome; stored answers and outcomes are taken as they are."""
    episode = Episode(context, task, recipe, first, stored)
    taken: list[Taken] = []
    told: list[str] = []
    """Feedback after each turn, in order, as it was sent."""
    for number in range(1, recipe.max_turns + 1):
        try:
            request, feedback = first, ""
            if taken:
                if not episode.is_kept(number) and episode.spent.exhausts(recipe.budget):
                    break
                feedback = await episode.feedback(taken[-1], number)
                told.append(feedback)
                request = next_request(recipe, first, taken, told, number)
                request = replace(request, sampling=episode.within_budget(request.sampling))
            turn = await episode.take(request, feedback, number, taken[-1] if taken else None)
        except GenerationFailed as error:
            return unanswered(error, number)
        except SandboxLost as error:
            return UnitEnd(Outcome.SANDBOX_ERROR, f"turn {number}: {error}", ())
        taken.append(turn)
        why = lost(turn)
        if why is not None:
            return UnitEnd(Outcome.SANDBOX_ERROR, f"turn {number}: {why}", turn.turn.flags)
        if turn.accepted and recipe.stop != "none":
            break
    return ended(recipe, taken)


def ended(recipe: Recipe, taken: Sequence[Taken]) -> UnitEnd:
    """What came of an episode with these turns."""
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
    for number, one in enumerate(turns):
        if recipe.submit == "accepted-else-last" and one.accepted:
            return number
        if recipe.submit == "any" and one.turn.scored.outcome is Outcome.PASSED:
            return number
    return len(turns) - 1


def next_request(
    recipe: Recipe, first: Request, taken: Sequence[Taken], told: Sequence[str], number: int
) -> Request:
    """The request of turn `number`: the task, as much history as the recipe keeps, the feedback.

    Args:
        recipe: its history and sampling.
        first: the request of turn 1.
        taken: the turns so far.
        told: feedback after each of them.
        number: of the turn to come, from 2.
    """
    pairs = list(zip(taken, told, strict=True))
    messages = list(first.messages)
    for one, feedback in pairs if recipe.rounds is None else pairs[-recipe.rounds :]:
        messages.append(Message("assistant", one.turn.text))
        messages.append(Message("user", feedback))
    return replace(
        first,
        messages=tuple(messages),
        sampling=recipe.later(first.sampling),
        key=f"{first.key.rpartition('/')[0]}/{number}",
    )
