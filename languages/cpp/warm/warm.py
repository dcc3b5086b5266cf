"""C++ kept warm, in the sandbox: precompiled headers of exactly what a program includes, and mold.

A program's includes are those it begins with: `#include <…>` lines with nothing but blanks and
comments between them, and `using namespace std;` where only the standard library's own headers
follow: these say the same before such a line as after it. Programs whose includes draw in the same files share a precompiled header,
whatever their order; so no name is visible that the program didn't ask for. The commonest are in
the image; others are made when they come a second time, by a uid that is no candidate's. Of what
candidates write, nothing but the names of headers gets there.
"""

# No pathlib inside the sandbox. Python 3.8.
# ruff: noqa: PTH107, PTH110, PTH118, PTH202, PTH207
from __future__ import annotations

import hashlib
import os
import re
from glob import glob
from typing import Any

BAKED = "/opt/workbench/pch"
OWN_MB = 160
"""What precompiled headers made here may take; the one used longest ago goes first."""
LISTS = 2_000
"""Of how many different lists of includes it is remembered what they draw in."""
LIST_S, MAKE_S = 20.0, 60.0

# A comment whose line goes on in the next one is no blank.
_SPACE = re.compile(
    r"(?:[ \t\r\n\f\v]|//(?![^\n]*(?:\\|\?\?/)[ \t\r\f\v]*\n)[^\n]*(?:\n|$)|/\*.*?\*/)*", re.DOTALL
)
_INCLUDE = re.compile(
    r"[ \t]*#[ \t]*include[ \t]*<([A-Za-z0-9_+./-]{1,80})>[ \t]*(?=\r?\n|//|/\*|$)"
)
_USING = re.compile(r"using[ \t]+namespace[ \t]+std[ \t]*;[ \t]*(?=\r?\n|//|/\*)")
# What includes draw in whatever stood before them; and of it, what declares the namespace for sure.
_DECLARING = """
    algorithm any array atomic bitset cassert cctype cerrno cfenv cfloat charconv chrono cinttypes
    climits clocale cmath complex condition_variable csetjmp csignal cstdarg cstddef cstdint cstdio
    cstdlib cstring ctime cwchar cwctype deque exception filesystem forward_list fstream functional
    future initializer_list iomanip ios iosfwd iostream istream iterator limits list locale map
    memory memory_resource mutex new numeric optional ostream queue random ratio regex
    scoped_allocator set shared_mutex sstream stack stdexcept streambuf string string_view
    system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set utility
    valarray variant vector bits/stdc++.h
"""
_FROM_C = """
    assert.h ctype.h errno.h fenv.h float.h inttypes.h limits.h locale.h math.h setjmp.h signal.h
    stdarg.h stddef.h stdint.h stdio.h stdlib.h string.h time.h wchar.h wctype.h
"""
_DECLARES = frozenset(_DECLARING.split())
_STANDARD = _DECLARES | frozenset(_FROM_C.split())


def leading_includes(text: str) -> tuple[str, ...]:
    """The headers that a program begins with, each once, sorted; none when a line is unusual."""
    found: set[str] = set()
    at, used = 0, False
    while True:
        space = _SPACE.match(text, at)
        start = space.end() if space else at
        using = _USING.match(text, start)
        if using is not None and not found.isdisjoint(_DECLARES):
            at, used = using.end(), True
            continue
        # A line may not be continued and no trigraph may hide something.
        include = _INCLUDE.match(text, start)
        if include is None or ".." in include.group(1) or include.group(1).startswith("/"):
            return tuple(sorted(found))
        if used and include.group(1) not in _STANDARD:
            return tuple(sorted(found))
        found.add(include.group(1))
        at = include.end()


