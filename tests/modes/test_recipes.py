"""Recipe files: those that ship, and what is said about wrong ones."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from workbench.errors import UsageError
from workbench.generation.model import Sampling
from workbench.modes.recipe import load_recipe, read_recipe, recipe_files


def write(folder: Path, text: str, name: str = "made") -> Path:
    file = folder / f"{name}.toml"
    file.write_text(text)
    return file


GOOD = 'description = "made"\nfeedback = ["compiler"]\n'


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("repair-visible", "compiler+runtime+visible-tests; last; stop=visible; ≤3"),
        ("repair-reask", "reask; last; stop=visible; ≤3"),
    ],
)
def test_shipped_recipes_have_their_label(name: str, label: str) -> None:
    assert load_recipe(name).label == label


def test_the_compiler_recipe_says_what_it_hands_in() -> None:
    label = load_recipe("repair-compiler").label
    assert label.startswith("compiler; last; stop=compiles; ")
    assert "≤3" in label


def test_every_shipped_recipe_is_read() -> None:
    names = set(recipe_files())
    assert {"repair-visible", "repair-compiler", "repair-reask"} <= names
    for name in names:
        assert load_recipe(name).id == name


def test_a_recipe_is_known_by_what_it_says_not_by_its_name(tmp_path: Path) -> None:
    one = read_recipe(write(tmp_path, GOOD, "one"))
    two = read_recipe(write(tmp_path, "# another\n" + GOOD, "two"))
    other = read_recipe(write(tmp_path, GOOD + "turns = 2\n", "three"))
    assert one.sha256 == two.sha256
    assert one.sha256 != other.sha256


def test_later_turns_may_be_drawn_otherwise(tmp_path: Path) -> None:
    recipe = read_recipe(write(tmp_path, GOOD + "[sampling]\ntemperature = 0.2\nmax_tokens = 50\n"))
    first = Sampling(temperature=0.8, top_p=0.95, max_tokens=100)
    assert recipe.later(first) == Sampling(temperature=0.2, top_p=0.95, max_tokens=50)


def test_a_template_may_stand_beside_the_recipe(tmp_path: Path) -> None:
    (tmp_path / "mine.j2").write_text("{% for part in parts %}{{ part.text }}{% endfor %}!")
    recipe = read_recipe(write(tmp_path, GOOD + 'template = "mine.j2"\n'))
    assert recipe.template.render(parts=[{"text": "x"}], fence="```") == "x!"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('description = "x"\nfeedbak = ["compiler"]\n', "line 2: feedbak: unknown key: did you mean 'feedback'?"),
        ('description = "x"\n', "feedback: Field required"),
        ('description = "x"\nfeedback = "compiler"\n', "line 2: feedback: "),
        ('description = "x"\nfeedback = []\n', "line 2: feedback: "),
        ('description = "x"\nfeedback = ["compilr"]\n', "line 2: feedback: unknown part 'compilr': did you mean 'compiler'? there are reask, verdict, compiler"),
        ('description = "x"\nfeedback = ["explain"]\n', "part 'explain' isn't available yet: there are reask"),
        ('description = "x"\nfeedback = ["hidden-tests"]\n', "part 'hidden-tests' isn't available yet"),
        ('description = "x"\nfeedback = ["reask", "compiler"]\n', "`reask` tells nothing"),
        (GOOD + 'stop = "hidden"\n', "line 3: stop: Input should be 'visible', 'compiles' or 'none'"),
        (GOOD + 'submit = "any"\n', "line 3: submit: Input should be 'accepted-else-last' or 'last'"),
        (GOOD + 'history = "last-0"\n', "line 3: history: "),
        (GOOD + "turns = 0\n", "line 3: turns: "),
        (GOOD + 'turns = "three"\n', "line 3: turns: "),
        (GOOD + "[sampling]\ntemprature = 1\n", "line 4: temprature: unknown key: did you mean 'temperature'? there are temperature, top_p, max_tokens"),
        (GOOD + "[sampling]\ntemperature = -1\n", "line 4: temperature: "),
        (GOOD + 'template = "{% for x"\n', "line 1"),
        (GOOD + 'template = "{{ tests }}"\n', "'tests' is undefined: there are fence, parts"),
        (GOOD + 'template = "none.j2"\n', "none.j2: No such file or directory"),
        ("description = \n", "(at line 1"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_told_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    file = write(tmp_path, text)
    with pytest.raises(UsageError) as caught:
        read_recipe(file)
    message = str(caught.value)
    assert message.startswith(str(file))
    assert said in message
    assert "\n" not in message


def test_an_unknown_name_gets_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="did you mean repair-visible"):
        load_recipe("repair-visble")
    with pytest.raises(UsageError, match="No such file"):
        load_recipe(str(tmp_path / "none.toml"))


def test_shipped_files_are_plain_toml() -> None:
    for file in recipe_files().values():
        assert tomllib.loads(file.read_text())["description"]
