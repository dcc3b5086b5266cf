"""Caps hold, estimates are honest, an unknown price is not a price of 0."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import pytest

from workbench.errors import GenerationFailed, UsageError
from workbench.generation.budget import Budget, BudgetReached, Capped, Spending, estimate
from workbench.generation.model import Completion, Request, Sampling, Usage
from workbench.generation.prices import FREE, parse_price

REQUEST = Request("complete", (), "x" * 400, Sampling(max_tokens=100))
"""100 prompt tokens by estimate, 100 of answer at the most."""
PRICES = parse_price("1/2")


class Model:
    """Answers with 50 tokens, when it is let."""

    model = "m"

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.go.set()
        self.calls = 0
        self.fails = False

    async def __aenter__(self) -> Model:
        return self

    async def __aexit__(self, *exc: object) -> None:
        pass

    async def complete(
        self, request: Request, on_wait: Callable[[str], None] | None = None
    ) -> Completion:
        self.calls += 1
        await self.go.wait()
        if self.fails:
            raise GenerationFailed("none")
        return Completion("t", "stop", "m", Usage(100, 50), Decimal("0.0002"))


async def test_a_token_cap_is_never_crossed():
    model, budget = Model(), Budget(max_tokens=500)
    capped = Capped(model, budget)
    await capped.complete(REQUEST)
    await capped.complete(REQUEST)
    await capped.complete(REQUEST)
    with pytest.raises(BudgetReached, match="500: 450 tokens are used") as caught:
        await capped.complete(REQUEST)
    assert "\n" not in str(caught.value)
    assert budget.spent.tokens == 450
    assert model.calls == 3


async def test_a_cost_cap_counts_the_longest_answer():
    budget = Budget(max_cost=Decimal("0.0005"), prices=PRICES)
    capped = Capped(Model(), budget)
    await capped.complete(REQUEST)
    await capped.complete(REQUEST)
    with pytest.raises(BudgetReached, match=r"--max-cost 0.0005: 0.0004 USD are spent"):
        await capped.complete(REQUEST)


async def test_requests_wait_for_room_that_answers_under_way_may_leave():
    model, budget = Model(), Budget(max_tokens=350)
    model.go.clear()
    capped, phrases = Capped(model, budget), list[str]()
    first = asyncio.create_task(capped.complete(REQUEST))
    second = asyncio.create_task(capped.complete(REQUEST, phrases.append))
    await asyncio.sleep(0.01)
    assert model.calls == 1
    assert phrases == ["held: answers under way may reach the cap"]
    model.go.set()
    await asyncio.gather(first, second)
    assert budget.spent.tokens == 300


async def test_a_lost_answer_gives_its_room_back():
    model, budget = Model(), Budget(max_tokens=200)
    model.fails = True
    for _ in range(3):
        with pytest.raises(GenerationFailed):
            await Capped(model, budget).complete(REQUEST)
    assert budget.spent == Spending()


async def test_what_was_spent_before_counts_after_a_resume():
    budget = Budget(max_tokens=500, spent=Spending(tokens=400))
    with pytest.raises(BudgetReached, match="400 tokens are used"):
        await budget.reserve(REQUEST, print)


def test_a_cost_cap_needs_a_price():
    with pytest.raises(UsageError, match="price is unknown: give --price"):
        Budget(max_cost=Decimal(1))
    Budget(max_cost=Decimal(1), prices=FREE)


def test_an_estimate_counts_prompts_and_the_longest_answers():
    made = estimate([REQUEST, replace(REQUEST, index=1)], PRICES)
    assert (made.requests, made.prompt_tokens, made.completion_tokens) == (2, 200, 200)
    assert made.cost == Decimal("0.0006")
    unknown = estimate([REQUEST], None)
    assert unknown.cost is None
    assert unknown.price_source == "price unknown"
    assert estimate([REQUEST], FREE).cost == 0


def test_prices_are_per_million_tokens():
    assert PRICES.cost(Usage(1_000_000, 500_000)) == 2
    assert PRICES.cost(Usage(1, None)) is None
    for wrong in ("1", "1/2/3", "a/b", "-1/2", "nan/1", ""):
        with pytest.raises(UsageError, match="write USD per million"):
            parse_price(wrong)
