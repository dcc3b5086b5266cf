"""An image's tag says what it is made from."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from workbench import images
from workbench.errors import UsageError
from workbench.images.content import build_context


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two languages and what they share."""
    for language in ("ada", "basic"):
        (tmp_path / language).mkdir()
        (tmp_path / language / "Dockerfile").write_text(f"FROM scratch\nLABEL l={language}\n")
    (tmp_path / "common").mkdir()
    (tmp_path / "common" / "install.sh").write_text("exit 0\n")
    (tmp_path / "base").mkdir()
    return tmp_path


def test_the_five_languages_have_an_image() -> None:
    assert {"python", "cpp", "java", "js", "go"} <= set(images.languages())


def test_only_folders_with_a_dockerfile_are_languages(folder: Path) -> None:
    assert images.languages(folder) == ["ada", "basic"]


def test_a_tag_names_language_and_twelve_digits(folder: Path) -> None:
    repository, _, tag = images.content_tag("ada", folder=folder).partition(":")
    assert repository == "workbench/ada"
    assert len(tag) == 12
    assert set(tag) <= set("0123456789abcdef")


@pytest.mark.parametrize("name", ["ada/Dockerfile", "common/install.sh", "ada/new.txt"])
def test_a_tag_changes_with_any_file_it_is_made_from(folder: Path, name: str) -> None:
    before = images.content_tag("ada", folder=folder)
    with (folder / name).open("a") as file:
        file.write("# changed\n")
    assert images.content_tag("ada", folder=folder) != before


def test_a_tag_changes_with_the_base(folder: Path) -> None:
    assert images.content_tag("ada", "other:1", folder) != images.content_tag("ada", folder=folder)


def test_a_tag_heeds_neither_other_languages_nor_modes_nor_leavings(folder: Path) -> None:
    before = images.content_tag("ada", folder=folder)
    context = build_context("ada", folder)
    (folder / "basic" / "Dockerfile").write_text("FROM other\n")
    (folder / "ada" / "Dockerfile").chmod(0o600)
    (folder / "ada" / "Dockerfile").touch()
    (folder / "ada" / ".Dockerfile.swp").write_text("an editor's")
    (folder / "ada" / "__pycache__").mkdir()
    (folder / "ada" / "__pycache__" / "x.pyc").write_bytes(b"x")
    assert images.content_tag("ada", folder=folder) == before
    assert build_context("ada", folder) == context


def test_a_file_moved_between_names_is_another_image(folder: Path) -> None:
    (folder / "ada" / "a").write_text("bc")
    before = images.content_tag("ada", folder=folder)
    (folder / "ada" / "a").rename(folder / "ada" / "ab")
    (folder / "ada" / "ab").write_text("c")
    assert images.content_tag("ada", folder=folder) != before


def test_the_context_holds_the_language_the_shared_files_and_the_certificates(folder: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(build_context("ada", folder, b"PEM"))) as archive:
        assert archive.getnames() == ["common/install.sh", "ada/Dockerfile", "ca.crt"]
        assert {(m.uid, m.gid, m.mtime, m.mode) for m in archive} == {(0, 0, 0, 0o644)}


def test_an_unknown_language_is_answered_with_those_there_are(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"no image for language 'cobol' .*: there are ada, basic"):
        images.content_tag("cobol", folder=folder)


@pytest.mark.parametrize("language", images.languages())
def test_shipped_dockerfiles_name_no_host_but_take_one_from_outside(language: str) -> None:
    text = (images.content.paths.images_dir() / language / "Dockerfile").read_text()
    assert "://" not in text
    assert "ARG DEBIAN_MIRROR" in text
    assert "FROM ${BASE}" in text
