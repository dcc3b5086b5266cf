"""Small tasks in the published forms, written for these tests."""

from __future__ import annotations

import pytest

from workbench.benchmarks.task import Task

_TASKS = {
    "humaneval": Task(
        benchmark="made",
        family="humaneval",
        id="HumanEval/900",
        problem="900",
        language="python",
        entry_point="triple",
        prompt=(
            "import math\n\n\ndef twice(x: int) -> int:\n    return 2 * x\n\n\n"
            'def triple(x: int) -> int:\n    """ Three times x.\n    >>> triple(2)\n    6\n    """\n'
        ),
        reference="    return twice(x) + x\n",
        test="\n\ndef check(candidate):\n    assert candidate(5) == 15\n    assert candidate(-1) == -3\n",
        visible_test="assert triple(2) == 6\n",
    ),
    "python": Task(
        benchmark="made",
        family="humaneval-x",
        id="Python/900",
        problem="900",
        language="python",
        entry_point="triple",
        prompt='def triple(x: int) -> int:\n    """ Three times x. """\n',
        reference="    return 3 * x\n",
        test="\n\ndef check(triple):\n    assert triple(5) == 15\n\ncheck(triple)\n",
        visible_test="def check(triple):\n    assert triple(2) == 6\ncheck(triple)\n",
    ),
    "cpp": Task(
        benchmark="made",
        family="humaneval-x",
        id="CPP/900",
        problem="900",
        language="cpp",
        entry_point="triple",
        prompt=(
            "/*\nThree times x.\n>>> triple(2)\n6\n*/\n#include<stdio.h>\n#include<vector>\n"
            "using namespace std;\nint twice(int x){\n    return 2*x;\n}\nint triple(int x){\n"
        ),
        reference="    return twice(x)+x;\n}\n",
        test=(
            "#undef NDEBUG\n#include<assert.h>\nbool same(int a,int b){\n    return a==b;\n}\n"
            "int main(){\n    assert (same(triple(5), 15));\n    assert (triple(-1)==-3);\n}\n"
        ),
        visible_test="#undef NDEBUG\n#include<assert.h>\nint main(){\n    assert (triple(2)==6);\n}\n",
    ),
    "java": Task(
        benchmark="made",
        family="humaneval-x",
        id="Java/900",
        problem="900",
        language="java",
        entry_point="triple",
        prompt=(
            "import java.util.*;\nimport java.lang.*;\n\nclass Solution {\n"
            "    public int twice(int x) {\n        return 2 * x;\n    }\n\n"
            "    /**\n    Three times x.\n     */\n    public int triple(int x) {\n"
        ),
        reference="        return twice(x) + x;\n    }\n}\n",
        test=(
            "public class Main {\n    public static void main(String[] args) {\n"
            "        Solution s = new Solution();\n"
            "        List<Boolean> correct = Arrays.asList(s.triple(5) == 15, s.triple(-1) == -3);\n"
            "        if (correct.contains(false)) {\n            throw new AssertionError();\n"
            "        }\n    }\n}\n"
        ),
        visible_test=(
            "public class Main {\n    public static void main(String[] args) {\n"
            "        if (new Solution().triple(2) != 6) {\n            throw new AssertionError();\n"
            "        }\n    }\n}\n"
        ),
    ),
    "js": Task(
        benchmark="made",
        family="humaneval-x",
        id="JavaScript/900",
        problem="900",
        language="js",
        entry_point="triple",
        prompt=(
            "/* Two times x. */\nconst twice = (x) => {\n  return 2 * x;\n}\n\n"
            "/* Three times x.\n  >>> triple(2)\n  6\n  */\nconst triple = (x) => {\n"
        ),
        reference="  return twice(x) + x;\n}\n\n",
        test=(
            "const testTriple = () => {\n  console.assert(triple(5) === 15)\n"
            "  console.assert(triple(-1) === -3)\n}\n\ntestTriple()\n"
        ),
        visible_test="const testTriple = () => {\n  console.assert(triple(2) === 6)\n}\ntestTriple()\n",
    ),
    "go": Task(
        benchmark="made",
        family="humaneval-x",
        id="Go/900",
        problem="900",
        language="go",
        entry_point="Triple",
        prompt=(
            'import (\n    "strings"\n)\n\nfunc Twice(x int) int {\n    return 2 * x\n}\n'
            "// Three times x.\nfunc Triple(x int) int {\n"
        ),
        reference="    return int(math.Abs(float64(Twice(x)))) + x\n}\n\n",
        test=(
            "func TestTriple(t *testing.T) {\n    assert := assert.New(t)\n"
            "    assert.Equal(15, Triple(5))\n    assert.Equal(true, math.Abs(1.0) < 2)\n}\n"
        ),
        visible_test=(
            "func TestTriple(t *testing.T) {\n    assert := assert.New(t)\n"
            "    assert.Equal(6, Triple(2))\n}\n"
        ),
        parts={
            "import": 'import (\n    "strings"\n)',
            "test_setup": (
                'package main\n\nimport (\n    "testing"\n    "math"\n'
                '    "github.com/stretchr/testify/assert"\n)\n'
            ),
        },
    ),
}


@pytest.fixture(scope="session")
def made_tasks() -> dict[str, Task]:
    """One task by language, and HumanEval's form under `humaneval`."""
    return _TASKS
