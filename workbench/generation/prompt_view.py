"""The only place where a task becomes a prompt: it takes what may be shown, and nothing else."""

from __future__ import annotations

from workbench.benchmarks.task import Task
from workbench.generation.prompts import PromptView
from workbench.languages import Language


def view_of(task: Task, language: Language) -> PromptView:
    """Take from a task what its first prompt may be made from."""
    return PromptView(
        task_id=task.id,
        language=language.name,
        tag=language.fence_tags[0] if language.fence_tags else language.id,
        entry_point=task.entry_point,
        prompt=task.prompt,
        declaration=task.parts.get("declaration", ""),
    )
