"""The command line that asks for a spec: reading it again gives the same spec."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from workbench.cli.options import build_spec, temperatures
from workbench.cli.run import run
from workbench.session.command import command_line, command_lines, run_arguments
from workbench.session.spec import SessionSpec, parse_spec

PLAIN: dict[str, Any] = {"model": "m", "benchmark": "starter", "languages": ("python",)}
SPECS: list[dict[str, Any]] = [
    PLAIN,
    {**PLAIN, "languages": ("python", "go"), "modes": ("plain", "repair-visible"), "n": 20,
     "k": (1, 5), "sampling": {"temperature": 0.8, "top_p": 0.95, "seed": 11, "logprobs": True}},
    {**PLAIN, "modes": ("repair-visible",), "sampling": {"stop": (), "max_tokens": 64}},
    {**PLAIN, "sampling": {"stop": ("\n\n", "$(x) '")}, "system": "be -brief; rm -rf 'x'",
     "style": "complete", "exclude": {"starter/1": "a reason, with = and spaces"}},
    {**PLAIN, "benchmark": "", "problems": "some file.jsonl", "limits": "published",
     "sandbox": "process", "extraction": "raw", "concurrency": 3, "slots": 2, "cold": True,
     "requests_per_minute": 30.5, "attempts": 2, "request_timeout": 9.0, "price": "1/2",
     "max_cost": 1.5, "max_tokens_total": 1_000_000, "repeat_judging": 3, "cutoff": "2024-01",
     "statement": "none", "tasks": "0,3-7", "limit": 5, "data_dir": "data", "api_base": "http://x",
     "api_key_env": "KEY"},
]  # fmt: skip


def read(arguments: list[str]) -> SessionSpec:
    """What `workbench` makes of these arguments."""
    assert arguments[0] == "run"
    values = run.make_context("run", arguments[1:]).params
    for own in ("source", "name", "dry_run", "plain"):
        values.pop(own)
    values["temperature"] = temperatures(values["temperature"])[0]
    return build_spec(values)


@pytest.mark.parametrize("values", SPECS)
def test_the_command_asks_for_the_same_spec(values: dict[str, Any]) -> None:
    spec = parse_spec(values)
    assert read(run_arguments(spec, "a-name")) == spec
    assert read(shlex.split(command_line(run_arguments(spec)))[1:]) == spec
    typed = " ".join(line.removesuffix("\\") for line in command_lines(run_arguments(spec)))
    assert read(shlex.split(typed)[1:]) == spec


def test_a_template_is_named_by_its_file(tmp_path: Path) -> None:
    file = tmp_path / "t.j2"
    file.write_text("{{ prompt }}", encoding="utf-8")
    spec = parse_spec({**PLAIN, "template": "{{ prompt }}"})
    assert read(run_arguments(spec, template=file)) == spec
    with pytest.raises(ValueError, match="name the file"):
        run_arguments(spec)


def test_repairing_another_sessions_programs_names_that_session() -> None:
    source = {"session": "first", "start": "0123456789ab"}
    spec = parse_spec({**PLAIN, "modes": ("repair-visible",), "source": source, "slots": 2})
    found = command_line(run_arguments(spec))
    assert found == "workbench run --from first --mode repair-visible --slots 2"


def test_no_field_of_a_spec_is_forgotten() -> None:
    asked: set[str] = set()
    for values in SPECS:
        asked |= set(values)
    assert set(SessionSpec.model_fields) - asked <= {"suite", "template", "source"}
