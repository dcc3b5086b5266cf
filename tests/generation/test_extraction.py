"""What extraction makes of answers as models write them."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from workbench import languages
from workbench.generation.extracted import Extraction
from workbench.generation.extraction import RAW, Style, extract


@dataclass(frozen=True, slots=True)
class Facts:
    entry_point: str
    prompt: str


PROMPTS = {
    "python": Facts(
        "total",
        "from typing import List\n\n\ndef half(x):\n    return x / 2\n\n\n"
        'def total(numbers: List[int]) -> int:\n    """Add up.\n    >>> total([1, 2])\n    3\n    """\n',
    ),
    "cpp": Facts(
        "total",
        "/*\nAdd up.\n*/\n#include<vector>\nusing namespace std;\nint total(vector<int> numbers){\n",
    ),
    "java": Facts(
        "total",
        "import java.util.*;\n\nclass Solution {\n    /**\n     * Add up.\n     */\n"
        "    public int total(List<Integer> numbers) {\n",
    ),
    "js": Facts("total", "/* Add up. */\nconst total = (numbers) => {\n"),
    "go": Facts("Total", 'import (\n    "fmt"\n)\n\n// Add up.\nfunc Total(numbers []int) int {\n'),
}

BODIES = {
    "python": "    return sum(numbers)\n",
    "cpp": "    int all = 0;\n    for (int x : numbers) all += x;\n    return all;\n}\n",
    "java": "        int all = 0;\n        for (int x : numbers) all += x;\n        return all;\n    }\n}\n",
    "js": "  return numbers.reduce((a, b) => a + b, 0);\n}\n",
    "go": "    all := 0\n    for _, x := range numbers {\n        all += x\n    }\n    return all\n}\n",
}

WHOLE = {
    "python": "def total(numbers):\n    return sum(numbers)\n",
    "cpp": "int total(vector<int> numbers) {\n    int all = 0;\n    for (int x : numbers) all += x;\n    return all;\n}\n",
    "java": "class Solution {\n    public int total(List<Integer> numbers) {\n        int all = 0;\n        for (int x : numbers) all += x;\n        return all;\n    }\n}\n",
    "js": "function total(numbers) {\n  return numbers.reduce((a, b) => a + b, 0);\n}\n",
    "go": "func Total(numbers []int) int {\n    all := 0\n    for _, x := range numbers {\n        all += x\n    }\n    return all\n}\n",
}

LANGUAGES = tuple(PROMPTS)


def take(language: str, text: str, style: Style = "chat", previous: str = "") -> Extraction:
    return extract(text, PROMPTS[language], languages.load(language), style, previous=previous)


def code(extraction: Extraction) -> str:
    assert extraction.candidate is not None, extraction.steps
    return extraction.candidate.text


def form(extraction: Extraction) -> str:
    assert extraction.candidate is not None, extraction.steps
    return extraction.candidate.form


def rules(extraction: Extraction) -> list[str]:
    return [step.rule for step in extraction.steps]


def fenced(text: str, tag: str = "") -> str:
    return f"Sure! Here it is:\n\n```{tag}\n{text}```\n\nIt adds up every number.\n"


@pytest.mark.parametrize("language", LANGUAGES)
class TestEveryLanguage:
    def test_a_fenced_function_is_a_whole_program_part(self, language: str) -> None:
        extraction = take(language, fenced(WHOLE[language]))
        assert form(extraction) == "full"
        assert WHOLE[language].strip() in code(extraction)
        assert "Sure" not in code(extraction)
        assert "adds up every" not in code(extraction)

    def test_an_unclosed_fence_gives_the_same_code(self, language: str) -> None:
        open_end = take(language, f"Here:\n```\n{WHOLE[language]}")
        assert code(open_end) == code(take(language, fenced(WHOLE[language])))
        assert "fence.unclosed" in rules(open_end)

    def test_prose_around_unfenced_code_is_left_out(self, language: str) -> None:
        extraction = take(
            language,
            f"Here is the function:\n\n{WHOLE[language]}\nThis function works by adding.\n",
        )
        assert code(extraction) == code(take(language, fenced(WHOLE[language])))

    def test_a_continuation_stays_byte_for_byte(self, language: str) -> None:
        extraction = take(language, BODIES[language], "complete")
        assert (code(extraction), form(extraction)) == (BODIES[language], "body")

    def test_a_continuation_may_come_in_a_fence(self, language: str) -> None:
        extraction = take(language, f"```\n{BODIES[language]}```\n")
        assert (code(extraction), form(extraction)) == (BODIES[language], "body")

    def test_the_prompt_repeated_with_its_body_is_whole(self, language: str) -> None:
        text = PROMPTS[language].prompt + BODIES[language]
        for answer, style in ((text, "chat"), (fenced(text), "chat"), (text, "complete")):
            extraction = take(language, answer, style)  # pyright: ignore[reportArgumentType]
            assert form(extraction) == "full"
            assert BODIES[language].strip() in code(extraction)

    def test_line_ends_tabs_and_escapes_change_nothing(self, language: str) -> None:
        plain = take(language, fenced(WHOLE[language]))
        noisy = "\ufeff" + fenced(WHOLE[language]).replace("\n", "\r\n").replace(
            "```", "\x1b[32m```\x1b[0m"
        )
        assert code(take(language, noisy)) == code(plain)
        assert code(take(language, fenced(WHOLE[language]) + "</s>")) == code(plain)
        assert code(take(language, fenced(WHOLE[language]) + "<|endoftext|>more")) == code(plain)

    def test_thinking_is_not_code(self, language: str) -> None:
        plain = take(language, fenced(WHOLE[language]))
        wrong = WHOLE[language].replace("return", "return 0 *")
        thought = f"<think>\nLet me see:\n```\n{wrong}```\n</think>\n{fenced(WHOLE[language])}"
        assert code(take(language, thought)) == code(plain)
        assert code(take(language, thought.removeprefix("<think>"))) == code(plain)
        unfinished = take(language, f"<think>\nLet me see:\n```\n{WHOLE[language]}```\n")
        assert unfinished.candidate is None
        assert "think.unclosed" in rules(unfinished)

    def test_the_block_that_defines_the_entry_point_wins(self, language: str) -> None:
        tag = languages.load(language).fence_tags[0]
        answer = (
            f"Run it:\n```bash\nmake\n```\nFirst:\n```{tag}\n// nothing\n```\n"
            f"```{tag}\n{WHOLE[language]}```\nOutput:\n```\n3\n```\n"
        )
        extraction = take(language, answer)
        assert WHOLE[language].strip() in code(extraction)
        assert "block.entry-point" in rules(extraction)

    def test_a_quoted_earlier_answer_is_not_taken_again(self, language: str) -> None:
        better = WHOLE[language].replace("numbers", "values")
        answer = f"You had:\n```\n{WHOLE[language]}```\nBetter:\n```\n{better}```\n"
        extraction = take(language, answer, previous=WHOLE[language])
        assert better.strip() in code(extraction)
        assert "block.new" in rules(extraction)
        assert WHOLE[language].strip() in code(take(language, answer))

    def test_a_refusal_is_no_code(self, language: str) -> None:
        extraction = take(language, "I'm sorry, but I can't help with that.")
        assert extraction.candidate is None
        assert extraction.refused
        assert extraction.steps[-1].rule == "refused"

    def test_words_alone_are_no_code(self, language: str) -> None:
        extraction = take(language, "You should add up the numbers one by one, then return them.")
        assert extraction.candidate is None
        assert not extraction.refused
        assert take(language, " \n").candidate is None

    def test_comments_alone_are_no_code(self, language: str) -> None:
        mark = "#" if language == "python" else "//"
        extraction = take(language, f"```\n{mark} Add up.\n{mark} >>> total([1])\n```\nDone.")
        assert extraction.candidate is None

    def test_code_without_the_entry_point_is_taken_and_said_so(self, language: str) -> None:
        entry = PROMPTS[language].entry_point
        extraction = take(language, fenced(WHOLE[language].replace(entry, "Another")))
        assert "entry.missing" in rules(extraction)
        assert form(extraction) == "full"

    def test_the_span_points_into_the_raw_answer(self, language: str) -> None:
        answer = "\ufeff" + fenced(WHOLE[language]).replace("\n", "\r\n")
        extraction = take(language, answer)
        assert extraction.span is not None
        taken = answer[slice(*extraction.span)]
        assert taken.replace("\r\n", "\n").strip() == WHOLE[language].strip()

    def test_raw_takes_the_answer_as_it_is(self, language: str) -> None:
        raw = extract(
            "```\nx\n```", PROMPTS[language], languages.load(language), "chat", extractor=RAW
        )
        assert (code(raw), form(raw), rules(raw)) == ("```\nx\n```", "body", ["raw"])
        assert raw.extractor == "raw/1"

    def test_extracting_again_changes_nothing(self, language: str) -> None:
        once = take(language, fenced(WHOLE[language]))
        assert code(take(language, fenced(code(once)))) == code(once)
        assert code(take(language, code(once))) == code(once)


class TestPython:
    def test_main_examples_and_doctests_go(self) -> None:
        answer = WHOLE["python"] + (
            "\nnumbers = [1, 2]\nprint(total(numbers))\nassert total([1]) == 1\n"
            'if __name__ == "__main__":\n    import doctest\n    doctest.testmod()\n'
        )
        extraction = take("python", fenced(answer))
        assert "print" not in code(extraction)
        assert "__main__" not in code(extraction)
        assert "assert" not in code(extraction)
        assert {"cut.main", "cut.example"} <= set(rules(extraction))

    def test_helpers_imports_constants_and_set_up_stay(self) -> None:
        answer = (
            "import sys\nfrom math import fsum\ntry:\n    import numpy\nexcept ImportError:\n"
            "    numpy = None\nLIMIT = 5\nTABLE = {}\n\nclass Box:\n    size = 1\n\n"
            "def fill():\n    TABLE[1] = 2\n\nfill()\nsys.setrecursionlimit(10000)\n\n"
            "def total(numbers):\n    return helper(numbers) + LIMIT\n\n"
            "def helper(numbers):\n    return fsum(numbers) + Box.size + TABLE[1]\n"
        )
        assert answer in code(take("python", fenced(answer)))

    def test_set_up_behind_the_function_stays_when_it_is_needed(self) -> None:
        answer = (
            "def total(numbers):\n    return sum(numbers) + OFFSET\n\nOFFSET = 0\n"
            "import functools\ntotal = functools.lru_cache(total)\n"
        )
        assert "OFFSET = 0" in code(take("python", fenced(answer)))
        assert "total = functools" in code(take("python", fenced(answer)))

    def test_a_main_function_that_asks_is_not_run(self) -> None:
        answer = WHOLE["python"] + (
            "\ndef main():\n    n = input()\n    print(total([int(n)]))\n\nmain()\n"
        )
        assert "\nmain()" not in code(take("python", fenced(answer)))

    def test_questions_at_the_top_level_go(self) -> None:
        answer = 'n = int(input("n: "))\n' + WHOLE["python"] + "print(total([n]))\n"
        assert "input" not in code(take("python", fenced(answer)))

    def test_what_the_prompt_brings_is_put_in_front_when_it_is_lacking(self) -> None:
        answer = "def total(numbers: List[int]) -> int:\n    return int(half(2 * sum(numbers)))\n"
        extraction = take("python", fenced(answer))
        assert code(extraction).startswith("from typing import List\ndef half(x):")
        assert "add.preamble" in rules(extraction)

    def test_nothing_is_put_before_a_future_import(self) -> None:
        answer = "from __future__ import annotations\n" + WHOLE["python"]
        assert code(take("python", fenced(answer))).startswith("from __future__")

    def test_a_body_gets_its_indentation_back(self) -> None:
        for answer in ("```\nreturn sum(numbers)\n```", "return sum(numbers)\n"):
            extraction = take("python", answer)
            assert code(extraction).rstrip() == "    return sum(numbers)"
            assert "indent.body" in rules(extraction)

    def test_a_first_line_gets_its_indentation_back(self) -> None:
        text = "all = 0\n    for x in numbers:\n        all += x\n    return all\n"
        assert code(take("python", text, "complete")) == "    " + text

    def test_what_a_base_model_writes_on_is_cut(self) -> None:
        text = (
            "    return twice(sum(numbers))\n\n\ndef twice(x):\n    return 2 * x\n\n\n"
            "def unrelated(x):\n    return x\n\nprint(total([1]))\n"
        )
        extraction = take("python", text, "complete")
        assert "def twice" in code(extraction)
        assert "unrelated" not in code(extraction)
        assert "print" not in code(extraction)
        assert form(extraction) == "body"
        assert "cut.after-function" in rules(extraction)

    def test_a_signature_without_body_before_the_function_goes(self) -> None:
        answer = 'def total(numbers):\n    """Add up."""\n\n' + WHOLE["python"]
        extraction = take("python", fenced(answer))
        assert code(extraction).count("def total") == 1
        assert "sum(numbers)" in code(extraction)

    def test_a_cut_off_second_function_goes(self) -> None:
        answer = "```python\n" + WHOLE["python"] + "\ndef other(x):\n    y = [1, 2,"
        extraction = take("python", answer)
        assert "other" not in code(extraction)
        assert "cut.broken" in rules(extraction)

    def test_a_method_of_a_class_is_not_the_function_asked_for(self) -> None:
        answer = "class Solution:\n    def total(self, numbers):\n        return sum(numbers)\n"
        extraction = take("python", fenced(answer))
        assert code(extraction).strip().endswith(answer.strip())
        assert "entry.in-class" in rules(extraction)

    def test_a_fence_inside_a_docstring_does_not_end_the_block(self) -> None:
        answer = (
            'def total(numbers):\n    """Add up.\n    ```\n    total([1])\n    ```\n    """\n'
            "    return sum(numbers)\n"
        )
        assert code(take("python", fenced(answer, "python"))).endswith("return sum(numbers)\n")

    def test_a_helper_in_another_block_comes_along(self) -> None:
        answer = (
            "```python\ndef add(a, b):\n    return a + b\n```\nThen:\n```python\n"
            "def total(numbers):\n    all = 0\n    for x in numbers:\n        all = add(all, x)\n"
            "    return all\n```\n"
        )
        extraction = take("python", answer)
        assert "def add" in code(extraction)
        assert "block.joined" in rules(extraction)


class TestCpp:
    def test_main_goes_and_includes_stay(self) -> None:
        answer = (
            "#include <vector>\n#include <numeric>\nusing namespace std;\n\n"
            + WHOLE["cpp"]
            + "\nint main() {\n    cout << total({1, 2});\n    return 0;\n}\n"
        )
        extraction = take("cpp", fenced(answer, "cpp"))
        assert "main" not in code(extraction)
        assert "#include <numeric>" in code(extraction)
        assert "cut.main" in rules(extraction)

    def test_types_helpers_and_macros_stay(self) -> None:
        answer = (
            "#define ADD(a, b) ((a) + (b))\ntypedef long long ll;\nconst int ZERO = 0;\n"
            "struct Pair { int a; int b; };\ntemplate<typename T> T own(T a) { return a; }\n"
            "namespace inner { int one(int a) { return a; } }\nint later(int a);\n"
            "int total(vector<int> numbers) {\n    ll all = ZERO;\n"
            "    for (int x : numbers) all = ADD(all, own(inner::one(later(x))));\n    return all;\n}\n"
            "int later(int a) { return a; }\n"
        )
        assert code(take("cpp", fenced(answer))).endswith(answer)

    def test_includes_that_are_lacking_come_from_the_prompt(self) -> None:
        taken = code(take("cpp", fenced(WHOLE["cpp"])))
        assert taken.startswith("#include<vector>\nusing namespace std;\n")

    def test_code_that_the_grammar_does_not_know_is_still_code(self) -> None:
        body = (
            "    if (typeid(int) == typeid(long)) {\n        return 0;\n    }\n    return 1;\n}\n"
        )
        extraction = take("cpp", body)
        assert (code(extraction), form(extraction)) == (body, "body")


class TestJava:
    def test_another_class_name_is_changed(self) -> None:
        answer = (
            "import java.util.List;\n\npublic class Main {\n    private int seed;\n"
            "    public Main() { seed = 0; }\n"
            "    public static int total(List<Integer> numbers) { return new Main().seed; }\n"
            "    public static void main(String[] args) { System.out.println(total(null)); }\n}\n"
        )
        extraction = take("java", fenced(answer, "java"))
        assert "class Solution {" in code(extraction)
        assert "public class" not in code(extraction)
        assert "new Solution().seed" in code(extraction)
        assert "void main" not in code(extraction)
        assert {"rename.container", "cut.main", "cut.modifier"} <= set(rules(extraction))

    def test_a_bare_method_gets_its_class(self) -> None:
        answer = (
            "import java.util.List;\n\npublic int total(List<Integer> numbers) {\n"
            "    return twice(0);\n}\n\nprivate int twice(int a) {\n    return 2 * a;\n}\n"
        )
        extraction = take("java", fenced(answer, "java"))
        assert code(extraction).index("class Solution {") < code(extraction).index("public int")
        assert "private int twice" in code(extraction)
        assert "wrap.container" in rules(extraction)

    def test_a_class_with_main_beside_the_solution_goes(self) -> None:
        answer = WHOLE["java"] + (
            "\npublic class Main {\n    public static void main(String[] args) {\n"
            "        new Solution().total(null);\n    }\n}\n"
        )
        assert "Main" not in code(take("java", fenced(answer)))

    def test_a_class_that_is_cut_off_in_main_is_closed(self) -> None:
        answer = (
            "```java\n"
            + WHOLE["java"].rstrip("}\n")
            + (
                "    }\n\n    public static void main(String[] args) {\n        System.out.println(tot"
            )
        )
        extraction = take("java", answer)
        assert "main" not in code(extraction)
        assert code(extraction).rstrip().endswith("}\n}")
        assert "close.class" in rules(extraction)

    def test_a_continuation_that_leaves_the_class_open_is_closed(self) -> None:
        body = BODIES["java"].removesuffix("}\n")
        extraction = take("java", body, "complete")
        assert code(extraction) == BODIES["java"]
        assert "close.container" in rules(extraction)


class TestGo:
    def test_package_main_and_tests_go(self) -> None:
        answer = (
            'package main\n\nimport (\n    "fmt"\n    "testing"\n)\n\n'
            + WHOLE["go"]
            + "\nfunc helper(a int) int { return a }\n"
            + "\nfunc TestTotal(t *testing.T) {\n    t.Log(Total(nil))\n}\n"
            + "\nfunc main() {\n    fmt.Println(Total(nil))\n}\n"
        )
        extraction = take("go", fenced(answer, "go"))
        assert "package" not in code(extraction)
        assert "func main" not in code(extraction)
        assert "TestTotal" not in code(extraction)
        assert '"fmt"' in code(extraction)
        assert "func helper" in code(extraction)
        assert {"cut.package", "cut.main", "cut.test"} <= set(rules(extraction))

    def test_types_and_methods_stay(self) -> None:
        answer = (
            "type stack struct {\n    items []int\n}\n\nfunc (s *stack) push(x int) {\n"
            "    s.items = append(s.items, x)\n}\n\nconst limit = 3\n\nvar zero = 0\n\n"
            "func Total(numbers []int) int {\n    s := &stack{}\n    s.push(limit + zero)\n"
            "    return len(s.items)\n}\n"
        )
        assert code(take("go", fenced(answer))) == answer


class TestJavaScript:
    def test_exports_examples_and_tests_go(self) -> None:
        answer = (
            "const fs = require('fs');\n"
            + WHOLE["js"]
            + "\n// Example usage:\nconsole.log(total([1, 2])); // 3\nconst r = total([1]);\n"
            "console.assert(r === 1);\nmodule.exports = { total };\n"
        )
        extraction = take("js", fenced(answer, "javascript"))
        assert "console" not in code(extraction)
        assert "module" not in code(extraction)
        assert "require('fs')" in code(extraction)
        assert {"cut.example", "cut.export"} <= set(rules(extraction))

    def test_an_exported_function_becomes_a_plain_one(self) -> None:
        for word in ("export ", "export default "):
            assert code(take("js", fenced(word + WHOLE["js"]))) == WHOLE["js"]

    def test_function_values_count_as_definitions(self) -> None:
        for answer in (
            "const total = (numbers) => numbers.length;\n",
            "let total = function (numbers) {\n  return 0;\n};\n",
            "var total = numbers => 0;\n",
        ):
            assert code(take("js", fenced(answer))) == answer
