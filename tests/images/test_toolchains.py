"""The images that the engine has: what is in them, and what a candidate can do in one."""

from __future__ import annotations

import io
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench import images
from workbench.errors import UsageError, WorkbenchError

pytestmark = pytest.mark.docker

# Megabytes as measured on amd64, with a tenth to spare: an image that grows should be noticed.
# Of C++'s, 215 are precompiled headers.
LARGEST = {"python": 130, "cpp": 830, "java": 370, "js": 240, "go": 570}

HELLO = {
    "python": ("hello.py", "print('hello')", "python3 hello.py"),
    "cpp": (
        "hello.cpp",
        "#include <boost/any.hpp>\n#include <openssl/evp.h>\n#include <cstdio>\n"
        "int main() { EVP_MD_CTX_free(EVP_MD_CTX_new()); boost::any a = 1; puts(\"hello\"); }",
        "g++ -std=c++17 hello.cpp -lcrypto -o hello && ./hello",
    ),
    "java": (
        "Main.java",
        "class Main { public static void main(String[] a) {"
        ' System.out.println(org.javatuples.Unit.with("hello").getValue0()); } }',
        "CP=/usr/share/java/javatuples.jar:. && javac -cp $CP Main.java && java -cp $CP Main",
    ),
    "js": (
        "hello.js",
        "if (require('js-md5')('a') === '0cc175b9c0f1b6a831c399e269772661') console.log('hello')",
        "node hello.js",
    ),
    "go": (
        "hello_test.go",
        'package hello\nimport ("fmt"; "testing"; "math/rand"; "github.com/stretchr/testify/assert")\n'
        'func TestHello(t *testing.T) { assert.New(t).True(rand.Int() >= 0); fmt.Println("hello") }',
        "go test -vet=off -c -o hello && ./hello | head -n 1",
    ),
}  # fmt: skip


def in_sandbox(reference: str, command: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run a shell command as a candidate would be: no network, no rights, nothing to write to."""
    return subprocess.run(
        ["docker", "run", "--rm", "--network=none", "--read-only", "--tmpfs=/tmp:exec",
         "--cap-drop=ALL", "--security-opt=no-new-privileges", "--user=65534", "--env=HOME=/tmp",
         "--workdir=/tmp", *options, reference, "sh", "-c", command],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


@pytest.fixture(scope="session", params=images.languages())
def image(request: pytest.FixtureRequest) -> images.Image:
    """Each language's current image."""
    return next(i for i in images.list_images() if i.language == request.param and i.current)


def test_it_is_lean(image: images.Image) -> None:
    assert image.size / 1e6 <= LARGEST.get(image.language, 1000)


def test_its_manifest_gives_the_versions_that_can_change_a_verdict(image: images.Image) -> None:
    manifest = images.manifest(image.reference)
    assert manifest["language"] == image.language
    assert manifest["tools"]
    assert manifest["packages"]
    for versions in (manifest["tools"], manifest["packages"]):
        assert all(isinstance(v, str) and v[0].isdigit() for v in versions.values())


def test_a_program_compiles_and_runs_with_no_rights_at_all(image: images.Image) -> None:
    name, text, command = HELLO[image.language]
    done = in_sandbox(
        image.reference, f'printf %s "$TEXT" > {name} && {command}', f"--env=TEXT={text}"
    )
    assert (done.stdout, done.returncode) == ("hello\n", 0), done.stderr


def test_no_program_changes_its_user(image: images.Image) -> None:
    done = in_sandbox(image.reference, "find / -xdev -type f -perm /6000")
    assert done.stdout == ""


def test_candidates_of_other_languages_cant_run_python(image: images.Image) -> None:
    if image.language == "python":
        pytest.skip("Python is the language under test here")
    ways = (
        "for p in /usr/bin/python* /usr/local/bin/python*; do [ ! -x $p ] || echo $p; done;"
        "cat /usr/bin/python3 | head -c 4;"
        "/lib64/ld-linux-x86-64.so.2 /usr/bin/python3 -c 'print(1)';"
        "find / -xdev -name '*python3*.so*' -path '*lib*python3.so*'"
    )
    assert in_sandbox(image.reference, ways).stdout == ""


def test_the_supervisors_python_runs_with_two_capabilities(image: images.Image) -> None:
    program = (
        "import asyncio, hashlib, json, os, resource, select, selectors, signal, socket, struct;"
        "os.setresgid(9, 9, 9); os.setresuid(9, 9, 9); print(os.getuid())"
    )
    done = in_sandbox(
        image.reference, f"python3 -I -c '{program}'",
        "--user=0", "--cap-add=SETUID", "--cap-add=SETGID",
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("9\n", "")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """An images folder with a language of its own, whose images are removed at the end."""
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "Dockerfile").write_text("FROM workbench-test-base\nCOPY ada/x /x\n")
    (tmp_path / "ada" / "x").write_text("one")
    empty = io.BytesIO()
    tarfile.open(fileobj=empty, mode="w").close()
    with images.connect() as client:
        client.api.import_image_from_data(empty.getvalue(), repository="workbench-test-base")
    yield tmp_path
    with images.connect() as client:
        for left in client.images.list(filters={"label": "workbench.language=ada"}):
            client.images.remove(left.id, force=True)
        client.images.remove("workbench-test-base")


def test_clearing_away_keeps_what_is_current_and_other_folders_images(folder: Path) -> None:
    before = {i.reference for i in images.list_images()}
    settings = images.BuildSettings(base="workbench-test-base")
    old = images.build("ada", lambda line: None, settings, folder=folder)
    (folder / "ada" / "x").write_text("two")
    new = images.build("ada", lambda line: None, settings, folder=folder)
    listed = [i for i in images.list_images(settings.base, folder) if i.language == "ada"]
    assert [(i.reference, i.current) for i in listed] == [
        (new.reference, True),
        (old.reference, False),
    ]
    pruned = images.prune(settings.base, folder)
    assert [i.reference for i in pruned.removed] == [old.reference]
    assert pruned.kept == ()
    assert {i.reference for i in images.list_images()} == before | {new.reference}


def test_an_image_without_manifest_or_none_at_all_is_one_line(folder: Path) -> None:
    settings = images.BuildSettings(base="workbench-test-base")
    bare = images.build("ada", lambda line: None, settings, folder=folder)
    with pytest.raises(
        WorkbenchError, match=r"has no /opt/workbench/manifest\.json: build it again"
    ):
        images.manifest(bare.reference)
    with pytest.raises(
        UsageError, match="no image workbench/ada:none: run `workbench images build`"
    ):
        images.manifest("workbench/ada:none")


def test_a_failed_step_of_the_real_builder_is_named(folder: Path) -> None:
    (folder / "ada" / "Dockerfile").write_text("FROM workbench-test-base\nCOPY nothing /x\n")
    with pytest.raises(images.BuildFailed, match=r"failed at step 2/4: COPY nothing /x: .*nothing"):
        images.build(
            "ada",
            lambda line: None,
            images.BuildSettings(base="workbench-test-base"),
            folder=folder,
        )
