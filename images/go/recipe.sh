#!/bin/sh
# Records how the go command builds a program in the work dir, for build.sh to do it without:
# which file holds which package, what may be imported, and the flags of compiler and linker.
set -eu
here=$(dirname "$0")
to=/opt/workbench/go
assert=github.com/stretchr/testify/assert
TOOLS=$(go env GOTOOLDIR)
mkdir -p $to /box/run /tmp/recipe
cp "$here/build.sh" $to/

go build -o /tmp/recipe/slim "$here/slim.go"
/tmp/recipe/slim "$GOPATH/src/$assert" /tmp/recipe/assert \
    net/http net/http/httptest net/url encoding/json $assert/yaml

list() { go list -export -deps -f "$1" std testing/internal/testdeps $assert; }
list '{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}' | grep . | sort -u >/tmp/recipe/go.cfg
grep -v "^packagefile $assert=" /tmp/recipe/go.cfg >/tmp/recipe/std.cfg

# What a package outside of the standard library may import; unsafe is the compiler's own.
list '{{if .Standard}}{{.ImportPath}}{{end}}' | grep . | sort -u \
    | grep -Ev '(^|/)(internal|vendor)(/|$)|^(cmd|builtin)(/|$)' >$to/packages
echo $assert >>$to/packages

cd /box/run
asked() { # KIND GO-ARGUMENTS...: what the go command does, step by step
    kind=$1
    shift
    go "$@" -x "-ldflags=-s -w" -o /tmp/recipe/program . >/tmp/recipe/$kind.log 2>&1 || {
        cat /tmp/recipe/$kind.log
        exit 1
    }
    modinfo=$(sed -n '/^modinfo /p' /tmp/recipe/$kind.log | tail -n 1)
    godebug=$(sed -n 's/.*\(-X=runtime\.godebugDefault=[^ ]*\).*/\1/p' /tmp/recipe/$kind.log | tail -n 1)
    language=$(sed -n 's/.* -p [^ ]* \(-lang=[^ ]*\) .*/\1/p' /tmp/recipe/$kind.log | tail -n 1)
    [ -n "$modinfo" ] && [ -n "$godebug" ] && [ -n "$language" ] || {
        echo "recipe.sh: go $1 -x doesn't say what it should" >&2
        exit 1
    }
}
printf 'package main\n\nfunc main() {}\n' >main.go
asked build build
cp /tmp/recipe/go.cfg $to/build.cfg
{ cat $to/build.cfg; printf '%s\n' "$modinfo"; } >$to/build.link.cfg
build_flags=$godebug
rm main.go
cp "$here/warm_test.go" .
asked test test -vet=off -c
/tmp/recipe/program
rm warm_test.go

cd /tmp/recipe/assert
"$TOOLS/compile" -o $to/assert.a -trimpath "$PWD=>$GOPATH/src/$assert" -p $assert "$language" -complete \
    -importcfg /tmp/recipe/std.cfg -pack ./*.go
cd "$here"
"$TOOLS/compile" -o $to/testdeps.a -p workbench/testdeps "$language" -complete \
    -importcfg /tmp/recipe/std.cfg -pack ./testdeps.go
{
    cat /tmp/recipe/std.cfg
    echo "packagefile $assert=$to/assert.a"
    echo "packagefile workbench/testdeps=$to/testdeps.a"
    echo "packagefile _/box/run=/box/tmp/package.a"
    echo "packagefile _/box/run_test=/box/tmp/package.a"
} >$to/test.cfg
{ cat $to/test.cfg; printf '%s\n' "$modinfo"; } >$to/test.link.cfg
cat >$to/recipe <<RECIPE
TOOLS='$TOOLS'
LANGUAGE='$language'
BUILD_FLAGS='$build_flags'
TEST_FLAGS='$godebug'
export GOROOT='$(go env GOROOT)'
RECIPE
chmod -R a+rX $to

# It works, and what it makes passes.
mkdir -p /box/tmp
cd /box/run
cp "$here/warm_test.go" .
sed -i -e '/require"/d' -e 's/require\.New(t)\.True(\(.*\))$/\1/' warm_test.go
TMPDIR=/box/tmp sh $to/build.sh test TestWarm warm_test.go 60 1024 false
./program
printf 'package main\n\nfunc main() { println("ok") }\n' >main.go
TMPDIR=/box/tmp sh $to/build.sh build "" main.go 60 1024 false
./program
cd /
rm -rf /box /tmp/recipe
