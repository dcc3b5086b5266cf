"""Stored completions, read back: rows of a session, or sample files of any origin."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, cast

from workbench.errors import DataError
from workbench.generation.model import Attempt, Completion, ToolCall, Usage

_TEXT_FIELDS = ("raw", "completion", "generation", "solution", "text")
_INDEX_FIELDS = ("index", "sample")


@dataclass(frozen=True, slots=True)
class StoredCompletion:
    """One stored answer and what it answers."""

    key: str
    """`Request.key`; empty when the file doesn't say."""
    task_id: str
    """The benchmark's id, for files without keys."""
    language: str
    """Language id; empty when the file doesn't say."""
    turn: int
    """From 1."""
    index: int | None
    """Which sample of its task; `None`: the order in the file says."""
    completion: Completion


def read_file(path: Path) -> tuple[list[StoredCompletion], str]:
    """Read a JSONL file (gzipped or not); returns the records and the file's SHA-256.

    Raises:
        DataError: it can't be read; the message names file, line and field.
    """
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8")
    except OSError as error:
        raise DataError(f"{path}: can't be read: {error.strerror or error}") from None
    except (EOFError, ValueError) as error:
        raise DataError(f"{path}: damaged: {error}") from None
    return list(_records(path, text.split("\n"))), hashlib.sha256(data).hexdigest()


def _records(path: Path, lines: Iterable[str]) -> Iterator[StoredCompletion]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row: object = json.loads(line)
        except ValueError as error:
            raise DataError(f"{path}, line {number}: not JSON: {error}") from None
        if not isinstance(row, dict):
            raise DataError(f"{path}, line {number}: not a JSON object")
        yield read_record(cast(dict[str, Any], row), f"{path}, line {number}")


def read_record(row: Mapping[str, Any], where: str) -> StoredCompletion:
    """Read one record: `{request, completion}` as sessions keep them, or `{task_id, completion}`.

    `where` is what an error message begins with.

    Raises:
        DataError: a field is missing or of another type.
    """
    request = _object(row.get("request"))
    key = row.get("key", request.get("key", ""))
    task_id = row.get("task_id", "")
    if not isinstance(key, str) or not isinstance(task_id, str):
        raise DataError(f"{where}: field `key` or `task_id`: not text")
    if not key and not task_id:
        raise DataError(f"{where}: field `key` or `task_id` is missing")
    index = next((row[f] for f in _INDEX_FIELDS if f in row), request.get("index"))
    turn = row.get("turn", 1)
    for name, value in (("index", index), ("turn", turn)):
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise DataError(f"{where}: field `{name}`: not a whole number")
    return StoredCompletion(
        key=key,
        task_id=task_id,
        language=str(row.get("language", "")),
        turn=turn,
        index=index,
        completion=_completion(row, where),
    )


def _object(value: object) -> Mapping[str, Any]:
    return cast(Mapping[str, Any], value) if isinstance(value, dict) else {}


def _completion(row: Mapping[str, Any], where: str) -> Completion:
    body = _object(row.get("completion"))
    found = next((row[f] for f in _TEXT_FIELDS if isinstance(row.get(f), str)), body.get("text"))
    if not isinstance(found, str):
        raise DataError(f"{where}: field `completion` is missing or not text")
    fields = body or row
    usage = _object(fields.get("usage"))
    try:
        return Completion(
            text=found,
            finish_reason=str(fields.get("finish_reason") or ""),
            model=str(fields.get("model") or ""),
            usage=Usage(usage.get("prompt_tokens"), usage.get("completion_tokens")),
            cost_usd=_decimal(fields.get("cost_usd")),
            logprob_mean=fields.get("logprob_mean"),
            started=float(fields.get("started") or 0.0),
            seconds=float(fields.get("seconds") or 0.0),
            attempts=tuple(Attempt(**attempt) for attempt in body.get("attempts") or ()),
            reasoning=str(fields.get("reasoning") or ""),
            tool_calls=tuple(ToolCall(**call) for call in body.get("tool_calls") or ()),
        )
    except (TypeError, ValueError, InvalidOperation) as error:
        raise DataError(f"{where}: the completion's fields can't be read: {error}") from None


def _decimal(value: object) -> Decimal | None:
    return None if value is None else Decimal(str(value))
