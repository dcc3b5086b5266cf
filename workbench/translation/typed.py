"""The typed middle form of a task, from which every language's prompt and tests are made.

Types are written as in Python: `int`, `float`, `bool`, `str`, `list[T]`, `dict[K, V]`,
`tuple[A, B]`, `Optional[T]` (spelled `T | None`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Scalar: TypeAlias = Literal["int", "float", "bool", "str", "None"]


@dataclass(frozen=True, slots=True)
class Type:
    """A type of the middle form: `name` with its arguments.

    `name` is `int` (64 bits), `float` (double), `bool`, `str`, `list` (1 argument), `dict` (2),
    `tuple` (1 or more) or `optional` (1).
    """

    name: str
    args: tuple[Type, ...] = ()


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a signature."""

    name: str
    """snake_case, as Python has it; each language's printer makes its own spelling."""
    type: Type


@dataclass(frozen=True, slots=True)
class Signature:
    """Name, parameters and result of the function under test."""

    name: str
    """snake_case."""
    parameters: tuple[Parameter, ...]
    result: Type


@dataclass(frozen=True, slots=True)
class Case:
    """One test: argument values and the value that is expected."""

    arguments: tuple[Any, ...]
    """JSON-like values in the order of the parameters."""
    expected: Any
    """A JSON-like value of the result type."""


@dataclass(frozen=True, slots=True)
class TypedTask:
    """A task without a language: signature, description and cases as values."""

    id: str
    signature: Signature
    description: str
    """What the function does, in words that hold in every language; one paragraph or more."""
    visible: tuple[Case, ...]
    """Examples that stand in the prompt."""
    held_out: tuple[Case, ...]
    """Cases that the model never sees. The scored suite is visible + held-out."""
    difficulty: int
    """1 (trivial) to 5."""
    tolerance: float = 1e-9
    """Relative and absolute tolerance for floats."""
