// Package testdeps is what a test's main hands to package testing, as testing/internal/testdeps,
// without the profiles, the fuzzing and the coverage, which no test here asks for: linking them
// into each test takes longer than compiling it.
package testdeps

import (
	"errors"
	"internal/testlog"
	"io"
	"reflect"
	"regexp"
	"time"
)

var errNotHere = errors.New("not in this test binary")

// TestDeps has the methods that testing.MainStart wants.
type TestDeps struct{}

var pattern string
var expression *regexp.Regexp

func (TestDeps) MatchString(wanted, text string) (bool, error) {
	if expression == nil || pattern != wanted {
		compiled, err := regexp.Compile(wanted)
		if err != nil {
			return false, err
		}
		pattern, expression = wanted, compiled
	}
	return expression.MatchString(text), nil
}

// In GOPATH mode, outside of any GOPATH, the go command gives none.
func (TestDeps) ImportPath() string { return "" }

func (TestDeps) ModulePath() string { return "" }

func (TestDeps) SetPanicOnExit0(on bool) { testlog.SetPanicOnExit0(on) }

func (TestDeps) StartCPUProfile(io.Writer) error              { return errNotHere }
func (TestDeps) StopCPUProfile()                              {}
func (TestDeps) WriteProfileTo(string, io.Writer, int) error  { return errNotHere }
func (TestDeps) StartTestLog(io.Writer)                       {}
func (TestDeps) StopTestLog() error                           { return errNotHere }
func (TestDeps) ResetCoverage()                               {}
func (TestDeps) SnapshotCoverage()                            {}

type entry = struct {
	Parent     string
	Path       string
	Data       []byte
	Values     []any
	Generation int
	IsSeed     bool
}

func (TestDeps) CoordinateFuzzing(
	time.Duration, int64, time.Duration, int64, int, []entry, []reflect.Type, string, string,
) error {
	return errNotHere
}

func (TestDeps) RunFuzzWorker(func(entry) error) error              { return errNotHere }
func (TestDeps) ReadCorpus(string, []reflect.Type) ([]entry, error) { return nil, errNotHere }
func (TestDeps) CheckCorpus([]any, []reflect.Type) error            { return errNotHere }

func (TestDeps) InitRuntimeCoverage() (
	mode string, tearDown func(string, string) (string, error), snapshot func() float64,
) {
	return
}
