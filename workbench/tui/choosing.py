"""What a new session can be made of, and what it would take: everything here imports late."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.errors import SessionError, UsageError
from workbench.session.catalogue import SessionSummary
from workbench.session.store import SessionReader
from workbench.tui.draw import figures

if TYPE_CHECKING:
    from workbench.session.preflight import Preflight
    from workbench.session.spec import SessionSpec

EMBEDDED = "local/smollm2-135m"
SANDBOXES = ("docker", "gvisor", "bubblewrap", "unshare", "process")
TEMPLATE = "a template of its own, which the form can't show"


def choices(used: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Words to choose from by field; `used` are models of sessions that are there."""
    from workbench import languages
    from workbench.benchmarks.registry import benchmarks
    from workbench.modes.recipe_file import recipe_files

    known = [languages.load(name) for name in languages.language_folders()]
    known.sort(key=lambda language: (language.rank, language.id))
    return {
        "model": list(dict.fromkeys((*used, EMBEDDED))),
        "benchmark": list(benchmarks()),
        "languages": [language.id for language in known],
        "modes": ["plain", *recipe_files()],
        "sandbox": SANDBOXES,
    }


def models(first: Iterable[str]) -> Sequence[str]:
    """Those models, then every one that LiteLLM knows by provider and name."""
    from workbench.generation.litellm_client import known_models

    return list(dict.fromkeys((*first, *known_models())))


async def preflight(spec: SessionSpec, sessions: Path) -> Preflight:
    """See `session.preflight`; in a thread of its own, because its imports take a while."""

    def look() -> Preflight:
        from workbench.session.preflight import preflight as find

        return asyncio.run(find(spec, sessions))

    return await asyncio.to_thread(look)


def pace(spec: SessionSpec, found: Preflight, sessions: Iterable[SessionSummary]) -> str:
    """How long it would take by the newest session of the same model; empty when there is none."""
    if found.estimate is None:
        return ""
    for session in sessions:
        if session.model != spec.model or session.done < 5:
            continue
        try:
            with SessionReader.open(session.path) as reader:
                access = reader.access().values()
        except SessionError:
            continue
        first = min((a.first for a in access if a.first > 0), default=0.0)
        took = max((a.last for a in access), default=0.0) - first
        if first and took > 1:
            left = found.estimate.units * took / session.done
            return f"about {figures.duration(left)}, at the pace of {session.name}"
    return ""


def command(spec: SessionSpec, name: str | None) -> Sequence[str]:
    """Lines of the command that asks for the same; a sentence where none can."""
    from workbench.session.command import command_lines, run_arguments

    if spec.template is not None:
        return [f"no single command: {TEMPLATE}"]
    return command_lines(run_arguments(spec, name))


def line(spec: SessionSpec, name: str | None) -> str:
    """The command in one line."""
    from workbench.session.command import command_line, run_arguments

    if spec.template is not None:
        raise UsageError(f"no single command: {TEMPLATE}")
    return command_line(run_arguments(spec, name))


def arguments(spec: SessionSpec, name: str, folder: Path) -> tuple[Path, Sequence[str]]:
    """Where the session will stand, and the arguments that begin it.

    Raises:
        UsageError: the name can't be, or is taken.
    """
    from workbench.session.begin import free_name
    from workbench.session.catalogue import check_name
    from workbench.session.command import run_arguments
    from workbench.session.detached import LOGS

    name = check_name(name or free_name(folder, spec))
    if (folder / name).exists():
        raise UsageError(f"name: a session {name} exists already")
    template = None
    if spec.template is not None:
        template = folder / LOGS / f"{name}.j2"
        template.parent.mkdir(parents=True, exist_ok=True)
        template.write_text(spec.template, encoding="utf-8")
    return folder / name, run_arguments(spec, name, template=template)
