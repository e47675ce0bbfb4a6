package sample_test

import (
	"testing"

	"benchwright/sim/files/internal/sample"
)

// Profiles go by the last digit: 0–2, 3–7, 8–9 or 0–1, 2–6, 7–9. Modes go by the parity.
func TestAFewSeedsHaveEveryProfileInBothModes(t *testing.T) {
	t.Setenv(sample.Variable, "")
	for _, firsts := range [][]int64{{0, 3, 8}, {0, 2, 7}} {
		met := map[[2]int64]bool{}
		for _, seed := range sample.Seeds(5) {
			profile := int64(0)
			for i, first := range firsts {
				if seed%10 >= first {
					profile = int64(i)
				}
			}
			met[[2]int64{profile, seed % 2}] = true
		}
		if len(met) != 6 {
			t.Errorf("with profiles from %v: only %v", firsts, met)
		}
	}
}

func TestASweepTakesAllSeeds(t *testing.T) {
	t.Setenv(sample.Variable, "25")
	if all, some := sample.Seeds(2), sample.Runs(2); len(all) != 25 || all[24] != 24 || len(some) != 3 {
		t.Errorf("seeds %v, of which %v are run", all, some)
	}
	defer func() {
		if recover() == nil {
			t.Error("a sweep over many seeds was accepted, which is none")
		}
	}()
	t.Setenv(sample.Variable, "many")
	sample.Wide()
}
