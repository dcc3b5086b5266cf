"""A small client for OpenAI-compatible servers: starts at once, where importing LiteLLM takes
seconds. The embedded model's server is spoken to through it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import httpx

from workbench.generation.answer import read_answer
from workbench.generation.model import Completion, Request
from workbench.generation.prices import Prices
from workbench.generation.provider_errors import classify, one_line
from workbench.generation.tool_calls import message_body, tool_body
from workbench.generation.transport import AttemptFailed, Progress, sample_seed

_ANSWER_LIMIT = 32 * 1024 * 1024
_CONNECT_S = 10.0


class OpenAIHttp:
    """Transport over `POST {base}/chat/completions` and `POST {base}/completions`."""

    def __init__(self, model: str, api_base: str, api_key: str = "") -> None:
        self._model = model
        self._base = api_base.rstrip("/")
        self._key = api_key
        self._client: httpx.AsyncClient | None = None

    async def open(self, progress: Progress) -> None:
        """Make the connection pool; nothing is sent."""
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        # The attempt's deadline is the caller's; a second one here would only blur it.
        timeout = httpx.Timeout(None, connect=_CONNECT_S)
        self._client = httpx.AsyncClient(headers=headers, timeout=timeout, trust_env=False)

    async def close(self) -> None:
        """Close every connection."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    def identity(self) -> Mapping[str, Any]:
        """Say which server answers."""
        return {"provider": "openai-compatible", "host": httpx.URL(self._base).host}

    def prices(self) -> Prices | None:
        """Unknown: the protocol has no prices."""
        return None

    async def send(self, request: Request) -> Completion:
        """Make one call; see `Transport.send` for the errors."""
        if self._client is None:
            raise AttemptFailed("the client isn't open")
        path = "/chat/completions" if request.style == "chat" else "/completions"
        body = request_body(self._model, request)
        try:
            async with self._client.stream("POST", self._base + path, json=body) as response:
                data = await _read(response)
        except httpx.ConnectError:
            raise AttemptFailed("no connection") from None
        except httpx.TransportError as error:
            raise AttemptFailed(f"connection cut ({type(error).__name__})") from None
        if response.status_code != 200:
            message = one_line(_error_text(data), (self._key,))
            raise classify(self._model, response.status_code, message, response.headers)
        try:
            answer = json.loads(data)
        except ValueError:
            raise AttemptFailed("the answer isn't JSON") from None
        return read_answer(answer, request.style)


def request_body(model: str, request: Request) -> dict[str, Any]:
    """Make the JSON body of a request; what isn't set isn't in it."""
    sampling = request.sampling
    body: dict[str, Any] = {
        "model": model,
        "temperature": sampling.temperature,
        "max_tokens": sampling.max_tokens,
    }
    if sampling.top_p is not None:
        body["top_p"] = sampling.top_p
    if sampling.stop:
        body["stop"] = list(sampling.stop)
    seed = sample_seed(request)
    if seed is not None:
        body["seed"] = seed
    if request.style == "chat":
        body["messages"] = [message_body(m) for m in request.messages]
        if request.tools:
            body["tools"] = [tool_body(tool) for tool in request.tools]
        if sampling.logprobs:
            body["logprobs"] = True
    else:
        body["prompt"] = request.prompt
        if sampling.logprobs:
            body["logprobs"] = 1
    return body


async def _read(response: httpx.Response) -> bytes:
    data = bytearray()
    async for chunk in response.aiter_bytes():
        data += chunk
        if len(data) > _ANSWER_LIMIT:
            raise AttemptFailed(f"the answer is larger than {_ANSWER_LIMIT // 2**20} MiB")
    return bytes(data)


def _error_text(data: bytes) -> str:
    """The message of an error body, whichever of the usual forms it has."""
    text = data[:8192].decode("utf-8", "replace")
    try:
        body: Any = json.loads(data)
    except ValueError:
        return text
    error: Any = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(error, dict):
        kind = error.get("code") or error.get("type") or ""
        return (
            f"{error.get('message', error)} ({kind})" if kind else str(error.get("message", error))
        )
    return str(error)
