"""A session's measurements as table, Markdown, CSV or JSON; the label stands in every row."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from workbench.metrics.measurement import Measurement
from workbench.metrics.units import FLAGS, count_flags
from workbench.outcomes import Outcome
from workbench.report import diagnoses, numbers, sections
from workbench.report.diagnoses import CellDiagnoses, escaped
from workbench.report.sections import Section, columns
from workbench.session.records import Unstable
from workbench.text import clean_line

FORMATS = ("table", "md", "csv", "json")
_COLUMNS = (
    *("label", "fingerprint", "benchmark", "suite", "language", "mode", "recipe", "metric"),
    *("k", "turns", "value", "low", "high", "interval", "tasks_planned", "tasks_scored"),
    *("unit", "planned", "scored", "lost"),
)


def render(
    measurements: Sequence[Measurement],
    form: str,
    protocol: Mapping[str, Any],
    *,
    title: str,
    wrong: Sequence[CellDiagnoses] = (),
    unstable: Sequence[Unstable] = (),
    beside: Sequence[Measurement] = (),
    parts: Sequence[Section] = (),
) -> str:
    """All measurements as one text in `form`, one of `FORMATS`; CSV has the numbers alone.

    Args:
        measurements: of one session or one scored file.
        form: one of `FORMATS`.
        protocol: protocols by fingerprint, for JSON.
        title: first line.
        wrong: what went wrong in each cell.
        unstable: what didn't come to the same outcome each time it was executed.
        beside: further measurements of the same cells.
        parts: what else the report says.
    """
    match form:
        case "json":
            return as_json(
                [*measurements, *beside],
                protocol,
                **{part.key: part.body for part in parts if part.key},
                diagnostics=[cell.to_json() for cell in wrong],
                unstable=[asdict(unit) for unit in unstable],
            )
        case "csv":
            return as_csv([*measurements, *beside])
        case "md":
            lines = [
                *sections.as_markdown([*beside_section(beside), *parts]),
                *diagnoses.as_markdown(wrong),
                *(f"- {escaped(x)}" for x in _unsteady(unstable)),
            ]
            return "\n".join([as_markdown(measurements, title), *lines])
        case _:
            return "\n".join(
                [
                    as_table(measurements, title),
                    *sections.as_lines([*beside_section(beside), *parts]),
                    *diagnoses.as_lines(wrong),
                    *(["", *_unsteady(unstable)] if unstable else []),
                ]
            )


_CUTS = 5
"""Turns of an episode of which every cut has a column."""
NAMED = 50
"""Unstable programs that are named in a text; JSON has all."""


def _unsteady(unstable: Sequence[Unstable]) -> list[str]:
    """Name what didn't come to the same outcome each time."""
    if not unstable:
        return []
    lines = ["unstable: not the same outcome each time; the first counts"]
    lines += [
        clean_line(f"  {u.language} {u.mode} {u.task_id}:{u.index}  {_counted(u.outcomes)}")
        for u in unstable[:NAMED]
    ]
    return lines + ([f"  … and {len(unstable) - NAMED} more"] if len(unstable) > NAMED else [])


def _counted(outcomes: Sequence[str]) -> str:
    found = Counter(outcomes)
    return ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in found.items())


def as_json(measurements: Sequence[Measurement], protocol: Mapping[str, Any], **more: Any) -> str:
    """The object that `score`, `check` and `report` print alike; `more` stands beside it."""
    body = {"protocol": protocol, "measurements": [m.to_json() for m in measurements], **more}
    return json.dumps(body, indent=1, ensure_ascii=False, default=str)


