"""Small rows in the forms of MultiPL-E and HumanEvalPack, written for these tests: two problems,
`ends` (the first and last of a list) and, in HumanEvalPack's form, `triple`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

LANGUAGES = ("python", "cpp", "java", "js", "go")


@dataclass(frozen=True)
class Made:
    """One row in MultiPL-E's form, and completions for it."""

    row: dict[str, Any]
    good: str
    """A right completion as the publisher would cut it: without a closing brace."""
    bad: str
    runs_on: str
    """The right completion, not cut: what follows it doesn't compile."""
    whole: str
    """A right program of its own, with a main or an entry point of its own where there can be."""


def _row(language: str, prompt: str, tests: str, stop: list[str]) -> dict[str, Any]:
    return {
        "name": "HumanEval_900_ends",
        "language": language,
        "prompt": prompt,
        "doctests": "transform",
        "original": "/nowhere/HumanEval_900_ends.py",
        "prompt_terminology": "reworded",
        "tests": tests,
        "stop_tokens": stop,
    }


MULTIPL_E = {
    "python": Made(
        row=_row(
            "py",
            "from typing import List\n\ndef ends(numbers: List[int]) -> List[int]:\n"
            '    """First and last.\n    >>> ends([1, 2, 4])\n    [1, 4]\n    >>> tails([1])\n    [1]\n'
            '    >>> ends([7])\n    [7, 7]"""\n',
            "def check(candidate):\n    assert candidate([3, 5]) == [3, 5]\n"
            "    assert candidate([8]) == [8, 8]\n\ndef test_check():\n    check(ends)\n\ntest_check()\n",
            ["\ndef", "\n#", "\nif", "\nclass"],
        ),
        good="    return [numbers[0], numbers[-1]]",
        bad="    return [numbers[-1], numbers[0]]",
        runs_on="    return [numbers[0], numbers[-1]]\n\ndef more(:\n",
        whole="def ends(numbers):\n    return [numbers[0], numbers[-1]]\n",
    ),
    "cpp": Made(
        row=_row(
            "cpp",
            "#include<assert.h>\n#include<bits/stdc++.h>\n// First and last.\n"
            "// >>> ends((std::vector<long>({(long)1, (long)2, (long)4})))\n"
            "// (std::vector<long>({(long)1, (long)4}))\n"
            "// >>> tails((std::vector<long>({(long)1})))\n// (std::vector<long>({(long)1}))\n"
            "std::vector<long> ends(std::vector<long> numbers) {\n",
            "}\nint main() {\n    auto candidate = ends;\n"
            "    assert(candidate((std::vector<long>({(long)3, (long)5}))) =="
            " (std::vector<long>({(long)3, (long)5})));\n"
            "    assert(candidate((std::vector<long>({(long)8}))) =="
            " (std::vector<long>({(long)8, (long)8})));\n}\n",
            ["\n}"],
        ),
        good="    return {numbers.front(), numbers.back()};",
        bad="    return {numbers.back(), numbers.front()};",
        runs_on="    return {numbers.front(), numbers.back()};\n}\nint more(",
        whole="#include <vector>\nstd::vector<long> ends(std::vector<long> numbers) {\n"
        "    return {numbers.front(), numbers.back()};\n}\nint main() { return 3; }\n",
    ),
    "java": Made(
        row=_row(
            "java",
            "import java.util.*;\nimport org.javatuples.*;\nclass Problem {\n    // First and last.\n"
            "    // >>> ends((new ArrayList<Long>(Arrays.asList((long)1l, (long)4l))))\n"
            "    // (Pair.with(1l, 4l))\n"
            "    // >>> tails((new ArrayList<Long>(Arrays.asList((long)1l))))\n    // (1l)\n"
            "    public static Pair<Long, Long> ends(ArrayList<Long> numbers) {\n",
            "    }\n    public static void main(String[] args) {\n"
            "    assert(ends((new ArrayList<Long>(Arrays.asList((long)3l, (long)5l))))"
            ".equals((Pair.with(3l, 5l))));\n"
            "    assert(ends((new ArrayList<Long>(Arrays.asList((long)8l))))"
            ".equals((Pair.with(8l, 8l))));\n    }\n\n}\n",
            ["\n    }\n"],
        ),
        good="        return Pair.with(numbers.get(0), numbers.get(numbers.size() - 1));",
        bad="        return Pair.with(numbers.get(numbers.size() - 1), numbers.get(0));",
        runs_on="        return Pair.with(numbers.get(0), numbers.get(numbers.size() - 1));\n    }\n"
        "    public int more(",
        whole="public class Ends {\n    static Pair<Long, Long> ends(ArrayList<Long> numbers) {\n"
        "        return Pair.with(numbers.get(0), numbers.get(numbers.size() - 1));\n    }\n"
        "    public static void main(String[] args) { throw new RuntimeException(); }\n}\n",
    ),
    "js": Made(
        row=_row(
            "js",
            "//First and last.\n// >>> ends([1, 2, 4])\n// [1, 4]\n// >>> tails([1])\n// [1]\n"
            "function ends(numbers){\n",
            "const assert = require('node:assert');\n\n\nfunction test() {\n  let candidate = ends;\n"
            "  assert.deepEqual(candidate([3, 5]),[3, 5]);\n"
            "  assert.deepEqual(candidate([8]),[8, 8]);\n}\n\ntest();\n",
            ["\nfunction ", "\n/*", "\n//", "\nconsole.log"],
        ),
        good="  return [numbers[0], numbers.at(-1)];\n}\n",
        bad="  return [numbers.at(-1), numbers[0]];\n}\n",
        runs_on="  return [numbers[0], numbers.at(-1)];\n}\n\nfunction more(",
        whole="const assert = require('assert');\nconst test = [1];\n"
        "function ends(numbers) {\n  return [numbers[0], numbers.at(-1)];\n}\nassert.ok(ends(test));\n",
    ),
    "go": Made(
        row=_row(
            "go_test.go",
            'package ends_test\n\nimport (\n    "testing"\n    "fmt"\n)\n\n// First and last.\n'
            "// >>> ends([]int{1, 2, 4})\n// []int{1, 4}\n// >>> tails([]int{1})\n// []int{1}\n"
            "func ends(numbers []int) []int {\n",
            "func TestEnds(t *testing.T) {\n  candidate := ends\n\ttype test struct {\n"
            "\t\tactual   interface{}\n\t\texpected interface{}\n\t}\n   tests := []test{\n"
            "     { actual: candidate([]int{3, 5}), expected: []int{3, 5} },\n"
            "     { actual: candidate([]int{8}), expected: []int{8, 8} },\n   }\n\n"
            "\tfor i, tc := range tests {\n"
            '\t\tt.Run(fmt.Sprintf("test num % d", i), func(t *testing.T) {\n'
            '\t\t\tif fmt.Sprintf("%v", tc.actual) != fmt.Sprintf("%v", tc.expected) {\n'
            "\t\t\t\tt.Errorf(\"expected '%s', got '%s'\", tc.expected, tc.actual)\n"
            "\t\t\t}\n\t\t})\n\t}\n}\n",
            ["\nfunc", "struct", "\n// "],
        ),
        good="    return []int{numbers[0], numbers[len(numbers)-1]}\n}\n",
        bad="    return []int{numbers[len(numbers)-1], numbers[0]}\n}\n",
        runs_on="    return []int{numbers[0], numbers[len(numbers)-1]}\n}\n\nfunc more(",
        whole='package main\n\nimport (\n    "fmt"\n    "sort"\n)\n\nfunc ends(numbers []int) []int {\n'
        "    sort.Ints([]int{1})\n    return []int{numbers[0], numbers[len(numbers)-1]}\n}\n\n"
        'func main() {\n    fmt.Println("no")\n}\n',
    ),
}


