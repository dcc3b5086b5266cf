"""Numbers for the screens: measurements of a session, and means over its languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.session.records import CellRow, TaskRow
from workbench.session.store import SessionReader
from workbench.tui.model.headline import Headline, make
from workbench.tui.model.readings import Reading, reading

if TYPE_CHECKING:
    from workbench.metrics.measurement import Measurement


def readings(reader: SessionReader) -> dict[int, list[Reading]]:
    """Every number of a session by cell id, the chief metric first.

    Slow for big sessions, and the first call imports numpy and scipy: for a thread.

    Raises:
        SessionError: the session can't be read.
    """
    from workbench.report.measure import measure_cells

    return {cell: [reading(m) for m in found] for cell, found in measure_cells(reader).items()}


def headline(path: Path) -> Headline:
    """What the session list shows of the session in folder `path`.

    Raises:
        SessionError: the session can't be read.
    """
    from workbench.report.measure import measure_cells

    with SessionReader.open(path) as reader:
        cells = reader.cells()
        tasks = reader.tasks()
        found = measure_cells(reader)
    means: dict[str, Reading] = {}
    for mode in dict.fromkeys(c.recipe or c.mode for c in cells):
        chiefs = [
            (c, found[c.id][0])
            for c in cells
            if (c.recipe or c.mode) == mode and found.get(c.id)
        ]  # fmt: skip
        mean = mean_over_languages(chiefs, tasks)
        if mean is not None:
            means[mode] = reading(mean)
    return make(cells, {k: [reading(m) for m in v] for k, v in found.items()}, means)


def mean_over_languages(
    chiefs: Sequence[tuple[CellRow, Measurement]], tasks: Mapping[int, TaskRow]
) -> Measurement | None:
    """The mean of one metric over a session's languages, on the problems they have in common.

    Each problem's value is its mean over the languages, and the interval is over problems: the
    same problem in five languages is one draw of a problem, not five. `None` when the languages
    have no common problem with a value, or differ in more than the language.

    Args:
        chiefs: cells of one mode with their measurement, one a language.
        tasks: the session's tasks, by row id.
    """
    from workbench.metrics.intervals import choose_interval
    from workbench.metrics.passk import mean_over_tasks

    if len(chiefs) == 1:
        return chiefs[0][1]
    kinds = {(m.benchmark, m.suite, m.metric) for _, m in chiefs}
    languages = tuple(c.language for c, _ in chiefs)
    if len(kinds) != 1 or len(set(languages)) != len(languages):
        return None
    problem_of = {(t.language, t.task_id): t.problem for t in tasks.values()}
    values = [
        {problem_of[c.language, task]: value for task, value in m.by_task.items()}
        for c, m in chiefs
    ]
    common = [p for p in values[0] if all(p in of_language for of_language in values)]
    if not common:
        return None
    by_problem = {p: sum(v[p] for v in values) / len(values) for p in common}
    every = list(by_problem.values())
    first = chiefs[0][1]
    measurements = [m for _, m in chiefs]
    counted = first.units
    return replace(
        first,
        value=mean_over_tasks(every),
        interval=choose_interval(every),
        label=replace(
            first.label, data=replace(first.label.data, languages=languages), fingerprint=""
        ),
        fingerprint="",
        language="",
        tasks=replace(first.tasks, scored=len(common)),
        units=replace(
            counted,
            planned=sum(m.units.planned for m in measurements),
            scored=sum(m.units.scored for m in measurements),
            lost=sum(m.units.lost for m in measurements),
        ),
        outcomes=dict(first.outcomes),
        missing="",
        notes=(f"mean of {len(languages)} languages, {len(common)} common problems",),
        bounds=None,
        by_task=by_problem,
    )
