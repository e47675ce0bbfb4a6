package files

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"benchwright/grader"
	world "benchwright/sim/files"
	"benchwright/sim/files/exam"
	"benchwright/sim/files/sandbox"
)

// A Machine runs code that agents left. Package sim/files/machine has the one that is meant; it is
// an interface so that who grades artifacts alone need not carry a Python.
type Machine interface {
	// Observe runs a script of the grader's with the argument --observe, confined, in a folder where
	// it finds workspaces, and with a seed of Python's hashes. However the script ended is in the
	// result; an error is the machine's own.
	Observe(ctx context.Context, dir, script string, seed int, request []byte, limits sandbox.Limits) (sandbox.Result, error)
}

// An Observer runs the cases of a sheet on workspaces, and returns for each what each run saw. What
// has to come out the same is not seen a second time where that could not find anything to be
// different, and where again, given what the first start saw, says that it does not matter; nil says
// that it does. An error is the measurement's own.
type Observer func(ctx context.Context, sheet *exam.Sheet, again func(first exam.Run) bool, workspaces ...world.Tree) ([][]exam.Run, error)

// observer returns what runs code on a machine, or nil where there is none.
func observer(m Machine) Observer {
	if m == nil {
		return nil
	}
	return func(ctx context.Context, sheet *exam.Sheet, again func(exam.Run) bool, workspaces ...world.Tree) ([][]exam.Run, error) {
		return observe(ctx, m, sheet, again, workspaces)
	}
}

// most is how long one start of Python may take for one workspace. A case has its own, shorter
// time; this is for workspaces in which many of them wait.
const most = 30 * time.Second

func observe(ctx context.Context, m Machine, sheet *exam.Sheet, again func(exam.Run) bool, workspaces []world.Tree) (seen [][]exam.Run, err error) {
	base, err := os.MkdirTemp("", "grading-")
	if err != nil {
		return nil, broken(err)
	}
	defer func() { err = errors.Join(err, sandbox.Remove(base)) }()
	if err := os.Chmod(base, 0o755); err != nil { // who runs the command may be another user
		return nil, broken(err)
	}
	script := filepath.Join(base, "run_hidden_tests.py")
	if err := os.WriteFile(script, []byte(exam.Runner), 0o644); err != nil {
		return nil, broken(err)
	}
	starts := make([][]exam.Run, len(workspaces))
	for n := range sheet.Runs {
		var asked []exam.Asked
		var of []int
		dir := filepath.Join(base, fmt.Sprintf("run%d", n))
		for w, tree := range workspaces {
			cases := sheet.Start(n)
			if n > 0 && !repeats(sheet, again, starts[w][0]) {
				cases = slices.DeleteFunc(cases, sheet.Repeats)
			}
			if len(cases) == 0 {
				continue
			}
			asked, of = append(asked, exam.Asked{Workspace: fmt.Sprintf("w%d", len(asked)), Cases: cases}), append(of, w)
			if err := write(filepath.Join(dir, asked[len(asked)-1].Workspace), tree); err != nil {
				return nil, broken(err)
			}
		}
		runs := []exam.Run{}
		if len(asked) > 0 {
			if runs, err = once(ctx, m, sheet, n, dir, script, asked); err != nil {
				return nil, err
			}
		}
		for w := range workspaces {
			starts[w] = append(starts[w], exam.Run{})
		}
		for i, w := range of {
			starts[w][n] = runs[i]
		}
	}
	seen = make([][]exam.Run, len(workspaces))
	for w := range workspaces {
		seen[w] = sheet.Join(starts[w])
	}
	return seen, nil
}

// once starts the observer once. Output that was tampered with counts as no observations. Where
// something went wrong that code of a workspace may have brought about, or the machine, a control
// decides.
func once(ctx context.Context, m Machine, sheet *exam.Sheet, n int, dir, script string, asked []exam.Asked) ([]exam.Run, error) {
	runs, trouble, err := start(ctx, m, sheet, n, dir, script, asked)
	if err != nil || trouble == "" {
		return runs, err
	}
	if err := sandbox.Remove(dir); err != nil { // what was left there takes no room from the control
		return nil, broken(err)
	}
	if err := control(ctx, m, filepath.Join(filepath.Dir(dir), "control"), script); err != nil {
		return nil, grader.BrokenError{Layer: grader.LayerToolRuntime, Err: fmt.Errorf("%s; and a workspace of the grader's own fares no better: %w", trouble, err)}
	}
	return runs, nil
}