def _pack(
    prefix: str, entry: str, prompt: str, right: str, test: str, **more: str
) -> dict[str, Any]:
    assert "3" in right
    return {
        "task_id": f"{prefix}/900",
        "prompt": prompt,
        "declaration": prompt,
        "canonical_solution": right,
        "buggy_solution": right.replace("3", "4"),
        "bug_type": "value misuse",
        "failure_symptoms": "incorrect output",
        "entry_point": entry,
        "signature": "",
        "docstring": "Three times x.",
        "instruction": "Write it.",
        "test": test,
        "example_test": test,
        **more,
    }


HUMANEVALPACK = {
    "python": _pack(
        "Python",
        "triple",
        "def triple(x: int) -> int:\n",
        "    return 3 * x\n",
        "def check(triple):\n    assert triple(5) == 15\n\ncheck(triple)\n",
    ),
    "cpp": _pack(
        "CPP",
        "triple",
        "#include<vector>\nusing namespace std;\nint triple(int x){\n",
        "    return 3*x;\n}\n",
        "#undef NDEBUG\n#include<assert.h>\nint main(){\n    assert (triple(5)==15);\n}\n",
    ),
    "java": _pack(
        "Java",
        "triple",
        "import java.util.*;\n\nclass Solution {\n    public int triple(int x) {\n",
        "        return 3 * x;\n    }\n}\n",
        "public class Main {\n    public static void main(String[] args) {\n"
        "        if (new Solution().triple(5) != 15) {\n            throw new AssertionError();\n"
        "        }\n    }\n}\n",
    ),
    "js": _pack(
        "JavaScript",
        "triple",
        "const triple = (x) => {\n",
        "  return 3 * x;\n}\n\n",
        "const testTriple = () => {\n  console.assert(triple(5) === 15)\n}\n\ntestTriple()\n",
    ),
    "go": _pack(
        "Go",
        "Triple",
        "\nfunc Triple(x int) int {\n",
        "    return 3 * x\n}\n",
        "func TestTriple(t *testing.T) {\n    assert := assert.New(t)\n    assert.Equal(15, Triple(5))\n}\n",
        test_setup='package main\n\nimport (\n    "testing"\n    "github.com/stretchr/testify/assert"\n)\n',
        **{"import": ""},
    ),
}
