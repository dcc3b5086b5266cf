"""From what a program wrote and how it ended to its outcome: pure, and the same everywhere."""

from __future__ import annotations

import json
import math
import re
import signal
from typing import Any

HEAD = 32_768
TAIL = 32_768
DETAIL_CAP = 300
VALUE_CAP = 2_000


class Stream:
    """Head, tail and size of one output stream."""

    def __init__(self) -> None:
        self.head = bytearray()
        self.tail = bytearray()
        self.size = 0

    def feed(self, data: bytes) -> None:
        """Take what was read."""
        self.size += len(data)
        room = HEAD + TAIL - len(self.head)
        if room > 0:
            self.head += data[:room]
            data = data[room:]
        if data:
            self.tail += data[-TAIL:]
            if len(self.tail) > 8 * TAIL:
                del self.tail[:-TAIL]

    def clip(self) -> dict[str, Any]:
        """The stream as `Clip`; everything is in the head when it is at most HEAD + TAIL bytes."""
        head, tail = bytes(self.head), b""
        if self.size > HEAD + TAIL:
            head, tail = head[:HEAD], (head[HEAD:] + bytes(self.tail))[-TAIL:]
        return {
            "head": head.decode("utf-8", "replace"),
            "tail": tail.decode("utf-8", "replace"),
            "size": self.size,
        }


class Channel:
    """Reads descriptor 3: the pass token and, when tests are data, the results."""

    def __init__(self, token: str, cases: list[Any] | None) -> None:
        self.token = token.encode()
        self.cases = cases
        self.size = 0
        self.seen = 0
        self.passed = 0
        self.ended = False
        self.broken = ""
        self.failed: dict[str, Any] | None = None
        """The first case whose result is wrong, as `CaseReport`."""
        self._line = bytearray()
        self._skipping = False

    def feed(self, data: bytes) -> None:
        """Take what was read; complete lines are judged at once."""
        self.size += len(data)
        *lines, rest = data.split(b"\n")
        for line in lines:
            if not self._skipping:
                self._line += line
                self._take(bytes(self._line))
            self._line.clear()
            self._skipping = False
        if not self._skipping:
            self._line += rest
            width = len(self.token)
            if not self.token.startswith(bytes(self._line[:width])):
                self._line.clear()
                self._skipping = True

    def _take(self, line: bytes) -> None:
        if not line.startswith(self.token) or self.ended or self.broken:
            return
        rest = line[len(self.token) :]
        if self.cases is None:
            self.ended = rest == b""
        elif rest == b" end":
            self.ended = True
        else:
            index, _, text = rest[1:].partition(b" ")
            if index != b"%d" % self.seen or self.seen >= len(self.cases):
                self.broken = "results came out of order"
                return
            self._judge(self.cases[self.seen], text)
            self.seen += 1

    def _judge(self, case: dict[str, Any], text: bytes) -> None:
        wanted = json.dumps(case["expected"], ensure_ascii=False)
        right = False
        # Text far longer than the expected value can't be equal to it: it isn't even parsed,
        # so that a huge result costs the judge nothing.
        if len(text) <= 65_536 + 32 * len(wanted):
            try:
                value = json.loads(text)
                tolerance = case["tolerance"] if case["kind"] == "float" else None
                right = equal(value, case["expected"], tolerance)
            except (ValueError, RecursionError):
                right = False
        if right:
            self.passed += 1
        elif self.failed is None:
            shown = text[: 4 * VALUE_CAP].decode("utf-8", "replace")
            self.failed = self._report(self.seen, shown[:VALUE_CAP])

    def first_failure(self, fell_short: bool) -> dict[str, Any] | None:
        """The case that failed: the first wrong one, else the one without a result.

        `fell_short` says that the program ran and didn't pass.
        """
        if self.failed is None and fell_short and self.seen < len(self.cases or []):
            return self._report(self.seen, "")
        return self.failed

    def _report(self, index: int, actual: str) -> dict[str, Any]:
        case = (self.cases or [])[index]
        wanted = json.dumps(case["expected"], ensure_ascii=False)[:VALUE_CAP]
        return {"index": index, "expected": wanted, "actual": actual, "shown": case["shown"]}


