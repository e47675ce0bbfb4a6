package repair

import (
	"testing"

	"benchwright/sim/files"
	"benchwright/sim/files/exam/examtest"
	"benchwright/sim/files/internal/sample"
)

// TestSeedsCompile also demands that each defect is met, and finds its place, in some seed.
func TestSeedsCompile(t *testing.T) {
	for _, s := range (Family{}).Scenarios() {
		for d := 1; d <= 5; d++ {
			examtest.Compiles(t, Family{}, s.ID, d, defectsOf(s.ID, d))
		}
	}
}

// defectsOf is how many defects a scenario has at a difficulty: 3 that are always there, 2 or 3
// from 4 on, and the settings.
func defectsOf(scenario string, d int) int {
	more := 2
	if scenario == batch || scenario == roster {
		more = 3
	}
	return [...]int{3, 3, 3, 3 + more, 4 + more}[d-1]
}

// TestDefectsMatter runs subsets of repairs with real Python.
func TestDefectsMatter(t *testing.T) {
	for _, s := range (Family{}).Scenarios() {
		t.Run(s.ID, func(t *testing.T) {
			var instances []*files.Instance
			for d := 1; d <= 5; d++ {
				for _, seed := range sample.Runs(d) {
					instances = append(instances, examtest.Compile(t, Family{}, s.ID, d, seed))
				}
			}
			for _, l := range examtest.Draw(t, instances...) {
				l.Check(t)
			}
		})
	}
}