// start starts the observer, and says what went wrong in that, if anything.
func start(ctx context.Context, m Machine, sheet *exam.Sheet, n int, dir, script string, asked []exam.Asked) (runs []exam.Run, trouble string, err error) {
	var secret [16]byte
	rand.Read(secret[:])
	token := hex.EncodeToString(secret[:])
	wall := time.Duration(len(asked)) * max(most, 4*time.Duration(sheet.Seconds)*time.Second)
	res, err := m.Observe(ctx, dir, script, n, sheet.Request(token, asked...), sandbox.Limits{
		// What runs is bound by the wall; the processor's own limit must not be the first to strike.
		Wall: wall, CPU: wall + time.Second, Output: exam.OutputLimit, Disk: 256 << 20, Entries: 100_000,
	})
	if err != nil {
		layer := grader.LayerGrader
		if errors.Is(err, sandbox.ErrRefused) {
			layer = grader.LayerToolRuntime
		}
		return nil, "", grader.BrokenError{Layer: layer, Err: err}
	}
	runs, whole, err := exam.ParseRuns(token, res.Stdout, asked...)
	switch {
	case err != nil: // nothing but code of a workspace writes such lines
		return make([]exam.Run, len(asked)), "", nil
	case !whole:
		return runs, "the observer did not come to its end: " + ending(res), nil
	}
	return runs, lacked(runs), nil
}

// ending says how an observer ended before its time.
func ending(res sandbox.Result) string {
	said := fmt.Sprintf("exit code %d", res.ExitCode)
	switch {
	case res.Over != "":
		said = string(res.Over)
	case res.Signal != 0:
		said = "signal " + res.Signal.String()
	}
	if lines := strings.Split(strings.TrimSpace(string(res.Stderr)), "\n"); lines[len(lines)-1] != "" {
		said += fmt.Sprintf(", saying %q", clip(lines[len(lines)-1]))
	}
	return said
}

// exhausted matches what Python says where a machine has no more of something.
var exhausted = regexp.MustCompile(`No space left on device|Disk quota exceeded|Cannot allocate memory|MemoryError|Resource temporarily unavailable|Too many open files|can't start new thread|Input/output error`)

// Exit codes of the observer's children that had no room for what they printed.
const speechless, unflushed = 121, 120

// lacked says what a machine may have lacked that made cases fail, or "".
func lacked(runs []exam.Run) string {
	for _, run := range runs {
		for _, id := range slices.Sorted(maps.Keys(run)) {
			o := run[id]
			switch {
			case o.Trouble != "":
				return fmt.Sprintf("the observer could not observe: %q", clip(o.Trouble))
			case o.State == "ok":
			case exhausted.MatchString(o.Said):
				return fmt.Sprintf("a case failed: %q", exhausted.FindString(o.Said))
			case o.Exit != nil && slices.Contains([]int{-int(syscall.SIGKILL), speechless, unflushed}, *o.Exit):
				return fmt.Sprintf("a case was killed, or could not say why it failed: exit %d", *o.Exit)
			}
		}
	}
	return ""
}

// repeats reports whether a workspace left something in the first start which a second run could
// find to be different.
func repeats(sheet *exam.Sheet, again func(exam.Run) bool, first exam.Run) bool {
	return (again == nil || again(first)) && slices.ContainsFunc(sheet.Checks, func(k exam.Check) bool {
		return k.Aspect == exam.Same && first[k.Case].Files[k.File] != nil
	})
}

// write writes a workspace below a folder. A file that no disk takes, by its name, is not there for
// code to find either; it does not make the measurement break.
func write(dir string, t world.Tree) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, p := range t.Paths() {
		to := filepath.Join(dir, filepath.FromSlash(p))
		err := os.MkdirAll(filepath.Dir(to), 0o755)
		if err == nil {
			err = os.WriteFile(to, []byte(t[p]), 0o644)
		}
		if err != nil && !errors.Is(err, syscall.ENAMETOOLONG) && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.EILSEQ) {
			return err
		}
	}
	return nil
}

func broken(err error) error { return grader.BrokenError{Layer: grader.LayerGrader, Err: err} }