def equal(actual: Any, expected: Any, tolerance: float | None) -> bool:
    """Whether two JSON values are equal by the rules of docs/channel.md.

    `tolerance` is None for exact comparison, else the allowed difference of two numbers, absolute
    for expected values up to 1 and relative to the expected value beyond.
    """
    if isinstance(actual, bool) or isinstance(expected, bool):
        return actual is expected
    if isinstance(actual, (int, float)) and isinstance(expected, (int, float)):
        if actual == expected:
            return True
        if actual != actual and expected != expected:  # NaN equals NaN
            return True
        if tolerance is None:
            return False
        try:
            gap = abs(float(actual) - float(expected))
            return gap <= tolerance * max(1.0, abs(float(expected))) and math.isfinite(gap)
        except OverflowError:
            return False
    if type(actual) is not type(expected):
        return False
    if isinstance(actual, list):
        pairs = zip(actual, expected)  # noqa: B905  (3.8)
        return len(actual) == len(expected) and all(equal(a, e, tolerance) for a, e in pairs)
    if isinstance(actual, dict):
        if actual.keys() != expected.keys():
            return False
        return all(equal(actual[key], expected[key], tolerance) for key in actual)
    return bool(actual == expected)


def decide(
    step: dict[str, Any], limits: dict[str, Any], channel: Channel, rules: dict[str, Any]
) -> tuple[str, str]:
    """Outcome and detail of an execution, from the report of its last step and that step's limits.

    The order: what stopped the step (CPU time, wall time, memory, output), the compile step's exit
    code, output beyond its cap, a result that is wrong, the run step's exit code, the token.
    `rules` has the language's patterns `wrong_answer`, `out_of_memory`, `compile_error` (for
    languages that compile while they run) and `diagnostic`.
    """
    name = step["name"]
    if step["stopped_by"] == "cpu":
        used, allowed = step["cpu_s"], limits["cpu_s"]
        return "timeout", f"{name} stopped after {used:.1f} s of CPU time (limit {allowed:g} s)"
    if step["stopped_by"] == "wall":
        used = f"{step['cpu_s']:.1f} of {limits['cpu_s']:g} s CPU used"
        return "timeout", f"{name} stopped after {step['wall_s']:.1f} s of wall time, {used}"
    if step["stopped_by"] == "memory":
        return "out_of_memory", f"{name} needed more than {limits['memory_mb']} MB"
    texts = [step[stream][part] for stream in ("stderr", "stdout") for part in ("head", "tail")]
    output = "\n".join(texts)
    if name == "compile":
        return "compile_error", diagnostic(step, output, rules["diagnostic"])
    sizes = {"stdout": step["stdout"]["size"], "stderr": step["stderr"]["size"]}
    if step["stopped_by"] == "output":
        most = max(*sizes.values(), channel.size)
        return "output_limit", f"stopped after it wrote {most} bytes"
    for stream, size in sizes.items():
        if size > limits["output_bytes"]:
            return "output_limit", f"{size} bytes on {stream} (limit {limits['output_bytes']})"
    if channel.failed is not None:
        case = channel.failed
        call = case["shown"] or f"case {case['index']}"
        return "wrong_answer", one_line(
            f"{call}: expected {case['expected']}, got {case['actual']}"
        )
    if step["exit_code"] != 0:
        detail = diagnostic(step, output, rules["diagnostic"])
        if _found(rules["out_of_memory"], output):
            return "out_of_memory", detail
        if _found(rules["compile_error"], output):
            return "compile_error", detail
        asserted = channel.cases is None and not channel.ended
        if asserted and _found(rules["wrong_answer"], output):
            return "wrong_answer", detail
        return "runtime_error", detail
    if channel.broken:
        return "runtime_error", channel.broken
    if not channel.ended or channel.passed != len(channel.cases or []):
        return "runtime_error", "ended with 0 before its tests finished"
    return "passed", ""


def _found(pattern: str, output: str) -> bool:
    return bool(pattern) and re.search(pattern, output, re.MULTILINE) is not None


def diagnostic(step: dict[str, Any], output: str, patterns: list[str]) -> str:
    """The line that says why: the first pattern's first match, else how the step ended."""
    for pattern in patterns:
        match = re.search(pattern, output, re.MULTILINE)
        if match:
            return one_line(match.group(1) if match.re.groups else match.group(0))
    if step["signal"] is not None:
        known = {number.value: number.name for number in signal.Signals}
        return f"killed by {known.get(step['signal'], step['signal'])}"
    lines = [line for line in output.splitlines() if line.strip()]
    return one_line(lines[-1] if lines else f"exit code {step['exit_code']}")


def one_line(text: str) -> str:
    """The first line of `text`, at most DETAIL_CAP characters."""
    line = " ".join(text.strip().splitlines()[:1])
    return line if len(line) <= DETAIL_CAP else line[: DETAIL_CAP - 1] + "…"
