"""Sessions beside each other, ready to be shown: what holds, what turned, what may not stand together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from workbench.tui.model.readings import Reading

LETTERS = "ABCDEFGH"
VIEWS = ("intervals", "flips", "pass@k", "budget", "problems")
UNITS: Mapping[str, str] = {
    "total tokens": "tokens", "generated tokens": "tokens written", "calls": "calls",
    "money": "dollars",
}  # fmt: skip
"""What a budget is held in -> how the axis is called; `u` goes through them."""


@dataclass(frozen=True, slots=True)
class Side:
    """One session of the comparison."""

    letter: str
    name: str
    model: str
    path: Path


@dataclass(frozen=True, slots=True)
class Difference:
    """A later session minus the first, paired, in one language and mode."""

    letter: str
    text: str
    """`+5.6 ±4.0`; empty when refused."""
    separable: bool = False
    note: str = ""
    """Why it is refused, or what could have been shown."""
    differs: tuple[str, ...] = ()
    """Material differences beside the one that is meant."""


@dataclass(frozen=True, slots=True)
class Row:
    """One language of a mode."""

    language: str
    readings: Mapping[str, Reading]
    """By letter."""
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """One mode: the only thing within which values share a column."""

    mode: str
    repair: bool
    metric: str
    data: str
    """Benchmark and suite."""
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Flip:
    """A task that one session solves and the other doesn't."""

    mode: str
    language: str
    task_id: str
    name: str
    outcomes: tuple[str, str]
    """Commonest outcome in A and in the other."""
    letter: str
    gained: bool
    units: tuple[int, int]
    """A unit of each that shows it."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many common tasks both, one or neither solve, by mode and letter."""

    both: int
    only_a: int
    only_b: int
    neither: int


@dataclass(frozen=True, slots=True)
class Point:
    """One step of a curve."""

    x: float
    reading: Reading


@dataclass(frozen=True, slots=True)
class Series:
    """A curve of one cell."""

    name: str
    repair: bool
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Equal:
    """Repair beside resampling at what an episode costs, in words and numbers already rounded."""

    unit: str
    against: str
    episode: str
    samples: str
    repair: str
    plain: str
    difference: str
    missing: str


@dataclass(frozen=True, slots=True)
class Budget:
    """One repair cell against its plain cell: curves by unit, and the paired difference."""

    letter: str
    language: str
    mode: str
    metric: str
    labels: tuple[str, str]
    curves: Mapping[str, tuple[Series, ...]]
    """Unit -> repair and resampling; a unit that isn't known is missing."""
    unknown: Mapping[str, str]
    """Unit -> why it has no curve."""
    equal: tuple[Equal, ...]


@dataclass(frozen=True, slots=True)
class ProblemRow:
    """One problem of a mode: per language passed of scored, session by session."""

    problem: str
    cells: Mapping[str, tuple[tuple[int, int] | None, ...]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that Compare shows."""

    sides: tuple[Side, ...]
    blocks: tuple[Block, ...]
    refused: tuple[str, ...]
    """Sentences: what stands beside and not in one column, and why."""
    flips: tuple[Flip, ...]
    counts: Mapping[tuple[str, str], Counts]
    """(mode, letter)."""
    curves: Mapping[str, tuple[Series, ...]]
    """Language -> pass@k of every session."""
    budgets: tuple[Budget, ...]
    problems: Mapping[str, tuple[ProblemRow, ...]]
    """By mode."""

    def block(self, number: int) -> Block | None:
        """The block with this number, round and round."""
        return self.blocks[number % len(self.blocks)] if self.blocks else None


@dataclass
class CompareView:
    """Where the cursor stands; kept while other screens are shown."""

    paths: list[Path] = field(default_factory=list[Path])
    view: str = "intervals"
    block: int = 0
    row: int = 0
    """Of the list that the view has."""
    budget: int = 0
    unit: int = 0
    line: int | None = None
    """Which point of the longest curve the vertical line stands on; `None`: the last."""
