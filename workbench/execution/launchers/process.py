"""Plain processes on this machine: no sandbox. Only by an explicit flag, and shown in every label."""

from __future__ import annotations

from workbench.execution.launchers.host import HostLauncher
from workbench.execution.slots import Settings


class ProcessLauncher(HostLauncher):
    """The supervisor as an ordinary process.

    As root, programs run under uids of their own; else in PID namespaces where there are any.
    Network, files and memory are the machine's.
    """

    id = "process"
    guarantees = "NO sandbox: programs reach the network and every file this user reads"

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
