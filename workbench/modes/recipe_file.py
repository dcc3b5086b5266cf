"""Recipe files: TOML read and checked; whatever is wrong is one line with file, line and choices."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from workbench import paths
from workbench.errors import UsageError
from workbench.generation.templates import Template
from workbench.modes.entry_point import EntryPoint, read_entry_point
from workbench.modes.recipe import (
    LATER,
    PARTS,
    Agent,
    Budget,
    Critic,
    Recipe,
    Tree,
)
from workbench.modes.recipe_rules import clash

SHIPPED = Path(__file__).resolve().parent / "recipes"
DEFAULT_TEMPLATE = (SHIPPED / "feedback.j2").read_text(encoding="utf-8")
TOOLS = ("write_file", "compile", "run", "run_visible_tests", "read_output", "submit")
"""What an agent may be given."""
_SOMETHING = {"name": "compiler", "title": "A title.", "text": "A text."}
TRIALS: Mapping[str, tuple[dict[str, Any], ...]] = {
    "feedback": tuple(
        {"parts": parts, "fence": "```", "accepted": False, "left": 2}
        for parts in ((), (_SOMETHING,))
    ),
    "explain": ({"feedback": "A text.", "language": "Name", "code": "x", "fence": "```"},),
    "self-tests": (
        {"language": "Name", "entry_point": "f", "tag": "x", "form": "x", "typed": False,
         "fence": "```", "parameters": 1},
        {"language": "Name", "entry_point": "f", "tag": "x", "form": "", "typed": True,
         "fence": "```", "parameters": 1},
    ),
    "agent": tuple(
        {"task": "A text.", "language": "Name", "tools": ("run", "submit"), "calls": calls,
         "turns": 3, "typed": True, "form": "x", "tag": "x", "fence": "```", "entry_point": "f"}
        for calls in ("native", "text")
    ),
}  # fmt: skip
"""What a template of each kind gets, as it is tried with when a recipe is read."""


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Draws(_Strict):
    """What some answers draw differently from the first."""

    temperature: float | None = Field(None, ge=0, le=5)
    top_p: float | None = Field(None, gt=0, le=1)
    max_tokens: int | None = Field(None, ge=1)


class _Sampling(_Draws):
    """What turns from 2 draw differently, and what the steps between them do."""

    explain: _Draws | None = None
    self_tests: _Draws | None = Field(None, alias="self-tests")


class _Templates(_Strict):
    explain: str | None = None
    self_tests: str | None = Field(None, alias="self-tests")
    agent: str | None = None


class _Explain(_Strict):
    by: str = Field(min_length=1)
    api_base: str = ""
    api_key_env: str = ""


class _Tree(_Strict):
    programs: int = Field(1, ge=1, le=1000)
    feedbacks: int = Field(1, ge=1, le=100)
    repairs: int = Field(1, ge=1, le=100)
    depth: int = Field(1, ge=1, le=5)


class _Agent(_Strict):
    tools: tuple[str, ...] = TOOLS
    calls: Literal["native", "text"] = "native"

    @field_validator("tools")
    @classmethod
    def _known(cls, tools: tuple[str, ...]) -> tuple[str, ...]:
        _all_known("tool", tools, TOOLS)
        for needed in ("write_file", "submit"):
            if needed not in tools:
                raise ValueError(f"an agent can't do without {needed!r}")
        return tuple(sorted(set(tools), key=TOOLS.index))


class RecipeFile(_Strict):
    """The keys of a recipe file."""

    description: str
    feedback: tuple[str, ...] = Field(min_length=1)
    history: str = Field("last", pattern=r"^(last|last-[1-9][0-9]*|full)$")
    stop: Literal["visible", "compiles", "self", "hidden", "model", "own", "none"] = "visible"
    submit: Literal["accepted-else-last", "last", "any"] = "accepted-else-last"
    turns: int = Field(3, ge=1, le=200)
    tokens: int | None = Field(None, ge=1)
    seconds: float | None = Field(None, gt=0)
    cost_usd: float | None = Field(None, gt=0)
    announce: bool = False
    feedback_chars: int = Field(2000, ge=100, le=100_000)
    template: str = DEFAULT_TEMPLATE
    templates: _Templates = _Templates.model_validate({})
    sampling: _Sampling = _Sampling.model_validate({})
    explain: _Explain | None = None
    tree: _Tree | None = None
    agent: _Agent | None = None
    entry_point: str = ""

    @field_validator("feedback")
    @classmethod
    def _one_each(cls, parts: tuple[str, ...]) -> tuple[str, ...]:
        for part in parts:
            if part in LATER:
                raise ValueError(f"part {part!r} isn't available: there are {', '.join(PARTS)}")
            if not re.fullmatch(r"[a-z][a-z0-9-]*", part):
                raise ValueError(f"{part!r} can't be a part's name: a-z, 0-9 and -")
        return tuple(dict.fromkeys(parts))


def recipe_files() -> dict[str, Path]:
    """Recipe files by id: the user's first, then those that ship."""
    found: dict[str, Path] = {}
    for folder in (user_recipes(), SHIPPED):
        for file in sorted(folder.glob("*.toml")):
            found.setdefault(file.stem, file)
    return found


