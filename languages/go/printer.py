"""Go: a typed task's names, types, values and prompt. The function is exported: `PascalCase`."""

from __future__ import annotations

import math
import re
from typing import Any

from workbench.translation.spelling import apart, camel_case, described, pascal_case
from workbench.translation.typed import Case, Signature, Type, TypedTask

RESERVED = frozenset(
    re.findall(
        r"\w+",
        """break case chan const continue default defer else fallthrough for func go goto if import
        interface map package range return select struct switch type var any append bool byte cap
        clear close complex copy delete error false float64 imag int iota len make max min new nil
        panic print println real recover rune string true uint""",
    )
)
WORDS = {"true": "true", "false": "false", "none": "nil"}
_SCALARS = {"int": "int", "float": "float64", "bool": "bool", "str": "string"}


def entry_point(signature: Signature) -> str:
    """Spell the function's name: exported, PascalCase."""
    return pascal_case(signature.name)


def parameter_name(name: str) -> str:
    """Spell a parameter's name: camelCase."""
    return apart(camel_case(name), RESERVED)


def type_name(wanted: Type) -> str:
    """Write a type: slices, maps, a pointer for an optional.

    Raises:
        ValueError: a tuple: Go has none.
    """
    if wanted.name in _SCALARS:
        return _SCALARS[wanted.name]
    match wanted.name:
        case "list":
            return f"[]{type_name(wanted.args[0])}"
        case "dict":
            return f"map[{type_name(wanted.args[0])}]{type_name(wanted.args[1])}"
        case "optional":
            return f"*{type_name(wanted.args[0])}"
        case _:
            raise ValueError(f"Go has no {wanted.name}")


def literal(wanted: Type, value: Any) -> str:
    """Write a value as an expression of exactly its type, in a file that imports math."""
    match wanted.name:
        case "optional":
            if value is None:
                return f"({type_name(wanted)})(nil)"
            inner = wanted.args[0]
            return f"workbenchPointer[{type_name(inner)}]({literal(inner, value)})"
        case "list":
            inside = ", ".join(literal(wanted.args[0], v) for v in value)
            return f"{type_name(wanted)}{{{inside}}}"
        case "dict":
            key, held = wanted.args
            pairs = (f"{literal(key, k)}: {literal(held, v)}" for k, v in value.items())
            return f"{type_name(wanted)}{{{', '.join(pairs)}}}"
        case "float" if value == 0.0 and math.copysign(1.0, value) < 0:
            return "math.Copysign(0, -1)"
        case "str":
            return _quoted(value, ascii_only=True)
        case _:
            return _scalar(wanted, value)


def shown(wanted: Type, value: Any) -> str:
    """Write a value as a person would; an optional as what it points to."""
    match wanted.name:
        case "optional":
            return "nil" if value is None else shown(wanted.args[0], value)
        case "list":
            inside = ", ".join(shown(wanted.args[0], v) for v in value)
            return f"{type_name(wanted)}{{{inside}}}"
        case "dict":
            key, held = wanted.args
            pairs = (f"{shown(key, k)}: {shown(held, v)}" for k, v in value.items())
            return f"{type_name(wanted)}{{{', '.join(pairs)}}}"
        case "str":
            return _quoted(value, ascii_only=False)
        case _:
            return _scalar(wanted, value)


def _scalar(wanted: Type, value: Any) -> str:
    match wanted.name:
        case "bool":
            return "true" if value else "false"
        case "int":
            return str(value)
        case "float":
            if math.isnan(value):
                return "math.NaN()"
            if math.isinf(value):
                return "math.Inf(1)" if value > 0 else "math.Inf(-1)"
            return repr(value)
        case _:
            raise ValueError(f"Go has no {wanted.name}")


def _quoted(value: str, ascii_only: bool) -> str:
    named = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
    out: list[str] = []
    for char in value:
        code = ord(char)
        if char in named:
            out.append(named[char])
        elif char.isprintable() and (char.isascii() or not ascii_only):
            out.append(char)
        else:
            out.append(f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")
    return '"' + "".join(out) + '"'


def call(task: TypedTask, case: Case) -> str:
    """Write one call as a person would, such as `AddAll([]int{2, 3})`."""
    pairs = zip(task.signature.parameters, case.arguments, strict=True)
    arguments = ", ".join(shown(p.type, v) for p, v in pairs)
    return f"{entry_point(task.signature)}({arguments})"


def header(signature: Signature) -> str:
    """Write the line that begins the function."""
    parameters = ", ".join(
        f"{parameter_name(p.name)} {type_name(p.type)}" for p in signature.parameters
    )
    return f"func {entry_point(signature)}({parameters}) {type_name(signature.result)} {{"


def prompt(task: TypedTask) -> str:
    """Write package clause, description and visible examples as comment, then the signature.

    There are no imports: which ones a program needs is decided from its code.

    Raises:
        ValueError: the signature has a type that Go can't say.
    """
    signature = task.signature
    text = described(task.description, signature, parameter_name, entry_point(signature), WORDS)
    lines = text.split("\n")
    for case in task.visible:
        lines += [f">>> {call(task, case)}", shown(signature.result, case.expected)]
    body = "\n".join(f"// {line}".rstrip() for line in lines)
    return f"package main\n\n{body}\n{header(signature)}\n"
