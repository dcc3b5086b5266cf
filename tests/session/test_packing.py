"""Packed texts come back as they were; sessions of the format before still read."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.session.test_store import CELL, TASK, answer, completion, judge, new_session
from workbench.errors import SessionError
from workbench.session import packing, schema
from workbench.session.store import DATABASE, PROTOCOL, SessionReader
from workbench.session.writer import SessionWriter


@given(st.binary(max_size=200), st.binary(max_size=200), st.binary(max_size=200))
def test_any_text_comes_back(start: bytes, one: bytes, other: bytes) -> None:
    base = start + one + start
    for text in (start + other + start, other, base, b"", start):
        name = packing.name_of(base)
        packed = packing.pack(text, base, name)
        assert packing.base_of(packed) == name
        assert packing.unpack(packed, base) == text


def test_what_is_nearly_the_same_is_stored_small() -> None:
    base = b"prompt " * 500 + b"return 1" + b"tests " * 50_000
    text = base.replace(b"return 1", b"return 2 + other")
    packed = packing.pack(text, base, packing.name_of(base))
    assert len(packed) < 80
    assert packing.unpack(packed, base) == text


@pytest.mark.parametrize("damage", [b"", b"\x01", b"\x07" + bytes(24), b"text"])
def test_damage_is_named(damage: bytes) -> None:
    with pytest.raises(ValueError, match="no packed text"):
        packing.base_of(damage)


def test_a_cut_text_or_another_base_is_refused() -> None:
    base = b"abc" * 100
    packed = packing.pack(bytes(range(256)) * 3, base, packing.name_of(base))
    with pytest.raises(ValueError, match="damaged"):
        packing.unpack(packed[:-5], base)
    whole = packing.pack(base, base, packing.name_of(base))
    with pytest.raises(ValueError, match="another one"):
        packing.unpack(whole, b"abc")


@pytest.mark.slow
async def test_samples_of_a_task_share_what_they_have_in_common(tmp_path: Path) -> None:
    writer = await new_session(tmp_path / "s", units=40)
    prompt = "".join(f"line {i} of a long prompt\n" for i in range(300))
    for unit in range(1, 41):
        await answer(writer, unit, request={"prompt": prompt, "index": unit})
        await judge(writer, unit, "passed")
    writer.close()
    assert (tmp_path / "s" / DATABASE).stat().st_size < 20 * len(prompt)
    with SessionReader.open(tmp_path / "s") as reader:
        for unit in (1, 2, 40):
            (turn,) = reader.turns(unit)
            assert turn.request == {"prompt": prompt, "index": unit}
            assert turn.scored is not None
            assert turn.scored["outcome"] == "passed"


async def test_a_write_that_failed_takes_no_base_with_it(tmp_path: Path) -> None:
    writer = await new_session(tmp_path / "s", units=3)
    await answer(writer, 1)
    failed = await asyncio.gather(
        answer(writer, 1, request={"prompt": "never stored"}), return_exceptions=True
    )
    assert isinstance(failed[0], SessionError)
    await answer(writer, 2, request={"prompt": "stored"})
    await answer(writer, 3, request={"prompt": "stored, too"})
    writer.close()
    with SessionReader.open(tmp_path / "s") as reader:
        assert [reader.turns(u)[0].request["prompt"] for u in (1, 2, 3)] == [
            "p", "stored", "stored, too",
        ]  # fmt: skip


async def test_outcomes_are_on_the_disk_soon_without_being_waited_for(tmp_path: Path) -> None:
    writer = await new_session(tmp_path / "s")
    await answer(writer, 1)
    await writer.finish_unit(1, outcome="passed", solved_turn=1, flags=(), detail="", cost_usd=None)
    await asyncio.sleep(0.5)
    with SessionReader.open(tmp_path / "s") as reader:
        assert reader.unit(1).outcome == "passed"
    writer.close()


async def test_what_nobody_waited_for_fails_the_next_call(tmp_path: Path) -> None:
    writer = await new_session(tmp_path / "s")
    with sqlite3.connect(tmp_path / "s" / DATABASE) as db:
        db.execute("CREATE TRIGGER no BEFORE UPDATE ON unit BEGIN SELECT RAISE(ABORT, 'no'); END")
    await writer.finish_unit(1, outcome="passed", solved_turn=1, flags=(), detail="", cost_usd=None)
    with pytest.raises(SessionError, match="can't be written: no"):
        await writer.flush()
    with pytest.raises(SessionError, match="can't be written: no"):
        await writer.add_event("info", "later")
    writer.close()


def made_of_format_1(path: Path) -> dict[str, Any]:
    """A session as it was before texts were packed."""
    path.mkdir()
    (path / PROTOCOL).write_text("{}")
    db = schema.connect_writer(path / DATABASE, create=True)
    program = {"files": [{"name": "main.py", "pieces": ["x"]}]}
    scored = {"outcome": "wrong_answer", "detail": "d", "steps": [], "flags": [], "case": None}
    cell = {**CELL, "protocol": json.dumps(CELL["protocol"])}
    db.execute(
        "INSERT INTO cell (benchmark, suite, language, mode, recipe, n, max_turns, fingerprint, "
        "label, protocol) VALUES (:benchmark, :suite, :language, :mode, :recipe, :n, :max_turns, "
        ":fingerprint, :label, :protocol)", cell)  # fmt: skip
    db.execute(
        "INSERT INTO task (benchmark, language, task_id, problem, entry_point, prompt, "
        "has_visible_tests) VALUES (:benchmark, :language, :task_id, :problem, :entry_point, "
        ":prompt, :has_visible_tests)", TASK)  # fmt: skip
    db.execute("INSERT INTO unit (cell_id, task_pk, idx, outcome, turns, change) "
               "VALUES (1, 1, 0, 'wrong_answer', 1, 1), (1, 1, 1, NULL, 0, 2)")  # fmt: skip
    db.execute(
        "INSERT INTO program VALUES ('d1', ?)", (zlib.compress(json.dumps(program).encode()),)
    )
    kept = {k: v for k, v in completion().items() if k != "text"}
    db.execute(
        "INSERT INTO turn (unit_id, turn, request_key, request, feedback, raw, completion, code, "
        "extraction, program, scored, outcome) VALUES (1, 1, 'k', ?, '', 'answer', ?, 'x', '{}', "
        "'d1', ?, 'wrong_answer')",
        (json.dumps({"prompt": "p"}), json.dumps(kept), json.dumps(scored)),
    )
    db.execute("PRAGMA user_version = 1")
    db.close()
    return program


async def test_sessions_of_the_format_before_read_and_go_on(tmp_path: Path) -> None:
    program = made_of_format_1(tmp_path / "old")
    for turn_number in (1, 2):  # as it was, and once more was written
        with SessionReader.open(tmp_path / "old") as reader:
            (turn,) = reader.turns(1)
            assert (turn.program, turn.request) == (program, {"prompt": "p"})
            (failure,) = reader.failures(1)
            assert (failure.outcome, failure.diagnostic) == ("wrong_answer", None)
        writer = SessionWriter(tmp_path / "old")
        await answer(writer, 2, turn=turn_number)
        writer.close()
    with SessionReader.open(tmp_path / "old") as reader:
        assert len(reader.turns(2)) == 2
