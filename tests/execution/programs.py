"""One program per outcome in each shipped language; `@@` is where the pass token stands."""

from __future__ import annotations

from workbench.execution.program import Program, SourceFile

FILES = {
    "python": "main.py",
    "js": "main.js",
    "cpp": "program.cpp",
    "java": "Main.java",
    "go": "program.go",
}
_CPP = "#include <cassert>\n#include <cstdio>\n#include <cstdlib>\n#include <unistd.h>\n"
_CPP_PASS = 'if (write(3, "@@\\n", 33) != 33) return 1;'
_JAVA_PASS = (
    'try (var out = new java.io.FileOutputStream("/proc/self/fd/3"))'
    ' { out.write("@@\\n".getBytes()); }'
)
_GO_PASS = 'os.NewFile(3, "channel").WriteString("@@\\n")'


def _cpp(body: str) -> str:
    return f"{_CPP}int main() {{ {body} {_CPP_PASS} return 0; }}\n"


def _java(body: str) -> str:
    return (
        "public class Main { public static void main(String[] a) throws Exception {"
        f" {body} {_JAVA_PASS} }} }}\n"
    )


def _go(body: str) -> str:
    return f'package main\nimport "os"\nfunc main() {{ {body}\n{_GO_PASS} }}\n'


def _js(body: str) -> str:
    return f"{body}\nrequire('fs').writeSync(3, '@@\\n');\n"


def _python(body: str) -> str:
    return f"import os, sys\n{body}\nos.write(3, b'@@\\n')\n"


CODE: dict[str, dict[str, str]] = {
    "python": {
        "passed": _python(""),
        "wrong_answer": _python("assert 1 == 2"),
        "runtime_error": _python("[][1]"),
        "exit 0": _python("sys.exit(0)"),
        # As assembly has it: main.py compiles the candidate's file.
        "compile_error": "compile('def f(:', 'program.py', 'exec')\n",
        "timeout": _python("while True: pass"),
        "out_of_memory": _python("x = b'x' * (900 << 20)"),
        "output_limit": _python("while True: os.write(1, b'x' * 65536)"),
    },
    "js": {
        "passed": _js(""),
        "wrong_answer": _js("require('assert').strictEqual(1, 2);"),
        "runtime_error": _js("null.x;"),
        "exit 0": _js("process.exit(0);"),
        "compile_error": "function f( {\n",
        "timeout": _js("for (;;);"),
        "out_of_memory": _js("const x = []; for (;;) x.push(new Array(1e6).fill(x.length));"),
        "output_limit": _js("for (;;) require('fs').writeSync(1, 'x'.repeat(65536));"),
    },
    "cpp": {
        "passed": _cpp(""),
        "wrong_answer": _cpp("assert(1 == 2);"),
        "runtime_error": _cpp("*(volatile int *)0 = 1;"),
        "exit 0": _cpp("std::exit(0);"),
        "compile_error": _cpp("int x = y;"),
        "timeout": _cpp("for (volatile int i = 0;; ++i) {}"),
        "out_of_memory": _cpp(
            "for (;;) { char *p = (char *)malloc(1 << 20); if (!p) throw 1;"
            " for (int i = 0; i < 1 << 20; i += 4096) p[i] = 1; }"
        ),
        "output_limit": _cpp('for (;;) puts("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");'),
    },
    "java": {
        "passed": _java(""),
        "wrong_answer": _java("if (a.length == 0) throw new AssertionError(1);"),
        "runtime_error": _java("Object o = null; o.hashCode();"),
        "exit 0": _java("System.exit(0);"),
        "compile_error": _java("int x = y;"),
        "timeout": _java("for (int i = 0; i >= 0 || i < 0; i++) {}").replace(_JAVA_PASS, ""),
        "out_of_memory": _java(
            "var x = new java.util.ArrayList<byte[]>(); while (a.length == 0) x.add(new byte[9999999]);"
        ),
        "output_limit": _java('while (a.length == 0) System.out.println("x".repeat(65536));'),
    },
    "go": {
        "passed": _go(""),
        "wrong_answer": _go('println("\\tError Trace:\\tx"); os.Exit(1)'),
        "runtime_error": _go("var p *int; *p = 1"),
        "exit 0": _go("os.Exit(0)"),
        "compile_error": _go("var x int = y"),
        "timeout": _go("for i := 0; ; i++ { if i < 0 { break } }"),
        "out_of_memory": _go(
            "var x [][]byte; for { b := make([]byte, 8<<20); for i := range b { b[i] = 1 };"
            " x = append(x, b); if len(x) < 0 { break } }"
        ),
        "output_limit": _go("b := make([]byte, 65536); for len(b) > 0 { os.Stdout.Write(b) }"),
    },
}
OUTCOMES = tuple(CODE["python"])


def outcome_program(language: str, name: str) -> Program:
    """The program of a language for the outcome `name`; `exit 0` is a `runtime_error`."""
    code = CODE[language][name]
    options = {"build": ("build",)} if language == "go" else {}
    return Program(language, (SourceFile(FILES[language], tuple(code.split("@@"))),), options)
