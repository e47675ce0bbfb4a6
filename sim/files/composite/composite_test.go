package composite

import (
	"flag"
	"fmt"
	"testing"

	"benchwright/sim/files/exam/examtest"
)

var seeds = flag.Int64("seeds", 0, "run so many seeds of every difficulty with Python, which takes long")

// TestEverySeedCompiles also demands that each defect is met, and finds its place, in some seed.
func TestEverySeedCompiles(t *testing.T) {
	for _, s := range (Family{}).Scenarios() {
		for d := 1; d <= 5; d++ {
			labels := examtest.Compiles(t, Family{}, s.ID, d)
			if want := [...]int{1, 2, 3, 5, 8}[d-1]; len(labels) != want {
				t.Errorf("%s of difficulty %d: met %d defects, want %d", s.ID, d, len(labels), want)
			}
		}
	}
}

// TestDefectsMatter runs subsets of repairs with real Python.
func TestDefectsMatter(t *testing.T) {
	for _, s := range (Family{}).Scenarios() {
		for d, seed := range map[int]int64{4: 4, 5: 7} { // seed 7 is compositional, and has the most defects
			t.Run(fmt.Sprintf("%s/%d", s.ID, d), func(t *testing.T) {
				t.Parallel()
				check(t, s.ID, d, seed)
			})
		}
	}
}

func TestDefectsMatterInManySeeds(t *testing.T) {
	if *seeds == 0 {
		t.Skip("SKIPPED: takes long: go test -run ManySeeds -seeds 60 -timeout 3h")
	}
	for _, s := range (Family{}).Scenarios() {
		for d := 1; d <= 5; d++ {
			for seed := range *seeds {
				check(t, s.ID, d, seed+1)
			}
		}
	}
}

func check(t *testing.T, scenario string, difficulty int, seed int64) {
	t.Helper()
	l := examtest.Draw(t, examtest.Compile(t, Family{}, scenario, difficulty, seed), 3)
	l.Check(t)
}
