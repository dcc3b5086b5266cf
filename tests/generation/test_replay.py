"""Stored completions answer again: found by key and sample, or by task id."""

from __future__ import annotations

import gzip
import json
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from workbench.errors import DataError, GenerationFailed, UsageError
from workbench.generation.model import Attempt, Completion, Request, Sampling, Usage
from workbench.generation.open import ModelOptions, open_generator
from workbench.generation.stored import StoredCompletion, read_record


def request(key: str, index: int = 0) -> Request:
    return Request("complete", (), "p", Sampling(), index, key)


def written(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("\n".join(json.dumps(row, default=str) for row in rows) + "\n")
    return f"replay:{path}"


async def test_a_sessions_rows_come_back_whole(tmp_path: Path):
    stored = Completion(
        text="raw \r\n answer",
        finish_reason="length",
        model="m-1",
        usage=Usage(3, 4),
        cost_usd=Decimal("0.0012"),
        logprob_mean=-0.5,
        started=12.5,
        seconds=2.0,
        attempts=(Attempt(1.0, "429", 2.0),),
        reasoning="hm",
    )
    asked = request("humaneval/python/HumanEval/0/plain/1", 3)
    row = {"request": asdict(asked), "completion": asdict(stored)}
    async with open_generator(written(tmp_path / "rows.jsonl", [row])) as model:
        assert await model.complete(asked) == stored
        assert model.identity()["completions"] == 1
        assert len(model.identity()["sha256"]) == 64
        with pytest.raises(GenerationFailed, match=r"HumanEval/0/plain/1, sample 2"):
            await model.complete(request(asked.key, 2))


@pytest.mark.parametrize("field", ["completion", "solution", "generation"])
async def test_sample_files_are_found_by_task_id_in_file_order(tmp_path: Path, field: str):
    rows = [
        {"task_id": "HumanEval/0", field: "a"},
        {"task_id": "HumanEval/1", field: "b"},
        {"task_id": "HumanEval/0", field: "c"},
    ]
    path = tmp_path / "samples.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(json.dumps(r) for r in rows).encode()))
    async with open_generator(f"replay:{path}") as model:
        key = "humaneval/python/HumanEval/0/plain/1"
        assert (await model.complete(request(key))).text == "a"
        assert (await model.complete(request(key, 1))).text == "c"
        assert (await model.complete(request(key, 1))).cost_usd is None
        for missing in (
            request(key, 2),
            request("humaneval/python/HumanEval/0/repair/2"),
            request("humaneval/python/HumanEval/10/plain/1"),
        ):
            with pytest.raises(GenerationFailed):
                await model.complete(missing)


async def test_a_record_with_a_language_answers_in_that_language_only(tmp_path: Path):
    rows = [
        {"task_id": "starter/0", "language": "go", "completion": "go"},
        {"task_id": "starter/0", "language": "js", "sample": 1, "turn": 2, "raw": "js"},
    ]
    async with open_generator(written(tmp_path / "s.jsonl", rows)) as model:
        assert (await model.complete(request("starter/go/starter/0/plain/1"))).text == "go"
        assert (await model.complete(request("starter/js/starter/0/repair/2", 1))).text == "js"
        with pytest.raises(GenerationFailed):
            await model.complete(request("starter/js/starter/0/plain/1"))


async def test_two_different_answers_for_one_sample_are_refused(tmp_path: Path):
    rows = [{"key": "k", "index": 0, "text": t} for t in ("a", "b")]
    with pytest.raises(UsageError, match="two different completions for k, sample 0"):
        async with open_generator(written(tmp_path / "s.jsonl", rows)):
            pass


async def test_a_session_is_read_by_the_reader_that_is_given():
    def read(name: str) -> list[StoredCompletion]:
        return [read_record({"key": f"{name}/1", "index": 0, "text": "t"}, "row")]

    async with open_generator("replay:night", ModelOptions(sessions=read)) as model:
        assert (await model.complete(request("night/1"))).text == "t"
    with pytest.raises(UsageError, match="replay:night: no such file"):
        async with open_generator("replay:night"):
            pass


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 2: not JSON"),
        ("[]", "line 2: not a JSON object"),
        ('{"completion": "x"}', "line 2: field `key` or `task_id` is missing"),
        ('{"task_id": "a"}', "line 2: field `completion` is missing"),
        ('{"task_id": "a", "completion": 3}', "line 2: field `completion` is missing"),
        ('{"task_id": 3, "completion": ""}', "line 2: field `key` or `task_id`: not text"),
        ('{"task_id": "a", "index": "x", "text": ""}', "line 2: field `index`: not a whole"),
        ('{"key": "a", "text": "", "cost_usd": "x"}', "line 2: the completion's fields"),
    ],
)
async def test_a_damaged_file_is_named_by_line_and_field(tmp_path: Path, line: str, said: str):
    path = tmp_path / "s.jsonl"
    path.write_text('{"task_id": "a", "completion": ""}\n' + line + "\n")
    with pytest.raises(DataError, match=said) as caught:
        async with open_generator(f"replay:{path}"):
            pass
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


async def test_a_cut_gzip_is_one_line(tmp_path: Path):
    path = tmp_path / "s.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"task_id": "a", "completion": ""}\n' * 99)[:-20])
    with pytest.raises(DataError, match="damaged"):
        async with open_generator(f"replay:{path}"):
            pass
