"""Programs are what the published judges would have run, with the token after the last assertion."""

from __future__ import annotations

import pytest

from workbench import languages
from workbench.benchmarks.task import Task
from workbench.execution.program import TOKEN_MARK, Candidate, Program

LANGUAGES = ("python", "cpp", "java", "js", "go")
Tasks = dict[str, Task]


def assemble(task: Task, text: str, form: str = "body", suite: str = "scored") -> Program:
    candidate = Candidate(text, "full" if form == "full" else "body")
    return languages.load(task.language).assembly.assemble(task, candidate, suite)


def file_of(program: Program, name: str) -> str:
    return next(f.text for f in program.files if f.name == name)


def code_of(program: Program) -> str:
    return file_of(program, program.candidate_file)


@pytest.mark.parametrize("key", ["humaneval", *LANGUAGES])
def test_the_token_has_exactly_one_place(made_tasks: Tasks, key: str) -> None:
    program = assemble(made_tasks[key], made_tasks[key].reference)
    assert sum(len(f.pieces) - 1 for f in program.files) == 1


@pytest.mark.parametrize("key", ["humaneval", "python", "js"])
def test_the_token_is_in_another_file_than_the_candidate(made_tasks: Tasks, key: str) -> None:
    program = assemble(made_tasks[key], made_tasks[key].reference)
    assert TOKEN_MARK not in code_of(program)
    assert f"{TOKEN_MARK}\\n" in program.files[0].text


@pytest.mark.parametrize("key", ["cpp", "java"])
def test_the_token_comes_after_the_last_assertion(made_tasks: Tasks, key: str) -> None:
    before, after = assemble(made_tasks[key], made_tasks[key].reference).files[0].pieces
    assert "-3" in before
    assert "-3" not in after


@pytest.mark.parametrize("key", ["humaneval", "python", "cpp", "java", "js"])
def test_a_body_continues_the_prompt_byte_for_byte(made_tasks: Tasks, key: str) -> None:
    task = made_tasks[key]
    body = "\t  strange \r\n body é \n"
    program = assemble(task, body)
    assert task.prompt + body in code_of(program)


@pytest.mark.parametrize("key", ["humaneval", *LANGUAGES])
def test_the_candidates_lines_are_known(made_tasks: Tasks, key: str) -> None:
    task = made_tasks[key]
    program = assemble(task, task.reference)
    first, last = program.candidate_lines
    lines = code_of(program).split("\n")[first - 1 : last]
    assert "\n".join(lines) == task.reference.rstrip("\n")


@pytest.mark.parametrize("key", ["humaneval", *LANGUAGES])
def test_visible_programs_hold_nothing_of_the_held_out_tests(made_tasks: Tasks, key: str) -> None:
    task = made_tasks[key]
    program = assemble(task, "    pass\n", suite="visible")
    text = "".join(f.text for f in program.files)
    assert "(5)" not in text
    assert "15" not in text
    assert "(2)" in text


@pytest.mark.parametrize("key", ["humaneval", *LANGUAGES])
def test_a_suite_without_tests_is_refused(made_tasks: Tasks, key: str) -> None:
    from dataclasses import replace

    task = replace(made_tasks[key], visible_test="")
    with pytest.raises(ValueError, match="no visible tests"):
        assemble(task, "", suite="visible")
    with pytest.raises(ValueError, match="unknown suite"):
        assemble(task, "", suite="hidden")


def test_humaneval_calls_check_with_the_entry_point(made_tasks: Tasks) -> None:
    task = made_tasks["humaneval"]
    program = assemble(task, task.reference)
    # `pass`: a decorator that the candidate leaves open can't take the tests' function.
    test = f"\n\npass\n{task.test}\ncheck(triple)\n"
    assert code_of(program) == f"{task.prompt}{task.reference}{test}"


