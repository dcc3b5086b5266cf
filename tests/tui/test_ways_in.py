"""Importing, drawing pictures, printing lines, colours: the UI from outside."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from rich.color import Color

from tests.tui import made
from tests.tui.driving import opened, shown
from workbench.errors import SessionError, UsageError
from workbench.session.store import SessionReader
from workbench.tui import theme
from workbench.tui.draw.glyphs import ASCII, MARKS, STATES
from workbench.tui.draw.ink import Ink, cells
from workbench.tui.entry import SCREENS, export_svg, plain_view


def test_the_way_in_imports_nothing_heavy() -> None:
    code = (
        "import sys, workbench.tui.entry, workbench.tui\n"
        "heavy = {'textual', 'litellm', 'docker', 'scipy', 'numpy', 'tree_sitter', 'pydantic'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    assert _python(code) == "[]"


def test_the_application_imports_no_model_no_engine_and_no_statistics() -> None:
    code = (
        "import sys, workbench.tui.app\n"
        "heavy = {'litellm', 'docker', 'scipy', 'numpy', 'tree_sitter', 'pydantic'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    assert _python(code) == "[]"


def _python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.slow
def test_every_screen_is_drawn_as_a_picture(tmp_path: Path) -> None:
    session = made.write_session(tmp_path, "drawn", languages=("java",), tasks=1, n=1, repair=0)
    target = tmp_path / "x.svg"
    for screen in SCREENS:
        export_svg(session, screen, (100, 30), target)
        assert target.read_text().startswith("<svg")
    with pytest.raises(UsageError, match="no screen 'nope': there are sessions"):
        export_svg(session, "nope", (100, 30), target)
    with pytest.raises(UsageError, match="can't be written"):
        export_svg(session, "live", (100, 30), tmp_path / "no" / "x.svg")


def test_a_session_that_cannot_be_measured_is_one_line(tmp_path: Path) -> None:
    path = made.write_session(tmp_path, "old", tasks=1, n=1, repair=0)
    with SessionReader.open(path) as reader, pytest.raises(SessionError, match="another version"):
        list(plain_view(reader))


async def test_without_colour_nothing_is_lost(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with opened(folder) as (app, _):
        canvas = app.screen.canvas  # type: ignore[attr-defined]
        text = "\n".join(
            "".join(s.text for s in canvas.render_line(y)) for y in range(app.size.height)
        )
        assert "●━" in text
        assert shown(app).split("\n")[0] in text


@pytest.mark.parametrize("dark", [True, False])
def test_ansi_themes_leave_the_ground_to_the_terminal(dark: bool) -> None:
    style = theme.style(Ink("text"), dark=dark, ansi=True)
    assert style.bgcolor is None
    cursor = theme.style(Ink("text", ground="cursor"), dark=dark, ansi=True)
    assert cursor.bold
    assert cursor.bgcolor is None
    assert theme.style(Ink("text", ground="chip"), dark=dark, ansi=True).reverse


@pytest.mark.parametrize("dark", [True, False])
def test_256_colours_are_the_chosen_ones(dark: bool) -> None:
    from rich.color import ColorSystem

    chosen = theme.DARK_256 if dark else theme.LIGHT_256
    for token, colour in theme.tokens_of(dark=dark, few=True).items():
        found = Color.parse(colour).downgrade(ColorSystem.EIGHT_BIT)
        assert found.number == chosen[token], token


def test_ascii_marks_are_as_wide_and_stay_distinct() -> None:
    glyphs = [m.glyph for m in MARKS.values()] + [glyph for glyph, _ in STATES.values()]
    for glyph in glyphs:
        plain = glyph.translate(ASCII)
        assert plain.isascii(), glyph
        assert cells(plain) == cells(glyph) == 1
    marks = [m.glyph.translate(ASCII) for m in MARKS.values()]
    assert len(set(marks)) == len(marks)


def test_without_colour_the_terminals_own_letters_are_used_in_ansi_themes() -> None:
    style = theme.style(Ink("faint", ground="cursor"), dark=True, ansi=True, grey=True)
    assert style.color is None
    assert style.bold
