"""A real HTTP server on loopback that answers like a provider, well or badly, as told."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Provider:
    """Plays one behaviour a request, in order; the last one for ever."""

    plan: list[str] = field(default_factory=lambda: ["ok"])
    """`ok`, a status (`429:2` with Retry-After), `garbage`, `empty`, `half`, `cut`, `drop`,
    `hang`, `refusal`, `error-in-200`."""
    message: str = "provider's own words"
    says: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    """Makes the message of an `ok` from the request's body; `None`: hello."""
    seen: list[dict[str, Any]] = field(default_factory=list)
    """Bodies of the requests, with `path` and `authorization` beside them."""
    base: str = ""
    arrived: threading.Event = field(default_factory=threading.Event)
    """Set when the first request is there."""
    released: threading.Event = field(default_factory=threading.Event)

    def next(self) -> str:
        return self.plan.pop(0) if len(self.plan) > 1 else self.plan[0]


def answer_body(body: dict[str, Any], path: str) -> dict[str, Any]:
    chat = path.endswith("/chat/completions")
    choice: dict[str, Any] = {"index": 0, "finish_reason": "stop"}
    if chat:
        choice["message"] = {"role": "assistant", "content": "hello", "reasoning_content": "hm"}
        choice["logprobs"] = {"content": [{"token": "a", "logprob": -0.5, "bytes": None}]}
    else:
        choice["text"] = "hello"
        choice["logprobs"] = {"tokens": ["a"], "token_logprobs": [-0.25], "text_offset": [0]}
    return {
        "id": "x",
        "object": "chat.completion" if chat else "text_completion",
        "created": 1,
        "model": f"{body['model']}-2026-01-01",
        "choices": [choice],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }


def _handler(provider: Provider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args: Any) -> None:
            pass

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            provider.seen.append(
                {**body, "path": self.path, "authorization": self.headers.get("authorization")}
            )
            provider.arrived.set()
            kind, _, wait = provider.next().partition(":")
            answer = answer_body(body, self.path)
            if provider.says is not None:
                answer["choices"][0]["message"] = provider.says(body)
            if kind == "empty":
                answer["choices"] = []
            if kind == "refusal":
                answer["choices"][0]["message"] = {
                    "role": "assistant",
                    "content": None,
                    "refusal": "I won't.",
                }
            if kind == "error-in-200":
                answer = {"error": {"message": "overloaded"}}
            data = json.dumps(answer).encode()
            if kind == "hang":
                provider.released.wait(30)
                self.close_connection = True
            elif kind == "drop":
                self.close_connection = True
                self.connection.close()
            elif kind == "cut":
                self.send_response(200)
                self.send_header("content-length", "100000")
                self.end_headers()
                self.wfile.write(data[:40])
                self.close_connection = True
            elif kind == "garbage":
                self._send(200, b"<html>nothing here</html>")
            elif kind == "half":
                self._send(200, data[: len(data) // 2])
            elif kind == "slow":
                time.sleep(float(wait))
                self._send(200, data)
            elif kind.isdigit():
                error = json.dumps({"error": {"message": provider.message}}).encode()
                self._send(int(kind), error, {"Retry-After": wait} if wait else {})
            else:
                self._send(200, data)

        def _send(self, status: int, data: bytes, headers: dict[str, str] | None = None) -> None:
            self.send_response(status)
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    return Handler


@contextmanager
def serve() -> Iterator[Provider]:
    provider = Provider()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(provider))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    provider.base = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield provider
    finally:
        provider.released.set()
        server.shutdown()
        thread.join()
        server.server_close()
