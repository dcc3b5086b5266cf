"""A deterministic model from a file, for tests and documentation; it can also misbehave.

A file is TOML: a list of `[[answer]]` tables, the first whose `key` pattern and `index` fit wins.

    [[answer]]
    key = "starter/python/*/plain/1"   # as in `fnmatch`; what stands for any text is `*`
    index = [0, 1]                     # samples it is for; absent: all
    texts = ["first", "second"]        # sample i gets text i, counted round; or text = "…"
    finish_reason = "stop"
    delay_s = 0.0
    faults = ["429:2", "500", "garbage", "cut", "hang"]   # met one an attempt, before the answer
    always = false                     # true: the last fault for ever, no answer comes
"""

from __future__ import annotations

import asyncio
import fnmatch
import hashlib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from workbench.errors import DataError, GenerationFailed
from workbench.generation.model import Completion, Request, Usage
from workbench.generation.prices import FREE, Prices
from workbench.generation.provider_errors import classify
from workbench.generation.tokens import estimate_prompt, estimate_text
from workbench.generation.transport import AttemptFailed, Progress

_BODIES = {"garbage": "the answer isn't JSON", "cut": "connection cut", "empty": "no choices"}


class Answer(BaseModel):
    """One entry of a script."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str = "*"
    index: tuple[int, ...] | None = None
    text: str = ""
    texts: tuple[str, ...] = ()
    finish_reason: str = "stop"
    delay_s: float = Field(0.0, ge=0)
    faults: tuple[str, ...] = ()
    always: bool = False

    @field_validator("faults")
    @classmethod
    def _known(cls, faults: tuple[str, ...]) -> tuple[str, ...]:
        for fault in faults:
            kind, _, wait = fault.partition(":")
            known = kind in _BODIES or kind == "hang" or (kind.isdigit() and int(kind) >= 400)
            if not known or (wait and not wait.replace(".", "", 1).isdigit()):
                raise ValueError(f"{fault!r} is no fault: there are 400 and up, garbage, cut, hang")
        return faults

    def fits(self, request: Request) -> bool:
        """Whether this entry answers the request."""
        if self.index is not None and request.index not in self.index:
            return False
        return fnmatch.fnmatchcase(request.key, self.key)

    def text_for(self, index: int) -> str:
        """What sample `index` gets."""
        return self.texts[index % len(self.texts)] if self.texts else self.text


class _Script(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str = "scripted"
    answer: tuple[Answer, ...] = Field(min_length=1)


class Scripted:
    """Transport that plays a script; the retry loop around it is the real one."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._script: _Script | None = None
        self._digest = ""
        self._met: dict[tuple[str, int], int] = {}

    async def open(self, progress: Progress) -> None:
        """Read the script. Raises `DataError`: file and field in one line."""
        try:
            data = await asyncio.to_thread(self._path.read_bytes)
            self._script = _Script.model_validate(tomllib.loads(data.decode("utf-8")))
        except OSError as error:
            why = error.strerror or error
            raise DataError(f"scripted:{self._path}: can't be read: {why}") from None
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise DataError(f"{self._path}: field `{where}`: {first['msg']}") from None
        except ValueError as error:  # not TOML, not UTF-8
            raise DataError(f"{self._path} isn't valid TOML: {error}") from None
        self._digest = hashlib.sha256(data).hexdigest()

    async def close(self) -> None:
        """Forget which faults were met."""
        self._met.clear()

    def identity(self) -> Mapping[str, Any]:
        """Say which script answers."""
        return {"provider": "scripted", "source": self._path.name, "sha256": self._digest}

    def prices(self) -> Prices:
        """A script costs nothing."""
        return FREE

    async def send(self, request: Request) -> Completion:
        """Play the entry that fits; see `Transport.send`."""
        script = self._script
        entry = next((a for a in script.answer if a.fits(request)), None) if script else None
        if script is None or entry is None:
            raise GenerationFailed(f"no answer is scripted for {request.key}")
        await asyncio.sleep(entry.delay_s)
        met = self._met.get((request.key, request.index), 0)
        if met < len(entry.faults) or (entry.always and entry.faults):
            self._met[request.key, request.index] = met + 1
            await self._misbehave(script.model, entry.faults[min(met, len(entry.faults) - 1)])
        text = entry.text_for(request.index)
        return Completion(
            text=text,
            finish_reason=entry.finish_reason,
            model=script.model,
            usage=Usage(estimate_prompt(request), estimate_text(text)),
            cost_usd=FREE.completion,
        )

    async def _misbehave(self, model: str, fault: str) -> None:
        kind, _, wait = fault.partition(":")
        if kind == "hang":
            await asyncio.Event().wait()
        if kind in _BODIES:
            raise AttemptFailed(_BODIES[kind])
        headers = {"retry-after": wait} if wait else {}
        raise classify(model, int(kind), "as the script says", headers)
