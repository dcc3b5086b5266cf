"""A repair recipe: the TOML file that says how repair goes on, read and checked."""

from __future__ import annotations

import difflib
import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from workbench import paths
from workbench.errors import UsageError
from workbench.generation.model import Sampling
from workbench.generation.templates import Template
from workbench.protocol.naming import spec
from workbench.protocol.recipe import Feedback, RepairRecipe

SHIPPED = Path(__file__).resolve().parent / "recipes"
PARTS = ("reask", "verdict", "compiler", "runtime", "visible-tests")
"""Feedback parts that a recipe may name, in the order in which they stand in a prompt."""
LATER = ("self-tests", "explain", "trace", "human", "hidden-tests", "hidden-verdict", "reference")
"""Parts that labels have words for and no recipe can name yet."""
FEEDBACK_RULES = "1"
"""Version of what `feedback` makes of an execution: it is part of what the model sees."""
DEFAULT_TEMPLATE = (SHIPPED / "feedback.j2").read_text(encoding="utf-8")


class _Sampling(BaseModel):
    """What turns from 2 draw differently."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    temperature: float | None = Field(None, ge=0, le=5)
    top_p: float | None = Field(None, gt=0, le=1)
    max_tokens: int | None = Field(None, ge=1)


class _File(BaseModel):
    """The keys of a recipe file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    description: str
    feedback: tuple[str, ...] = Field(min_length=1)
    history: str = Field("last", pattern=r"^(last|last-[1-9][0-9]*|full)$")
    stop: Literal["visible", "compiles", "none"] = "visible"
    submit: Literal["accepted-else-last", "last"] = "accepted-else-last"
    turns: int = Field(3, ge=1, le=50)
    feedback_chars: int = Field(2000, ge=100, le=100_000)
    template: str = DEFAULT_TEMPLATE
    sampling: _Sampling = _Sampling(temperature=None, top_p=None, max_tokens=None)

    @field_validator("feedback")
    @classmethod
    def _known_parts(cls, parts: tuple[str, ...]) -> tuple[str, ...]:
        for part in parts:
            if part in LATER:
                raise ValueError(f"part {part!r} isn't available yet: there are {', '.join(PARTS)}")
            if part not in PARTS:
                near = difflib.get_close_matches(part, PARTS, n=1)
                hint = f"did you mean {near[0]!r}? " if near else ""
                raise ValueError(f"unknown part {part!r}: {hint}there are {', '.join(PARTS)}")
        return tuple(sorted(set(parts), key=PARTS.index))


@dataclass(frozen=True)
class Recipe:
    """How repair goes on."""

    id: str
    description: str
    feedback: tuple[str, ...]
    """Of `PARTS`, in their order."""
    history: str
    """`last`, `last-N` or `full`."""
    stop: Literal["visible", "compiles", "none"]
    submit: Literal["accepted-else-last", "last"]
    max_turns: int
    feedback_chars: int
    """A feedback's parts are cut to so many characters together, head and tail kept."""
    template: Template
    sampling: Mapping[str, float | int] = field(default_factory=dict[str, float | int])
    """What turns from 2 draw differently from the first."""

    @cached_property
    def rounds(self) -> int | None:
        """How many earlier turns stand in a prompt; `None`: all."""
        if self.history == "full":
            return None
        return 1 if self.history == "last" else int(self.history.removeprefix("last-"))

    def later(self, first: Sampling) -> Sampling:
        """How turns from 2 are drawn."""
        changes: dict[str, Any] = dict(self.sampling)
        return replace(first, **changes)

    def protocol(self) -> RepairRecipe:
        """The part of a protocol that this recipe is."""
        return RepairRecipe(
            name=self.id,
            feedback=tuple(Feedback(name=part) for part in self.feedback),
            history=self.history,
            stop=self.stop,
            submit=self.submit,
            turns=self.max_turns,
            templates=(
                ("feedback", self.template.text),
                ("feedback_chars", str(self.feedback_chars)),
                ("feedback_rules", FEEDBACK_RULES),
            ),
            sampling=tuple((k, str(v)) for k, v in self.sampling.items()),
        )

    @property
    def label(self) -> str:
        """As it stands in a label: `compiler+visible-tests; last; stop=visible; ≤3`."""
        return str(spec(self.protocol()))

    @property
    def sha256(self) -> str:
        """Hash of everything that decides how repair goes on."""
        return hashlib.sha256(
            self.protocol().model_dump_json(exclude={"name"}).encode()
        ).hexdigest()


