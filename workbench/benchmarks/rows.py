"""Read JSONL files, compressed or not, with errors that name file, line and field."""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

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
    with _opened(path) as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise DataError(_too_large(path))
    return data


def _too_large(path: Path) -> str:
    return f"{path}: more than {MAX_BYTES} bytes: this is no task or sample file"


@contextmanager
def _opened(path: Path) -> Generator[IO[bytes]]:
    """The file as bytes, uncompressed where it begins as gzip does; what fails is a DataError."""
    try:
        with path.open("rb") as file:
            compressed = file.read(2) == b"\x1f\x8b"
        with gzip.open(path, "rb") if compressed else path.open("rb") as file:
            yield cast(IO[bytes], file)
    except EOFError:
        raise DataError(f"{path}: the gzip file is cut short: fetch it again") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"{path}: the gzip file is damaged: {error}") from None
    except OSError as error:
        raise DataError(f"{path}: can't be read: {error.strerror or error}") from None


def read_rows(path: Path) -> list[Row]:
    """Every object of a JSONL file; empty lines are skipped.

    Raises:
        DataError: the file can't be read, or a line is no JSON object; the line names it.
    """
    rows = list(stream_rows(path))
    if not rows:
        raise DataError(f"{path}: no rows in it")
    return rows


def stream_rows(path: Path) -> Iterator[Row]:
    """The same one by one, so that a large file is never held whole.

    Raises:
        DataError: as `read_rows`, once the line is reached; an empty file isn't refused.
    """
    offset = 0
    for number, line in enumerate(_lines(path), 1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise DataError(f"{path}: byte {offset + error.start} isn't UTF-8") from None
        offset += len(line)
        if not text.strip():
            continue
        try:
            value = json.loads(text)
        except (json.JSONDecodeError, RecursionError) as error:
            what = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deep"
            raise DataError(f"{path}, line {number}: not valid JSON: {what}") from None
        if not isinstance(value, dict):
            raise DataError(f"{path}, line {number}: {type(value).__name__}, not a JSON object")
        yield Row(path, number, cast(dict[str, Any], value))


def _lines(path: Path) -> Iterator[bytes]:
    """Lines with their ends. Only LF ends one: JSON strings may hold U+2028 and its like."""
    left = MAX_BYTES
    with _opened(path) as file:
        for line in file:
            left -= len(line)
            if left < 0:
                raise DataError(_too_large(path))
            yield line


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
