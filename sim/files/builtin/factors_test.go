package builtin_test

import (
	"strings"
	"testing"

	"benchwright/sim/files"
	"benchwright/sim/files/builtin"
)

// grow names the measured facts that never become less from one difficulty to the next, on the
// average of the seeds, and are more at 5 than at 1.
var grow = map[string][]string{
	"tabular":             {"file_count", "distractor_count", "record_count", "trap_count"},
	"script_repair":       {"file_count", "distractor_count", "applied_bug_count", "touched_file_count"},
	"pipeline":            {"file_count", "distractor_count", "applied_bug_count", "touched_file_count"},
	"retrieval_workspace": {"file_count", "distractor_count", "document_count", "evidence_count", "retrieval_hops", "authority_chain_depth", "conflict_count"},
	"composite_workspace": {"file_count", "distractor_count", "applied_bug_count", "touched_file_count"},
}

// keep names those that never become less either, but need not become more in every scenario.
var keep = map[string][]string{
	"tabular":             {"operation_count", "input_file_count"},
	"script_repair":       {"test_count"},
	"pipeline":            {"input_file_count"},
	"composite_workspace": {"capability_count", "composition_depth"},
}

// What is measured of instances grows with their difficulty: the levels are no mere label.
func TestMeasuredFactsGrowWithDifficulty(t *testing.T) {
	for i, f := range builtin.Families() {
		all, err := compiled[i]()
		if err != nil {
			t.Fatal(err)
		}
		for _, sc := range f.Scenarios() {
			if sc.Only != nil {
				continue
			}
			for n, fact := range append(append([]string{}, grow[f.Name()]...), keep[f.Name()]...) {
				var means []float64
				for d := files.MinDifficulty; d <= files.MaxDifficulty; d++ {
					means = append(means, mean(t, all, sc.ID, d, fact))
				}
				for d := 1; d < len(means); d++ {
					// Where a sample of two is drawn from parts of unlike size, a fraction is chance.
					if means[d] < means[d-1]-0.75 || n >= len(grow[f.Name()]) && means[d] < means[d-1] {
						t.Errorf("%s: %s falls from difficulty %d to %d: %v", sc.ID, fact, d, d+1, means)
					}
				}
				if n < len(grow[f.Name()]) && means[4] <= means[0] {
					t.Errorf("%s: %s is no more at difficulty 5 than at 1: %v", sc.ID, fact, means)
				}
			}
		}
	}
}

func mean(t *testing.T, all []*files.Instance, scenario string, difficulty int, fact string) float64 {
	t.Helper()
	sum, n := 0, 0
	for _, in := range all {
		if in.Manifest.Metadata.Scenario != scenario || in.Manifest.Difficulty != difficulty {
			continue
		}
		value, ok := in.Manifest.Metadata.Realized[fact].(int)
		if !ok {
			t.Fatalf("%s %s: %s was not measured", scenario, in.Manifest.EnvID, fact)
		}
		sum += value
		n++
	}
	return float64(sum) / float64(max(n, 1))
}

// What a profile declares and what is measured are one number, where it is the same thing.
func TestProfilesSayWhatIsThere(t *testing.T) {
	each(t, func(t *testing.T, s files.Spec, in *files.Instance) {
		m := in.Manifest.Metadata
		if m.Realized["distractor_count"] != m.Complexity.DistractorCount {
			t.Errorf("%s %s: %v distractors, declared are %d", s.Scenario, in.Manifest.EnvID, m.Realized["distractor_count"], m.Complexity.DistractorCount)
		}
		if s.Family == "script_repair" && m.Realized["composition_mode"] != files.ModeCompositional && len(in.Defects) != m.Complexity.TransformationCount {
			t.Errorf("%s %s: %d defects, declared are %d", s.Scenario, in.Manifest.EnvID, len(in.Defects), m.Complexity.TransformationCount)
		}
	})
}

// A profile of a spec's own drives what it can, and is refused where it would be a false label.
func TestProfilesDriveGeneration(t *testing.T) {
	for _, f := range builtin.Families() {
		for d := files.MinDifficulty; d <= files.MaxDifficulty; d++ {
			s := files.NewSpec(f.Name(), d, 7)
			usual, err := builtin.Families().Compile(s)
			if err != nil {
				t.Fatal(err)
			}
			p := f.Complexity(d)
			p.DistractorCount++
			s.Complexity = &p
			more, err := builtin.Families().Compile(s)
			if err != nil {
				t.Errorf("%s of difficulty %d with a distractor more: %v", f.Name(), d, err)
				continue
			}
			if len(more.Visible) != len(usual.Visible)+1 || more.Manifest.Metadata.Realized["distractor_count"] != p.DistractorCount {
				t.Errorf("%s of difficulty %d: asked for %d distractors, there are %v in %d files, without it %d files",
					f.Name(), d, p.DistractorCount, more.Manifest.Metadata.Realized["distractor_count"], len(more.Visible), len(usual.Visible))
			}
			p.ReasoningHops++
			if _, err := builtin.Families().Compile(s); err == nil || !strings.Contains(err.Error(), "complexity_profile: reasoning_hops is ") {
				t.Errorf("%s of difficulty %d with a hop more: %v", f.Name(), d, err)
			}
		}
	}
	s := files.NewSpec("script_repair", 2, 7)
	p := builtin.Families()[1].Complexity(2)
	s.Complexity = &p
	for n, want := range map[int]string{1: "", 2: "", 3: "", 0: "there are 1 to 3 defects", 4: "there are 1 to 3 defects"} {
		p.TransformationCount = n
		in, err := builtin.Families().Compile(s)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) || err == nil && len(in.Defects) != n {
			t.Errorf("%d transformations: %v", n, err)
		}
	}
}
