"""What stands in the way of a session, found out before it is begun and without asking the model."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from workbench import languages
from workbench.errors import WorkbenchError
from workbench.execution.launchers import choose_launcher
from workbench.generation.litellm_client import missing_keys
from workbench.generation.open import open_generator
from workbench.session.estimate import SessionEstimate, estimate_session
from workbench.session.models import model_options
from workbench.session.spec import SessionSpec

LOW_DISK = 2 * 1024**3
"""Bytes; below it a session is warned of."""
NO_DISK = 200 * 1024**2
"""Bytes; below it none is begun."""
OFFLINE = ("local/", "replay:", "scripted:")


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    name: str
    verdict: Literal["ok", "slows", "stops"]
    said: str
    """One line; what to do about it, if anything."""


@dataclass(frozen=True, slots=True)
class Preflight:
    """Everything known of a session before it is begun."""

    checks: tuple[Check, ...]
    estimate: SessionEstimate | None
    """`None`: it can't be said before a check that stops is mended."""

    @property
    def held(self) -> str:
        """Why it can't be begun; empty when it can."""
        stops = [c for c in self.checks if c.verdict == "stops"]
        return f"{stops[0].name}: {stops[0].said}" if stops else ""


async def preflight(asked: SessionSpec, sessions: Path) -> Preflight:
    """Look at model, data, sandbox, languages and disk; nothing is started and nothing is paid for."""
    estimate, data = await _data(asked, sessions)
    model, sandbox, disk = await asyncio.gather(
        _model(asked, sessions), _sandbox(asked), asyncio.to_thread(_disk, sessions)
    )
    return Preflight((model, data, *sandbox, disk), estimate)


async def _model(asked: SessionSpec, sessions: Path) -> Check:
    try:
        open_generator(asked.model, model_options(asked, lambda _line: None, sessions))
        if asked.model.startswith(OFFLINE):
            return Check("model", "ok", "on this machine, no key and no money")
        if asked.api_key_env:
            return Check("model", "ok", f"key in {asked.api_key_env}")
        if asked.api_base:
            return Check(
                "model", "ok", "a server of one's own; whether it answers isn't asked here"
            )
        missing = await missing_keys(asked.model)
    except WorkbenchError as error:
        return Check("model", "stops", str(error))
    if missing:
        return Check("model", "stops", f"no key: set {' or '.join(missing)}")
    return Check("model", "ok", "its key is set")


async def _data(asked: SessionSpec, sessions: Path) -> tuple[SessionEstimate | None, Check]:
    def look() -> SessionEstimate:
        return asyncio.run(estimate_session(asked, sessions))

    try:
        found = await asyncio.to_thread(look)
    except WorkbenchError as error:
        return None, Check("data", "stops", str(error))
    return found, Check("data", "ok", f"{found.tasks} tasks, files as registered")


async def _sandbox(asked: SessionSpec) -> Sequence[Check]:
    try:
        known = [languages.load(name) for name in asked.languages]
        launcher = await choose_launcher(asked.sandbox)
        try:
            reasons = await launcher.unavailable(known)
        finally:
            await launcher.close()
    except WorkbenchError as error:
        return [Check("sandbox", "stops", str(error))]
    good = [language.id for language in known if language.id not in reasons]
    checks = [Check(" ".join(good), "ok", f"toolchains in {launcher.id}")] if good else []
    return [*checks, *(Check(name, "stops", reason) for name, reason in reasons.items())]


def _disk(sessions: Path) -> Check:
    near = next(p for p in (sessions.absolute(), *sessions.absolute().parents) if p.exists())
    free = shutil.disk_usage(near).free
    said = f"{free / 1024**3:.1f} GiB free in {near}"
    return Check("disk", "ok" if free > LOW_DISK else "slows" if free > NO_DISK else "stops", said)
