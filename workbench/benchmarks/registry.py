"""What is known of each benchmark: where its data come from, which bytes, whose, since when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from workbench.errors import UsageError

LANGUAGES_OF_HUMANEVAL_X = ("python", "cpp", "java", "js", "go")


@dataclass(frozen=True, slots=True)
class DataFile:
    """One published file of a benchmark."""

    path: str
    """Relative path under a data folder, such as `humaneval/HumanEval.jsonl.gz`."""
    url: str
    sha256: str
    languages: tuple[str, ...]
    """Languages whose tasks are in it."""
    package_path: str = ""
    """Where the same bytes lie in an installed Python package, such as `pkg/data/file`."""

    @property
    def name(self) -> str:
        """The file's own name."""
        return self.path.rsplit("/", 1)[-1]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A named, revisioned collection of tasks."""

    id: str
    family: str
    """How its programs are assembled: `Task.family`."""
    title: str
    homepage: str
    revision: str
    """What the publisher calls this state of the data, such as a commit."""
    files: tuple[DataFile, ...]
    """Empty when the tasks ship with the product."""
    licence: str
    published: str
    """Date (YYYY-MM-DD) from which models can have seen it."""
    languages: tuple[str, ...]
    notes: tuple[str, ...] = ()
    """Facts that belong beside a result, one sentence each."""


_HUMANEVAL_COMMIT = "6d43fb980f9fee3c892a914eda09951f772ad10d"
_HUMANEVAL_X_COMMIT = "2838420b7b4492cf3d16bce5320e26e65960c9e2"
_HUMANEVAL_X_SHA256 = {
    "python": "5752fb122efddb0e9b47c77907ae6ce9a15aac4dea14e44c46032c831e6b987a",
    "cpp": "dcf2e280a1e91bbc3c5f90edb41397e8a9ac1ccc9f5d2b70082f0b0fbfb6dbb0",
    "java": "276f36db2eb7aeb864f36a19a2f4e1bb2460fb6e22ff100f0b5bedabe3799967",
    "js": "fe5d467f2c1a027b3f6f18d3729aca01f6458c1de2e2d1292a019c5aa9bed424",
    "go": "09126ef64ac68f87296c5f3781186aedc5dec799b114d9df99d6de4a715a7830",
}

HUMANEVAL = Benchmark(
    id="humaneval",
    family="humaneval",
    title="HumanEval",
    homepage="https://github.com/openai/human-eval",
    revision=_HUMANEVAL_COMMIT,
    files=(
        DataFile(
            path="humaneval/HumanEval.jsonl.gz",
            url=f"https://github.com/openai/human-eval/raw/{_HUMANEVAL_COMMIT}/data/HumanEval.jsonl.gz",
            sha256="b796127e635a67f93fb35c04f4cb03cf06f38c8072ee7cee8833d7bee06979ef",
            languages=("python",),
            package_path="human_eval/data/HumanEval.jsonl.gz",
        ),
    ),
    licence="MIT",
    published="2021-07-07",
    languages=("python",),
    notes=(
        "Visible tests are the docstring's >>> examples, where there are any that hold.",
        "The tests of 32, 38, 50 and 53 draw random inputs.",
    ),
)

HUMANEVAL_X = Benchmark(
    id="humaneval-x",
    family="humaneval-x",
    title="HumanEval-X",
    homepage="https://github.com/THUDM/CodeGeeX",
    revision=_HUMANEVAL_X_COMMIT,
    files=tuple(
        DataFile(
            path=f"humaneval-x/humaneval_{language}.jsonl.gz",
            url=(
                f"https://github.com/THUDM/CodeGeeX/raw/{_HUMANEVAL_X_COMMIT}/codegeex/benchmark/"
                f"humaneval-x/{language}/data/humaneval_{language}.jsonl.gz"
            ),
            sha256=_HUMANEVAL_X_SHA256[language],
            languages=(language,),
        )
        for language in LANGUAGES_OF_HUMANEVAL_X
    ),
    licence="Apache-2.0",
    published="2022-09-30",
    languages=LANGUAGES_OF_HUMANEVAL_X,
    notes=(
        "The references of JavaScript/112 and JavaScript/155 are wrong; their tests are right.",
        "Whether the reference of Go/95 passes hangs on the order of a map (about 3 times in 4).",
        "Problems 38, 41, 50, 83, 84 and 160 have no visible tests.",
        "The tests of 32, 38, 50 and 53 draw random inputs.",
    ),
)


def _starter() -> Benchmark:
    from workbench import languages
    from workbench.benchmarks import starter

    return Benchmark(
        id=starter.BENCHMARK,
        family="typed",
        title="Starter",
        homepage="",
        revision=f"{starter.REVISION}.{starter.content_sha256()[:8]}",
        files=(),
        licence=starter.LICENCE,
        published=starter.PUBLISHED,
        languages=tuple(
            name
            for name, folder in languages.language_folders().items()
            if (folder / "printer.py").is_file()
        ),
        notes=(
            "Ships with the product; tests are data, compared outside the candidate's process.",
        ),
    )


def benchmarks() -> Mapping[str, Benchmark]:
    """Every benchmark by id."""
    known = {b.id: b for b in (HUMANEVAL, HUMANEVAL_X, _starter())}
    return MappingProxyType(known)


def benchmark(name: str) -> Benchmark:
    """The benchmark of this id.

    Raises:
        UsageError: there is none; the message names those there are.
    """
    known = benchmarks()
    if name not in known:
        raise UsageError(f"no benchmark {name!r}: there are {', '.join(known)}")
    return known[name]
