"""The models of a session: its own, and those that explain what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

from workbench.errors import UsageError
from workbench.generation.open import ModelOptions, OpenedModel, open_generator
from workbench.generation.retries import RetryPolicy
from workbench.generation.stored import StoredCompletion
from workbench.session.catalogue import find
from workbench.session.left import read_completion
from workbench.session.plan import Plan
from workbench.session.spec import SessionSpec
from workbench.session.store import SessionReader

Say = Callable[[str], None]


async def open_critics(
    plan: Plan, say: Say, sessions: Path, opened: AsyncExitStack
) -> dict[str, OpenedModel]:
    """Open the other models that recipes name; `opened` closes them."""
    found: dict[str, OpenedModel] = {}
    for recipe in plan.recipes.values():
        critic = recipe.critic
        if critic is None or critic.model in found:
            continue
        asked = plan.spec.model_copy(
            update={
                "model": critic.model,
                "api_base": critic.api_base or None,
                "api_key_env": critic.api_key_env or None,
                "price": "",
            }
        )
        model = open_generator(critic.model, model_options(asked, say, sessions))
        await opened.enter_async_context(model)
        found[critic.model] = model
    return found


def check_prices(plan: Plan, generator: OpenedModel, critics: Mapping[str, OpenedModel]) -> None:
    """Refuse a budget in money that couldn't be held, before anything is paid for."""
    for recipe in plan.recipes.values():
        asked = [generator, *([critics[recipe.critic.model]] if recipe.critic else [])]
        unknown = next((model.model for model in asked if model.prices() is None), "")
        if recipe.budget.cost_usd is not None and unknown:
            raise UsageError(
                f"{recipe.id}: cost_usd can't be held: the price of {unknown} is unknown: "
                "give --price, or a budget in tokens"
            )


def model_options(asked: SessionSpec, say: Say, sessions: Path) -> ModelOptions:
    """How the model of a spec is reached."""
    return ModelOptions(
        api_base=asked.api_base or "",
        api_key_env=asked.api_key_env or "",
        requests_per_minute=asked.requests_per_minute,
        price=asked.price,
        policy=RetryPolicy(max_attempts=asked.attempts, attempt_s=asked.request_timeout),
        progress=say,
        sessions=partial(_stored_completions, sessions),
    )


def _stored_completions(sessions: Path, name: str) -> Iterator[StoredCompletion]:
    """The answers of another session, for `replay:SESSION`."""
    with SessionReader.open(find(sessions, name)) as reader:
        tasks = reader.tasks()
        for unit in reader.units():
            task = tasks[unit.task_pk]
            for turn in reader.turns(unit.id):
                yield StoredCompletion(
                    key=str(turn.request["key"]),
                    task_id=task.task_id,
                    language=task.language,
                    turn=turn.turn,
                    index=unit.index,
                    completion=read_completion(turn),
                )
