"""One command run for a program, watched until nothing of it lives."""

# No pathlib inside the sandbox: byte-exact paths and descriptors.
from __future__ import annotations

import math
import os
import re
import select
import signal
import struct
import time
from typing import Any

from workbench.execution.inside.kernel import HostGone
from workbench.execution.inside.sandbox import Sandbox
from workbench.execution.inside.verdict import Channel, Stream

CHANNEL_CAP = 64 * 1_048_576
OUTPUT_FACTOR = 16
"""A run step that writes this many times its cap is stopped; up to that it may end by itself."""
PROGRESS_S = 1.0


class Watch:
    """What wakes the supervisor while a step runs: a child's end, the host's end."""

    def __init__(self, host: int) -> None:
        """`host` is the descriptor that hangs up when the host is gone."""
        self.host = host
        self.child, woken = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, _woken)

    def poll(self, descriptors: list[int]) -> select.poll:
        """Make a poll object for these descriptors and the two."""
        poll = select.poll()
        for descriptor in (*descriptors, self.child):
            poll.register(descriptor, select.POLLIN)
        poll.register(self.host, 0)
        return poll

    def drain(self) -> None:
        """Forget the wake-ups so far."""
        try:
            while os.read(self.child, 4096):
                pass
        except BlockingIOError:
            return


