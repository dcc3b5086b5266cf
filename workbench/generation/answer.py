"""Read an answer in the form that OpenAI-compatible servers (and LiteLLM) give."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast

from workbench.generation.model import Completion, ToolCall, Usage
from workbench.generation.tool_calls import read_calls
from workbench.generation.transport import AttemptFailed


def read_answer(body: object, style: Literal["chat", "complete"]) -> Completion:
    """Read the first choice of a response body.

    Raises:
        AttemptFailed: it isn't an answer: an error in disguise, no choices, no text field.
    """
    answer = _mapping(body)
    if answer is None:
        raise AttemptFailed("the answer isn't a JSON object")
    choices = answer.get("choices")
    choice = _mapping(choices[0]) if isinstance(choices, list) and choices else None
    if choice is None:
        raise AttemptFailed("no choices in the answer")
    finish_reason = _text(choice.get("finish_reason"))
    reasoning = ""
    calls: tuple[ToolCall, ...] = ()
    if style == "chat":
        message = _mapping(choice.get("message"))
        if message is None:
            raise AttemptFailed("no message in the answer")
        text = _content(message.get("content"))
        calls = read_calls(message.get("tool_calls"))
        reasoning = _text(message.get("reasoning_content")) or _text(message.get("reasoning"))
        refusal = _text(message.get("refusal")) or _refusal_of_litellm(message)
        if refusal and not text:
            text, finish_reason = refusal, "refusal"
    else:
        if not isinstance(choice.get("text"), str):
            raise AttemptFailed("no text in the answer")
        text = _text(choice.get("text"))
    return Completion(
        text=text,
        finish_reason=finish_reason,
        model=_text(answer.get("model")),
        usage=_usage(answer.get("usage")),
        logprob_mean=_mean_logprob(choice.get("logprobs")),
        reasoning=reasoning,
        tool_calls=calls,
    )


def _mapping(value: object) -> Mapping[str, Any] | None:
    return cast(Mapping[str, Any], value) if isinstance(value, Mapping) else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _content(value: object) -> str:
    """Text of a message: a string, or parts of which the text parts are joined."""
    if isinstance(value, list):
        parts = (_mapping(part) for part in cast(list[object], value))
        return "".join(_text(part.get("text")) for part in parts if part is not None)
    return _text(value)


def _refusal_of_litellm(message: Mapping[str, Any]) -> str:
    fields = _mapping(message.get("provider_specific_fields"))
    return _text(fields.get("refusal")) if fields is not None else ""


def _usage(value: object) -> Usage:
    usage = _mapping(value)
    if usage is None:
        return Usage()
    return Usage(_count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")))


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _mean_logprob(value: object) -> float | None:
    """Mean log-probability per token, in either of the two forms that servers use."""
    logprobs = _mapping(value)
    if logprobs is None:
        return None
    tokens = logprobs.get("content") or logprobs.get("token_logprobs")
    if not isinstance(tokens, Sequence) or isinstance(tokens, str):
        return None
    values: list[float] = []
    for token in cast(Sequence[object], tokens):
        entry = _mapping(token)
        number = entry.get("logprob") if entry is not None else token
        if isinstance(number, (int, float)) and math.isfinite(number):
            values.append(float(number))
    return math.fsum(values) / len(values) if values else None
