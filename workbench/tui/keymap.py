"""Keys of one's own: a TOML file that gives actions other keys."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from pathlib import Path

from workbench import paths
from workbench.errors import UsageError
from workbench.tui import actions

FILE = "keymap.toml"


def keymap_file() -> Path:
    """Where the file is looked for."""
    return paths.user_data_dir() / FILE


def read_keymap(file: Path) -> Mapping[str, str]:
    """Action id -> its keys, parted by blanks; empty when there is no file.

    Raises:
        UsageError: it can't be read, an action is unknown, or a key would mean two things.
    """
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UsageError(f"{file}: {error}") from None
    found = {str(k): v for k, v in _flat(values).items()}
    for name, keys in found.items():
        if name not in actions.BY_ID:
            near = difflib.get_close_matches(name, actions.BY_ID, n=1)
            hint = f": did you mean {near[0]!r}?" if near else ""
            raise UsageError(f"{file}: no action {name!r}{hint}")
        if not isinstance(keys, str) or not keys.split():
            raise UsageError(f'{file}: {name}: keys parted by blanks, such as "d delete"')
    keymap = {name: str(keys) for name, keys in found.items()}
    _check(file, keymap)
    return keymap


def _flat(values: Mapping[str, object]) -> dict[str, object]:
    """`[sessions]` with `delete = "D"` is the same as `"sessions.delete" = "D"`."""
    flat: dict[str, object] = {}
    for name, value in values.items():
        if isinstance(value, dict):
            inner: dict[str, object] = value  # pyright: ignore[reportUnknownVariableType]
            flat |= {f"{name}.{key}": each for key, each in inner.items()}
        else:
            flat[name] = value
    return flat


def _check(file: Path, keymap: Mapping[str, str]) -> None:
    for scope in {action.scope for action in actions.ACTIONS} - {actions.EVERYWHERE}:
        taken: dict[str, str] = {}
        for action in (*actions.of(scope), *actions.of(actions.EVERYWHERE)):
            for key in keymap.get(action.id, action.keys).split():
                if key in taken and (action.id in keymap or taken[key] in keymap):
                    raise UsageError(
                        f"{file}: {key!r} would mean both {taken[key]} and {action.id}"
                    )
                taken[key] = action.id


def for_textual(keymap: Mapping[str, str]) -> dict[str, str]:
    """As Textual wants it: keys parted by commas."""
    return {
        name: ",".join("comma" if key == "," else key for key in keys.split())
        for name, keys in keymap.items()
    }
