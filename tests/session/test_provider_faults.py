"""A provider that misbehaves in every way: the right units are lost, and named, and only those."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.session.test_sessions_run import RIGHT, Bench
from workbench.session.store import SessionReader

KEY = "sk-very-secret-987"
BEHAVIOUR = {
    "double_it": ["429", "ok"],
    "add_exclamation": ["500", "500", "ok"],
    "is_even": ["garbage"],
    "total": ["half"],
    "half": ["nothing"],
}
CODE = {**RIGHT, "double_it": RIGHT["starter/0"], "add_exclamation": RIGHT["starter/1"]}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    left: dict[str, list[str]]

    def log_message(self, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        prompt = body["messages"][-1]["content"]
        task = next(name for name in BEHAVIOUR if f"`{name}`" in prompt)
        plan = self.left[task]
        kind = plan.pop(0) if len(plan) > 1 else plan[0]
        text = f"```python\n{CODE.get(task, '')}```"
        answer = json.dumps(
            {
                "id": "x", "object": "chat.completion", "created": 1, "model": "m-1",
                "choices": [{"index": 0, "finish_reason": "stop",
                             "message": {"role": "assistant", "content": text}}],
                "usage": {"prompt_tokens": 5, "completion_tokens": 5, "total_tokens": 10},
            }
        ).encode()  # fmt: skip
        match kind:
            case "ok":
                self._send(200, answer)
            case "garbage":
                self._send(200, b"<html>")
            case "half":
                self._send(200, answer[: len(answer) // 2])
            case "nothing":
                self.close_connection = True
                self.connection.close()
            case _:
                self._send(int(kind), b'{"error": {"message": "later"}}', {"Retry-After": "0"})

    def _send(self, status: int, data: bytes, more: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"content-type": "application/json", **(more or {})}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture
def address() -> Iterator[str]:
    handler = type("Handler", (_Handler,), {"left": {k: list(v) for k, v in BEHAVIOUR.items()}})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.slow
def test_only_what_never_came_is_lost_and_none_of_it_is_the_models_failure(
    tmp_path: Path, address: str
) -> None:
    bench = Bench(tmp_path)
    bench.env["MY_KEY"] = KEY
    done = bench(
        *bench.run("openai/m", "--name", "s", tasks="0-4"),
        "--api-base", address, "--api-key-env", "MY_KEY", "--attempts", "3",
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    assert "3 units are lost" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
    with SessionReader.open(bench.sessions / "s") as reader:
        tasks = reader.tasks()
        units = {tasks[u.task_pk].entry_point: u for u in reader.units()}
    assert units["double_it"].outcome == units["add_exclamation"].outcome == "passed"
    for name in ("is_even", "total", "half"):
        assert units[name].outcome == "generation_failed"
        assert units[name].detail
        assert len(units[name].attempts) == 3
    report = json.loads(bench("report", "s", "--json").stdout)["measurements"][0]
    assert report["value"] == 1.0
    assert report["units"] == {"kind": "sample", "planned": 5, "scored": 2, "lost": 3}
    assert report["bounds"] == [pytest.approx(0.4), 1.0]
    for file in bench.sessions.rglob("*"):
        if file.is_file():
            assert KEY.encode() not in file.read_bytes()
