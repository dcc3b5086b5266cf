"""Examples in a comment or docstring: `>>> f(x)` and its value on the line below, both in the
task's own language."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

_CALL = re.compile(r"^[ \t]*(?://)?[ \t]*>>>[ \t]*(\w+)\((.*)\)[ \t]*$")
# The last line of a docstring has its quotes behind it.
_VALUE = re.compile(r'^[ \t]*(?://)?[ \t]*(?!>>>)([^\s/].*?)(?:""")?[ \t]*$')


@dataclass(frozen=True, slots=True)
class Example:
    """One call of the entry point and its value, as they stand in the prompt."""

    arguments: str
    value: str


def examples_in(prompt: str, entry_point: str) -> tuple[Example, ...]:
    """The examples that call `entry_point`; others, such as those with its old name, don't count."""
    lines = prompt.split("\n")
    found: list[Example] = []
    for call, value in pairwise(lines):
        called, valued = _CALL.match(call), _VALUE.match(value)
        if called is not None and valued is not None and called[1] == entry_point:
            found.append(Example(called[2], valued[1]))
    return tuple(found)


def with_assertions(
    test: str, begins: str, examples: Sequence[Example], assertion: Callable[[Example], str]
) -> str:
    """A test that has assertions of the examples where the scored test has its own.

    Args:
        test: the scored test; nothing of its assertions gets into the result.
        begins: how a line with an assertion begins, indentation aside.
        examples: at least one.
        assertion: writes one as a line of the test's language.

    Returns:
        The test's text; empty when it isn't of this form.
    """
    lines = test.split("\n")
    own = [i for i, line in enumerate(lines) if line.lstrip().startswith(begins)]
    if not own or own != list(range(own[0], own[-1] + 1)):
        return ""
    return "\n".join([*lines[: own[0]], *map(assertion, examples), *lines[own[-1] + 1 :]])
