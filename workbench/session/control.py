"""Watch and steer a running session from any terminal: a local socket that speaks JSON lines."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from workbench.errors import SessionError
from workbench.session.lock import read_owner
from workbench.session.records import EventRow, InFlight, LiveSnapshot, StageRate

Handler = Callable[[str, Mapping[str, Any]], Awaitable[Mapping[str, Any]]]
DEADLINE_S = 5.0
_LINE = 4 * 1024 * 1024


class ControlServer:
    """The running process's end: answers `snapshot`, passes commands to the engine."""

    def __init__(self, socket: Path, handler: Handler) -> None:
        """Serve on `socket` once entered; `handler(command, arguments)` answers."""
        self._socket = socket
        self._handler = handler
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> ControlServer:
        self._socket.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = self._socket.parent.stat()
        if status.st_uid != os.getuid():
            raise SessionError(
                f"{self._socket.parent} belongs to another user: set XDG_RUNTIME_DIR"
            )
        self._socket.unlink(missing_ok=True)
        self._server = await asyncio.start_unix_server(
            self._serve, path=str(self._socket), limit=_LINE
        )
        self._socket.chmod(0o600)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.close()
        self._socket.unlink(missing_ok=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                writer.write(await self._answer(line) + b"\n")
                await writer.drain()
        except (ConnectionError, ValueError, asyncio.CancelledError):
            pass  # the watcher went away, or sent a line beyond all bounds
        finally:
            writer.close()

    async def _answer(self, line: bytes) -> bytes:
        try:
            message = json.loads(line)
            answer = await self._handler(str(message.pop("command")), message)
            body: Mapping[str, Any] = {"ok": True, **answer}
        except (ValueError, KeyError, AttributeError, TypeError) as error:
            body = {"ok": False, "error": f"not understood: {error}"}
        except SessionError as error:
            body = {"ok": False, "error": str(error)}
        return json.dumps(body, default=str).encode()


class ControlClient:
    """A watcher's end. Raises `SessionError` when nobody runs the session or it doesn't answer."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Use `connect`."""
        self._reader = reader
        self._writer = writer
        self._turn = asyncio.Lock()

    @classmethod
    async def connect(cls, path: Path) -> ControlClient:
        """Reach the process that runs the session in folder `path`."""
        owner = read_owner(path)
        if owner is None:
            raise SessionError(f"session {path.name} isn't running")
        try:
            async with asyncio.timeout(DEADLINE_S):
                streams = await asyncio.open_unix_connection(owner.socket, limit=_LINE)
        except (OSError, TimeoutError) as error:
            raise SessionError(
                f"process {owner.pid}, which runs {path.name}, doesn't answer: {error}"
            ) from None
        return cls(*streams)

    async def close(self) -> None:
        """Hang up."""
        self._writer.close()

    async def _ask(self, command: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        async with self._turn:
            try:
                async with asyncio.timeout(DEADLINE_S):
                    body = json.dumps({"command": command, **arguments})
                    self._writer.write(body.encode() + b"\n")
                    await self._writer.drain()
                    line = await self._reader.readline()
            except TimeoutError:
                # The answer may still come: a later question must not take it for its own.
                self._writer.close()
                raise SessionError(f"no answer to {command} within {DEADLINE_S:.0f} s") from None
            except (OSError, ValueError) as error:
                raise SessionError(f"{command}: {error}") from None
        if not line:
            raise SessionError("the session's process has ended")
        answer: dict[str, Any] = json.loads(line)
        if not answer.pop("ok"):
            raise SessionError(str(answer["error"]))
        return answer

    async def snapshot(self) -> LiveSnapshot:
        """What is in flight now."""
        return decode(await self._ask("snapshot", {}))

    async def command(self, name: str, **arguments: Any) -> Mapping[str, Any]:
        """Send `pause`, `resume`, `stop`, `cancel` (unit_id), `slots` (language, delta),
        `concurrency` (delta) or `retry_lost`."""
        return await self._ask(name, arguments)


def encode(snapshot: LiveSnapshot) -> dict[str, Any]:
    """A snapshot as it crosses the socket."""
    return asdict(snapshot)


def decode(body: Mapping[str, Any]) -> LiveSnapshot:
    """The snapshot that `encode` wrote."""
    values = dict(body)
    values["in_flight"] = tuple(InFlight(**u) for u in values["in_flight"])
    values["stages"] = tuple(_stage(s) for s in values["stages"])
    values["events"] = tuple(EventRow(**e) for e in values["events"])
    values["slots"] = {k: tuple(v) for k, v in values["slots"].items()}
    return LiveSnapshot(**values)


def _stage(body: Mapping[str, Any]) -> StageRate:
    values = dict(body)
    values["history"] = tuple(values["history"])
    return StageRate(**values)
