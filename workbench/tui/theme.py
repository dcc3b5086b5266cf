"""The two themes of the product, and what its tokens are in every theme."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from rich.style import Style
from textual.theme import Theme

from workbench.tui.draw.ink import Ink

DARK: Mapping[str, str] = {
    "page": "#14171c", "bar": "#1c2027", "cursor": "#28313d", "chip": "#303947",
    "field": "#20252d", "sunk": "#101317", "strong": "#f3f5f8", "text": "#d5d9e0",
    "muted": "#8d95a3", "faint": "#636c7a", "rule": "#343b46", "accent": "#7db2f5",
    "pass": "#86c97d", "wrong": "#ee7d77", "build": "#d495e0", "limit": "#e3b457",
    "repair": "#5fc6c2", "mark": "#2a2135", "add": "#1b2b21", "del": "#33201f",
    "leak": "#ee7d77", "keyword": "#a9b9d8", "string": "#bfb48f", "number": "#c4b5a0",
    "comment": "#6d7684",
}  # fmt: skip
LIGHT: Mapping[str, str] = {
    "page": "#fbfaf7", "bar": "#efede7", "cursor": "#dfe8f4", "chip": "#dcdad2",
    "field": "#efede7", "sunk": "#f4f2ec", "strong": "#0c0e11", "text": "#2b2f36",
    "muted": "#656b76", "faint": "#868b94", "rule": "#d5d2ca", "accent": "#1f5fb8",
    "pass": "#2c7a2f", "wrong": "#bd2f2c", "build": "#8e3fa3", "limit": "#8f5e00",
    "repair": "#0c7a78", "mark": "#f2e6f6", "add": "#e2f1e0", "del": "#f9e3e0",
    "leak": "#bd2f2c", "keyword": "#3b4f77", "string": "#6d5f2a", "number": "#7a5b36",
    "comment": "#8c9098",
}  # fmt: skip
DARK_256: Mapping[str, int] = {
    "page": 234, "bar": 235, "cursor": 236, "chip": 237, "field": 235, "sunk": 233,
    "strong": 255, "text": 253, "muted": 246, "faint": 242, "rule": 237, "accent": 111,
    "pass": 114, "wrong": 210, "build": 176, "limit": 179, "repair": 79, "mark": 53, "add": 22,
    "del": 52, "leak": 210, "keyword": 146, "string": 144, "number": 181, "comment": 243,
}  # fmt: skip
LIGHT_256: Mapping[str, int] = {
    "page": 231, "bar": 255, "cursor": 189, "chip": 253, "field": 255, "sunk": 255,
    "strong": 233, "text": 236, "muted": 242, "faint": 245, "rule": 252, "accent": 25,
    "pass": 28, "wrong": 124, "build": 97, "limit": 94, "repair": 30, "mark": 225, "add": 194,
    "del": 224, "leak": 124, "keyword": 60, "string": 58, "number": 95, "comment": 246,
}  # fmt: skip
ANSI_DARK: Mapping[str, str] = {
    "strong": "bright_white", "text": "default", "muted": "white", "faint": "bright_black",
    "rule": "bright_black", "accent": "bright_blue", "pass": "bright_green",
    "wrong": "bright_red", "build": "bright_magenta", "limit": "bright_yellow",
    "repair": "bright_cyan", "keyword": "default", "string": "default", "number": "default",
    "comment": "bright_black", "page": "black", "leak": "bright_red",
}  # fmt: skip
ANSI_LIGHT: Mapping[str, str] = {
    "strong": "black", "text": "default", "muted": "bright_black", "faint": "bright_black",
    "rule": "bright_black", "accent": "blue", "pass": "green", "wrong": "red",
    "build": "magenta", "limit": "default", "repair": "cyan", "keyword": "default",
    "string": "default", "number": "default", "comment": "bright_black", "page": "white",
    "leak": "red",
}  # fmt: skip
_ANSI_BOLD = frozenset(("strong", "keyword"))

THEMES = ("workbench-dark", "workbench-light", "ansi-dark", "ansi-light")
"""Themes that `ctrl+t` goes through."""


def _theme(name: str, tokens: Mapping[str, str], *, dark: bool) -> Theme:
    return Theme(
        name=name,
        primary=tokens["accent"],
        secondary=tokens["repair"],
        warning=tokens["limit"],
        error=tokens["wrong"],
        success=tokens["pass"],
        accent=tokens["accent"],
        foreground=tokens["text"],
        background=tokens["page"],
        surface=tokens["page"],
        panel=tokens["bar"],
        dark=dark,
        variables={"screen-selection-background": tokens["chip"]},
    )


def own_themes() -> tuple[Theme, Theme]:
    """The dark and the light theme of the product."""
    return (
        _theme("workbench-dark", DARK, dark=True),
        _theme("workbench-light", LIGHT, dark=False),
    )


def _xterm(number: int) -> str:
    """A colour for which the terminal's renderer chooses number 16 to 255 of the 256 colours."""
    if number >= 232:
        # Greys are chosen by lightness in 25 steps, which isn't quite where the greys lie.
        level = round(255 * (number - 231) / 25)
        return f"#{level:02x}{level:02x}{level:02x}"
    steps = (0, 95, 135, 175, 215, 255)
    cube = number - 16
    return f"#{steps[cube // 36]:02x}{steps[cube // 6 % 6]:02x}{steps[cube % 6]:02x}"


# In 256 colours the nearest colour isn't the best one: dark grounds would all become black. These
# are the colours chosen by hand, which the terminal's renderer then finds exactly.
_DARK_256 = {token: _xterm(number) for token, number in DARK_256.items()}
_LIGHT_256 = {token: _xterm(number) for token, number in LIGHT_256.items()}


def tokens_of(*, dark: bool, few: bool) -> Mapping[str, str]:
    """Colours by token. `few`: the terminal has 256 of them."""
    if few:
        return _DARK_256 if dark else _LIGHT_256
    return DARK if dark else LIGHT


@lru_cache(maxsize=4096)
def style(ink: Ink, *, dark: bool, ansi: bool, few: bool = False, grey: bool = False) -> Style:
    """The terminal style of an ink.

    In ANSI themes the terminal's own palette and ground are used: a cursor row shows by `▌` and
    bold, a chip is reversed. `grey` (NO_COLOR) leaves them the terminal's own letter colour too,
    which no rule could turn to a grey that is readable on an unknown ground.
    """
    if ansi:
        tokens = ANSI_DARK if dark else ANSI_LIGHT
        bold = ink.bold or ink.tone in _ANSI_BOLD or (not dark and ink.tone == "limit")
        if ink.ground == "leak":
            if grey:
                return Style(bold=True, reverse=True)
            return Style(color=tokens["page"], bgcolor=tokens["leak"], bold=True)
        return Style(
            color=None if grey else tokens[ink.tone],
            bold=bold or ink.ground == "cursor",
            italic=ink.italic,
            reverse=ink.ground == "chip",
            underline=ink.ground == "field",
        )
    tokens = tokens_of(dark=dark, few=few)
    return Style(
        color=tokens[ink.tone], bgcolor=tokens[ink.ground], bold=ink.bold, italic=ink.italic
    )


def sunk(ink: Ink) -> Ink:
    """The ink of what lies behind an overlay."""
    return Ink("faint", ground="sunk")
