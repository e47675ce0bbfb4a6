package builtin_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"benchwright/sim/files"
	"benchwright/sim/files/builtin"
	"benchwright/sim/files/internal/sample"
)

// each compiles every scenario of every family at all its difficulties, with the seeds of the
// sample, once for all tests; families are subtests of their own.
func each(t *testing.T, check func(t *testing.T, s files.Spec, in *files.Instance)) {
	for i, f := range builtin.Families() {
		t.Run(f.Name(), func(t *testing.T) {
			t.Parallel()
			all, err := compiled[i]()
			if err != nil {
				t.Error(err)
			}
			for _, in := range all {
				check(t, spec(f, in.Manifest.Metadata.Scenario, in.Manifest.Difficulty, in.Manifest.Seed), in)
			}
		})
	}
}

// compiled holds the sampled instances by family, and what is wrong with those that are none.
var compiled = func() (list []func() ([]*files.Instance, error)) {
	for _, f := range builtin.Families() {
		list = append(list, sync.OnceValues(func() (all []*files.Instance, err error) {
			for _, sc := range f.Scenarios() {
				for d := files.MinDifficulty; d <= files.MaxDifficulty; d++ {
					if !sc.At(d) {
						continue
					}
					for _, seed := range sample.Seeds(d) {
						in, compileErr := builtin.Families().Compile(spec(f, sc.ID, d, seed))
						if compileErr != nil {
							err = errors.Join(err, compileErr)
							continue
						}
						all = append(all, in)
					}
				}
			}
			return all, err
		}))
	}
	return list
}()

func spec(f files.Family, scenario string, difficulty int, seed int64) files.Spec {
	s := files.NewSpec(f.Name(), difficulty, seed)
	s.Scenario = scenario
	return s
}

// Compile proves that each instance is sound; here every one of them compiles, and no two of a
// family are the same world.
func TestEverySpecCompilesToItsOwnWorld(t *testing.T) {
	each(t, func(t *testing.T, s files.Spec, in *files.Instance) {
		if in.Manifest.Metadata.Realized["hint_count"] != files.Hints(s.Difficulty) {
			t.Errorf("%s %s: %v hints", s.Scenario, in.Manifest.EnvID, in.Manifest.Metadata.Realized["hint_count"])
		}
	})
	for i, f := range builtin.Families() {
		worlds := map[string]bool{}
		all, _ := compiled[i]()
		for _, in := range all {
			worlds[in.World()] = true
		}
		if len(worlds)*100 < len(all)*95 || len(all) == 0 {
			t.Errorf("%s: %d instances are only %d worlds", f.Name(), len(all), len(worlds))
		}
	}
}

func TestSameSpecSameBytes(t *testing.T) {
	each(t, func(t *testing.T, s files.Spec, in *files.Instance) {
		if sample.Seeds(s.Difficulty)[0] != s.Seed && s.Difficulty < 5 {
			return
		}
		again, err := builtin.Families().Compile(s)
		if err != nil {
			t.Fatal(err)
		}
		if again.MarshalManifest() != in.MarshalManifest() || again.Visible.Digest() != in.Visible.Digest() || again.Hidden.Digest() != in.Hidden.Digest() {
			t.Errorf("%s: the second time it is another instance", in.Manifest.EnvID)
		}
		if len(again.NearMisses) != len(in.NearMisses) {
			t.Errorf("%s: the second time it has other near misses", in.Manifest.EnvID)
		}
	})
}

func TestInstancesSurviveTheirFolder(t *testing.T) {
	dir := t.TempDir()
	each(t, func(t *testing.T, s files.Spec, in *files.Instance) {
		if sample.Seeds(s.Difficulty)[0] != s.Seed {
			return
		}
		root, err := in.Write(filepath.Join(dir, s.Scenario))
		if err != nil {
			t.Fatal(err)
		}
		got, err := files.Load(os.DirFS(root))
		if err != nil {
			t.Fatal(err)
		}
		if got.MarshalManifest() != in.MarshalManifest() || got.World() != in.World() {
			t.Errorf("%s: read back it is another instance", in.Manifest.EnvID)
		}
	})
}

// Every defect can be taken out alone, and what is left when all are is the reference.
func TestRepairs(t *testing.T) {
	each(t, func(t *testing.T, s files.Spec, in *files.Instance) {
		var labels []string
		seen := map[string]bool{in.Visible.Digest(): true}
		for _, d := range in.Defects {
			labels = append(labels, d.ID)
			tree, err := in.Repaired(d.ID)
			if err != nil {
				t.Fatalf("%s: %v", in.Manifest.EnvID, err)
			}
			if seen[tree.Digest()] {
				t.Errorf("%s: repairing %s changes nothing of its own", in.Manifest.EnvID, d.ID)
			}
			seen[tree.Digest()] = true
		}
		if labels == nil {
			return
		}
		tree, err := in.Repaired(labels...)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range in.Reference().Paths() {
			if in.Visible[p] != "" && tree[p] != in.Reference()[p] {
				t.Errorf("%s: all repaired, %s is not the reference's", in.Manifest.EnvID, p)
			}
		}
	})
}

// Neither a specification nor task.json tells an agent what it is being tried on.
func TestTaskKeys(t *testing.T) {
	each(t, func(t *testing.T, s files.Spec, in *files.Instance) {
		for _, key := range []string{"family", "scenario_id", "difficulty", "seed", "env_id"} {
			if _, ok := in.Manifest.Metadata.Task[key]; ok {
				t.Errorf("%s: task.json says %s", in.Manifest.EnvID, key)
			}
		}
	})
}

func TestUnknownScenario(t *testing.T) {
	for _, f := range builtin.Families() {
		s := files.NewSpec(f.Name(), 2, 1)
		s.Scenario = "nowhere"
		_, err := builtin.Families().Compile(s)
		if want := fmt.Sprintf("Unknown scenario_id 'nowhere' for %s. Available: ", f.Name()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
	}
}
