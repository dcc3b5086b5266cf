"""The one place where a number becomes text: values with their uncertainty, counts, money, times.

A value goes in as a `Measurement` (or a `PairedDifference`), never as a bare float, so no number
reaches a screen without what says how sure it is. Rounding happens here, once: half to even on the
exact binary value, as Python's `format` does it (6.25 % is `6.2`).
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from workbench.metrics.interval import FEW_TASKS

if TYPE_CHECKING:
    from workbench.metrics.compare import PairedDifference
    from workbench.metrics.measurement import Measurement

MINUS = "\u2212"
"""True minus: as wide as the plus sign."""
THIN = "\u2009"
"""Thin space between groups of three digits."""
NOTHING = "–"
"""Stands where there is no value."""
FIELD = 10
"""Cells of a value in a table: `~31.2 ±3.6`."""


def percent_digits(share: float) -> str:
    """A share as per cent with one decimal, no sign: 0.3125 -> `31.2`."""
    return _tenths(100.0 * share)


def _tenths(value: float) -> str:
    text = f"{abs(value):.1f}"
    return f"{MINUS}{text}" if value < 0 and text != "0.0" else text


def value(measured: Measurement) -> str:
    """A measurement in a sentence or a free field: `~31.2 ±3.6`, `4.9 −2.4 +4.6`, `7/10`, `–`."""
    return _mark(measured) + _body(measured).text


def cell(measured: Measurement, width: int = FIELD) -> str:
    """A measurement in a column: decimal points under each other, `~` in the leading cell.

    Args:
        width: cells; 10 are enough for every value in per cent. What doesn't fit is given by the
            interval's bounds (`2.5–9.5`), then without an interval; digits are never cut.
    """
    lead = "~" if _mark(measured) else " "
    body = _body(measured)
    shown = (body.aligned, body.text, bounds(measured), body.head.rjust(4), body.head)
    fitting = (lead + text for text in shown if text and len(text) < width)
    return next(fitting, lead + body.head).ljust(width)


def spread(measured: Measurement) -> str:
    """Only the uncertainty: `±3.6`, `−2.4 +4.6`, `≤2.3`; empty where none is shown."""
    return _body(measured).tail


def bounds(measured: Measurement) -> str:
    """The interval by its ends: `27.6–34.8`; empty where none is shown."""
    if measured.interval is None or measured.value is None or measured.tasks.few:
        return ""
    return _range(measured.interval.low, measured.interval.high, 100.0 if _share(measured) else 1.0)


def missing(measured: Measurement) -> str:
    """Why there is no value: `not estimable: n 5 < k 10`; empty where there is one."""
    return f"not estimable: {measured.missing}" if measured.missing else ""


def flags(measured: Measurement) -> str:
    """Counts of the flags that occur: `3 suspect, 1 near limit`; empty when none does."""
    found = measured.flags.items()
    return ", ".join(f"{n} {name.replace('_', ' ')}" for name, n in found if n)


@dataclass(frozen=True, slots=True)
class _Body:
    head: str
    tail: str

    @property
    def text(self) -> str:
        return f"{self.head} {self.tail}" if self.tail else self.head

    @property
    def aligned(self) -> str:
        """The head right-aligned in the four cells of `31.2`, so that points line up."""
        return f"{self.head:>4} {self.tail}" if self.tail else f"{self.head:>4}"


def _mark(measured: Measurement) -> str:
    return "~" if measured.provisional and measured.value is not None else ""


def _share(measured: Measurement) -> bool:
    return measured.metric.is_share


def _body(measured: Measurement) -> _Body:
    if measured.value is None:
        return _Body(NOTHING, "")
    if not _share(measured):
        return _plain_mean(measured)
    if measured.tasks.few:
        return _Body(_fraction(measured), "")
    found = measured.interval
    if found is None:
        return _Body(percent_digits(measured.value), "")
    if measured.value == 0.0:
        return _Body("0.0", f"≤{percent_digits(found.high)}")
    if measured.value == 1.0:
        return _Body("100", f"≥{percent_digits(found.low)}")
    below = round(100 * (measured.value - found.low), 1)
    above = round(100 * (found.high - measured.value), 1)
    head = percent_digits(measured.value)
    if abs(below - above) < 0.15:
        return _Body(head, f"±{_tenths(50 * (found.high - found.low))}")
    return _Body(head, f"{MINUS}{below:.1f} +{above:.1f}")


def _plain_mean(measured: Measurement) -> _Body:
    """A mean that isn't a share (turns): two decimals."""
    assert measured.value is not None
    head = f"{measured.value:.2f}"
    if measured.interval is None or measured.tasks.few:
        return _Body(head, "")
    return _Body(head, f"±{(measured.interval.high - measured.interval.low) / 2:.2f}")


def _fraction(measured: Measurement) -> str:
    """With few tasks: the sum of the tasks' estimates over the tasks, `7/10` or `6.5/10`."""
    assert measured.value is not None
    if measured.ratio is not None:
        return f"{measured.ratio[0]}/{measured.ratio[1]}"
    solved = measured.value * measured.tasks.scored
    whole = round(solved)
    text = str(whole) if abs(solved - whole) < 1e-9 else f"{solved:.1f}"
    return f"{text}/{measured.tasks.scored}"


