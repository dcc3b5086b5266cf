"""Sandboxes made of this machine's own processes: how they are started and what tools they see."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping, Sequence

from workbench.errors import SandboxFault, SandboxUnavailable
from workbench.execution import boot
from workbench.execution.frames import StreamLink
from workbench.execution.launchers.base import Say
from workbench.execution.launchers.filled import filled_cache, sweep_fillings
from workbench.execution.launchers.tools import Tools
from workbench.execution.messages import step_request
from workbench.execution.program import Limits
from workbench.execution.slots import Settings, Slot
from workbench.languages import Language

END_S = 5.0
"""How long a sandbox may take to end by itself: the supervisor kills and wipes before it does."""
Probed = tuple[tuple[str, ...], str, str]
"""A command, what it printed, and why it failed (empty when it didn't)."""
_CONTAINED = {
    "pidns": "programs share this user's id, each in a namespace of its own",
    "tree": "a program that forks fast enough outlives its execution",
}
PROBE = Limits(cpu_s=20.0, wall_s=40.0, memory_mb=1024)


class ProcessLink(StreamLink):
    """Standard input and output of the process that is, or holds, the sandbox."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        """Take a process started with three pipes."""
        assert process.stdout is not None
        assert process.stdin is not None
        super().__init__(process.stdout, process.stdin)
        self._process = process

    async def read_exactly(self, size: int) -> bytes:
        """Read `size` bytes; when the process ends, the fault carries what it said about it."""
        try:
            return await super().read_exactly(size)
        except SandboxFault as fault:
            raise SandboxFault(f"{fault}{await self._last_words()}") from None

    async def _last_words(self) -> str:
        assert self._process.stderr is not None
        try:
            async with asyncio.timeout(1):
                told = await self._process.stderr.read(2000)
        except TimeoutError:
            return ""
        lines = told.decode("utf-8", "replace").split("\n")
        words = [" ".join(line.split()) for line in lines if line.strip()]
        return f": {words[-1][:200]}" if words else ""

    async def close(self) -> None:
        """Close its input and wait for its end; kill it when that doesn't come."""
        await super().close()
        try:
            async with asyncio.timeout(END_S):
                await self._process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()


class HostLauncher:
    """What the launchers without an engine share; each gives its settings and its command."""

    id = ""
    guarantees = ""
    dies_of_memory = False

    def __init__(self) -> None:
        """Finds no tools yet: they depend on the languages."""
        self.tools = Tools()
        self.say: Say | None = None
        self.keeps_warm = False
        self.env: dict[str, str] = {}
        """What every program's environment has here beside the supervisor's own."""
        self._prepared: set[str] = set()

    def settings(self) -> Settings:
        """What the supervisor is told."""
        raise NotImplementedError

    def command(self) -> list[str]:
        """The command that starts the supervisor in its sandbox."""
        raise NotImplementedError

    def python(self) -> list[str]:
        """The supervisor's own command."""
        return [self.tools.python, "-I", "-S", "-c", boot.BOOT]

    async def check(self) -> None:
        """Start a supervisor and end it."""
        try:
            await (await self._start(64)).close()
        except SandboxFault as fault:
            raise SandboxUnavailable(str(fault)) from fault

    async def lacking(self) -> str:
        """What no machine gives it, and what this user is denied."""
        slot = await self._start(64)
        await slot.close()
        parts = ["memory and CPU time are polled, not limited by a control group"]
        parts += (
            [] if slot.facts["containment"] == "uid" else [_CONTAINED[slot.facts["containment"]]]
        )
        parts += [] if slot.facts["filter"] else ["no filter of system calls on this processor"]
        return "; ".join(parts)

    async def open(self, language: Language, memory_mb: int) -> Slot:
        """Start a supervisor; memory is watched by it, not set aside."""
        if language.id not in self._prepared:
            self.tools.add(language)
            told = await self._probe(language)
            await self._prepare(language, told)
        return await self._start(memory_mb)

    def environment(self) -> dict[str, str]:
        """What the supervisor itself is started with."""
        return {"PATH": self.tools.path, "LANG": "C.UTF-8"}

    async def _start(self, memory_mb: int) -> Slot:
        try:
            process = await asyncio.create_subprocess_exec(
                *self.command(),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is the host's to handle
                cwd="/",
                env=self.environment(),
                limit=1_048_576,
            )
        except OSError as error:
            raise SandboxUnavailable(f"{self.id} can't be started: {error}") from error
        return await Slot.open(ProcessLink(process), self.settings(), memory_mb)

    async def unavailable(self, languages: Sequence[Language]) -> Mapping[str, str]:
        """Languages whose commands fail in the sandbox, as a candidate would call them."""
        reasons: dict[str, str] = {}
        for language in languages:
            self.tools.add(language)
            told = await self._probe(language)
            failed = [f"`{' '.join(c)}` fails: {reason}" for c, _, reason in told if reason]
            if failed:
                reasons[language.id] = f"{language.id}: {failed[0]}"
            else:
                await self._prepare(language, told)
        return reasons

    async def _prepare(self, language: Language, told: list[Probed]) -> None:
        """Fill the cache that the language's image would have, once."""
        versions = [output for _, output, _ in told]
        cache = await filled_cache(language, versions, self.tools.path, self.say)
        if cache is not None:
            variable, folder = cache
            self.env[variable] = str(folder)
            self.tools.show(folder)
        self._prepared.add(language.id)

    async def toolchain(self, language: Language) -> Mapping[str, object]:
        """What the language's commands print here."""
        told = await self._probe(language)
        return {"versions": {" ".join(command): output for command, output, _ in told}}

    async def _probe(self, language: Language) -> list[Probed]:
        """Run each command that the language needs, as a candidate."""
        requests = [step_request("run", c, {}, PROBE, False) for c in language.needs]
        slot = await self._start(PROBE.memory_mb)
        try:
            answer = await slot.ask({"probe": requests}, PROBE.wall_s * (1 + len(requests)))
        finally:
            await slot.close()
        told: list[Probed] = []
        for command, report in zip(language.needs, answer["told"], strict=True):
            if "fault" in report:
                missing = "No such file" in report["fault"]
                told.append((command, "", "not found" if missing else report["fault"]))
                continue
            output = f"{report['stdout']['head']}\n{report['stderr']['head']}".strip()
            reason = "" if report["exit_code"] == 0 else f"exit code {report['exit_code']}"
            told.append((command, output, reason))
        return told

    async def sweep(self) -> int:
        """Remove half-filled caches: supervisors end with their host, and programs with them."""
        return await asyncio.to_thread(sweep_fillings)

    async def close(self) -> None:
        """Nothing is held."""
