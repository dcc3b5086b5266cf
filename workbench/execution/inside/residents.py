"""What is kept warm in a sandbox from one execution to the next.

- `Zygote`: a process of the language's own that forks a candidate's process, ready to run, instead
  of one being started anew. It sees the name of what is run, never its text.
- `Service`: a process under a uid of its own that turns texts into files, such as a compiler. It
  never runs what it compiles, and reaches no file of a candidate.

Both are children of the supervisor. A language's `warm.py` says what is kept, and makes the steps
of a program use it; see docs/languages.md.
"""

# No pathlib inside the sandbox: byte-exact paths and descriptors.
from __future__ import annotations

import marshal
import math
import os
import select
import socket
import time
from typing import TYPE_CHECKING, Any

from workbench.execution.inside.kernel import Fault, HostGone
from workbench.execution.inside.steps import PROGRESS_S, Step

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.execution.inside.sandbox import Sandbox
    from workbench.execution.inside.steps import Watch
    from workbench.execution.inside.verdict import Channel

START_S = 20.0
"""How long a resident may take until it is ready."""
MESSAGE_CAP = 65_536
ANSWER_CAP = 64 * 1_048_576
PATIENCE_S = 10.0
"""How much CPU time a service may take for one request; some milliseconds are usual."""
TICK_S = 0.1


class Zygote:
    """Starts candidates by forking; made for `containment` `uid` only."""

    def __init__(self, box: Sandbox, argv: list[str], env: dict[str, str], text: str) -> None:
        """Start the process; raises Fault when it doesn't get ready.

        It gets `text` as descriptor 4 and a socket of packets as descriptor 3, sends `ready` over it, and then for each
        packet (`marshal` of a dict, with the descriptors for stdout, stderr and channel beside it)
        a child of this process that runs `argv[-1]`; the child answers `started PID`.
        """
        self._box = box
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.settimeout(START_S)
        # Pipes, as its children's: what a runtime finds out about its output it finds out once.
        told, telling = os.pipe2(os.O_CLOEXEC)
        script = os.memfd_create("zygote")
        try:
            os.write(script, text.encode())
            os.lseek(script, 0, os.SEEK_SET)
            ends = {1: telling, 2: telling, 3: theirs.fileno(), 4: script}
            self.pid = box.spawn(argv, env, ends)
        finally:
            theirs.close()
            os.close(telling)
            os.close(script)
        with os.fdopen(told, "rb") as file:
            said = self._receive()
            if said != b"ready":
                raise Fault(f"the zygote didn't get ready: {file.read()[-300:]!r}")

    def start(self, step: Step, ends: tuple[int, int, int], _status_end: int) -> int:
        """Start a step's command with (stdout, stderr, channel); gives the pid to wait for."""
        box = self._box
        order = {
            "argv": step.argv,
            "env": step.env,
            "uid": box.uid,
            "nice": box.nice,
            "work": box.work,
            "limits": [(kind, value) for kind, value in box.limits(step.limits).items()],
        }
        try:
            socket.send_fds(self._socket, [marshal.dumps(order)], [end for end in ends if end >= 0])
        except OSError as error:
            raise Fault(f"the zygote is gone: {error}") from None
        word, _, rest = self._receive().partition(b" ")
        if word != b"started":
            raise Fault(f"the zygote couldn't start a candidate: {rest[:200]!r}")
        return int(rest)

    def _receive(self) -> bytes:
        try:
            return self._socket.recv(MESSAGE_CAP)
        except OSError as error:
            raise Fault(f"the zygote doesn't answer: {error}") from None


