"""Fixtures of the model's side."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.generation.provider import Provider, serve
from workbench.generation.model import Message, Request, Sampling
from workbench.generation.retries import RetryPolicy


@pytest.fixture
def provider() -> Iterator[Provider]:
    with serve() as running:
        yield running


@pytest.fixture
def chat() -> Request:
    messages = (Message("system", "Be brief."), Message("user", "Say hello."))
    return Request("chat", messages, "", Sampling(max_tokens=32), key="b/python/T/0/plain/1")


@pytest.fixture
def hasty() -> RetryPolicy:
    """Tries three times, with hardly a wait."""
    return RetryPolicy(max_attempts=3, attempt_s=5, first_wait_s=0.01)
