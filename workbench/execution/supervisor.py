"""The judge inside the sandbox: compiles and runs one program at a time and says what came of it.

The same for every launcher, standard library only, Python 3.8 or later. It is started as
`python3 -I -S -c BOOT` and gets its own source, then its settings, then requests as frames (a
4-byte big-endian length and that many bytes of JSON) on standard input; answers leave as frames on
standard output. Nothing secret is in its arguments, its environment or a file.

Frames from the host, after the source (`SOURCE` of `boot.py`):
- settings: `root` (folder of the work dir; empty: make one), `private` (folders nobody else uses,
  wiped whole), `shared` (folders in which only the candidate's entries are wiped), `uids` (first
  and count; the uid after them is the killer's), `containment` (what may be used), `cgroup`,
  `inherit` (whether programs get this process's environment), `env` (before which a step's
  own stands back), `path`, `warm` (texts of the language's warm folder; empty: plain commands);
- `{id, files, steps, cases, rules}`: judge a program;
- `{id, probe}`: run commands as a candidate and tell their reports;
- `{id, read}`: tell the text of a file of the image.

Frames to the host: `{ready, …}` once; while a step runs `{id, step, cpu_s}`; then one answer with
`id` and `clean` (false: this sandbox must not be used again), or `{id, fault}`.
"""

# No pathlib inside the sandbox: byte-exact paths and descriptors.
from __future__ import annotations

import fcntl
import json
import os
import secrets
import types
from typing import Any

from workbench.execution.inside.kernel import Fault, HostGone
from workbench.execution.inside.residents import ServedStep
from workbench.execution.inside.sandbox import Sandbox
from workbench.execution.inside.steps import Step, Watch
from workbench.execution.inside.verdict import Channel, decide, one_line

FRAME_CAP = 128 * 1_048_576
FILE_CAP = 1_048_576


class Wire:
    """Frames over the two descriptors that standard input and output were at the start."""

    def __init__(self) -> None:
        """Move the descriptors away, so that nothing written by accident corrupts a frame."""
        self.source = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, 10)
        self._sink = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, 10)
        null = os.open("/dev/null", os.O_RDWR | os.O_CLOEXEC)
        for target in (0, 1, 2, 3):
            if target != null:
                os.dup2(null, target, inheritable=False)

    def receive(self) -> Any:
        """The next frame's JSON; raises HostGone at the end of input."""
        size = int.from_bytes(self._exactly(4), "big")
        if size > FRAME_CAP:
            raise HostGone
        return json.loads(self._exactly(size))

    def send(self, message: dict[str, Any]) -> None:
        """Write one frame; raises HostGone when nobody reads."""
        body = json.dumps(message, separators=(",", ":")).encode()
        view = memoryview(len(body).to_bytes(4, "big") + body)
        try:
            while view:
                view = view[os.write(self._sink, view) :]
        except BrokenPipeError:
            raise HostGone from None

    def _exactly(self, size: int) -> bytes:
        parts: list[bytes] = []
        while size:
            part = os.read(self.source, min(size, 1_048_576))
            if not part:
                raise HostGone
            parts.append(part)
            size -= len(part)
        return b"".join(parts)


class Supervisor:
    """Answers requests, one at a time."""

    def __init__(self, wire: Wire, box: Sandbox, warm: Any) -> None:
        """`wire` leads to the host; `box` is what can be done here; `warm` may be None."""
        self._wire = wire
        self._box = box
        self._warm = warm
        self._watch = Watch(wire.source)

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Answer one request; what fails here is the sandbox's fault, and the answer says so."""
        try:
            if "probe" in request:
                return {"id": request["id"], **self._probe(request["probe"])}
            if "read" in request:
                return {"id": request["id"], **_read(request["read"])}
            return {"id": request["id"], **self._judge(request)}
        except (Fault, OSError) as error:
            return {"id": request["id"], "fault": one_line(str(error)), "clean": False}

    def _judge(self, request: dict[str, Any]) -> dict[str, Any]:
        """Compile and run one program and decide."""
        token = secrets.token_hex(16)
        channel = Channel(token, request["cases"])
        reports: list[dict[str, Any]] = []
        clean = True

        def progress(name: str, used: float) -> None:
            self._wire.send({"id": request["id"], "step": name, "cpu_s": round(used, 1)})

        self._box.fresh()
        try:
            texts = [(name, token.join(pieces)) for name, pieces in request["files"]]
            for name, text in texts:
                self._box.write(name, text)
            if self._warm is not None:
                self._warm.prepare(texts, request["steps"])
            for wanted in request["steps"]:
                if not clean:
                    raise Fault("a process of the compile step could not be killed")
                step = (
                    ServedStep(self._box, wanted)
                    if "service" in wanted
                    else Step(self._box, wanted)
                )
                run = step.name == "run"
                clean = step.run(self._watch, channel if run else None, progress)
                pattern, plain = wanted.get("instead", ("", []))
                if clean and pattern and step.failed_with(pattern):
                    step = Step(self._box, {**wanted, "argv": plain})
                    clean = step.run(self._watch, channel if run else None, progress)
                reports.append(step.report())
                if not run and not step.succeeded:
                    break
        finally:
            clean = self._box.wipe() and clean
        limits = request["steps"][len(reports) - 1]["limits"]
        outcome, detail = decide(reports[-1], limits, channel, request["rules"])
        return {
            "outcome": outcome,
            "detail": detail,
            "steps": reports,
            "case": channel.first_failure(reports[-1]["name"] == "run" and outcome != "passed"),
            "cases_passed": channel.passed,
            "cases_total": len(channel.cases or []),
            "clean": clean,
        }

    def _probe(self, commands: list[dict[str, Any]]) -> dict[str, Any]:
        """Run commands as a candidate: is the toolchain here, and which?"""
        told: list[dict[str, Any]] = []
        clean = True
        self._box.fresh()
        try:
            for wanted in commands:
                step = Step(self._box, wanted)
                try:
                    clean = step.run(self._watch, None, _silent) and clean
                    told.append(step.report())
                except Fault as fault:
                    told.append({"fault": str(fault)})
        finally:
            clean = self._box.wipe() and clean
        return {"told": told, "clean": clean}


def _silent(_name: str, _used: float) -> None:
    """Probes are too short to tell their progress."""


def _read(path: str) -> dict[str, Any]:
    """The text of a small file of the image, such as its manifest; None when there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return {"text": file.read(FILE_CAP), "clean": True}
    except (OSError, ValueError):
        return {"text": None, "clean": True}


def warmed(box: Sandbox, texts: dict[str, str]) -> Any:
    """What the language keeps warm: the `Warm` of its `warm.py`; None for the plain commands.

    Raises Fault when it can't be had: nothing is done another way than was asked.
    """
    if not texts:
        return None
    module = types.ModuleType("warm")
    exec(compile(texts["warm.py"], "<warm>", "exec"), module.__dict__)  # noqa: S102  (our own)
    return module.Warm(box, texts)


def main() -> None:
    """Serve until the host goes."""
    wire = Wire()
    try:
        try:
            settings = wire.receive()
            box = Sandbox(settings)
            warm = warmed(box, settings["warm"])
        except (Fault, OSError) as error:
            wire.send({"ready": False, "fault": one_line(str(error))})
            return
        try:
            supervisor = Supervisor(wire, box, warm)
            wire.send({**box.ready(), "warm": warm is not None})
            while True:
                wire.send(supervisor.answer(wire.receive()))
        finally:
            box.close()
    except HostGone:
        return


if __name__ == "__main__":
    main()
