"""From a model's name to the model."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from workbench.errors import UsageError
from workbench.generation import weights
from workbench.generation.client import Client, silent
from workbench.generation.litellm_client import LiteLLM, known_prices, load
from workbench.generation.local import LocalModel, default_engines
from workbench.generation.model import Generator
from workbench.generation.prices import FREE, Prices, parse_price
from workbench.generation.rate import RateGate
from workbench.generation.replay import Replay, SessionCompletions
from workbench.generation.retries import RetryPolicy
from workbench.generation.scripted import Scripted
from workbench.generation.transport import Progress

_FORMS = "PROVIDER/MODEL (openai/gpt-4o-mini), local/smollm2-135m, replay:FILE, scripted:FILE.toml"


class OpenedModel(Generator, Protocol):
    """A generator that can say what it is and how many requests at once suit it."""

    max_concurrency: int

    def identity(self) -> Mapping[str, Any]:
        """Provider, host, versions, hashes: for the protocol; never a secret."""
        ...

    def prices(self) -> Prices | None:
        """Its price list, once open; `None`: unknown."""
        ...


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How a model is reached."""

    api_base: str = ""
    """Address of an OpenAI-compatible server, such as `http://localhost:8000/v1`."""
    api_key_env: str = ""
    """Name of the environment variable with the key; empty: the provider's usual one."""
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    price: str = ""
    """`PROMPT/COMPLETION` in USD per million tokens; empty: LiteLLM's price list."""
    policy: RetryPolicy = field(default_factory=RetryPolicy)
    engines: int | None = None
    """Engines of the embedded model; `None`: one a core, at most four."""
    max_concurrency: int = 8
    """Requests at once that are sensible for a provider."""
    progress: Progress = silent
    sessions: SessionCompletions | None = None
    """Reads the stored completions of a session, for `replay:SESSION`."""


def open_generator(model: str, options: ModelOptions | None = None) -> OpenedModel:
    """Make the generator for a model's name; it is started by entering it.

    Raises:
        UsageError: the name has no known form, a local model isn't installed, the key's variable
            isn't set, or an option can't be read.
    """
    options = options or ModelOptions()
    kind, separator, rest = model.partition(":")
    if separator and rest and kind == "replay":
        return Replay(rest, options.sessions)
    if separator and rest and kind == "scripted":
        path = Path(rest).expanduser()
        if not path.is_file():
            raise UsageError(f"{model}: no such file")
        return Client(model, Scripted(path), policy=options.policy, max_concurrency=64)
    provider, separator, name = model.partition("/")
    if not (provider and separator and name):
        raise UsageError(f"model {model!r} has no known form: write {_FORMS}")
    if provider == "local":
        weights.find(name)
        engines = options.engines or default_engines()
        return Client(
            model,
            LocalModel(name, engines),
            policy=options.policy,
            max_concurrency=engines,
            progress=options.progress,
        )
    transport = LiteLLM(
        model,
        api_base=_checked_base(options.api_base),
        api_key=_key(options.api_key_env),
        prices=parse_price(options.price) if options.price else None,
    )
    return Client(
        model,
        transport,
        policy=options.policy,
        gate=RateGate(
            requests_per_minute=options.requests_per_minute,
            tokens_per_minute=options.tokens_per_minute,
        ),
        max_concurrency=options.max_concurrency,
        progress=options.progress,
    )


async def price_of(model: str, options: ModelOptions | None = None) -> Prices | None:
    """Look a model's price up without opening it, for an estimate; `None`: unknown.

    Raises:
        UsageError: the given price can't be read.
    """
    if model.startswith(("replay:", "scripted:", "local/")):
        return FREE
    options = options or ModelOptions()
    if options.price:
        return parse_price(options.price)
    # A server of one's own may carry the name of a model that is sold elsewhere.
    return None if options.api_base else known_prices(await load(), model)


def _checked_base(address: str) -> str:
    if address:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(
                f"--api-base {address!r} is no address: write it like http://localhost:8000/v1"
            )
    return address


def _key(variable: str) -> str:
    if not variable:
        return ""
    value = os.environ.get(variable, "")
    if not value:
        raise UsageError(f"--api-key-env: the variable {variable} isn't set")
    return value
