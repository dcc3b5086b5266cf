"""Judge a file of completions and measure it, with the protocol that a session would have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from workbench.benchmarks.task import Task
from workbench.checking import CheckReport, prove_families
from workbench.execution.program import Candidate
from workbench.generation.extraction import extract
from workbench.metrics.measure import measure_plain, measure_plain_tally
from workbench.metrics.measurement import Measurement
from workbench.metrics.units import Tally, UnitResult, count_flags, tally_of_counts
from workbench.outcomes import Flag, Outcome
from workbench.protocol.fingerprint import fingerprint
from workbench.protocol.records import Protocol
from workbench.samples import SampleSet, candidates_from
from workbench.scoring import ScoreRow, score_each
from workbench.session.diagnoses import Diagnoses, Failure
from workbench.session.judging import open_judge
from workbench.session.plan import Plan, plan_cells
from workbench.session.records import Unstable

Rows = Callable[[dict[str, Any]], None]
"""Gets one row a sample, as `workbench rows` has them, in the file's order."""


@dataclass(frozen=True, slots=True)
class Scored:
    """What came of a file of completions."""

    measurements: list[Measurement]
    protocols: Mapping[str, Any]
    sandbox: str
    samples: int
    notes: tuple[str, ...]
    wrong: Mapping[str, Diagnoses]
    """What went wrong, by language."""
    unstable: Sequence[Unstable]
    """Samples that didn't come to the same outcome each time."""


async def score_file(
    plan: Plan,
    file: Path,
    ks: tuple[int, ...] | None,
    *,
    subset: bool,
    progress: Callable[[int, int], None],
    rows: Rows | None = None,
) -> Scored:
    """Judge every completion in `file` against the plan's tasks.

    The file is read twice: to be checked and counted, then a sample at a time as slots become
    free. What came of a sample is counted at once, so that memory doesn't grow with the file.

    Raises:
        DataError: the file is damaged.
        SamplesMissing: tasks have no completion and `subset` isn't set.
        SandboxUnavailable: no sandbox or toolchain.
        SandboxFault: the toolchain lacks what the benchmark's programs need.
    """
    found = candidates_from(file, plan.taskset.tasks, subset=subset)
    asked = plan.spec
    counts = _Counts(found.total, progress, rows)
    async with open_judge(plan) as judge:
        for language in plan.languages.values():
            # What a benchmark needs and isn't there would otherwise count against the samples.
            await prove_families(judge, language, (plan.taskset.family,))
        limits = {name: own for name in plan.languages if (own := plan.limits(name))}
        await score_each(
            judge,
            plan.taskset.tasks,
            found,
            counts.take,
            limits=limits,
            extract=_extractor(plan) if asked.extraction != "raw" else None,
        )
        manifests = {name: await judge.manifest(name) for name in plan.languages}
        cells = plan_cells(plan, manifests, {}, judge.sandbox)
        sandbox = judge.sandbox
    measurements: list[Measurement] = []
    protocols: dict[str, Any] = {}
    for cell in cells:
        protocol = _of_samples(cell.protocol, found, ks)
        protocols[fingerprint(protocol).shown] = protocol.model_dump(mode="json")
        of_language = counts.tally(cell.language)
        measured = measure_plain_tally(
            protocol, of_language, units_planned=of_language.scored + of_language.lost
        )
        flags = counts.flags(cell.language)
        measurements += [replace(m, flags=flags) for m in measured]
    return Scored(
        measurements, protocols, sandbox, found.total, _notes(found), counts.wrong, counts.unstable
    )


class _Counts:
    """What is kept of a file's samples: counts, and the rows that wait for one before them."""

    def __init__(self, total: int, progress: Callable[[int, int], None], rows: Rows | None) -> None:
        self._total = total
        self._progress = progress
        self._rows = rows
        self._done = 0
        self._next = 0
        self._waiting: dict[int, dict[str, Any]] = {}
        self._outcomes: dict[str, dict[str, Counter[str]]] = {}
        self._flags: dict[str, Counter[str]] = {}
        self.wrong: dict[str, Diagnoses] = {}
        self.unstable: list[Unstable] = []

    def take(self, position: int, row: ScoreRow) -> None:
        """Count one sample, and write the rows whose turn it is."""
        task = row.task
        by_task = self._outcomes.setdefault(task.language, {})
        by_task.setdefault(task.id, Counter())[row.execution.outcome.value] += 1
        self._flags.setdefault(task.language, Counter()).update(row.execution.flags)
        self._blame(row)
        self._done += 1
        self._progress(self._done, self._total)
        if self._rows is None:
            return
        self._waiting[position] = _row(row)
        while self._next in self._waiting:
            self._rows(self._waiting.pop(self._next))
            self._next += 1

    def _blame(self, row: ScoreRow) -> None:
        task, execution = row.task, row.execution
        if execution.outcome.scored and execution.outcome is not Outcome.PASSED:
            self.wrong.setdefault(task.language, Diagnoses()).add(
                Failure(
                    execution.outcome.value,
                    execution.detail,
                    execution.diagnostic,
                    task.id,
                    row.index,
                )
            )
        if Flag.UNSTABLE in execution.flags:
            self.unstable.append(
                Unstable(task.language, "plain", task.id, row.index, 1, execution.outcomes)
            )

    def tally(self, language: str) -> Tally:
        """Counts per task of one language."""
        return tally_of_counts(self._outcomes.get(language, {}))

    def flags(self, language: str) -> dict[str, int]:
        """How many samples of one language carry each flag."""
        return count_flags(self._flags.get(language, {}))


