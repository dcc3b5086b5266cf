"""Prompt templates: Jinja2, sandboxed, in which a name that isn't there is an error."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
import jinja2.sandbox

from workbench.errors import UsageError

_SHIPPED = Path(__file__).resolve().parent / "templates"


def _environment() -> jinja2.Environment:
    """Nothing is escaped (prompts aren't HTML) and nothing of the program can be reached."""
    return jinja2.sandbox.ImmutableSandboxedEnvironment(
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@dataclass(frozen=True, slots=True)
class Template:
    """A template as it is used and recorded."""

    id: str
    """Name of a shipped template, or the file's name."""
    text: str

    @property
    def sha256(self) -> str:
        """Hash of the text, with line ends as LF."""
        return hashlib.sha256(self.text.replace("\r\n", "\n").encode()).hexdigest()

    def render(self, **values: Any) -> str:
        """Fill the template in; one final line end of the template is not part of the prompt.

        Raises:
            UsageError: it isn't a template, or asks for a name that isn't among `values`.
        """
        try:
            text = _environment().from_string(self.text).render(**values)
        except jinja2.TemplateSyntaxError as error:
            raise UsageError(f"template {self.id}, line {error.lineno}: {error.message}") from None
        except jinja2.TemplateError as error:
            names = ", ".join(sorted(values))
            raise UsageError(f"template {self.id}: {error}: there are {names}") from None
        return text.removesuffix("\n")


def shipped(name: str) -> Template:
    """Read a template that ships with the product, such as `plain_chat`.

    Raises:
        UsageError: there is none of that name.
    """
    path = _SHIPPED / f"{name}.j2"
    if not path.is_file():
        known = ", ".join(sorted(p.stem for p in _SHIPPED.glob("*.j2")))
        raise UsageError(f"no template {name!r}: there are {known}")
    return Template(name, path.read_text(encoding="utf-8"))


def from_file(path: Path) -> Template:
    """Read a user's template.

    Raises:
        UsageError: the file can't be read.
    """
    try:
        return Template(path.name, path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"template {path}: can't be read: {reason}") from None
