"""What a terminal below 60×16 shows: a counter."""

from __future__ import annotations

from workbench.text import clean_line
from workbench.tui.draw import figures
from workbench.tui.draw.frame import SMALLEST
from workbench.tui.draw.glyphs import STATES
from workbench.tui.draw.ink import Page
from workbench.tui.model.live import waiting
from workbench.tui.model.session import SessionModel


def draw(page: Page, model: SessionModel | None, now: float) -> None:
    """Draw name, state, progress by kind, losses, and the size that is needed."""
    y = 1
    if model is None:
        page.row(y).put(2, "workbench", "strong", bold=True)
        y += 2
    else:
        page.row(y).put(2, clean_line(model.name), "strong", bold=True)
        state = model.state(now)
        glyph, tone = STATES[state]
        whole = model.total
        row = page.row(y + 1)
        column = row.put(2, f"{glyph} {state}", tone, bold=True) + 2
        column = row.put(column, figures.percent(whole.scored + whole.lost, whole.planned)) + 2
        if model.snapshot is not None and model.snapshot.eta_s is not None:
            row.put(column, f"{figures.age(model.snapshot.eta_s)} left")
        y = _units(page, y + 3, model)
        stalled = sum(u.why.startswith("stalled") for u in waiting(model))
        if whole.lost or stalled:
            lost = f"! {figures.count(whole.lost)} lost"
            page.row(y).put(2, f"{lost}  {stalled} stalled" if stalled else lost, "limit")
            y += 1
        y += 1
    row = page.row(min(y, page.height - 1))
    needs = f"needs {SMALLEST[0]}×{SMALLEST[1]}, has {page.width}×{page.height}"
    end = row.put(2, needs, "faint")
    row.put(end + 3, "q quit", "faint")


def _units(page: Page, y: int, model: SessionModel) -> int:
    for kind in ("sample", "episode"):
        cells = [c for c in model.cells if c.unit_kind == kind]
        if cells:
            tally = model.tally(cells)
            end = page.row(y).put(2, figures.count(tally.scored), "strong", bold=True)
            page.row(y).put(end, f" of {figures.count(tally.planned)} {kind}s", "muted")
            y += 1
    return y
