"""Visible tests out of a docstring: its `>>>` examples as assertions."""

from __future__ import annotations

import ast
import doctest


def _docstring(prompt: str, entry_point: str) -> str:
    """Docstring of the function whose head and docstring end the prompt."""
    try:
        tree = ast.parse(f"{prompt.rstrip()}\n    pass\n")
    except SyntaxError:
        return ""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == entry_point:
            return ast.get_docstring(node, clean=True) or ""
    return ""


def _assertion(example: doctest.Example) -> str | None:
    """One example as an assertion, when it is an expression with a literal as its value."""
    if example.exc_msg is not None:
        return None
    try:
        call = ast.parse(example.source.strip(), mode="eval").body
        value = ast.parse(example.want.strip(), mode="eval").body
        ast.literal_eval(value)
    except (SyntaxError, ValueError):
        return None
    return f"assert {ast.unparse(call)} == {ast.unparse(value)}"


def visible_tests(prompt: str, entry_point: str) -> str:
    """Assertions made from the docstring's examples; empty when none can be made.

    An example counts when it is one expression and what it prints is a literal; others (several
    statements, exceptions, prose) are left out.
    """
    try:
        examples = doctest.DocTestParser().get_examples(_docstring(prompt, entry_point))
    except ValueError:
        return ""
    assertions = [a for e in examples if (a := _assertion(e)) is not None]
    return "".join(f"{assertion}\n" for assertion in assertions)
