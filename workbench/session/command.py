"""A session's spec as the command line that asks for it: what screens show, copy and start."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from workbench.session.source import MAY_CHANGE
from workbench.session.spec import SessionSpec

_PLAIN_FLAGS: Mapping[str, str] = {
    "api_base": "--api-base",
    "api_key_env": "--api-key-env",
    "system": "--system",
    "tasks": "--tasks",
    "limit": "--limit",
    "data_dir": "--data",
    "problems": "--problems",
    "limits": "--limits",
    "sandbox": "--sandbox",
    "extraction": "--extraction",
    "concurrency": "--concurrency",
    "slots": "--slots",
    "requests_per_minute": "--rpm",
    "attempts": "--attempts",
    "request_timeout": "--request-timeout",
    "price": "--price",
    "max_cost": "--max-cost",
    "max_tokens_total": "--max-tokens-total",
    "repeat_judging": "--repeat-judging",
    "cutoff": "--cutoff",
    "statement": "--statement",
}
"""Fields of the spec whose value stands behind one option as it is."""


def run_arguments(
    spec: SessionSpec, name: str | None = None, *, template: Path | None = None
) -> list[str]:
    """The arguments of `workbench` that begin a session with this spec; defaults are left out.

    Args:
        spec: what is asked for.
        name: the session's name.
        template: file that holds `spec.template`; needed when that isn't `None`.

    Raises:
        ValueError: the spec has a template of its own and no file was given.
    """
    return ["run", *(word for words in _options(spec, name, template) for word in words)]


def command_line(arguments: Sequence[str]) -> str:
    """The command as it is typed in a shell, quoted."""
    return shlex.join(["workbench", *arguments])


def command_lines(arguments: Sequence[str]) -> list[str]:
    """The same over several lines, an option a line, with `\\` between them."""
    head, *rest = arguments
    lines = [shlex.join(["workbench", head])]
    for word in rest:
        quoted = shlex.quote(word)
        if word.startswith("-") and not _number(word):
            lines.append(f"  {quoted}")
        else:
            lines[-1] += f" {quoted}"
    return [*(f"{line} \\" for line in lines[:-1]), lines[-1]]


def _number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _options(spec: SessionSpec, name: str | None, template: Path | None) -> Iterator[Sequence[str]]:
    if spec.source is not None:
        yield from _from_session(spec, spec.source.session)
    else:
        yield from _whole(spec, template)
    if name is not None:
        yield ("--name", name)


def _from_session(spec: SessionSpec, source: str) -> Iterator[Sequence[str]]:
    """The other session gives everything but what it takes to repair its programs."""
    yield ("--from", source)
    for mode in spec.modes:
        yield ("--mode", mode)
    yield from _values(spec, {f: flag for f, flag in _PLAIN_FLAGS.items() if f in MAY_CHANGE})


def _values(spec: SessionSpec, flags: Mapping[str, str]) -> Iterator[Sequence[str]]:
    defaults = type(spec).model_fields
    for field, flag in flags.items():
        value: Any = getattr(spec, field)
        if value != defaults[field].default:
            yield (flag, f"{value:g}" if isinstance(value, float) else str(value))


def _whole(spec: SessionSpec, template: Path | None) -> Iterator[Sequence[str]]:
    yield ("--model", spec.model)
    if spec.benchmark:
        yield ("--benchmark", spec.benchmark)
    yield ("--languages", ",".join(spec.languages))
    if spec.modes != ("plain",):
        for mode in spec.modes:
            yield ("--mode", mode)
    if spec.n != 1:
        yield ("-n", str(spec.n))
    if spec.k is not None:
        yield ("-k", ",".join(str(k) for k in spec.k))
    if spec.style != "chat":
        yield ("--prompt-style", spec.style)
    yield from _sampling(spec)
    for task, reason in spec.exclude.items():
        yield ("--exclude", f"{task}={reason}")
    yield from _values(spec, _PLAIN_FLAGS)
    if spec.cold:
        yield ("--cold",)
    if spec.template is not None:
        if template is None:
            raise ValueError("the spec has a template of its own: name the file it is in")
        yield ("--template", str(template))


def _sampling(spec: SessionSpec) -> Iterator[Sequence[str]]:
    asked = spec.sampling
    if asked.temperature is not None:
        yield ("--temperature", f"{asked.temperature:g}")
    if asked.top_p is not None:
        yield ("--top-p", f"{asked.top_p:g}")
    if asked.max_tokens != 1024:
        yield ("--max-tokens", str(asked.max_tokens))
    if asked.stop is not None:
        if not asked.stop:
            yield ("--no-stop",)
        for text in asked.stop:
            yield ("--stop", text)
    if asked.seed is not None:
        yield ("--seed", str(asked.seed))
    if asked.logprobs:
        yield ("--logprobs",)
