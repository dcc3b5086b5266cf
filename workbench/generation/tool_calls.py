"""Tool calls in the form that OpenAI-compatible servers (and LiteLLM) take and give."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from workbench.generation.model import Message, Tool, ToolCall
from workbench.text import encodable

_MOST = 32
"""Calls of one answer that are read."""


def message_body(message: Message) -> dict[str, Any]:
    """A message as it is sent; what isn't set isn't in it.

    What the model said is sent back to it, and a lone surrogate in that can't be sent: it becomes U+FFFD.
    """
    body: dict[str, Any] = {"role": message.role, "content": encodable(message.content)}
    if message.tool_calls:
        body["tool_calls"] = [
            {
                "id": encodable(call.id),
                "type": "function",
                "function": {
                    "name": encodable(call.name),
                    "arguments": encodable(call.arguments),
                },
            }
            for call in message.tool_calls
        ]
    if message.tool_call_id:
        body["tool_call_id"] = encodable(message.tool_call_id)
    return body


def tool_body(tool: Tool) -> dict[str, Any]:
    """A tool as it is offered."""
    function = {"name": tool.name, "description": tool.description}
    return {
        "type": "function",
        "function": {**function, "parameters": json.loads(tool.parameters)},
    }


def read_calls(value: object) -> tuple[ToolCall, ...]:
    """The calls of an answer's message; what isn't one is left out."""
    if not isinstance(value, list):
        return ()
    found: list[ToolCall] = []
    for number, entry in enumerate(cast("list[object]", value)[:_MOST]):
        call = cast("Mapping[str, Any]", entry) if isinstance(entry, Mapping) else {}
        function = call.get("function")
        if not isinstance(function, Mapping):
            continue
        named = cast("Mapping[str, Any]", function)
        arguments = named.get("arguments")
        text = arguments if isinstance(arguments, str) else json.dumps(arguments or {})
        found.append(
            ToolCall(str(call.get("id") or f"call-{number}"), str(named.get("name")), text)
        )
    return tuple(found)
