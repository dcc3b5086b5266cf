"""One session as the screens see it: fed with updates, read by drawing functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workbench.outcomes import Outcome
from workbench.session.records import CellRow, EventRow, LiveSnapshot, TaskRow, UnitRow
from workbench.tui.draw.glyphs import IN_FLIGHT, PLANNED
from workbench.tui.model.readings import Reading

LOST = (Outcome.GENERATION_FAILED, Outcome.SANDBOX_ERROR)
STALE_S = 5.0
"""A snapshot older than this is shown with its age."""
EVENTS_KEPT = 2_000


@dataclass(frozen=True, slots=True)
class Update:
    """What one look at the session found; absent parts are unchanged."""

    meta: Mapping[str, Any] | None = None
    cells: Sequence[CellRow] | None = None
    tasks: Mapping[int, TaskRow] | None = None
    units: Sequence[UnitRow] = ()
    events: Sequence[EventRow] = ()
    totals: Mapping[str, Any] | None = None
    owner: int | None = None
    """Process that runs the session; 0: none does. `None`: not looked."""
    readings: Mapping[int, Sequence[Reading]] | None = None
    """By cell id, the chief metric first."""
    problem: str | None = None
    """One line when the session can't be read just now; empty when it can again."""


@dataclass(slots=True)
class Tally:
    """Units by outcome."""

    counts: dict[str, int] = field(default_factory=dict[str, int])

    def move(self, old: str | None, new: str | None, *, fresh: bool) -> None:
        """Count a unit that went from `old` to `new`."""
        if not fresh:
            self._add(old or PLANNED, -1)
        self._add(new or PLANNED, 1)

    def _add(self, key: str, by: int) -> None:
        left = self.counts.get(key, 0) + by
        if left:
            self.counts[key] = left
        else:
            self.counts.pop(key, None)

    @property
    def planned(self) -> int:
        """All units."""
        return sum(self.counts.values())

    @property
    def lost(self) -> int:
        """Units lost to infrastructure."""
        return sum(self.counts.get(key, 0) for key in LOST)

    @property
    def open(self) -> int:
        """Units without an outcome."""
        return self.counts.get(PLANNED, 0)

    @property
    def scored(self) -> int:
        """Units that count in a number."""
        return self.planned - self.lost - self.open

    @property
    def passed(self) -> int:
        """Units whose submitted program passed."""
        return self.counts.get(Outcome.PASSED, 0)

    def commonest_failure(self) -> str | None:
        """The outcome id of most units that aren't passed or open; the first in mark order wins."""
        best: str | None = None
        for key in Outcome:
            if key is not Outcome.PASSED and self.counts.get(key, 0) > (
                self.counts.get(best, 0) if best else 0
            ):
                best = key.value
        return best

    def with_flight(self, in_flight: int) -> dict[str, int]:
        """The counts, open units split into in flight and planned."""
        shown = dict(self.counts)
        flying = min(in_flight, self.open)
        if flying:
            shown[IN_FLIGHT] = flying
            shown[PLANNED] = self.open - flying
        return shown


