"""What the session list says of one session's results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from workbench.session.records import CellRow
from workbench.tui.model.readings import Reading


@dataclass(frozen=True, slots=True)
class Headline:
    """Values of one session, by mode and language."""

    cells: tuple[tuple[CellRow, Reading], ...]
    """Every cell with its chief reading, in planned order."""
    means: Mapping[str, Reading]
    """Mode (`plain` or recipe id) -> mean over the session's languages."""

    def modes(self) -> list[str]:
        """Modes in planned order."""
        return list(dict.fromkeys(c.recipe or c.mode for c, _ in self.cells))

    def languages(self) -> list[str]:
        """Languages in planned order."""
        return list(dict.fromkeys(c.language for c, _ in self.cells))

    def at(self, mode: str, language: str) -> Reading | None:
        """The chief reading of a cell."""
        for cell, reading in self.cells:
            if (cell.recipe or cell.mode) == mode and cell.language == language:
                return reading
        return None

    def mean(self, mode: str) -> Reading | None:
        """The mean over languages; with one language, that language's value."""
        if mode in self.means:
            return self.means[mode]
        of_mode = [r for c, r in self.cells if (c.recipe or c.mode) == mode]
        return of_mode[0] if len(of_mode) == 1 else None

    @property
    def repair(self) -> str | None:
        """The first repair mode."""
        return next((c.recipe for c, _ in self.cells if c.mode == "repair"), None)

    @property
    def has_plain(self) -> bool:
        """Whether there is a plain mode."""
        return any(c.mode == "plain" for c, _ in self.cells)

    def suspicions(self) -> list[str]:
        """A sentence for every value that looks like a fault of the set-up."""
        return [
            f"{c.language} · {c.recipe or c.mode}: {r.suspicious}"
            for c, r in self.cells
            if r.suspicious
        ]


def make(cells: Sequence[CellRow], readings: Mapping[int, Sequence[Reading]],
         means: Mapping[str, Reading]) -> Headline:  # fmt: skip
    """Put cells and their chief readings together."""
    return Headline(tuple((c, readings[c.id][0]) for c in cells if readings.get(c.id)), dict(means))
