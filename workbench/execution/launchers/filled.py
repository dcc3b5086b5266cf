"""Caches that an image has baked in, filled once on a machine that runs programs without one."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from pathlib import Path
from typing import Any

from workbench import paths
from workbench.errors import SandboxUnavailable
from workbench.execution.launchers.base import Say
from workbench.execution.launchers.folders import own_folder, remove_folder, sweep_folders
from workbench.languages import Language

FILL_S = 900.0
_FILLING = ".filling-"
SYSTEM_CACHE = Path("/var/cache/workbench")
"""For root, whose home candidates can't enter."""


async def filled_cache(
    language: Language, versions: object, path: str, say: Say | None
) -> tuple[str, Path] | None:
    """The variable and the folder of a language's cache, filled when it isn't there yet.

    The folder's name hangs on the toolchain's `versions` and the commands, so another toolchain
    fills another. None when the language needs none. Raises `SandboxUnavailable` when a command
    fails.
    """
    wanted: dict[str, Any] | None = language.settings["host"].get("cache")
    if wanted is None:
        return None
    known = json.dumps([versions, wanted, language.settings.get("compile")], sort_keys=True)
    name = f"{language.id}-{hashlib.sha256(known.encode()).hexdigest()[:12]}"
    folder = _base() / name
    if not await asyncio.to_thread(folder.is_dir):
        if say is not None:
            say(f"filling the build cache of {language.name} in {folder}, once; a minute or more")
        await _fill(language, wanted, folder, path)
    return str(wanted["variable"]), folder


def sweep_fillings() -> int:
    """Remove what was being filled when its process was killed; how many caches."""
    return sweep_folders(_FILLING, _base())


def _base() -> Path:
    return SYSTEM_CACHE if os.getuid() == 0 else paths.cache_dir() / "toolchains"


async def _fill(language: Language, wanted: dict[str, Any], folder: Path, path: str) -> None:
    """Fill a new folder beside the final one and rename it: a cache is whole or isn't there."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = own_folder(_FILLING, folder.parent)
    (temporary / "cache").mkdir(mode=0o755)
    (temporary / "home").mkdir()
    step = language.compile or language.run
    env = {
        "PATH": path,
        "HOME": str(temporary / "home"),
        **step.env,
        str(wanted["variable"]): str(temporary / "cache"),
    }
    try:
        for command in wanted["fill"]:
            await _run(language, list(command), env, temporary / "home")
        await asyncio.to_thread(_open_to_all, temporary / "cache")
        try:
            (temporary / "cache").rename(folder)
        except OSError:
            if not await asyncio.to_thread(folder.is_dir):  # else another process has filled it
                raise
    finally:
        await asyncio.to_thread(remove_folder, temporary)


async def _run(language: Language, command: list[str], env: dict[str, str], where: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *command,
        env=env,
        cwd=where,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        async with asyncio.timeout(FILL_S):
            told, _ = await process.communicate()
    except BaseException:
        if process.returncode is None:
            process.kill()
            await process.wait()
        raise
    if process.returncode != 0:
        words = " ".join(told.decode("utf-8", "replace").split())[-200:]
        raise SandboxUnavailable(f"{language.id}: `{' '.join(command)}` fails: {words}")


def _open_to_all(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
