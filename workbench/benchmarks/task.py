"""The task: one problem in one language, as a benchmark gives it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.translation.typed import TypedTask


@dataclass(frozen=True, slots=True)
class Task:
    """One problem in one language: id, prompt, entry point, tests, reference solution."""

    benchmark: str
    """Benchmark id: `humaneval`, `humaneval-x`, `starter`, …"""
    family: str
    """How programs are assembled: `humaneval`, `humaneval-x`, `humanevalpack`, `multipl-e`, or
    `typed` (tests are data)."""
    id: str
    """The benchmark's own id, such as `HumanEval/0`, `CPP/0`, `starter/3`; with the language in
    front where the benchmark calls a task the same in every language."""
    problem: str
    """What the same task is called in every language, such as `0`: the unit of comparisons."""
    language: str
    entry_point: str
    """Name of the function under test in this language."""
    prompt: str
    """What a base model continues, byte for byte as published."""
    reference: str
    """Reference solution: the text that continues the prompt (family `typed`: a whole program
    part that stands alone, see `reference_form`); empty where the benchmark has none."""
    reference_form: str = "body"
    """`body`: continues the prompt. `full`: stands alone."""
    test: str = ""
    """The scored tests as code (families whose tests are code)."""
    visible_test: str = ""
    """The visible tests as code; empty when the benchmark has none for this task."""
    parts: Mapping[str, str] = field(default_factory=dict[str, str])
    """Further published fields that assembly needs: `declaration`, `import`, `test_setup`, …; and
    `bare_test`, a test in the benchmark's form that tests nothing, for tasks without visible ones."""
    typed: TypedTask | None = None
    """The typed middle form (family `typed`): signature, description, cases as values."""
    random_tests: bool = False
    """The tests draw random inputs: never deduplicated, a failure is run once more."""
    reference_known_bad: str = ""
    """Why the benchmark's own reference fails, when it is known to; empty otherwise."""
    buggy: str = ""
    """A solution with a bug in it that the benchmark publishes: continues the prompt and must fail
    the tests. Empty where there is none."""
    buggy_known_good: str = ""
    """Why the benchmark's own buggy solution passes, when it is known to; empty otherwise."""

    @property
    def has_visible_tests(self) -> bool:
        """Whether any example that the model may see can be executed."""
        if self.typed is not None:
            return bool(self.typed.visible)
        return bool(self.visible_test.strip())
