"""The embedded local model: its server process, and the calls to it."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.metadata
import json
import os
import secrets
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import workbench
from workbench.errors import WorkbenchError
from workbench.generation import weights
from workbench.generation.model import Completion, Request
from workbench.generation.openai_http import OpenAIHttp
from workbench.generation.prices import FREE, Prices
from workbench.generation.provider_errors import one_line
from workbench.generation.transport import AttemptFailed, Progress

_START_S = 120.0
_STOP_S = 3.0
_CONTEXT_TOKENS = 8192
_MOST_ENGINES = 4


def default_engines() -> int:
    """One engine (one thread) a core, at most four: the sandboxes want cores too."""
    return min(_MOST_ENGINES, len(os.sched_getaffinity(0)))


class LocalServer:
    """A server process of our own on free loopback ports, behind a random key."""

    def __init__(self, file: weights.Weights, engines: int, context: int) -> None:
        self._file = file
        self._engines = engines
        self._context = context
        self._process: asyncio.subprocess.Process | None = None
        self._log: IO[bytes] | None = None
        self.api_key = ""
        self.urls: Sequence[str] = ()
        """One address an engine, such as `http://127.0.0.1:40123`."""

    @property
    def pid(self) -> int | None:
        """Process id while it runs."""
        return self._process.pid if self._process and self._process.returncode is None else None

    async def start(self) -> None:
        """Start the process and wait until every engine listens.

        Raises:
            WorkbenchError: it ended or didn't get ready in two minutes.
        """
        self.api_key = secrets.token_urlsafe(24)
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  (lives as long as the process)
        root = Path(workbench.__file__).parents[1]
        path = os.pathsep.join(filter(None, (str(root), os.environ.get("PYTHONPATH", ""))))
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "workbench.generation.local_server"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=self._log,
            # A session of its own: Ctrl-C in the terminal is ours to handle, not the server's.
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": path},
        )
        settings = {
            "weights": str(self._file.path),
            "engines": self._engines,
            "context": self._context,
            "alias": self._file.name,
            "api_key": self.api_key,
        }
        reply = await self._greet(json.dumps(settings) + "\n")
        if "urls" not in reply:
            why = reply.get("error") or self._last_words()
            await self.stop()
            raise WorkbenchError(f"local/{self._file.name}: its server didn't start: {why}")
        self.urls = list(reply["urls"])

    async def _greet(self, line: str) -> Mapping[str, Any]:
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            return {}
        try:
            async with asyncio.timeout(_START_S):
                process.stdin.write(line.encode())
                await process.stdin.drain()
                answer = await process.stdout.readline()
            return json.loads(answer) if answer else {}
        except TimeoutError:
            return {"error": f"not ready after {_START_S:.0f} s"}
        except (ConnectionError, ValueError):
            return {}

    def _last_words(self) -> str:
        if self._log is None:
            return "no message"
        self._log.seek(0)
        text = self._log.read()[-2000:].decode("utf-8", "replace").strip()
        return one_line(text.rpartition("\n")[2]) or "no message"

    async def stop(self) -> None:
        """Stop the process: by the end of its input, else by a signal that can't be ignored."""
        process, self._process = self._process, None
        self.urls = ()
        if process is not None and process.returncode is None:
            if process.stdin is not None:
                process.stdin.close()
            try:
                async with asyncio.timeout(_STOP_S):
                    await process.wait()
            except TimeoutError:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        if self._log is not None:
            self._log.close()
            self._log = None


class LocalModel:
    """Transport to the embedded model: every engine answers one request at a time."""

    def __init__(self, name: str, engines: int, context: int = _CONTEXT_TOKENS) -> None:
        self._name = name
        self._engines = engines
        self._context = context
        self._server: LocalServer | None = None
        self._idle: asyncio.Queue[OpenAIHttp] = asyncio.Queue()
        self._clients: list[OpenAIHttp] = []
        self._restarting = asyncio.Lock()
        self._identity: dict[str, Any] = {"provider": "local", "host": "this machine"}

    @property
    def pid(self) -> int | None:
        """Process id of the server while it runs."""
        return self._server.pid if self._server else None

    async def open(self, progress: Progress) -> None:
        """Find the weights and start the server."""
        file = weights.find(self._name)
        progress(f"starting {file.name} on {self._engines} core{'s' * (self._engines > 1)}")
        self._server = LocalServer(file, self._engines, self._context)
        digest, _ = await asyncio.gather(asyncio.to_thread(file.sha256), self._start())
        self._identity |= {
            "weights": file.source,
            "weights_sha256": digest,
            "server": f"xllamacpp {importlib.metadata.version('xllamacpp')}",
            "engines": self._engines,
            "context_tokens": self._context,
        }

    async def _start(self) -> None:
        if self._server is None:
            return
        await self._server.start()
        self._idle = asyncio.Queue()
        self._clients = [
            OpenAIHttp(self._name, url + "/v1", self._server.api_key) for url in self._server.urls
        ]
        for client in self._clients:
            await client.open(lambda _phrase: None)
            self._idle.put_nowait(client)

    async def close(self) -> None:
        """Stop the server."""
        for client in self._clients:
            await client.close()
        self._clients = []
        if self._server is not None:
            await self._server.stop()

    def identity(self) -> Mapping[str, Any]:
        """Say which weights and server answer."""
        return dict(self._identity)

    def prices(self) -> Prices:
        """Its own machine's: nothing."""
        return FREE

    async def send(self, request: Request) -> Completion:
        """Make one call; restarts a server that has crashed. See `Transport.send`."""
        await self._revive()
        idle = self._idle
        client = await idle.get()
        try:
            return replace(await client.send(request), cost_usd=FREE.completion)
        finally:
            idle.put_nowait(client)

    async def _revive(self) -> None:
        async with self._restarting:
            if self.pid is not None or self._server is None:
                return
            await self.close()
            try:
                await self._start()
            except WorkbenchError as error:
                raise AttemptFailed(str(error)) from None
