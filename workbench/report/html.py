"""A session's report as one page: tables, plots, labels; no script, nothing fetched.

Whatever models, benchmarks or people wrote goes through `svg.text`, which escapes it; and the page
itself forbids scripts and requests, should anything get by.
"""

from __future__ import annotations

from collections.abc import Sequence

from workbench.metrics.measurement import Measurement
from workbench.report import numbers, tables
from workbench.report.diagnoses import CellDiagnoses
from workbench.report.sections import Section
from workbench.report.svg import text

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --faint: #888; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.3rem; } h2 { font-size: 1.05rem; margin-top: 2rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; font-size: .9rem; }
th, td { text-align: left; padding: .2rem .7rem .2rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
code { font-size: .85em; overflow-wrap: anywhere; }
svg { width: 100%; max-width: 46rem; } svg text { fill: currentColor; } svg .grid { stroke: var(--line); }
.key span { margin-right: 1rem; white-space: nowrap; } .key i { font-style: normal; }
.key, .notes { font-size: .85rem; color: var(--faint); }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(
    title: str,
    measurements: Sequence[Measurement],
    beside: Sequence[Measurement],
    parts: Sequence[Section],
    plots: Sequence[str],
    wrong: Sequence[CellDiagnoses],
) -> str:
    """The whole page.

    Args:
        title: first line; untrusted.
        measurements: the chief numbers.
        beside: further measurements of the same cells.
        parts: what else the report says.
        plots: SVG texts from `charts`.
        wrong: what went wrong in each cell.
    """
    body = [f"<h1>{text(title)}</h1>"]
    for name, rows in tables.blocks(measurements).items():
        body += _numbers(name, rows)
    body += [f"<figure>{plot}</figure>" for plot in plots]
    body += [_part(part) for part in [*tables.beside_section(beside), *parts]]
    body += _diagnoses(wrong)
    body += ['<h2>labels and notes</h2><ul class="notes">']
    body += [
        f"<li><code>{text(line)}</code></li>"
        for line in tables.footing(measurements)
        if line.strip()
    ]
    body += ["</ul>"]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{text(title)}</title><style>{_STYLE}</style></head>\n<body>"
        + "\n".join(body)
        + "\n</body></html>"
    )


def _numbers(name: str, rows: Sequence[Measurement]) -> list[str]:
    head = ("language", "metric", "value", "95 %", "scored / planned", "lost", "outcomes", "label")
    made = [
        (m.language, str(m.metric), numbers.value(m), numbers.bounds(m) or numbers.NOTHING,
         f"{m.units.scored} / {m.units.planned}", str(m.units.lost), tables.mix(m), str(m.label))
        for m in rows
    ]  # fmt: skip
    return [f"<h2>{text(tables.heading(name, rows[0].units.kind))}</h2>",
            _table(head, made, frozenset({2, 3, 4, 5}))]  # fmt: skip


def _part(part: Section) -> str:
    table = _table(part.head, part.rows, part.right) if part.rows else ""
    notes = "".join(f'<p class="notes">{text(note)}</p>' for note in part.notes)
    return f"<h2>{text(part.title)}</h2>{table}{notes}"


def _diagnoses(wrong: Sequence[CellDiagnoses]) -> list[str]:
    rows = [
        (cell.language, cell.mode, str(d.count), numbers.share_of(d.count, cell.found.failed),
         d.outcome.replace("_", " "), d.message, f"{d.example.task_id}:{d.example.index}")
        for cell in wrong
        for d in cell.found.top()
    ]  # fmt: skip
    odd = [f"<p>suspicious: {text(c.suspicious)}</p>" for c in wrong if c.suspicious]
    if not rows and not odd:
        return []
    head = ("language", "mode", "count", "share", "outcome", "diagnostic", "such as")
    return ["<h2>what went wrong, the commonest first</h2>", *odd,
            _table(head, rows, frozenset({2, 3}))]  # fmt: skip


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], right: frozenset[int]) -> str:
    made = [_row(head, "th", right), *(_row(row, "td", right) for row in rows)]
    return f"<table>{''.join(made)}</table>"


def _row(cells: Sequence[str], tag: str, right: frozenset[int]) -> str:
    kinds = [' class="n"' if i in right else "" for i in range(len(cells))]
    made = (f"<{tag}{kind}>{text(c)}</{tag}>" for c, kind in zip(cells, kinds, strict=True))
    return f"<tr>{''.join(made)}</tr>"
