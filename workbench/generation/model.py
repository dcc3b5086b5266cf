"""What is asked of a model and what it answers; every client speaks in these records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, Protocol


@dataclass(frozen=True, slots=True)
class Sampling:
    """How an answer is drawn."""

    temperature: float = 0.0
    top_p: float | None = None
    """`None`: not sent."""
    max_tokens: int = 1024
    stop: tuple[str, ...] = ()
    seed: int | None = None
    """Seed of sample 0; sample i uses seed + i. `None`: not sent."""
    logprobs: bool = False

    @property
    def greedy(self) -> bool:
        """Whether it is the deterministic regime."""
        return self.temperature == 0.0


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that the model wants used; its words are the model's: untrusted."""

    id: str
    name: str
    arguments: str
    """JSON text, as the model wrote it."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that the model is offered."""

    name: str
    description: str
    parameters: str
    """JSON schema of its arguments, as JSON text."""


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    """Assistant: the tools that it wanted used."""
    tool_call_id: str = ""
    """Tool: the call that it answers."""


@dataclass(frozen=True, slots=True)
class Request:
    """One answer wanted from a model."""

    style: Literal["chat", "complete"]
    messages: tuple[Message, ...]
    """Chat style: the conversation. Complete style: empty."""
    prompt: str
    """Complete style: the raw prompt, byte for byte. Chat style: empty."""
    sampling: Sampling
    index: int = 0
    """Which sample of its task this is: offsets the seed, and keys replays."""
    key: str = ""
    """`benchmark/language/task id/mode/turn`: keys replays and scripted models, never sent."""
    tools: tuple[Tool, ...] = ()
    """What the model may use (agent mode)."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one answer, as the provider counted them; `None` where it didn't."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Attempt:
    """One call that gave no answer and was tried again."""

    at: float
    """Unix time, seconds."""
    error: str
    """One line."""
    waited_s: float
    """How long until the next try."""


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's answer, raw."""

    text: str
    finish_reason: str
    """`stop`, `length`, `content_filter` or what the provider said; empty when it said nothing."""
    model: str
    """Model id as returned by the provider."""
    usage: Usage = Usage()
    cost_usd: Decimal | None = None
    """`None`: price unknown. A local model costs 0."""
    logprob_mean: float | None = None
    """Mean log-probability per generated token, where the provider gives it."""
    started: float = 0.0
    """Unix time, seconds."""
    seconds: float = 0.0
    """Duration of the successful call."""
    attempts: tuple[Attempt, ...] = field(default=())
    reasoning: str = ""
    """Separate reasoning text where the provider returns one; never extracted from."""
    tool_calls: tuple[ToolCall, ...] = ()
    """Tools that the model wants used, in its order."""

    @property
    def truncated(self) -> bool:
        """Whether the answer hit the token limit."""
        return self.finish_reason in ("length", "max_tokens")

    @property
    def declined(self) -> bool:
        """Whether provider or model say by name, not only in words, that they won't answer."""
        return self.finish_reason in ("content_filter", "refusal")


class Generator(Protocol):
    """A model. Used as an async context manager: a local one starts and stops its server."""

    model: str
    """Model id as asked for, such as `openai/gpt-4o-mini` or `local/smollm2-135m`."""

    async def __aenter__(self) -> Generator: ...

    async def __aexit__(self, *exc: object) -> None: ...

    async def complete(
        self, request: Request, on_wait: Callable[[str], None] | None = None
    ) -> Completion:
        """Get one answer.

        `on_wait` is told, in a phrase for people, why nothing has come yet (`waiting for the
        model`, `retry 3 of 8: 429, next in 12 s`).

        Raises:
            GenerationFailed: no answer after all retries (the model's side; unit is lost).
            UsageError: the request can never work (unknown model, no key, unsupported parameter).
        """
        ...
