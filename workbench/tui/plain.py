"""A session as lines: what the screens show, for pipes, screen readers and dumb terminals."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence

from workbench.errors import SessionError
from workbench.report.numbers import count
from workbench.session.records import CellRow, UnitRow
from workbench.session.store import SessionReader
from workbench.text import clean, clean_line
from workbench.tui import measuring
from workbench.tui.draw import bars, figures
from workbench.tui.draw.glyphs import mark
from workbench.tui.model import board as boards
from workbench.tui.model.feed import DAMAGED, damage
from workbench.tui.model.readings import Reading
from workbench.tui.model.sample import SampleView, build
from workbench.tui.model.session import SessionModel, Update


def plain_view(reader: SessionReader, unit_id: int | None = None) -> Iterator[str]:
    """Print a session, each row of a screen as one line: glyph, word, number, label.

    Args:
        reader: the session.
        unit_id: a sample or episode to be printed whole, instead of the session.

    Raises:
        SessionError: the session or the unit can't be read.
    """
    model = SessionModel(reader.path)
    try:
        model.apply(
            Update(
                meta=reader.meta(),
                cells=reader.cells(),
                tasks=reader.tasks(),
                units=reader.units(),
                events=reader.events(),
                totals=reader.totals(),
                readings=measuring.readings(reader),
            )
        )
    except DAMAGED as error:
        raise SessionError(damage(reader.name, error)) from error
    if unit_id is not None:
        unit = model.units.get(unit_id) or reader.unit(unit_id)
        cell = next(c for c in model.cells if c.id == unit.cell_id)
        found = model.readings.get(cell.id, ())
        label = found[0].label if found else ""
        yield from _sample(
            build(unit, cell, model.tasks[unit.task_pk], reader.turns(unit_id), label)
        )
        return
    yield from _head(model)
    yield from _live(model)
    yield from _tasks(model)
    yield from _events(model)


def _head(model: SessionModel) -> Iterator[str]:
    whole = model.total
    yield f"Session {clean_line(model.name)}"
    yield f"model {clean_line(model.model)}"
    yield (
        f"{model.state(time.time())}: {count(whole.planned)} units planned, "
        f"{count(whole.scored)} scored, {count(whole.lost)} lost, {count(whole.open)} not done"
    )
    spent = model.totals
    cost = spent.get("cost_usd")
    yield (
        f"{figures.tokens(spent.get('prompt_tokens', 0))} tokens in, "
        f"{figures.tokens(spent.get('completion_tokens', 0))} out, "
        f"{figures.money(cost, local=cost == 0)}"
    )


def _live(model: SessionModel) -> Iterator[str]:
    yield ""
    yield "Live"
    for cell in model.cells:
        tally = model.tallies[cell.id]
        strip = bars.strip_plain(tally.counts, tally.planned)
        where = f"{clean_line(cell.language)} {clean_line(cell.recipe or cell.mode)}"
        footing = f"{tally.scored}/{tally.planned} scored, {tally.lost} lost"
        readings: Sequence[Reading] = model.readings.get(cell.id, ())
        if not readings:
            yield f"{where}: no number yet, {footing}  {strip}"
        for place, reading in enumerate(readings):
            # The mix is that of the programs handed in, and so the chief number's: an earlier
            # cut had another.
            mix = f"  {strip}" if place == 0 else ""
            flags = f", {reading.flags}" if reading.flags else ""
            yield f"{where}: {_value(reading)}  {footing}{flags}{mix}  {clean_line(reading.label)}"


def _value(reading: Reading) -> str:
    parts = [reading.metric, reading.text]
    if reading.value is not None:
        parts.insert(1, "%")
    if reading.note:
        parts.append(f"({clean_line(reading.note)})")
    if reading.suspicious:
        parts.append(f"suspicious: {clean_line(reading.suspicious)}")
    return " ".join(parts)


def _tasks(model: SessionModel) -> Iterator[str]:
    for mode in model.modes:
        board = boards.build(model, mode)
        yield ""
        yield f"Tasks, {clean_line(mode)}"
        cells = {c.language: c for c in model.cells if (c.recipe or c.mode) == mode}
        for problem in board.problems:
            for language, tally in problem.tallies.items():
                where = f"{problem.task_ids[language]} {problem.name} {language}"
                strip = bars.strip_plain(tally.counts, tally.planned)
                yield f"{clean_line(where)}: {tally.passed} of {tally.planned} passed  {strip}"
                yield from _units(model, cells, language, problem.cells[language])


def _units(
    model: SessionModel, cells: Mapping[str, CellRow], language: str, units: Sequence[int]
) -> Iterator[str]:
    letter = "s" if cells[language].mode == "plain" else "e"
    for number in units:
        unit = model.units[number]
        yield f"  {_unit(unit, letter)}"


def _unit(unit: UnitRow, letter: str) -> str:
    kind = mark(unit.outcome)
    parts = [kind.glyph, kind.word, f"{letter}{unit.index + 1}", f"(unit {unit.id})"]
    if unit.turns > 1:
        parts.append(f"{unit.turns} turns")
    parts += unit.flags
    if unit.detail:
        parts.append(clean_line(unit.detail))
    return " ".join(parts)


def _events(model: SessionModel) -> Iterator[str]:
    yield ""
    yield "Events"
    for event in model.events:
        yield f"{figures.clock(event.at)} {event.level} {clean_line(event.text)}"


def _sample(view: SampleView) -> Iterator[str]:
    unit = view.unit
    kind = mark(unit.outcome)
    letter = "s" if view.cell.mode == "plain" else "e"
    yield clean_line(
        f"{view.task.task_id} {view.task.entry_point} {view.cell.language} {letter}{unit.index + 1}"
    )
    yield f"{kind.glyph} {kind.word} {clean_line(unit.detail)}".rstrip()
    yield f"label {clean_line(view.label)}"
    for word, value in view.facts:
        yield f"{word} {value}"
    for turn in view.turns:
        if view.episode:
            outcome = mark(turn.outcome)
            yield ""
            yield (
                f"Turn {turn.turn}: {outcome.glyph} {outcome.word}, visible {turn.visible}, "
                f"{turn.change}, {count(turn.tokens)} tokens so far"
            )
        order = ("feedback", "change") if view.episode and turn.turn > 1 else ()
        for name in (*order, "program", "prompt", "answer", "output"):
            pane = turn.panes[name]
            yield ""
            yield f"{pane.title}  {pane.note}".rstrip()
            for line in pane.lines:
                text = "".join(t for t, _ in line.runs)
                yield clean(f"  {line.gutter} {text}" if pane.gutter else f"  {text}").rstrip()
