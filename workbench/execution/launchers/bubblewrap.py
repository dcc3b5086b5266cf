"""Bubblewrap: namespaces around the supervisor, for machines without Docker."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from workbench.errors import SandboxUnavailable
from workbench.execution.launchers.host import HostLauncher
from workbench.execution.slots import Settings

WORK_MB, SMALL_MB = 256, 32
MB = 1_048_576


class BubblewrapLauncher(HostLauncher):
    """`bwrap` with a PID, network, IPC, mount and host name namespace of its own.

    As root it keeps the two capabilities that switch uids. As an ordinary user it makes a user
    namespace, and each step another one inside.
    """

    id = "bubblewrap"
    guarantees = "namespaces without network; memory watched by its resident size"

    async def check(self) -> None:
        """Find bwrap and start it."""
        if shutil.which("bwrap") is None:
            raise SandboxUnavailable("bwrap isn't installed")
        await super().check()

    def settings(self) -> Settings:
        """Folders of its own, and whichever containment the user allows."""
        return Settings(
            root="/box",
            private=("/tmp", "/dev/shm"),  # noqa: S108
            containment=("uid", "pidns"),
            env=self.env,
            path=self.tools.path,
        )

    def command(self) -> list[str]:
        """The whole bwrap command."""
        words = ["bwrap", "--die-with-parent", "--unshare-pid", "--unshare-net", "--unshare-ipc"]
        words += ["--unshare-uts", "--unshare-cgroup-try", "--hostname", "sandbox", "--clearenv"]
        words += ["--setenv", "PATH", self.tools.path]
        if os.getuid() == 0:
            words += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
        else:
            words += ["--unshare-user"]
        for path in (Path(shown) for shown in self.tools.shown()):
            for parent in reversed(path.parents[:-1]):
                # Else bwrap makes them for its own user only.
                words += ["--perms", "0755", "--dir", str(parent)]
            if path.is_symlink():
                words += ["--symlink", str(path.readlink()), str(path)]
            else:
                words += ["--ro-bind-try", str(path), str(path)]
        words += ["--proc", "/proc", "--dev", "/dev"]
        for folder, size in (("/box", WORK_MB), ("/tmp", SMALL_MB), ("/dev/shm", SMALL_MB)):  # noqa: S108
            words += ["--perms", "1733", "--size", str(size * MB), "--tmpfs", folder]
        return [*words, "--remount-ro", "/", "--chdir", "/", "--", *self.python()]
