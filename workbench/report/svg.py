"""Small plots as SVG text: nothing but shapes and escaped words, so a page needs no script."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from workbench.text import clean_line

WIDTH, HEIGHT = 640, 320
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 28, 40
INKS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#666666")
"""Told apart by people who see few colours; shapes and dashes tell lines apart as well."""
_LETTER = 6.4
"""Width of a letter at 12 px, about."""


@dataclass(frozen=True, slots=True)
class Point:
    """One value of a line, with its interval where there is one."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None
    said: str = ""
    """What a pointer over it shows."""


@dataclass(frozen=True, slots=True)
class Line:
    """Values of one name."""

    name: str
    points: tuple[Point, ...]
    dashed: bool = False


def text(words: str) -> str:
    """Foreign words as text of a page: control signs shown, markup escaped."""
    return escape(clean_line(words, max_line=8000), quote=True)


def line_plot(title: str, x_name: str, lines: Sequence[Line], *, log: bool = False) -> str:
    """Shares (0..1, drawn in per cent) over something, bands where there are intervals.

    Args:
        title: above the plot.
        x_name: under the axis.
        lines: at least one with a point.
        log: whether x doubles from mark to mark; every x is then above 0.
    """
    xs = [p.x for line in lines for p in line.points]
    low, high = min(xs), max(xs)
    scale = _Scale(low, high, log=log)
    body = [*_frame(title), *_shares(), *_marks(scale), _word((LEFT + WIDTH - RIGHT) / 2,
            HEIGHT - 6, x_name, anchor="middle")]  # fmt: skip
    for number, line in enumerate(lines):
        body += _line(line, number, scale)
    key = [_key(line.name, number, line.dashed) for number, line in enumerate(lines)]
    return _svg(body, HEIGHT) + f'<p class="key">{" ".join(key)}</p>'


@dataclass(frozen=True, slots=True)
class _Scale:
    low: float
    high: float
    log: bool = False

    def at(self, x: float) -> float:
        """Pixel of a value."""
        a, b, v = (math.log(n) if self.log else n for n in (self.low, self.high, x))
        part = 0.5 if a == b else (v - a) / (b - a)
        return LEFT + 10 + part * (WIDTH - LEFT - RIGHT - 20)

    def marks(self) -> list[float]:
        """Where the axis is marked."""
        if self.log:
            found = [n for e in range(-3, 9) for n in (10**e, 2 * 10**e, 5 * 10**e)]
            return [float(n) for n in found if self.low <= n <= self.high] or [self.low]
        span = self.high - self.low
        if not span:
            return [self.low]
        step = 10 ** math.floor(math.log10(span))
        step = next(s for s in (step / 5, step / 2, step, step * 2) if span / s <= 8)
        first = math.ceil(self.low / step - 1e-9)
        return [i * step for i in range(first, math.floor(self.high / step + 1e-9) + 1)]


def _y(share: float) -> float:
    return TOP + (1 - min(1.0, max(0.0, share))) * (HEIGHT - TOP - BOTTOM)


def _frame(title: str) -> list[str]:
    return [_word(LEFT, 16, title, size=13, bold=True)]


def _shares() -> list[str]:
    made: list[str] = []
    for percent in (0, 25, 50, 75, 100):
        y = _y(percent / 100)
        made.append(
            f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        )
        made.append(_word(LEFT - 6, y + 4, f"{percent} %", anchor="end"))
    return made


def _marks(scale: _Scale) -> list[str]:
    y = HEIGHT - BOTTOM
    return [_word(scale.at(x), y + 16, f"{x:g}", anchor="middle") for x in scale.marks()]


