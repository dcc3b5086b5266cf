"""Java: a typed task's names, types, values and prompt. A method `camelCase` of class Solution."""

from __future__ import annotations

import math
import re
from typing import Any

from workbench.translation.spelling import apart, camel_case, described
from workbench.translation.typed import Case, Signature, Type, TypedTask

RESERVED = frozenset(
    re.findall(
        r"\w+",
        """abstract assert boolean break byte case catch char class const continue default do
        double else enum extends false final finally float for goto if implements import
        instanceof int interface long native new null package private protected public return
        short static strictfp super switch synchronized this throw throws transient true try void
        volatile while clone equals finalize getClass hashCode notify notifyAll toString wait""",
    )
)
WORDS = {"true": "true", "false": "false", "none": "Optional.empty()"}
PREAMBLE = "import java.util.*;\n"
_PRIMITIVE = {"int": "long", "float": "double", "bool": "boolean"}
_BOXED = {"int": "Long", "float": "Double", "bool": "Boolean", "str": "String"}


def entry_point(signature: Signature) -> str:
    """Spell the method's name: camelCase."""
    return apart(camel_case(signature.name), RESERVED)


def parameter_name(name: str) -> str:
    """Spell a parameter's name: camelCase."""
    return apart(camel_case(name), RESERVED)


def type_name(wanted: Type, boxed: bool = False) -> str:
    """Write a type; `boxed` is the form that stands between angle brackets.

    Raises:
        ValueError: a tuple: Java has none.
    """
    if wanted.name in _PRIMITIVE and not boxed:
        return _PRIMITIVE[wanted.name]
    if wanted.name in _BOXED:
        return _BOXED[wanted.name]
    names = {"list": "List", "dict": "Map", "optional": "Optional"}
    if wanted.name not in names:
        raise ValueError(f"Java has no {wanted.name}")
    return f"{names[wanted.name]}<{', '.join(type_name(a, boxed=True) for a in wanted.args)}>"


def literal(wanted: Type, value: Any) -> str:
    """Write a value as an expression of exactly its type; lists and maps can be changed."""
    match wanted.name:
        case "list":
            inner = ", ".join(literal(wanted.args[0], v) for v in value)
            of = type_name(wanted.args[0], boxed=True)
            return f"new ArrayList<{of}>(Arrays.<{of}>asList({inner}))"
        case "dict":
            key, held = wanted.args
            flat = ", ".join(f"{literal(key, k)}, {literal(held, v)}" for k, v in value.items())
            of = ", ".join(type_name(a, boxed=True) for a in wanted.args)
            return f"Main.<{of}>map({flat})"
        case "optional":
            of = type_name(wanted.args[0], boxed=True)
            if value is None:
                return f"Optional.<{of}>empty()"
            return f"Optional.<{of}>of({literal(wanted.args[0], value)})"
        case "int":
            return f"{value}L"
        case "float":
            return _float(value)
        case "str":
            return _quoted(value, ascii_only=True)
        case "bool":
            return "true" if value else "false"
        case _:
            raise ValueError(f"Java has no {wanted.name}")


def zero_literal(wanted: Type, value: Any) -> str:
    """Write a zero value with nothing but `java.util` in reach."""
    return "new HashMap<>()" if wanted.name == "dict" else literal(wanted, value)


def shown(wanted: Type, value: Any, inside: bool = False) -> str:
    """Write a value as a person would; `inside` a list a whole number needs its `L`."""
    match wanted.name:
        case "list":
            return f"List.of({', '.join(shown(wanted.args[0], v, True) for v in value)})"
        case "dict":
            key, held = wanted.args
            flat = ", ".join(
                f"{shown(key, k, True)}, {shown(held, v, True)}" for k, v in value.items()
            )
            return f"Map.of({flat})"
        case "optional":
            if value is None:
                return "Optional.empty()"
            return f"Optional.of({shown(wanted.args[0], value, True)})"
        case "int":
            return str(value) if not inside and -(2**31) <= value < 2**31 else f"{value}L"
        case "float":
            return _float(value)
        case "str":
            return _quoted(value, ascii_only=False)
        case "bool":
            return "true" if value else "false"
        case _:
            raise ValueError(f"Java has no {wanted.name}")


def _float(value: float) -> str:
    if math.isnan(value):
        return "Double.NaN"
    if math.isinf(value):
        return "Double.POSITIVE_INFINITY" if value > 0 else "Double.NEGATIVE_INFINITY"
    return repr(value)


def _quoted(value: str, ascii_only: bool) -> str:
    named = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
    out: list[str] = []
    for char in value:
        if char in named:
            out.append(named[char])
        elif char.isprintable() and (char.isascii() or not ascii_only):
            out.append(char)
        elif ord(char) < 256:
            out.append(f"\\{ord(char):03o}")
        else:
            units = char.encode("utf-16-be")
            out += [f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2)]
    return '"' + "".join(out) + '"'


def call(task: TypedTask, case: Case) -> str:
    """Write one call as a person would, such as `addAll(List.of(2L, 3L))`."""
    pairs = zip(task.signature.parameters, case.arguments, strict=True)
    arguments = ", ".join(shown(p.type, v) for p, v in pairs)
    return f"{entry_point(task.signature)}({arguments})"


def header(signature: Signature) -> str:
    """Write the line that begins the method."""
    parameters = ", ".join(
        f"{type_name(p.type)} {parameter_name(p.name)}" for p in signature.parameters
    )
    return f"public {type_name(signature.result)} {entry_point(signature)}({parameters}) {{"


def prompt(task: TypedTask) -> str:
    """Write class Solution up to the method's brace, its comment with the visible examples.

    Raises:
        ValueError: the signature has a type that Java can't say.
    """
    signature = task.signature
    text = described(task.description, signature, parameter_name, entry_point(signature), WORDS)
    lines = text.split("\n")
    for case in task.visible:
        lines += [f">>> {call(task, case)}", shown(signature.result, case.expected)]
    body = "\n".join(f"     * {line}".rstrip() for line in lines).replace("*/", "* /")
    # A backslash and a u begin an escape even inside a comment.
    body = re.sub(r"(?<!\\)((?:\\\\)*)\\u", r"\1\\\\u", body)
    return f"{PREAMBLE}\nclass Solution {{\n    /**\n{body}\n     */\n    {header(signature)}\n"
