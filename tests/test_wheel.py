"""The wheel: everything a session needs is in it, and it runs from anywhere."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the built wheel was installed."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=CHECKOUT, check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = folder.glob("*.whl")
    site = folder / "site"
    if shutil.which("uv"):
        install = ["uv", "pip", "install", "-q", "--python", sys.executable]
    else:
        install = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    done = subprocess.run(
        [*install, "--no-deps", "--target", str(site), str(wheel)], capture_output=True, check=False
    )
    if done.returncode:  # an environment made by uv, on a machine from which uv is gone
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(site)
    return site


def workbench(site: Path, cwd: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if not k.startswith("WORKBENCH_")}
    env |= {"PYTHONPATH": str(site), "XDG_DATA_HOME": str(cwd / "data"), "HOME": str(cwd)}
    return subprocess.run(
        [sys.executable, "-m", "workbench", *words],
        cwd=cwd, env=env, text=True, capture_output=True, check=False, timeout=300,
    )  # fmt: skip


def test_a_session_runs_from_the_wheel_and_goes_to_the_users_folder(
    installed: Path, tmp_path: Path
) -> None:
    model = tmp_path / "model.toml"
    model.write_text(
        "[[answer]]\ntext = '''```python\ndef double_it(number):\n    return 2 * number\n```'''\n"
    )
    done = workbench(
        installed, tmp_path, "run", "-b", "starter", "-l", "python", "--tasks", "0",
        "-m", f"scripted:{model}", "--sandbox", "process", "--name", "w",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "data" / "workbench" / "sessions" / "w" / "session.db").is_file()
    assert "1/1" in done.stdout


def test_the_wheel_holds_languages_images_tasks_and_styles(installed: Path) -> None:
    package = installed / "workbench"
    for language in ("python", "cpp", "java", "js", "go"):
        assert (package / "_bundled" / "languages" / language / "language.toml").is_file()
        assert (package / "_bundled" / "images" / language / "Dockerfile").is_file()
    assert list((package / "benchmarks").rglob("*.toml"))
    assert list((package / "modes" / "recipes").glob("*.toml"))
    assert not list(installed.rglob("session.db"))


def test_help_is_quick_to_import() -> None:
    """Start-up: what help needs, and nothing heavy."""
    code = (
        "import sys\nfrom workbench.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'litellm', 'docker', 'textual', 'numpy', 'scipy', 'pydantic', 'tree_sitter'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], text=True, capture_output=True, check=True, cwd=CHECKOUT
    )
    assert done.stderr.strip() == "[]"
