"""Step curves in cells: one thin or heavy line a series, its name at the line's end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from workbench.tui.draw.ink import Page, Tone
from workbench.tui.model.comparison import Series

THIN = "─│╭╮╰╯"
HEAVY = "━┃┏┓┗┛"
GRIDS = 6
Place = Callable[[float], int]


@dataclass(frozen=True, slots=True)
class Plot:
    """Where a plot stands, its axes inside."""

    left: int
    right: int
    top: int
    bottom: int


def reach(series: Sequence[Series]) -> tuple[float, float, int, int]:
    """Ends of both axes: x as in the data, y in per cent, cut to the data in tens."""
    xs = [p.x for s in series for p in s.points]
    ys = [100 * p.reading.value for s in series for p in s.points if p.reading.value is not None]
    low, high = int(min(ys) // 10) * 10, min(100, int(max(ys) // 10) * 10 + 10)
    return min(xs), max(xs), low, max(high, low + 10)


def draw(page: Page, at: Plot, series: Sequence[Series], line: float | None, axis: str) -> None:
    """Draw series into a rectangle; `line`: x of the vertical line."""
    # Repair is drawn last and heavy, so that it stands over the thin line of resampling.
    series = sorted((s for s in series if s.points), key=lambda s: s.repair)
    both = len({s.repair for s in series}) > 1
    if not series or at.bottom - at.top < 4:
        page.row(at.top).put(at.left, "nothing to draw yet", "muted")
        return
    first, last, low, high = reach(series)
    names = max(len(s.name) for s in series) + 2
    left, right = at.left + 5, at.right - names
    rows = at.bottom - at.top - 1
    wide = max(2, right - left)

    def column(x: float) -> int:
        share = (x - first) / (last - first) if last > first else 0.0
        return left + round(share * (wide - 1))

    def height(value: float) -> int:
        return at.top + round((high - 100 * value) / (high - low) * (rows - 1))

    step = 10 if (high - low) // 10 <= min(GRIDS, rows // 2) else 20
    for percent in range(low, high + 1, step):
        y = height(percent / 100)
        page.row(y).right(at.left + 4, str(percent), "faint")
        page.row(y).put(left, "·" * wide, "rule")
    if line is not None:
        for y in range(at.top, at.top + rows):
            page.row(y).put(column(line), "│", "rule")
    for number, each in enumerate(series):
        tone: Tone = (
            "repair" if each.repair else "muted" if number == 0 and len(series) > 1 else "strong"
        )
        _steps(page, each, tone, column, height, heavy=each.repair or (number > 0 and not both))
    page.row(at.bottom - 1).put(left, _tick(first), "faint")
    end = page.row(at.bottom - 1).right(right, f"{_tick(last)} {axis}", "faint")
    if line is not None and first < line < last:
        word = _tick(line)
        x = min(
            max(left + len(_tick(first)) + 1, column(line) - len(word) // 2), end - len(word) - 1
        )
        page.row(at.bottom - 1).put(x, word, "text", bold=True)


def _tick(x: float) -> str:
    return f"{x:.0f}" if x >= 100 or x == int(x) else f"{x:.2f}"


def _steps(
    page: Page, series: Series, tone: Tone, column: Place, height: Place, *, heavy: bool
) -> None:
    flat, rise, up_in, down_in, down_out, up_out = HEAVY if heavy else THIN
    cells = [(column(p.x), height(p.reading.value)) for p in series.points
             if p.reading.value is not None]  # fmt: skip
    x, y = cells[0]
    page.row(y).put(x, flat, tone, bold=heavy)
    for nx, ny in cells[1:]:
        if nx > x:
            page.row(y).put(x, flat * (nx - x), tone, bold=heavy)
        if ny == y:
            page.row(y).put(nx, flat, tone, bold=heavy)
        else:
            climbs = ny < y
            page.row(y).put(nx, up_out if climbs else down_in, tone, bold=heavy)
            for between in range(min(y, ny) + 1, max(y, ny)):
                page.row(between).put(nx, rise, tone, bold=heavy)
            page.row(ny).put(nx, up_in if climbs else down_out, tone, bold=heavy)
        x, y = (nx if ny == y else nx + 1), ny
    page.row(y).put(max(x, cells[-1][0]) + 2, series.name, tone, bold=True)
