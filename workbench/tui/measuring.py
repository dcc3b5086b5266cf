"""Numbers for the screens: measurements of a session, and means over its languages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.session.store import SessionReader
from workbench.tui.model.headline import Headline, make
from workbench.tui.model.readings import Reading, reading

if TYPE_CHECKING:
    from workbench.tui.model.comparison import Comparison


def comparison(paths: Sequence[Path]) -> Comparison:
    """Sessions beside each other, for Compare; for a thread.

    Raises:
        SessionError: one can't be read.
    """
    from workbench.tui.comparing import compare

    return compare(paths)


def readings(reader: SessionReader) -> dict[int, list[Reading]]:
    """Every number of a session by cell id, the chief metric first.

    Slow for big sessions, and the first call imports numpy and scipy: for a thread.

    Raises:
        SessionError: the session can't be read.
    """
    from workbench.report.measure import measure_cells

    return {cell: [reading(m) for m in found] for cell, found in measure_cells(reader).items()}


def headline(path: Path) -> Headline:
    """What the session list shows of the session in folder `path`.

    Raises:
        SessionError: the session can't be read.
    """
    from workbench.report.measure import measure_cells
    from workbench.report.over_languages import mean_over_languages

    with SessionReader.open(path) as reader:
        cells = reader.cells()
        tasks = reader.tasks()
        found = measure_cells(reader)
    means: dict[str, Reading] = {}
    for mode in dict.fromkeys(c.recipe or c.mode for c in cells):
        chiefs = [
            (c, found[c.id][0])
            for c in cells
            if (c.recipe or c.mode) == mode and found.get(c.id)
        ]  # fmt: skip
        mean = mean_over_languages(chiefs, tasks)
        if mean is not None:
            means[mode] = reading(mean)
    return make(cells, {k: [reading(m) for m in v] for k, v in found.items()}, means)
