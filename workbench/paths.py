"""Where things are: the folders that ship with the product and those that belong to the user."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

_PACKAGE = Path(__file__).resolve().parent
_CHECKOUT = _PACKAGE.parent


def _shipped(name: str) -> Path:
    """Folder `name` of this installation: inside the wheel, else in the checkout."""
    bundled = _PACKAGE / "_bundled" / name
    return bundled if bundled.is_dir() else _CHECKOUT / name


def in_checkout() -> bool:
    """Whether the program runs from a source checkout rather than an installed wheel."""
    return (_CHECKOUT / "pyproject.toml").is_file() and not (_PACKAGE / "_bundled").is_dir()


def images_dir() -> Path:
    """The folder with one Dockerfile folder per language."""
    return _shipped("images")


def example_session() -> Path | None:
    """The recorded session that ships with a checkout; `None` where there is none."""
    folder = _shipped("sessions") / "example"
    return folder if (folder / "session.db").is_file() else None


def language_dirs() -> list[Path]:
    """Folders that are searched for language folders, the first that has an id wins.

    `WORKBENCH_LANGUAGES` (separated as PATH is) comes first, then the user's data folder,
    then what ships with the product.
    """
    extra = [Path(p) for p in os.environ.get("WORKBENCH_LANGUAGES", "").split(os.pathsep) if p]
    return [*extra, user_data_dir() / "languages", _shipped("languages")]


def user_data_dir() -> Path:
    """The user's data folder for this product (not created)."""
    return Path(platformdirs.user_data_dir("workbench", appauthor=False))


def cache_dir() -> Path:
    """The user's cache folder for this product (not created)."""
    return Path(platformdirs.user_cache_dir("workbench", appauthor=False))


RUNTIME_BYTES = 70
"""How long a runtime folder's path may be, for a socket's name to follow."""


def runtime_dir() -> Path:
    """A private folder for sockets; short, because a socket's path may have 107 bytes only."""
    base = os.environ.get("XDG_RUNTIME_DIR")
    if base and len(os.fsencode(base)) <= RUNTIME_BYTES:
        return Path(base) / "workbench"
    return Path(f"/tmp/workbench-{os.getuid()}")  # noqa: S108


def sessions_dir(explicit: str | os.PathLike[str] | None = None) -> Path:
    """Where sessions are kept: `explicit`, else `WORKBENCH_SESSIONS`, else the checkout's
    `sessions/`, else the user's data folder."""
    if explicit is not None:
        return Path(explicit)
    named = os.environ.get("WORKBENCH_SESSIONS")
    if named:
        return Path(named)
    return _CHECKOUT / "sessions" if in_checkout() else user_data_dir() / "sessions"