def _range(low: float, high: float, scale: float) -> str:
    ends = (_tenths(scale * low), _tenths(scale * high))
    return "–".join("100" if end == "100.0" and scale == 100.0 else end for end in ends)


def difference(found: PairedDifference) -> str:
    """A difference in percentage points with sign: `+5.6 ±4.0`, `−3.0`, few tasks `+2/10`."""
    if found.few:
        return _few_difference(found)
    head = _signed(100 * found.delta)
    if found.interval is None:
        return head
    below = round(100 * (found.delta - found.interval.low), 1)
    above = round(100 * (found.interval.high - found.delta), 1)
    if abs(below - above) < 0.15:
        return f"{head} ±{_tenths(50 * (found.interval.high - found.interval.low))}"
    return f"{head} {MINUS}{below:.1f} +{above:.1f}"


def _few_difference(found: PairedDifference) -> str:
    tasks = len(found.tasks)
    gained = found.delta * tasks
    whole = round(gained)
    text = str(abs(whole)) if abs(gained - whole) < 1e-9 else f"{abs(gained):.1f}"
    sign = "" if text in ("0", "0.0") else (MINUS if gained < 0 else "+")
    return f"{sign}{text}/{tasks}"


def arm(share: float, tasks: int) -> str:
    """One side of a difference, whose uncertainty stands beside it: `31.2`, few tasks `6.5/10`."""
    if tasks >= FEW_TASKS:
        return percent_digits(share)
    whole = round(share * tasks)
    exact = abs(share * tasks - whole) < 1e-9
    return f"{whole}/{tasks}" if exact else f"{share * tasks:.1f}/{tasks}"


def _signed(points: float) -> str:
    text = _tenths(points)
    return text if text == "0.0" or text.startswith(MINUS) else f"+{text}"


def p_value(p: float) -> str:
    """A p-value with two significant digits: `0.00027`, `0.38`, `<0.0001`."""
    if p < 0.0001:
        return "<0.0001"
    if p > 0.995:
        return "1"
    return format(Decimal(f"{p:.2g}"), "f")


def separable(p_adjusted: float | None, level: float = 0.05) -> bool:
    """Whether a difference holds: its p after Holm's correction lies at or below the level."""
    return p_adjusted is not None and p_adjusted <= level


def share_of(part: int, whole: int) -> str:
    """Progress or mix in per cent, no uncertainty meant: `38 %`; `–` of nothing."""
    if whole == 0:
        return NOTHING
    percent = 100 * part / whole
    if part and percent < 1:
        return "<1 %"
    if part < whole and percent > 99:
        return "99 %"
    return f"{percent:.0f} %"


def count(number: int) -> str:
    """Whole up to 9999, then in thin groups: `9999`, `13 120`."""
    sign = MINUS if number < 0 else ""
    if abs(number) <= 9999:
        return f"{sign}{abs(number)}"
    return sign + f"{abs(number):,}".replace(",", THIN)


def tokens(number: int | None) -> str:
    """As a count; from a million `8.4 M`, from a thousand million `1.2 G`; `–` when unknown."""
    if number is None:
        return NOTHING
    if number < 10**6:
        return count(number)
    millions = f"{number / 10**6:.1f}"
    return f"{number / 10**9:.1f} G" if len(millions) > 5 else f"{millions} M"


def money(usd: Decimal | float | None, *, local: bool = False) -> str:
    """Dollars: `$1.84`; `local` for a local model, `price?` when a price is unknown.

    Unknown is never `$0.00`, and neither is little: below a cent it is `<$0.01`.
    """
    if local:
        return "local"
    if usd is None:
        return "price?"
    amount = Decimal(str(usd))
    if 0 < amount < Decimal("0.005"):
        return "<$0.01"
    text = f"{amount:,.2f}"
    return "$" + (text.replace(",", THIN) if amount >= 10_000 else text.replace(",", ""))


def age(seconds: float) -> str:
    """How long ago, one unit: `12 s`, `41 m`, `2 h`, `3 d`."""
    past = max(0.0, seconds)
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "m")):
        if past >= size:
            return f"{int(past // size)} {unit}"
    return f"{int(past)} s"


def duration(seconds: float | None) -> str:
    """A stretch of time: `0:12`, `6:12`, `1:06:12`; `–` when unknown."""
    if seconds is None:
        return NOTHING
    whole = max(0, round(seconds))
    hours, rest = divmod(whole, 3600)
    minutes, left = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


def seconds(number: float | None) -> str:
    """A measured time without its unit: two decimals below 1, one below 100, then whole."""
    if number is None:
        return NOTHING
    if number < 0.995:
        return f"{number:.2f}"
    if number < 99.95:
        return f"{number:.1f}"
    return count(round(number))


def size(number: int) -> str:
    """Bytes: `812 B`, `4.1 kB`, `8.1 MB`, powers of 1000."""
    if number < 1000:
        return f"{number} B"
    amount = float(number)
    for unit in ("kB", "MB", "GB", "TB"):
        amount /= 1000
        if amount < 999.95 or unit == "TB":
            return f"{amount:.1f} {unit}"
    raise AssertionError("unreachable: TB takes everything")
