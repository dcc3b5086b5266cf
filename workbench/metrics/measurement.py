"""A measured value with everything from which it can't be parted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from workbench.metrics.interval import FEW_TASKS, Interval
from workbench.metrics.units import SCORED, count_flags
from workbench.protocol.label import Label
from workbench.protocol.metric import Metric

SUSPICIOUS_FROM = 100
"""From this many scored units, all alike is more likely a broken run than a fact."""


@dataclass(frozen=True, slots=True)
class TaskCounts:
    """Which tasks a value rests on."""

    planned: int
    scored: int
    """Tasks whose estimate is in the value."""
    excluded: Mapping[str, str] = field(default_factory=dict[str, str])
    """Task id -> reason, declared before the run; not among the planned."""

    @property
    def few(self) -> bool:
        """Whether they are too few for a percentage."""
        return self.planned < FEW_TASKS

    def to_json(self) -> dict[str, Any]:
        """Counts, and the exclusions with their reasons."""
        return {
            "planned": self.planned,
            "scored": self.scored,
            "excluded": len(self.excluded),
            "exclusions": dict(self.excluded),
        }


@dataclass(frozen=True, slots=True)
class UnitCounts:
    """Samples or episodes: the unit that counts, never the turn."""

    kind: Literal["sample", "episode"]
    planned: int
    scored: int
    lost: int
    """Lost to the infrastructure: neither for nor against the model."""

    @property
    def pending(self) -> int:
        """Planned, and neither scored nor lost yet."""
        return max(0, self.planned - self.scored - self.lost)

    def to_json(self) -> dict[str, Any]:
        """As exported."""
        return {
            "kind": self.kind,
            "planned": self.planned,
            "scored": self.scored,
            "lost": self.lost,
        }


@dataclass(frozen=True, slots=True)
class Measurement:
    """One number of one cell. The formatter takes this and never a bare float."""

    value: float | None
    """A share in 0..1 (mean turns: turns); `None`: not estimable, and `missing` says why."""
    interval: Interval | None
    label: Label
    metric: Metric
    fingerprint: str
    """First 12 hex digits, as in the label."""
    benchmark: str
    suite: str
    language: str
    mode: str
    """`plain` or `repair`."""
    recipe: str
    """Recipe id; empty in plain mode."""
    tasks: TaskCounts
    units: UnitCounts
    outcomes: Mapping[str, int]
    """Units by outcome, every outcome named."""
    flags: Mapping[str, int] = field(default_factory=dict[str, int])
    """Units by flag (`FLAGS`): what stands beside the number and changes nothing in it."""
    missing: str = ""
    """Why there is no value: `n 5 < k 10`."""
    notes: tuple[str, ...] = ()
    """What has to stand under the number, a line each."""
    bounds: tuple[float, float] | None = None
    """The value if every lost unit had failed, and if every one had passed; `None`: none lost."""
    ratio: tuple[int, int] | None = None
    """Rates of repair: (part, whole) over episodes, whose quotient the value is."""
    by_task: Mapping[str, float] = field(default_factory=dict[str, float], repr=False)
    """Each task's estimate: what comparisons are made from."""

    def __post_init__(self) -> None:
        if (self.value is None) != bool(self.missing):
            raise ValueError("a value is there, or the reason why it isn't")

    @property
    def provisional(self) -> bool:
        """Whether planned units are still neither scored nor lost."""
        return self.units.pending > 0

    @property
    def suspicious(self) -> str:
        """Why the value looks like a fault of the set-up; empty when it doesn't. Changes nothing."""
        if self.units.scored < SUSPICIOUS_FROM:
            return ""
        scored = {name: self.outcomes.get(name, 0) for name in SCORED}
        name = max(scored, key=lambda o: scored[o])
        if scored["passed"] == 0:
            return f"none of {self.units.scored} passed; {scored[name]} are {name}"
        if scored["passed"] == self.units.scored:
            return f"all of {self.units.scored} passed"
        return ""

    def to_json(self) -> dict[str, Any]:
        """The object of every `--json`: the same keys for every metric."""
        notes = ([f"not estimable: {self.missing}"] if self.missing else []) + list(self.notes)
        return {
            "label": str(self.label),
            "fingerprint": self.fingerprint,
            "benchmark": self.benchmark,
            "suite": self.suite,
            "language": self.language,
            "mode": self.mode,
            "recipe": self.recipe or None,
            "metric": str(self.metric),
            "k": self.metric.k,
            "turns": self.metric.turns,
            "value": self.value,
            "interval": None if self.interval is None else self.interval.to_json(),
            "tasks": self.tasks.to_json(),
            "units": self.units.to_json(),
            "outcomes": dict(self.outcomes),
            "flags": count_flags(self.flags),
            "ratio": None if self.ratio is None else list(self.ratio),
            "bounds": None if self.bounds is None else list(self.bounds),
            "notes": notes,
        }
