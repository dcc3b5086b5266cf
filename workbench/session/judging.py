"""The judge that a plan asks for."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from workbench.execution.judge import Judge
from workbench.execution.pool import open_pool
from workbench.execution.repeat import Repeated
from workbench.session.plan import Plan


@asynccontextmanager
async def open_judge(plan: Plan) -> AsyncGenerator[Judge]:
    """The judge that a plan asks for: its sandbox, its slots, each program as often as asked."""
    asked = plan.spec
    times = asked.repeat_judging
    # Judged several times, no program may take over what was found for another like it.
    async with open_pool(
        list(plan.languages.values()),
        asked.sandbox,
        slots=asked.slots,
        reuse=times == 1,
        warm=not asked.cold,
    ) as pool:
        yield pool if times == 1 else Repeated(pool, times)
