package builtin_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"benchwright/sim/files"
	"benchwright/sim/files/builtin"
)

// seeds that are compiled at every difficulty of every scenario.
const seeds = 60

// each compiles every scenario of every family at all its difficulties, for the seeds from first to
// last; families are subtests of their own.
func each(t *testing.T, first, last int64, check func(t *testing.T, s files.Spec, in *files.Instance)) {
	for _, f := range builtin.Families() {
		t.Run(f.Name(), func(t *testing.T) {
			t.Parallel()
			for _, sc := range f.Scenarios() {
				for d := files.MinDifficulty; d <= files.MaxDifficulty; d++ {
					for seed := first; sc.At(d) && seed <= last; seed++ {
						s := files.NewSpec(f.Name(), d, seed)
						s.Scenario = sc.ID
						in, err := builtin.Families().Compile(s)
						if err != nil {
							t.Error(err)
							continue
						}
						check(t, s, in)
					}
				}
			}
		})
	}
}

// Compile proves that each instance is sound; here every one of them compiles, and no two of a
// family are the same world.
func TestEverySpecCompilesToItsOwnWorld(t *testing.T) {
	last := int64(seeds)
	if testing.Short() {
		last = 5
	}
	for _, f := range builtin.Families() {
		t.Run(f.Name(), func(t *testing.T) {
			t.Parallel()
			worlds := map[string]string{}
			count := 0
			for _, sc := range f.Scenarios() {
				for d := files.MinDifficulty; d <= files.MaxDifficulty; d++ {
					for seed := int64(1); sc.At(d) && seed <= last; seed++ {
						s := files.NewSpec(f.Name(), d, seed)
						s.Scenario = sc.ID
						in, err := builtin.Families().Compile(s)
						if err != nil {
							t.Error(err)
							continue
						}
						count++
						worlds[in.World()] = in.Manifest.EnvID
						if in.Manifest.Metadata.Realized["hint_count"] != files.Hints(d) {
							t.Errorf("%s %s: %v hints", sc.ID, in.Manifest.EnvID, in.Manifest.Metadata.Realized["hint_count"])
						}
					}
				}
			}
			if len(worlds)*100 < count*95 {
				t.Errorf("%d instances are only %d worlds", count, len(worlds))
			}
			t.Logf("%d instances, %d distinct worlds", count, len(worlds))
		})
	}
}

func TestSameSpecSameBytes(t *testing.T) {
	each(t, 7, 8, func(t *testing.T, s files.Spec, in *files.Instance) {
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
	each(t, 3, 3, func(t *testing.T, s files.Spec, in *files.Instance) {
		root, err := in.Write(dir)
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
	each(t, 11, 12, func(t *testing.T, s files.Spec, in *files.Instance) {
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
	each(t, 1, 1, func(t *testing.T, s files.Spec, in *files.Instance) {
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
