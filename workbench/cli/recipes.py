"""`workbench recipes`: the repair recipes there are, new ones, and what two of them differ in."""

from __future__ import annotations

import difflib
from pathlib import Path

import click

from workbench.errors import UsageError
from workbench.modes.recipe_file import load_recipe, read_recipe, recipe_files, user_recipes
from workbench.modes.recipe_own import copy_recipe, decides, sample_recipe
from workbench.text import clean_line


@click.group()
def recipes() -> None:
    """Repair recipes: TOML files that say how repair goes on."""


@recipes.command("list")
def list_() -> None:
    """List the recipes by id."""
    own = user_recipes()
    for name, file in recipe_files().items():
        mark = "  (yours)" if file.parent == own else ""
        try:
            recipe = sample_recipe(name, file)
        except UsageError as error:
            click.echo(f"{name:<18} {clean_line(str(error))}{mark}")
            continue
        click.echo(f"{name:<18} {clean_line(recipe.mode)}{mark}")
        click.echo(f"{'':<18} {clean_line(recipe.description)}")


@recipes.command()
@click.argument("name")
def show(name: str) -> None:
    """Print a recipe, and what its label says."""
    recipe = load_recipe(name)
    click.echo(f"{recipe.id}: {clean_line(recipe.description)}")
    click.echo(clean_line(recipe.mode))
    click.echo(f"sha256 {recipe.sha256}")
    if recipe.leaks:
        click.echo(
            "LEAK: the model is told of held-out tests; its numbers reproduce others', no more"
        )
    for key, text in decides(recipe).items():
        lines = text.splitlines() or [""]
        if len(lines) == 1:
            click.echo(f"{key}: {clean_line(text)}")
        else:
            click.echo(f"{key}:")
            for line in lines:
                click.echo(f"  {clean_line(line)}")


@recipes.command()
@click.argument("name")
@click.option(
    "--from",
    "source",
    default="repair-visible",
    show_default=True,
    metavar="RECIPE",
    help="The recipe to begin with.",
)
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path),
              help="Where to write it; default: your own recipes.")  # fmt: skip
def new(name: str, source: str, folder: Path | None) -> None:
    """Write a recipe of your own to begin from, and say where it is."""
    target = copy_recipe(source, name, folder or user_recipes())
    mode = name if folder is None else str(target)
    click.echo(
        f"{target}: edit it, `workbench recipes check {target}`, then run with --mode {mode}"
    )


@recipes.command()
@click.argument("file", type=click.Path(path_type=Path))
def check(file: Path) -> None:
    """Say whether a file is a recipe."""
    recipe = read_recipe(file)
    click.echo(f"valid: {clean_line(recipe.mode)}")


@recipes.command()
@click.argument("one")
@click.argument("other")
def diff(one: str, other: str) -> None:
    """Say in what two recipes differ: what isn't named is the same."""
    first, second = load_recipe(one), load_recipe(other)
    a, b = decides(first), decides(second)
    differing = [key for key in (*a, *(k for k in b if k not in a)) if a.get(key) != b.get(key)]
    if not differing:
        click.echo(f"{first.id} and {second.id} are the same recipe: {clean_line(first.mode)}")
        return
    click.echo(f"- {first.id}: {clean_line(first.mode)}")
    click.echo(f"+ {second.id}: {clean_line(second.mode)}")
    for key in differing:
        old, new = a.get(key, "–"), b.get(key, "–")
        if "\n" not in old + new:
            click.echo(f"{key}: {clean_line(old)} → {clean_line(new)}")
            continue
        click.echo(f"{key}:")
        lines = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=1)
        for line in list(lines)[2:]:
            click.echo(f"  {clean_line(line)}")
