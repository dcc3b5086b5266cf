"""First answers that several modes of one session share, so that none is paid for twice."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from workbench.bodies import body_of
from workbench.generation.model import Completion, Request


def request_key(request: Request) -> str:
    """SHA-256 of everything that decides an answer: style, text, sampling and sample index."""
    return key_of_body(body_of(request))


def key_of_body(request: Mapping[str, Any]) -> str:
    """The same of a request as it is stored; what requests once hadn't counts only where it is set."""
    body = {name: value for name, value in request.items() if name != "key"}
    if not body.get("tools"):
        body.pop("tools", None)
    late = ("tool_calls", "tool_call_id")
    if "messages" in body:
        body["messages"] = [
            {name: value for name, value in message.items() if value or name not in late}
            for message in body["messages"]
        ]
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


class FirstAnswers:
    """Who asks first pays; the others of the same request wait for that answer."""

    def __init__(self, modes: int = 1) -> None:
        """Start with none; an answer is forgotten once so many `modes` have asked for it."""
        self._modes = modes
        self._asked: dict[str, int] = {}
        self._answers: dict[str, asyncio.Future[Completion]] = {}

    def add(self, key: str, completion: Completion) -> None:
        """Take an answer that a former run stored."""
        future: asyncio.Future[Completion] = asyncio.get_running_loop().create_future()
        future.set_result(completion)
        self._answers.setdefault(key, future)

    async def claim(self, key: str) -> Completion | None:
        """The answer if another asked first; `None` when the caller is to ask, and then `settle`.

        Raises what the one who asked met.
        """
        while key in self._answers:
            future = self._answers[key]
            try:
                completion = await asyncio.shield(future)
                self._count(key, future)
                return completion
            except asyncio.CancelledError:
                if not future.cancelled():
                    raise  # it is the caller that was cancelled
        self._answers[key] = asyncio.get_running_loop().create_future()
        return None

    def settle(self, key: str, completion: Completion) -> None:
        """Give the answer to those who wait: only after it is stored."""
        future = self._answers.get(key)
        if future is not None and not future.done():
            future.set_result(completion)
            self._count(key, future)

    def _count(self, key: str, future: asyncio.Future[Completion]) -> None:
        """One more mode has its answer; nobody asks for it when it was the last."""
        if self._answers.get(key) is not future:
            return  # forgotten already; somebody may be asking anew
        asked = self._asked.get(key, 0) + 1
        if asked < self._modes:
            self._asked[key] = asked
        else:
            self._asked.pop(key, None)
            self._answers.pop(key, None)

    def fail(self, key: str, error: BaseException | None) -> None:
        """Tell those who wait that none came; with `None` the next of them asks itself."""
        future = self._answers.pop(key, None)
        if future is None or future.done():
            return
        if error is None:
            future.cancel()
        else:
            future.set_exception(error)
            future.exception()  # nobody may be waiting: that is no fault