def user_recipes() -> Path:
    """The folder of the user's own recipes."""
    return paths.user_data_dir() / "recipes"


def load_recipe(name: str) -> Recipe:
    """Read a recipe by id, or from a file (a name that ends in `.toml`).

    `ID:MODEL` names the model that explains, for a recipe that has another model do so; `ID:5x3`
    gives a tree's first programs and the repairs of each.

    Raises:
        UsageError: there is none, or it is wrong; the line names file, line and what would be valid.
    """
    stem, _, given = name.partition(":")
    return read_recipe(recipe_file(stem), given)


def recipe_file(name: str) -> Path:
    """The file of a recipe: by id, or a name that ends in `.toml`.

    Raises:
        UsageError: there is no recipe of that id.
    """
    if name.endswith(".toml"):
        return Path(name)
    known = recipe_files()
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise UsageError(f"no mode {name!r}: {hint}there are plain, {', '.join(sorted(known))}")
    return known[name]


def files_beside(file: Path) -> list[Path]:
    """The files that a recipe file names: templates, the entry point.

    Raises:
        UsageError: it isn't a recipe.
    """
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{file}: {getattr(error, 'strerror', None) or error}") from None
    templates = values.get("templates", {})
    texts = [values.get("template"), *templates.values(), values.get("entry_point")]
    named = [
        t for t in texts if isinstance(t, str) and "\n" not in t and t.endswith((".j2", ".py"))
    ]
    return [file.parent / name for name in named]


def read_recipe(file: Path, given: str = "") -> Recipe:
    """Read one recipe file; see `load_recipe`, also for `given`, which stands after the colon."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: {getattr(error, 'strerror', None) or error}") from None
    try:
        values = tomllib.loads(text)
        body = RecipeFile.model_validate(values)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{file}: {error}") from None
    except ValidationError as error:
        raise UsageError(_complaint(file, text, error)) from None
    if not re.fullmatch(r"[a-z][a-z0-9-]*", file.stem) or file.stem == "plain":
        raise UsageError(f"{file}: {file.stem!r} can't be a recipe's id: a-z, 0-9 and -")
    try:
        entry_point = read_entry_point(file.parent / body.entry_point) if body.entry_point else None
    except UsageError as error:
        raise UsageError(f"{_where(file, text, 'entry_point')}: {error}") from None
    own = _own_parts(file, text, body, entry_point)
    found = clash(values, body.feedback)
    if found is not None:
        raise UsageError(f"{_where(file, text, found.key)}: {found.key}: {found.why}")
    return _recipe(file, _filled(file, body, given), given, own, entry_point)


def _filled(file: Path, body: RecipeFile, given: str) -> RecipeFile:
    """The file with what was given after the colon."""
    if body.explain is not None and (given or body.explain.by == "MODEL"):
        if not given:
            raise UsageError(
                f"{file.stem} needs the model that explains: {file.stem}:openai/gpt-4o-mini, say"
            )
        return body.model_copy(update={"explain": body.explain.model_copy(update={"by": given})})
    if not given:
        return body
    shape = re.fullmatch(r"([1-9]\d{0,2})x([1-9]\d?)", given)
    if body.tree is None or shape is None:
        what = "a tree takes a shape such as 5x3" if body.tree else "it takes nothing after a colon"
        raise UsageError(f"{file.stem}:{given}: {what}")
    update = {"programs": int(shape[1]), "repairs": int(shape[2])}
    return body.model_copy(update={"tree": body.tree.model_copy(update=update)})


def _recipe(
    file: Path, body: RecipeFile, given: str, own: tuple[str, ...], entry_point: EntryPoint | None
) -> Recipe:
    known = tuple(sorted((p for p in body.feedback if p in PARTS), key=PARTS.index))
    tree = Tree(**body.tree.model_dump()) if body.tree else None
    agent = body.agent or (_Agent.model_validate({}) if "agent" in known else None)
    critic = None
    if body.explain is not None:
        critic = Critic(body.explain.by, body.explain.api_base, body.explain.api_key_env)
    steps = {"explain": body.sampling.explain, "self-tests": body.sampling.self_tests}
    return Recipe(
        id=f"{file.stem}:{given}" if given else file.stem,
        description=body.description,
        feedback=(*known, *own),
        history=body.history,
        stop=body.stop,
        submit=body.submit,
        max_turns=tree.turns if tree else body.turns,
        feedback_chars=body.feedback_chars,
        template=_template(file, "feedback", body.template),
        sampling=_drawn(body.sampling),
        steps={name: _drawn(draws) for name, draws in steps.items() if draws is not None},
        templates={
            name: _template(file, name, getattr(body.templates, name.replace("-", "_")))
            for name in ("explain", "self-tests", "agent")
            if name in known
        },
        budget=Budget(
            body.tokens,
            body.seconds,
            None if body.cost_usd is None else Decimal(str(body.cost_usd)),
        ),
        announce=body.announce,
        tree=tree,
        critic=critic,
        agent=None if agent is None else Agent(agent.tools, agent.calls),
        entry_point=entry_point,
    )


def _drawn(draws: _Draws) -> dict[str, float | int]:
    found = {name: getattr(draws, name) for name in _Draws.model_fields}
    return {name: value for name, value in found.items() if value is not None}


def _own_parts(
    file: Path, text: str, body: RecipeFile, entry_point: EntryPoint | None
) -> tuple[str, ...]:
    """Parts that the entry point makes: every name that isn't one of ours."""
    functions = {} if entry_point is None else entry_point.functions
    own = tuple(part for part in body.feedback if part not in PARTS)
    choices = (*PARTS, *(name for name in functions if name != "accept"))
    for part in own:
        try:
            _all_known("part", (part,), choices)
        except ValueError as error:
            raise UsageError(f"{_where(file, text, 'feedback')}: feedback: {error}") from None
    if body.stop == "own" and "accept" not in functions:
        raise UsageError(
            f"{_where(file, text, 'stop')}: stop: 'own' needs a function `accept` in the file that "
            "`entry_point` names"
        )
    return own


