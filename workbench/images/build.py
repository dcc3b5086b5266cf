"""Building a language's image with the engine's own builder."""

from __future__ import annotations

import io
import re
import time
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from workbench.errors import WorkbenchError
from workbench.images import engine
from workbench.images.base import ensure_base
from workbench.images.content import (
    LABEL_CONTENT,
    LABEL_LANGUAGE,
    build_context,
    content_hash,
    content_tag,
    dockerfile,
)
from workbench.images.inventory import Image, find
from workbench.images.progress import Progress, Steps
from workbench.images.settings import BuildSettings, from_environment

_STEP = re.compile(r"Step (\d+/\d+) : (.*)", re.DOTALL)
_NO_NAMES = re.compile(
    r"Temporary failure resolving|Could not resolve|Temporary failure in name resolution"
    r"|EAI_AGAIN|getaddrinfo ENOTFOUND|server misbehaving"
)
_LOG_LINES = 15


class BuildFailed(WorkbenchError):
    """A step of a Dockerfile failed; the last lines of its output went to the progress."""

    def __init__(self, message: str, log: tuple[str, ...]) -> None:
        """Keep the last lines of the build's output, oldest first."""
        super().__init__(message)
        self.log = log


def build(
    language: str,
    progress: Progress,
    settings: BuildSettings | None = None,
    *,
    force: bool = False,
    folder: Path | None = None,
) -> Image:
    """Build the image of `language`, unless there is one made from the very same files.

    Takes the base image as it is, pulls it or makes it, as the settings say. Where the build's
    network resolves no names and none was asked for, builds once more in the host's network.

    Args:
        language: id of the language.
        progress: takes a line a step, with the seconds since the start, and a sign of life
            every 15 seconds; when a step fails, also the end of its output.
        settings: how to build; read from the environment by default.
        force: build from scratch even if the image is there.
        folder: the images folder; that of this installation by default.

    Raises:
        UsageError: there is no Dockerfile for this language, or the settings can't be used.
        SandboxUnavailable: no engine, or no base image.
        BuildFailed: a step failed.
        WorkbenchError: no space, or the engine refused.
    """
    chosen = from_environment() if settings is None else settings
    reference = content_tag(language, chosen.base, folder)
    with Steps(language, progress) as steps, engine.connect() as client:
        present = None if force else find(client, reference)
        if present is not None:
            steps.step(f"{reference} is there already")
            return present
        ensure_base(client, chosen.base, chosen.make_base, steps, folder)
        try:
            _build(language, reference, steps, chosen, force, folder)
        except BuildFailed as error:
            if chosen.network is not None or not _NO_NAMES.search("\n".join(error.log)):
                raise
            steps.step("the build's network resolves no names: once more in the host's network")
            _build(language, reference, steps, replace(chosen, network="host"), force, folder)
        built = find(client, reference)
        if built is None:
            raise WorkbenchError(f"Docker built {reference} and doesn't know it: look at its log")
        steps.step(f"{reference} built, {built.size / 1e6:.0f} MB")
        return built


def _build(
    language: str,
    reference: str,
    steps: Steps,
    settings: BuildSettings,
    force: bool,
    folder: Path | None,
) -> None:
    context = build_context(language, folder, settings.read_certificates())
    with engine.connect() as client:
        events = client.api.build(
            fileobj=io.BytesIO(context),
            custom_context=True,
            dockerfile=f"{language}/Dockerfile",
            tag=reference,
            buildargs=settings.arguments_for(dockerfile(language, folder)),
            labels={
                LABEL_LANGUAGE: language,
                LABEL_CONTENT: content_hash(language, settings.base, folder),
            },
            network_mode=settings.network,
            nocache=force,
            rm=True,
            forcerm=True,
            decode=True,
            # Between two pieces of the answer, so the longest silence within a build.
            timeout=max(1, round(settings.silence)),
        )
        _follow(events, reference, steps, settings.seconds)


def _follow(
    events: Iterable[Mapping[str, Any]], reference: str, steps: Steps, seconds: float
) -> None:
    """Turn the builder's events into progress.

    Raises:
        BuildFailed: the builder reports an error, or the deadline passed.
        WorkbenchError: no space.
    """
    log: deque[str] = deque(maxlen=200)
    at = "sending the files"
    steps.step(at)
    deadline = time.monotonic() + seconds
    for event in events:
        text = str(event.get("stream") or event.get("status") or "")
        if match := _STEP.match(text):
            at = f"step {match[1]}: {engine.one_line(match[2], 70)}"
            # The others take no time, so nobody waits for them.
            if match[2].startswith(("RUN", "COPY", "ADD")):
                steps.step(at)
        else:
            for line in filter(None, map(str.strip, text.splitlines())):
                log.append(engine.one_line(line))
                # A closing bracket tells nobody what is going on.
                if any(c.isalnum() for c in line):
                    steps.detail(engine.one_line(line, 60))
        if "error" in event:
            raise _failure(reference, at, engine.one_line(event["error"]), log, steps)
        if time.monotonic() > deadline:
            raise _failure(reference, at, f"it took longer than {seconds:.0f} s", log, steps)


def _failure(
    reference: str, at: str, reason: str, log: Iterable[str], steps: Steps
) -> WorkbenchError:
    lines = tuple(log)
    if engine.is_no_space(" ".join((*lines, reason))):
        return engine.no_space()
    for line in lines[-_LOG_LINES:]:
        steps.step(f"| {line}")
    return BuildFailed(f"building {reference} failed at {at}: {reason}", (*lines, reason))
