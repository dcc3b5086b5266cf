"""What the demo runs: chosen so that a newcomer sees every part of the product in minutes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from workbench import languages
from workbench.errors import SandboxUnavailable, WorkbenchError
from workbench.execution.launchers import BY_ITSELF, Launcher, choose_launcher
from workbench.languages import Language
from workbench.session.spec import SessionSpec, parse_spec

MODEL = "local/smollm2-135m"
TASKS = "0-4"
RECIPE = "repair-visible"
WITH_IMAGES = ("docker", "gvisor")


async def demo_spec(sandbox: str | None, say: Callable[[str], None]) -> SessionSpec:
    """The demo's session: every language whose toolchain is there, built first where it can be.

    Raises:
        SandboxUnavailable: no sandbox, or no language has a toolchain.
    """
    known = [languages.load(name) for name in languages.language_folders()]
    known.sort(key=lambda language: (language.rank, language.id))
    launcher = await _launcher(sandbox, known, say)
    try:
        reasons = await launcher.unavailable(known)
    finally:
        await launcher.close()
    usable = [language.id for language in known if language.id not in reasons]
    for name, reason in reasons.items():
        say(f"left out: {name}: {reason}")
    if not usable:
        raise SandboxUnavailable(
            f"no language has a toolchain for {launcher.id}: install one of python3, g++, a JDK, "
            "node or go, or Docker"
        )
    return parse_spec(
        {
            "model": MODEL,
            "benchmark": "starter",
            "languages": usable,
            "modes": ("plain", RECIPE),
            "tasks": TASKS,
            "sampling": {"max_tokens": 256},
            "sandbox": launcher.id,
        }
    )


async def _launcher(
    sandbox: str | None, known: Sequence[Language], say: Callable[[str], None]
) -> Launcher:
    """The best launcher whose images, if it needs any, are there or can be built."""
    launcher = await choose_launcher(sandbox)
    if launcher.id not in WITH_IMAGES:
        return launcher
    try:
        await asyncio.to_thread(_build_images, [language.id for language in known], say)
    except WorkbenchError as error:
        await launcher.close()
        if sandbox is not None:
            raise
        say(f"{launcher.id} can't be used: {error}")
        return await _without_images(say)
    return launcher


async def _without_images(say: Callable[[str], None]) -> Launcher:
    for name in BY_ITSELF:
        if name in WITH_IMAGES:
            continue
        try:
            return await choose_launcher(name)
        except SandboxUnavailable as error:
            say(str(error))
    raise SandboxUnavailable("no sandbox works here: `workbench doctor` says what is missing")


def _build_images(known: list[str], say: Callable[[str], None]) -> None:
    """Build the images that are missing; the first time this takes minutes."""
    from workbench import images

    have = set(images.languages())
    missing = images.missing([language for language in known if language in have])
    if missing:
        say(f"building toolchain images, once: {', '.join(missing)}")
    settings = images.from_environment()
    for language in missing:
        images.build(language, say, settings)
