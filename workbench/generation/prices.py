"""What tokens cost. An unknown price is `None` everywhere and never 0."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from workbench.errors import UsageError
from workbench.generation.model import Usage

_PER_MILLION = Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class Prices:
    """Price list of one model."""

    prompt: Decimal
    """USD per prompt token."""
    completion: Decimal
    """USD per generated token."""
    source: str
    """Where it is from, such as `LiteLLM 1.110.2` or `--price`."""

    def cost(self, usage: Usage) -> Decimal | None:
        """Cost in USD of an answer; `None` where the provider didn't count its tokens."""
        if usage.prompt_tokens is None or usage.completion_tokens is None:
            return None
        return self.of_tokens(usage.prompt_tokens, usage.completion_tokens)

    def of_tokens(self, prompt_tokens: int, completion_tokens: int) -> Decimal:
        """Cost in USD of so many tokens."""
        return prompt_tokens * self.prompt + completion_tokens * self.completion


FREE = Prices(Decimal(0), Decimal(0), "runs on this machine")


def parse_price(text: str) -> Prices:
    """Read a user's price, `PROMPT/COMPLETION` in USD per million tokens, such as `0.15/0.60`.

    Raises:
        UsageError: it isn't two numbers of at least 0.
    """
    try:
        prompt, completion = (Decimal(part.strip()) for part in text.split("/"))
    except (InvalidOperation, ValueError):
        raise UsageError(_wrong(text)) from None
    if not (prompt.is_finite() and completion.is_finite() and min(prompt, completion) >= 0):
        raise UsageError(_wrong(text))
    return Prices(prompt / _PER_MILLION, completion / _PER_MILLION, "--price")


def _wrong(text: str) -> str:
    return (
        f"price {text!r} can't be read: write USD per million prompt and completion tokens, "
        "such as 0.15/0.60"
    )
