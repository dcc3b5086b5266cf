"""The repair part of a protocol: what a recipe file means, resolved, as it is hashed."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict

from workbench.protocol.kinds import (
    INCIDENTAL,
    MATERIAL,
    DecimalText,
    TextMap,
)
from workbench.protocol.parts import LEAKING


class Feedback(BaseModel):
    """One feedback part."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    """`compiler`, `runtime`, `visible-tests`, … (PROTOCOLS' axes), or an entry point's own."""
    by: str = ""
    """Model that writes it when it isn't the session's own; empty otherwise."""
    leak: bool = False
    """It shows held-out tests. True by itself for the parts that do."""

    @property
    def leaks(self) -> bool:
        """Whether it shows held-out tests, said or not."""
        return self.leak or self.name in LEAKING


class RepairRecipe(BaseModel):
    """How repair goes on. Two recipes that are equal here are the same recipe, whatever files."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, INCIDENTAL]
    """Recipe id, such as `repair-visible`: a name, so nothing depends on it."""
    feedback: Annotated[tuple[Feedback, ...], MATERIAL]
    """In the order in which it stands in the prompt."""
    history: Annotated[str, MATERIAL] = "last"
    """`last`, `last-N` or `full`."""
    shape: Annotated[tuple[int, int, int] | None, MATERIAL] = None
    """Tree: initial programs, feedbacks each, repairs each. `None`: a chain."""
    stop: Annotated[str, MATERIAL] = "visible"
    """`compiles`, `visible`, `self`, `model`, `hidden`, `none`."""
    submit: Annotated[Literal["accepted-else-last", "last", "any"], MATERIAL] = "accepted-else-last"
    turns: Annotated[int, MATERIAL] = 3
    """At most; turn 1 is the first program."""
    tokens: Annotated[int | None, MATERIAL] = None
    """Generated tokens per episode at most."""
    seconds: Annotated[DecimalText | None, MATERIAL] = None
    """Per episode at most."""
    cost_usd: Annotated[DecimalText | None, MATERIAL] = None
    """Per episode at most."""
    announces_budget: Annotated[bool, MATERIAL] = False
    """The prompt says how many turns are left: cutting at fewer turns is then no valid reading."""
    start: Annotated[str, MATERIAL] = "own"
    """`own`: turn 1 is drawn by this session; else what first programs came from."""
    templates: Annotated[TextMap, MATERIAL] = ()
    """Prompt templates by name, whole texts."""
    sampling: Annotated[TextMap, MATERIAL] = ()
    """What later turns draw differently from the first: `temperature` -> `0.2`."""
    entry_point: Annotated[str, MATERIAL] = ""
    """Python code that decides what a file can't say: its content's SHA-256; empty without."""

    @property
    def leaks(self) -> bool:
        """Whether held-out tests reach the model."""
        return any(part.leaks for part in self.feedback)
