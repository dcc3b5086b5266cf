"""`workbench recipes`: listing, showing, beginning, checking and comparing recipes."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from workbench.cli.recipes import recipes
from workbench.errors import UsageError
from workbench.modes.recipe_file import recipe_files


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def call(*words: str) -> Result:
    return CliRunner().invoke(recipes, words, catch_exceptions=False)


def test_every_recipe_is_listed_with_its_label() -> None:
    said = call("list").output
    for name in recipe_files():
        assert f"\n{name}" in f"\n{said}"
    assert "explain(by MODEL)" in said
    assert "hidden-tests!LEAK" in said


def test_a_leak_is_shown_as_one() -> None:
    assert "LEAK: the model is told of held-out tests" in call("show", "repair-hidden").output
    said = call("show", "repair-visible").output
    assert "LEAK" not in said
    assert "repair[compiler+runtime+visible-tests; last; stop=visible; ≤3]" in said


def test_a_new_recipe_is_a_mode_at_once(tmp_path: Path) -> None:
    said = call("new", "mine", "--from", "repair-explain").output
    assert "run with --mode mine" in said
    assert "mine               repair[" in call("list").output
    assert "(yours)" in call("list").output
    assert "are the same recipe" in call("diff", "mine", "repair-explain").output
    with pytest.raises(UsageError, match="exists already"):
        call("new", "mine")
    file = tmp_path / "data" / "workbench" / "recipes" / "mine.toml"
    assert call("check", str(file)).output.startswith("valid: repair[")


def test_what_a_recipe_names_comes_with_it(tmp_path: Path) -> None:
    (tmp_path / "t.j2").write_text("{% for p in parts %}{{ p.text }}{% endfor %}")
    old = tmp_path / "old.toml"
    old.write_text('description = "x"\nfeedback = ["compiler"]\ntemplate = "t.j2"\n')
    call("new", "other", "--from", str(old), "--folder", str(tmp_path / "there"))
    assert call("check", str(tmp_path / "there" / "other.toml")).output.startswith("valid")


def test_a_bad_name_is_refused() -> None:
    with pytest.raises(UsageError, match="can't be a recipe's id"):
        call("new", "../evil")


def test_a_difference_is_told_key_by_key(tmp_path: Path) -> None:
    one, two = tmp_path / "one.toml", tmp_path / "two.toml"
    one.write_text('description = "x"\nfeedback = ["compiler"]\n')
    two.write_text(
        'description = "y"\nfeedback = ["compiler", "runtime"]\nturns = 5\n'
        "[sampling]\ntemperature = 0.2\n[tree]\n".replace("[tree]\n", "")
    )
    said = call("diff", str(one), str(two)).output
    assert "feedback: compiler → compiler + runtime" in said
    assert "turns: 3 → 5" in said
    assert "sampling.temperature: – → 0.2" in said
    assert "history" not in said
    assert "feedback → " not in said
