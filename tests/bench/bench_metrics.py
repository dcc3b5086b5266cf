"""How long all numbers of a large session take, beside the least that touching its units takes.

    python tests/bench/bench_metrics.py

A session of 164 tasks × 200 samples × 5 languages, plain and repair. Prints processor seconds and the ratio
to one bare pass over the same records, so that figures of different machines can be compared.
Exits with 1 when all plain metrics together take longer than half a second.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.metrics.cells import plain, repair
from workbench.metrics.compare import paired_difference
from workbench.metrics.measure import measure_pass_hat, measure_plain
from workbench.metrics.measure_picked import measure_picked
from workbench.metrics.measure_repair import measure_repair
from workbench.metrics.passk import per_task_pass_at_k
from workbench.metrics.repair_cell import RepairCell
from workbench.metrics.units import SCORED, TurnResult, UnitResult
from workbench.protocol.metric import MetricKind
from workbench.report.numbers import cell

TASKS, N, LANGUAGES = 164, 200, 5
LIMIT = 0.5


def samples(seed: int) -> list[UnitResult]:
    draw = random.Random(seed)
    chances = [draw.betavariate(0.4, 0.6) for _ in range(TASKS)]
    return [
        UnitResult(f"t{t}", i, "passed" if draw.random() < p else draw.choice(SCORED[1:]))
        for t, p in enumerate(chances)
        for i in range(N)
    ]


def episodes(seed: int) -> list[UnitResult]:
    draw = random.Random(seed)
    chances = [draw.betavariate(0.4, 0.6) for _ in range(TASKS)]
    return [episode(draw, f"t{t}", i, p) for t, p in enumerate(chances) for i in range(N)]


def episode(draw: random.Random, task: str, index: int, chance: float) -> UnitResult:
    turns: list[TurnResult] = []
    for _ in range(3):
        passed = draw.random() < chance
        accepted = passed or draw.random() < 0.05
        outcome = "passed" if passed else "wrong_answer"
        turns.append(TurnResult(outcome, accepted, draw.randint(50, 400), 300))
        if accepted:
            break
    return UnitResult(task, index, turns[-1].outcome, tuple(turns))


def touch(units: list[list[UnitResult]]) -> None:
    for language in units:
        for unit in language:
            _ = (unit.task, unit.index, unit.outcome)


def plain_numbers(units: list[list[UnitResult]]) -> None:
    protocol = plain(TASKS, N)
    found = [measure_plain(protocol, u, [1, 10, 100]) for u in units]
    for language in found:
        for measured in language:
            cell(measured)
    for other in found[1:]:
        paired_difference(found[0][0].by_task, other[0].by_task)


def reliability(units: list[list[UnitResult]]) -> None:
    for u in units:
        measure_pass_hat(plain(TASKS, N), u, [2, 10])


def picked(units: list[list[UnitResult]]) -> None:
    protocol = plain(TASKS, N)
    for u in units:
        scores = {(x.task, x.index): float(x.passed or x.index % 5 == 0) for x in u}
        measure_picked(protocol, u, scores, "visible-tests", [10, 100])


def repair_numbers(units: list[list[UnitResult]]) -> None:
    for u in units:
        measure_repair(repair(TASKS, N), u)


def repair_detail(units: list[list[UnitResult]]) -> None:
    protocol = repair(TASKS, N)
    for u in units:
        view = RepairCell(protocol, u)
        for turns in (1, 2, 3):
            view.solved(turns)
            view.any_turn(turns)
        for turns in (2, 3):
            view.fix_rate(turns)
        for made in (view.break_rate, view.false_accepts, view.reciprocal, view.turns_used):
            made(3)
        for budget in (200, 400, 800):
            view.solved_within(budget)
        view.of_episodes(MetricKind.ANY_EPISODE, 5, per_task_pass_at_k)


def timed(work: Callable[[], None], repeats: int = 5) -> float:
    best = float("inf")
    for _ in range(repeats):
        start = process_time()
        work()
        best = min(best, process_time() - start)
    return best


def main() -> int:
    drawn = [samples(s) for s in range(LANGUAGES)]
    trees = [episodes(s) for s in range(LANGUAGES)]
    plain_numbers([u[:100] for u in drawn])
    bare = timed(lambda: touch(drawn))
    rows = {
        "one bare pass over the units": bare,
        "pass@1, 10, 100, intervals, differences": timed(lambda: plain_numbers(drawn)),
        "pass^2, 10": timed(lambda: reliability(drawn)),
        "picked@10, 100 by visible tests": timed(lambda: picked(drawn)),
        "solved@≤1..3, any-turn": timed(lambda: repair_numbers(trees)),
        "every repair number with bootstraps": timed(lambda: repair_detail(trees), 2),
    }
    for name, seconds in rows.items():
        print(f"{seconds:8.3f} s  {seconds / bare:6.1f} ×  {name}")
    plain_rows = [seconds for name, seconds in rows.items() if "@" in name and "≤" not in name]
    plain_rows.append(rows["pass^2, 10"])
    print(f"{sum(plain_rows):8.3f} s             all plain numbers (limit {LIMIT} s)")
    return 0 if sum(plain_rows) < LIMIT else 1


if __name__ == "__main__":
    raise SystemExit(main())