def _line(line: Line, number: int, scale: _Scale) -> list[str]:
    ink = INKS[number % len(INKS)]
    points = sorted(line.points, key=lambda p: p.x)
    made: list[str] = []
    banded = [p for p in points if p.low is not None and p.high is not None]
    if len(banded) > 1 and not line.dashed:
        upper = [f"{scale.at(p.x):.1f},{_y(p.high or 0):.1f}" for p in banded]
        lower = [f"{scale.at(p.x):.1f},{_y(p.low or 0):.1f}" for p in reversed(banded)]
        made.append(f'<polygon points="{" ".join(upper + lower)}" fill="{ink}" opacity="0.14"/>')
    path = " ".join(f"{scale.at(p.x):.1f},{_y(p.y):.1f}" for p in points)
    dash = ' stroke-dasharray="5 4"' if line.dashed else ""
    made.append(f'<polyline points="{path}" fill="none" stroke="{ink}" stroke-width="2"{dash}/>')
    for p in points:
        shown = f"<title>{text(p.said)}</title>" if p.said else ""
        made.append(
            f'<circle cx="{scale.at(p.x):.1f}" cy="{_y(p.y):.1f}" r="3" fill="{ink}">{shown}</circle>'
        )
    return made


def _key(name: str, number: int, dashed: bool) -> str:
    ink = INKS[number % len(INKS)]
    return f'<span><i style="color:{ink}">{"┄" if dashed else "━"}●</i> {text(name)}</span>'


@dataclass(frozen=True, slots=True)
class Bar:
    """One row: parts of a whole, or a dot with its whisker."""

    name: str
    parts: tuple[tuple[str, float], ...] = ()
    """(what, share); shares sum to 1 at most."""
    dot: Point | None = None


def stacked_bars(title: str, bars: Sequence[Bar], kinds: Sequence[tuple[str, str]]) -> str:
    """Rows of parts; `kinds` has each part's name and ink, in order."""
    inks = dict(kinds)
    body, left, height = _rows(title, bars)
    wide = WIDTH - left - RIGHT
    for number, bar in enumerate(bars):
        x, y = float(left), TOP + number * 24
        for what, share in bar.parts:
            body.append(
                f'<rect x="{x:.1f}" y="{y + 3}" width="{wide * share:.1f}" height="16" '
                f'fill="{inks[what]}"><title>{text(f"{what}: {100 * share:.1f} %")}</title></rect>'
            )
            x += wide * share
    used = [kind for kind in kinds if any(kind[0] == w for bar in bars for w, _ in bar.parts)]
    key = [f'<span><i style="color:{ink}">■</i> {text(name)}</span>' for name, ink in used]
    return _svg(body, height) + f'<p class="key">{" ".join(key)}</p>'


def dots(title: str, bars: Sequence[Bar]) -> str:
    """Rows of one value each, its interval as a whisker."""
    body, left, height = _rows(title, bars)
    wide = WIDTH - left - RIGHT - 30
    for percent in (0, 25, 50, 75, 100):
        x = left + wide * percent / 100
        body.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{height - 22}"/>')
        body.append(_word(x, height - 6, f"{percent} %", anchor="middle"))
    for number, bar in enumerate(bars):
        p = bar.dot
        if p is None:
            continue
        y = TOP + number * 24 + 11
        if p.low is not None and p.high is not None:
            body.append(
                f'<line x1="{left + wide * p.low:.1f}" x2="{left + wide * p.high:.1f}" y1="{y}" '
                f'y2="{y}" stroke="{INKS[0]}" stroke-width="2"/>'
            )
        body.append(
            f'<circle cx="{left + wide * p.y:.1f}" cy="{y}" r="4" fill="{INKS[0]}">'
            f"<title>{text(p.said)}</title></circle>"
        )
    return _svg(body, height)


def _rows(title: str, bars: Sequence[Bar]) -> tuple[list[str], int, int]:
    left = min(300, int(20 + _LETTER * max(len(bar.name) for bar in bars)))
    body = _frame(title)
    body += [
        _word(left - 8, TOP + n * 24 + 15, bar.name, anchor="end") for n, bar in enumerate(bars)
    ]
    return body, left, TOP + len(bars) * 24 + 26


def _word(
    x: float, y: float, words: str, *, anchor: str = "start", size: int = 12, bold: bool = False
) -> str:
    weight = ' font-weight="600"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{weight}>'
        f"{text(words)}</text>"
    )


def _svg(body: Sequence[str], height: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">'
        f"{''.join(body)}</svg>"
    )
