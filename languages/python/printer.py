"""Python: a typed task's names, types, values and prompt, as a Python author would write them."""

from __future__ import annotations

import keyword
import math
from typing import Any

from workbench.translation.spelling import apart, described
from workbench.translation.typed import Case, Signature, Type, TypedTask

RESERVED = frozenset(keyword.kwlist)
WORDS = {"true": "True", "false": "False", "none": "None"}


def entry_point(signature: Signature) -> str:
    """Spell the function's name: snake_case."""
    return apart(signature.name, RESERVED)


def parameter_name(name: str) -> str:
    """Spell a parameter's name: snake_case."""
    return apart(name, RESERVED)


def type_name(wanted: Type) -> str:
    """Write a type as an annotation that needs no import."""
    if wanted.name == "optional":
        return f"{type_name(wanted.args[0])} | None"
    if wanted.args:
        return f"{wanted.name}[{', '.join(type_name(a) for a in wanted.args)}]"
    return wanted.name


def literal(wanted: Type, value: Any) -> str:
    """Write a value as an expression that stands alone."""
    match wanted.name:
        case "list":
            return "[" + ", ".join(literal(wanted.args[0], v) for v in value) + "]"
        case "tuple":
            parts = [literal(t, v) for t, v in zip(wanted.args, value, strict=True)]
            return "(" + ", ".join(parts) + (",)" if len(parts) == 1 else ")")
        case "dict":
            key, held = wanted.args
            pairs = (f"{literal(key, k)}: {literal(held, v)}" for k, v in value.items())
            return "{" + ", ".join(pairs) + "}"
        case "float" if not math.isfinite(value):
            return f"float({str(value)!r})"
        case "optional" if value is not None:
            return literal(wanted.args[0], value)
        case _:
            return repr(value)


def call(task: TypedTask, case: Case) -> str:
    """Write one call as a person would, such as `add(2, 3)`."""
    pairs = zip(task.signature.parameters, case.arguments, strict=True)
    arguments = ", ".join(literal(p.type, v) for p, v in pairs)
    return f"{entry_point(task.signature)}({arguments})"


def header(signature: Signature) -> str:
    """Write the line that begins the function."""
    parameters = ", ".join(
        f"{parameter_name(p.name)}: {type_name(p.type)}" for p in signature.parameters
    )
    return f"def {entry_point(signature)}({parameters}) -> {type_name(signature.result)}:"


def prompt(task: TypedTask) -> str:
    """Write the signature, then the description and the visible examples as its docstring."""
    signature = task.signature
    text = described(task.description, signature, parameter_name, entry_point(signature), WORDS)
    lines = text.split("\n")
    for case in task.visible:
        lines += [f">>> {call(task, case)}", literal(signature.result, case.expected)]
    body = "\n".join(f"    {line}".rstrip() for line in lines).lstrip()
    body = body.replace('"""', "'''")
    opening = 'r"""' if "\\" in body else '"""'
    return f'{header(signature)}\n    {opening} {body}\n    """\n'
