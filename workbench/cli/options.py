"""Options that several commands share, and how they become a session's spec."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from workbench.benchmarks.selection import parse_selection
from workbench.errors import UsageError
from workbench.session.spec import SessionSpec, parse_spec

F = TypeVar("F", bound=Callable[..., Any])


def words(value: str | None) -> tuple[str, ...]:
    """The words of a comma-separated list."""
    return tuple(w.strip() for w in (value or "").split(",") if w.strip())


def numbers(name: str, value: str | None) -> tuple[int, ...] | None:
    """The whole numbers of a comma-separated list; `None` when it wasn't given.

    Raises:
        UsageError: one isn't a whole number.
    """
    if value is None:
        return None
    try:
        return tuple(int(w) for w in words(value))
    except ValueError:
        raise UsageError(f"{name} {value!r}: whole numbers with commas, such as 1,10") from None


def positive(name: str, value: str | None) -> tuple[int, ...] | None:
    """The same for numbers from 1."""
    found = numbers(name, value)
    if found is not None and (not found or min(found) < 1):
        raise UsageError(f"{name} {value!r}: whole numbers from 1 with commas")
    return found


def reasons(pairs: tuple[str, ...]) -> dict[str, str]:
    """`ID=REASON` words as a mapping; raises `UsageError` when one has no reason."""
    return dict(parse_selection(exclude=pairs).excluded)


def all_of(*options: Callable[[F], F]) -> Callable[[F], F]:
    """Several options as one decorator, shown in the order given."""

    def decorate(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


task_options = all_of(
    click.option("--tasks", metavar="LIST", help="Task numbers or ids, such as 0,3-7."),
    click.option("--limit", type=click.IntRange(1), metavar="N", help="The first N tasks only."),
    click.option("--exclude", multiple=True, metavar="ID=REASON", help="Leave a task out."),
    click.option("--data", "data_dir", metavar="DIR", help="Benchmark files (WORKBENCH_DATA)."),
    click.option("--problems", metavar="FILE", help="Tasks from a file in a known format."),
)

judge_options = all_of(
    click.option(
        "--limits",
        type=click.Choice(["default", "published"]),
        default="default",
        show_default=True,
        help="Whose time and memory limits count.",
    ),
    click.option(
        "--sandbox",
        metavar="KIND",
        help="docker, gvisor, bubblewrap, unshare; `process` only by name: it protects nothing.",
    ),
    click.option("--slots", type=click.IntRange(1), metavar="N", help="Programs run at once."),
    click.option(
        "--cold", is_flag=True, help="By the plain commands: slower, and nothing is kept warm."
    ),
)

repeat_option = click.option(
    "--repeat-judging",
    type=click.IntRange(1, 100),
    default=1,
    show_default=True,
    metavar="N",
    help="Execute every program N times and name what isn't stable; the first counts.",
)

model_options = all_of(
    click.option("-m", "--model", default="", help="Such as openai/gpt-4o-mini."),
    click.option("--api-base", metavar="URL", help="An OpenAI-compatible server."),
    click.option("--api-key-env", metavar="NAME", help="Variable that holds the key."),
    click.option("-n", "n", type=click.IntRange(1), default=1, show_default=True,
                 help="Samples (episodes) a task."),
    click.option("-k", "k", metavar="LIST", help="k of pass@k; default: those of 1, 10, 100 ≤ n."),
    click.option("--mode", "modes", multiple=True, metavar="MODE",
                 help="plain, or a repair recipe; may be given several times."),
    click.option("--prompt-style", "style", type=click.Choice(["chat", "complete"]),
                 default="chat", show_default=True, help="complete: the raw prompt (base models)."),
    click.option("--system", metavar="TEXT", help="System prompt."),
    click.option("--template", type=click.Path(exists=True, dir_okay=False), help="Prompt template."),
    click.option("-T", "--temperature", metavar="LIST",
                 help="Default: 0 for n = 1, 0.8 for more; several such as 0.2,0.8: a session each."),
    click.option("--greedy", is_flag=True, help="Temperature 0."),
    click.option("--top-p", type=float, metavar="P", help="Default: 0.95 for n > 1."),
    click.option("--max-tokens", type=click.IntRange(1), default=1024, show_default=True,
                 help="Per answer."),
    click.option("--stop", multiple=True, metavar="TEXT", help="Stop sequence (replaces the usual)."),
    click.option("--no-stop", is_flag=True, help="Send no stop sequences."),
    click.option("--seed", type=int, help="Sample i is drawn with seed + i."),
    click.option("--logprobs", is_flag=True, help="Keep mean log-probabilities."),
    click.option("--extraction", type=click.Choice(["tree-sitter", "raw"]), default="tree-sitter",
                 show_default=True, help="How code is taken from answers."),
    click.option("--concurrency", type=click.IntRange(1), metavar="N", help="Requests at once."),
    click.option("--attempts", type=click.IntRange(1), default=8, show_default=True, metavar="N",
                 help="Calls of a request before its unit is lost."),
    click.option("--request-timeout", type=float, default=480.0, show_default=True, metavar="S",
                 help="Seconds that one call may take."),
    click.option("--rpm", "requests_per_minute", type=float, metavar="N", help="Requests a minute."),
    click.option("--price", default="", metavar="IN/OUT",
                 help="USD per million tokens, where LiteLLM knows no price."),
    click.option("--max-cost", type=float, metavar="USD", help="Stop when this much is spent."),
    click.option("--max-tokens-total", type=click.IntRange(1), metavar="N",
                 help="Stop when so many tokens are used."),
    click.option("--cutoff", default="", metavar="DATE",
                 help="End of the model's training data, as declared: YYYY[-MM[-DD]]."),
    click.option("--statement", default="", help="What is known about contamination."),
)  # fmt: skip


def temperatures(value: str | None) -> tuple[float | None, ...]:
    """The temperatures of `-T`, each once; one `None` when it wasn't given.

    Raises:
        UsageError: one is no number, or 0 is among several (greedy draws have another metric).
    """
    if value is None:
        return (None,)
    try:
        found = tuple(dict.fromkeys(float(w) for w in words(value)))
    except ValueError:
        raise UsageError(f"-T {value!r}: numbers with commas, such as 0.8 or 0.2,0.8") from None
    if not found:
        raise UsageError("-T: at least one temperature")
    if len(found) > 1 and 0.0 in found:
        raise UsageError(f"-T {value}: 0 is greedy, which is another metric: run it apart")
    return found


def build_spec(values: dict[str, Any]) -> SessionSpec:
    """The spec that the options of `run` ask for; `temperature` is one, or `None`.

    Raises:
        UsageError: options contradict each other, or a value can't be.
    """
    temperature = values.pop("temperature")
    if values.pop("greedy"):
        if temperature:
            raise UsageError(f"--greedy means temperature 0, but -T {temperature} was given")
        temperature = 0.0
    stop = values.pop("stop")
    if values.pop("no_stop"):
        if stop:
            raise UsageError("--stop and --no-stop contradict each other")
        stop = ()
    else:
        stop = stop or None
    template = values.pop("template")
    if template is not None:
        with open(template, encoding="utf-8") as file:
            template = file.read()
    sampling = {
        "temperature": temperature,
        "stop": stop,
        **{name: values.pop(name) for name in ("top_p", "max_tokens", "seed", "logprobs")},
    }
    return parse_spec(
        {
            **values,
            "template": template,
            "languages": words(values["languages"]),
            "modes": tuple(w for mode in values["modes"] for w in words(mode)) or ("plain",),
            "k": numbers("-k", values["k"]),
            "exclude": reasons(values["exclude"]),
            "sampling": sampling,
        }
    )
