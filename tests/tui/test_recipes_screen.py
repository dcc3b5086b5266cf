"""Recipes: cards, differences, recipes of one's own, and trying one."""

from __future__ import annotations

import contextlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tui.driving import opened, shown, until
from workbench import paths
from workbench.tui.model.recipes import difference, read_cards
from workbench.tui.screens.recipes import RecipesScreen


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Recipes of one's own go to a folder of the test's."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(paths, "user_data_dir", lambda: tmp_path / "data")


def screen_of(app: Any) -> RecipesScreen:
    """The screen."""
    assert isinstance(app.screen, RecipesScreen)
    return app.screen


def test_a_card_says_what_an_episode_does_and_whether_it_leaks() -> None:
    cards = {c.id: c for c in read_cards()}
    visible = cards["repair-visible"]
    assert ("stops", "when all visible tests pass, or after turn 3") in visible.sentences
    assert ("never", "a held-out test, a scored outcome") in visible.sentences
    hidden = cards["repair-hidden"]
    assert hidden.leaks
    assert "never" not in [word for word, _ in hidden.sentences]
    assert not any(c.problem for c in cards.values())


def test_two_recipes_differ_in_what_is_named_and_nothing_else() -> None:
    cards = {c.id: c for c in read_cards()}
    lines = difference(cards["repair-visible"], cards["repair-compiler"])
    assert ("@", "feedback") in lines
    assert any(sign == "−" and "visible-tests" in text for sign, text in lines)
    assert difference(cards["tree"], cards["tree"])[0][1].startswith("the same recipe")


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_marking_two_shows_what_they_differ_in(folder: Path, size: tuple[int, int]) -> None:
    async with opened(folder, first=None, size=size) as (app, pilot):
        await pilot.press("5")
        screen = screen_of(app)
        await until(pilot, lambda: screen.cards is not None)
        await pilot.press("home", "=", "end", "=")
        cards = screen.cards or []
        assert f"{cards[0].id} → {cards[-1].id}" in shown(app)
        await pilot.press("=")
        assert f"{cards[-1].id} ─" in shown(app)
        await pilot.press("up", "down", "pagedown", "pageup", "enter")


async def test_a_recipe_of_ones_own_is_made_edited_and_checked(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(folder, first=None) as (app, pilot):
        monkeypatch.setattr(app, "suspend", contextlib.nullcontext)
        await pilot.press("5")
        screen = screen_of(app)
        await until(pilot, lambda: screen.cards is not None)
        await pilot.press("e")
        assert "ships with workbench" in shown(app)
        await pilot.press("n", *"Bad Name", "enter")
        await until(pilot, lambda: "can't be a recipe's id" in shown(app))
        await pilot.press("n", *"mine", "enter")
        await until(pilot, lambda: screen.view.at == "mine")
        file = tmp_path / "data" / "recipes" / "mine.toml"
        assert file.is_file()
        editor = tmp_path / "editor.py"
        editor.write_text(
            "import sys, pathlib\np = pathlib.Path(sys.argv[1])\n"
            "p.write_text(p.read_text().replace('feedback = [', 'feedback = [\"compile\", '))\n"
        )
        monkeypatch.setenv("VISUAL", f"{sys.executable} {editor}")
        await pilot.press("e")
        await until(pilot, lambda: "not valid" in shown(app))
        card = screen.card()
        assert card is not None
        assert "did you mean 'compiler'" in card.problem


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[Path, list[str]]]]:
    """What would be started."""
    found: list[tuple[Path, list[str]]] = []
    with monkeypatch.context() as patch:
        patch.setattr(
            "workbench.tui.app.Workbench.start_session",
            lambda _app, path, arguments: found.append((path, arguments)),
        )
        yield found


async def test_trying_runs_one_episode_of_one_task_with_the_sessions_model(
    tmp_path: Path, asked: list[tuple[Path, list[str]]]
) -> None:
    example = paths.example_session()
    assert example is not None
    shutil.copytree(example, tmp_path / "s" / "first", ignore=shutil.ignore_patterns("lock"))
    async with opened(tmp_path / "s", first=None) as (app, pilot):
        await pilot.press("5")
        screen = screen_of(app)
        await until(pilot, lambda: screen.cards is not None)
        await pilot.press("t")
        assert "open a session first" in shown(app)
        app.open_session(tmp_path / "s" / "first")
        await until(pilot, lambda: bool(app.session and app.session.model.tasks))
        await pilot.press("end", "t", *"go starter/3", "enter")
        await until(pilot, lambda: bool(asked))
        path, arguments = asked[0]
        cards = screen.cards or []
        words = " ".join(arguments)
        assert f"--languages go --mode {cards[-1].id}" in words
        assert "--tasks starter/3" in words
        assert "-n" not in arguments
        assert path.name.startswith(f"try-{cards[-1].id}")
