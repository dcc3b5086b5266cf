"""A language is a folder: a sixth one is added by naming where it lies."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench import languages
from workbench.checking import check, proof_tasks, prove
from workbench.errors import UsageError
from workbench.execution.pool import open_pool
from workbench.execution.program import Candidate
from workbench.outcomes import Outcome


@pytest.fixture(autouse=True)
def sixth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_LANGUAGES", str(Path(__file__).parent / "sixth"))


def test_it_is_found_beside_the_others() -> None:
    assert {"sh", "python", "cpp", "java", "js", "go"} <= set(languages.language_folders())
    assert languages.load("sh").name == "Shell"
    assert languages.load("sh").stop_sequences("made", "complete") == ("\n}",)


def test_a_folder_of_the_same_name_that_comes_first_wins(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "python"
    folder.mkdir()
    (folder / "language.toml").write_text(
        'id="python"\nname="Mine"\n[run]\nargv=["x"]\nlimits={cpu_s=1.0,wall_s=1.0,memory_mb=64}\n'
    )
    monkeypatch.setenv("WORKBENCH_LANGUAGES", str(tmp_path))
    assert languages.load("python").name == "Mine"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "is missing"),
        ("id = ", "isn't valid TOML"),
        ('id="x"\n', "wrong or missing key"),
        ('id="x"\nname="X"\n[run]\nargv=["x"]\nlimits={cpu=1}\n', "wrong or missing key"),
    ],
)
def test_a_broken_folder_is_said_in_one_line(tmp_path: Path, text: str | None, said: str) -> None:
    if text is not None:
        (tmp_path / "language.toml").write_text(text)
    with pytest.raises(UsageError, match=said) as caught:
        languages.read_folder(tmp_path)
    assert "language.toml" in str(caught.value)


async def test_it_is_judged_like_the_others() -> None:
    language = languages.load("sh")
    (task,) = proof_tasks(language)
    wrong = language.assembly.assemble(task, Candidate("    echo 5\n}\n", "body"), "visible")
    broken = language.assembly.assemble(task, Candidate("    fi\n}\n", "body"), "scored")
    async with open_pool([language], "process") as pool:
        assert (await prove(pool, language)).ok
        report = await check(pool, [task])
        assert report.ok
        assert len(report.languages[0].of("cheat")) == 3
        said = await pool.execute(wrong)
        assert (said.outcome, said.detail) == (Outcome.WRONG_ANSWER, "assertion failed: 5, not 4")
        assert (await pool.execute(broken)).outcome is Outcome.COMPILE_ERROR
