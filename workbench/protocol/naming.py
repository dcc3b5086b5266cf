"""From a protocol to the labels of its numbers."""

from __future__ import annotations

import re

from workbench.protocol.fingerprint import fingerprint
from workbench.protocol.label import Label
from workbench.protocol.metric import LabelError, Metric, MetricKind
from workbench.protocol.parts import (
    DataName,
    Draws,
    Extra,
    FeedbackPart,
    Spec,
    Subset,
)
from workbench.protocol.recipe import RepairRecipe
from workbench.protocol.records import Protocol

_ORDER = (
    "agent",
    "reask",
    "verdict",
    "compiler",
    "runtime",
    "visible-tests",
    "self-tests",
    "explain",
    "trace",
    "human",
    "hidden-tests",
    "hidden-verdict",
    "reference",
)
"""Order of feedback parts in a label, whatever the recipe's; others follow by name."""


HELD_OUT = "-held-out"
"""Ends the name of a suite of which the visible tests are left out: `base-held-out`."""


def data_name(protocol: Protocol, subset: Subset | None = None) -> DataName:
    """Which tests judged which tasks; `subset` replaces the protocol's own."""
    judged = protocol.eval
    if subset is None and (judged.tasks_of is not None or judged.subset):
        subset = Subset(judged.tasks, judged.tasks_of, judged.subset)
    return DataName(
        benchmark=judged.benchmark,
        languages=(judged.language,),
        revision=short_revision(judged.revision),
        subset=subset,
        suite=judged.suite.removesuffix(HELD_OUT),
        held_out=judged.suite.endswith(HELD_OUT),
    )


def cell_name(protocol: Protocol) -> str:
    """The part of the label that all numbers of the cell share: `starter/python+base · plain`."""
    recipe = protocol.gen.recipe
    mode = protocol.gen.mode
    if recipe is not None:
        mode = f"{mode if recipe.shape is None else 'tree'}[{spec(recipe)}]"
    return f"{data_name(protocol)} · {mode}"


def short_revision(revision: str) -> str:
    """A commit by its first eight digits; anything else as it is."""
    return revision[:8] if re.fullmatch(r"[0-9a-f]{12,64}", revision) else revision


def spec(recipe: RepairRecipe) -> Spec:
    """A recipe as a label says it."""
    parts = [FeedbackPart(p.name, p.by, p.leaks) for p in recipe.feedback]
    rank = {name: i for i, name in enumerate(_ORDER)}
    parts.sort(key=lambda p: (rank.get(p.name, len(rank)), p.name, p.by))
    limits = (
        ("tokens", recipe.tokens),
        ("seconds", recipe.seconds),
        ("cost_usd", recipe.cost_usd),
    )
    extras = [Extra(key, "≤", str(value)) for key, value in limits if value is not None]
    if recipe.start != "own":
        extras.append(Extra("from", "=", recipe.start))
    return Spec(
        feedback=tuple(parts),
        history=recipe.history,
        stop=recipe.stop,
        submit=recipe.submit,
        turns=recipe.turns,
        extras=tuple(extras),
    )


def label(
    protocol: Protocol,
    metric: Metric,
    *,
    n: int,
    spread: tuple[int, int] | None = None,
    repairs: int | None = None,
    subset: Subset | None = None,
) -> Label:
    """The label of one number of a cell.

    Args:
        n: draws a task was meant to have (trees: first programs).
        spread: fewest and most scored draws of a task; ignored where both are n.
        repairs: trees only: repairs of each failing program.
        subset: the tasks that carry the number, when they aren't all the cell's.

    Raises:
        LabelError: the metric doesn't belong to the cell's mode, or another rule is broken.
    """
    gen = protocol.gen
    sampled = gen.regime == "sampled"
    even = spread is None or spread == (n, n)
    low, high = (None, None) if spread is None or even else spread
    draws = Draws(
        count=n,
        regime=gen.regime,
        temperature=(gen.temperature or "") if sampled and not metric.grid else "",
        top_p=(gen.top_p or "default") if sampled else "",
        low=low,
        high=high,
        repairs=repairs,
    )
    recipe = gen.recipe
    tree = recipe is not None and recipe.shape is not None and metric.mode == "tree"
    return Label(
        data=data_name(protocol, subset),
        mode="tree" if tree else gen.mode,
        spec=None if recipe is None else spec(recipe),
        metric=metric,
        draws=draws,
        flags=("UNSANDBOXED",) if protocol.eval.sandbox == "process" else (),
        fingerprint=fingerprint(protocol).shown,
    )


def pass_metric(protocol: Protocol, k: int) -> Metric:
    """pass@k as this cell may call it: with greedy draws, `pass@1 (greedy)` is all there is.

    Raises:
        LabelError: greedy draws and k above 1.
    """
    if protocol.gen.regime == "greedy":
        if k != 1:
            raise LabelError(f"pass@{k} of greedy draws: they are one attempt a task, so k is 1")
        return Metric(MetricKind.PASS_GREEDY)
    return Metric(MetricKind.PASS_AT, k=k)
