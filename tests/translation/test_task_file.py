"""Typed tasks in TOML."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.errors import DataError
from workbench.translation.task_file import parse_task, read_task

GOOD = """
signature = "pick(names: list[str], index: int | None) -> str | None"
difficulty = 3
description = "Return one of `names`."
visible = [{ args = [["a"], 0], result = "a" }]
held_out = [{ args = [[], { none = true }], result = { none = true } }]
"""


def test_a_task_is_read_with_none_where_it_is_written() -> None:
    task = parse_task(GOOD, "made/7")
    assert task.id == "made/7"
    assert task.visible[0].arguments == (["a"], 0)
    assert task.held_out[0].arguments == ([], None)
    assert task.held_out[0].expected is None


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("difficulty = 3", "", "field 'difficulty' is missing"),
        ("difficulty = 3", "difficulty = 6", "difficulty: 6"),
        ("difficulty = 3", 'difficulty = "3"', "difficulty: wanted int, found str"),
        ("difficulty = 3", "difficulty = 3\ncolour = 1", "field 'colour' is unknown"),
        ("difficulty = 3", "difficulty = 3\ntolerance = 2.0", "tolerance"),
        ("list[str]", "bag[str]", "signature: unknown type 'bag'"),
        ('result = "a"', "result = 1", r"visible\[0\].result: 1 isn't a value of str"),
        ('args = [["a"], 0]', 'args = [["a"]]', r"visible\[0\].args: wanted a list of 2"),
        ('args = [["a"], 0]', 'args = [["a", 1], 0]', r"visible\[0\].args\[0\]\[1\]: 1 isn't"),
        ('result = "a" }', 'result = "a", x = 1 }', r"visible\[0\]: wanted a table"),
        ('args = [["a"], 0]', "args = [[], { none = true }]", "arguments of visible"),
        ("Return one of `names`.", " ", "description: it is empty"),
        ("difficulty = 3", "difficulty =", "isn't valid TOML"),
    ],
)
def test_a_damaged_task_is_one_line_with_file_task_and_field(
    tmp_path: Path, old: str, new: str, says: str
) -> None:
    assert old in GOOD
    path = tmp_path / "task.toml"
    path.write_text(GOOD.replace(old, new), encoding="utf-8")
    with pytest.raises(DataError, match=says) as caught:
        read_task(path, "made/7")
    message = str(caught.value)
    assert message.startswith(f"{path}: task made/7: ")
    assert "\n" not in message


def test_a_missing_or_binary_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="can't be read"):
        read_task(tmp_path / "none.toml", "made/7")
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(DataError, match=r"bad.toml: task made/7"):
        read_task(tmp_path / "bad.toml", "made/7")
