"""Which tasks of a benchmark count: the choice, its text for labels, its exclusions with reasons."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from workbench.benchmarks.task import Task
from workbench.errors import UsageError

_RANGE = re.compile(r"(\d+)-(\d+)")
_NUMBER = re.compile(r"\d+")
_MAX_RANGE = 100_000


@dataclass(frozen=True, slots=True)
class Selection:
    """A choice of tasks; the same problems are chosen in every language."""

    chosen: tuple[str, ...] = ()
    """Items as they were given: numbers, ranges `3-7` and ids; empty for all."""
    limit: int | None = None
    """Only so many problems, the first ones."""
    excluded: Mapping[str, str] = field(default_factory=dict[str, str])
    """Reason by id or problem."""

    @property
    def whole(self) -> bool:
        """Whether every task counts."""
        return not self.chosen and self.limit is None and not self.excluded

    @property
    def text(self) -> str:
        """How a label says it: empty for the whole benchmark, else such as `0,3-7, first 5`."""
        parts = [",".join(self.chosen)] if self.chosen else []
        if self.limit is not None:
            parts.append(f"first {self.limit}")
        if self.excluded:
            parts.append("without " + ",".join(self.excluded))
        return ", ".join(parts)

    def apply(self, tasks: Sequence[Task]) -> list[Task]:
        """The tasks that count, in the order of `tasks`.

        Raises:
            UsageError: an item or exclusion names no task, or nothing is left.
        """
        names = {t.id for t in tasks} | {t.problem for t in tasks}
        wanted = self._wanted(names)
        for name in self.excluded:
            if name not in names:
                raise UsageError(f"--exclude {name}: no such task")
        kept = [
            t
            for t in tasks
            if (not self.chosen or t.id in wanted or t.problem in wanted)
            and t.id not in self.excluded
            and t.problem not in self.excluded
        ]
        if self.limit is not None:
            problems = set(list(dict.fromkeys(t.problem for t in kept))[: self.limit])
            kept = [t for t in kept if t.problem in problems]
        if not kept:
            raise UsageError("the choice of tasks leaves none")
        return kept

    def _wanted(self, names: set[str]) -> set[str]:
        wanted: set[str] = set()
        for item in self.chosen:
            span = _RANGE.fullmatch(item)
            if span is None:
                if item not in names:
                    raise UsageError(f"--tasks {item}: no such task")
                wanted.add(item)
                continue
            numbers = {str(n) for n in range(int(span[1]), int(span[2]) + 1)} & names
            if not numbers:
                raise UsageError(f"--tasks {item}: no such tasks")
            wanted |= numbers
        return wanted


WHOLE = Selection()
"""Every task of a benchmark."""


def parse_selection(
    tasks: str | None = None, limit: int | None = None, exclude: Sequence[str] = ()
) -> Selection:
    """Read the choice as the command line gives it.

    Args:
        tasks: `0,3-7` by problem number, or ids such as `CPP/0`, separated by commas.
        limit: at least 1.
        exclude: `ID=REASON` each; the reason stands in the report.

    Raises:
        UsageError: an item is none of these.
    """
    chosen = [item.strip() for item in tasks.split(",")] if tasks is not None else []
    for item in chosen:
        if not item:
            raise UsageError("--tasks: an empty item: write such as 0,3-7")
        span = _RANGE.fullmatch(item)
        if span and not 0 <= int(span[2]) - int(span[1]) <= _MAX_RANGE:
            raise UsageError(f"--tasks {item}: a range goes from the smaller number to the larger")
    if limit is not None and limit < 1:
        raise UsageError(f"--limit {limit}: must be at least 1")
    excluded: dict[str, str] = {}
    for item in exclude:
        name, equals, reason = item.partition("=")
        if not name.strip() or not equals or not reason.strip():
            raise UsageError(f"--exclude {item!r}: write ID=REASON")
        excluded[name.strip()] = reason.strip()
    numbers = [str(int(i)) if _NUMBER.fullmatch(i) else i for i in chosen]
    return Selection(tuple(dict.fromkeys(numbers)), limit, excluded)
