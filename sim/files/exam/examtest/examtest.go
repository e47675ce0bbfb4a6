// Package examtest checks families that generate code with real Python: that correct sources hold
// every check of an instance, and what its defects do to them.
package examtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"benchwright/sim/files"
	"benchwright/sim/files/exam"
)

var interpreter = sync.OnceValues(func() (string, error) {
	// The first python3 on a path is often a shim that takes longer than what it starts.
	out, err := exec.Command("python3", "-I", "-c", "import sys; assert sys.version_info >= (3, 9); print(sys.executable)").Output()
	return strings.TrimSpace(string(out)), err
})

// Interpreter returns the path of a Python. Without a python3 the test is skipped.
func Interpreter(t testing.TB) string {
	t.Helper()
	python, err := interpreter()
	if err != nil {
		t.Skipf("SKIPPED: no python3 of version 3.9 or later here: %v", err)
	}
	return python
}

// Python returns a runner of the observer in a folder. It is not confined: it is for code that the
// test made itself.
func Python(t testing.TB, dir string) exam.Python {
	t.Helper()
	python := Interpreter(t)
	runner := filepath.Join(t.TempDir(), "run_hidden_tests.py")
	if err := os.WriteFile(runner, []byte(exam.Runner), 0o600); err != nil {
		t.Fatal(err)
	}
	return func(ctx context.Context, request []byte) ([]byte, error) {
		c := exec.CommandContext(ctx, python, "-I", runner, "--observe")
		c.Dir, c.Stdin, c.Env = dir, bytes.NewReader(request), append(os.Environ(), "TMPDIR="+scratch())
		var out, says bytes.Buffer
		c.Stdout, c.Stderr = &out, &says
		var exit *exec.ExitError
		if err := c.Run(); err != nil && !errors.As(err, &exit) {
			return nil, err
		}
		if says.Len() > 0 {
			t.Logf("the observer says: %s", says.String())
		}
		return out.Bytes(), nil
	}
}