class Step:
    """One command of a toolchain for one program."""

    def __init__(self, box: Sandbox, request: dict[str, Any]) -> None:
        """Take a step request: name, argv, env, limits."""
        self._box = box
        self.name: str = request["name"]
        self.argv: list[str] = request["argv"]
        self.limits: dict[str, Any] = request["limits"]
        self.env = {**box.env, **request["env"], **box.own_env}
        self._start = request.get("start", box.start)
        self.stdout, self.stderr = Stream(), Stream()
        self.pid = 0
        self.running = False
        self.childless = False
        self._status: int | None = None
        self._stopped_by = ""
        self._cpu = self._wall = self._peak_mb = 0.0
        self._seen_cpu = 0.0
        self._began = self._counted_before = 0.0

    def run(self, watch: Watch, channel: Channel | None, progress: Any) -> bool:
        """Run to the end; whether it is proved that nothing of it lives.

        `progress(name, cpu_s)` is called about once a second. Raises Fault when the command can't
        be started and HostGone when nobody waits for the answer.
        """
        box = self._box
        pipes = box.as_candidate(lambda: [os.pipe2(os.O_CLOEXEC) for _ in range(3)])
        ours, theirs = [pipe[0] for pipe in pipes], [pipe[1] for pipe in pipes]
        status, status_end = os.pipe2(os.O_CLOEXEC)
        readers: dict[int, Any] = dict(zip(ours, (self.stdout, self.stderr, channel)))  # noqa: B905
        if channel is None:
            del readers[ours[2]]
        kills = box.counters.oom_kills() if box.counters else 0
        self._counted_before = self._counted()
        self._began = time.monotonic()
        try:
            try:
                ends = (theirs[0], theirs[1], -1 if channel is None else theirs[2])
                self.pid = self._start(self, ends, status_end)
                self.running = True
            finally:
                for end in (*theirs, status_end):
                    os.close(end)
            for descriptor in (*ours, status):
                os.set_blocking(descriptor, False)
            try:
                self._follow(watch, readers, channel, progress)
                if self.running:
                    self._measure()  # what is killed with its namespace is never told by wait4
            finally:
                self._wall = time.monotonic() - self._began
                clean = box.destroy(self)
            for descriptor, reader in readers.items():
                while _pump(descriptor, reader) > 0:
                    pass
            self._hear(status)
        finally:
            for descriptor in (*ours, status):
                os.close(descriptor)
        self._cpu = max(self._cpu, self._seen_cpu)
        if box.counters:
            self._cpu = max(self._cpu, self._counted() - self._counted_before)
            kills = box.counters.oom_kills() - kills
        self._settle(kills)
        return clean

    def _counted(self) -> float:
        """CPU seconds of everything in the sandbox but the supervisor."""
        counters = self._box.counters
        return counters.cpu_s() - time.process_time() if counters else 0.0

    def _hear(self, status: int) -> None:
        """Take the command's status as the namespace's first process told it."""
        try:
            told = os.read(status, 4)
        except BlockingIOError:
            return
        if len(told) == 4:
            self._status = int(struct.unpack("i", told)[0])

    def _follow(self, watch: Watch, readers: dict[int, Any], channel: Any, progress: Any) -> None:
        box, limits = self._box, self.limits
        poll = watch.poll(list(readers))
        flood = OUTPUT_FACTOR * limits["output_bytes"] if self.name == "run" else math.inf
        ends = self._began + limits["wall_s"]
        check = self._began + min(0.05, limits["cpu_s"] / box.cpus)
        told = self._began
        self.reap()
        while self.running and not self._stopped_by:
            now = time.monotonic()
            if now >= ends:
                self._stopped_by = "wall"
                return
            if now >= check:
                left = self._measure()
                # The budget can't be gone sooner than `left` over the number of processors.
                pace = 0.25 if box.counters else 0.05
                check = now + max(0.01, min(pace, left / box.cpus))
                if now - told >= PROGRESS_S:
                    told = now
                    progress(self.name, limits["cpu_s"] - left)
                continue
            for descriptor, _ in poll.poll(max(1, math.ceil((min(check, ends) - now) * 1000))):
                if descriptor == watch.host:
                    raise HostGone
                if descriptor == watch.child:
                    watch.drain()
                elif _pump(descriptor, readers[descriptor]) == 0:
                    poll.unregister(descriptor)
            if max(self.stdout.size, self.stderr.size) > flood or (
                channel is not None and channel.size > CHANNEL_CAP
            ):
                self._stopped_by = "output"
            self.reap()

    def _measure(self) -> float:
        """Stop the step if its processes use too much; gives the CPU seconds it has left."""
        rows = self._box.census()
        used = self._cpu + sum(row[1] for row in rows)
        self._seen_cpu = used = max(used, self._counted() - self._counted_before)
        self._peak_mb = max(self._peak_mb, *(row[2] for row in rows), 0.0)
        if self._stopped_by:
            return 0.0
        if used >= self.limits["cpu_s"]:
            self._stopped_by = "cpu"
        elif self._box.memory_mb(rows, self.limits["memory_mb"]) > self.limits["memory_mb"]:
            self._stopped_by = "memory"
        return max(0.0, float(self.limits["cpu_s"]) - used)

    def reap(self) -> None:
        """Collect every ended child, with what it used."""
        self.childless = False
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                self.childless = True
                return
            if pid == 0:
                return
            if pid in self._box.residents:
                self._box.residents.discard(pid)
                continue
            self._cpu += usage.ru_utime + usage.ru_stime
            self._peak_mb = max(self._peak_mb, usage.ru_maxrss / 1024)
            if pid == self.pid:
                self.running = False
                self._status = status

    def _settle(self, oom_kills: int) -> None:
        """Judge by the final figures what polling may have missed."""
        if self._stopped_by:
            return
        if oom_kills or self._peak_mb > self.limits["memory_mb"]:
            self._stopped_by = "memory"
        elif self._cpu > self.limits["cpu_s"] or self._signal() == signal.SIGXCPU:
            self._stopped_by = "cpu"

    def _signal(self) -> int | None:
        if self._status is None or not os.WIFSIGNALED(self._status):
            return None
        return os.WTERMSIG(self._status)

    def report(self) -> dict[str, Any]:
        """The step as `StepReport`."""
        exited = self._status is not None and os.WIFEXITED(self._status)
        return {
            "name": self.name,
            "exit_code": os.WEXITSTATUS(self._status or 0) if exited else None,
            "signal": self._signal(),
            "cpu_s": round(self._cpu, 4),
            "wall_s": round(self._wall, 4),
            "memory_mb": round(self._peak_mb, 1),
            "stdout": self.stdout.clip(),
            "stderr": self.stderr.clip(),
            "stopped_by": self._stopped_by,
        }

    def failed_with(self, pattern: str) -> bool:
        """Whether it ended by itself with a failure whose words on stderr have this pattern."""
        text = bytes(self.stderr.head + self.stderr.tail).decode("utf-8", "replace")
        failed = self._status not in (None, 0) and not self._stopped_by
        return failed and re.search(pattern, text, re.MULTILINE) is not None

    @property
    def succeeded(self) -> bool:
        """Whether it ended by itself, with 0 and within its limits."""
        return self._status == 0 and not self._stopped_by


def _woken(_number: int, _frame: Any) -> None:
    """The wake-up descriptor tells it all; a handler must exist for it to be written."""


def _pump(descriptor: int, reader: Any) -> int:
    """Read once into `reader`; bytes read, 0 at the end, -1 when nothing is there."""
    try:
        data = os.read(descriptor, 1_048_576)
    except BlockingIOError:
        return -1
    reader.feed(data)
    return len(data)
