"""An engine that answers as it is told, over TCP: as much of Docker's interface as a build needs."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

Event = Mapping[str, Any]


@dataclass
class FakeEngine:
    """What the engine has and does; `requests` records what it was asked."""

    images: set[str] = field(default_factory=set)
    build: Callable[[dict[str, str]], list[Event]] = lambda query: []
    pull: tuple[int, list[Event]] = (404, [{"message": "No such image"}])
    pull_delay: float = 0.0
    requests: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    address: str = ""

    def asked(self, path: str) -> list[dict[str, str]]:
        """Queries of the requests whose path ends so."""
        return [query for _, p, query in self.requests if p.endswith(path)]

    def answer(self, method: str, path: str, query: dict[str, str]) -> tuple[int, list[Event]]:
        """Status and JSON documents for a request."""
        if path.endswith("/version"):
            return 200, [{"ApiVersion": "1.41", "Version": "0"}]
        if method == "POST" and path.endswith("/build"):
            return 200, self.build(query)
        if method == "POST" and path.endswith("/images/create"):
            time.sleep(self.pull_delay)
            return self.pull
        if path.endswith("/json") and "/images/" in path:
            name = path.split("/images/", 1)[1].removesuffix("/json")
            if name in self.images:
                config = {"Labels": {"workbench.language": name.split("/")[-1].split(":")[0]}}
                document = {"Id": "sha256:" + "0" * 64, "RepoTags": [name], "Config": config}
                return 200, [{**document, "Size": 1_000_000, "Created": "2026-01-01T00:00:00Z"}]
        return 404, [{"message": f"No such image: {path}"}]


@contextmanager
def serving(engine: FakeEngine) -> Iterator[FakeEngine]:
    """Serve on a free port until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _reply(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            if length:
                self.rfile.read(length)
            elif self.headers.get("Transfer-Encoding") == "chunked":
                while size := int(self.rfile.readline(), 16):
                    self.rfile.read(size + 2)
                self.rfile.readline()
            parts = urlsplit(self.path)
            query = {k: v[-1] for k, v in parse_qs(parts.query).items()}
            engine.requests.append((self.command, parts.path, query))
            status, documents = engine.answer(self.command, parts.path, query)
            # In chunks, as the engine sends what it streams.
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            # The client may have gone: some tests make it lose patience.
            with suppress(ConnectionError):
                for document in documents:
                    body = json.dumps(document).encode() + b"\r\n"
                    self.wfile.write(b"%x\r\n%b\r\n" % (len(body), body))
                self.wfile.write(b"0\r\n\r\n")

        do_GET = do_POST = do_DELETE = _reply

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    engine.address = f"tcp://127.0.0.1:{server.server_port}"
    try:
        yield engine
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
