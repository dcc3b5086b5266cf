"""Read JSONL files, compressed or not, with errors that name file, line and field."""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from workbench.errors import DataError

MAX_BYTES = 1 << 30
"""Bytes that a data file may have once uncompressed: a bound, not an expectation."""


@dataclass(frozen=True, slots=True)
class Row:
    """One object of a JSONL file."""

    path: Path
    line: int
    """From 1."""
    fields: Mapping[str, Any]

    @property
    def place(self) -> str:
        """File and line, as errors name them."""
        return f"{self.path}, line {self.line}"

    def text(self, field: str, default: str | None = None) -> str:
        """The text in `field`.

        Raises:
            DataError: it is missing and has no default, or is no text.
        """
        value = self.fields.get(field, default)
        if value is None:
            raise DataError(f"{self.place}: field {field!r} is missing")
        if not isinstance(value, str):
            raise DataError(f"{self.place}: field {field!r} is {type(value).__name__}, not text")
        return value


def read_bytes(path: Path) -> bytes:
    """The whole content of a file, uncompressed where it begins as gzip does.

    Raises:
        DataError: it can't be read, its gzip is cut or damaged, or it is far too large.
    """
    try:
        with path.open("rb") as file:
            compressed = file.read(2) == b"\x1f\x8b"
        with gzip.open(path, "rb") if compressed else path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except EOFError:
        raise DataError(f"{path}: the gzip file is cut short: fetch it again") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"{path}: the gzip file is damaged: {error}") from None
    except OSError as error:
        raise DataError(f"{path}: can't be read: {error.strerror or error}") from None
    if len(data) > MAX_BYTES:
        raise DataError(f"{path}: more than {MAX_BYTES} bytes: this is no task or sample file")
    return data


def read_rows(path: Path) -> list[Row]:
    """Every object of a JSONL file; empty lines are skipped.

    Raises:
        DataError: the file can't be read, or a line is no JSON object; the line names it.
    """
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: byte {error.start} isn't UTF-8") from None
    rows: list[Row] = []
    # Not splitlines(): JSON strings may hold U+2028 and its like unescaped.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            what = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deep"
            raise DataError(f"{path}, line {number}: not valid JSON: {what}") from None
        if not isinstance(value, dict):
            raise DataError(f"{path}, line {number}: {type(value).__name__}, not a JSON object")
        rows.append(Row(path, number, cast(dict[str, Any], value)))
    if not rows:
        raise DataError(f"{path}: no rows in it")
    return rows


def sha256_of(path: Path) -> str:
    """SHA-256 of a file's bytes as they lie there.

    Raises:
        DataError: it can't be read.
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise DataError(f"{path}: can't be read: {error.strerror or error}") from None