def recipe_files() -> dict[str, Path]:
    """Recipe files by id: the user's first, then those that ship."""
    found: dict[str, Path] = {}
    for folder in (paths.user_data_dir() / "recipes", SHIPPED):
        for file in sorted(folder.glob("*.toml")):
            found.setdefault(file.stem, file)
    return found


def load_recipe(name: str) -> Recipe:
    """Read a recipe by id, or from a file (a name that ends in `.toml`).

    Raises:
        UsageError: there is none, or it is wrong; the line names file, line and what would be valid.
    """
    if name.endswith(".toml"):
        return read_recipe(Path(name))
    known = recipe_files()
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise UsageError(f"no mode {name!r}: {hint}there are plain, {', '.join(sorted(known))}")
    return read_recipe(known[name])


def read_recipe(file: Path) -> Recipe:
    """Read one recipe file; see `load_recipe`."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: {getattr(error, 'strerror', None) or error}") from None
    try:
        values = tomllib.loads(text)
        body = _File.model_validate(values)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{file}: {error}") from None
    except ValidationError as error:
        raise UsageError(_complaint(file, text, error)) from None
    if not re.fullmatch(r"[a-z][a-z0-9-]*", file.stem) or file.stem == "plain":
        raise UsageError(f"{file}: {file.stem!r} can't be a recipe's id: a-z, 0-9 and -")
    if "reask" in body.feedback and len(body.feedback) > 1:
        raise UsageError(f"{file}: `reask` tells nothing: it stands alone in feedback")
    template = _template(file, body.template)
    drawn = {k: v for k, v in body.sampling.model_dump().items() if v is not None}
    return Recipe(
        id=file.stem,
        description=body.description,
        feedback=body.feedback,
        history=body.history,
        stop=body.stop,
        submit=body.submit,
        max_turns=body.turns,
        feedback_chars=body.feedback_chars,
        template=template,
        sampling=drawn,
    )


def _template(file: Path, text: str) -> Template:
    """The template that stands in the file, or beside it when the text is a `.j2` file's name."""
    if text.endswith(".j2") and "\n" not in text:
        beside = file.parent / text
        try:
            text = beside.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or error
            raise UsageError(f"{file}: template: {beside}: {why}") from None
    template = Template(f"{file.stem}/feedback", text)
    part = {"name": "compiler", "title": "A title.", "text": "A text."}
    try:
        # Tried here, so that a mistake shows before a session and not in its second turn.
        for parts in ((), (part,)):
            template.render(parts=parts, fence="```")
    except UsageError as error:
        raise UsageError(f"{file}: {error}") from None
    return template


def _complaint(file: Path, text: str, error: ValidationError) -> str:
    # A misspelt key is why another is missing: it comes first.
    first = min(error.errors(), key=lambda one: one["type"] != "extra_forbidden")
    key = str(first["loc"][0]) if first["loc"] else ""
    leaf = str(next((p for p in reversed(first["loc"]) if isinstance(p, str)), key))
    lines = text.splitlines()
    named = re.compile(rf"\s*\[?\s*['\"]?{re.escape(leaf)}\b")
    number = next((i for i, line in enumerate(lines, 1) if named.match(line)), 0)
    where = f"{file}, line {number}" if number else str(file)
    why = str(first["msg"]).removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        known = _File.model_fields if len(first["loc"]) == 1 else _Sampling.model_fields
        near = difflib.get_close_matches(leaf, known, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        why = f"unknown key: {hint}there are {', '.join(known)}"
    return f"{where}: {leaf}: {why}"
