"""The Tasks screen: find the task that tells something, and its samples."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events

from workbench.outcomes import Outcome
from workbench.text import clean_line
from workbench.tui import actions
from workbench.tui.draw import tasks
from workbench.tui.draw.frame import NARROW, Frame, chips
from workbench.tui.draw.ink import Ink, Page, Run
from workbench.tui.model import board as boards
from workbench.tui.model.board import Board, BoardView, Problem
from workbench.tui.model.session import SessionModel
from workbench.tui.screens.base import Place, bindings


class TasksScreen(Place):
    """The board."""

    SCOPE = "tasks"
    TITLE_OF_HELP = "Tasks: the board"
    ABOUT = "A row is a problem, a column a language, the number counts passed samples."
    BINDINGS = bindings("tasks", actions.EVERYWHERE)

    def __init__(self) -> None:
        super().__init__()
        self._board: tuple[tuple[object, ...], Board] | None = None
        self._rows: tuple[tuple[object, ...], list[Problem]] | None = None

    @property
    def view(self) -> BoardView:
        """Where the cursor stands in this session."""
        return self.bench.board_view

    @property
    def model(self) -> SessionModel | None:
        """The session at hand."""
        return self.bench.session.model if self.bench.session else None

    # --- what is shown

    def board(self) -> Board | None:
        """The board of the present mode; made again when units changed."""
        model = self.model
        if model is None or not model.cells:
            return None
        if self.view.mode not in model.modes:
            self.view.mode = model.modes[0]
        key = (id(model), model.units_version, len(model.tasks), self.view.mode)
        if self._board is None or self._board[0] != key:
            self._board = (key, boards.build(model, self.view.mode))
        board = self._board[1]
        if self.view.language not in board.languages and board.languages:
            self.view.language = board.languages[0]
        return board

    def terms(self) -> list[str]:
        """Chips, and words as they are typed."""
        return [*self.view.chips, *(self.typed or "").split()]

    def rows(self) -> Sequence[Problem]:
        """Problems that match, sorted."""
        board, model = self.board(), self.model
        if board is None or model is None:
            return []
        key = (id(board), tuple(self.terms()), self.view.sort)
        if self._rows is None or self._rows[0] != key:
            self._rows = (key, boards.select(model, board, self.terms(), self.view.sort))
        return self._rows[1]

    def problem(self) -> Problem | None:
        """The problem under the cursor."""
        rows = self.rows()
        return next(
            (p for p in rows if (p.benchmark, p.id) == self.view.problem), rows[0] if rows else None
        )

    def state_of_data(self) -> tuple[object, ...]:
        """Repaint when the session changes."""
        model = self.model
        return (id(model), model.version if model else 0)

    def frame(self) -> Frame:
        """Name, what a cell means, how many problems match."""
        board, model = self.board(), self.model
        if board is None or model is None:
            return Frame("tasks", "Tasks", "no session at hand" if model is None else "reading …")
        rows = self.rows()
        filtered = bool(self.view.chips) or self.typed is not None
        state: list[Run] = (
            [(str(len(rows)), Ink("accent", True)), (f" of {len(board.problems)} problems", Ink("muted"))]
            if filtered
            else [(str(len(rows)), Ink("strong", True)), (" problems", Ink("muted"))]
        )  # fmt: skip
        hint = boards.complete(board, self.typed) if self.typed is not None else ""
        words: dict[str, str | None] = {}
        if len(model.modes) < 2:
            words["tasks.mode"] = None
        if not self.view.chips:
            words["tasks.widen"] = None
        if self.view.part == "samples":
            words["tasks.open"] = "open"
        return Frame(
            "tasks",
            clean_line(model.name),
            self._label(board),
            state=state,
            filter=self._filter(hint) if filtered else None,
            entries=actions.footer("tasks", words),
            back="board" if self.view.part == "samples" else "back",
        )

    def _filter(self, hint: str) -> list[Run]:
        if self.typed is None:
            return chips(self.view.chips, None, "backspace takes the last away")
        runs = chips(self.view.chips, clean_line(self.typed))
        if hint:
            runs[-1:-1] = [(hint, Ink("faint"))]
        return [*runs, ("  language:outcome or words; tab completes, enter keeps", Ink("faint"))]

    def _label(self, board: Board) -> str:
        narrow = self.size.width < NARROW
        kind = "plain" if board.mode == "plain" else f"repair {clean_line(board.mode)}"
        unit = "samples" if board.mode == "plain" else "episodes"
        if board.n == 1:
            return f"{kind} n=1 · each cell: the outcome of its one {unit[:-1]}"
        word = "passed" if board.mode == "plain" else "solved"
        if narrow:
            return f"{kind} · {word} of {board.n} and the commonest failure"
        return f"{kind} n={board.n} · each cell: {word} of {board.n}, its {unit} by outcome"

    def content(self, page: Page, lines: tuple[int, int], now: float) -> None:
        """The board, or why it is empty."""
        board, model = self.board(), self.model
        if board is None or model is None:
            page.row(lines[0] + 2).put(4, "Choose a session: 1.", "muted")
            return
        rows = self.rows()
        if not rows:
            self._empty(page, lines[0] + 2, board)
            return
        tasks.draw(page, model, board, rows, self.view, lines)

    def _empty(self, page: Page, y: int, board: Board) -> None:
        if not board.problems:
            page.row(y).put(4, "Nothing is planned in this mode yet.", "muted")
            return
        terms = " and ".join(f"`{clean_line(t)}`" for t in self.terms())
        text = f"No problem matches {terms}."
        if self.view.chips:
            text += f" backspace takes `{clean_line(self.view.chips[-1])}` away."
        page.row(y).put(4, text, "text", width=page.width - 6)

    # --- cursor

    def _move(self, by: int) -> None:
        rows, view = self.rows(), self.view
        problem = self.problem()
        if problem is None:
            return
        if view.part == "samples":
            units = problem.cells.get(view.language, ())
            view.sample = max(0, min(len(units) - 1, view.sample + by))
            return
        at = max(0, min(len(rows) - 1, rows.index(problem) + by))
        view.problem = (rows[at].benchmark, rows[at].id)
        view.sample = 0

    def _sideways(self, by: int) -> None:
        board, view = self.board(), self.view
        if board is not None and board.languages:
            at = board.languages.index(view.language) + by
            view.language = board.languages[max(0, min(len(board.languages) - 1, at))]
            view.sample = 0

    def do_down(self) -> None:
        """One row down."""
        self._move(1)

    def do_up(self) -> None:
        """One row up."""
        self._move(-1)

    def do_page_down(self) -> None:
        """A page down."""
        self._move(max(1, self.size.height - 12))

    def do_page_up(self) -> None:
        """A page up."""
        self._move(-max(1, self.size.height - 12))

    def do_first(self) -> None:
        """To the first."""
        self._move(-1_000_000)

    def do_last(self) -> None:
        """To the last."""
        self._move(1_000_000)

    def do_left(self) -> None:
        """The language to the left."""
        self._sideways(-1)

    def do_right(self) -> None:
        """The language to the right."""
        self._sideways(1)

    def do_next(self) -> None:
        """The next problem with a failure in this language."""
        self._failure(1)

    def do_previous(self) -> None:
        """The previous problem with a failure in this language."""
        self._failure(-1)

    def _failure(self, by: int) -> None:
        rows, problem = self.rows(), self.problem()
        if problem is None:
            return
        at = rows.index(problem) + by
        while 0 <= at < len(rows):
            tally = rows[at].tallies.get(self.view.language)
            if tally is not None and tally.commonest_failure() is not None:
                self.view.problem = (rows[at].benchmark, rows[at].id)
                self.view.sample = 0
                return
            at += by
        self.say("no more failures this way", tone="muted")

    def pressed(self, target: str) -> None:
        """A cell or a sample was clicked."""
        kind, _, rest = target.partition(":")
        rows = self.rows()
        if kind == "unit":
            self.view.part, self.view.sample = "samples", int(rest)
        elif kind == "task" and rows:
            y, _, language = rest.partition(":")
            first = self._first_row()
            at = self.view.top + int(y) - first
            if 0 <= at < len(rows):
                self.view.problem = (rows[at].benchmark, rows[at].id)
                self.view.part = "board"
                if language:
                    self.view.language = language

    def _first_row(self) -> int:
        frame = self.frame()
        page = Page(*self.size)
        frame.draw(page)
        tall = page.height >= tasks.TALL and page.width >= NARROW
        return frame.lines[0] + (2 if tall else 1)

    def wheel(self, by: int, target: str) -> None:
        """The wheel moves the cursor of the part under it."""
        self._move(by)

    # --- filter, sort, mode

    def do_filter(self) -> None:
        """Type a filter."""
        self.typed = ""

    def typing(self, text: str) -> None:
        """The cursor stays on its problem, if that still matches."""
        self.view.sample = 0

    def done_typing(self, *, kept: bool, text: str) -> None:
        """Enter makes the words chips."""
        if kept:
            self.view.chips += text.split()

    def do_part(self) -> None:
        """Board or samples."""
        self.view.part = "samples" if self.view.part == "board" else "board"

    def _type(self, event: events.Key) -> bool:
        if event.key == "tab" and self.typed is not None:
            board = self.board()
            if board is not None:
                self._typed(self.typed + boards.complete(board, self.typed))
            return True
        return super()._type(event)

    def do_like(self) -> None:
        """Filter to rows whose cell in this language is like this one."""
        self._chip("")

    def do_unlike(self) -> None:
        """Filter to rows whose cell in this language is not like this one."""
        self._chip("-")

    def _chip(self, sign: str) -> None:
        problem = self.problem()
        tally = problem.tallies.get(self.view.language) if problem else None
        outcome = boards.commonest(tally) if tally else None
        if outcome is None:
            self.say("this cell has no outcome yet", tone="muted")
            return
        chip = f"{sign}{self.view.language}:{outcome}"
        if chip not in self.view.chips:
            self.view.chips.append(chip)

    def do_widen(self) -> None:
        """Take the last chip away."""
        if self.view.chips:
            self.view.chips.pop()

    def do_group(self) -> None:
        """What failed alike, over the problems that are shown."""
        from workbench.tui.screens.alike import AlikeScreen

        self.bench.push_screen(AlikeScreen(self))

    def do_sort(self) -> None:
        """Fewest passed first in this column; again: most; again: planned order."""
        view = self.view
        if view.sort == view.language:
            view.sort = f"-{view.language}"
        elif view.sort == f"-{view.language}":
            view.sort = ""
        else:
            view.sort = view.language
        how = "planned order" if not view.sort else (
            f"{view.language}, {'most' if view.sort.startswith('-') else 'fewest'} passed first"
        )  # fmt: skip
        self.say(f"sorted: {how}", tone="muted")

    def do_mode(self) -> None:
        """Next mode."""
        model = self.model
        if model is not None and model.modes:
            at = model.modes.index(self.view.mode) if self.view.mode in model.modes else 0
            self.view.mode = model.modes[(at + 1) % len(model.modes)]
            self.view.sample = 0

    # --- doing

    def do_open(self) -> None:
        """From the board to the cell's samples; from there, or with one sample, to the sample."""
        problem, view = self.problem(), self.view
        units = problem.cells.get(view.language, ()) if problem else ()
        if not units:
            return
        if view.part == "board" and len(units) > 1:
            view.part = "samples"
            view.sample = self._first_failure(units)
            return
        self.bench.open_unit(units[min(view.sample, len(units) - 1)], units)

    def _first_failure(self, units: Sequence[int]) -> int:
        model = self.model
        for number, unit in enumerate(units):
            outcome = model.units[unit].outcome if model else None
            if outcome not in (None, Outcome.PASSED):
                return number
        return 0

    def do_back(self) -> None:
        """Samples to board, then up."""
        if self.view.part == "samples":
            self.view.part = "board"
        else:
            self.bench.back()

    def copied(self) -> str:
        """The focused cell in words."""
        problem, board = self.problem(), self.board()
        tally = problem.tallies.get(self.view.language) if problem else None
        if problem is None or tally is None or board is None or self.model is None:
            return ""
        task = problem.task_ids.get(self.view.language, problem.id)
        labels = {
            r.label
            for c in self.model.cell(self.view.language, board.mode)
            for r in self.model.readings.get(c.id, ())[:1]
        }
        word = "passed" if board.mode == "plain" else "solved"
        return f"{task}: {tally.passed} of {tally.planned} {word}  {' '.join(labels)}"
