"""The first prompt of a task. It is made from a `PromptView`, which has no test of the task."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from workbench.generation.model import Message, Request, Sampling
from workbench.generation.templates import Template, shipped

Style = Literal["chat", "complete"]


@dataclass(frozen=True, slots=True)
class PromptView:
    """What the first prompt may be made from: the published prompt, and words around it."""

    task_id: str
    language: str
    """As people write it, such as `C++`."""
    tag: str
    """What follows the fence, such as `cpp`."""
    entry_point: str
    prompt: str
    """As published; examples in it are the task's visible tests."""
    declaration: str = ""
    """The signature without description, where the benchmark publishes it."""

    @property
    def fence(self) -> str:
        """A fence longer than any in the prompt."""
        runs = (len(run) for run in re.findall(r"`{3,}", self.prompt))
        return "`" * max((run + 1 for run in runs), default=3)


@dataclass(frozen=True, slots=True)
class Prompting:
    """How first prompts are made; recorded whole in the protocol."""

    style: Style
    template: Template | None
    """`None` in style `complete`: the prompt goes out as it is, byte for byte."""
    system: str = ""
    """System message of style `chat`; empty: none is sent."""


def prompting(style: Style, system: str = "", template: Template | None = None) -> Prompting:
    """Choose how first prompts are made; without a template the shipped one of the style."""
    if template is None and style == "chat":
        template = shipped("plain_chat")
    return Prompting(style, template, system)


def first_request(
    view: PromptView, how: Prompting, sampling: Sampling, *, key: str = "", index: int = 0
) -> Request:
    """Make the request for the first answer to a task.

    Raises:
        UsageError: the template is wrong.
    """
    text = view.prompt
    if how.template is not None:
        text = how.template.render(
            task_id=view.task_id,
            language=view.language,
            tag=view.tag,
            entry_point=view.entry_point,
            prompt=view.prompt,
            declaration=view.declaration,
            fence=view.fence,
        )
    if how.style == "complete":
        return Request("complete", (), text, sampling, index, key)
    messages = (Message("system", how.system),) if how.system else ()
    return Request("chat", (*messages, Message("user", text)), "", sampling, index, key)


def answer_key(benchmark: str, language: str, task_id: str, mode: str, turn: int) -> str:
    """Make `Request.key`."""
    return f"{benchmark}/{language}/{task_id}/{mode}/{turn}"
