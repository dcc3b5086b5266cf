"""Frames between host and supervisor: a 4-byte big-endian length, then that many bytes of JSON."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Protocol

from workbench.errors import SandboxFault

ANSWER_CAP = 16 * 1_048_576
"""No answer is longer: the supervisor keeps head and tail of what a program writes."""


class Link(Protocol):
    """A byte stream to and from a supervisor."""

    async def read_exactly(self, size: int) -> bytes:
        """Read `size` bytes; raises `SandboxFault` when the stream ends before."""
        ...

    async def write(self, data: bytes) -> None:
        """Write all of `data`; raises `SandboxFault` when nobody takes it."""
        ...

    async def close(self) -> None:
        """Cut the stream and remove the sandbox; safe to call again."""
        ...


def encode(message: Mapping[str, Any]) -> bytes:
    """Make one frame of a message."""
    return framed(json.dumps(message, separators=(",", ":")).encode())


def framed(body: bytes) -> bytes:
    """Make one frame of a body that is JSON already."""
    return len(body).to_bytes(4, "big") + body


async def receive(link: Link) -> dict[str, Any]:
    """Read one message; raises `SandboxFault` when it isn't one."""
    size = int.from_bytes(await link.read_exactly(4), "big")
    if size > ANSWER_CAP:
        raise SandboxFault(f"the sandbox announced an answer of {size} bytes")
    try:
        message = json.loads(await link.read_exactly(size))
    except (ValueError, RecursionError):
        raise SandboxFault("the sandbox answered something that isn't JSON") from None
    if not isinstance(message, dict):
        raise SandboxFault("the sandbox answered something that isn't a message")
    return message


class StreamLink:
    """A link over asyncio streams, with what has to be done at the end given by a subclass."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take both directions of a connected stream."""
        self._reader = reader
        self._writer = writer

    async def read_exactly(self, size: int) -> bytes:
        """Read `size` bytes; raises `SandboxFault` when the stream ends before."""
        try:
            return await self._reader.readexactly(size)
        except (asyncio.IncompleteReadError, OSError):
            raise SandboxFault("the sandbox ended") from None

    async def write(self, data: bytes) -> None:
        """Write all of `data`; raises `SandboxFault` when nobody takes it."""
        try:
            self._writer.write(data)
            await self._writer.drain()
        except (OSError, RuntimeError):
            raise SandboxFault("the sandbox takes nothing any more") from None

    async def close(self) -> None:
        """Cut the stream."""
        self._writer.close()
