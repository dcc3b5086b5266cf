"""Plain processes on this machine: no sandbox. Only by an explicit flag, and shown in every label."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from workbench.execution.launchers.folders import own_folder, remove_folder, sweep_folders
from workbench.execution.launchers.host import HostLauncher
from workbench.execution.slots import Settings

_PREFIX = "workbench-"


class ProcessLauncher(HostLauncher):
    """The supervisor as an ordinary process.

    As root, programs run under uids of their own; else in PID namespaces where there are any.
    Network, files and memory are the machine's.
    """

    id = "process"
    guarantees = "NO sandbox: programs reach the network and every file this user reads"

    def __init__(self) -> None:
        """Makes no folder yet."""
        super().__init__()
        self._folder: Path | None = None

    def environment(self) -> dict[str, str]:
        """As everywhere, and a place for work dirs that tells whose they are."""
        if self._folder is None:
            self._folder = own_folder(_PREFIX, Path(tempfile.gettempdir()))
            self._folder.chmod(0o711)  # programs have other uids, and must get to theirs
        return {**super().environment(), "TMPDIR": str(self._folder)}

    async def sweep(self) -> int:
        """Remove work dirs whose owner and supervisor were killed."""
        parent = Path(tempfile.gettempdir())
        return await super().sweep() + await asyncio.to_thread(sweep_folders, _PREFIX, parent)

    async def close(self) -> None:
        """Remove the folder of the work dirs."""
        if self._folder is not None:
            await asyncio.to_thread(remove_folder, self._folder)
            self._folder = None
        await super().close()

    async def lacking(self) -> str:
        """As every sandbox without an engine, and all of the walls."""
        return f"no walls around network and files; {await super().lacking()}"

    def settings(self) -> Settings:
        """A work dir that the supervisor makes, and whatever containment there is."""
        return Settings(
            root="",
            shared=("/tmp", "/dev/shm"),  # noqa: S108
            containment=("uid", "pidns", "tree"),
            env=self.env,
            path=self.tools.path,
        )

    def command(self) -> list[str]:
        """Python and nothing around it."""
        return self.python()
