"""Write `metric_vectors.json`: expected values from the definitions alone, in exact fractions.

Nothing of workbench is imported: every number comes from counting all cases, or from rational
arithmetic on the definition. Run it by hand after a change here; the file it writes is committed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from decimal import Decimal, getcontext
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

getcontext().prec = 60


def text(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def drawn(n: int, c: int, k: int) -> Iterator[tuple[bool, ...]]:
    units = [True] * c + [False] * (n - c)
    return combinations(units, k)


def by_counting(n: int, c: int, k: int) -> tuple[Fraction, Fraction]:
    """Shares of all k-subsets that hold a pass, and that hold nothing else."""
    subsets = list(drawn(n, c, k))
    some = sum(any(s) for s in subsets)
    every = sum(all(s) for s in subsets)
    return Fraction(some, len(subsets)), Fraction(every, len(subsets))


def small() -> list[dict[str, object]]:
    out: list[dict[str, object]] = []
    for n in range(1, 8):
        for c in range(n + 1):
            for k in range(1, n + 1):
                some, every = by_counting(n, c, k)
                out.append({"n": n, "c": c, "k": k, "pass_at": text(some), "pass_hat": text(every)})
    return out


LARGE = [
    (164, 1, 1),
    (200, 57, 10),
    (200, 199, 100),
    (1000, 3, 17),
    (4096, 2048, 5),
    (10_000, 7, 2_500),
    (100_000, 1, 1),
    (100_000, 1, 100),
    (100_000, 2, 3),
    (100_000, 11, 900),
    (100_000, 99_000, 12),
]


def large() -> list[dict[str, object]]:
    """Decimals with 40 digits, by products of fractions: n choose k is never formed."""
    out: list[dict[str, object]] = []
    for n, c, k in LARGE:
        none = Fraction(1)
        if c <= k:
            for i in range(n - c + 1, n + 1):
                none *= Fraction(i - k, i)
        else:
            for i in range(k):
                none *= Fraction(n - c - i, n - i)
        value = 1 - none
        decimal = Decimal(value.numerator) / Decimal(value.denominator)
        out.append({"n": n, "c": c, "k": k, "pass_at": f"{decimal:.40e}"})
    return out


def trees() -> list[dict[str, object]]:
    """Share of all sub-trees without a pass, over every choice of programs and repairs."""
    tasks = [
        [None, (3, 0), (3, 1), (3, 2)],
        [(2, 0), (2, 0), (2, 1)],
        [None, None, (4, 4)],
        [(3, 1)],
    ]
    return [
        {
            "programs": programs,
            "n_p": n_p,
            "n_fr": n_fr,
            "rate": text(tree_rate(programs, n_p, n_fr)),
        }
        for programs in tasks
        for n_p in range(1, len(programs) + 1)
        for n_fr in range(3)
        if all(p is None or p[0] >= n_fr for p in programs)
    ]


def tree_rate(programs: list[tuple[int, int] | None], n_p: int, n_fr: int) -> Fraction:
    solved, total = Fraction(0), 0
    for chosen in combinations(programs, n_p):
        total += 1
        if any(p is None for p in chosen):
            solved += 1
            continue
        draws = [list(drawn(m, r, n_fr)) for m, r in chosen if (m, r)]
        hits = [any(any(d) for d in tree) for tree in product(*draws)]
        solved += Fraction(sum(hits), len(hits))
    return solved / total


def mcnemar() -> list[dict[str, object]]:
    """Two-sided sign test by counting all 2^m tables that are at least as uneven."""
    out: list[dict[str, object]] = []
    for lost, gained in product(range(7), repeat=2):
        m = lost + gained
        smaller = min(lost, gained)
        tables = [sum(bits) for bits in product((0, 1), repeat=m)]
        extreme = sum(1 for t in tables if t <= smaller or t >= m - smaller)
        p = min(Fraction(1), Fraction(extreme, len(tables)))
        out.append({"lost": lost, "gained": gained, "p": text(p)})
    return out


def wilson() -> list[dict[str, object]]:
    """Ends of the score interval: the p at which (x/n − p)² = z² p(1−p)/n, by the formula."""
    z = Decimal("1.959963984540054235524594430520551527955550")
    out: list[dict[str, object]] = []
    for x, n in [(0, 5), (1, 5), (5, 5), (9, 20), (33, 164), (161, 164), (164, 164)]:
        p, size = Decimal(x) / n, Decimal(n)
        centre = p + z * z / (2 * size)
        half = z * (p * (1 - p) / size + z * z / (4 * size * size)).sqrt()
        scale = 1 + z * z / size
        out.append(
            {
                "x": x,
                "n": n,
                "low": f"{max(Decimal(0), (centre - half) / scale):.20f}",
                "high": f"{min(Decimal(1), (centre + half) / scale):.20f}",
            }
        )
    return out


def bootstrap() -> list[dict[str, object]]:
    """Variance of the mean over all T^T resamples."""
    out: list[dict[str, object]] = []
    for values in ([0, 1], [0, 1, 1], ["1/3", "1/2", 1, 0], [1, 1, 1]):
        exact = [Fraction(v) for v in values]
        means = [sum(d, Fraction(0)) / len(exact) for d in product(exact, repeat=len(exact))]
        mean = sum(means, Fraction(0)) / len(means)
        variance = sum(((m - mean) ** 2 for m in means), Fraction(0)) / len(means)
        out.append({"values": [text(v) for v in exact], "variance": text(variance)})
    return out


def main() -> None:
    assert math.comb(7, 3) == len(list(drawn(7, 2, 3)))
    vectors = {
        "pass": small(),
        "pass_large": large(),
        "tree": trees(),
        "mcnemar": mcnemar(),
        "wilson": wilson(),
        "bootstrap": bootstrap(),
    }
    lines = [
        f'"{name}": [\n' + ",\n".join(json.dumps(row) for row in rows) + "\n]"
        for name, rows in vectors.items()
    ]
    path = Path(__file__).with_name("metric_vectors.json")
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
