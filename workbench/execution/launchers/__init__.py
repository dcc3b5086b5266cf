"""The ways to start a sandbox, and which of them work on this machine."""

from __future__ import annotations

from collections.abc import Callable

from workbench.errors import SandboxFault, SandboxUnavailable, UsageError, WorkbenchError
from workbench.execution.launchers.base import Launcher
from workbench.execution.launchers.bubblewrap import BubblewrapLauncher
from workbench.execution.launchers.docker import DockerLauncher
from workbench.execution.launchers.gvisor import GvisorLauncher
from workbench.execution.launchers.process import ProcessLauncher
from workbench.execution.launchers.unshare import UnshareLauncher

LAUNCHERS: dict[str, Callable[[], Launcher]] = {
    "docker": DockerLauncher,
    "bubblewrap": BubblewrapLauncher,
    "unshare": UnshareLauncher,
    "gvisor": GvisorLauncher,
    "process": ProcessLauncher,
}
"""Every launcher by id."""

BY_ITSELF = ("docker", "bubblewrap", "unshare")
"""What is taken when nobody asked for another, best first; `process` is never among them."""

__all__ = [
    "BY_ITSELF",
    "LAUNCHERS",
    "Launcher",
    "choose_launcher",
    "engine",
    "probe_launchers",
    "sweep",
]


async def choose_launcher(preference: str | None = None) -> Launcher:
    """Make the launcher with this id, or the best that works here.

    Raises:
        UsageError: there is no launcher of that name.
        SandboxUnavailable: it doesn't work here, or none does; the line says why.
    """
    if preference is not None and preference not in LAUNCHERS:
        known = ", ".join(LAUNCHERS)
        raise UsageError(f"no sandbox {preference!r}: there are {known}")
    reasons: list[str] = []
    for name in BY_ITSELF if preference is None else (preference,):
        launcher = LAUNCHERS[name]()
        reason = await _why_not(launcher)
        if not reason:
            return launcher
        reasons.append(f"{name}: {reason}")
        await launcher.close()
    end = "" if preference else "; --sandbox process runs programs without one"
    raise SandboxUnavailable("no sandbox works here: " + "; ".join(reasons) + end)


async def probe_launchers() -> list[tuple[str, bool, str]]:
    """(id, whether it works here, why not or what it is and lacks), in the order of preference."""
    told: list[tuple[str, bool, str]] = []
    for name, make in LAUNCHERS.items():
        launcher = make()
        reason = await _why_not(launcher)
        told.append((name, not reason, reason or await _described(launcher)))
        await launcher.close()
    return told


async def sweep() -> int:
    """Remove what dead owners left, in containers and in folders; how many sandboxes that were."""
    removed = 0
    for launcher in (DockerLauncher(), ProcessLauncher()):
        try:
            removed += await launcher.sweep()
        except (SandboxUnavailable, SandboxFault):
            continue  # without an engine there is nothing of it to remove
        finally:
            await launcher.close()
    return removed


async def engine() -> str | None:
    """The Docker engine in a few words; None when there is none that answers."""
    launcher = DockerLauncher()
    try:
        return await launcher.engine()
    except WorkbenchError:
        return None
    finally:
        await launcher.close()


async def _described(launcher: Launcher) -> str:
    try:
        return f"{launcher.guarantees}. Lacking: {await launcher.lacking()}"
    except WorkbenchError as error:
        return f"{launcher.guarantees}. Not found out what it lacks: {error}"


async def _why_not(launcher: Launcher) -> str:
    """Why a launcher can't be used here; empty when it can."""
    try:
        await launcher.check()
    except WorkbenchError as error:
        return str(error)
    return ""