class Service:
    """A resident process that answers requests over two pipes; started anew when it must be.

    A request and an answer are messages: a 4-byte big-endian length, then fields, each a 4-byte
    length and that many bytes. It says `ready` when it is.
    """

    def __init__(
        self, box: Sandbox, argv: list[str], env: dict[str, str], *, most: int, memory_mb: float
    ) -> None:
        """Start it; after `most` requests, or beyond `memory_mb` resident, it is started anew."""
        self._box = box
        self._argv, self._env = argv, env
        self._most, self._memory_mb = most, memory_mb
        self._served = 0
        self.pid = 0
        self._input = self._output = -1
        self._begin()

    def _begin(self) -> None:
        theirs, self._input = os.pipe2(os.O_CLOEXEC)
        self._output, answers = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(self._input, False)
        os.set_blocking(self._output, False)
        try:
            self.pid = self._box.spawn(
                self._argv, self._env, {0: theirs, 1: answers}, uid=self._box.service_uid
            )
        finally:
            os.close(theirs)
            os.close(answers)
        deadline = time.monotonic() + START_S
        hello = self.exchange(None, -1, lambda: time.monotonic() < deadline)
        self._served = 0
        if hello != [b"ready"]:
            self.stop()
            raise Fault(f"{self._argv[0]} didn't get ready: {hello!r:.200}")

    def stop(self) -> None:
        """End it at once; what it was asked is forgotten."""
        if self.pid in self._box.residents:
            self._box.kill_as(self._box.service_uid, self.pid)
            self._box.residents.discard(self.pid)
            os.waitpid(self.pid, 0)
        self.pid = 0
        for end in (self._input, self._output):
            if end >= 0:
                os.close(end)
        self._input = self._output = -1

    def renew(self) -> None:
        """Be ready for a request: alive, and neither old nor fat."""
        gone = self.pid not in self._box.residents
        if gone or self._served >= self._most or self._resident_mb() > self._memory_mb:
            self.stop()
            self._begin()

    def cpu_s(self) -> float:
        """CPU seconds it has used; 0 when it is gone."""
        try:
            with open(f"/proc/{self.pid}/stat", "rb") as file:
                figures = file.read().rpartition(b")")[2].split()
        except OSError:
            return 0.0
        return (int(figures[11]) + int(figures[12])) / os.sysconf("SC_CLK_TCK")

    def _resident_mb(self) -> float:
        try:
            with open(f"/proc/{self.pid}/statm", "rb") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1_048_576
        except (OSError, IndexError):
            return 0.0

    def exchange(
        self, request: list[bytes] | None, host: int, go_on: Callable[[], bool]
    ) -> list[bytes] | None:
        """Send a request (None: there is none) and wait for the answer's fields.

        Gives None when there won't be any: it is gone, says what is no message, or `go_on`, asked
        every TICK_S at least, says no. Raises HostGone when the descriptor `host` hangs up.
        """
        self._served += 1
        sending = memoryview(b"" if request is None else message(request))
        got = bytearray()
        poll = select.poll()
        poll.register(self._output, select.POLLIN)
        if sending:
            poll.register(self._input, select.POLLOUT)
        if host >= 0:
            poll.register(host, 0)
        while go_on():
            for descriptor, _ in poll.poll(math.ceil(TICK_S * 1000)):
                if descriptor == host:
                    raise HostGone
                try:
                    if descriptor == self._input:
                        sending = sending[os.write(self._input, sending) :]
                        if not sending:
                            poll.unregister(self._input)
                        continue
                    part = os.read(self._output, 1_048_576)
                except BlockingIOError:
                    continue
                except BrokenPipeError:
                    return None
                got += part
                size = int.from_bytes(got[:4], "big") if len(got) >= 4 else 0
                if not part or size > ANSWER_CAP:
                    return None
                if len(got) >= 4 and len(got) - 4 >= size:
                    return fields(bytes(got[4:]))
        return None


def message(parts: list[bytes]) -> bytes:
    """Put fields into a message."""
    body = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return len(body).to_bytes(4, "big") + body


def fields(body: bytes) -> list[bytes] | None:
    """Take a message's body apart; None when that can't be done."""
    found: list[bytes] = []
    at = 0
    while at < len(body):
        start = at + 4
        at = start + int.from_bytes(body[at:start], "big")
        if at > len(body):
            return None
        found.append(body[start:at])
    return found


class ServedStep(Step):
    """A step that a `Service` does; where that can't say for certain, the plain command does it.

    The answer to its request is `ok` or `failed`, what the command would have written to standard
    error, and then names and contents of the files it would have made; or `unsure` and why.
    """

    def __init__(self, box: Sandbox, request: dict[str, Any]) -> None:
        """`request` has `service` and `request` beside what every step has."""
        super().__init__(box, request)
        self._service: Service = request["service"]
        self._request: list[bytes] = request["request"]

    def run(self, watch: Watch, channel: Channel | None, progress: Any) -> bool:
        """Let the service do it; see `Step.run`.

        It never decides about a limit: it has a part of each, and the plain command the whole.
        """
        service = self._service
        service.renew()
        began, counted, used_before = time.monotonic(), self._counted(), service.cpu_s()
        told = began

        def used() -> float:
            if self._box.counters:
                return self._counted() - counted
            return service.cpu_s() - used_before

        def go_on() -> bool:
            nonlocal told
            now, cpu = time.monotonic(), used()
            if now - told >= PROGRESS_S:
                told = now
                progress(self.name, cpu)
            most = min(PATIENCE_S, self.limits["cpu_s"] / 2)
            return cpu < most and now - began < min(2 * PATIENCE_S, self.limits["wall_s"] / 2)

        answer = service.exchange(self._request, watch.host, go_on)
        if not answer or answer[0] not in (b"ok", b"failed") or len(answer) % 2:
            service.stop()
            return super().run(watch, channel, progress)
        self.stderr.feed(answer[1])
        for name, data in zip(answer[2::2], answer[3::2]):  # noqa: B905  (3.8)
            self._box.write_bytes(name.decode(), data)
        self._status = 0 if answer[0] == b"ok" else 1 << 8
        self._cpu, self._wall = used(), time.monotonic() - began
        return True
