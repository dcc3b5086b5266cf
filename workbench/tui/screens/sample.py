"""The Sample and Episode screens: read one unit down to the compiler's line."""

from __future__ import annotations

import asyncio
import os
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from workbench.errors import SessionError, UsageError
from workbench.session.records import UnitRow
from workbench.text import clean_line
from workbench.tui import actions
from workbench.tui.draw import sample
from workbench.tui.draw.frame import NARROW, Frame
from workbench.tui.draw.glyphs import mark
from workbench.tui.draw.ink import Ink, Page, Run
from workbench.tui.draw.panes import Box, body_width
from workbench.tui.draw.sample import UnitView
from workbench.tui.model.feed import DAMAGED, damage
from workbench.tui.model.line import InputLine
from workbench.tui.model.pane import Pane
from workbench.tui.model.sample import SampleView, build, copied, others
from workbench.tui.screens.base import Place, bindings

PANES = ("program", "prompt", "answer", "output")


class SampleScreen(Place):
    """One sample."""

    SCOPE = "sample"
    TITLE_OF_HELP = "Sample"
    ABOUT = "The program as it ran: the model's lines in full tone, assembly's muted."
    BINDINGS = bindings("sample", actions.EVERYWHERE)
    PANES_IN_ORDER: Sequence[str] = PANES

    def __init__(self, unit_id: int, peers: Sequence[int]) -> None:
        super().__init__()
        self.unit_id = unit_id
        self.peers = list(peers) or [unit_id]
        self.at = UnitView(pane=self.PANES_IN_ORDER[0])
        self.sample: SampleView | None = None
        self._problem = ""
        self._loads = 0
        self._seen_change = -1

    # --- what is shown

    def on_mount(self) -> None:
        """Read the unit."""
        self.load()

    def load(self) -> None:
        """Read the unit's turns and make the panes, off the loop."""
        self.run_worker(partial(self._load, self.unit_id), group="sample", exclusive=True)

    async def _load(self, unit_id: int) -> None:
        opened = self.bench.session
        if opened is None:
            return
        model = opened.model
        unit = model.units.get(unit_id)
        if unit is None:
            self._problem = "this sample isn't in the session any more"
            self.paint()
            return
        self._seen_change = unit.change
        cell = next(c for c in model.cells if c.id == unit.cell_id)
        found = model.readings.get(cell.id, ())
        label = found[0].label if found else ""
        try:
            turns = await opened.feed.turns(unit_id)
            view = await asyncio.to_thread(
                build, unit, cell, model.tasks[unit.task_pk], turns, label
            )
        except SessionError as error:
            self._problem = str(error)
            self.paint()
            return
        except DAMAGED as error:
            self._problem = damage(model.name, error)
            self.paint()
            return
        if unit_id == self.unit_id:
            self._show(view)

    def _show(self, view: SampleView) -> None:
        fresh = self.sample is None or self.sample.unit.id != view.unit.id
        self.sample = view
        self._loads += 1
        if fresh:
            self.at = UnitView(turn=len(view.turns) - 1, pane=self.at.pane)
            self.call_after_refresh(self._to_first_finding)
        else:
            self.at.turn = min(self.at.turn, len(view.turns) - 1)
        self.paint()

    def _to_first_finding(self) -> None:
        pane = self._pane("program")
        if pane is not None and pane.findings:
            self.at.finding = 0
            self._show_finding("program", pane.findings[0])
        self.paint()

    def state_of_data(self) -> tuple[object, ...]:
        """Repaint when loaded; load again when the unit changed."""
        unit = self._row()
        if unit is not None and unit.change != self._seen_change:
            self.load()
        return (self.unit_id, self._loads, self._problem)

    def _row(self) -> UnitRow | None:
        opened = self.bench.session
        return opened.model.units.get(self.unit_id) if opened else None

    def frame(self) -> Frame:
        """Task, where it stands among its peers, the outcome."""
        view = self.sample
        if view is None:
            return Frame("tasks", "Sample", clean_line(self._problem) or "reading …")
        return Frame(
            "tasks",
            clean_line(f"{view.task.task_id} {view.task.entry_point}"),
            self._label(view),
            state=self._outcome(view),
            entries=actions.footer(self.SCOPE, self._words(view)),
        )

    def _label(self, view: SampleView) -> str:
        narrow = self.size.width < NARROW
        number = self.peers.index(self.unit_id) + 1 if self.unit_id in self.peers else 1
        kind = view.cell.unit_kind
        which = f"{kind[0]}{number} of {len(self.peers)}" if narrow else (
            f"{kind} {number} of {len(self.peers)}"
        )  # fmt: skip
        mode = "plain" if kind == "sample" else f"repair {view.cell.recipe}"
        if narrow and kind == "episode":
            mode = "repair"
        session = self.bench.session
        parts = [view.cell.language, mode, which]
        if not narrow and session is not None:
            parts.append(session.model.name)
        return clean_line(" · ".join(parts))

    def _outcome(self, view: SampleView) -> list[Run]:
        unit = view.unit
        kind = mark(unit.outcome)
        word = kind.word
        if view.episode and unit.outcome == "passed" and unit.solved_turn:
            word = f"solved at turn {unit.solved_turn}"
        elif unit.outcome is None:
            word = "in flight" if unit.turns else "planned"
        return [(f"{kind.glyph} {word}", Ink(kind.tone, True))]

    def _words(self, view: SampleView) -> dict[str, str | None]:
        words: dict[str, str | None] = {}
        scope = self.SCOPE
        if len(self.peers) < 2:
            words[f"{scope}.next_unit"] = None
        pane = self._finding_pane()
        if pane is None or not pane.findings:
            words[f"{scope}.next_finding"] = None
        return words

    def content(self, page: Page, lines: tuple[int, int], now: float) -> None:
        """Panes."""
        if self.sample is None:
            if self._problem:
                page.row(lines[0] + 2).put(4, clean_line(self._problem), "wrong")
            return
        sample.draw_sample(page, self.sample, self.at, lines)

    # --- panes

    def boxes(self) -> dict[str, Box]:
        """Where panes stand now."""
        return sample.layout(self.size.width, self._lines(), self.at.pane)

    def _lines(self) -> tuple[int, int]:
        frame = self.frame()
        frame.draw(Page(*self.size))
        return frame.lines

    def _pane(self, name: str) -> Pane | None:
        return self.sample.turns[self.at.turn].panes.get(name) if self.sample else None

    def _finding_pane(self) -> Pane | None:
        return self._pane("program")

    def _scroll(self, by: int) -> None:
        pane, box = self._pane(self.at.pane), self.boxes().get(self.at.pane)
        if pane is not None and box is not None:
            state = self.at.state(self.at.pane)
            state.scroll(by, len(state.lay(pane, body_width(box, pane))), box.height)

    def _height(self) -> int:
        box = self.boxes().get(self.at.pane)
        return box.height if box else 10

    def do_down(self) -> None:
        """Scroll down."""
        self._scroll(1)

    def do_up(self) -> None:
        """Scroll up."""
        self._scroll(-1)

    def do_page_down(self) -> None:
        """Scroll a page down."""
        self._scroll(self._height())

    def do_page_up(self) -> None:
        """Scroll a page up."""
        self._scroll(-self._height())

    def do_first(self) -> None:
        """To the beginning."""
        self._scroll(-1_000_000)

    def do_last(self) -> None:
        """To the end."""
        self._scroll(1_000_000)

    def do_left(self) -> None:
        """Scroll left."""
        state = self.at.state(self.at.pane)
        state.left = max(0, state.left - 8)

    def do_right(self) -> None:
        """Scroll right."""
        self.at.state(self.at.pane).left += 8

    def do_part(self) -> None:
        """Next pane."""
        self._turn_pane(1)

    def do_part_back(self) -> None:
        """Previous pane."""
        self._turn_pane(-1)

    def _turn_pane(self, by: int) -> None:
        names = list(self.PANES_IN_ORDER)
        at = names.index(self.at.pane) if self.at.pane in names else 0
        self.at.pane = names[(at + by) % len(names)]

    def do_prompt(self) -> None:
        """The prompt."""
        self.at.pane = "prompt"

    def do_answer(self) -> None:
        """The answer."""
        self.at.pane = "answer"

    def do_wrap(self) -> None:
        """Wrap or cut long lines of the pane."""
        pane = self._pane(self.at.pane)
        if pane is not None:
            state = self.at.state(self.at.pane)
            state.wrap = not (pane.wrap if state.wrap is None else state.wrap)

    def do_next_finding(self) -> None:
        """Next diagnostic."""
        self._find(1)

    def do_previous_finding(self) -> None:
        """Previous diagnostic."""
        self._find(-1)

    def _find(self, by: int) -> None:
        pane = self._finding_pane()
        if pane is None or not pane.findings:
            self.say("nothing is pointed at", tone="muted")
            return
        self.at.pane = pane.name
        self.at.finding = (self.at.finding + by) % len(pane.findings)
        self._show_finding(pane.name, pane.findings[self.at.finding])

    def _show_finding(self, name: str, line: int) -> None:
        pane, box = self._pane(name), self.boxes().get(name)
        if pane is not None and box is not None:
            self.at.state(name).show(pane, line, body_width(box, pane), box.height)

    def pressed(self, target: str) -> None:
        """A pane or a turn was clicked."""
        kind, _, name = target.partition(":")
        if kind == "pane" and name in self.PANES_IN_ORDER:
            self.at.pane = name

    def wheel(self, by: int, target: str) -> None:
        """The wheel scrolls the pane under it."""
        kind, _, name = target.partition(":")
        if kind == "pane" and name in self.PANES_IN_ORDER:
            self.at.pane = name
        self._scroll(3 * by)

    # --- peers

    def do_next_unit(self) -> None:
        """Next sample of the task."""
        self._sibling(1)

    def do_previous_unit(self) -> None:
        """Previous sample of the task."""
        self._sibling(-1)

    def _sibling(self, by: int) -> None:
        at = self.peers.index(self.unit_id) if self.unit_id in self.peers else 0
        if not 0 <= at + by < len(self.peers):
            self.say("no further one", tone="muted")
            return
        self.unit_id = self.peers[at + by]
        self.load()

    # --- beside

    def do_beside(self) -> None:
        """Ask which other unit of the same problem to set beside this one."""
        opened, row = self.bench.session, self._row()
        if opened is None or row is None:
            return
        choices = others(opened.model, row)
        if not choices:
            self.say("the problem has no other sample here", tone="muted")
            return
        path = opened.model.path

        def then(text: str) -> None:
            if text not in choices:
                raise UsageError(f"no other unit {text!r}")
            self.bench.open_beside((path, self.unit_id), (path, choices[text]))

        self.line = InputLine("beside", "", then, "enter takes the first", list(choices), only=True)

    # --- outside

    def do_open(self) -> None:
        """Nothing lies below a sample."""

    async def do_editor(self) -> None:
        """Open the pane's text in $EDITOR."""
        await self._outside(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")

    async def do_pager(self) -> None:
        """Open the pane's text in $PAGER."""
        await self._outside(os.environ.get("PAGER") or "less")

    async def _outside(self, command: str) -> None:
        """Show a copy of the pane's text, as stored, in another program.

        Raises:
            UsageError: the program isn't there.
        """
        pane = self._pane(self.at.pane)
        if pane is None or not pane.source:
            self.say("nothing to open here", tone="muted")
            return
        words = shlex.split(command)
        with tempfile.TemporaryDirectory(prefix="workbench-") as folder:
            file = Path(folder) / f"{pane.name}{pane.suffix}"
            file.write_text(pane.source, encoding="utf-8", errors="replace")
            if words[0] == "less" and "LESS" not in os.environ:
                words.append("-S")
            try:
                with self.bench.suspend():
                    subprocess.run([*words, str(file)], check=False)  # noqa: ASYNC221
            except OSError as error:
                raise UsageError(f"set $EDITOR or $PAGER: {error.strerror}: {words[0]}") from None
        self.bench.refresh()

    def copied(self) -> str:
        """The pane's text under what it is of."""
        pane = self._pane(self.at.pane)
        return copied(self.sample, pane) if self.sample is not None and pane is not None else ""
