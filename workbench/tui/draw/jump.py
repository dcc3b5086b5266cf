"""Jump letters: a letter on everything that a mouse could click, so that two keys go there."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from workbench.tui.draw.ink import Page

LETTERS = "asdfghjklqwertyuiopzxcvbnm"


def jumps(page: Page) -> Mapping[str, tuple[int, int, str]]:
    """Letters -> (row, column, target) of every target on a page, each once, from top to bottom.

    Two letters each when there are more targets than letters.
    """
    found: dict[str, tuple[int, int, str]] = {}
    for y, row in enumerate(page.rows):
        for zone in sorted(row.zones, key=lambda z: z.start):
            found.setdefault(zone.target, (y, zone.start, zone.target))
    size = 1 if len(found) <= len(LETTERS) else 2
    codes = ("".join(letters) for letters in product(LETTERS, repeat=size))
    return dict(zip(codes, found.values(), strict=False))


def draw_jumps(page: Page, found: Mapping[str, tuple[int, int, str]], typed: str) -> None:
    """Write the letters that are still possible over the page."""
    for code, (y, column, _) in found.items():
        if code.startswith(typed):
            start = min(max(0, column), page.width - len(code))
            page.row(y).put(start, code[len(typed) :], "limit", bold=True)
            page.row(y).tint(start, start + len(code) - len(typed), "chip")
