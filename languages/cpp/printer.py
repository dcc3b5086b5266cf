"""C++: a typed task's names, types, values and prompt. Names stay snake_case."""

from __future__ import annotations

import math
import re
from typing import Any

from workbench.translation.spelling import apart, described, snake_case
from workbench.translation.typed import Case, Signature, Type, TypedTask
from workbench.translation.values import holds

RESERVED = frozenset(
    re.findall(
        r"\w+",
        """alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t
        char16_t char32_t class compl concept const consteval constexpr constinit const_cast
        continue co_await co_return co_yield decltype default delete do double dynamic_cast else
        enum explicit export extern false float for friend goto if inline int long main mutable
        namespace new noexcept not not_eq nullptr operator or or_eq private protected public
        register reinterpret_cast requires return short signed sizeof static static_assert
        static_cast std struct switch template this thread_local throw true try typedef typeid
        typename union unsigned using virtual void volatile wchar_t while xor xor_eq""",
    )
)
WORDS = {"true": "true", "false": "false", "none": "nullopt"}

# A function of one of these names would be taken for the C library's, or the other way round.
C_LIBRARY = frozenset(
    re.findall(
        r"\w+",
        """abort abs acos asin atan atan2 atexit atof atoi atol atoll bsearch calloc ceil clock close
        cos cosh ctime difftime div drand48 erf exit exp exp2 fabs fclose fdim ferror fflush floor
        fma fmax fmin fmod fopen fread free frexp fwrite gamma getc getchar getenv gets gmtime
        hypot index isalnum isalpha iscntrl isdigit isgraph islower isprint ispunct isspace isupper
        isxdigit j0 j1 jn kill labs ldexp ldiv lgamma link llabs localtime log log10 log2 longjmp
        malloc memchr memcmp memcpy memmove memset mktime modf nan nice open pause pipe pow printf
        putc putchar puts qsort raise rand random read realloc remainder remove rename rewind
        rindex rint round scanf select setjmp signal sin sinh sleep sqrt srand stat strcat strchr
        strcmp strcpy strcspn strdup strerror strftime strlen strncat strncmp strncpy strpbrk strrchr
        strsep strspn strstr strtod strtok strtol swab sync system tan tanh tgamma time times tmpfile
        tmpnam tolower toupper trunc ungetc unlink wait write y0 y1 yn""",
    )
)
_HEADERS = {
    "str": "string",
    "list": "vector",
    "dict": "map",
    "optional": "optional",
    "tuple": "tuple",
}


def entry_point(signature: Signature) -> str:
    """Spell the function's name: snake_case."""
    return apart(snake_case(signature.name), RESERVED | C_LIBRARY)


def parameter_name(name: str) -> str:
    """Spell a parameter's name: snake_case."""
    return apart(snake_case(name), RESERVED)


def type_name(wanted: Type, std: str = "") -> str:
    """Write a type; `std` goes before names of the standard library, such as `std::`."""
    inner = ", ".join(type_name(a, std) for a in wanted.args)
    match wanted.name:
        case "int":
            return "long long"
        case "float":
            return "double"
        case "str":
            return f"{std}string"
        case "list":
            return f"{std}vector<{inner}>"
        case "dict":
            return f"{std}map<{inner}>"
        case "tuple" | "optional":
            return f"{std}{wanted.name}<{inner}>"
        case _:
            return wanted.name


def literal(wanted: Type, value: Any) -> str:
    """Write a value as an expression of exactly its type; nothing but `std::` is assumed."""

    def inner(of: Type, held: Any) -> str:
        return literal(of, held)

    named = type_name(wanted, "::std::")
    match wanted.name:
        case "list":
            return f"{named}{{{', '.join(inner(wanted.args[0], v) for v in value)}}}"
        case "tuple":
            return f"{named}{{{', '.join(map(inner, wanted.args, value))}}}"
        case "dict":
            key, held = wanted.args
            pairs = (f"{{{inner(key, k)}, {inner(held, v)}}}" for k, v in value.items())
            return f"{named}{{{', '.join(pairs)}}}"
        case "optional":
            return f"{named}{{{'' if value is None else inner(wanted.args[0], value)}}}"
        case "int":
            return f"({value + 1}LL - 1)" if value == -(2**63) else f"{value}LL"
        case "float":
            return _float(value)
        case "str":
            quoted = _quoted(value, ascii_only=True)
            return (
                f"{named}({quoted}, {len(value.encode())})"
                if "\0" in value
                else f"{named}({quoted})"
            )
        case _:
            return "true" if value else "false"


def shown(wanted: Type, value: Any) -> str:
    """Write a value as a person would where its type is known from the signature."""
    match wanted.name:
        case "list":
            return "{" + ", ".join(shown(wanted.args[0], v) for v in value) + "}"
        case "tuple":
            return "{" + ", ".join(map(shown, wanted.args, value)) + "}"
        case "dict":
            key, held = wanted.args
            pairs = (f"{{{shown(key, k)}, {shown(held, v)}}}" for k, v in value.items())
            return "{" + ", ".join(pairs) + "}"
        case "optional":
            return "nullopt" if value is None else shown(wanted.args[0], value)
        case "int":
            return str(value)
        case "float":
            return _float(value)
        case "str":
            return _quoted(value, ascii_only=False)
        case _:
            return "true" if value else "false"


def _float(value: float) -> str:
    if math.isnan(value):
        return "NAN"
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    return repr(value)


def _quoted(value: str, ascii_only: bool) -> str:
    out: list[str] = []
    named = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
    for char in value:
        if char in named:
            out.append(named[char])
        elif char == "?":
            # Two in a row could begin a trigraph.
            out.append("\\?" if out and out[-1] in ("?", "\\?") else "?")
        elif char.isprintable() and (char.isascii() or not ascii_only):
            out.append(char)
        else:
            out += [f"\\{byte:03o}" for byte in char.encode()]
    return '"' + "".join(out) + '"'


def call(task: TypedTask, case: Case) -> str:
    """Write one call as a person would, such as `add_all({2, 3})`."""
    pairs = zip(task.signature.parameters, case.arguments, strict=True)
    arguments = ", ".join(shown(p.type, v) for p, v in pairs)
    return f"{entry_point(task.signature)}({arguments})"


def header(signature: Signature) -> str:
    """Write the line that begins the function."""
    parameters = ", ".join(
        f"{type_name(p.type)} {parameter_name(p.name)}" for p in signature.parameters
    )
    return f"{type_name(signature.result)} {entry_point(signature)}({parameters}) {{"


def preamble(signature: Signature) -> str:
    """Write the includes that the signature's types need, and the using directive."""
    types = [*(p.type for p in signature.parameters), signature.result]
    includes = sorted(h for n, h in _HEADERS.items() if any(holds(t, n) for t in types))
    lines = [f"#include <{name}>\n" for name in includes]
    return "".join(lines) + ("using namespace std;\n" if lines else "")


def prompt(task: TypedTask) -> str:
    """Write description and visible examples as a comment, then includes and signature."""
    signature = task.signature
    text = described(task.description, signature, parameter_name, entry_point(signature), WORDS)
    lines = text.split("\n")
    for case in task.visible:
        lines += [f">>> {call(task, case)}", shown(signature.result, case.expected)]
    body = "\n".join(line.rstrip() for line in lines).replace("*/", "* /")
    return f"/*\n{body}\n*/\n{preamble(signature)}{header(signature)}\n"
