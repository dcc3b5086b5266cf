"""A model that answers with stored completions, so that a session can be repeated exactly."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from workbench.errors import GenerationFailed, UsageError
from workbench.generation.model import Completion, Request
from workbench.generation.prices import FREE, Prices
from workbench.generation.stored import StoredCompletion, read_file

SessionCompletions = Callable[[str], Iterable[StoredCompletion]]
"""Gives the stored completions of a session by name; raises `SessionError`."""

_Slot = tuple[str, str, int, int]
"""Key or task id, language, turn, index."""


class Replay:
    """A `Generator` over stored completions: never asks anything of anyone.

    An answer is found by its request's key and index. Records without a key are found by task id
    and turn, in the language that they name or in any; among records of one task without an
    index, the n-th is sample n.
    """

    max_concurrency = 64

    def __init__(self, source: str, sessions: SessionCompletions | None = None) -> None:
        """`source` is a file's path, else a session's name, which `sessions` reads."""
        self.model = f"replay:{source}"
        self._source = source
        self._sessions = sessions
        self._answers: dict[_Slot, Completion] = {}
        self._identity: dict[str, Any] = {"provider": "replay", "source": Path(source).name}

    async def __aenter__(self) -> Replay:
        self._fill(await asyncio.to_thread(self._read))
        if not self._answers:
            raise UsageError(f"{self.model}: there is no completion in it")
        self._identity["completions"] = len(self._answers)
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._answers.clear()

    def identity(self) -> Mapping[str, Any]:
        """Say what is replayed."""
        return {"model": self.model, **self._identity}

    def prices(self) -> Prices:
        """Replaying costs nothing."""
        return FREE

    def _read(self) -> list[StoredCompletion]:
        path = Path(self._source).expanduser()
        if path.is_file():
            records, self._identity["sha256"] = read_file(path)
            return records
        if self._sessions is None:
            raise UsageError(f"{self.model}: no such file")
        return list(self._sessions(self._source))

    def _fill(self, records: Iterable[StoredCompletion]) -> None:
        counts: dict[tuple[str, str, int], int] = {}
        for record in records:
            name = record.key or record.task_id
            turn = 0 if record.key else record.turn
            group = (name, record.language if not record.key else "", turn)
            index = record.index
            if index is None:
                index = counts.get(group, 0)
                counts[group] = index + 1
            slot = (*group, index)
            if slot in self._answers and self._answers[slot].text != record.completion.text:
                raise UsageError(
                    f"{self.model}: two different completions for {name}, sample {index}"
                )
            self._answers[slot] = record.completion

    async def complete(
        self, request: Request, on_wait: Callable[[str], None] | None = None
    ) -> Completion:
        """Give the stored answer.

        Raises:
            GenerationFailed: there is none for this key and index.
        """
        for slot in _slots(request):
            if slot in self._answers:
                return self._answers[slot]
        raise GenerationFailed(
            f"{self.model}: no completion stored for {request.key}, sample {request.index}"
        )


def _slots(request: Request) -> Iterator[_Slot]:
    """Where the answer may be filed, the most exact place first.

    A key is `benchmark/language/task id/mode/turn`; benchmark and task id may have slashes of
    their own, so every tail of the first part may be the task id, the longest first.
    """
    yield (request.key, "", 0, request.index)
    parts = request.key.rsplit("/", 2)
    if len(parts) != 3 or not parts[2].isdigit():
        return
    words = parts[0].split("/")
    for start in range(1, len(words)):
        task_id = "/".join(words[start:])
        for language in dict.fromkeys((*reversed(words[:start]), "")):
            yield (task_id, language, int(parts[2]), request.index)
