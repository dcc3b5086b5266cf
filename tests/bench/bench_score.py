"""What scoring costs the host process beside the sandbox: CPU time and memory a sample.

    python tests/bench/bench_score.py [SAMPLES_A_TASK]

164 tasks × 200 samples of a made benchmark, read from a file, assembled, looked at for tricks and
counted, with a judge that answers at once. Exits with 1 when a sample costs more than half a
millisecond, or when memory grows with the number of samples.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from pathlib import Path
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from workbench.benchmarks.task import Task
from workbench.execution.judge import SlotCounts
from workbench.execution.program import Clip, Execution, Program, StepReport
from workbench.outcomes import Outcome
from workbench.samples import candidates_from
from workbench.scoring import ScoreRow, score_each

TASKS = 164
LIMIT_MS = 0.5
GROWTH_MB = 16


class AtOnce:
    """Says passed at once, and hashes the program as a pool would."""

    sandbox = "none"

    async def execute(self, program: Program, **_: Any) -> Execution:
        await asyncio.sleep(0)
        program.digest()
        step = StepReport("run", 0, None, 0.01, 0.01, 10.0, Clip("x" * 5_000, "", 5_000), Clip())
        return Execution(Outcome.PASSED, "", (step,), sandbox=self.sandbox)

    def slots(self) -> dict[str, SlotCounts]:
        return {"python": SlotCounts(2, 0, 0)}


def task(number: int) -> Task:
    test = "\n".join(f"    assert candidate({i}) == {i + number}" for i in range(8))
    return Task(
        benchmark="made", family="humaneval", id=f"HumanEval/{number}", problem=str(number),
        language="python", entry_point=f"f{number}", reference=f"    return x + {number}\n",
        prompt=f'def f{number}(x: int) -> int:\n    """ Add {number} to x.\n    >>> f(1)\n    """\n',
        test=f"\ndef check(candidate):\n{test}\n",
    )  # fmt: skip


def memory_mb() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4 // 1024


def main() -> int:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    tasks = [task(i) for i in range(TASKS)]
    seen: list[int] = []

    def take(position: int, row: ScoreRow) -> None:
        if position % 2_000 == 0:
            seen.append(memory_mb())

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "samples.jsonl"
        with path.open("w") as out:
            for one in tasks:
                for i in range(n):
                    body = "".join(f"    y{j} = x * {j} + {i}\n" for j in range(12))
                    print(
                        json.dumps({"task_id": one.id, "completion": body + one.reference}),
                        file=out,
                    )
        began = process_time()
        found = candidates_from(path, tasks)
        read = process_time() - began
        asyncio.run(score_each(AtOnce(), tasks, found, take))  # type: ignore[arg-type]
        spent = process_time() - began
    each = 1000 * spent / found.total
    growth = seen[-1] - seen[0]
    print(f"{found.total} samples: {each:.3f} ms CPU each, {1000 * read / found.total:.3f} of it "
          f"reading the file once; memory {seen[0]} to {seen[-1]} MB")  # fmt: skip
    return int(each > LIMIT_MS or growth > GROWTH_MB)


if __name__ == "__main__":
    sys.exit(main())
