"""Every form of a report: JSON by its schema, a page that holds no markup of anybody else's."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import jsonschema

from tests.report.made import Made, make_session
from workbench.report.schema import ReportBody, schema_text

DOCS = Path(__file__).parents[2] / "docs"
EVIL = "m<script>alert(1)</script>\"'><img src=x onerror=alert(2)>\x1b[31m"

Command = Callable[..., str]


def rich(sessions: Path, model: str = "made/model") -> None:
    rows = ["● W W H", "W W ● ?", "● ● ● ●", "C T W W"]
    chains = Made(
        ["W● ● WWW WH", "WWW WW● ● WW?", "● ● ● ●", "WC WWW H W●"], recipe="repair-visible"
    )
    record = {"model": model, "contamination": EVIL}
    make_session(
        sessions / "s",
        Made(rows, ks=[1, 2], record=record),
        chains,
        Made(rows, language="go", ks=[1, 2], record=record),
        model=model,
    )


def test_json_keeps_its_documented_schema(sessions: Path, command: Command) -> None:
    assert (DOCS / "report.schema.json").read_text(encoding="utf-8") == schema_text()
    rich(sessions)
    body = json.loads(command("report", "s", "--json", "--tokens", "15"))
    jsonschema.validate(body, json.loads(schema_text()))
    read = ReportBody.model_validate(body)
    assert {row.budget for row in read.equal_budget} >= {"calls", "generated tokens", "money"}
    assert read.measurements[0].label.startswith("starter/python")


def test_every_exported_row_has_its_whole_label(sessions: Path, command: Command) -> None:
    rich(sessions)
    rows = list(csv.DictReader(command("report", "s", "--format", "csv").splitlines()))
    assert all(row["label"].count(" · ") == 2 and "#" in row["label"] for row in rows)
    picked = [row for row in rows if row["metric"].startswith("picked@2")]
    assert {row["language"] for row in picked} == {"python", "go"}


class _Page(HTMLParser):
    """Counts tags and attributes that could run or fetch something."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.risky: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.risky += [f"{tag} {name}" for name, _ in attrs
                       if name in ("src", "href") or name.startswith("on")]  # fmt: skip


def test_the_page_has_its_plots_and_nothing_that_runs_or_fetches(
    sessions: Path, command: Command
) -> None:
    rich(sessions, EVIL)
    text = command("report", "s", "--format", "html")
    page = _Page()
    page.feed(text)
    assert page.risky == []
    assert not {"script", "img", "link", "iframe", "object"} & set(page.tags)
    # pass@k over k, two of headlines, the outcome mix, calls and tokens in python.
    assert page.tags.count("svg") == 6
    assert "&lt;script&gt;" in text
    assert "\x1b" not in text
    for title in ("pass@k over k", "outcome mix", "repair beside resampling, over calls"):
        assert title in text
    assert "default-src &#x27;none&#x27;" in text or "default-src 'none'" in text


def test_a_page_goes_to_a_file(sessions: Path, command: Command, tmp_path: Path) -> None:
    rich(sessions)
    file = tmp_path / "report.html"
    assert command("report", "s", "--format", "html", "-o", str(file)) == ""
    assert file.read_text(encoding="utf-8").endswith("</html>\n")


def test_methods_state_the_protocol_in_prose(sessions: Path, command: Command) -> None:
    rich(sessions)
    said = json.loads(command("report", "s", "--json"))["methods"]
    assert "made/model was evaluated on starter, suite base, in python: 4 tasks." in said
    assert "4 samples a task, drawn at temperature 0.8 and top-p 0.95" in said
    assert "at most 3 turns" in said
    assert "it is no pass@k" in said
    assert "Of 48 units planned 45 were scored; 3 were lost" in said


def test_markdown_carries_every_part(sessions: Path, command: Command) -> None:
    rich(sessions, EVIL)
    text = command("report", "s", "--format", "md")
    assert "_equal budget: repair beside resampling" in text
    assert "<script>" not in text.replace("\\<script\\>", "")


def test_no_form_of_a_report_gives_repair_a_pass_at_k(sessions: Path, command: Command) -> None:
    make_session(sessions / "s", Made(["W● WW● ●", "● WWW ●"], recipe="repair-visible", ks=[1, 3]))
    for form in ("json", "csv"):
        text = command("report", "s", "--format", form)
        assert "pass@" not in text.replace("never pass@k", "").split('"methods"')[0]
    body = json.loads(command("report", "s", "--json"))
    assert {m["mode"] for m in body["measurements"]} == {"repair"}
    assert "any-of-3 episodes, ≤3" in {m["metric"] for m in body["measurements"]}