def as_csv(measurements: Sequence[Measurement]) -> str:
    """One row a measurement, unrounded."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    outcomes = [o.value for o in Outcome]
    writer.writerow([*_COLUMNS, *outcomes, *FLAGS])
    for m in measurements:
        interval = m.interval
        writer.writerow(
            [
                str(m.label),
                m.fingerprint,
                m.benchmark,
                m.suite,
                m.language,
                m.mode,
                m.recipe,
                str(m.metric),
                m.metric.k or "",
                m.metric.turns or "",
                "" if m.value is None else repr(m.value),
                "" if interval is None else repr(interval.low),
                "" if interval is None else repr(interval.high),
                "" if interval is None else interval.method,
                m.tasks.planned,
                m.tasks.scored,
                m.units.kind,
                m.units.planned,
                m.units.scored,
                m.units.lost,
                *(m.outcomes.get(o, 0) for o in outcomes),
                *count_flags(m.flags).values(),
            ]
        )
    return out.getvalue().rstrip("\n")


def blocks(measurements: Sequence[Measurement]) -> dict[str, list[Measurement]]:
    """Measurements by mode: plain and repair never share a table."""
    found: dict[str, list[Measurement]] = {}
    for m in measurements:
        found.setdefault("plain" if m.mode == "plain" else f"repair {m.recipe}", []).append(m)
    return found


def as_table(measurements: Sequence[Measurement], title: str) -> str:
    """For people and pipes: a block a mode, then what stands under the numbers."""
    lines = [title]
    shown = _few_cuts(measurements)
    for name, rows in blocks(shown).items():
        unit = rows[0].units.kind
        metrics = list(dict.fromkeys(m.metric.short() for m in rows))
        cells: dict[str, list[Measurement]] = {}
        for m in rows:
            cells.setdefault(f"{m.benchmark} {m.suite} {m.language}", []).append(m)
        table = [["language", *metrics, f"{unit}s", "lost", "label", "outcomes"]]
        table += [_row(cell, metrics) for cell in cells.values()]
        lines += ["", heading(name, unit)]
        lines += columns(table, set(range(1, len(metrics) + 3)))
    lines += ["", *footing(shown)]
    if len(shown) < len(measurements):
        lines.append("  the cuts between stand in --format csv and --json")
    return "\n".join(lines)


def _few_cuts(measurements: Sequence[Measurement]) -> list[Measurement]:
    """Of long episodes the cuts at 1, 2, 4, 8, … turns and the last: a column each would fill the screen."""
    last: dict[str, int] = {}
    for m in measurements:
        last[m.recipe] = max(last.get(m.recipe, 0), m.metric.turns or 0)
    return [
        m
        for m in measurements
        if (turns := m.metric.turns or 0) == last[m.recipe]
        or last[m.recipe] <= _CUTS
        or turns.bit_count() == 1
    ]


def _row(cell: Sequence[Measurement], metrics: Sequence[str]) -> list[str]:
    """One cell's numbers side by side; what they share stands once."""
    first = cell[0]
    values = {m.metric.short(): numbers.value(m) for m in cell}
    return [
        first.language,
        *(values.get(metric, "") for metric in metrics),
        f"{first.units.scored}/{first.units.planned}",
        str(first.units.lost) if first.units.lost else "–",
        f"#{first.fingerprint[:6]}" if first.fingerprint else numbers.NOTHING,
        mix(first),
    ]


def as_markdown(measurements: Sequence[Measurement], title: str) -> str:
    """Tables for a README or an issue; each row carries its label."""
    lines = [f"**{escaped(title)}**"]
    for name, rows in blocks(measurements).items():
        unit = rows[0].units.kind
        lines += [
            "",
            f"_{heading(name, unit)}_",
            "",
            f"| label | value | {unit}s scored / planned | lost | outcomes |",
            "|---|---:|---:|---:|---|",
        ]
        lines += [
            f"| {escaped(str(m.label))} | {numbers.value(m)} | {m.units.scored}/{m.units.planned} "
            f"| {m.units.lost} | {mix(m)} |"
            for m in rows
        ]
    notes = [n for n in footing(measurements) if n]
    lines += ["", *(f"- {escaped(n.strip())}" for n in notes)]
    return "\n".join(lines)


def heading(name: str, unit: str) -> str:
    """What a block of one mode is called."""
    if unit == "sample":
        return f"{name}: independent samples, per cent of tasks"
    return f"{name}: episodes with feedback, never pass@k, per cent of tasks"