def _row(row: ScoreRow) -> dict[str, Any]:
    execution = row.execution
    body: dict[str, Any] = {
        "task_id": row.task.id,
        "problem": row.task.problem,
        "language": row.task.language,
        "benchmark": row.task.benchmark,
        "sample": row.index,
        "outcome": execution.outcome.value,
        "flags": list(execution.flags),
        "detail": execution.detail,
        "cpu_s": round(sum(s.cpu_s for s in execution.steps), 4),
        "diagnostic": None if execution.diagnostic is None else asdict(execution.diagnostic),
    }
    if execution.outcomes:
        body["outcomes"] = list(execution.outcomes)
    return body


def measure_references(plan: Plan, report: CheckReport) -> tuple[list[Measurement], dict[str, Any]]:
    """What `check` found of the references, as measurements with their protocols.

    A reference is a completion like any other: one a task, drawn by nobody.
    """
    measurements: list[Measurement] = []
    protocols: dict[str, Any] = {}
    for cell in plan_cells(plan, report.manifests, {}, report.sandbox):
        checked = next(found for found in report.languages if found.language == cell.language)
        rows = checked.of("reference")
        protocol = given(cell.protocol, n=1, ks=(1,), model="reference solutions")
        protocols[fingerprint(protocol).shown] = protocol.model_dump(mode="json")
        units = [UnitResult(row.task, 0, row.outcome.value) for row in rows]
        notes = tuple(f"known to fail: {r.task}: {r.known_bad}" for r in checked.known_bad)
        found = measure_plain(protocol, units, units_planned=len(units))
        measurements += [replace(m, notes=(*m.notes, *notes)) for m in found]
    return measurements, protocols


def _extractor(plan: Plan) -> Callable[[Task, str], Candidate | None]:
    def code_of(task: Task, text: str) -> Candidate | None:
        return extract(text, task, plan.languages[task.language], "chat").candidate

    return code_of


def given(protocol: Protocol, *, n: int, ks: tuple[int, ...], model: str) -> Protocol:
    """A cell's protocol, for answers of which nobody says how they were drawn."""
    gen = protocol.gen.model_copy(
        update={
            "prompt_style": "given",
            "template": "",
            "stop": (),
            "max_tokens": None,
            "regime": "given",
            "temperature": None,
            "top_p": None,
            "tests_in_prompt": "",
        }
    )
    record = protocol.record.model_copy(update={"n": n, "ks": ks, "model": model})
    return protocol.model_copy(update={"gen": gen, "record": record})


def _of_samples(protocol: Protocol, found: SampleSet, ks: tuple[int, ...] | None) -> Protocol:
    """The protocol of a file of samples: n as it is there, tasks without one named as left out."""
    low, high = found.n
    default = tuple(k for k in (1, 10, 100) if k <= low)
    protocol = given(protocol, n=high, ks=ks or default, model="")
    judged = protocol.eval
    if found.missing:
        present = len(found.counts) - len(found.missing)
        judged = judged.model_copy(
            update={"tasks": present, "tasks_of": len(found.counts), "subset": "has a sample"}
        )
    return protocol.model_copy(update={"eval": judged})


def _notes(found: SampleSet) -> tuple[str, ...]:
    notes: list[str] = []
    low, high = found.n
    if low != high:
        notes.append(f"unequal n: {low} to {high} samples a task")
    if found.duplicates:
        share = 100 * found.duplicates / found.total
        notes.append(f"{found.duplicates} samples ({share:.1f} %) repeat another of their task")
    if found.missing:
        some = ", ".join(found.missing[:5]) + (", …" if len(found.missing) > 5 else "")
        notes.append(f"{len(found.missing)} tasks have no sample and are left out: {some}")
    return tuple(notes)
