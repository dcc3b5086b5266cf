"""A session as one file, and back: what arrives is checked before it is a session."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
import tempfile
import zipfile
from pathlib import Path

from workbench.errors import SessionError, UsageError
from workbench.session import schema
from workbench.session.catalogue import check_name
from workbench.session.store import DATABASE, PROTOCOL, SessionReader

MANIFEST = "manifest.json"
LIMIT = 8 * 1024**3
"""Bytes that an archive may unpack to."""


def export(path: Path, target: Path) -> Path:
    """Write the session in folder `path` as the one file `target`; returns it.

    The copy is consistent also while the session runs.

    Raises:
        SessionError: it can't be read, or `target` can't be written.
        UsageError: `target` exists.
    """
    if target.exists():
        raise UsageError(f"{target} exists already: choose another file")
    SessionReader.open(path).close()
    with tempfile.TemporaryDirectory(prefix="workbench-") as folder:
        copy = Path(folder) / DATABASE
        source = sqlite3.connect(f"{(path / DATABASE).resolve().as_uri()}?mode=ro", uri=True)
        try:
            # A plain copy of the file would miss what still stands in the write-ahead log.
            source.execute("VACUUM INTO ?", (str(copy),))
        except sqlite3.Error as error:
            raise SessionError(f"{path.name}: can't be copied: {error}") from None
        finally:
            source.close()
        protocol = (path / PROTOCOL).read_bytes() if (path / PROTOCOL).exists() else b"{}"
        manifest = {
            "workbench session": schema.FORMAT,
            "name": path.name,
            "sha256": {DATABASE: _sha256(copy), PROTOCOL: hashlib.sha256(protocol).hexdigest()},
        }
        part = target.with_name(target.name + ".part")
        try:
            with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
                archive.writestr(PROTOCOL, protocol)
                archive.write(copy, DATABASE)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    return target


def import_(file: Path, sessions: Path, name: str | None = None) -> Path:
    """Check an exported session and put it among `sessions`; returns its folder.

    Raises:
        UsageError: `file` is no exported session, is damaged or was changed.
        SessionError: a session of that name exists.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            manifest = json.loads(archive.read(MANIFEST))
            if manifest.get("workbench session") not in schema.READABLE:
                raise UsageError(
                    f"{file}: session format {manifest.get('workbench session')}, "
                    f"this version reads {schema.FORMAT}"
                )
            return _unpack(archive, manifest, file, sessions, name)
    except FileNotFoundError:
        raise UsageError(f"{file}: no such file") from None
    except (zipfile.BadZipFile, KeyError, ValueError, EOFError) as error:
        raise UsageError(f"{file}: no exported session, or damaged: {error}") from None


def _unpack(
    archive: zipfile.ZipFile,
    manifest: dict[str, object],
    file: Path,
    sessions: Path,
    name: str | None,
) -> Path:
    target = sessions / check_name(name or str(manifest["name"]))
    if target.exists():
        raise SessionError(f"a session {target.name} exists already: import it with --name OTHER")
    sums = manifest["sha256"]
    assert isinstance(sums, dict)
    sessions.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=".import-", dir=sessions))
    try:
        for member in (DATABASE, PROTOCOL):
            if archive.getinfo(member).file_size > LIMIT:
                raise UsageError(f"{file}: {member} is larger than {LIMIT} bytes")
            with archive.open(member) as source, (folder / member).open("wb") as out:
                shutil.copyfileobj(source, out, 1024 * 1024)
            if _sha256(folder / member) != sums.get(member):
                raise UsageError(f"{file}: {member} isn't what was exported (sha256 differs)")
        _check(folder / DATABASE, file)
        folder.rename(target)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return target


def _check(database: Path, file: Path) -> None:
    """Look at an untrusted database before anything relies on it."""
    try:
        db = sqlite3.connect(database)
        try:
            found = schema.format_of(db)
            whole = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
            dangling = db.execute("PRAGMA foreign_key_check").fetchone()
            kinds = db.execute("SELECT type FROM sqlite_master WHERE type IN ('trigger', 'view')")
            extra = kinds.fetchone()
        finally:
            db.close()
    except sqlite3.Error as error:
        raise UsageError(f"{file}: its database can't be read: {error}") from None
    if found not in schema.READABLE or whole != "ok" or dangling or extra:
        raise UsageError(f"{file}: its database isn't a whole session of format {schema.FORMAT}")
    database.chmod(0o644)


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