@dataclass
class SessionModel:
    """Everything known of one session."""

    path: Path
    meta: Mapping[str, Any] = field(default_factory=dict[str, Any])
    cells: list[CellRow] = field(default_factory=list[CellRow])
    tasks: dict[int, TaskRow] = field(default_factory=dict[int, TaskRow])
    units: dict[int, UnitRow] = field(default_factory=dict[int, UnitRow])
    events: list[EventRow] = field(default_factory=list[EventRow])
    totals: Mapping[str, Any] = field(default_factory=dict[str, Any])
    readings: dict[int, Sequence[Reading]] = field(default_factory=dict[int, Sequence[Reading]])
    tallies: dict[int, Tally] = field(default_factory=dict[int, Tally])
    """By cell id."""
    by_task: dict[tuple[int, int], list[int]] = field(
        default_factory=dict[tuple[int, int], list[int]]
    )
    """(cell id, task row id) -> unit ids in the order of their index."""
    owner: int = 0
    snapshot: LiveSnapshot | None = None
    control_problem: str = ""
    """Why the running process can't be asked, one line."""
    problem: str = ""
    version: int = 0
    """Grows with every change that a screen could show."""
    units_version: int = 0
    """Grows when units change: what is made from all units is made again."""
    last_change: int = 0
    """Greatest `UnitRow.change` seen."""
    loaded: bool = False
    """Whether cells and units have been read at least once."""
    flight_by_cell: dict[int, int] = field(default_factory=dict[int, int])

    @property
    def name(self) -> str:
        """Name of the session."""
        return self.path.name

    @property
    def model(self) -> str:
        """Model id as asked for."""
        return str(self.meta.get("model", ""))

    @property
    def languages(self) -> list[str]:
        """Languages of the cells, in planned order."""
        return list(dict.fromkeys(c.language for c in self.cells))

    @property
    def modes(self) -> list[str]:
        """Modes of the cells: `plain` or a recipe id."""
        return list(dict.fromkeys(c.recipe or c.mode for c in self.cells))

    @property
    def total(self) -> Tally:
        """All units of the session, whatever their mode: for progress, never for a number."""
        whole = Tally()
        for tally in self.tallies.values():
            for key, number in tally.counts.items():
                whole.counts[key] = whole.counts.get(key, 0) + number
        return whole

    def state(self, now: float) -> str:
        """One of the states in `glyphs.STATES`."""
        if self.problem and not self.loaded:
            return "unreadable"
        if self.owner:
            if self.snapshot is None:
                return "stalled" if self.control_problem else "running"
            if now - self.snapshot.beat > STALE_S:
                return "stalled"
            return self.snapshot.state
        if not self.loaded:
            return "starting"
        whole = self.total
        return "interrupted" if whole.open or not whole.planned else "finished"

    def cell(self, language: str, mode: str) -> list[CellRow]:
        """The cells of a language in a mode (several when there are several benchmarks)."""
        return [c for c in self.cells if c.language == language and (c.recipe or c.mode) == mode]

    def apply(self, update: Update) -> None:
        """Take in what a look at the session found."""
        if update.problem is not None and update.problem != self.problem:
            self.problem = update.problem
            self.version += 1
        if update.meta is not None:
            self.meta = update.meta
            self.version += 1
        if update.cells is not None:
            self.cells = list(update.cells)
            for cell in self.cells:
                self.tallies.setdefault(cell.id, Tally())
            self.version += 1
        if update.tasks is not None:
            self.tasks = dict(update.tasks)
        if update.units:
            self._take_units(update.units)
        if update.events:
            known = self.events[-1].id if self.events else 0
            self.events.extend(e for e in update.events if e.id > known)
            del self.events[:-EVENTS_KEPT]
            self.version += 1
        if update.totals is not None:
            self.totals = update.totals
            self.version += 1
        if update.owner is not None and update.owner != self.owner:
            self.owner = update.owner
            if not update.owner:
                self.take_snapshot(None)
            self.version += 1
        if update.readings is not None:
            self.readings = dict(update.readings)
            self.version += 1
        if not self.loaded and self.cells:
            self.loaded = True
            self.version += 1

    def _take_units(self, rows: Sequence[UnitRow]) -> None:
        for row in rows:
            old = self.units.get(row.id)
            self.tallies.setdefault(row.cell_id, Tally()).move(
                old.outcome if old else None, row.outcome, fresh=old is None
            )
            if old is None:
                self.by_task.setdefault((row.cell_id, row.task_pk), []).append(row.id)
            self.units[row.id] = row
            self.last_change = max(self.last_change, row.change)
        self.units_version += 1
        self.version += 1

    def take_snapshot(self, snapshot: LiveSnapshot | None, problem: str = "") -> None:
        """Take in what the running process publishes, or that it doesn't answer."""
        self.control_problem = problem
        if snapshot is not None or not problem:
            self.snapshot = snapshot
            self.flight_by_cell = {}
            for unit in snapshot.in_flight if snapshot else ():
                self.flight_by_cell[unit.cell_id] = self.flight_by_cell.get(unit.cell_id, 0) + 1
        self.version += 1

    def tally(self, cells: Sequence[CellRow], task_pk: int | None = None) -> Tally:
        """Units of these cells, of one task or of all."""
        whole = Tally()
        for cell in cells:
            if task_pk is None:
                for key, number in self.tallies[cell.id].counts.items():
                    whole.counts[key] = whole.counts.get(key, 0) + number
            else:
                for unit in self.by_task.get((cell.id, task_pk), ()):
                    key = self.units[unit].outcome or PLANNED
                    whole.counts[key] = whole.counts.get(key, 0) + 1
        return whole