// Observe runs an instance's sheet on trees and returns each one's runs.
func Observe(t testing.TB, sheet *exam.Sheet, trees ...files.Tree) [][]exam.Run {
	t.Helper()
	dir := t.TempDir()
	var names []string
	for i, tree := range trees {
		name := fmt.Sprintf("w%d", i)
		if err := tree.Write(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	seen, err := sheet.Observe(t.Context(), Python(t, dir), names...)
	if err != nil {
		t.Fatal(err)
	}
	var runs [][]exam.Run
	for _, name := range names {
		runs = append(runs, seen[name])
	}
	return runs
}

// Sheet parses the sheet of an instance.
func Sheet(t testing.TB, in *files.Instance) *exam.Sheet {
	t.Helper()
	sheet, err := exam.ParseSheet(in.Hidden)
	if err != nil {
		t.Fatalf("%s: %v", in.Manifest.EnvID, err)
	}
	return sheet
}

// Compiles demands of one family that every seed from 0 to 60 gives a workspace of its own at a
// difficulty, always the same one, that says nothing of what it is. It returns the labels of the
// defects that it met.
func Compiles(t testing.TB, family files.Family, scenario string, difficulty int) map[string]bool {
	t.Helper()
	const seeds = 61
	worlds, labels := map[string]bool{}, map[string]bool{}
	for seed := range int64(seeds) {
		in, again := Compile(t, family, scenario, difficulty, seed), Compile(t, family, scenario, difficulty, seed)
		if in.MarshalManifest() != again.MarshalManifest() || in.Visible.Digest() != again.Visible.Digest() || in.Hidden.Digest() != again.Hidden.Digest() {
			t.Errorf("%s: compiled twice, and different", in.Manifest.EnvID)
		}
		worlds[in.World()] = true
		m := in.Manifest
		for _, l := range m.Metadata.BugLabels {
			labels[l] = true
		}
		words := append([]string{m.EnvID, scenario, "difficulty", "hidden", "expected_", "run_hidden_tests", "cases.json"}, m.Metadata.BugLabels...)
		if strings.Contains(m.Family, "_") {
			words = append(words, m.Family)
		}
		for p, text := range in.Visible.With(files.Tree{"instruction": m.Instruction}) {
			for _, w := range words {
				if strings.Contains(p+"\n"+text, w) {
					t.Errorf("%s: %s says %q", m.EnvID, p, w)
				}
			}
		}
		if in.Solved().Digest() == in.Visible.Digest() {
			t.Errorf("%s is solved", m.EnvID)
		}
	}
	if len(worlds) != seeds {
		t.Errorf("%s of difficulty %d: %d worlds of %d seeds", scenario, difficulty, len(worlds), seeds)
	}
	return labels
}

// Compile compiles an instance of a family.
func Compile(t testing.TB, family files.Family, scenario string, difficulty int, seed int64) *files.Instance {
	t.Helper()
	spec := files.NewSpec(family.Name(), difficulty, seed)
	spec.Scenario = scenario
	in, err := files.Families{family}.Compile(spec)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// A Lattice holds, for each subset of an instance's defects that is repaired, which checks hold.
// Bit i of a subset stands for defect i.
type Lattice struct {
	Instance *files.Instance
	Sheet    *exam.Sheet
	Runs     map[int][]exam.Run
	Held     map[int]map[string]bool
}

// Draw observes an instance in all subsets of repairs, or, if it has more defects than most, in
// those that matter first: none, each alone, each left in, all.
func Draw(t testing.TB, in *files.Instance, most int) *Lattice {
	t.Helper()
	l := &Lattice{in, Sheet(t, in), map[int][]exam.Run{}, map[int]map[string]bool{}}
	n := len(in.Defects)
	subsets := []int{0, 1<<n - 1}
	for i := range n {
		subsets = append(subsets, 1<<i, (1<<n-1)&^(1<<i), 1<<i-1)
	}
	if n <= most {
		for s := range 1 << n {
			subsets = append(subsets, s)
		}
	}
	slices.Sort(subsets)
	subsets = slices.Compact(subsets)
	var trees []files.Tree
	for _, s := range subsets {
		tree, err := in.Repaired(l.labels(s)...)
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	for i, runs := range Observe(t, l.Sheet, trees...) {
		l.Runs[subsets[i]] = runs
		l.Held[subsets[i]] = l.Sheet.Grade(runs)
	}
	return l
}

func (l *Lattice) labels(subset int) []string {
	list := []string{}
	for i, d := range l.Instance.Defects {
		if subset>>i&1 == 1 {
			list = append(list, d.ID)
		}
	}
	return list
}

// Check demands that everything repaired holds every check, that any defect left in breaks one, and
// that no repair breaks a check that held.
func (l *Lattice) Check(t testing.TB) {
	t.Helper()
	m := l.Instance.Manifest
	name := fmt.Sprintf("%s (%s)", m.EnvID, m.Metadata.Scenario)
	all := 1<<len(l.Instance.Defects) - 1
	for s, held := range l.Held {
		broken := l.Broken(s)
		switch {
		case s == all && len(broken) > 0:
			t.Errorf("%s: the solution breaks %q\n%s", name, broken, l.said(s))
		case s != all && len(broken) == 0:
			t.Errorf("%s: with only %q repaired every check holds", name, l.labels(s))
		}
		for i := range l.Instance.Defects {
			after, observed := l.Held[s|1<<i]
			if s>>i&1 == 1 || !observed {
				continue
			}
			for id, ok := range held {
				if ok && !after[id] {
					t.Errorf("%s: %q holds with %q repaired, and no longer with %q too", name, id, l.labels(s), l.Instance.Defects[i].ID)
				}
			}
		}
	}
}

// Broken lists the checks that do not hold with a subset repaired.
func (l *Lattice) Broken(subset int) []string {
	var list []string
	for _, k := range l.Sheet.Checks {
		if !l.Held[subset][k.ID] {
			list = append(list, k.ID)
		}
	}
	return list
}

func (l *Lattice) said(subset int) string {
	var b strings.Builder
	for _, c := range l.Sheet.Cases {
		o := l.Runs[subset][0][c.ID]
		fmt.Fprintf(&b, "%s: %s\n%s\n%s\n", c.ID, o.State, o.Said, o.Value)
		for p, text := range o.Files {
			if text != nil {
				fmt.Fprintf(&b, "%s: %s\n", p, *text)
			}
		}
	}
	for _, k := range l.Sheet.Checks {
		if !l.Held[subset][k.ID] {
			fmt.Fprintf(&b, "want of %s: %s %s\n", k.ID, k.Aspect, files.JSON(k.Want))
		}
	}
	return b.String()
}

// scratch is a folder in memory where there is one: every case is run in a copy.
func scratch() string {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		return "/dev/shm"
	}
	return os.TempDir()
}
