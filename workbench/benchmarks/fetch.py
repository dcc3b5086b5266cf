"""Fetch a benchmark's files from where they are published, checked before they are kept."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import httpx

from workbench.benchmarks.locate import cache_folder
from workbench.benchmarks.registry import DataFile, benchmark
from workbench.errors import DataError, WorkbenchError

DEADLINE_S = 120.0
"""Seconds that one file may take."""
MAX_BYTES = 64 << 20
"""Bytes that one file may have; the largest registered one has 700 thousand."""

Progress = Callable[[str, int, int | None], None]
"""Called with file name, bytes so far, and bytes in all where the server says."""


async def fetch(
    name: str,
    progress: Progress | None = None,
    *,
    languages: Sequence[str] | None = None,
    folder: Path | None = None,
    transport: httpx.AsyncBaseTransport | None = None,
) -> list[Path]:
    """Fetch every file of a benchmark into the user's cache, or into `folder`.

    Files that are there already and have the right hash are left alone. `languages` fetches only
    the files that hold one of them.

    Raises:
        UsageError: no such benchmark.
        DataError: what was fetched isn't the registered file.
        WorkbenchError: the network or the disk failed.
    """
    known = benchmark(name)
    target = folder if folder is not None else cache_folder()
    wanted = [
        f
        for f in known.files
        if languages is None or any(lang in f.languages for lang in languages)
    ]
    fetched: list[Path] = []
    # The hash is of the bytes as published: no compression on the way that would be undone.
    async with httpx.AsyncClient(
        follow_redirects=True,
        timeout=30,
        transport=transport,
        headers={"Accept-Encoding": "identity"},
    ) as client:
        for file in wanted:
            path = target / file.path
            if not _is_there(path, file):
                data = await _download(client, file, progress or _silent)
                await asyncio.to_thread(_keep, path, data)
            fetched.append(path)
    return fetched


def _silent(_name: str, _done: int, _total: int | None) -> None:
    return None


def _is_there(path: Path, file: DataFile) -> bool:
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == file.sha256


async def _download(client: httpx.AsyncClient, file: DataFile, progress: Progress) -> bytes:
    """The bytes of a file, checked."""
    data = bytearray()
    try:
        async with asyncio.timeout(DEADLINE_S), client.stream("GET", file.url) as answer:
            answer.raise_for_status()
            length = answer.headers.get("content-length", "")
            total = int(length) if length.isdigit() else None
            async for chunk in answer.aiter_raw():
                data += chunk
                if len(data) > MAX_BYTES:
                    raise DataError(f"{file.url}: more than {MAX_BYTES} bytes: not the file")
                progress(file.name, len(data), total)
    except TimeoutError:
        raise WorkbenchError(f"{file.url}: not fetched within {DEADLINE_S:.0f} s") from None
    except httpx.HTTPStatusError as error:
        raise WorkbenchError(f"{file.url}: the server said {error.response.status_code}") from None
    except httpx.HTTPError as error:
        what = str(error) or type(error).__name__
        raise WorkbenchError(
            f"{file.url}: can't be fetched ({what}): put the file into a folder and name it with --data"
        ) from None
    got = hashlib.sha256(data).hexdigest()
    if got != file.sha256:
        raise DataError(f"{file.url}: SHA-256 is {got}, not {file.sha256}: not kept")
    return bytes(data)


def _keep(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise WorkbenchError(f"{path}: can't be written: {error.strerror or error}") from None
