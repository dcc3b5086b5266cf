"""Any provider through LiteLLM: one call a sample, nothing repeated, dropped or cached by it."""

from __future__ import annotations

import asyncio
import importlib
import importlib.metadata
import logging
import os
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

from workbench.errors import GenerationFailed, UsageError
from workbench.generation.answer import read_answer
from workbench.generation.model import Completion, Request
from workbench.generation.prices import Prices
from workbench.generation.provider_errors import classify, one_line, secrets_of_environment
from workbench.generation.tool_calls import message_body, tool_body
from workbench.generation.transport import AttemptFailed, Progress, sample_seed

_NO_KEY = "none"
"""Sent to servers of one's own that want no key, where LiteLLM insists on one."""
_CALL_LIMIT_S = 24 * 3600.0
"""LiteLLM's own time limit, out of the way: the attempt's deadline is the caller's."""
_RAW_PROVIDERS = frozenset({"text-completion-openai", "text-completion-codestral", "azure_text"})


async def load() -> Any:
    """Import LiteLLM (seconds) in a thread and make it quiet and literal."""
    # Read at import; without it LiteLLM fetches its price list from the network.
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    litellm: Any = await asyncio.to_thread(importlib.import_module, "litellm")
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.drop_params = False
    litellm.modify_params = False
    litellm.cache = None
    litellm.num_retries = None
    litellm.disable_aiohttp_transport = True
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return litellm


def known_prices(litellm: Any, model: str) -> Prices | None:
    """Look a model up in LiteLLM's price list; `None`: it isn't there under this very name."""
    try:
        key = litellm.get_model_info(model)["key"]
    except Exception:  # LiteLLM raises bare Exceptions here; any of them means "not listed"
        return None
    entry = litellm.model_cost.get(key, {})
    if "input_cost_per_token" not in entry or "output_cost_per_token" not in entry:
        return None
    return Prices(
        Decimal(str(entry["input_cost_per_token"])),
        Decimal(str(entry["output_cost_per_token"])),
        f"LiteLLM {importlib.metadata.version('litellm')}",
    )


async def missing_keys(model: str) -> tuple[str, ...]:
    """Names of environment variables with which the model's provider could be asked and that aren't
    set; empty when a key is there, or when LiteLLM doesn't know what the provider needs."""
    litellm = await load()
    try:
        found = litellm.validate_environment(model)
    except Exception:  # bare Exceptions again: the provider isn't known, so nothing can be said
        return ()
    return () if found["keys_in_environment"] else tuple(found["missing_keys"])


def known_models() -> list[str]:
    """Every model in LiteLLM's price list that answers chats, as `provider/name`, sorted."""
    litellm = asyncio.run(load())
    return sorted(
        {
            name if "/" in name else f"{entry['litellm_provider']}/{name}"
            for name, entry in litellm.model_cost.items()
            if entry.get("mode") == "chat" and entry.get("litellm_provider")
        }
    )


