"""What a session may spend, and what it is likely to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal

from workbench.errors import UsageError, WorkbenchError
from workbench.generation import phrases
from workbench.generation.model import Completion, Generator, Request
from workbench.generation.prices import Prices
from workbench.generation.tokens import estimate_prompt, used_tokens


class BudgetReached(WorkbenchError):
    """The next answer might cross a cap: nothing was sent, the unit stays open."""


@dataclass(frozen=True, slots=True)
class Spending:
    """Tokens (prompt and completion together) and US dollars."""

    tokens: int = 0
    cost: Decimal = Decimal(0)

    def __add__(self, other: Spending) -> Spending:
        return Spending(self.tokens + other.tokens, self.cost + other.cost)

    def __sub__(self, other: Spending) -> Spending:
        return Spending(self.tokens - other.tokens, self.cost - other.cost)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What requests would use at the most."""

    requests: int
    prompt_tokens: int
    """Estimated from the length of the prompts."""
    completion_tokens: int
    """As if every answer went to its token limit."""
    cost: Decimal | None
    """USD; `None`: price unknown."""
    price_source: str


def estimate(requests: Iterable[Request], prices: Prices | None) -> Estimate:
    """Say what requests would use at the most, without asking anyone."""
    count = prompt = completion = 0
    for request in requests:
        count += 1
        prompt += estimate_prompt(request)
        completion += request.sampling.max_tokens
    cost = prices.of_tokens(prompt, completion) if prices else None
    return Estimate(count, prompt, completion, cost, prices.source if prices else "price unknown")


class Budget:
    """Caps that are never crossed: a request is sent only if its longest answer still fits.

    Prompt tokens are estimated before the answer counts them, so a cap is as exact as that.
    """

    def __init__(
        self,
        *,
        max_cost: Decimal | None = None,
        max_tokens: int | None = None,
        prices: Prices | None = None,
        spent: Spending = Spending(),
    ) -> None:
        """`spent`: what the session's stored answers have used already.

        Raises:
            UsageError: a cost cap for a model whose price is unknown.
        """
        if max_cost is not None and prices is None:
            raise UsageError(
                "--max-cost can't be held: the model's price is unknown: give --price, or cap "
                "tokens with --max-tokens-total"
            )
        self._max_cost = max_cost
        self._max_tokens = max_tokens
        self._prices = prices
        self._spent = spent
        self._under_way = Spending()
        self._changed = asyncio.Condition()

    @property
    def spent(self) -> Spending:
        """What is used up, answers under way not counted."""
        return self._spent

    async def reserve(self, request: Request, tell: Callable[[str], None]) -> Spending:
        """Set aside what the answer may use; waits while answers under way may leave room.

        Raises:
            BudgetReached: it doesn't fit, and nothing is under way any more.
        """
        prompt, longest = estimate_prompt(request), request.sampling.max_tokens
        cost = self._prices.of_tokens(prompt, longest) if self._prices else Decimal(0)
        most = Spending(prompt + longest, cost)
        async with self._changed:
            while reason := self._refusal(self._spent + self._under_way + most):
                if self._under_way == Spending():
                    raise BudgetReached(reason)
                tell(phrases.held_by_cap())
                await self._changed.wait()
            self._under_way += most
        return most

    async def settle(self, reserved: Spending, answer: Completion | None) -> None:
        """Replace what was set aside by what was used; `None`: no answer came."""
        async with self._changed:
            self._under_way -= reserved
            if answer is not None:
                self._spent += Spending(
                    used_tokens(answer.usage, reserved.tokens),
                    reserved.cost if answer.cost_usd is None else answer.cost_usd,
                )
            self._changed.notify_all()

    def _refusal(self, total: Spending) -> str:
        if self._max_tokens is not None and total.tokens > self._max_tokens:
            return (
                f"--max-tokens-total {self._max_tokens}: {self._spent.tokens} tokens are used, "
                "the next answer might cross it"
            )
        if self._max_cost is not None and total.cost > self._max_cost:
            return (
                f"--max-cost {self._max_cost}: {self._spent.cost:.4f} USD are spent, "
                "the next answer might cross it"
            )
        return ""


class Capped:
    """A `Generator` that asks a budget first."""

    def __init__(self, inner: Generator, budget: Budget) -> None:
        self.model = inner.model
        self._inner = inner
        self._budget = budget

    async def __aenter__(self) -> Capped:
        await self._inner.__aenter__()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._inner.__aexit__(*exc)

    async def complete(
        self, request: Request, on_wait: Callable[[str], None] | None = None
    ) -> Completion:
        """Get one answer; see `Generator.complete`.

        Raises:
            BudgetReached: a cap leaves no room for it.
        """
        reserved = await self._budget.reserve(request, on_wait or (lambda _phrase: None))
        try:
            answer = await self._inner.complete(request, on_wait)
        except BaseException:
            await self._budget.settle(reserved, None)
            raise
        await self._budget.settle(reserved, answer)
        return answer
