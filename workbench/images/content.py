"""What an image is made from: its folder, what all images share, and the name of its base."""

from __future__ import annotations

import hashlib
import io
import tarfile
from collections.abc import Iterator
from pathlib import Path

from workbench import paths
from workbench.errors import UsageError

BASE = "debian:trixie-slim"
"""The image that every toolchain image stands on, unless told otherwise."""

LABEL_LANGUAGE = "workbench.language"
LABEL_CONTENT = "workbench.content"

SHARED = "common"
"""Folder beside the language folders whose files every Dockerfile may copy."""

CERTIFICATES = "ca.crt"
"""Where a build finds the certificates this machine trusts, if it was given any."""


def languages(folder: Path | None = None) -> list[str]:
    """Ids of the languages that have a Dockerfile under `folder`, sorted.

    Args:
        folder: the folder with one folder a language; that of this installation by default.
    """
    root = folder or paths.images_dir()
    return sorted(dockerfile.parent.name for dockerfile in root.glob("*/Dockerfile"))


def content_hash(language: str, base: str = BASE, folder: Path | None = None) -> str:
    """First 12 hexadecimal digits of the SHA-256 over everything the image is made from.

    File modes and times don't count: they differ from one checkout to another.

    Raises:
        UsageError: there is no Dockerfile for this language.
    """
    digest = hashlib.sha256(f"base {base}\0".encode())
    for name, content in _files(language, folder or paths.images_dir()):
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:12]


def content_tag(language: str, base: str = BASE, folder: Path | None = None) -> str:
    """Reference of the image that the present files make, such as `workbench/go:0123456789ab`.

    Raises:
        UsageError: there is no Dockerfile for this language.
    """
    return f"workbench/{language}:{content_hash(language, base, folder)}"


def build_context(
    language: str, folder: Path | None = None, certificates: bytes | None = None
) -> bytes:
    """Tar archive to build from: the language's folder, the shared one, and `certificates`.

    Equal files give equal bytes, whatever their modes and times, so that the engine's layer
    cache is hit.

    Raises:
        UsageError: there is no Dockerfile for this language.
    """
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in _files(language, folder or paths.images_dir()):
            _add(archive, name, content)
        if certificates is not None:
            _add(archive, CERTIFICATES, certificates)
    return buffer.getvalue()


def dockerfile(language: str, folder: Path | None = None) -> str:
    """Text of the language's Dockerfile.

    Raises:
        UsageError: there is none.
    """
    path = (folder or paths.images_dir()) / language / "Dockerfile"
    if not path.is_file():
        known = ", ".join(languages(folder)) or "none"
        raise UsageError(
            f"no image for language {language!r} in {path.parent.parent}: there are {known}"
        )
    return path.read_text(encoding="utf-8")


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(content)
    member.mode = 0o644
    archive.addfile(member, io.BytesIO(content))


def _files(language: str, root: Path) -> Iterator[tuple[str, bytes]]:
    """Names (relative to `root`, with `/`) and contents, in one order everywhere."""
    dockerfile(language, root)
    for part in (SHARED, language):
        for path in sorted((root / part).rglob("*")):
            relative = path.relative_to(root)
            hidden = any(p.startswith(".") or p == "__pycache__" for p in relative.parts)
            if path.is_file() and not hidden:
                yield relative.as_posix(), path.read_bytes()
