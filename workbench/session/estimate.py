"""What a session would take, without asking the model for anything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from workbench.generation.budget import Estimate
from workbench.generation.budget import estimate as estimate_requests
from workbench.generation.model import Request
from workbench.generation.open import price_of
from workbench.session.models import model_options
from workbench.session.plan import Plan, make_plan
from workbench.session.spec import SessionSpec


@dataclass(frozen=True, slots=True)
class SessionEstimate:
    """What a session would take at the most."""

    tasks: int
    units: int
    modes: tuple[str, ...]
    first: Estimate
    """The requests that are certain: first answers, shared by all modes."""
    repair_turns: int
    """Further requests of repair at the most; their prompts can't be known yet."""


async def estimate_session(asked: SessionSpec, sessions: Path) -> SessionEstimate:
    """Say what a session would take.

    Raises:
        UsageError, DataError: as `make_plan`.
    """
    plan = make_plan(asked)
    prices = await price_of(asked.model, model_options(asked, lambda _line: None, sessions))
    n, tasks = asked.n, len(plan.taskset.tasks)
    further = sum(recipe.max_turns - 1 for recipe in plan.recipes.values())
    return SessionEstimate(
        tasks=tasks,
        units=tasks * n * len(asked.modes),
        modes=asked.modes,
        first=estimate_requests(_first_requests(plan), prices),
        repair_turns=tasks * n * further,
    )


def _first_requests(plan: Plan) -> Iterator[Request]:
    for task in plan.taskset.tasks:
        request = plan.first_request(task, 0, "")
        for _ in range(plan.spec.n):
            yield request
