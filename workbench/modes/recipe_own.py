"""Recipes as people handle them: copied to begin from, shown as texts by name, read with a stand-in."""

from __future__ import annotations

import re
from pathlib import Path

from workbench.errors import UsageError
from workbench.modes.recipe import Recipe
from workbench.modes.recipe_file import files_beside, load_recipe, recipe_file


def copy_recipe(source: str, name: str, where: Path) -> Path:
    """Write recipe `source`, and the files it names, to folder `where` as `name`; returns the file.

    Raises:
        UsageError: the name can't be or is taken, or the folder can't be written.
    """
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name) or name == "plain":
        raise UsageError(f"{name!r} can't be a recipe's id: a-z, 0-9 and -")
    old = recipe_file(source)
    target = where / f"{name}.toml"
    copies = {target: old.read_text(encoding="utf-8")}
    for beside in files_beside(old):
        if (where / beside.name).resolve() != beside.resolve():
            copies[where / beside.name] = beside.read_text(encoding="utf-8")
    try:
        where.mkdir(parents=True, exist_ok=True)
        for path, text in copies.items():
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
    except FileExistsError as error:
        raise UsageError(f"{error.filename} exists already: choose another name") from None
    except OSError as error:
        raise UsageError(f"{target} can't be written: {error.strerror}") from None
    return target


def sample_recipe(name: str, file: Path) -> Recipe:
    """A recipe as a list shows it: one that needs a model to be named is shown with a stand-in."""
    by_model = re.search(
        r'(?m)^by\s*=\s*"MODEL"', file.read_text(encoding="utf-8", errors="replace")
    )
    return load_recipe(f"{name}:MODEL" if by_model else name)


def decides(recipe: Recipe) -> dict[str, str]:
    """What of a recipe decides anything, as texts by name; absent ones are left out."""
    body = recipe.protocol().model_dump(mode="json", exclude={"name", "feedback"})
    found = {"feedback": " + ".join(str(part) for part in _parts(recipe))}
    for key, value in body.items():
        if isinstance(value, dict):
            table: dict[str, object] = value  # pyright: ignore[reportUnknownVariableType]
            found |= {f"{key}.{name}": str(text) for name, text in table.items()}
        elif key == "shape" and value is not None:
            found[key] = " × ".join(str(size) for size in value)
        elif value not in (None, "", False):
            found[key] = str(value)
    return found


def _parts(recipe: Recipe) -> list[str]:
    return [
        f"{part.name}{f' (by {part.by})' if part.by else ''}{'!LEAK' if part.leaks else ''}"
        for part in recipe.protocol().feedback
    ]
