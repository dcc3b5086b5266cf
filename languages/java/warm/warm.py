"""Java kept warm, in the sandbox: a javac that stays, and a class archive for what is run.

Both are made with the image (/opt/workbench/java). The compiler gets texts and gives class files
over pipes, under a uid of its own, and reaches no file of a candidate; it runs nothing.
"""

from __future__ import annotations

from typing import Any

from workbench.execution.inside.residents import Service

FOLDER = "/opt/workbench/java"
SERVER = [
    "java",
    f"-XX:SharedArchiveFile={FOLDER}/server.jsa",
    "-Xshare:auto",
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:ArchiveRelocationMode=0",
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    "-Xmx256m",
    "-Xms24m",
    "-XX:MinHeapFreeRatio=10",
    "-XX:MaxHeapFreeRatio=25",
    "-XX:-UsePerfData",
    "-XX:+DisableAttachMechanism",
    "-XX:ErrorFile=/dev/null",
    "-jar",
    f"{FOLDER}/server.jar",
]
MOST = 500
MEMORY_MB = 300
# The archive at the addresses it was made for: a candidate has no use for where classes lie.
ARCHIVE = [
    f"-XX:SharedArchiveFile={FOLDER}/run.jsa",
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:ArchiveRelocationMode=0",
]


class Warm:
    """Has the resident compiler do the compile step, and the run step use the archive."""

    def __init__(self, box: Any, _texts: dict[str, str]) -> None:
        """Nothing is started before the first program."""
        self._box = box
        self._service: Service | None = None

    def prepare(self, texts: list[tuple[str, str]], steps: list[dict[str, Any]]) -> None:
        """Replace what of the steps is quicker otherwise, and the same."""
        if steps[-1]["argv"][0] == "java" and len(steps) > 1:
            steps[-1]["argv"][1:1] = ARCHIVE
        request = asked(steps[0]["argv"], texts)
        if request is None:
            return
        if self._service is None:
            env = {**self._box.env, **self._box.own_env}
            self._service = Service(self._box, SERVER, env, most=MOST, memory_mb=MEMORY_MB)
        steps[0].update(service=self._service, request=request)


def asked(argv: list[str], texts: list[tuple[str, str]]) -> list[bytes] | None:
    """What the compiler is asked, from the plain command; None for one that it can't replace."""
    files = dict(texts)
    words = [word for word in argv[1:] if not word.startswith("-J")]
    sources: list[str] = []
    while words and words[-1] in files:
        sources.insert(0, words.pop())
    if argv[0] != "javac" or not sources or "-proc:none" not in words or "-d" not in words:
        return None
    if words[words.index("-d") + 1] != ".":
        return None
    order = [*sources, *(name for name in files if name not in sources)]
    fields = [str(len(words)), *words, str(len(sources))]
    for name in order:
        fields += [name, files[name]]
    try:
        return [field.encode() for field in fields]
    except UnicodeEncodeError:
        return None  # javac says itself what it thinks of it