class LiteLLM:
    """Transport over LiteLLM's `acompletion` and `atext_completion`."""

    def __init__(
        self,
        model: str,
        *,
        api_base: str = "",
        api_key: str = "",
        prices: Prices | None = None,
    ) -> None:
        """`prices` given by the user win over LiteLLM's; `api_key` is kept in memory only."""
        self._model = model
        self._api_base = api_base
        self._key = api_key
        self._prices = prices
        self._litellm: Any = None
        self._provider = ""
        self._secrets: tuple[str, ...] = ()

    async def open(self, progress: Progress) -> None:
        """Load LiteLLM; check provider and key without calling anything."""
        progress("loading LiteLLM")
        self._litellm = await load()
        self._secrets = (self._key, *secrets_of_environment())
        try:
            found = self._litellm.get_llm_provider(self._model, api_base=self._api_base or None)
        except self._litellm.exceptions.BadRequestError:
            raise UsageError(
                f"no provider is known for model {self._model!r}: write PROVIDER/MODEL, such as "
                "openai/gpt-4o-mini, or openai/MODEL with --api-base for a server of your own"
            ) from None
        self._provider = str(found[1])
        if not self._api_base and not self._key:
            missing = self._litellm.validate_environment(self._model)["missing_keys"]
            if len(missing) == 1 and missing[0].endswith("_API_KEY"):
                raise UsageError(
                    f"{self._model} needs a key: set {missing[0]}, or name another variable "
                    "with --api-key-env"
                )
        if self._prices is None and not self._api_base:
            self._prices = known_prices(self._litellm, self._model)

    async def close(self) -> None:
        """Nothing of ours is open: LiteLLM keeps its connection pools for the process."""

    def identity(self) -> Mapping[str, Any]:
        """Say which provider and host answer, through which LiteLLM."""
        return {
            "provider": self._provider or self._model.partition("/")[0],
            "host": urlsplit(self._api_base).hostname or "" if self._api_base else "",
            "client": f"LiteLLM {importlib.metadata.version('litellm')}",
        }

    def prices(self) -> Prices | None:
        """The user's prices, else LiteLLM's; `None`: unknown."""
        return self._prices

    async def send(self, request: Request) -> Completion:
        """Make one call; see `Transport.send` for the errors."""
        try:
            response = await self._call(request)
        except (AttemptFailed, GenerationFailed, UsageError):
            raise
        except Exception as error:  # LiteLLM's own classes, SDKs' and bare ones alike
            answer = self._read_error(error)
            if isinstance(answer, Completion):
                return answer
            raise answer from None
        answer = read_answer(response.model_dump(), request.style)
        return replace(answer, cost_usd=self._cost(response, answer))

    async def _call(self, request: Request) -> Any:
        sampling = request.sampling
        arguments: dict[str, Any] = {
            "model": self._model,
            "temperature": sampling.temperature,
            "max_tokens": sampling.max_tokens,
            "timeout": _CALL_LIMIT_S,
            "num_retries": 0,
            "max_retries": 0,
            "caching": False,
            "drop_params": False,
        }
        optional = {
            "top_p": sampling.top_p,
            "stop": list(sampling.stop) or None,
            "seed": sample_seed(request),
            "api_base": self._api_base or None,
            "api_key": self._key or (_NO_KEY if self._needs_placeholder() else None),
        }
        arguments.update({name: value for name, value in optional.items() if value is not None})
        if request.style == "chat":
            messages = [message_body(m) for m in request.messages]
            if request.tools:
                arguments["tools"] = [tool_body(tool) for tool in request.tools]
            if sampling.logprobs:
                arguments["logprobs"] = True
            return await self._litellm.acompletion(messages=messages, **arguments)
        arguments["model"] = self._raw_model()
        if sampling.logprobs:
            arguments["logprobs"] = 1
        return await self._litellm.atext_completion(prompt=request.prompt, **arguments)

    def _needs_placeholder(self) -> bool:
        openai = self._provider in ("openai", "text-completion-openai")
        return openai and bool(self._api_base) and not os.environ.get("OPENAI_API_KEY")

    def _raw_model(self) -> str:
        """Name under which LiteLLM sends the prompt as it is.

        Under other names it would wrap the prompt into a chat message without a word; for chat
        models of OpenAI's it does so even where the server has a text endpoint.
        """
        if self._provider == "openai":
            return "text-completion-openai/" + self._model.removeprefix("openai/")
        raw = _RAW_PROVIDERS | set(self._litellm.openai_text_completion_compatible_providers)
        if self._provider in raw:
            return self._model
        raise UsageError(
            f"{self._model}: LiteLLM knows no text completion of {self._provider} that takes a raw "
            "prompt: use --prompt-style chat, or openai/MODEL with --api-base"
        )

    def _cost(self, response: Any, answer: Completion) -> Decimal | None:
        if self._prices is None:
            return None
        if self._prices.source.startswith("LiteLLM"):
            # LiteLLM also counts cached and reasoning tokens, which have prices of their own.
            try:
                cost = self._litellm.completion_cost(response, model=self._model)
            except Exception:  # the answer is there and paid for: its price is unknown, no more
                return None
            return Decimal(str(cost))
        return self._prices.cost(answer.usage)

    def _read_error(
        self, error: Exception
    ) -> AttemptFailed | GenerationFailed | UsageError | Completion:
        kinds = self._litellm.exceptions
        text = str(error).partition("Traceback")[0]
        message = one_line(text.rpartition("Exception - ")[2], self._secrets)
        if isinstance(error, kinds.ContentPolicyViolationError):
            return Completion(text="", finish_reason="content_filter", model=self._model)
        if isinstance(error, kinds.UnsupportedParamsError):
            first = message.partition(" To drop ")[0].removeprefix(
                "litellm.UnsupportedParamsError: "
            )
            return UsageError(f"{self._model}: a parameter isn't supported: {first}")
        if isinstance(error, kinds.ContextWindowExceededError):
            return GenerationFailed(
                f"{self._model}: the prompt is longer than the context: {message}"
            )
        if isinstance(error, kinds.Timeout):
            return AttemptFailed("timed out")
        if "Missing credentials" in message:
            return UsageError(f"{self._model} needs a key: set it, or use --api-key-env")
        status = getattr(error, "status_code", None)
        headers = getattr(error, "litellm_response_headers", None) or getattr(
            getattr(error, "response", None), "headers", None
        )
        # LiteLLM reports cut connections and unreadable answers as 500 of its own making.
        if not isinstance(status, int) or status < 400 or (status >= 500 and not headers):
            return AttemptFailed(message[:80] or type(error).__name__)
        return classify(self._model, status, message, headers or {})
