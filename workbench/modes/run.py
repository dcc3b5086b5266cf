"""The one door to everything a recipe can be: a chain, a tree, or an agent."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.benchmarks.task import Task
from workbench.generation.model import Request
from workbench.modes.agent import run_agent
from workbench.modes.context import Context
from workbench.modes.recipe import Recipe
from workbench.modes.repair import run_episode
from workbench.modes.result import UnitEnd
from workbench.modes.stored import StoredTurn
from workbench.modes.tree import run_tree


async def run_recipe(
    context: Context,
    task: Task,
    recipe: Recipe,
    first: Request,
    stored: Sequence[StoredTurn],
) -> UnitEnd:
    """Bring one unit to its outcome as its recipe says; what is stored is taken as it is."""
    if recipe.agent is not None:
        return await run_agent(context, task, recipe, first, stored)
    if recipe.tree is not None:
        return await run_tree(context, task, recipe, first, recipe.tree, stored)
    return await run_episode(context, task, recipe, first, stored)
