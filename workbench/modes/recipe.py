"""A repair recipe: what decides how repair goes on, whatever file it came from."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import Any, Literal

from workbench.generation.model import Sampling
from workbench.generation.templates import Template
from workbench.modes.entry_point import EntryPoint
from workbench.protocol.naming import spec
from workbench.protocol.parts import LEAKING
from workbench.protocol.recipe import Feedback, RepairRecipe

PARTS = (
    "agent",
    "reask",
    "verdict",
    "compiler",
    "runtime",
    "visible-tests",
    "self-tests",
    "trace",
    "explain",
    "hidden-tests",
    "hidden-verdict",
)
"""Feedback parts that a recipe may name, in the order in which they stand in a prompt."""
LATER = ("human", "reference")
"""Parts that labels have words for and no recipe can name."""
STOPS = ("visible", "compiles", "self", "hidden", "model", "own", "none")
FEEDBACK_RULES = "2"
"""Version of what `feedback` makes of an execution: it is part of what the model sees."""

Stop = Literal["visible", "compiles", "self", "hidden", "model", "own", "none"]
Submit = Literal["accepted-else-last", "last", "any"]


@dataclass(frozen=True, slots=True)
class Budget:
    """What one episode may take beside its turns; `None`: no limit."""

    tokens: int | None = None
    """Generated tokens, feedback calls included."""
    seconds: float | None = None
    """Of the model's calls and of the executions with the visible tests."""
    cost_usd: Decimal | None = None

    @property
    def limited(self) -> bool:
        """Whether there is any limit."""
        return (self.tokens, self.seconds, self.cost_usd) != (None, None, None)


@dataclass(frozen=True, slots=True)
class Tree:
    """How a tree of repairs grows from each first program."""

    programs: int
    """First programs that the reported rate speaks of."""
    feedbacks: int
    """Feedbacks drawn for each failing program."""
    repairs: int
    """Repairs drawn from each feedback."""
    depth: int = 1
    """Levels of repairs below a first program."""

    @property
    def turns(self) -> int:
        """Programs that one first program can lead to, itself counted."""
        width = self.feedbacks * self.repairs
        return 1 + sum(width**level for level in range(1, self.depth + 1))


@dataclass(frozen=True, slots=True)
class Critic:
    """Another model that explains what is wrong."""

    model: str
    api_base: str = ""
    api_key_env: str = ""
    """Name of the environment variable with its key."""


@dataclass(frozen=True, slots=True)
class Agent:
    """What the model may do in agent mode."""

    tools: tuple[str, ...]
    calls: Literal["native", "text"]
    """`native`: the provider's tool calls; `text`: actions written in the answer."""


@dataclass(frozen=True)
class Recipe:
    """How repair goes on."""

    id: str
    description: str
    feedback: tuple[str, ...]
    """Of `PARTS`, in their order, then the entry point's own."""
    history: str
    """`last`, `last-N` or `full`."""
    stop: Stop
    submit: Submit
    max_turns: int
    feedback_chars: int
    """A feedback's parts are cut to so many characters each, head and tail kept."""
    template: Template
    sampling: Mapping[str, float | int] = field(default_factory=dict[str, float | int])
    """What turns from 2 draw differently from the first."""
    steps: Mapping[str, Mapping[str, float | int]] = field(
        default_factory=dict[str, Mapping[str, float | int]]
    )
    """What `explain` and `self-tests` draw differently from the first."""
    templates: Mapping[str, Template] = field(default_factory=dict[str, Template])
    """Templates of `explain`, `self-tests`, `agent`, where the recipe needs them."""
    budget: Budget = field(default_factory=Budget)
    announce: bool = False
    """Feedback says how many turns are left."""
    tree: Tree | None = None
    critic: Critic | None = None
    agent: Agent | None = None
    entry_point: EntryPoint | None = None
    start: str = "own"
    """What first programs came from, when another session drew them."""

    @cached_property
    def rounds(self) -> int | None:
        """How many earlier turns stand in a prompt; `None`: all."""
        if self.history == "full":
            return None
        return 1 if self.history == "last" else int(self.history.removeprefix("last-"))

    @property
    def leaks(self) -> bool:
        """Whether the model is told of held-out tests."""
        return bool(set(self.feedback) & set(LEAKING))

    def later(self, first: Sampling) -> Sampling:
        """How turns from 2 are drawn."""
        return _changed(first, self.sampling)

    def step(self, name: str, first: Sampling) -> Sampling:
        """How the answers of a step between turns (`explain`, `self-tests`) are drawn."""
        return _changed(first, self.steps.get(name, {}))

    def protocol(self) -> RepairRecipe:
        """The part of a protocol that this recipe is."""
        budget = self.budget
        return RepairRecipe(
            name=self.id,
            feedback=tuple(
                Feedback(name=part, by=self.critic.model if self.critic else "")
                if part == "explain"
                else Feedback(name=part)
                for part in self.feedback
            ),
            history=self.history,
            shape=None
            if self.tree is None
            else (self.tree.programs, self.tree.feedbacks, self.tree.repairs),
            stop=self.stop,
            submit=self.submit,
            turns=self.max_turns,
            tokens=budget.tokens,
            seconds=None if budget.seconds is None else str(budget.seconds),
            cost_usd=None if budget.cost_usd is None else str(budget.cost_usd),
            announces_budget=self.announce,
            start=self.start,
            templates=tuple(self._templates().items()),
            sampling=tuple(self._sampling().items()),
            entry_point=self.entry_point.sha256 if self.entry_point else "",
        )

    def _templates(self) -> dict[str, str]:
        found = {
            "feedback": self.template.text,
            "feedback_chars": str(self.feedback_chars),
            "feedback_rules": FEEDBACK_RULES,
            **{name: template.text for name, template in self.templates.items()},
        }
        if self.agent is not None:
            found |= {"tools": ",".join(self.agent.tools), "tool_calls": self.agent.calls}
        if self.tree is not None:
            found["depth"] = str(self.tree.depth)
        return found

    def _sampling(self) -> dict[str, str]:
        found = {key: str(value) for key, value in self.sampling.items()}
        for step, changes in self.steps.items():
            found |= {f"{step}.{key}": str(value) for key, value in changes.items()}
        return found

    @property
    def label(self) -> str:
        """As it stands in a label: `compiler+visible-tests; last; stop=visible; ≤3`."""
        return str(spec(self.protocol()))

    @property
    def mode(self) -> str:
        """The mode part of a label: `repair[…]` or `tree[…]`."""
        return f"{'repair' if self.tree is None else 'tree'}[{self.label}]"

    @property
    def sha256(self) -> str:
        """Hash of everything that decides how repair goes on."""
        return hashlib.sha256(
            self.protocol().model_dump_json(exclude={"name"}).encode()
        ).hexdigest()


def _changed(first: Sampling, changes: Mapping[str, Any]) -> Sampling:
    return replace(first, **changes)
