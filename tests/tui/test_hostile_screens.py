"""Foreign text in Compare, Recipes, New, side by side and what failed alike: the screen stays whole."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.tui import made
from tests.tui.driving import opened, shown, until
from tests.tui.test_hostile import EVIL, FORBIDDEN
from workbench.session.preflight import Check, Preflight
from workbench.tui.draw import compare, new, recipes
from workbench.tui.draw.ink import Page, cells
from workbench.tui.draw.new import NewView
from workbench.tui.model.comparison import (
    VIEWS,
    Block,
    Budget,
    CompareView,
    Comparison,
    Counts,
    Difference,
    Equal,
    Flip,
    Point,
    ProblemRow,
    Row,
    Series,
    Side,
)
from workbench.tui.model.draft import Draft
from workbench.tui.model.readings import Reading
from workbench.tui.model.recipes import Card, RecipesView

SIZES = [(60, 16), (80, 24), (120, 40), (200, 60)]


def whole(page: Page) -> str:
    """The page's text; every row is as wide as the page and carries no control."""
    rows = page.finish()
    for row in rows:
        assert sum(cells(text) for text, _ in row) == page.width
    text = "\n".join("".join(t for t, _ in row) for row in rows)
    assert not FORBIDDEN.search(text)
    return text


def value(share: float) -> Reading:
    body = f" {100 * share:>4.1f} ±4.6"
    return Reading("pass@1", "pass@1", body, body, body.strip(), share, share / 2, share, True, EVIL,
                   note=EVIL, suspicious=EVIL)  # fmt: skip


def evil_comparison() -> Comparison:
    """Everything foreign in it is hostile."""
    sides = tuple(Side(letter, EVIL, EVIL, Path("x")) for letter in "ABC")
    difference = Difference("B", "+5.6 ±4.0", True, EVIL, (EVIL, EVIL))
    rows = tuple(
        Row(EVIL + str(i), {"A": value(0.2), "B": value(0.9)}, (difference,)) for i in range(9)
    )
    curve = Series("A", False, tuple(Point(k, value(k / 30)) for k in range(1, 21)))
    repair = Series("repair ≤3", True, (Point(100.0, value(0.3)),))
    equal = Equal("total tokens", EVIL, "100", "2.86", "3/6", "4/6", "−1/6", "")
    budget = Budget("A", EVIL, EVIL, EVIL, (EVIL, EVIL), {"total tokens": (repair, curve)},
                    {"money": EVIL}, (equal, equal))  # fmt: skip
    flips = tuple(
        Flip(EVIL, EVIL, EVIL, EVIL, ("passed", EVIL), "B", False, (1, 2)) for _ in range(60)
    )
    return Comparison(
        sides, (Block(EVIL, True, EVIL, EVIL, rows),), (EVIL, EVIL), flips,
        {(EVIL, "B"): Counts(1, 2, 3, 4)}, {EVIL: (curve, repair)}, (budget,),
        {EVIL: tuple(ProblemRow(EVIL, {EVIL: ((1, 2), None)}) for _ in range(70))},
    )  # fmt: skip


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("view", VIEWS)
def test_compare(view: str, size: tuple[int, int]) -> None:
    page = Page(*size)
    compare.draw(page, evil_comparison(), CompareView(view=view, row=50), (3, size[1] - 1))
    assert view in whole(page)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("view", VIEWS)
def test_compare_with_nothing_in_it(view: str, size: tuple[int, int]) -> None:
    page = Page(*size)
    empty = Comparison((Side("A", "a", "m", Path("x")),), (), (), (), {}, {}, (), {})
    compare.draw(page, empty, CompareView(view=view), (3, size[1] - 1))
    assert view in whole(page)


@pytest.mark.parametrize("size", SIZES)
def test_recipes(size: tuple[int, int]) -> None:
    evil = Card(EVIL, Path(EVIL.replace("\0", "")), True, "", EVIL, EVIL, EVIL, True,
                ((EVIL, EVIL), ("stops", EVIL)), EVIL, EVIL, {"a": EVIL})  # fmt: skip
    other = Card("other", Path("x"), False, problem=EVIL, decides={"a": "b", EVIL: EVIL})
    for view in (RecipesView(at=EVIL), RecipesView(at="other"),
                 RecipesView(at=EVIL, marked=EVIL, beside="other", top=99)):  # fmt: skip
        page = Page(*size)
        recipes.draw(page, [evil, other], view, (3, size[1] - 1))
        whole(page)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("at", range(15))
def test_new(size: tuple[int, int], at: int) -> None:
    draft = Draft(dict.fromkeys(("model", "languages", "modes", "n", "name"), EVIL))
    view = NewView(at=at, option=3, options={"languages": (EVIL, "go"), "modes": ("plain", EVIL)},
                   checking=False, command=(EVIL, EVIL),
                   found=Preflight((Check(EVIL, "stops", EVIL), Check("x", "slows", EVIL)), None))  # fmt: skip
    page = Page(*size)
    new.draw(page, draft, view, None, (2, size[1] - 1))
    assert "start is held" in whole(page)


@pytest.fixture(scope="module")
def pictured(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int, int]:
    """A session with hostile diagnostics and names, and two of its units."""
    path = made.write_session(tmp_path_factory.mktemp("pictured"), "evil", languages=("java",),
                              tasks=7, n=2, repair=1)  # fmt: skip
    made.add_pictured_units(path)
    with sqlite3.connect(path / "session.db") as db:
        db.execute("UPDATE unit SET detail = ?", (EVIL,))
        db.execute("UPDATE task SET entry_point = ?", (EVIL,))
        units = [made.unit_id(db, "java", mode, "6") for mode in ("plain", "repair")]
    return path, units[0], units[1]


@pytest.mark.parametrize("size", [(60, 16), (200, 60)])
async def test_side_by_side_and_what_failed_alike(
    pictured: tuple[Path, int, int], size: tuple[int, int]
) -> None:
    path, unit, other = pictured
    async with opened(path.parent, size, first="evil") as (app, pilot):
        await pilot.press("3", "g")
        await until(pilot, lambda: "failed alike" in shown(app))
        for _ in range(2):
            rows = app.screen.canvas.rows  # type: ignore[attr-defined]
            assert all(sum(cells(t) for t, _ in row) == size[0] for row in rows)
            assert not FORBIDDEN.search(shown(app))
            app.open_beside((path, unit), (path, other))
            await until(pilot, lambda: "A C compile error" in shown(app))
