"""Extraction: a model's raw answer becomes code, and every step is recorded.

`extract` is the only door. What is what in a language stands in its folder's `extraction.scm`.
"""

from workbench.generation.extraction.extractor import (
    EXTRACTORS,
    RAW,
    TREE_SITTER,
    Style,
    extract,
)
from workbench.generation.extraction.shape import TaskFacts

__all__ = ["EXTRACTORS", "RAW", "TREE_SITTER", "Style", "TaskFacts", "extract"]
