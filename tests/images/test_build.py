"""Building, before an engine that answers as it is told; and before none."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.images.fake_docker_engine import Event, FakeEngine, serving
from workbench import images
from workbench.errors import SandboxUnavailable, WorkbenchError
from workbench.images import BuildFailed, BuildSettings
from workbench.images.progress import Steps

TAG = "workbench/ada"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An images folder with one language."""
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "Dockerfile").write_text("ARG BASE\nFROM ${BASE}\nRUN make\n")
    return tmp_path


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeEngine]:
    """An engine with the base image and nothing else."""
    with serving(FakeEngine(images={images.BASE})) as served:
        monkeypatch.setenv("DOCKER_HOST", served.address)
        yield served


def untimed(lines: list[str]) -> list[str]:
    assert all(line.startswith("[") for line in lines)
    return [line.split("s] ", 1)[1] for line in lines]


def build(folder: Path, settings: BuildSettings | None = None) -> tuple[images.Image, list[str]]:
    lines: list[str] = []
    settings = settings or BuildSettings()
    return images.build("ada", lines.append, settings, folder=folder), lines


def test_an_image_that_is_there_is_not_built_again(engine: FakeEngine, folder: Path) -> None:
    reference = images.content_tag("ada", folder=folder)
    engine.images.add(reference)
    image, lines = build(folder)
    assert image.reference == reference
    assert image.current
    assert engine.asked("/build") == []
    assert untimed(lines) == [f"ada: {reference} is there already"]


def test_a_build_is_tagged_labelled_and_told_step_by_step(engine: FakeEngine, folder: Path) -> None:
    reference = images.content_tag("ada", folder=folder)

    def answer(query: dict[str, str]) -> list[Event]:
        engine.images.add(reference)
        return [{"stream": "Step 1/2 : FROM x\n"}, {"stream": "Step 2/2 : RUN make\n"}]

    engine.build = answer
    image, lines = build(folder)
    (query,) = engine.asked("/build")
    assert image.reference == reference == query["t"]
    assert query["dockerfile"] == "ada/Dockerfile"
    assert '"workbench.language": "ada"' in query["labels"]
    assert query["buildargs"] == '{"BASE": "debian:trixie-slim"}'
    assert "ada: step 2/2: RUN make" in untimed(lines)
    assert untimed(lines)[-1] == f"ada: {reference} built, 1 MB"


def test_a_failed_step_is_named_and_the_end_of_its_output_told(
    engine: FakeEngine, folder: Path
) -> None:
    output = [{"stream": f"line {i}\n"} for i in range(300)]
    engine.build = lambda query: [
        {"stream": "Step 2/2 : RUN make\n"},
        *output,
        {"error": "The command '/bin/sh -c make' returned a non-zero code: 2"},
    ]
    lines: list[str] = []
    with pytest.raises(BuildFailed, match=r"failed at step 2/2: RUN make: .* code: 2$") as raised:
        images.build("ada", lines.append, BuildSettings(), folder=folder)
    assert "\n" not in str(raised.value)
    assert [line.split("| ")[1] for line in lines if "| " in line][-2:] == ["line 298", "line 299"]
    assert len(lines) < 25


def test_names_that_cant_be_resolved_are_tried_once_more_in_the_hosts_network(
    engine: FakeEngine, folder: Path
) -> None:
    def answer(query: dict[str, str]) -> list[Event]:
        if query.get("networkmode") != "host":
            return [{"stream": "Temporary failure resolving 'mirror'\n"}, {"error": "code: 100"}]
        engine.images.add(query["t"])
        return []

    engine.build = answer
    _, lines = build(folder)
    assert any("once more in the host's network" in line for line in lines)
    assert [q.get("networkmode") for q in engine.asked("/build")] == [None, "host"]


def test_a_network_that_was_asked_for_is_not_changed(engine: FakeEngine, folder: Path) -> None:
    engine.build = lambda query: [{"error": "Temporary failure resolving 'mirror'"}]
    with pytest.raises(BuildFailed):
        build(folder, BuildSettings(network="mine"))
    assert [q["networkmode"] for q in engine.asked("/build")] == ["mine"]


def test_any_other_failure_is_not_tried_again(engine: FakeEngine, folder: Path) -> None:
    engine.build = lambda query: [{"error": "syntax error"}]
    with pytest.raises(BuildFailed):
        build(folder)
    assert len(engine.asked("/build")) == 1


