"""The one retry loop: nothing below it (LiteLLM, SDKs, HTTP) ever repeats a call itself."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from workbench.errors import GenerationFailed
from workbench.generation import phrases
from workbench.generation.model import Attempt, Completion, Request
from workbench.generation.rate import RateGate
from workbench.generation.tokens import expected_tokens, used_tokens
from workbench.generation.transport import AttemptFailed, Transport

_TICK_S = 1.0

Tell = Callable[[str], None]


class NoAnswer(GenerationFailed):
    """No attempt gave an answer; says what each of them met."""

    def __init__(self, message: str, attempts: tuple[Attempt, ...]) -> None:
        super().__init__(message)
        self.attempts = attempts


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how patiently a request is tried."""

    max_attempts: int = 8
    attempt_s: float = 480.0
    """Wall time of one attempt, from sending to the last byte."""
    total_s: float = 3600.0
    """Wall time of all attempts of a request with the waits between them."""
    first_wait_s: float = 1.0
    """Wait after the first failure; doubles with each further one."""
    longest_wait_s: float = 60.0
    """Where doubling ends. A provider's own `Retry-After` may be longer."""

    def backoff(self, failures: int) -> float:
        """Seconds to wait after so many failures: doubling, between half and all of it at random.

        Half is random so that requests that failed together don't come back together.
        """
        full = min(self.first_wait_s * 2.0 ** (failures - 1), self.longest_wait_s)
        return full * random.uniform(0.5, 1.0)  # noqa: S311  (spreading load, not a secret)


async def ask(
    transport: Transport, request: Request, *, policy: RetryPolicy, gate: RateGate, tell: Tell
) -> Completion:
    """Try until there is an answer.

    Raises:
        NoAnswer: the attempts or the time are used up.
        GenerationFailed: the transport says that this request can't be answered.
        UsageError: the transport says that no such request can ever work.
    """
    give_up = time.monotonic() + policy.total_s
    expected = expected_tokens(request)
    failures: list[Attempt] = []
    while True:
        await gate.enter(expected, tell)
        started, began = time.time(), time.monotonic()
        try:
            answer = await _attempt(transport, request, policy, tell)
        except AttemptFailed as failure:
            gate.settle(expected, 0)
            wait = policy.backoff(len(failures) + 1)
            if failure.retry_after is not None:
                wait = max(wait, failure.retry_after)
            if failure.holds_all:
                gate.hold(wait)
            last = len(failures) + 1 == policy.max_attempts
            late = time.monotonic() + wait > give_up
            failures.append(Attempt(started, failure.reason, 0.0 if last or late else wait))
            if last or late:
                raise _no_answer(failures, late and not last, wait) from None
            await _wait(wait, len(failures) + 1, policy, failure.reason, tell)
        else:
            gate.settle(expected, used_tokens(answer.usage, expected))
            return replace(
                answer,
                started=started,
                seconds=time.monotonic() - began,
                attempts=tuple(failures),
            )


async def _attempt(
    transport: Transport, request: Request, policy: RetryPolicy, tell: Tell
) -> Completion:
    ticker = asyncio.create_task(_tick(policy.attempt_s, tell))
    try:
        async with asyncio.timeout(policy.attempt_s):
            return await transport.send(request)
    except TimeoutError:
        raise AttemptFailed(f"no answer within {phrases.span(policy.attempt_s)}") from None
    finally:
        ticker.cancel()


async def _tick(limit_s: float, tell: Tell) -> None:
    began = time.monotonic()
    while True:
        tell(phrases.waiting(time.monotonic() - began, limit_s))
        await asyncio.sleep(_TICK_S)


async def _wait(seconds: float, attempt: int, policy: RetryPolicy, reason: str, tell: Tell) -> None:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        tell(phrases.retrying(attempt, policy.max_attempts, reason, left))
        await asyncio.sleep(min(left, _TICK_S))


def _no_answer(failures: list[Attempt], late: bool, wait: float) -> NoAnswer:
    reasons = ", ".join(dict.fromkeys(failure.error for failure in failures))
    tries = f"{len(failures)} attempt{'s' if len(failures) != 1 else ''}"
    why = f"; the next would be in {phrases.span(wait)}, too late" if late else ""
    return NoAnswer(f"no answer after {tries}: {reasons}{why}", tuple(failures))