def test_python_full_gets_the_prompts_imports_and_helpers(made_tasks: Tasks) -> None:
    code = code_of(assemble(made_tasks["humaneval"], "def triple(x):\n    return 3\n", "full"))
    assert code.startswith("import math\n\n\ndef twice(")
    assert code.count("def triple(") == 1


def test_python_future_imports_stay_first(made_tasks: Tasks) -> None:
    full = "from __future__ import annotations\ndef triple(x):\n    return 3\n"
    code = code_of(assemble(made_tasks["humaneval"], full, "full"))
    assert code.startswith("from __future__ import annotations\n")
    assert code.index("import math") < code.index("def triple")


@pytest.mark.parametrize("own", [False, True])
def test_cpp_full_gets_helpers_once_and_loses_its_main(made_tasks: Tasks, own: bool) -> None:
    helper = "int twice(int x) { return x + x; }\n" if own else ""
    full = f"#include <vector>\n{helper}int triple(int x) {{ return 3 * x; }}\nint main() {{ return 0; }}\n"
    code = code_of(assemble(made_tasks["cpp"], full, "full"))
    assert code.count("int twice(int x)") == 1
    assert code.count("int triple(int x)") == 1
    assert code.count("int main()") == 1
    assert "#include<stdio.h>" in code


def test_cpp_gets_the_headers_a_continuation_cant_include_but_not_cstring(
    made_tasks: Tasks,
) -> None:
    code = code_of(assemble(made_tasks["cpp"], "return 0;}"))
    assert code.startswith(
        "#include<stdlib.h>\n#include<algorithm>\n#include<math.h>\n#include<string>"
    )
    assert code.count("#include<vector>") == 1
    assert "cstring" not in code
    assert "unistd" not in code


def test_cpp_links_crypto_only_where_it_is_included(made_tasks: Tasks) -> None:
    from dataclasses import replace

    task = made_tasks["cpp"]
    assert assemble(task, "return 0;}").options["link"] == ()
    crypto = replace(task, prompt="#include<openssl/md5.h>\n" + task.prompt)
    assert assemble(crypto, "return 0;}").options["link"] == ("-lcrypto",)


@pytest.mark.parametrize(
    "full",
    [
        "class Solution {\n    public int triple(int x) { return 3 * x; }\n}\n",
        "import java.util.List;\npublic class Solution {\n  public int triple(int x) { return 3 * x; }\n}\n",
        "public int triple(int x) {\n    return 3 * x;\n}\n",
        "import java.util.*;\n\nstatic int triple(int x) {\n    return 3 * x;\n}\n",
        "package a.b;\npublic class Main {\n  static int triple(int x) { return 3 * x; }\n"
        "  public static void main(String[] a) { Main m = new Main(); }\n}\n",
        "public class Main { public static void main(String[] a) {} }\n"
        "class Solution { int triple(int x) { return 3 * x; } }\n",
        "class Triples {\n  /* é */ int triple(int x) { return 3 * x; }\n}\n",
    ],
)
def test_java_full_becomes_one_plain_solution(made_tasks: Tasks, full: str) -> None:
    code = code_of(assemble(made_tasks["java"], full, "full"))
    assert code.count("class Solution") == 1
    assert "public class Solution" not in code
    assert code.count("class Main") == 1
    assert code.count("int twice(int x)") == 1
    assert "package" not in code
    assert code.rindex("import java") < code.index("class ")


def test_java_full_keeps_its_own_helper(made_tasks: Tasks) -> None:
    full = (
        "class Solution { int twice(int x) { return x + x; } int triple(int x) { return 3 * x; } }"
    )
    code = code_of(assemble(made_tasks["java"], full, "full"))
    assert code.count("int twice(int x)") == 1


