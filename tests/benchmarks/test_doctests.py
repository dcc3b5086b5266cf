"""Visible tests out of docstrings."""

from __future__ import annotations

from workbench.benchmarks.doctests import visible_tests


def prompt(examples: str) -> str:
    inner = examples.replace("\n", "\n    ")
    return f'import math\n\n\ndef f(x):\n    """ Words.\n    {inner}\n    """\n'


def test_examples_become_assertions() -> None:
    text = ">>> f(1) # note\n2\n>>> round(f([1, 'a']), 2)\n-0.5\n>>> f((1,))\n[(1, 'x'), None]"
    assert visible_tests(prompt(text), "f").splitlines() == [
        "assert f(1) == 2",
        "assert round(f([1, 'a']), 2) == -0.5",
        "assert f((1,)) == [(1, 'x'), None]",
    ]


def test_what_is_no_literal_is_left_out() -> None:
    text = ">>> f(1)\nsomething like this\n>>> x = f(1)\n>>> f(2)\nTraceback (most recent call last):\n  ...\nValueError: x\n>>> f(3)\n3"
    assert visible_tests(prompt(text), "f") == "assert f(3) == 3\n"


def test_other_functions_docstrings_are_not_read() -> None:
    text = 'def g(x):\n    """\n    >>> g(1)\n    1\n    """\n    return x\n\n\n' + prompt(
        ">>> f(1)\n2"
    )
    assert visible_tests(text, "f") == "assert f(1) == 2\n"


def test_prose_gives_nothing() -> None:
    assert visible_tests(prompt("f(1) == 2\nf(2) -> 3"), "f") == ""
    assert visible_tests("def f(x:\n", "f") == ""
    assert visible_tests("def f(x):\n", "f") == ""
    assert visible_tests(prompt(">>>f(1)\n2"), "f") == ""
