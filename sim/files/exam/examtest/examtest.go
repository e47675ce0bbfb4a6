// Package examtest checks families that generate code with real Python: that correct sources hold
// every check of an instance, and what its defects do to them.
package examtest

import (
	"bytes"
	"context"
	_ "embed"
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
	"benchwright/sim/files/internal/sample"
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

// enough is the number of seeds after which Compiles gives up meeting every defect.
const enough = 61

// Compiles demands of one scenario at a difficulty that seeds give workspaces of their own, always
// the same ones, that say nothing of what they are, and that each of so many defects is met in one
// of them. It compiles the seeds of the sample, and others until all defects are met.
func Compiles(t testing.TB, family files.Family, scenario string, difficulty, defects int) {
	t.Helper()
	worlds, labels := map[string]bool{}, map[string]bool{}
	seeds := sample.Seeds(difficulty)
	for seed := int64(0); len(seeds) < enough; seed++ {
		seeds = append(seeds, seed+1000)
	}
	of := len(sample.Seeds(difficulty))
	compiled := 0
	for i, seed := range seeds {
		if i >= of && len(labels) >= defects {
			break
		}
		in := Compile(t, family, scenario, difficulty, seed)
		compiled++
		if i < 2 {
			again := Compile(t, family, scenario, difficulty, seed)
			if in.MarshalManifest() != again.MarshalManifest() || in.Visible.Digest() != again.Visible.Digest() || in.Hidden.Digest() != again.Hidden.Digest() {
				t.Errorf("%s: compiled twice, and different", in.Manifest.EnvID)
			}
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
				if strings.Contains(p, w) || strings.Contains(text, w) {
					t.Errorf("%s: %s says %q", m.EnvID, p, w)
				}
			}
		}
		if in.Solved().Digest() == in.Visible.Digest() {
			t.Errorf("%s is solved", m.EnvID)
		}
	}
	if len(worlds)*100 < compiled*95 {
		t.Errorf("%s of difficulty %d: %d seeds give %d worlds", scenario, difficulty, compiled, len(worlds))
	}
	if len(labels) != defects {
		t.Errorf("%s of difficulty %d: met %d defects in %d seeds, want %d", scenario, difficulty, len(labels), compiled, defects)
	}
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
	left     map[int]files.Tree
}

// Draw observes instances in subsets of repairs: none, each alone, each left in, the first few, all;
// and in every subset where an instance has no more than three defects. The code is what the
// instances' family wrote, so all of it runs in one process ([Trusted]).
func Draw(t testing.TB, instances ...*files.Instance) []*Lattice {
	t.Helper()
	dir, err := os.MkdirTemp(scratch(), "lattice")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	var lattices []*Lattice
	var subsets [][]int
	var names [][]string
	for i, in := range instances {
		l := &Lattice{in, Sheet(t, in), map[int][]exam.Run{}, map[int]map[string]bool{}, map[int]files.Tree{}}
		lattices, subsets, names = append(lattices, l), append(subsets, ofDefects(len(in.Defects))), append(names, nil)
		for _, s := range subsets[i] {
			tree, err := in.Repaired(l.labels(s)...)
			if err != nil {
				t.Fatal(err)
			}
			l.left[s] = tree
			name := fmt.Sprintf("%d-%b", i, s)
			if err := tree.Write(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
			names[i] = append(names[i], name)
		}
	}
	for run := range 2 {
		var requests []byte
		asked := make([][]exam.Asked, len(lattices))
		for i, l := range lattices {
			if run < l.Sheet.Runs {
				for _, name := range names[i] {
					asked[i] = append(asked[i], exam.Asked{Workspace: name, Cases: l.Sheet.Start(run)})
				}
				requests = append(requests, l.Sheet.Request(token(i), asked[i]...)...)
			}
		}
		if len(requests) == 0 {
			break
		}
		out := Trusted(t, dir, requests)
		for i, l := range lattices {
			if run >= l.Sheet.Runs {
				continue
			}
			seen, whole, err := exam.ParseRuns(token(i), out, asked[i]...)
			if err != nil || !whole {
				t.Fatalf("observed all: %t, %v", whole, err)
			}
			for j, s := range subsets[i] {
				l.Runs[s] = append(l.Runs[s], seen[j])
			}
		}
	}
	for _, l := range lattices {
		for s, runs := range l.Runs {
			l.Runs[s] = l.Sheet.Join(runs)
			l.Held[s] = l.Sheet.Grade(l.left[s], l.Runs[s])
		}
	}
	return lattices
}

func token(instance int) string { return fmt.Sprintf("token%d", instance) }

// ofDefects lists the subsets of n defects that matter first; all of them where they are few.
func ofDefects(n int) []int {
	subsets := []int{0, 1<<n - 1}
	for i := range n {
		subsets = append(subsets, 1<<i, (1<<n-1)&^(1<<i), 1<<i-1)
	}
	if n <= 3 {
		for s := range 1 << n {
			subsets = append(subsets, s)
		}
	}
	slices.Sort(subsets)
	return slices.Compact(subsets)
}

//go:embed trusted.py
var trusted string

// Trusted observes workspaces below a folder in one process that trusts their code, for requests
// of the observer's, one after the other. It returns the observations of all.
func Trusted(t testing.TB, dir string, requests []byte) []byte {
	t.Helper()
	python, sources := Interpreter(t), t.TempDir()
	if err := (files.Tree{"trusted.py": trusted, "runner.py": exam.Runner}).Write(sources); err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), python, "-I", "-B", filepath.Join(sources, "trusted.py"), filepath.Join(sources, "runner.py"))
	c.Dir, c.Stdin, c.Env = dir, bytes.NewReader(requests), append(os.Environ(), "TMPDIR="+scratch())
	var says bytes.Buffer
	c.Stderr = &says
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, says.String())
	}
	return out
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
