"""Fetching: checked before it is kept, whole or not at all, one line when it fails."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from workbench.benchmarks import registry
from workbench.benchmarks.fetch import fetch
from workbench.errors import DataError, UsageError, WorkbenchError

DATA = b"some published bytes" * 1000


@pytest.fixture(autouse=True)
def published(monkeypatch: pytest.MonkeyPatch) -> None:
    file = replace(registry.HUMANEVAL.files[0], sha256=hashlib.sha256(DATA).hexdigest())
    monkeypatch.setattr(registry, "HUMANEVAL", replace(registry.HUMANEVAL, files=(file,)))


def answering(*answers: httpx.Response | Exception) -> httpx.MockTransport:
    left = list(answers)

    def handle(request: httpx.Request) -> httpx.Response:
        assert request.url.host == "github.com"
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return httpx.MockTransport(handle)


def streamed(data: bytes) -> httpx.Response:
    async def parts() -> AsyncIterator[bytes]:
        for start in range(0, len(data), 4096):
            yield data[start : start + 4096]

    return httpx.Response(200, content=parts())


def files_under(folder: Path) -> list[Path]:
    return [p for p in folder.rglob("*") if p.is_file()]


async def test_what_is_fetched_is_kept_and_not_fetched_again(nowhere: Path) -> None:
    seen: list[int] = []
    transport = answering(streamed(DATA))
    paths = await fetch("humaneval", lambda _n, done, _t: seen.append(done), transport=transport)
    assert paths == [nowhere / "data" / "humaneval" / "HumanEval.jsonl.gz"]
    assert paths[0].read_bytes() == DATA
    assert seen[-1] == len(DATA)
    assert await fetch("humaneval", transport=transport) == paths


async def test_other_bytes_are_not_kept(nowhere: Path) -> None:
    with pytest.raises(DataError, match="SHA-256"):
        await fetch("humaneval", transport=answering(streamed(b"<html>")))
    assert files_under(nowhere) == []


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (httpx.Response(404), "the server said 404"),
        (httpx.ConnectError("no route to host"), "no route to host"),
        (httpx.ReadTimeout(""), "ReadTimeout"),
    ],
)
async def test_failures_are_one_line_and_leave_nothing(
    nowhere: Path, answer: httpx.Response | Exception, said: str
) -> None:
    with pytest.raises(WorkbenchError, match=said) as caught:
        await fetch("humaneval", transport=answering(answer))
    assert caught.value.exit_code == 1
    assert "\n" not in str(caught.value)
    assert files_under(nowhere) == []


async def test_a_folder_that_cant_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WorkbenchError, match="can't be written"):
        await fetch(
            "humaneval",
            folder=tmp_path / "file",
            transport=answering(streamed(DATA)),
        )


async def test_an_unknown_benchmark_is_refused() -> None:
    with pytest.raises(UsageError, match="no benchmark"):
        await fetch("nothing")
