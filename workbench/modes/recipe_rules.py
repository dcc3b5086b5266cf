"""What may not stand together in a recipe, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Clash:
    """An impossible combination."""

    key: str
    """The key at which it is told."""
    why: str


def clash(values: Mapping[str, Any], feedback: tuple[str, ...]) -> Clash | None:
    """The first impossible combination of a recipe file's values; `None`: there is none.

    Args:
        values: as they stand in the file: what isn't there was left out.
        feedback: its feedback parts.
    """
    return next(_clashes(values, frozenset(feedback)), None)


def _clashes(values: Mapping[str, Any], parts: frozenset[str]) -> Iterator[Clash]:
    stop = values.get("stop", "visible")
    for alone, why in (
        ("reask", "tells nothing"),
        ("agent", "lets the model look for itself"),
    ):
        if alone in parts and len(parts) > 1:
            yield Clash("feedback", f"`{alone}` {why}: it stands alone in feedback")
    yield from _of_agents(values, parts, stop)
    if stop == "self" and "self-tests" not in parts:
        yield Clash("stop", "'self' needs `self-tests` in feedback: visible, compiles, none, …")
    hidden = parts & {"hidden-tests", "hidden-verdict"}
    if stop == "hidden" and not hidden:
        yield Clash(
            "stop",
            "'hidden' tells the model by going on that held-out tests fail: name `hidden-verdict` "
            "or `hidden-tests` in feedback, so that the label says !LEAK",
        )
    if "hidden-tests" in parts and parts & {"visible-tests", "verdict"}:
        yield Clash("feedback", "`hidden-tests` shows the visible tests, too: leave those out")
    if "trace" in parts and "visible-tests" not in parts:
        yield Clash("feedback", "`trace` is of a failing visible test: it needs `visible-tests`")
    if "explain" in values and "explain" not in parts:
        yield Clash("explain", "the table says who explains: it needs `explain` in feedback")
    for step in ("explain", "self-tests", "agent"):
        if step in values.get("templates", {}) and step not in parts:
            yield Clash(step, f"a template of `{step}`, which isn't in feedback")
        if step in values.get("sampling", {}) and step not in parts:
            yield Clash(step, f"sampling of `{step}`, which isn't in feedback")
    yield from _of_trees(values, parts, stop)


def _of_agents(values: Mapping[str, Any], parts: frozenset[str], stop: str) -> Iterator[Clash]:
    if "agent" not in parts:
        if "agent" in values:
            yield Clash("agent", 'the table says what an agent may do: feedback = ["agent"]')
        if stop == "model":
            yield Clash("stop", "'model' is an agent's: visible, compiles, self, hidden, own, none")
        return
    if stop != "model":
        yield Clash("stop", f"an agent says itself when it is done: stop = 'model', not {stop!r}")
    if values.get("history") != "full":
        yield Clash("history", "an agent sees its whole conversation: history = 'full'")
    if values.get("submit") != "last":
        yield Clash("submit", "an agent hands in what it wrote last: submit = 'last'")
    for key in ("tree", "template", "entry_point", "announce"):
        if key in values:
            yield Clash(key, "an agent has none")


def _of_trees(values: Mapping[str, Any], parts: frozenset[str], stop: str) -> Iterator[Clash]:
    if "tree" not in values:
        return
    if stop != "none":
        yield Clash("stop", f"a tree is grown whole: stop = 'none', not {stop!r}")
    if values.get("submit") != "any":
        yield Clash("submit", "of a tree any program counts (oracle): submit = 'any'")
    if values["tree"].get("feedbacks", 1) > 1 and "explain" not in parts:
        yield Clash("feedbacks", "several feedbacks differ by `explain` only: name it in feedback")
    if "turns" in values:
        yield Clash("turns", "a tree's size follows from its shape: leave out turns")
    for key in ("tokens", "seconds", "cost_usd", "announce"):
        if key in values:
            yield Clash(key, "a tree is grown whole: it has no budget")
    if values.get("history", "last") != "last":
        yield Clash("history", "a repair sees the program it repairs: history = 'last'")
