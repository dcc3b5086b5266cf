"""A keymap of one's own: read, refused where it can't be, shown where keys are shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui import made
from tests.tui.driving import settled, shown, until
from workbench.errors import UsageError
from workbench.tui.app import Workbench
from workbench.tui.keymap import read_keymap


def write(folder: Path, text: str) -> Path:
    file = folder / "keymap.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_no_file_changes_nothing(tmp_path: Path) -> None:
    assert read_keymap(tmp_path / "keymap.toml") == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('"sessions.delet" = "D"', "did you mean 'sessions.delete'"),
        ("[sessions]\ndelete = 3", "keys parted by blanks"),
        ('[sessions]\ndelete = "t"', "'t' would mean both sessions.tag and sessions.delete"),
        ('[everywhere]\nquit = "n"', "'n' would mean both"),
        ("delete = ", "keymap.toml: Invalid value"),
    ],
)
def test_what_cannot_be_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_keymap(write(tmp_path, text))


async def test_keys_work_and_are_shown_in_footer_help_and_palette(
    folder: Path, tmp_path: Path
) -> None:
    keymap = read_keymap(write(tmp_path, '[sessions]\nsort = "Z f7"\n'))
    app = Workbench(folder, measure=made.readings, headline=made.headline,
                    now=lambda: made.NOW, keymap=keymap)  # fmt: skip
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: settled(app))
        await pilot.press("s")
        assert app.catalogue.sort == "newest"
        await pilot.press("Z")
        assert app.catalogue.sort == "name"
        await pilot.press("f7")
        assert app.catalogue.sort == "progress"
        assert "Z sort" in shown(app)
        await pilot.press("?")
        assert "Z f7" in shown(app)