def mix(m: Measurement) -> str:
    """Counts of the outcomes that occur, in the order used everywhere."""
    found = ((o.value, m.outcomes.get(o.value, 0)) for o in Outcome)
    outcomes = ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in found if n)
    said = numbers.flags(m)
    return f"{outcomes}; {said}" if said else outcomes


def footing(measurements: Sequence[Measurement]) -> list[str]:
    """Labels whole, and what has to stand under the numbers, each said once."""
    lines = ["labels"]
    lines += [f"  {label}" for label in _labels(measurements)]
    notes: dict[str, list[str]] = {}
    for m in measurements:
        where = f"{m.language} {m.recipe or m.mode}"
        extra = [f"{m.metric}: not estimable: {m.missing}"] if m.missing else []
        if m.bounds is not None:
            low, high = (numbers.percent_digits(b) for b in m.bounds)
            extra.append(f"{m.metric}: {low} if every lost one had failed, {high} if it had passed")
        if m.suspicious:
            extra.append(f"suspicious: {m.suspicious}")
        for note in (*m.notes, *extra):
            places = notes.setdefault(note, [])
            if where not in places:
                places.append(where)
    if notes:
        everywhere = {f"{m.language} {m.recipe or m.mode}" for m in measurements}
        lines += ["", "notes"]
        for note, places in notes.items():
            scope = "all" if len(places) == len(everywhere) else ", ".join(places)
            lines.append(f"  {clean_line(note)} ({scope})")
    return lines


def _labels(measurements: Sequence[Measurement]) -> list[str]:
    """One whole label a cell, its metrics side by side in the place of one."""
    cells: dict[tuple[str, str], list[str]] = {}
    for m in measurements:
        whole = clean_line(str(m.label))
        before, _, after = whole.partition(f" · {m.metric}")
        cells.setdefault((before, after), []).append(str(m.metric))
    return [f"{before} · {', '.join(names)}{after}" for (before, after), names in cells.items()]


def beside_section(beside: Sequence[Measurement]) -> list[Section]:
    """What stands beside the chief numbers, a table a mode; its JSON is among the measurements."""
    return [_beside(name, rows) for name, rows in blocks(beside).items()]


def _beside(name: str, rows: Sequence[Measurement]) -> Section:
    # A column without a value is said in one note: an agent of 12 turns would have eleven of them.
    metrics = list(dict.fromkeys(str(m.metric) for m in rows if not m.missing))
    values: dict[str, dict[str, str]] = {}
    missing: dict[tuple[str, str], list[str]] = {}
    for m in rows:
        values.setdefault(m.language, {})[str(m.metric)] = numbers.value(m)
        if m.missing:
            missing.setdefault((m.missing, str(m.metric)), []).append(m.language)
    table = tuple(
        (language, *(of_language.get(metric, "") for metric in metrics))
        for language, of_language in values.items()
    )
    notes = _not_estimable(missing)
    if any(m.metric.picker for m in rows):
        notes.insert(0, "picked@k: one of k chosen without the scored tests, ties by lot; pass@k has "
                        "an oracle choose")  # fmt: skip
    return Section(
        "",
        f"beside it, {name}, per cent",
        ("language", *metrics),
        table,
        tuple(notes),
        right=frozenset(range(1, len(metrics) + 1)),
    )


def _not_estimable(missing: Mapping[tuple[str, str], Sequence[str]]) -> list[str]:
    """Languages by (reason, metric), as lines: metrics of the same reason and languages share one."""
    found: dict[tuple[str, str], list[str]] = {}
    for (why, metric), places in missing.items():
        found.setdefault((why, ", ".join(places)), []).append(metric)
    return [
        f"{', '.join(m) if len(m) < 4 else f'{m[0]} … {m[-1]}'}: not estimable: {why} ({places})"
        for (why, places), m in found.items()
    ]


def protocols(cells: Iterable[Any]) -> dict[str, Any]:
    """Every cell's protocol under its fingerprint: what stands in exports beside the numbers."""
    return {cell.fingerprint[:12]: cell.protocol for cell in cells}
