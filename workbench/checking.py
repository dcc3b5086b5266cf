"""Whether a toolchain judges rightly: what must pass passes, what must not pass doesn't.

`check` puts a benchmark's own references and buggy solutions, zero-value stubs and cheats before
the judge. `prove` is the small form that every session begins with, on tasks that ship with the
product.
"""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from workbench import languages as language_folders
from workbench.benchmarks.task import Task
from workbench.checked import Checked, CheckReport, Kind, LanguageCheck
from workbench.errors import SandboxFault, UsageError
from workbench.execution.judge import Judge
from workbench.execution.program import Candidate, Execution, Limits
from workbench.languages import Language
from workbench.outcomes import Outcome

Progress = Callable[[int, int, Checked], None]
"""Called with how many are done, how many there are, and the one that was done last."""

CHEAT_TASKS = 3
"""On how many tasks of a language cheats are tried unless more are asked for."""
PROOF_CHEATS = 3
"""How many cheats a session begins with, per language."""
REFERENCE_TRIES = 4
"""How often a reference may be run: one whose outcome hangs on chance (Go's order of a map, tests
that draw inputs) isn't a fault of the toolchain, and is reported as unsteady."""
DETAIL_CHARS = 300
NEEDS = "needs"
"""The part of a proof task that says what its family needs beside the language."""


@dataclass(frozen=True, slots=True)
class Item:
    """One candidate whose outcome is known beforehand."""

    task: Task
    kind: Kind
    name: str
    """Empty but for cheats."""
    candidate: Candidate


def items(tasks: Sequence[Task], cheat_tasks: int | None = CHEAT_TASKS) -> list[Item]:
    """References, buggy solutions and stubs of every task, cheats of some.

    For tasks without a reference those of their families' proof tasks are taken, because a
    toolchain on which nothing can pass would look as right as one that judges.

    Args:
        tasks: of any languages.
        cheat_tasks: on how many tasks of each language cheats are tried, spread over its tasks;
            None for all.
    """
    made: list[Item] = []
    by_language: dict[str, list[Task]] = {}
    for task in tasks:
        by_language.setdefault(task.language, []).append(task)
    for name, own in by_language.items():
        language = language_folders.load(name)
        hooks = language.assembly
        bare = dict.fromkeys(t.family for t in own if not t.reference.strip())
        proofs = _family_proofs(language, tuple(bare))
        made += [Item(task, "proof", "", _reference(task)) for task in proofs]
        for task in own:
            if task.reference.strip():
                made.append(Item(task, "reference", "", _reference(task)))
            if task.buggy.strip():
                made.append(Item(task, "buggy", "", Candidate(task.buggy, "body")))
            made.append(Item(task, "stub", "", hooks.stub(task)))
        for task in _spread(own, cheat_tasks):
            made += [Item(task, "cheat", trick, cheat) for trick, cheat in hooks.cheats(task)]
    return made


def _reference(task: Task) -> Candidate:
    return Candidate(task.reference, "full" if task.reference_form == "full" else "body")