def _template(file: Path, kind: str, text: str | None) -> Template:
    """The template that stands in the file, or beside it when the text is a `.j2` file's name."""
    if text is None:
        text = (SHIPPED / f"{kind}.j2").read_text(encoding="utf-8")
    elif text.endswith(".j2") and "\n" not in text:
        beside = file.parent / text
        try:
            text = beside.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or error
            raise UsageError(f"{file}: template: {beside}: {why}") from None
    template = Template(f"{file.stem}/{kind}", text)
    try:
        # Tried here, so that a mistake shows before a session and not in its second turn.
        for values in TRIALS[kind]:
            template.render(**values)
    except UsageError as error:
        raise UsageError(f"{file}: {error}") from None
    return template


def _all_known(what: str, given: Iterable[str], known: tuple[str, ...]) -> None:
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise ValueError(f"unknown {what} {name!r}: {hint}there are {', '.join(known)}")


def _where(file: Path, text: str, key: str) -> str:
    """File and line at which a key stands."""
    named = re.compile(rf"\s*\[?\s*['\"]?{re.escape(key)}\b")
    lines = enumerate(text.splitlines(), 1)
    number = next((i for i, line in lines if named.match(line)), 0)
    return f"{file}, line {number}" if number else str(file)


_TABLES: Mapping[str, type[BaseModel]] = {
    "sampling": _Sampling,
    "templates": _Templates,
    "explain": _Explain,
    "tree": _Tree,
    "agent": _Agent,
}


def _keys(loc: tuple[str | int, ...]) -> list[str]:
    """The keys there are in the table in which something was found."""
    if len(loc) <= 1:
        model: type[BaseModel] = RecipeFile
    else:
        model = _TABLES.get(str(loc[0]), _Draws) if len(loc) == 2 else _Draws
    return [field.alias or name for name, field in model.model_fields.items()]


def _complaint(file: Path, text: str, error: ValidationError) -> str:
    # A misspelt key is why another is missing: it comes first.
    first = min(error.errors(), key=lambda one: one["type"] != "extra_forbidden")
    key = str(first["loc"][0]) if first["loc"] else ""
    leaf = str(next((p for p in reversed(first["loc"]) if isinstance(p, str)), key))
    why = str(first["msg"]).removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        known = _keys(first["loc"])
        near = difflib.get_close_matches(leaf, known, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        why = f"unknown key: {hint}there are {', '.join(known)}"
    return f"{_where(file, text, leaf)}: {leaf}: {why}"
