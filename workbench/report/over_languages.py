"""The mean of one number over several languages, on the problems they have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from workbench.metrics.intervals import choose_interval
from workbench.metrics.measurement import Measurement
from workbench.metrics.passk import mean_over_tasks
from workbench.session.records import CellRow, TaskRow


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
