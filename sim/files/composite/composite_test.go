package composite

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
			examtest.Compiles(t, Family{}, s.ID, d, [...]int{1, 2, 3, 5, 8}[d-1])
		}
	}
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
