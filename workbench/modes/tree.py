"""Repair trees: every failing program gets several repairs, level by level; nothing stops early.

A unit is one first program with all that grows from it. Its turns are numbered level by level:
turn 1 is the first program, then the repairs of it, then theirs. Which program a turn repairs follows
from the stored outcomes, so a resumed tree goes on where it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.benchmarks.task import Task
from workbench.errors import GenerationFailed
from workbench.generation.model import Request
from workbench.modes.context import Context
from workbench.modes.episode import Episode, Taken, lost
from workbench.modes.recipe import Recipe, Tree
from workbench.modes.repair import ended, next_request
from workbench.modes.result import UnitEnd, unanswered
from workbench.modes.seeds import seeded
from workbench.modes.self_tests import SandboxLost
from workbench.modes.stored import StoredTurn
from workbench.outcomes import Outcome


async def run_tree(
    context: Context,
    task: Task,
    recipe: Recipe,
    first: Request,
    shape: Tree,
    stored: Sequence[StoredTurn],
) -> UnitEnd:
    """Grow one tree; a program that passes the scored tests isn't repaired.

    That takes the scored tests to decide, as the choice among a tree's programs does: the tree's
    rate is an oracle's. The model isn't told.
    """
    episode = Episode(context, task, recipe, first, stored)
    taken: list[Taken] = []
    number = 1
    try:
        root = await episode.take(first, "", number, None)
        taken.append(root)
        level = [root]
        for _ in range(shape.depth):
            grown: list[Taken] = []
            for parent in level:
                if lost(parent) or parent.turn.scored.outcome is Outcome.PASSED:
                    continue
                for _ in range(shape.feedbacks):
                    feedback = await episode.feedback(parent, number + 1)
                    for _ in range(shape.repairs):
                        number += 1
                        request = repair_request(recipe, first, parent, feedback, number)
                        grown.append(await episode.take(request, feedback, number, parent))
                        taken.append(grown[-1])
            level = grown
    except GenerationFailed as error:
        return unanswered(error, number)
    except SandboxLost as error:
        return UnitEnd(Outcome.SANDBOX_ERROR, f"turn {number}: {error}", ())
    for one in taken:
        why = lost(one)
        if why is not None:
            return UnitEnd(Outcome.SANDBOX_ERROR, f"turn {one.number}: {why}", one.turn.flags)
    return ended(recipe, taken)


def repair_request(
    recipe: Recipe, first: Request, parent: Taken, feedback: str, number: int
) -> Request:
    """The request of a repair: the task, the program, what is said of it.

    Repairs of one program have the same prompt: with a seed each gets another, or they would be the
    same draw.
    """
    request = next_request(recipe, first, [parent], [feedback], number)
    return replace(request, sampling=seeded(request.sampling, number))
