"""One program but for names and layout, in each language; anything else is another."""

from __future__ import annotations

import pytest

from workbench import languages
from workbench.generation.extraction.source import Grammar
from workbench.generation.sameness import normal_form

PAIRS = {
    "python": (
        'def f(a, b):\n    """Doc."""\n    # why\n    total = max(a, b)\n    return [total, \'x\']\n',
        'def f(first,\n      second):\n  most = max(first, second)\n\n  return [most, "x"]\n',
    ),
    "cpp": (
        "int f(int a, int b) {\n  // why\n  int total = max(a, b);\n  return total;\n}\n",
        "int f(int first, int second)\n{ int most = max(first, second); return most; }\n",
    ),
    "java": (
        "class Solution {\n  public int f(int a, int b) {\n    int t = Math.max(a, b);\n    return t;\n  }\n}\n",
        "class Solution { public int f(int x, int y)\n{ int u = Math.max(x, y); /* u */ return u; } }\n",
    ),
    "js": (
        "const f = (a, b) => {\n  let total = max(a, b);\n  return [total, 'x'];\n}\n",
        'const f = (x, y) => { let most = max(x, y)\n  return [most, "x"] }\n',
    ),
    "go": (
        "func f(a int, b int) int {\n\ttotal := max(a, b)\n\treturn total\n}\n",
        "// f.\nfunc f(x int, y int) int {\n\n\tmost := max(x, y)\n\treturn most\n}\n",
    ),
}


@pytest.mark.parametrize("language", PAIRS)
def test_names_and_layout_mean_nothing_and_all_else_does(language: str) -> None:
    grammar = Grammar(languages.load(language))
    one, two = PAIRS[language]
    form = normal_form(grammar, one, "f")
    assert form is not None
    assert normal_form(grammar, two, "f") == form
    assert normal_form(grammar, two.replace("max", "min"), "f") != form


def test_what_a_function_uses_beside_it_counts() -> None:
    grammar = Grammar(languages.load("python"))
    text = "def f(x):\n    return helper(x)\n\ndef helper(y):\n    return y + 1\n"
    form = normal_form(grammar, text, "f")
    assert normal_form(grammar, text.replace("y + 1", "y - 1"), "f") != form
    assert normal_form(grammar, text.replace("(y)", "(z)").replace("y + 1", "z + 1"), "f") == form
    assert normal_form(grammar, text + "\n\ndef other():\n    return 3\n", "f") == form


@pytest.mark.parametrize("text", ["", "x = 1", "def g():\n    return 1\n", "def f(:\n", "(" * 9000])
def test_what_is_not_there_has_no_form(text: str) -> None:
    assert normal_form(Grammar(languages.load("python")), text, "f") is None
