"""Which plots a session has, and what is drawn in them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.metrics.equal_budget import mean_cost
from workbench.metrics.estimable import NotEstimable
from workbench.metrics.measure import measure_plain
from workbench.metrics.measurement import Measurement
from workbench.metrics.passk import mean_over_tasks
from workbench.outcomes import Outcome
from workbench.protocol.metric import MetricKind
from workbench.report import numbers, svg
from workbench.report.analysis import CellAnalysis
from workbench.report.budget import ANY, curves

MIX_INKS = (
    "#009e73", "#d55e00", "#e69f00", "#cc79a7", "#0072b2", "#56b4e9", "#6b4f9e", "#999999",
    "#bbbbbb", "#444444", "#000000",
)  # fmt: skip
"""One an outcome, in the order used everywhere."""
MOST_K = 24
"""Points of a curve over k."""


def charts(cells: Sequence[CellAnalysis]) -> list[str]:
    """The plots of a session as SVG texts; those that would hold one point are left out."""
    languages = list(dict.fromkeys(cell.cell.language for cell in cells))
    plain = [cell for cell in cells if cell.cell.mode == "plain"]
    repair = [cell for cell in cells if cell.cell.mode != "plain"]
    made = [_over_k(cells), _by_cell("plain", plain), _by_cell("repair", repair), _mix(cells)]
    for language in languages:
        of_language = [cell for cell in cells if cell.cell.language == language]
        made += [
            _over_budget(of_language, language, budget) for budget in ("calls", "generated tokens")
        ]
    return [plot for plot in made if plot]


def _point(x: float, m: Measurement) -> svg.Point | None:
    if m.value is None:
        return None
    low, high = (m.interval.low, m.interval.high) if m.interval else (None, None)
    return svg.Point(x, m.value, low, high, f"{m.metric}: {numbers.value(m)}")


def _ks(most: int) -> list[int]:
    return sorted({round(k) for k in np.geomspace(1, most, min(most, MOST_K))})


def _over_k(cells: Sequence[CellAnalysis]) -> str:
    """pass@k over k with its interval as a band; beside it, dashed, one picked by visible tests."""
    lines: list[svg.Line] = []
    for cell in cells:
        found = curves(cell) if cell.cell.mode == "plain" else []
        if not found or found[0][2] < 2:
            continue
        ks = _ks(found[0][2])
        measured = measure_plain(cell.protocol, cell.results, ks)
        points = [p for k, m in zip(ks, measured, strict=True) if (p := _point(k, m))]
        if points:
            lines.append(svg.Line(f"{cell.cell.language} pass@k", tuple(points)))
        for against, curve, most in found[1:]:
            picked = tuple(
                svg.Point(k, mean_over_tasks(list(curve(k).values()))) for k in _ks(most)
            )
            lines.append(svg.Line(f"{cell.cell.language} {against}", picked, dashed=True))
    return svg.line_plot("pass@k over k, 95 % bands", "k", lines, log=True) if lines else ""


def _by_cell(mode: str, cells: Sequence[CellAnalysis]) -> str:
    """Language × mode: the headline of each cell, a row each; plain and repair in plots apart."""
    bars: list[svg.Bar] = []
    for cell in cells:
        chief = cell.chief
        dot = None if chief is None else _point(0, chief)
        if chief is not None and dot is not None:
            bars.append(
                svg.Bar(f"{cell.cell.language} {cell.name} {chief.metric.short()}", dot=dot)
            )
    return svg.dots(f"{mode}: headlines with 95 % intervals", bars) if bars else ""


def _mix(cells: Sequence[CellAnalysis]) -> str:
    kinds = [
        (o.value.replace("_", " "), MIX_INKS[i % len(MIX_INKS)]) for i, o in enumerate(Outcome)
    ]
    bars: list[svg.Bar] = []
    for cell in cells:
        chief = cell.chief
        total = 0 if chief is None else sum(chief.outcomes.values())
        if chief is None or not total:
            continue
        parts = [
            (o.value.replace("_", " "), n / total)
            for o in Outcome
            if (n := chief.outcomes.get(o.value, 0))
        ]
        bars.append(svg.Bar(f"{cell.cell.language} {cell.name}", tuple(parts)))
    return svg.stacked_bars("outcome mix", bars, kinds) if bars else ""


def _over_budget(cells: Sequence[CellAnalysis], language: str, budget: str) -> str:
    """solved@≤t at what t turns cost, beside pass@k at what k samples cost."""
    lines = [line for cell in cells if (line := _repair_line(cell, budget)) is not None]
    if not lines:
        return ""
    for cell in cells:
        if cell.cell.mode == "plain":
            lines += _plain_lines(cell, budget)
    title = f"{language}: repair beside resampling, over {budget}"
    return svg.line_plot(title, f"mean {budget} a task", lines)


def _repair_line(cell: CellAnalysis, budget: str) -> svg.Line | None:
    """Points at the mean cost of an episode cut at t turns."""
    if cell.cell.mode == "plain":
        return None
    points: list[svg.Point] = []
    for m in cell.measured:
        if m.metric.kind is not MetricKind.SOLVED or m.metric.turns is None:
            continue
        costs: dict[str, list[float]] = {}
        for unit in cell.results:
            taken = [] if unit.lost else unit.turns[: m.metric.turns]
            written = [t.calls if budget == "calls" else t.generated_tokens for t in taken]
            if taken and None not in written:
                costs.setdefault(unit.task, []).append(float(sum(n or 0 for n in written)))
        if not costs:
            return None
        at = mean_over_tasks([mean_over_tasks(each) for each in costs.values()])
        point = _point(at, m)
        points += [point] if point is not None else []
    return svg.Line(f"{cell.name} solved@≤t", tuple(points)) if points else None


def _plain_lines(cell: CellAnalysis, budget: str) -> list[svg.Line]:
    made: list[svg.Line] = []
    for against, curve, most in curves(cell):
        try:
            one = mean_cost(cell.costs, budget, list(curve(1)))
        except NotEstimable:
            return made
        ks = _ks(most)
        if against == ANY:
            measured = measure_plain(cell.protocol, cell.results, ks)
            points = [p for k, m in zip(ks, measured, strict=True) if (p := _point(k * one, m))]
        else:
            points = [svg.Point(k * one, mean_over_tasks(list(curve(k).values()))) for k in ks]
        if points:
            made.append(svg.Line(f"plain, {against}", tuple(points), dashed=against != ANY))
    return made
