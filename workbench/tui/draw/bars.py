"""Strips, intervals, sparklines and progress bars as runs of a given width."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.tui.draw.glyphs import IN_FLIGHT, MARKS, PLANNED
from workbench.tui.draw.ink import Ink, Run, Tone

_BLOCKS = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588"


def shares(counts: Sequence[int], width: int) -> list[int]:
    """Split `width` cells by largest remainder; what occurs gets at least one.

    The cell that a rare part needs is taken from the longest run. With more parts than cells
    the first `width` parts get one each.
    """
    total = sum(counts)
    if total <= 0 or width <= 0:
        return [0] * len(counts)
    exact = [c * width / total for c in counts]
    cells = [int(e) for e in exact]
    order = sorted(range(len(counts)), key=lambda i: (cells[i] - exact[i], i))
    for i in order[: width - sum(cells)]:
        cells[i] += 1
    for i, count in enumerate(counts):
        if count > 0 and cells[i] == 0:
            longest = max(range(len(cells)), key=lambda j: cells[j])
            if cells[longest] <= 1:
                break
            cells[longest] -= 1
            cells[i] = 1
    return cells


def strip(counts: Mapping[str, int], width: int, *, planned: int | None = None) -> list[Run]:
    """Draw outcomes as one line: each run headed by its glyph, then `━`, dots for what remains.

    Args:
        counts: outcome id (or `in_flight`, `planned`) -> number of units.
        width: cells.
        planned: all units; what is missing in `counts` is drawn as planned.
    """
    numbers = [max(0, counts.get(key, 0)) for key in MARKS]
    if planned is not None:
        numbers[-1] += max(0, planned - sum(numbers))
    runs: list[Run] = []
    for key, cells in zip(MARKS, shares(numbers, width), strict=True):
        if cells == 0:
            continue
        found = MARKS[key]
        if key == PLANNED:
            runs.append((found.glyph * cells, Ink("faint")))
            continue
        runs.append((found.glyph, Ink(found.tone, found.bold)))
        if cells > 1:
            runs.append(("\u2501" * (cells - 1), Ink(found.tone)))
    return runs


def strip_plain(counts: Mapping[str, int], planned: int | None = None) -> str:
    """The strip in words for line output: share of planned units, `●31.2 W40.1`."""
    total = planned or sum(counts.values())
    if total <= 0:
        return ""
    return " ".join(
        f"{MARKS[key].glyph}{100 * counts[key] / total:.1f}"
        for key in MARKS
        if counts.get(key, 0) and key not in (PLANNED, IN_FLIGHT)
    )


def interval(
    value: float, low: float, high: float, width: int, *, mode: str = "plain", tone: Tone = "text"
) -> list[Run]:
    """Draw an interval on an axis from 0 to 1: `····━◆━····`."""
    if width <= 0:
        return []

    def at(x: float) -> int:
        return min(width - 1, max(0, round(x * (width - 1))))

    a, b, middle = at(low), at(high), at(value)
    a, b = min(a, middle), max(b, middle)
    ink = Ink("repair" if mode == "repair" and tone == "text" else tone)
    return [
        run
        for run in (
            ("\u00b7" * a, Ink("rule")),
            ("\u2501" * (middle - a), ink),
            ("\u25c7" if mode == "repair" else "\u25c6", ink._replace(bold=True)),
            ("\u2501" * (b - middle), ink),
            ("\u00b7" * (width - 1 - b), Ink("rule")),
        )
        if run[0]
    ]


def sparkline(values: Sequence[float], width: int) -> str:
    """The last `width` values as blocks, the newest at the right end, scaled to their greatest."""
    shown = list(values)[-width:] if width > 0 else []
    top = max(shown, default=0.0)
    if top <= 0:
        return ("\u2581" * len(shown)).rjust(width)
    text = "".join(_BLOCKS[min(7, round(7 * max(0.0, v) / top))] for v in shown)
    return text.rjust(width)


def progress(done: int, planned: int, width: int) -> list[Run]:
    """A thin bar: `━━━━━─`. Full only when all is done."""
    filled = 0 if planned <= 0 else done * width // planned
    filled = max(1 if done > 0 else 0, min(width, filled))
    return [("\u2501" * filled, Ink("text")), ("\u2500" * (width - filled), Ink("rule"))]
