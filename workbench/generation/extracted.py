"""What extraction made of an answer, step by step."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.execution.program import Candidate


@dataclass(frozen=True, slots=True)
class ExtractionStep:
    """One thing that extraction did."""

    rule: str
    """Stable id, such as `fence.tagged`, `fence.unclosed`, `cut.main`, `raw`."""
    note: str
    """One sentence for people."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """Raw answer -> code."""

    candidate: Candidate | None
    """`None`: there is no code in the answer (outcome `no_code`, or `refused`)."""
    steps: tuple[ExtractionStep, ...]
    span: tuple[int, int] | None = None
    """Character range of the raw answer from which the code was taken."""
    refused: bool = False
    """The answer declines the task in words and has no code."""
    extractor: str = ""
    """Id and version, such as `tree-sitter/1` or `raw/1`; part of the protocol."""
