"""What an episode has used up, from its kept answers and executions: the same after a resume."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from workbench.errors import UsageError
from workbench.execution.program import Execution
from workbench.generation.model import Completion, Sampling
from workbench.modes.recipe import Budget


@dataclass(frozen=True, slots=True)
class Spent:
    """Generated tokens, seconds and US dollars."""

    tokens: int = 0
    seconds: float = 0.0
    cost_usd: Decimal | None = Decimal(0)
    """`None`: the price of some answer is unknown."""

    def __add__(self, other: Spent) -> Spent:
        cost = None
        if self.cost_usd is not None and other.cost_usd is not None:
            cost = self.cost_usd + other.cost_usd
        return Spent(self.tokens + other.tokens, self.seconds + other.seconds, cost)

    def exhausts(self, budget: Budget) -> bool:
        """Whether nothing further may begin.

        Raises:
            UsageError: the budget is in money and a price is unknown.
        """
        if budget.cost_usd is not None and self.cost_usd is None:
            raise UsageError("a budget in cost_usd can't be held: a price is unknown: give --price")
        return (
            (budget.tokens is not None and self.tokens >= budget.tokens)
            or (budget.seconds is not None and self.seconds >= budget.seconds)
            or (
                budget.cost_usd is not None
                and self.cost_usd is not None
                and self.cost_usd >= budget.cost_usd
            )
        )

    def within(self, budget: Budget, sampling: Sampling) -> int:
        """Token limit of the next answer, so that it stays within the budget."""
        if budget.tokens is None:
            return sampling.max_tokens
        return max(1, min(sampling.max_tokens, budget.tokens - self.tokens))


def of_completion(completion: Completion) -> Spent:
    """What an answer took."""
    return Spent(completion.usage.completion_tokens or 0, completion.seconds, completion.cost_usd)


def of_stored(body: Mapping[str, Any]) -> Spent:
    """What a kept answer took."""
    usage, cost = body.get("usage") or {}, body.get("cost_usd")
    return Spent(
        usage.get("completion_tokens") or 0,
        float(body.get("seconds") or 0.0),
        None if cost is None else Decimal(str(cost)),
    )


def of_execution(execution: Execution | None) -> Spent:
    """What an execution took; waiting for a slot isn't counted."""
    return Spent(seconds=sum(step.wall_s for step in execution.steps) if execution else 0.0)