def _spread(tasks: Sequence[Task], count: int | None) -> list[Task]:
    if count is None or count >= len(tasks):
        return list(tasks)
    return [tasks[i * len(tasks) // count] for i in range(count)]


async def check(
    judge: Judge,
    tasks: Sequence[Task],
    *,
    cheat_tasks: int | None = CHEAT_TASKS,
    limits: Mapping[str, Mapping[str, Limits]] | None = None,
    progress: Progress | None = None,
) -> CheckReport:
    """Put references, stubs and cheats before the judge.

    Args:
        judge: an open judge with a slot for every language of `tasks`.
        tasks: of any languages.
        cheat_tasks: see `items`.
        limits: limits that replace the toolchain's own, by language and step.
        progress: called after each.
    """
    wanted = items(tasks, cheat_tasks)
    rows = await _judged(judge, wanted, limits or {}, progress)
    names = list(dict.fromkeys(task.language for task in tasks))
    found = tuple(
        LanguageCheck(name, tuple(row for row in rows if row.language == name)) for name in names
    )
    return CheckReport(judge.sandbox, found, {name: await judge.manifest(name) for name in names})


async def _judged(
    judge: Judge,
    wanted: Sequence[Item],
    limits: Mapping[str, Mapping[str, Limits]],
    progress: Progress | None,
) -> list[Checked]:
    """Every item judged, in the order given; so many at once as there are slots, and some more."""
    loaded = {name: language_folders.load(name) for name in {i.task.language for i in wanted}}
    room = asyncio.Semaphore(2 * max(1, sum(s.slots for s in judge.slots().values())))
    rows: dict[int, Checked] = {}

    async def one(index: int, item: Item) -> None:
        async with room:
            rows[index] = await _checked(
                judge, loaded[item.task.language], item, limits.get(item.task.language)
            )
        if progress is not None:
            progress(len(rows), len(wanted), rows[index])

    async with asyncio.TaskGroup() as group:
        for index, item in enumerate(wanted):
            group.create_task(one(index, item))
    return [rows[index] for index in range(len(wanted))]


async def _checked(
    judge: Judge, language: Language, item: Item, limits: Mapping[str, Limits] | None
) -> Checked:
    task = item.task
    program = language.assembly.assemble(task, item.candidate, "scored")
    execution = await judge.execute(program, limits=limits)
    tries = 1
    while (
        item.kind == "reference"
        and not task.reference_known_bad
        and execution.outcome.scored
        and execution.outcome is not Outcome.PASSED
        and tries < REFERENCE_TRIES
    ):
        # Marked so, because what was found for the same program before would be taken again.
        again = replace(program, deterministic=False)
        execution = await judge.execute(again, limits=limits)
        tries += 1
    return Checked(
        task=task.id,
        language=task.language,
        kind=item.kind,
        name=item.name,
        outcome=execution.outcome,
        detail=_detail(task, execution),
        suspicions=tuple(language.assembly.suspicions(task, item.candidate.text)),
        known_bad=task.reference_known_bad if item.kind == "reference" else "",
        known_good=task.buggy_known_good if item.kind == "buggy" else "",
        tries=tries,
    )


def _detail(task: Task, execution: Execution) -> str:
    """Why, in one line; a proof task that needs more than the language says what."""
    detail = execution.detail[:DETAIL_CHARS]
    needs = task.parts.get(NEEDS, "")
    if not needs or execution.outcome is Outcome.PASSED:
        return detail
    return f"{detail}: programs of this benchmark need {needs}"


def proof_tasks(language: Language, families: Sequence[str] = ()) -> list[Task]:
    """The tasks on which a toolchain proves itself.

    Two that ship with the product, and one of each of `families` that the language folder's
    `proof.toml` has: what such tasks need beside the language (a library, a newer version) is
    missed before it costs a model anything. A language that the product's tasks don't know gives
    its own by a function `proof_tasks() -> Sequence[Task]` in its assembly.py.

    Raises:
        UsageError: proof.toml can't be read or lacks a key.
    """
    own = getattr(language.assembly, "proof_tasks", None)
    if own is not None:
        return list(own())
    from workbench.benchmarks.starter import load_starter

    shipped = [task for task in load_starter([language.id]) if task.reference.strip()][:2]
    return [*shipped, *_family_proofs(language, families)]


def _family_proofs(language: Language, families: Sequence[str]) -> list[Task]:
    path = language.folder / "proof.toml"
    if not families or not path.is_file():
        return []
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
        return [
            _proof(language, family, tables[tables[family].get("like", family)])
            for family in dict.fromkeys(families)
            if family in tables
        ]
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise UsageError(f"{path}: not as it should be: {error}") from None


def _proof(language: Language, family: str, table: Mapping[str, Any]) -> Task:
    return Task(
        benchmark="proof",
        family=family,
        id=f"proof/{family}",
        problem=family,
        language=language.id,
        entry_point=table["entry_point"],
        prompt=table["prompt"],
        reference=table["reference"],
        test=table["test"],
        parts={**table.get("parts", {}), NEEDS: table.get("needs", "")},
    )


async def prove_families(judge: Judge, language: Language, families: Sequence[str]) -> None:
    """Let a toolchain prove only that it has what these families' programs need.

    Raises:
        SandboxFault: it hasn't; the message says what.
    """
    wanted = [Item(t, "proof", "", _reference(t)) for t in _family_proofs(language, families)]
    _refuse(language, await _judged(judge, wanted, {}, None))


def _refuse(language: Language, rows: Sequence[Checked]) -> None:
    """Raise SandboxFault for the first row that isn't as it must be."""
    first = next((row for row in rows if not row.as_expected), None)
    if first is not None:
        what = f"{first.kind} {first.name}".strip()
        raise SandboxFault(
            f"{language.id}: the toolchain isn't right: {what} of {first.task} was "
            f"{first.outcome}{f' ({first.detail})' if first.detail else ''}: run `workbench check`"
        )


async def prove(judge: Judge, language: Language, families: Sequence[str] = ()) -> LanguageCheck:
    """Let a toolchain prove itself: known good, known bad and a few cheating programs.

    Args:
        judge: an open judge with a slot for the language.
        language: whose toolchain.
        families: families of the benchmarks that will be judged: see `proof_tasks`.

    Raises:
        SandboxFault: an outcome isn't what it must be, or there is nothing to prove it with.
    """
    tasks = proof_tasks(language, families)
    if not tasks:
        raise SandboxFault(f"{language.id}: no task to prove the toolchain with")
    wanted = items(tasks, 0)
    cheats = language.assembly.cheats(tasks[0])
    wanted += [Item(tasks[0], "cheat", name, cheat) for name, cheat in cheats[:PROOF_CHEATS]]
    rows = await _judged(judge, wanted, {}, None)
    _refuse(language, rows)
    return LanguageCheck(language.id, tuple(rows))
