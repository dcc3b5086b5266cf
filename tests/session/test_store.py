"""The store: what is written is what is read, by anybody, at any time."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import signal
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workbench.errors import SessionError, UsageError
from workbench.session import archive, catalogue
from workbench.session.lock import SessionLock, read_owner
from workbench.session.store import DATABASE, PROTOCOL, SessionReader
from workbench.session.writer import SessionWriter

CELL: dict[str, Any] = {
    "benchmark": "starter", "suite": "base", "language": "python", "mode": "plain", "recipe": "",
    "n": 2, "max_turns": 1, "fingerprint": "0" * 64, "label": "starter/python · plain",
    "protocol": {"gen": {}},
}  # fmt: skip
TASK = {
    "benchmark": "starter", "language": "python", "task_id": "starter/0", "problem": "0",
    "entry_point": "f", "prompt": "def f():\n", "has_visible_tests": True,
}  # fmt: skip


def completion(text: str = "answer", **changed: Any) -> dict[str, Any]:
    return {
        "text": text, "finish_reason": "stop", "model": "m", "cost_usd": "0.25", "seconds": 1.5,
        "usage": {"prompt_tokens": 10, "completion_tokens": 5}, "attempts": [], **changed,
    }  # fmt: skip


def execution(outcome: str) -> dict[str, Any]:
    return {"outcome": outcome, "steps": [{"cpu_s": 0.5}], "flags": []}


async def new_session(path: Path, units: int = 2) -> SessionWriter:
    path.mkdir(parents=True)
    writer = SessionWriter(path, create=True)
    await writer.set_meta({"model": "m", "created": 1.0})
    cell = await writer.add_cell(CELL)
    tasks = await writer.add_tasks([TASK])
    await writer.plan_units((cell, tasks["python", "starter/0"], i) for i in range(units))
    (path / PROTOCOL).write_text("{}")
    return writer


async def answer(writer: SessionWriter, unit: int, turn: int = 1, **changed: Any) -> None:
    values: dict[str, Any] = {
        "request_key": f"key{unit}", "request": {"prompt": "p"}, "feedback": "",
        "completion": completion(), "shared": False, **changed,
    }  # fmt: skip
    await writer.add_completion(unit, turn, **values)


async def judge(writer: SessionWriter, unit: int, outcome: str, turn: int = 1) -> None:
    await writer.add_outcome(
        unit, turn, extraction={"steps": []}, code="x", program={"files": {"main.py": "x"}},
        visible=None, scored=execution(outcome), flags=("truncated",),
    )  # fmt: skip
    await writer.flush()


async def finish(writer: SessionWriter, unit: int, outcome: str) -> None:
    await writer.finish_unit(
        unit, outcome=outcome, solved_turn=None, flags=("truncated",), detail="why", cost_usd="0.25"
    )
    await writer.flush()


async def test_a_unit_reads_back_as_it_was_written(tmp_path: Path) -> None:
    writer = await new_session(tmp_path / "s")
    await answer(writer, 1)
    await judge(writer, 1, "wrong_answer")
    await finish(writer, 1, "wrong_answer")
    with SessionReader.open(tmp_path / "s") as reader:
        unit = reader.unit(1)
        assert (unit.outcome, unit.flags, unit.detail) == ("wrong_answer", ("truncated",), "why")
        assert (unit.prompt_tokens, unit.completion_tokens, unit.cpu_s) == (10, 5, 0.5)
        turn = reader.turns(1)[0]
        assert (turn.raw, turn.code, turn.program) == ("answer", "x", {"files": {"main.py": "x"}})
        assert reader.counts() == {1: {"open": 1, "wrong_answer": 1}}
        assert reader.totals()["cost_usd"] == 0.25
    writer.close()


async def test_readers_get_only_what_changed_since_they_looked(tmp_path: Path) -> None:
    writer = await new_session(tmp_path / "s", units=5)
    with SessionReader.open(tmp_path / "s") as reader:
        seen = max(u.change for u in reader.units())
        await finish(writer, 3, "passed")
        assert [u.id for u in reader.units(since=seen)] == [3]
    writer.close()


async def test_a_shared_answer_is_counted_once_and_an_unknown_price_is_no_zero(
    tmp_path: Path,
) -> None:
    writer = await new_session(tmp_path / "s")
    await answer(writer, 1)
    await answer(writer, 2, shared=True)
    with SessionReader.open(tmp_path / "s") as reader:
        assert reader.totals()["completion_tokens"] == 5
        await answer(writer, 2, turn=2, completion=completion(cost_usd=None))
        assert reader.totals()["cost_usd"] is None
    writer.close()


async def test_lost_units_are_opened_again_and_keep_their_answers(tmp_path: Path) -> None:
    writer = await new_session(tmp_path / "s")
    await answer(writer, 1)
    await judge(writer, 1, "sandbox_error")
    await finish(writer, 1, "sandbox_error")
    await answer(writer, 2)
    await judge(writer, 2, "passed")
    await finish(writer, 2, "passed")
    assert await writer.reopen_lost() == [1]
    with SessionReader.open(tmp_path / "s") as reader:
        assert reader.unit(1).outcome is None
        assert reader.turns(1)[0].raw == "answer"
        assert reader.turns(1)[0].scored is None
        assert reader.unit(2).outcome == "passed"
    writer.close()


async def test_one_bad_write_harms_no_other_of_its_group(tmp_path: Path) -> None:
    writer = await new_session(tmp_path / "s")
    await answer(writer, 1)
    results = await asyncio.gather(
        answer(writer, 1), answer(writer, 2), return_exceptions=True
    )  # the first repeats a turn that is stored
    assert isinstance(results[0], SessionError)
    assert results[1] is None
    with SessionReader.open(tmp_path / "s") as reader:
        assert [len(reader.turns(u)) for u in (1, 2)] == [1, 1]
    writer.close()


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=st.text(st.characters(), max_size=60))
def test_any_text_can_be_stored(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    async def store() -> str:
        path = tmp_path_factory.mktemp("any") / "s"
        writer = await new_session(path)
        await answer(writer, 1, completion=completion(text), feedback=text)
        await finish(writer, 1, "passed")
        writer.close()
        with SessionReader.open(path) as reader:
            return reader.turns(1)[0].raw

    whole = "".join("\ufffd" if 0xD800 <= ord(c) <= 0xDFFF else c for c in text)
    assert asyncio.run(store()) == whole


def _write_until_killed(path: Path, acknowledged: Any) -> None:
    async def work() -> None:
        writer = SessionWriter(path)
        for unit in range(1, 10_000):
            await answer(writer, unit)
            acknowledged.value = unit

    asyncio.run(work())


@pytest.mark.slow
async def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    writer = await new_session(tmp_path / "s", units=10_000)
    writer.close()
    context = multiprocessing.get_context("spawn")
    acknowledged = context.Value("i", 0)
    process = context.Process(target=_write_until_killed, args=(tmp_path / "s", acknowledged))
    process.start()
    while acknowledged.value < 20:
        await asyncio.sleep(0.01)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    with SessionReader.open(tmp_path / "s") as reader:
        kept = sum(u.turns for u in reader.units())
    assert kept >= acknowledged.value
    SessionWriter(tmp_path / "s").close()


def _hold(path: Path, ready: Any) -> None:
    with SessionLock(path):
        ready.set()
        time.sleep(60)


def test_a_lock_names_its_holder_and_dies_with_it(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    ready = context.Event()
    process = context.Process(target=_hold, args=(tmp_path, ready))
    process.start()
    assert ready.wait(20)
    owner = read_owner(tmp_path)
    assert owner is not None
    assert owner.pid == process.pid
    with pytest.raises(SessionError, match=f"process {process.pid}"), SessionLock(tmp_path):
        pass
    process.kill()
    process.join()
    assert read_owner(tmp_path) is None
    with SessionLock(tmp_path):
        assert read_owner(tmp_path) is not None


async def test_states_follow_from_rows_and_lock(tmp_path: Path) -> None:
    writer = await new_session(tmp_path / "a")
    assert catalogue.summarise(tmp_path / "a").state == "interrupted"
    with SessionLock(tmp_path / "a"):
        assert catalogue.summarise(tmp_path / "a").state == "running"
    for unit in (1, 2):
        await finish(writer, unit, "passed" if unit == 1 else "generation_failed")
    writer.close()
    summary = catalogue.summarise(tmp_path / "a")
    assert (summary.state, summary.done, summary.lost) == ("finished", 1, 1)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / DATABASE).write_bytes(b"no database at all, not even close" * 40)
    rows = {s.name: s for s in catalogue.list_sessions(tmp_path)}
    assert rows["b"].state == "unreadable"
    assert rows["b"].problem


async def test_a_session_travels_as_one_file(tmp_path: Path) -> None:
    writer = await new_session(tmp_path / "s")
    await answer(writer, 1)
    file = archive.export(tmp_path / "s", tmp_path / "s.zip")
    writer.close()
    copy = archive.import_(file, tmp_path / "other")
    with SessionReader.open(copy) as reader:
        assert reader.turns(1)[0].raw == "answer"
    with pytest.raises(SessionError, match="exists already"):
        archive.import_(file, tmp_path / "other")
    with pytest.raises(UsageError, match="exists already"):
        archive.export(tmp_path / "s", file)


async def test_a_changed_or_cut_archive_is_refused(tmp_path: Path) -> None:
    import zipfile

    writer = await new_session(tmp_path / "s")
    writer.close()
    file = archive.export(tmp_path / "s", tmp_path / "s.zip")
    body = file.read_bytes()
    (tmp_path / "cut.zip").write_bytes(body[: len(body) // 2])
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(tmp_path / "forged.zip", "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == DATABASE:
                db = tmp_path / "forged.db"
                db.write_bytes(data)
                with sqlite3.connect(db) as connection:
                    connection.execute("UPDATE unit SET outcome = 'passed'")
                connection.close()
                data = db.read_bytes()
            new.writestr(name, data)
    for name in ("cut.zip", "forged.zip", "none.zip"):
        with pytest.raises(UsageError, match=name):
            archive.import_(tmp_path / name, tmp_path / "other")
    left = list((tmp_path / "other").iterdir()) if (tmp_path / "other").exists() else []
    assert left == []


def test_a_manifest_can_not_name_a_place_outside(tmp_path: Path) -> None:
    import zipfile

    with zipfile.ZipFile(tmp_path / "x.zip", "w") as file:
        manifest = {"workbench session": 1, "name": "../../evil", "sha256": {}}
        file.writestr("manifest.json", json.dumps(manifest))
    with pytest.raises(UsageError, match="no session name"):
        archive.import_(tmp_path / "x.zip", tmp_path / "other")
