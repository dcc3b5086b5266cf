"""What a mode needs from whoever runs it: nothing here knows sessions, sockets or screens."""

from __future__ import annotations

from typing import Literal, Protocol

from workbench.execution.program import Execution, Program
from workbench.generation.extracted import Extraction
from workbench.generation.model import Completion, Request
from workbench.languages import Language

Purpose = Literal["visible", "self", "trace", "tool", "scored"]
"""Whose tests: the visible ones, the model's own, the visible ones traced, what an agent runs, the
scored ones. Only what a `scored` program says is kept from the model."""
Step = Literal["explain", "self-tests"]
"""What is asked of a model between programs."""


class Judging(Protocol):
    """What judging an answer takes, whether a model was just asked for it or it is stored."""

    @property
    def language(self) -> Language:
        """The language of the unit's task."""
        ...

    async def extract(self, text: str, previous: str) -> Extraction:
        """Turn an answer into code; `previous` is the code of the turn before, or empty."""
        ...

    async def execute(self, program: Program, purpose: Purpose) -> Execution:
        """Put a program before tests; never raises for anything that the program did."""
        ...


class Context(Judging, Protocol):
    """One unit's connection to model, judge and store."""

    async def generate(self, request: Request, turn: int) -> Completion:
        """Get an answer; raises `GenerationFailed` when none comes."""
        ...

    async def ask(self, step: Step, turn: int, request: Request, by: str = "") -> Completion:
        """Get and keep an answer that is no program, once: a kept one is never asked for again.

        `by` is the model that is asked; empty: the session's own. Raises as `generate`.
        """
        ...

    async def store_completion(
        self, turn: int, request: Request, feedback: str, completion: Completion
    ) -> None:
        """Keep an answer, before anything else is done with it."""
        ...

    async def store_outcome(
        self,
        turn: int,
        extraction: Extraction,
        program: Program | None,
        visible: Execution | None,
        scored: Execution,
        flags: tuple[str, ...],
        accepted: bool,
    ) -> None:
        """Keep what was made of an answer and what came of it."""
        ...