class Warm:
    """Adds the precompiled header and the fast linker to the compile step."""

    def __init__(self, box: Any, _texts: dict[str, str]) -> None:
        """Find what the image has."""
        self._box = box
        with open(os.path.join(BAKED, "flags"), encoding="ascii") as file:
            self._flags = file.read().split()
        self._ready: dict[str, str] = {}
        self._made: dict[str, float] = {}
        """Headers made here: size in MB, the one used longest ago first."""
        self._drawn: dict[tuple[str, ...], str] = {}
        for path in sorted(glob(BAKED + "/*.h")):
            with open(path, encoding="ascii") as file:
                names = leading_includes(file.read())
            with open(path + ".files", encoding="ascii") as file:
                key = self._drawn[names] = _key(file.read())
            self._ready[key] = path
        self._seen: set[str] = set()
        self._bad: set[str] = set()
        self._shelf = box.shelf()

    def prepare(self, texts: list[tuple[str, str]], steps: list[dict[str, Any]]) -> None:
        """Change the compile step of a program."""
        step = steps[0]
        plain: list[str] = step["argv"]
        if step["name"] != "compile" or len(texts) != 1:
            return
        flags = plain[1 : plain.index("-o")]
        words = ["-pipe", "-fuse-ld=mold"]
        names = leading_includes(texts[0][1])
        if names and flags == self._flags:
            header = self._header(plain[0], names)
            if header:
                words += ["-include", header]
        step["argv"] = [plain[0], *flags, *words, *plain[1 + len(flags) :]]
        # What the linker can't do is told in the words of the plain one.
        step["instead"] = ("^(?:mold|collect2): ", plain)

    def _header(self, compiler: str, names: tuple[str, ...]) -> str:
        """The path to include for this list of headers; empty when there is none yet."""
        key = self._drawn.pop(names, None)
        if key is None:
            key = self._draws(compiler, names)
        self._drawn[names] = key
        while len(self._drawn) > LISTS:
            del self._drawn[next(iter(self._drawn))]
        if key in self._made:
            self._made[key] = self._made.pop(key)
        if key in self._ready:
            return self._ready[key]
        if not key or key in self._bad:
            return ""
        if key not in self._seen:
            self._seen.add(key)
            return ""
        return self._make(compiler, key, names)

    def _draws(self, compiler: str, names: tuple[str, ...]) -> str:
        """Which files a list of headers draws in, as a key; empty when one isn't there."""
        path = self._write("list", names)
        target = path + ".files"
        argv = [compiler, *self._flags, "-M", "-MF", target, path]
        done = self._box.serve(argv, {**self._box.env}, LIST_S)
        try:
            if not done:
                return ""
            with open(target, encoding="utf-8") as file:
                return _key(file.read())
        finally:
            self._remove(path, target)

    def _make(self, compiler: str, key: str, names: tuple[str, ...]) -> str:
        path = self._write(key, names)
        target = path + ".gch"
        argv = [compiler, *self._flags, "-x", "c++-header", "-o", target, path]
        if not self._box.serve(argv, {**self._box.env}, MAKE_S):
            self._bad.add(key)
            self._remove(path, target)
            return ""
        self._ready[key] = path
        self._made[key] = os.path.getsize(target) / 1_048_576
        while sum(self._made.values()) > OWN_MB and len(self._made) > 1:
            oldest = next(iter(self._made))
            del self._made[oldest]
            old = self._ready.pop(oldest)
            self._remove(old, old + ".gch")
        return path

    def _write(self, name: str, names: tuple[str, ...]) -> str:
        path = os.path.join(self._shelf, f"{name[:32]}.h")

        def action() -> None:
            with open(path, "w", encoding="ascii") as file:
                file.writelines(f"#include <{header}>\n" for header in names)

        self._box.as_service(action)
        return path

    def _remove(self, *paths: str) -> None:
        self._box.as_service(lambda: [os.remove(path) for path in paths if os.path.exists(path)])


def _key(rule: str) -> str:
    """A key for the files of a make rule, but for the one that includes them."""
    files = sorted({word for word in rule.replace("\\\n", " ").split() if word.startswith("/usr/")})
    return hashlib.sha256("\n".join(files).encode()).hexdigest()
