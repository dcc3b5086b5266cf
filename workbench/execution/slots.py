"""A slot: one started sandbox with a supervisor in it, asked one thing at a time."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.errors import SandboxFault, SandboxUnavailable
from workbench.execution import boot
from workbench.execution.frames import Link, encode, framed, receive

START_S = 30.0
"""How long a sandbox may take from its start to its ready frame."""
UIDS = 4093
"""Uids of one slot, each for one execution before they are used again; two more are the killer's
and the services'."""
_FIRST_UID, _RANGES = 0x70000000, 65_535


class SupervisorFailed(SandboxFault):
    """The supervisor lives, and says that it failed."""


Progress = Callable[[str, float], None]
"""Called with a step's name and the CPU seconds it has used."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a launcher tells the supervisor about the sandbox it made; see `supervisor.py`."""

    root: str
    private: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()
    containment: tuple[str, ...] = ("uid", "pidns")
    cgroup: bool = False
    inherit: bool = False
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    warm: Mapping[str, str] = field(default_factory=dict[str, str])
    """The language's `warm` files by name; empty: every program is run by the plain commands."""
    path: str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

    def message(self) -> dict[str, Any]:
        """The settings frame, with a range of uids of its own.

        The kernel counts a uid's processes over the whole machine, so no two slots may share one:
        the range is drawn from 65,535, above all that Linux distributions hand out.
        """
        first = _FIRST_UID + random.randrange(_RANGES) * (UIDS + 3)  # noqa: S311  (no secret)
        return {
            "root": self.root,
            "private": list(self.private),
            "shared": list(self.shared),
            "uids": [first, UIDS],
            "containment": list(self.containment),
            "cgroup": self.cgroup,
            "inherit": self.inherit,
            "env": dict(self.env),
            "path": self.path,
            "warm": dict(self.warm),
        }


class Slot:
    """One sandbox, from its ready frame on."""

    def __init__(self, link: Link, memory_mb: int, facts: Mapping[str, Any]) -> None:
        """Use `Slot.open`."""
        self._link = link
        self._requests = 0
        self.memory_mb = memory_mb
        """The most memory a step may be given here."""
        self.spent = False
        """Whether it must not be used again."""
        self.facts = facts
        """What the supervisor found: `containment`, `memory`, `filter`, `cpus`."""

    @classmethod
    async def open(cls, link: Link, settings: Settings, memory_mb: int) -> Slot:
        """Bring the supervisor up over a fresh link.

        Raises:
            SandboxUnavailable: the supervisor can't contain candidates there.
            SandboxFault: it died, or said nothing within START_S.
        """
        try:
            async with asyncio.timeout(START_S):
                await link.write(framed(boot.source()) + encode(settings.message()))
                ready = await receive(link)
        except TimeoutError:
            await link.close()
            raise SandboxFault(f"the sandbox didn't start within {START_S:g} s") from None
        except BaseException:
            await link.close()
            raise
        if not ready.get("ready"):
            await link.close()
            raise SandboxUnavailable(f"the sandbox can't be used: {ready.get('fault')}")
        return cls(link, memory_mb, ready)

    async def ask(
        self, request: Mapping[str, Any], deadline_s: float, progress: Progress | None = None
    ) -> dict[str, Any]:
        """Send one request and wait for its answer.

        After any exception, and when the answer's `clean` is false, the slot must be closed.

        Raises:
            SandboxFault: the sandbox died, answered nonsense or nothing in time, or failed.
        """
        self._requests += 1
        number = self._requests
        try:
            async with asyncio.timeout(deadline_s):
                await self._link.write(encode({"id": number, **request}))
                while True:
                    answer = await receive(self._link)
                    if answer.get("id") != number:
                        raise SandboxFault("the sandbox answered another question")
                    if "cpu_s" not in answer:
                        break
                    if progress is not None:
                        progress(str(answer["step"]), float(answer["cpu_s"]))
        except TimeoutError:
            raise SandboxFault(f"the sandbox didn't answer within {deadline_s:.0f} s") from None
        if "fault" in answer:
            raise SupervisorFailed(f"the sandbox failed: {answer['fault']}")
        return answer

    async def close(self) -> None:
        """Remove the sandbox."""
        await self._link.close()
