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

import json
import marshal
import math
import os
import select
import signal
import socket
import time
from typing import TYPE_CHECKING, Any

from workbench.execution.inside.kernel import Fault, HostGone
from workbench.execution.inside.steps import Step
from workbench.execution.inside.verdict import Stream

if TYPE_CHECKING:
    from workbench.execution.inside.sandbox import Sandbox
    from workbench.execution.inside.steps import Watch
    from workbench.execution.inside.verdict import Channel

START_S = 20.0
"""How long a resident may take until it is ready."""
REPLY_CAP = 64 * 1_048_576
MESSAGE_CAP = 65_536
SERVICE_OPEN_FILES = 256


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

    A request and an answer are each a 4-byte big-endian length and that many bytes.
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
        self._input = self.output = -1
        self._begin()

    def _begin(self) -> None:
        theirs, self._input = os.pipe2(os.O_CLOEXEC)
        self.output, answers = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(self.output, False)
        try:
            self.pid = self._box.spawn(
                self._argv, self._env, {0: theirs, 1: answers}, uid=self._box.service_uid
            )
        finally:
            os.close(theirs)
            os.close(answers)
        self._served = 0
        hello = self.wait(self.receive(), time.monotonic() + START_S)
        if hello != b"ready":
            self.stop()
            raise Fault(f"{self._argv[0]} didn't get ready: {hello!r}")

    def stop(self) -> None:
        """End it at once."""
        if self.pid in self._box.residents:
            os.kill(self.pid, signal.SIGKILL)
            self._box.residents.discard(self.pid)
            os.waitpid(self.pid, 0)
        for end in (self._input, self.output):
            if end >= 0:
                os.close(end)
        self._input = self.output = -1

    def renew(self) -> None:
        """Be ready for a request: alive, and neither old nor fat."""
        gone = self.pid not in self._box.residents
        if gone or self._served >= self._most or self.memory_mb() > self._memory_mb:
            self.stop()
            self._begin()

    def memory_mb(self) -> float:
        """Resident size, MB; 0 when it is gone."""
        try:
            with open(f"/proc/{self.pid}/statm", "rb") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1_048_576
        except (OSError, IndexError):
            return 0.0

    def send(self, body: bytes) -> None:
        """Send a request; raises BrokenPipeError when it is gone."""
        self._served += 1
        view = memoryview(len(body).to_bytes(4, "big") + body)
        while view:
            view = view[os.write(self._input, view) :]

    def receive(self) -> Any:
        """Give a generator that takes what there is of an answer; its value is the answer.

        It yields while more is to come, and returns None when the process is gone or says too
        much.
        """
        data = bytearray()
        while True:
            try:
                part = os.read(self.output, 1_048_576)
            except BlockingIOError:
                yield
                continue
            data += part
            size = int.from_bytes(data[:4], "big") if len(data) >= 4 else 0
            if not part or size > REPLY_CAP:
                return None
            if len(data) >= 4 and len(data) - 4 >= size:
                return bytes(data[4:])

    def wait(self, answer: Any, deadline: float) -> bytes | None:
        """Take an answer to its end; None when it doesn't come in time."""
        poll = select.poll()
        poll.register(self.output, select.POLLIN)
        while True:
            try:
                next(answer)
            except StopIteration as end:
                return None if end.value is None else bytes(end.value)
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            poll.poll(max(1, math.ceil(left * 1000)))


class ServedStep(Step):
    """A step that a `Service` does; where that can't say for certain, the plain command does it.

    The request is JSON: `{"files": [[name, text], …]}`; the answer `{"ok": bool, "stdout": text,
    "stderr": text, "files": [[name, hexadecimal bytes], …]}`, or `{"unsure": why}`.
    """

    def __init__(self, box: Sandbox, request: dict[str, Any]) -> None:
        """`request` has `service` and `texts` beside what every step has."""
        super().__init__(box, request)
        self._service: Service = request["service"]
        self._texts: list[tuple[str, str]] = request["texts"]

    def run(self, watch: Watch, channel: Channel | None, progress: Any) -> bool:
        """Let the service do it; see `Step.run`."""
        service, box = self._service, self._box
        service.renew()
        began, counted = time.monotonic(), self._counted()
        try:
            service.send(json.dumps({"files": self._texts}).encode("utf-8", "surrogatepass"))
        except BrokenPipeError:
            service.stop()
            return super().run(watch, channel, progress)
        answer = service.receive()
        poll = select.poll()
        poll.register(service.output, select.POLLIN)
        poll.register(watch.host, 0)
        told = began
        while True:
            try:
                next(answer)
            except StopIteration as end:
                body = end.value
                break
            now = time.monotonic()
            used = self._counted() - counted
            late = now - began >= self.limits["wall_s"]
            if late or used >= self.limits["cpu_s"]:
                service.stop()
                self._stopped_by = "wall" if late else "cpu"
                self._cpu, self._wall = used, now - began
                return True
            if now - told >= 1.0:
                told = now
                progress(self.name, used)
            if any(descriptor == watch.host for descriptor, _ in poll.poll(100)):
                raise HostGone
        reply: dict[str, Any] = {"unsure": "it is gone"} if body is None else json.loads(body)
        if "unsure" in reply:
            service.stop()
            return super().run(watch, channel, progress)
        self._peak_mb = service.memory_mb()
        self.stdout, self.stderr = Stream(), Stream()
        self.stdout.feed(reply["stdout"].encode("utf-8", "surrogatepass"))
        self.stderr.feed(reply["stderr"].encode("utf-8", "surrogatepass"))
        for name, body in reply["files"]:
            box.write_bytes(name, bytes.fromhex(body))
        self._status = 0 if reply["ok"] else 1 << 8
        self._cpu, self._wall = self._counted() - counted, time.monotonic() - began
        return True