def test_a_full_disk_says_so(engine: FakeEngine, folder: Path) -> None:
    engine.build = lambda query: [{"error": "write /x: no space left on device"}]
    with pytest.raises(WorkbenchError, match=r"^no space left where Docker keeps its images: free"):
        build(folder)


def test_a_build_beyond_its_deadline_fails(engine: FakeEngine, folder: Path) -> None:
    engine.build = lambda query: [{"stream": "Step 1/2 : RUN sleep\n"}, {"stream": "z\n"}]
    with pytest.raises(BuildFailed, match="it took longer than 0 s"):
        build(folder, BuildSettings(seconds=0))


@pytest.mark.parametrize(
    "pull",
    [
        (404, [{"message": "manifest unknown"}]),
        (200, [{"status": "Pulling"}, {"error": "dial tcp: i/o timeout"}]),
    ],
)
def test_a_missing_base_that_cant_be_pulled_names_the_script(
    engine: FakeEngine, folder: Path, pull: tuple[int, list[Event]]
) -> None:
    engine.images.clear()
    engine.pull = pull
    with pytest.raises(SandboxUnavailable) as raised:
        build(folder)
    message = str(raised.value)
    assert message.startswith("no base image debian:trixie-slim, and it can't be pulled (")
    assert message.endswith(
        "run scripts/make-base-image.sh as root, or `workbench images build --base mmdebstrap`"
    )
    assert ("manifest unknown" in message) or ("i/o timeout" in message)


def test_a_registry_that_never_answers_runs_into_the_deadline(
    engine: FakeEngine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine.images.clear()
    engine.pull_delay = 1.0
    monkeypatch.setattr("workbench.images.base.PULL_SECONDS", 0.2)
    with pytest.raises(SandboxUnavailable, match=r"can't be pulled \(.*timed out"):
        build(folder)


def test_a_missing_base_is_made_by_the_script_without_a_registry(
    engine: FakeEngine, folder: Path
) -> None:
    engine.images.clear()
    (folder / "base").mkdir()
    script = folder / "base" / "debian-trixie-slim.sh"
    script.write_text("echo unpacking; echo '[ 1s] failed: no mirror' >&2; exit 1\n")
    lines: list[str] = []
    with pytest.raises(SandboxUnavailable, match=r"failed: \[ 1s\] failed: no mirror"):
        images.build("ada", lines.append, BuildSettings(make_base=True), folder=folder)
    assert engine.asked("/images/create") == []
    assert any("unpacking" in line for line in lines)


def test_only_known_languages_are_missing(engine: FakeEngine, folder: Path) -> None:
    assert images.missing(folder=folder) == ["ada"]
    engine.images.add(images.content_tag("ada", folder=folder))
    assert images.missing(["ada"], folder=folder) == []


@pytest.mark.parametrize("host", ["unix:///nowhere/docker.sock", "tcp://127.0.0.1:1"])
def test_no_engine_is_one_line_that_says_what_to_do(
    host: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCKER_HOST", host)
    expected = f"Docker doesn't answer at {host}: start it, or run scripts/install-docker.sh"
    with pytest.raises(SandboxUnavailable) as raised:
        images.list_images()
    assert str(raised.value) == expected
    with pytest.raises(SandboxUnavailable) as raised:
        build(folder)
    assert str(raised.value) == expected


def test_an_address_that_is_none_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "gopher://example")
    with pytest.raises(SandboxUnavailable, match="at gopher://example"):
        images.list_images()


def test_an_engine_that_never_answers_runs_into_the_deadline(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setenv("DOCKER_HOST", f"tcp://127.0.0.1:{server.getsockname()[1]}")
        with pytest.raises(SandboxUnavailable, match="doesn't answer"), images.connect(1):
            pass


def test_an_engine_that_takes_too_long_over_an_answer_is_not_called_dead(
    engine: FakeEngine, folder: Path
) -> None:
    engine.build = lambda query: time.sleep(1.5) or []
    with pytest.raises(SandboxUnavailable, match="took too long over an answer: look at"):
        build(folder, BuildSettings(silence=1))


def test_a_long_step_gives_signs_of_life() -> None:
    lines: list[str] = []
    with Steps("ada", lines.append, every=0.02) as steps:
        steps.step("step 1/2: RUN make")
        steps.detail("compiling x")
        while len(lines) < 3:
            assert steps.seconds < 5
    assert untimed(lines)[1] == "ada: still step 1/2: RUN make (compiling x)"
