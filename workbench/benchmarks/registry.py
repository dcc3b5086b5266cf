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
    folders: int = 0
    """How many of the folders above it tell it from other files of the benchmark."""

    @property
    def name(self) -> str:
        """The file's own name, with the folders that tell it from others."""
        return "/".join(self.path.split("/")[-1 - self.folders :])


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
    notice: str = ""
    """What its licence asks of a user beyond the usual: said wherever its tasks are loaded."""


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


_HUMANEVALPACK_COMMIT = "e17a8f6470264286bc6a52eb8263582083bf3bf6"
_HUMANEVALPACK_SHA256 = {
    "python": "b1376d72be4bd016a62ad043d9de3846edb8d63edf1222da802a31330c14c3a7",
    "cpp": "891a390c1b9d2cb85dd8fbebcf1d88dbdd565734a6b2b3259f9ddb3fe95e33d7",
    "java": "a8d077d300bbdc2eda91e1a733deb2944678bce8fcc7eb272214626516768cc1",
    "js": "04c86c1fac5f33818d9187cba278ed1dfc66cc259372dd8342126aa580fb7569",
    "go": "0ee2cdca46d70afb33d913a0d4b205624fe4ded2f28c2efdb241727221837993",
}

HUMANEVALPACK = Benchmark(
    id="humanevalpack",
    family="humanevalpack",
    title="HumanEvalPack",
    homepage="https://github.com/bigcode-project/octopack",
    revision=_HUMANEVALPACK_COMMIT,
    files=tuple(
        DataFile(
            path=f"humanevalpack/{language}/humanevalpack.jsonl",
            url=(
                f"https://github.com/bigcode-project/octopack/raw/{_HUMANEVALPACK_COMMIT}/"
                f"evaluation/create/humaneval-x/data/{language}/data/humanevalpack.jsonl"
            ),
            sha256=sha256,
            languages=(language,),
            folders=1,
        )
        for language, sha256 in _HUMANEVALPACK_SHA256.items()
    ),
    licence="MIT",
    published="2023-08-14",
    languages=LANGUAGES_OF_HUMANEVAL_X,
    notes=(
        "HumanEval-X with a buggy solution beside each reference; its prompts are continued here.",
        "Whether the reference of Go/95 passes hangs on the order of a map (about 3 times in 4).",
        "Problems 38, 41, 50, 83, 84 and 160 have no visible tests.",
        "The tests of 32, 38, 50 and 53 draw random inputs.",
    ),
)

_MULTIPL_E_COMMIT = "cf9db336f37d5ddcb50f6dbd97c67e5678ecfa96"
_MULTIPL_E_SHA256 = {
    "humaneval": {
        "python": "8cfc1695e3127f05252489af987628f103355bd6eb51e81cfde545ed390522ae",
        "cpp": "4910aa71c605754136ec9c95efcf458704967d21b3d09ed2a141eaca5a1903a2",
        "java": "a38a4fab2136b0b7d03236f2c423d2182b2d4a182edd0fa9639305c3afb733a5",
        "js": "47536b7f7a0221586cdecc16c900ff8e7ba7dd60cc4bab3bddbbc4e866e0cef8",
        "go": "41f2ce7f82f1a2e5a2b1753cd1a18e26cf216c6c45423f5da3e3351a1894e3f4",
    },
    "mbpp": {
        "python": "3cbc00f5ed5612ba015ec8b526fe4073e4891839329094912e79e73ec160f1ae",
        "cpp": "cf7859bfa4202c9e158afa5969768274152180c5c53648c3625681567c116706",
        "java": "3a963fb383e888da42453a00e5e018ab4ac8746811a553ee396560b2ff0bd7f0",
        "js": "9bb4dd80a3091fb7b79a76f046c36504b64b3e148c17f63e53a02789238b80b2",
        "go": "d4e30501b46525ac11ad16fe926619056a103732207be51acc31a22a42e53411",
    },
}


def _multipl_e(source: str, title: str, notes: tuple[str, ...]) -> Benchmark:
    def file(language: str, sha256: str) -> DataFile:
        name = f"{source}-{'py' if language == 'python' else language}-reworded.jsonl"
        return DataFile(
            path=f"multipl-e/prompts/{name}",
            url=f"https://github.com/nuprl/MultiPL-E/raw/{_MULTIPL_E_COMMIT}/prompts/{name}",
            sha256=sha256,
            languages=(language,),
        )

    return Benchmark(
        id=f"multipl-e/{source}",
        family="multipl-e",
        title=title,
        homepage="https://github.com/nuprl/MultiPL-E",
        revision=_MULTIPL_E_COMMIT,
        files=tuple(file(*item) for item in _MULTIPL_E_SHA256[source].items()),
        licence="BSD-3-Clause, no training",
        published="2022-08-17",
        languages=LANGUAGES_OF_HUMANEVAL_X,
        notes=(
            "Translated by machine; how many problems there are differs from language to language.",
            "There are no reference solutions.",
            *notes,
        ),
        notice="MultiPL-E's licence forbids using its content as training data of any model.",
    )


MULTIPL_E_HUMANEVAL = _multipl_e(
    "humaneval",
    "MultiPL-E (HumanEval)",
    (
        "Problems 32, 38 and 50 are missing; Java also lacks 103, 125 and 137, "
        "Go 12, 90, 103, 125, 128, 137 and 162.",
        "Visible tests are the prompt's >>> examples that call the function.",
    ),
)
MULTIPL_E_MBPP = _multipl_e("mbpp", "MultiPL-E (MBPP)", ("There are no visible tests.",))


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
    published = (HUMANEVAL, HUMANEVAL_X, HUMANEVALPACK, MULTIPL_E_HUMANEVAL, MULTIPL_E_MBPP)
    return MappingProxyType({b.id: b for b in (*published, _starter())})


def benchmark(name: str) -> Benchmark:
    """The benchmark of this id.

    Raises:
        UsageError: there is none; the message names those there are.
    """
    known = benchmarks()
    if name not in known:
        raise UsageError(f"no benchmark {name!r}: there are {', '.join(known)}")
    return known[name]
