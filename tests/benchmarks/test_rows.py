"""Broken files give one line that names file and line."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from workbench.benchmarks.rows import read_bytes, read_rows
from workbench.errors import DataError


def refused(path: Path) -> str:
    with pytest.raises(DataError) as caught:
        read_rows(path)
    assert caught.value.exit_code == 2
    assert "\n" not in str(caught.value)
    assert path.name in str(caught.value)
    return str(caught.value)


def test_rows_are_read_compressed_or_not(tmp_path: Path) -> None:
    text = b'{"a": 1}\n\n{"a": "x\xe2\x80\xa8y"}\r\n'
    for name, data in (
        ("plain.jsonl", text),
        ("packed.jsonl.gz", gzip.compress(text)),
        ("misnamed.jsonl", gzip.compress(text)),
    ):
        (tmp_path / name).write_bytes(data)
        rows = read_rows(tmp_path / name)
        assert [(r.line, r.fields["a"]) for r in rows] == [(1, 1), (3, "x\u2028y")]


def test_a_cut_gzip_is_named(tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"a": 1}\n' * 5000)[:-40])
    assert "cut short" in refused(path)


def test_a_damaged_gzip_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl.gz"
    data = bytearray(gzip.compress(b'{"a": 1}\n' * 5000))
    data[20:30] = b"\xff" * 10
    path.write_bytes(data)
    assert "damaged" in refused(path)


def test_bad_json_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"a": 1}\n{"a": \n')
    assert "line 2: not valid JSON" in refused(path)


def test_deep_nesting_is_bad_json(tmp_path: Path) -> None:
    path = tmp_path / "deep.jsonl"
    path.write_text("[" * 200_000)
    assert "line 1: not valid JSON" in refused(path)


@pytest.mark.parametrize(
    ("line", "what"), [("[1]", "list"), ("3", "int"), ('"x"', "str"), ("null", "NoneType")]
)
def test_a_line_must_be_an_object(tmp_path: Path, line: str, what: str) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text(f'{{"a": 1}}\n{line}\n')
    assert f"line 2: {what}" in refused(path)


def test_an_empty_file_is_no_data(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_text("\n \n")
    assert "no rows" in refused(path)


def test_other_encodings_are_named(tmp_path: Path) -> None:
    path = tmp_path / "latin.jsonl"
    path.write_bytes('{"a": "é"}'.encode("latin-1"))
    assert "byte 7 isn't UTF-8" in refused(path)


def test_a_folder_or_nothing_cant_be_read(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="can't be read"):
        read_bytes(tmp_path)
    with pytest.raises(DataError, match="No such file"):
        read_bytes(tmp_path / "none")
