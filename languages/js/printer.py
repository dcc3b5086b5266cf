"""JavaScript: a typed task's names, types, values and prompt, with JSDoc for the types."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from workbench.translation.spelling import apart, camel_case, described
from workbench.translation.typed import Case, Signature, Type, TypedTask

RESERVED = frozenset(
    re.findall(
        r"\w+",
        """arguments await break case catch class const continue debugger default delete do else
        enum eval export extends false finally for function if implements import in instanceof
        interface let new null package private protected public return static super switch this
        throw true try typeof undefined var void while with yield""",
    )
)
WORDS = {"true": "true", "false": "false", "none": "null"}


def entry_point(signature: Signature) -> str:
    """Spell the function's name: camelCase."""
    return apart(camel_case(signature.name), RESERVED)


def parameter_name(name: str) -> str:
    """Spell a parameter's name: camelCase."""
    return apart(camel_case(name), RESERVED)


def type_name(wanted: Type) -> str:
    """Write a type as JSDoc does."""
    match wanted.name:
        case "int" | "float":
            return "number"
        case "bool":
            return "boolean"
        case "str":
            return "string"
        case "list":
            inner = type_name(wanted.args[0])
            return f"({inner})[]" if "|" in inner else f"{inner}[]"
        case "tuple":
            return f"[{', '.join(type_name(a) for a in wanted.args)}]"
        case "dict":
            key, held = (type_name(a) for a in wanted.args)
            return f"Object<{key}, {held}>" if key == "string" else f"Map<{key}, {held}>"
        case _:
            return f"{type_name(wanted.args[0])} | null"


def literal(wanted: Type, value: Any, ascii_only: bool = False) -> str:
    """Write a value as an expression that stands alone."""

    def inner(of: Type, held: Any) -> str:
        return literal(of, held, ascii_only)

    match wanted.name:
        case "list":
            return "[" + ", ".join(inner(wanted.args[0], v) for v in value) + "]"
        case "tuple":
            return "[" + ", ".join(map(inner, wanted.args, value)) + "]"
        case "dict":
            key, held = wanted.args
            if key.name != "str":
                pairs = (f"[{inner(key, k)}, {inner(held, v)}]" for k, v in value.items())
                return "new Map([" + ", ".join(pairs) + "])"
            # A computed name: a plain "__proto__" would set the prototype.
            names = {k: f"[{inner(key, k)}]" if k == "__proto__" else inner(key, k) for k in value}
            return "{" + ", ".join(f"{names[k]}: {inner(held, v)}" for k, v in value.items()) + "}"
        case "optional":
            return "null" if value is None else inner(wanted.args[0], value)
        case "bool":
            return "true" if value else "false"
        case "str":
            text = json.dumps(value, ensure_ascii=ascii_only)
            return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
        case "float":
            return _number(value)
        case _:
            return str(value)


def _number(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value.is_integer() and abs(value) < 1e16:
        return f"-{-value:.0f}" if math.copysign(1.0, value) < 0 else f"{value:.0f}"
    return repr(value)


def call(task: TypedTask, case: Case) -> str:
    """Write one call as a person would, such as `addAll([2, 3])`."""
    pairs = zip(task.signature.parameters, case.arguments, strict=True)
    arguments = ", ".join(literal(p.type, v) for p, v in pairs)
    return f"{entry_point(task.signature)}({arguments})"


def header(signature: Signature) -> str:
    """Write the line that begins the function."""
    parameters = ", ".join(parameter_name(p.name) for p in signature.parameters)
    return f"function {entry_point(signature)}({parameters}) {{"


def prompt(task: TypedTask) -> str:
    """Write description, visible examples and types as a JSDoc comment, then the signature."""
    signature = task.signature
    text = described(task.description, signature, parameter_name, entry_point(signature), WORDS)
    lines = text.split("\n")
    for case in task.visible:
        lines += [f">>> {call(task, case)}", literal(signature.result, case.expected)]
    lines += [
        f"@param {{{type_name(p.type)}}} {parameter_name(p.name)}" for p in signature.parameters
    ]
    lines.append(f"@returns {{{type_name(signature.result)}}}")
    body = "\n".join(f" * {line}".rstrip() for line in lines).replace("*/", "* /")
    return f"/**\n{body}\n */\n{header(signature)}\n"
