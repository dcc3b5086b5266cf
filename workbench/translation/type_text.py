"""Types and signatures as text: read what an author writes, write what a message shows."""

from __future__ import annotations

import re

from workbench.translation.typed import Parameter, Signature, Type

SCALARS = ("int", "float", "bool", "str")
_ARITY = {"list": (1, 1), "dict": (2, 2), "tuple": (1, 20)}
_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*\Z")
_WORD = re.compile(r"\s*(->|[A-Za-z_][A-Za-z0-9_]*|.)")


class _Words:
    """The words of a text, read from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = [w for w in _WORD.findall(text.strip()) if w.strip()]
        self.next = 0

    def peek(self) -> str:
        return self.words[self.next] if self.next < len(self.words) else ""

    def take(self, wanted: str = "") -> str:
        word = self.peek()
        if not word or (wanted and word != wanted):
            found = f"{word!r}" if word else "the end"
            expected = f"{wanted!r}" if wanted else "a word"
            raise ValueError(f"expected {expected}, found {found} in {self.text!r}")
        self.next += 1
        return word

    def end(self) -> None:
        if self.peek():
            raise ValueError(f"unexpected {self.peek()!r} in {self.text!r}")


def parse_type(text: str) -> Type:
    """Read a type such as `list[dict[str, int]]`, `str | None` or `Optional[str]`.

    Raises:
        ValueError: it isn't a type of the middle form; one line that says why.
    """
    words = _Words(text)
    found = _type(words)
    words.end()
    return found


def parse_signature(text: str) -> Signature:
    """Read a signature such as `join_all(parts: list[str], sep: str) -> str`.

    Raises:
        ValueError: it isn't one, or a name isn't snake_case; one line that says why.
    """
    words = _Words(text)
    name = _name(words)
    words.take("(")
    parameters: list[Parameter] = []
    while words.peek() != ")":
        if parameters:
            words.take(",")
        parameter = _name(words)
        words.take(":")
        parameters.append(Parameter(parameter, _type(words)))
        if len({p.name for p in parameters}) != len(parameters):
            raise ValueError(f"parameter {parameter!r} stands twice in {text!r}")
    words.take(")")
    words.take("->")
    result = _type(words)
    words.end()
    return Signature(name, tuple(parameters), result)


def show_type(wanted: Type) -> str:
    """Write a type as `parse_type` reads it."""
    if wanted.name == "optional":
        return f"{show_type(wanted.args[0])} | None"
    if not wanted.args:
        return wanted.name
    return f"{wanted.name}[{', '.join(show_type(a) for a in wanted.args)}]"


def show_signature(signature: Signature) -> str:
    """Write a signature as `parse_signature` reads it."""
    parameters = ", ".join(f"{p.name}: {show_type(p.type)}" for p in signature.parameters)
    return f"{signature.name}({parameters}) -> {show_type(signature.result)}"


def _name(words: _Words) -> str:
    name = words.take()
    if not _NAME.match(name):
        raise ValueError(f"{name!r} isn't a snake_case name, in {words.text!r}")
    return name


def _type(words: _Words) -> Type:
    name = words.take()
    if name == "Optional":
        words.take("[")
        found = _optional(_type(words), words)
        words.take("]")
    elif name in _ARITY:
        found = Type(name, _arguments(name, words))
    elif name in SCALARS:
        found = Type(name)
    else:
        known = ", ".join((*SCALARS, *_ARITY))
        raise ValueError(f"unknown type {name!r} in {words.text!r}: there are {known}")
    if words.peek() == "|":
        words.take("|")
        words.take("None")
        found = _optional(found, words)
    return found


def _optional(inner: Type, words: _Words) -> Type:
    if inner.name == "optional":
        raise ValueError(f"an optional of an optional, in {words.text!r}")
    return Type("optional", (inner,))


def _arguments(name: str, words: _Words) -> tuple[Type, ...]:
    words.take("[")
    arguments = [_type(words)]
    while words.peek() == ",":
        words.take(",")
        arguments.append(_type(words))
    words.take("]")
    least, most = _ARITY[name]
    if not least <= len(arguments) <= most:
        raise ValueError(f"{name} takes {least} type(s), not {len(arguments)}, in {words.text!r}")
    if name == "dict" and arguments[0].name not in ("str", "int", "bool"):
        raise ValueError(f"dict keys are str, int or bool, in {words.text!r}")
    return tuple(arguments)
