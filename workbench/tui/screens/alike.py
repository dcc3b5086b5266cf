"""What failed alike: the failures of a board by diagnostic, the most frequent first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.text import clean_line
from workbench.tui import actions
from workbench.tui.draw.frame import NARROW, Frame
from workbench.tui.draw.glyphs import mark
from workbench.tui.draw.ink import Page, Zone
from workbench.tui.model.board import Shared, shared
from workbench.tui.screens.base import Place, bindings

if TYPE_CHECKING:
    from workbench.tui.screens.tasks import TasksScreen


class AlikeScreen(Place):
    """Rows of Tasks by what they failed with."""

    SCOPE = "alike"
    TITLE_OF_HELP = "What failed alike"
    ABOUT = "A row is a diagnostic, over the problems that Tasks shows."
    BINDINGS = bindings("alike", actions.EVERYWHERE)

    def __init__(self, board: TasksScreen) -> None:
        super().__init__()
        self._board = board
        self._cursor = 0
        self._made: tuple[object, list[Shared]] | None = None

    def rows(self) -> list[Shared]:
        """The diagnostics, made again when units changed."""
        model = self._board.model
        if model is None:
            return []
        problems = self._board.rows()
        key = (id(model), model.units_version, id(problems))
        if self._made is None or self._made[0] != key:
            self._made = (key, shared(model, problems))
        return self._made[1]

    def state_of_data(self) -> tuple[object, ...]:
        """Repaint when units change."""
        model = self._board.model
        return (id(model), model.units_version if model else 0)

    def frame(self) -> Frame:
        """How many there are."""
        rows = self.rows()
        failed = sum(r.units for r in rows)
        mode = clean_line(self._board.view.mode)
        return Frame(
            "tasks",
            "What failed alike",
            f"{mode} · {len(rows)} diagnostics of {failed} failures",
            entries=actions.footer("alike", {}),
        )

    def content(self, page: Page, lines: tuple[int, int], now: float) -> None:
        """A row a diagnostic."""
        top, bottom = lines
        rows = self.rows()
        roomy = page.width >= NARROW
        head = page.row(top)
        head.put(2, "outcome", "muted")
        head.right(25, "failed", "muted")
        head.right(35, "problems", "muted")
        head.put(37, "languages", "muted")
        at = 37 + (26 if roomy else 14)
        head.put(at, "diagnostic", "muted")
        if not rows:
            page.row(top + 2).put(2, "nothing failed so far", "muted")
            return
        room = max(1, bottom - top - 1)
        cursor = min(self._cursor, len(rows) - 1)
        first = max(0, min(cursor - room // 2, len(rows) - room))
        for offset, each in enumerate(rows[first : first + room]):
            row = page.row(top + 1 + offset)
            kind = mark(each.outcome)
            here = first + offset == cursor
            row.put(2, kind.glyph, kind.tone, bold=kind.bold)
            row.put(4, kind.word, "strong" if here else "text", bold=here, width=14)
            row.right(25, str(each.units), "strong", bold=True)
            row.right(35, str(each.problems), "text")
            row.put(37, clean_line(" ".join(each.languages)), "muted", width=at - 38)
            row.put(at, clean_line(each.detail) or "–", "text", width=page.width - 2 - at)
            if here:
                row.focus(0)
            row.zones.append(Zone(0, page.width, f"row:{first + offset}"))

    def _move(self, by: int) -> None:
        self._cursor = max(0, min(len(self.rows()) - 1, self._cursor + by))

    def do_down(self) -> None:
        """Next diagnostic."""
        self._move(1)

    def do_up(self) -> None:
        """Previous diagnostic."""
        self._move(-1)

    def do_page_down(self) -> None:
        """Ten down."""
        self._move(10)

    def do_page_up(self) -> None:
        """Ten up."""
        self._move(-10)

    def do_first(self) -> None:
        """The most frequent."""
        self._cursor = 0

    def do_last(self) -> None:
        """The rarest."""
        self._move(len(self.rows()))

    def pressed(self, target: str) -> None:
        """A row was clicked."""
        self._cursor = int(target.partition(":")[2])

    def wheel(self, by: int, target: str) -> None:
        """The wheel moves the cursor."""
        self._move(by)

    def _focused(self) -> Shared | None:
        rows = self.rows()
        return rows[min(self._cursor, len(rows) - 1)] if rows else None

    def do_open(self) -> None:
        """Tasks, filtered to the problems that show it."""
        each = self._focused()
        if each is None:
            return
        chips = self._board.view.chips
        if each.detail:
            chips.append(f'"{each.detail}"')
        else:
            chips += [f"{language}:{each.outcome}" for language in each.languages[:1]]
        self.bench.pop_screen()

    def do_example(self) -> None:
        """A unit that shows it."""
        each = self._focused()
        if each is not None:
            self.bench.open_unit(each.example)

    def copied(self) -> str:
        """The diagnostic in full."""
        each = self._focused()
        return f"{each.units} × {each.outcome}: {each.detail}" if each else ""
