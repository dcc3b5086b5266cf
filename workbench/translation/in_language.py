"""A typed task made into the task of one language: prompt and names by the language's printer."""

from __future__ import annotations

from workbench.benchmarks.task import Task
from workbench.languages import Language
from workbench.translation.typed import TypedTask


def task_in(
    language: Language, typed: TypedTask, benchmark: str, problem: str, reference: str = ""
) -> Task:
    """Make the task of one language.

    Args:
        language: The language folder, whose printer writes the prompt.
        typed: The task without a language; its id becomes the task's.
        benchmark: Benchmark id.
        problem: What the task is called in every language.
        reference: A solution that stands alone, or nothing where there is none.

    Raises:
        ValueError: the language can't express the task; one line that says why.
    """
    return Task(
        benchmark=benchmark,
        family="typed",
        id=typed.id,
        problem=problem,
        language=language.id,
        entry_point=language.printer.entry_point(typed.signature),
        prompt=language.printer.prompt(typed),
        reference=reference,
        reference_form="full",
        typed=typed,
    )
