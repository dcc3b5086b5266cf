"""Which packages a Go file needs, decided from its code, and the one import block that says so.

Go refuses a missing import and an unused one alike, and a model that continues a prompt can't
correct the prompt's. So the block is made anew, as goimports would: explicit imports are kept
where they are used, standard packages are added where their name is used and means nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tree_sitter import Node

from workbench.source_text import Source

GRAMMAR = "tree_sitter_go"

# Standard packages by preference: where two share a last element, the first is meant.
_STANDARD = """
archive/tar archive/zip bufio bytes cmp compress/gzip container/heap container/list container/ring
context crypto crypto/aes crypto/hmac crypto/md5 crypto/sha1 crypto/sha256 crypto/sha512
database/sql embed encoding encoding/base32 encoding/base64 encoding/binary encoding/csv
encoding/hex encoding/json encoding/xml errors expvar flag fmt go/ast go/parser go/token hash
hash/adler32 hash/crc32 hash/crc64 hash/fnv hash/maphash html io io/fs io/ioutil iter log maps
math math/big math/bits math/cmplx math/rand crypto/rand mime net net/http net/url os os/exec
os/signal path path/filepath plugin reflect regexp regexp/syntax runtime runtime/debug slices sort
strconv strings sync sync/atomic syscall testing text/tabwriter text/template time unicode
unicode/utf16 unicode/utf8 unsafe
""".split()  # noqa: SIM905


@dataclass(frozen=True, slots=True)
class Import:
    """One import of a file."""

    path: str
    alias: str = ""
    """Its name where one is given: an identifier, `_` or `.`."""

    @property
    def name(self) -> str:
        """The identifier by which the file's code calls it."""
        if self.alias:
            return self.alias
        elements = self.path.split("/")
        # A last element such as v2 is a version, not a name.
        versioned = len(elements) > 1 and elements[-1][:1] == "v" and elements[-1][1:].isdigit()
        return elements[-2] if versioned else elements[-1]

    def __str__(self) -> str:
        return f'{self.alias} "{self.path}"'.lstrip()


_KNOWN = {Import(path).name: Import(path) for path in reversed(_STANDARD)}


def imports_in(source: Source) -> list[Import]:
    """Every import that the code declares, wherever it stands."""
    found: list[Import] = []
    for spec in source.nodes("import_spec"):
        path, alias = spec.child_by_field_name("path"), spec.child_by_field_name("name")
        if path is not None:
            found.append(Import(source.text(path).strip('"`'), source.text(alias) if alias else ""))
    return found


def functions_in(source: Source) -> dict[str, Node]:
    """Functions of the outermost level by name."""
    found: dict[str, Node] = {}
    for node in source.top_level("function_declaration"):
        name = node.child_by_field_name("name")
        if name is not None:
            found[source.text(name)] = node
    return found


def without_header(source: Source) -> str:
    """The code with package clauses and imports blanked; lines stay where they are."""
    header = source.top_level("package_clause", "import_declaration")
    return source.without((n.start_byte, n.end_byte) for n in header)


def _locals(source: Source, declaration: Node) -> dict[str, int]:
    """Names declared inside one outermost declaration, and the byte from which they hold."""
    found: dict[str, int] = {}

    def hold(name: Node, start: int) -> None:
        text = source.text(name)
        found[text] = min(start, found.get(text, start))

    for node in source.nodes(
        "short_var_declaration",
        "range_clause",
        "parameter_declaration",
        "variadic_parameter_declaration",
        "var_spec",
        "const_spec",
        "type_spec",
        under=declaration,
    ):
        if node.type in ("short_var_declaration", "range_clause"):
            left = node.child_by_field_name("left")
            for name in left.children if left else []:
                if name.type == "identifier":
                    hold(name, node.end_byte)
        else:
            # A parameter holds from its function's start, a variable from the end of its spec.
            start = declaration.start_byte if "parameter" in node.type else node.end_byte
            for name in node.children_by_field_name("name"):
                hold(name, start)
    return found


def packages_used(source: Source) -> set[str]:
    """Identifiers that stand before a dot and are nothing the code itself declares."""
    outer = set(functions_in(source))
    for node in source.top_level("var_declaration", "const_declaration", "type_declaration"):
        for spec in source.nodes("var_spec", "const_spec", "type_spec", "type_alias", under=node):
            outer |= {source.text(n) for n in spec.children_by_field_name("name")}
    used: set[str] = set()
    for declaration in source.root.children:
        known: dict[str, int] | None = None
        for node in source.nodes("selector_expression", "qualified_type", under=declaration):
            first = node.child_by_field_name("operand") or node.child_by_field_name("package")
            if first is None or first.type not in ("identifier", "package_identifier"):
                continue
            name = source.text(first)
            known = _locals(source, declaration) if known is None else known
            if name not in outer and first.start_byte < known.get(name, len(source.data)):
                used.add(name)
    return used


def header(package: str, used: Iterable[str], explicit: Iterable[Import]) -> str:
    """The package clause and import block of a file that uses the packages `used`.

    `explicit` imports win over standard ones, the last over the first of the same name.
    """
    by_name: dict[str, Import] = {}
    always: list[Import] = []
    for item in explicit:
        if item.alias in ("_", "."):
            always.append(item)
        else:
            by_name[item.name] = item
    needed = [by_name.get(name) or _KNOWN.get(name) for name in used]
    chosen = sorted({str(item) for item in [*needed, *always] if item is not None})
    block = "".join(f"    {item}\n" for item in chosen)
    return f"package {package}\n\n" + (f"import (\n{block})\n\n" if block else "")
