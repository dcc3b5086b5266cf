"""This machine's toolchains: where their commands are and which folders they need."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from workbench.languages import Language

SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
COVERED = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt")
"""Folders that every sandbox sees, read-only."""
ETC = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "java*")
"""What toolchains need of /etc."""
PRIVATE = ("/root", "/home")
_OLDEST = (3, 8)


class Tools:
    """Collects what the languages asked for need; grows, never shrinks."""

    def __init__(self) -> None:
        """Start with the supervisor's own Python."""
        self._folders: list[Path] = []
        self._search: list[str] = [*SYSTEM_PATH.split(":")]
        self.python = self._supervisor_python()
        """Command of the Python that the supervisor runs on."""

    @property
    def path(self) -> str:
        """PATH for programs: the system's folders, then those of tools found elsewhere."""
        return ":".join(self._search)

    def shown(self) -> list[str]:
        """Everything that sandboxes see, read-only: COVERED, ETC and the folders of tools."""
        etc = sorted(str(path) for name in ETC for path in Path("/etc").glob(name))
        return [*COVERED, *etc, *(str(folder) for folder in self._folders)]

    def add(self, language: Language) -> None:
        """Find the commands of a language; those that aren't found are left to the probe."""
        commands = [command[0] for command in language.needs]
        commands += [step.argv[0] for step in (language.compile, language.run) if step]
        for command in commands:
            if "/" not in command and shutil.which(command, path=self.path) is None:
                self._find(command)

    def show(self, folder: Path) -> None:
        """Let sandboxes see one more folder, read-only."""
        if folder not in self._folders:
            self._folders.append(folder)

    def _find(self, command: str) -> None:
        found = shutil.which(command)
        if found is None:
            return
        real = Path(os.path.realpath(found))
        if str(real.parent) not in self._search:
            self._search.append(str(real.parent))
        self._cover(real)

    def _cover(self, real: Path) -> None:
        """Note the installation that a command belongs to: the folder above its `bin`."""
        if str(real).startswith(tuple(f"{folder}/" for folder in COVERED)):
            return
        prefix = real.parent.parent if real.parent.name in ("bin", "sbin") else real.parent
        if prefix != Path("/") and str(prefix) not in PRIVATE and prefix not in self._folders:
            self._folders.append(prefix)

    def _supervisor_python(self) -> str:
        """The system's Python where it is one, else the one this program runs on."""
        system = shutil.which("python3", path=SYSTEM_PATH)
        if system is not None and _version(system) >= _OLDEST:
            return system
        real = Path(os.path.realpath(sys.executable))
        self._cover(real)
        return str(real)


def _version(python: str) -> tuple[int, int]:
    """The version in the name of the binary behind a `python3` link; (0, 0) when it has none."""
    digits = Path(os.path.realpath(python)).name.removeprefix("python").split(".")
    if len(digits) == 2 and all(d.isdigit() for d in digits):
        return int(digits[0]), int(digits[1])
    return 0, 0
