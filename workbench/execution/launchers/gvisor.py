"""gVisor: the container of the Docker launcher under `runsc`, a kernel of its own in user space."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.errors import SandboxUnavailable
from workbench.execution.launchers.docker import DockerLauncher

if TYPE_CHECKING:
    from docker import DockerClient


class GvisorLauncher(DockerLauncher):
    """Docker with the runtime `runsc`.

    Inside there is no control group to read, and a program that uses up the memory takes the
    whole sandbox with it. The pids limit counts the sandbox's own threads: it has to be wide.
    """

    id = "gvisor"
    guarantees = "containers with a kernel of their own in user space; no memory counters inside"
    runtime = "runsc"
    pids = 8192
    cgroup = False
    dies_of_memory = True
    shares = "memory and CPU time are polled; two to five times as slow, and nothing is kept warm"
    shared = ("/dev/shm",)  # noqa: S108

    def __init__(self) -> None:
        """Doesn't reach the engine yet."""
        super().__init__()
        # It has neither processes that are cloned for their parent nor any that adopt orphans.
        self.keeps_warm = False

    async def check(self) -> None:
        """Reach the engine and find the runtime."""
        runtimes = await self._call(_runtimes)
        if self.runtime not in runtimes:
            raise SandboxUnavailable(
                "Docker has no runtime runsc: run scripts/install-docker.sh --gvisor, or install"
                " gVisor and register it (docs/sandboxes.md)"
            )


def _runtimes(client: DockerClient) -> set[str]:
    return set(client.info().get("Runtimes", {}))