@pytest.mark.parametrize(
    "full",
    [
        "const triple = (x) => 3 * x\n",
        "function triple(x) { return 3 * x }\n",
        "export function triple(x) { return 3 * x }\n",
        "export const triple = (x) => 3 * x\n",
        "const twice = (x) => x + x\nconst triple = (x) => twice(x) + x\n",
        "const { twice, other } = { twice: (x) => x + x }\nconst triple = (x) => twice(x) + x\n",
    ],
)
def test_js_full_declares_nothing_twice(made_tasks: Tasks, full: str) -> None:
    code = code_of(assemble(made_tasks["js"], full, "full"))
    assert "export " not in code
    assert code.count("const triple") + code.count("function triple") == 1
    declared = code.count("const twice") + code.count("const { twice")
    assert declared == 1


def test_go_imports_are_decided_from_the_code(made_tasks: Tasks) -> None:
    program = assemble(made_tasks["go"], made_tasks["go"].reference)
    code = code_of(program)
    assert code.startswith('package program\n\nimport (\n    "math"\n)\n')
    assert "strings" not in code


def test_go_tests_import_what_they_use(made_tasks: Tasks) -> None:
    task = made_tasks["go"]
    scored = file_of(assemble(task, task.reference), "program_test.go")
    visible = file_of(assemble(task, task.reference, suite="visible"), "program_test.go")
    assert '"math"' in scored
    assert '"math"' not in visible
    assert f'workbenchReached(t, "{TOKEN_MARK}")\n}}' in scored


def test_go_ignores_comments_strings_and_variables_that_look_like_packages(
    made_tasks: Tasks,
) -> None:
    body = (
        '    // fmt.Println\n    s := "os.Exit"\n    sort := struct{ x int }{1}\n'
        "    _ = s\n    return sort.x\n}\n"
    )
    code = code_of(assemble(made_tasks["go"], body))
    assert "import" not in code


def test_go_a_package_used_before_a_variable_of_its_name_is_imported(made_tasks: Tasks) -> None:
    body = "    strings := strings.Fields(`a b`)\n    return len(strings)\n}\n"
    assert '    "strings"\n' in code_of(assemble(made_tasks["go"], body))


def test_go_full_has_its_imports_merged_and_keeps_its_main(made_tasks: Tasks) -> None:
    full = (
        'package main\n\nimport (\n    "fmt"\n    r "crypto/rand"\n    "os"\n)\n\n'
        "func Triple(x int) int {\n    _ = r.Reader\n    return 3 * sort.SearchInts(nil, x)\n}\n\n"
        "func main() {\n    fmt.Println(Triple(1))\n}\n"
    )
    code = code_of(assemble(made_tasks["go"], full, "full"))
    block = code[: code.index(")")]
    assert 'r "crypto/rand"' in block
    assert '"fmt"' in block
    assert '"sort"' in block
    assert '"os"' not in block
    assert code.count("package") == 1
    assert code.count("func Twice") == 1
    assert "func main()" in code


def test_go_full_paths_are_imported(made_tasks: Tasks) -> None:
    body = "    _ = utf8.RuneLen('a')\n    return rand.Intn(2)\n}\n"
    code = code_of(assemble(made_tasks["go"], body))
    assert '"math/rand"' in code
    assert '"unicode/utf8"' in code


@pytest.mark.parametrize("key", ["humaneval", *LANGUAGES])
@pytest.mark.parametrize("text", ["", "}}}}", "\x00\ud800", "(" * 500, "é" * 50, "```\nprose"])
@pytest.mark.parametrize("form", ["body", "full"])
def test_any_text_can_be_assembled(made_tasks: Tasks, key: str, text: str, form: str) -> None:
    program = assemble(made_tasks[key], text, form)
    for file in program.files:
        file.text.encode()


@pytest.mark.parametrize("key", ["humaneval", *LANGUAGES])
def test_random_tests_make_the_program_not_deterministic(made_tasks: Tasks, key: str) -> None:
    from dataclasses import replace

    task = made_tasks[key]
    assert assemble(task, task.reference).deterministic
    assert not assemble(replace(task, random_tests=True), task.reference).deterministic
