"""The embedded model for real: its server starts, answers over HTTP, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from workbench.generation.client import Client
from workbench.generation.local import LocalModel
from workbench.generation.model import Message, Request, Sampling

pytestmark = pytest.mark.model


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in ("Z", "X")


def gone(pid: int, within_s: float = 5.0) -> bool:
    end = time.monotonic() + within_s
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return not alive(pid)


async def test_it_answers_both_styles_alike_whatever_runs_beside():
    chat = Request(
        "chat",
        (Message("user", "Write a Python function add(a, b)."),),
        "",
        Sampling(max_tokens=24, logprobs=True),
    )
    raw = Request("complete", (), "def add(a, b):\n    return", Sampling(max_tokens=8))
    drawn = Request("complete", (), "x = ", Sampling(0.9, 0.95, 12, seed=7))
    other = Request("complete", (), "x = ", Sampling(0.9, 0.95, 12, seed=7), index=1)
    transport = LocalModel("smollm2-135m", engines=2)
    async with Client("local/smollm2-135m", transport) as model:
        pid = transport.pid
        assert pid is not None
        assert len(str(model.identity()["weights_sha256"])) == 64
        alone = [await model.complete(r) for r in (chat, raw, drawn, other)]
        together = await asyncio.gather(
            *(model.complete(r) for r in (other, drawn, raw, chat, raw, drawn))
        )
        await refuses_strangers(transport)
    assert gone(pid)
    assert [a.text for a in together[:4]] == [a.text for a in reversed(alone)]
    assert together[4].text == alone[1].text
    assert together[5].text == alone[2].text
    assert alone[2].text != alone[3].text
    assert alone[1].text.startswith(" a + b")
    assert alone[1].finish_reason == "length"
    assert alone[1].truncated
    assert alone[0].usage.completion_tokens == 24
    assert alone[0].logprob_mean is not None
    assert alone[0].logprob_mean < 0
    assert alone[0].cost_usd == 0
    assert alone[0].model == "smollm2-135m"


async def refuses_strangers(transport: LocalModel) -> None:
    server = transport._server
    assert server is not None
    assert all(url.startswith("http://127.0.0.1:") for url in server.urls)
    async with httpx.AsyncClient(trust_env=False) as stranger:
        answer = await stranger.post(server.urls[0] + "/v1/completions", json={"prompt": "x"})
    assert answer.status_code == 401


async def test_a_crashed_server_is_started_again():
    request = Request("complete", (), "def add(a, b):\n    return", Sampling(max_tokens=4))
    transport = LocalModel("smollm2-135m", engines=1)
    async with Client("local/smollm2-135m", transport) as model:
        first = await model.complete(request)
        pid = transport.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        again = await model.complete(request)
        second = transport.pid
    assert again.text == first.text
    assert second != pid
    assert second is not None
    assert gone(second)


_PARENT = """
import asyncio
from workbench.generation.local import LocalModel
from workbench.generation.client import Client

async def main():
    transport = LocalModel("smollm2-135m", engines=1)
    async with Client("m", transport):
        print(transport.pid, flush=True)
        await asyncio.sleep(60)

asyncio.run(main())
"""


def start_parent() -> tuple[subprocess.Popen[str], int]:
    parent = subprocess.Popen(
        [sys.executable, "-c", _PARENT],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        cwd=Path(__file__).resolve().parents[2],
    )
    assert parent.stdout is not None
    return parent, int(parent.stdout.readline())


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_no_server_survives_its_parent(how: signal.Signals):
    parent, pid = start_parent()
    try:
        assert alive(pid)
        parent.send_signal(how)
        parent.wait(10)
        assert gone(pid)
    finally:
        with contextlib.suppress(ProcessLookupError):
            parent.kill()


def test_ctrl_c_in_the_terminal_does_not_reach_the_server():
    parent, pid = start_parent()
    try:
        assert os.getpgid(pid) != os.getpgid(parent.pid)
    finally:
        parent.kill()
        parent.wait(10)
        assert gone(pid)
