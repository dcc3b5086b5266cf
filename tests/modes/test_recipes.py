"""Recipe files: those that ship, and what is said about wrong ones."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from workbench.errors import UsageError
from workbench.generation.model import Sampling
from workbench.modes.recipe_file import load_recipe, read_recipe, recipe_files
from workbench.protocol.parse import parse_label


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
    for name in names - {"repair-other"}:
        assert load_recipe(name).id == name
        assert parse_label(f"x/python · {load_recipe(name).mode} · {_metric(name)} !IMPORTED")


def _metric(name: str) -> str:
    return "tree-rate 1×3 (oracle)" if load_recipe(name).tree else "solved@≤2"


def test_the_whole_catalogue_ships() -> None:
    assert set(recipe_files()) >= {
        "repair-reask", "repair-compiler", "repair-visible", "repair-explain", "repair-trace",
        "repair-selftests", "repair-other", "repair-hidden", "tree",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("repair-explain", "compiler+runtime+visible-tests+explain; last; stop=visible; ≤3"),
        ("repair-trace", "compiler+runtime+visible-tests+trace; last; stop=visible; ≤3"),
        ("repair-selftests", "self-tests; last; stop=self; ≤3"),
        (
            "repair-other:openai/gpt-4o",
            "compiler+runtime+visible-tests+explain(by openai/gpt-4o); last; stop=visible; ≤3",
        ),
        ("repair-hidden", "hidden-tests!LEAK; last; stop=hidden (oracle stop); submit=last; ≤2"),
        ("tree:5x4", "compiler+runtime+visible-tests; last; stop=none; submit=any (oracle); ≤5"),
    ],
)
def test_labels_say_who_explains_and_what_leaks(name: str, label: str) -> None:
    assert load_recipe(name).label == label


def test_another_model_must_be_named() -> None:
    with pytest.raises(UsageError, match="repair-other:openai/gpt-4o-mini, say"):
        load_recipe("repair-other")
    with pytest.raises(UsageError, match="nothing after a colon"):
        load_recipe("repair-visible:openai/gpt-4o")
    with pytest.raises(UsageError, match="a shape such as 5x3"):
        load_recipe("tree:many")


def test_a_tree_takes_its_shape_from_the_mode() -> None:
    recipe = load_recipe("tree:5x4")
    assert recipe.protocol().shape == (5, 1, 4)
    assert recipe.mode.startswith("tree[")
    assert recipe.max_turns == 5


def test_budgets_and_steps_stand_in_the_protocol(tmp_path: Path) -> None:
    text = (
        'description = "made"\nfeedback = ["compiler", "explain"]\ntokens = 900\nseconds = 30\n'
        'cost_usd = 0.05\n[sampling.explain]\ntemperature = 0.1\n[templates]\nexplain = "Why?"\n'
    )
    recipe = read_recipe(write(tmp_path, text))
    assert recipe.label.endswith("≤3; tokens≤900; seconds≤30; cost_usd≤0.05")
    assert dict(recipe.protocol().sampling) == {"explain.temperature": "0.1"}
    assert dict(recipe.protocol().templates)["explain"] == "Why?"
    assert recipe.step("explain", Sampling(temperature=1.0)).temperature == 0.1


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
        ('description = "x"\nfeedback = ["compilr"]\n', "line 2: feedback: unknown part 'compilr': did you mean 'compiler'? there are agent, reask, verdict, compiler"),
        ('description = "x"\nfeedback = ["reference"]\n', "part 'reference' isn't available: there are agent"),
        ('description = "x"\nfeedback = ["hint"]\n', "line 2: feedback: unknown part 'hint'"),
        ('description = "x"\nfeedback = ["agent"]\n', "stop: an agent says itself when it is done"),
        ('description = "x"\nfeedback = ["trace"]\n', "line 2: feedback: `trace` is of a failing visible test"),
        ('description = "x"\nfeedback = ["hidden-tests", "verdict"]\n', "leave those out"),
        (GOOD + 'stop = "self"\n', "line 3: stop: 'self' needs `self-tests`"),
        (GOOD + 'stop = "model"\n', "line 3: stop: 'model' is an agent's"),
        (GOOD + 'stop = "own"\n', "line 3: stop: 'own' needs a function `accept`"),
        (GOOD + 'tokens = 0\n', "line 3: tokens: "),
        (GOOD + 'entry_point = "none.py"\n', "line 3: entry_point: "),
        (GOOD + '[explain]\nby = "x/y"\n', "line 3: explain: the table says who explains"),
        (GOOD + '[explain]\nbuy = "x/y"\n', "line 4: buy: unknown key: did you mean 'by'? there are by, api_base, api_key_env"),
        (GOOD + '[tree]\nrepairs = 2\n', "stop: a tree is grown whole"),
        (GOOD + 'stop = "none"\nsubmit = "any"\nturns = 2\n[tree]\n', "line 5: turns: a tree's size follows"),
        (GOOD + 'stop = "none"\nsubmit = "any"\n[tree]\nfeedbacks = 2\n', "line 6: feedbacks: several feedbacks differ by `explain`"),
        (GOOD + '[agent]\n', "line 3: agent: the table says"),
        (GOOD + '[sampling.explain]\ntemperature = 1\n', "explain: sampling of `explain`, which isn't"),
        (GOOD + '[templates]\nexplain = "x"\n', "line 4: explain: a template of `explain`, which isn't"),
        ('description = "x"\nfeedback = ["reask", "compiler"]\n', "`reask` tells nothing"),
        (GOOD + 'stop = "hidden"\n', "line 3: stop: 'hidden' tells the model by going on"),
        (GOOD + 'stop = "green"\n', "line 3: stop: Input should be 'visible', 'compiles', 'self'"),
        (GOOD + 'submit = "best"\n', "line 3: submit: Input should be 'accepted-else-last', 'last' or 'any'"),
        (GOOD + 'history = "last-0"\n', "line 3: history: "),
        (GOOD + "turns = 0\n", "line 3: turns: "),
        (GOOD + 'turns = "three"\n', "line 3: turns: "),
        (GOOD + "[sampling]\ntemprature = 1\n", "line 4: temprature: unknown key: did you mean 'temperature'? there are temperature, top_p, max_tokens, explain, self-tests"),
        (GOOD + "[sampling]\ntemperature = -1\n", "line 4: temperature: "),
        (GOOD + 'template = "{% for x"\n', "line 1"),
        (GOOD + 'template = "{{ tests }}"\n', "'tests' is undefined: there are accepted, fence, left, parts"),
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
