"""Judge a published set through the product, and compare task by task."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tests.agreement.explanations import Difference, Explanation, explains
from tests.agreement.sets import Material, PublishedSet
from workbench.execution.judge import Judge
from workbench.execution.program import Execution
from workbench.outcomes import Outcome
from workbench.samples import Sample
from workbench.scoring import score


@dataclass(frozen=True, slots=True)
class Compared:
    """What came of one set."""

    title: str
    tasks: int
    published_passes: int
    our_passes: int
    explained: Sequence[tuple[Difference, Explanation]]
    unexplained: Sequence[Difference]
    stale: Sequence[Explanation]
    """Entries of the table whose difference isn't there any more."""

    @property
    def ok(self) -> bool:
        """Whether every difference is explained, and no explanation is left over."""
        return not self.unexplained and not self.stale


async def judge_set(
    judge: Judge, which: PublishedSet, material: Material, progress: Callable[[int, int], None]
) -> dict[str, Execution]:
    """What our judge says, by task id.

    A program that must pass and doesn't is run again, at most `which.tries` times in all.
    """
    found: dict[str, Execution] = {}
    waiting: Sequence[Sample] = material.samples
    for _ in range(which.tries):
        # A few at a time, so that it can be seen how far it is.
        for start in range(0, len(waiting), 8):
            rows = await score(judge, material.tasks, waiting[start : start + 8])
            found |= {row.task.id: row.execution for row in rows}
            progress(len(found), len(material.samples))
        waiting = [s for s in waiting if found[s.task_id].outcome is not Outcome.PASSED]
    return found


def compare(
    which: PublishedSet,
    published: Mapping[str, bool],
    ours: Mapping[str, Execution],
    table: Mapping[tuple[str, str], Explanation],
) -> Compared:
    """Compare what both judges said of the tasks in `ours`."""
    differences = [
        Difference(which.name, task, published[task], execution.outcome, execution.detail)
        for task, execution in ours.items()
        if published[task] is not (execution.outcome is Outcome.PASSED)
    ]
    differing = {d.task: d for d in differences}
    explained: list[tuple[Difference, Explanation]] = []
    unexplained: list[Difference] = []
    for difference in differences:
        entry = table.get((which.name, difference.task))
        if entry is not None and explains(entry, difference):
            explained.append((difference, entry))
        else:
            unexplained.append(difference)
    return Compared(
        title=which.title,
        tasks=len(ours),
        published_passes=sum(published[task] for task in ours),
        our_passes=sum(e.outcome is Outcome.PASSED for e in ours.values()),
        explained=explained,
        unexplained=unexplained,
        stale=[
            entry
            for (name, task), entry in table.items()
            if name == which.name and task in ours and task not in differing
        ],
    )
