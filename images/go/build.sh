#!/bin/sh
# Builds a program with compiler and linker alone, from what recipe.sh has recorded.
#   build.sh build|test|xtest TESTS FILES SECONDS MEMORY_MB PLAIN...
# FILES are the work dir's, in the go command's order, TESTS the names of their test functions; with
# xtest they are of a package of their own, named ..._test.
# PLAIN is the go command; it has the last word where these two don't succeed, but for plain
# compile errors, which it would pass on as they are.
kind=$1 tests=$2 files=$3 seconds=$4 memory=$5
shift 5
[ "$PWD $TMPDIR" = "/box/run /box/tmp" ] || exec "$@"
. /opt/workbench/go/recipe
recorded=/opt/workbench/go

# A build that takes long is the go command's. Garbage isn't collected before there is much of it.
quick() { (ulimit -t "$seconds" && GOGC=off GOMEMLIMIT="${memory}MiB" exec "$@"); }
paths=
for file in $files; do
    paths="$paths ./$file"
done
config=test flags="$TEST_FLAGS -X testing.testBinary=1"
case $kind in
    build) name=main title=_/box/run config=build flags=$BUILD_FLAGS ;;
    test) name=_/box/run title="$name [_/box/run.test]" ;;
    xtest) name=_/box/run_test title="$name [_/box/run.test]" ;;
esac

# shellcheck disable=SC2086  # lists of words
said=$(quick "$TOOLS/compile" -o "$TMPDIR/package.a" -p $name $LANGUAGE -complete -buildid= -c=1 \
    -D _/box/run -importcfg $recorded/$config.cfg -pack $paths 2>&1)
if [ $? != 0 ]; then
    # The go command reads tests before the compiler does, and has other words for their syntax;
    # what is missing from the assertion library may be what slim.go has left out.
    if printf '%s\n' "$said" | grep -Evq '^(\./[a-z_]+\.go:[0-9]+:[0-9]+: |	)' \
        || printf '%s\n' "$said" | grep -Eq '^\./[a-z_]*_test\.go:.*: syntax error|assert'; then
        rm -f "$TMPDIR/package.a"
        exec "$@"
    fi
    printf '# %s\n%s\n' "$title" "$said" >&2
    exit 1
fi

main=$TMPDIR/package.a
if [ "$config" = test ]; then
    main=$TMPDIR/main.a
    {
        echo 'package main'
        printf 'import ("os"; "testing"; "workbench/testdeps"; _test "%s")\n' "$name"
        echo 'var tests = []testing.InternalTest{'
        for test in $tests; do
            echo "{\"$test\", _test.$test},"
        done
        echo '}'
        echo 'func main() {'
        echo 'm := testing.MainStart(testdeps.TestDeps{}, tests, nil, nil, nil)'
        echo 'os.Exit(m.Run())'
        echo '}'
    } >"$TMPDIR/_testmain.go"
    # shellcheck disable=SC2086
    quick "$TOOLS/compile" -o "$main" -p main $LANGUAGE -complete -buildid= -c=1 \
        -importcfg $recorded/test.cfg -pack "$TMPDIR/_testmain.go" >/dev/null 2>&1
fi &&
    # shellcheck disable=SC2086
    quick "$TOOLS/link" -o program -importcfg $recorded/$config.link.cfg $flags -buildmode=exe -buildid= \
        -s -w "$main" >/dev/null 2>&1
built=$?
rm -f "$TMPDIR/package.a" "$TMPDIR/main.a" "$TMPDIR/_testmain.go"
[ $built = 0 ] || exec "$@"
