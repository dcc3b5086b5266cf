"""The images that are there: listing, clearing away, and what is in them."""

from __future__ import annotations

import io
import json
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from workbench.errors import UsageError, WorkbenchError
from workbench.images import engine
from workbench.images.content import BASE, LABEL_CONTENT, LABEL_LANGUAGE, content_tag, languages

if TYPE_CHECKING:
    from docker import DockerClient

MANIFEST = "/opt/workbench/manifest.json"
"""Where an image keeps the versions that can change a verdict."""

_STAGE = "workbench.stage"


@dataclass(frozen=True, slots=True)
class Image:
    """A toolchain image that the engine has."""

    reference: str
    """Repository and tag; the id where it has lost its tag."""
    language: str
    content: str
    """Hash over what it was made from, as in the tag."""
    id: str
    size: int
    """Bytes, those of the base image included."""
    created: str
    """When it was made, ISO 8601, UTC."""
    current: bool
    """Whether it is made from the present files."""


@dataclass(frozen=True, slots=True)
class Pruned:
    """What clearing away did."""

    removed: tuple[Image, ...]
    kept: tuple[tuple[Image, str], ...]
    """Images that are no longer current but couldn't be removed, and why."""
    stages: int
    """How many left-over build stages were removed beside them."""


def find(client: DockerClient, reference: str, base: str = BASE) -> Image | None:
    """The image with this reference, if the engine has it."""
    from docker.errors import ImageNotFound

    try:
        return _image(client.images.get(reference), {reference})
    except ImageNotFound:
        return None


def list_images(base: str = BASE, folder: Path | None = None) -> list[Image]:
    """All toolchain images, by language, the current one first, then the newest.

    Raises:
        SandboxUnavailable: no engine.
    """
    current = _current(base, folder)
    with engine.connect() as client:
        found = [_image(i, current) for i in client.images.list(filters={"label": LABEL_CONTENT})]
    found.sort(key=lambda image: image.created, reverse=True)
    return sorted(found, key=lambda image: (image.language, not image.current))


def missing(
    wanted: list[str] | None = None, base: str = BASE, folder: Path | None = None
) -> list[str]:
    """Languages (all that have a Dockerfile, or those wanted) whose current image isn't there.

    Raises:
        SandboxUnavailable: no engine.
        UsageError: a wanted language has no Dockerfile.
    """
    names = languages(folder) if wanted is None else wanted
    with engine.connect() as client:
        return [n for n in names if find(client, content_tag(n, base, folder)) is None]


def prune(base: str = BASE, folder: Path | None = None) -> Pruned:
    """Remove the toolchain images that aren't made from the present files, and build stages.

    Images of languages that `folder` doesn't know are left alone: another folder may.

    Raises:
        SandboxUnavailable: no engine.
    """
    from docker.errors import APIError

    removed: list[Image] = []
    kept: list[tuple[Image, str]] = []
    known = languages(folder)
    old = [i for i in list_images(base, folder) if not i.current and i.language in known]
    with engine.connect(engine.REMOVE_SECONDS) as client:
        for image in old:
            try:
                client.images.remove(image.reference)
                removed.append(image)
            except APIError as error:
                kept.append((image, engine.one_line(error.explanation or error)))
        stages = 0
        for stage in client.images.list(filters={"label": _STAGE, "dangling": True}):
            try:
                client.images.remove(stage.id)
                stages += 1
            except APIError as error:
                # A later layer still stands on it: then it takes no space of its own.
                if error.status_code != 409:
                    raise
    return Pruned(tuple(removed), tuple(kept), stages)


def manifest(reference: str) -> dict[str, Any]:
    """The toolchain manifest in an image: `language`, `packages` and `tools` with versions.

    Nothing of the image is run: the file is copied out of a container that never starts.

    Raises:
        SandboxUnavailable: no engine.
        UsageError: there is no such image.
        WorkbenchError: the image holds no manifest.
    """
    from docker.errors import ImageNotFound, NotFound

    with engine.connect() as client:
        try:
            container = client.containers.create(
                reference, command="true", network_mode="none", labels={"workbench.use": "manifest"}
            )
        except ImageNotFound:
            raise UsageError(f"no image {reference}: run `workbench images build`") from None
        try:
            chunks, _ = container.get_archive(MANIFEST)
            archive = b"".join(chunks)
        except NotFound:
            raise WorkbenchError(f"image {reference} has no {MANIFEST}: build it again") from None
        finally:
            container.remove(force=True)
    return _read_manifest(reference, archive)


def _read_manifest(reference: str, archive: bytes) -> dict[str, Any]:
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        member = tar.extractfile(Path(MANIFEST).name)
        text = member.read() if member else b""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise WorkbenchError(f"image {reference}: {MANIFEST} isn't JSON: {error}") from None
    if not isinstance(found, dict) or not {"language", "packages", "tools"} <= found.keys():
        raise WorkbenchError(f"image {reference}: {MANIFEST} lacks language, packages or tools")
    return cast("dict[str, Any]", found)


def _current(base: str, folder: Path | None) -> set[str]:
    return {content_tag(language, base, folder) for language in languages(folder)}


def _image(found: Any, current: set[str]) -> Image:
    tags: list[str] = list(found.tags)
    # The same layers may carry an older tag beside the current one.
    reference = next((t for t in tags if t in current), tags[0] if tags else str(found.id))
    labels: dict[str, str] = found.labels
    return Image(
        reference=reference,
        language=labels.get(LABEL_LANGUAGE, ""),
        content=labels.get(LABEL_CONTENT, ""),
        id=str(found.id),
        size=int(found.attrs["Size"]),
        created=str(found.attrs["Created"]),
        current=reference in current,
    )
