"""The stream of an attached container: frames in, frames out, multiplexed by the engine."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable
from typing import Any

from workbench.errors import SandboxFault
from workbench.execution.frames import StreamLink

STDOUT = 1
BLOCK = 65_536


def plain_socket(attached: Any) -> socket.socket:
    """The socket of an attachment as one that asyncio can take over.

    A Unix or TCP socket is taken as it is. Anything else (TLS, SSH) is bridged by two threads.
    """
    inner = getattr(attached, "_sock", attached)
    if type(inner) is socket.socket:
        taken = socket.socket(fileno=inner.detach())
        taken.setblocking(False)
        return taken
    near, far = socket.socketpair()
    for source, target in ((inner, far), (far, inner)):
        threading.Thread(target=_copy, args=(source, target), daemon=True).start()
    near.setblocking(False)
    return near


def _copy(source: Any, target: Any) -> None:
    """Copy until either end closes, then close both: half a connection is of no use."""
    try:
        while data := source.recv(BLOCK):
            target.sendall(data)
    except OSError:
        return
    finally:
        source.close()
        target.close()


class AttachedLink(StreamLink):
    """Takes standard output out of the engine's stream; a container's end is the stream's end.

    The engine sends blocks with an 8-byte header (stream number, three zeros, length); blocks
    match neither frames nor reads.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        remove: Callable[[], Awaitable[None]],
    ) -> None:
        """`remove` removes the container after the stream is cut."""
        super().__init__(reader, writer)
        self._remove = remove
        self._block = 0
        self._closed = False

    async def read_exactly(self, size: int) -> bytes:
        """Read `size` bytes of standard output; raises `SandboxFault` when the container ends."""
        parts: list[bytes] = []
        while size:
            if self._block == 0:
                await self._header()
            part = await super().read_exactly(min(size, self._block))
            self._block -= len(part)
            size -= len(part)
            parts.append(part)
        return b"".join(parts)

    async def _header(self) -> None:
        header = await super().read_exactly(8)
        length = int.from_bytes(header[4:], "big")
        if header[1:4] != b"\0\0\0":
            raise SandboxFault("Docker's stream isn't multiplexed as expected")
        if header[0] == STDOUT:
            self._block = length
        else:
            # Only what Docker or Python says before the supervisor is up comes here.
            told = await super().read_exactly(length)
            text = " ".join(told.decode("utf-8", "replace").split())
            raise SandboxFault(f"the container failed: {text[:200]}")

    async def close(self) -> None:
        """Close the stream, which ends the container, and make sure that it is gone."""
        if not self._closed:
            self._closed = True
            await super().close()
            await self._remove()
