"""A number ready to be shown: made from a `Measurement` and from nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.report import numbers

if TYPE_CHECKING:
    from workbench.metrics.measurement import Measurement

FIELD = 11
"""Cells of a value in a narrow column: `~31.2 ±14.8`."""
ROOMY = 16
"""Cells in which a lopsided interval shows both its sides: `~4.9 −2.4 +4.6`."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One measured value of one cell, with what must stand beside it."""

    metric: str
    """In full: `pass@1`, `solved@≤3`."""
    short: str
    """For narrow columns: `g.pass@1`, `slv≤3`."""
    field: str
    """The value in eleven cells, decimal points aligned: `~31.2 ±3.6`."""
    roomy: str
    """The same in up to sixteen cells."""
    text: str
    """The value in a sentence."""
    value: float | None
    """0 to 1, for drawing on an axis; `None` when not estimable or not a share."""
    low: float | None
    high: float | None
    complete: bool
    """Every planned unit is scored or lost: shown bold and without `~`."""
    label: str
    """The whole label."""
    note: str = ""
    """Why it can't be estimated: `not estimable: n 5 < k 10`."""
    suspicious: str = ""
    """Why the value looks like a fault of the set-up; empty when it doesn't."""
    flags: str = ""
    """Units that carry a flag, counted in words: `3 suspect`; empty when none does."""
    footing: str = ""
    """What lost units could have changed, in words; empty when none is lost."""

    @property
    def bold(self) -> bool:
        """A value that stands: complete, and estimable."""
        return self.complete and not self.note


def reading(measured: Measurement) -> Reading:
    """Make a measurement ready to be shown."""
    share = measured.metric.is_share
    found = measured.interval if share else None
    footing = ""
    if measured.bounds is not None:
        low, high = (numbers.percent_digits(b) for b in measured.bounds)
        footing = f"{low}–{high} whatever the lost ones had been"
    return Reading(
        metric=str(measured.metric),
        short=measured.metric.short(),
        field=numbers.cell(measured, FIELD),
        roomy=numbers.cell(measured, ROOMY).rstrip(),
        text=numbers.value(measured),
        value=measured.value if share else None,
        low=found.low if found else None,
        high=found.high if found else None,
        complete=not measured.provisional,
        label=str(measured.label),
        note=numbers.missing(measured),
        suspicious=measured.suspicious,
        flags=numbers.flags(measured),
        footing=footing,
    )
