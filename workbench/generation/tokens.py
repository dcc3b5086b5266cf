"""Token counts before a provider has counted: good enough for rates, caps and estimates."""

from __future__ import annotations

from workbench.generation.model import Request, Usage

_BYTES_PER_TOKEN = 4
_TOKENS_PER_MESSAGE = 4


def estimate_text(text: str) -> int:
    """Roughly how many tokens a text has: a quarter of its UTF-8 bytes, rounded up."""
    return -(-len(text.encode("utf-8", "replace")) // _BYTES_PER_TOKEN)


def estimate_prompt(request: Request) -> int:
    """Roughly how many tokens the prompt of a request has."""
    if request.style == "complete":
        return estimate_text(request.prompt)
    return sum(estimate_text(m.content) + _TOKENS_PER_MESSAGE for m in request.messages)


def expected_tokens(request: Request) -> int:
    """The most that a request is likely to use: its prompt and a full-length answer."""
    return estimate_prompt(request) + request.sampling.max_tokens


def used_tokens(usage: Usage, expected: int) -> int:
    """Tokens that an answer used; `expected` where the provider didn't count."""
    if usage.prompt_tokens is None or usage.completion_tokens is None:
        return expected
    return usage.prompt_tokens + usage.completion_tokens
