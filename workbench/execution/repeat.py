"""Judge everything several times: what isn't stable is named, and the first execution counts.

The rule: the outcome that counts is that of the first execution which the sandbox didn't lose.
Where another execution of the same program came to another outcome, the execution is flagged
`unstable`, and all outcomes stand in `Execution.outcomes`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from workbench.execution.judge import Judge, SlotCounts
from workbench.execution.program import Execution, Limits, Program
from workbench.outcomes import Flag


class Repeated:
    """A `Judge` that executes each program several times.

    The judge behind it must not take one program's execution for another's: open its pool with
    `reuse=False`.
    """

    def __init__(self, judge: Judge, times: int) -> None:
        """Execute everything `times` times in `judge`."""
        self._judge = judge
        self._times = times
        self.sandbox = judge.sandbox

    async def execute(
        self,
        program: Program,
        *,
        limits: Mapping[str, Limits] | None = None,
        on_wait: Callable[[str], None] | None = None,
    ) -> Execution:
        """Judge one program, one execution after the other."""
        found = [
            await self._judge.execute(program, limits=limits, on_wait=on_wait)
            for _ in range(self._times)
        ]
        return settle(found)

    def slots(self) -> Mapping[str, SlotCounts]:
        """How busy each language is now."""
        return self._judge.slots()

    def set_slots(self, language: str, slots: int) -> None:
        """Change how many programs of a language run at once."""
        self._judge.set_slots(language, slots)

    async def manifest(self, language: str) -> Mapping[str, object]:
        """The toolchain manifest of a language."""
        return await self._judge.manifest(language)


def settle(found: list[Execution]) -> Execution:
    """The execution that counts, out of one or more of the same program."""
    scored = [execution for execution in found if execution.outcome.scored]
    counted = scored[0] if scored else found[0]
    flags = counted.flags
    if len({execution.outcome for execution in scored}) > 1:
        flags = (*flags, Flag.UNSTABLE.value)
    return replace(
        counted,
        flags=flags,
        outcomes=tuple(execution.outcome.value for execution in found),
        queued_s=sum(execution.queued_s for execution in found),
        retried=sum(execution.retried for execution in found),
    )
