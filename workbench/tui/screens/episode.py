"""The Episode screen: a repair episode turn by turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from workbench.tui import actions
from workbench.tui.draw import episode
from workbench.tui.draw.ink import Page
from workbench.tui.draw.panes import Box
from workbench.tui.model.pane import Pane
from workbench.tui.model.sample import SampleView
from workbench.tui.screens.base import bindings
from workbench.tui.screens.sample import SampleScreen

if TYPE_CHECKING:
    from workbench.tui.app import Workbench

EPISODE_PANES = ("feedback", "change", "program", "prompt", "answer", "output")


class EpisodeScreen(SampleScreen):
    """One episode, turn by turn."""

    SCOPE = "episode"
    TITLE_OF_HELP = "Episode"
    ABOUT = "A column is a turn; the model saw visible tests only, never the scored."
    BINDINGS = bindings("episode", actions.EVERYWHERE)
    PANES_IN_ORDER = EPISODE_PANES

    def _words(self, view: SampleView) -> dict[str, str | None]:
        words = super()._words(view)
        if view.fixed_at is None:
            words["episode.fixed"] = None
        if view.regressed_at is None:
            words["episode.regressed"] = None
        if len(view.turns) < 2:
            words["episode.next_turn"] = None
        return words

    def content(self, page: Page, lines: tuple[int, int], now: float) -> None:
        """Turn strip and panes."""
        if self.sample is None:
            super().content(page, lines, now)
            return
        episode.draw_episode(page, self.sample, self.at, lines)

    def boxes(self) -> dict[str, Box]:
        """Where panes stand below the strip."""
        top, bottom = self._lines()
        turns = len(self.sample.turns) if self.sample else 1
        strip = 3 if (self.size.width - 2) // turns >= episode.LEAST else 4
        gap = 1 if self.size.height >= episode.TALL else 0
        return episode.layout(self.size.width, (top + strip + gap, bottom), self.at.pane)

    def _finding_pane(self) -> Pane | None:
        return self._pane("change")

    def do_next_turn(self) -> None:
        """Next turn."""
        self._to_turn(self.at.turn + 1)

    def do_previous_turn(self) -> None:
        """Previous turn."""
        self._to_turn(self.at.turn - 1)

    def do_fixed(self) -> None:
        """The turn that passed first."""
        self._to_turn(self.sample.fixed_at if self.sample else None)

    def do_regressed(self) -> None:
        """The turn that broke what passed."""
        self._to_turn(self.sample.regressed_at if self.sample else None)

    def _to_turn(self, index: int | None) -> None:
        if self.sample is None or index is None:
            self.say("there is no such turn", tone="muted")
            return
        self.at.turn = max(0, min(len(self.sample.turns) - 1, index))
        self.at.finding = 0

    def pressed(self, target: str) -> None:
        """A turn or a pane was clicked."""
        kind, _, rest = target.partition(":")
        if kind == "turn":
            self._to_turn(int(rest))
        else:
            super().pressed(target)


def open_unit(app: Workbench, unit_id: int, peers: Sequence[int] = ()) -> None:
    """Push the screen of a unit onto Tasks, where samples belong."""
    opened = app.session
    unit = opened.model.units.get(unit_id) if opened else None
    if opened is None or unit is None:
        return
    if not peers:
        peers = opened.model.by_task.get((unit.cell_id, unit.task_pk), [unit_id])
    cell = next(c for c in opened.model.cells if c.id == unit.cell_id)
    app.push_screen((SampleScreen if cell.mode == "plain" else EpisodeScreen)(unit_id, peers))
