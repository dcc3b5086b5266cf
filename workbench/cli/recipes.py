"""`workbench recipes`: the repair recipes there are, and whether a file is one."""

from __future__ import annotations

from pathlib import Path

import click

from workbench.modes.recipe_file import load_recipe, read_recipe, recipe_files
from workbench.text import clean_line


@click.group()
def recipes() -> None:
    """Repair recipes: TOML files that say how repair goes on."""


@recipes.command("list")
def list_() -> None:
    """List the recipes by id."""
    for name, file in recipe_files().items():
        recipe = read_recipe(file)
        click.echo(f"{name:<18} {clean_line(recipe.label)}")
        click.echo(f"{'':<18} {clean_line(recipe.description)}")


@recipes.command()
@click.argument("name")
def show(name: str) -> None:
    """Print a recipe, and what its label says."""
    recipe = load_recipe(name)
    click.echo(f"{recipe.id}: {clean_line(recipe.description)}")
    click.echo(f"repair[{clean_line(recipe.label)}]")
    click.echo(f"sha256 {recipe.sha256}")
    click.echo("")
    for line in recipe.template.text.splitlines():
        click.echo(f"  {clean_line(line)}")


@recipes.command()
@click.argument("file", type=click.Path(path_type=Path))
def check(file: Path) -> None:
    """Say whether a file is a recipe."""
    recipe = read_recipe(file)
    click.echo(f"valid: repair[{clean_line(recipe.label)}]")
