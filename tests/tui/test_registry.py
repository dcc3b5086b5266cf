"""One registry of actions: nothing is bound twice, everything is answered, help shows it."""

from __future__ import annotations

import pytest

from workbench.tui import actions
from workbench.tui.draw.ink import Page, plain
from workbench.tui.draw.overlays import help_plane, matching
from workbench.tui.screens.alike import AlikeScreen
from workbench.tui.screens.base import Place
from workbench.tui.screens.beside import BesideScreen
from workbench.tui.screens.compare import CompareScreen
from workbench.tui.screens.episode import EpisodeScreen
from workbench.tui.screens.live import LiveScreen
from workbench.tui.screens.new import NewScreen
from workbench.tui.screens.recipes import RecipesScreen
from workbench.tui.screens.sample import SampleScreen
from workbench.tui.screens.sessions import SessionsScreen
from workbench.tui.screens.tasks import TasksScreen

PLACES = (SessionsScreen, NewScreen, LiveScreen, TasksScreen, AlikeScreen, SampleScreen, EpisodeScreen,
    BesideScreen, CompareScreen, RecipesScreen)  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_every_action_of_a_screen_is_answered_by_it(place: type[Place]) -> None:
    for scope in (place.SCOPE, actions.EVERYWHERE):
        for action in actions.of(scope):
            assert callable(getattr(place, f"do_{action.name}")), action.id


@pytest.mark.parametrize("place", PLACES)
def test_no_key_means_two_things_on_one_screen(place: type[Place]) -> None:
    keys = [
        key
        for scope in (place.SCOPE, actions.EVERYWHERE)
        for action in actions.of(scope)
        for key in action.keys.split()
    ]
    assert len(keys) == len(set(keys))


def test_ids_are_unique() -> None:
    assert len(actions.BY_ID) == len(actions.ACTIONS)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("width", [80, 120])
def test_help_shows_every_key_of_the_screen(place: type[Place], width: int) -> None:
    page = Page(width, 60)
    help_plane(page, place.SCOPE, place.TITLE_OF_HELP, place.ABOUT, 0)
    text = "\n".join(plain(row) for row in page.finish())
    for action in (*actions.of(place.SCOPE), *actions.of(actions.EVERYWHERE)):
        assert action.shown in text
    assert place.ABOUT in text


def test_the_palette_finds_by_letters_in_order_the_closest_first() -> None:
    from workbench.tui.draw.overlays import Choice

    choices = [
        Choice("a", "Retry lost units"),
        Choice("b", "Stop the session"),
        Choice("c", "Rest"),
    ]
    assert [c.id for c in matching(choices, "rest")] == ["c", "a"]
    assert [c.id for c in matching(choices, "stop")] == ["b"]
    assert [c.id for c in matching(choices, "rlu")] == ["a"]
    assert len(matching(choices, "")) == 3
    assert matching(choices, "zzz") == []


def test_every_screen_with_actions_is_tested_here() -> None:
    scopes = {action.scope for action in actions.ACTIONS} - {actions.EVERYWHERE}
    assert scopes == {place.SCOPE for place in PLACES}
