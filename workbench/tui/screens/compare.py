"""The Compare screen: sessions beside each other, and what may not stand in one column kept apart."""

from __future__ import annotations

import asyncio
from pathlib import Path

from workbench.errors import SessionError, UsageError
from workbench.text import clean_line
from workbench.tui import actions
from workbench.tui.draw import compare
from workbench.tui.draw.frame import Frame
from workbench.tui.draw.ink import Ink, Page
from workbench.tui.model.comparison import LETTERS, UNITS, VIEWS, CompareView, Comparison
from workbench.tui.model.line import InputLine
from workbench.tui.screens.base import Place, bindings


class CompareScreen(Place):
    """Which differences hold."""

    SCOPE = "compare"
    TITLE_OF_HELP = "Compare"
    ABOUT = "A is what others are set beside; a column holds what may stand together."
    BINDINGS = bindings("compare", actions.EVERYWHERE)

    def __init__(self) -> None:
        super().__init__()
        self.found: Comparison | None = None
        self._of: tuple[object, ...] = ()
        self.problem = ""
        """Why a session can't be measured; empty when all can."""
        self._version = 0

    @property
    def view(self) -> CompareView:
        """Which sessions, and where the cursor stands."""
        return self.bench.compare_view

    def state_of_data(self) -> tuple[object, ...]:
        """Measure again when the sessions changed; repaint when it is done."""
        self._look()
        return (self._version, len(self.view.paths))

    def _look(self) -> None:
        view = self.view
        if not view.paths and self.bench.session is not None:
            view.paths = [self.bench.session.model.path]
        updated = {s.path: s.updated for s in self.bench.catalogue.sessions if not s.pid}
        key = tuple((path, updated.get(path)) for path in view.paths)
        if key != self._of and view.paths:
            self._of = key
            self.run_worker(self._measure(list(view.paths)), group="compare", exclusive=True)

    async def _measure(self, paths: list[Path]) -> None:
        from workbench.tui.measuring import comparison

        try:
            self.found, self.problem = await asyncio.to_thread(comparison, paths), ""
        except SessionError as error:
            self.found, self.problem = None, str(error)
        self._version += 1
        self.paint()

    def frame(self) -> Frame:
        """Letters and names."""
        found = self.found
        sides = [f"{s.letter} {clean_line(s.name)}" for s in found.sides] if found else []
        words: dict[str, str | None] = {}
        if found is None or len(found.sides) < 2:
            words |= {"compare.open": None, "compare.remove": None}
        if self.view.view != "budget":
            words["compare.unit"] = None
        elif found is not None and (budget := compare.budget_of(found, self.view)) is not None:
            words["compare.unit"] = f"unit: {UNITS[compare.unit_of(budget, self.view)]}"
        label = ""
        if found is not None and len(found.sides) < 2:
            label = "choose a second session: a"
        kept = f"{len(found.blocks)} blocks kept apart" if found and len(found.blocks) > 1 else ""
        return Frame(
            "compare",
            "  ".join(sides) or "Compare",
            label,
            state=[(kept, Ink("muted"))] if kept else (),
            entries=actions.footer("compare", words),
        )

    def content(self, page: Page, lines: tuple[int, int], now: float) -> None:
        """The view that is chosen."""
        if self.problem:
            page.row(lines[0] + 2).put(4, clean_line(self.problem), "wrong")
        elif not self.view.paths:
            page.row(lines[0] + 2).put(4, "Choose a session: a. In Sessions c marks one.", "muted")
        elif self.found is None:
            page.row(lines[0] + 2).put(4, "Measuring …", "muted")
        else:
            compare.draw(page, self.found, self.view, lines)

    # --- cursor

    def _rows(self) -> int:
        found, view = self.found, self.view
        if found is None:
            return 0
        block = found.block(view.block)
        if view.view in ("intervals", "flips"):
            return len(compare.flips_of(found, block))
        if view.view == "problems":
            return len(found.problems.get(block.mode, ())) if block is not None else 0
        if view.view == "pass@k":
            return len(found.curves)
        return len(found.budgets)

    def _move(self, by: int) -> None:
        most = max(0, self._rows() - 1)
        if self.view.view == "budget":
            self.view.budget = max(0, min(most, self.view.budget + by))
        else:
            self.view.row = max(0, min(most, self.view.row + by))

    def do_down(self) -> None:
        """One row down; in curves the next language or cell."""
        self._move(1)

    def do_up(self) -> None:
        """One row up."""
        self._move(-1)

    def do_page_down(self) -> None:
        """Ten down."""
        self._move(10)

    def do_page_up(self) -> None:
        """Ten up."""
        self._move(-10)

    def do_first(self) -> None:
        """To the first."""
        self._move(-self._rows())

    def do_last(self) -> None:
        """To the last."""
        self._move(self._rows())

    def _points(self) -> int:
        found, view = self.found, self.view
        if found is None:
            return 0
        if view.view == "budget":
            budget = compare.budget_of(found, view)
            series = budget.curves.get(compare.unit_of(budget, view), ())[:1] if budget else ()
        else:
            series = found.curves.get(compare.language_of(found, view), ())
        return max((len(s.points) for s in series), default=0)

    def do_right(self) -> None:
        """Move the line to the next point."""
        last = self._points() - 1
        if self.view.line is not None:
            self.view.line = min(last, self.view.line + 1)

    def do_left(self) -> None:
        """Move the line to the point before."""
        last = self._points() - 1
        at = last if self.view.line is None else min(last, self.view.line)
        self.view.line = max(0, at - 1)

    def do_part(self) -> None:
        """Next view."""
        self._to_view(VIEWS[(VIEWS.index(self.view.view) + 1) % len(VIEWS)])

    def do_part_back(self) -> None:
        """Previous view."""
        self._to_view(VIEWS[VIEWS.index(self.view.view) - 1])

    def _to_view(self, name: str) -> None:
        self.view.view, self.view.row, self.view.line = name, 0, None

    def do_budget(self) -> None:
        """Repair against resampling."""
        self._to_view("intervals" if self.view.view == "budget" else "budget")

    def do_mode(self) -> None:
        """The next block."""
        self.view.block += 1
        self.view.row = 0

    def do_unit(self) -> None:
        """What the axis of the budget is counted in."""
        self.view.unit += 1
        self.view.line = None

    def pressed(self, target: str) -> None:
        """A view or a row was clicked."""
        kind, _, rest = target.partition(":")
        if kind == "view":
            self._to_view(rest)
        elif kind == "flip":
            self.view.row = int(rest)

    def wheel(self, by: int, target: str) -> None:
        """The wheel moves the cursor."""
        self._move(by)

    # --- sessions

    def do_add(self) -> None:
        """Choose a further session."""
        names = [s.path.name for s in self.bench.catalogue.sessions
                 if s.state != "unreadable" and s.path not in self.view.paths]  # fmt: skip
        if not names or len(self.view.paths) == len(LETTERS):
            raise UsageError("there is no further session to set beside")
        self.line = InputLine("beside", "", self._add, "enter takes the first", names, only=True)

    def _add(self, name: str) -> None:
        path = next((s.path for s in self.bench.catalogue.sessions if s.path.name == name), None)
        if path is None:
            raise UsageError(f"no session {name!r}")
        self.view.paths.append(path)

    def do_remove(self) -> None:
        """Take the last session away."""
        if len(self.view.paths) > 1:
            self.view.paths.pop()
            self.view.row = 0

    def do_open(self) -> None:
        """A unit of each session that shows the flip, side by side."""
        found = self.found
        flips = compare.flips_of(found, found.block(self.view.block)) if found else []
        if found is None or not flips or self.view.view not in ("intervals", "flips"):
            self.say("nothing turned here", tone="muted")
            return
        flip = flips[min(self.view.row, len(flips) - 1)]
        other = found.sides[LETTERS.index(flip.letter)].path
        self.bench.open_beside(
            (found.sides[0].path, flip.units[0]), (other, flip.units[1]), "compare"
        )

    def copied(self) -> str:
        """What is shown, each value with its label."""
        found = self.found
        block = found.block(self.view.block) if found else None
        if found is None or block is None:
            return ""
        lines = [f"{s.letter} {s.name} ({s.model})" for s in found.sides]
        for row in block.rows:
            lines += [f"{row.language} {k}: {r.text}  {r.label}" for k, r in row.readings.items()]
            lines += [f"{row.language} {d.letter}−A: {d.text or d.note}" for d in row.differences]
        return "\n".join([*lines, *found.refused])
