package pipeline

import (
	"testing"

	"benchwright/sim"
	"benchwright/sim/files/exam"
	"benchwright/sim/files/exam/examtest"
)

// rowsNeverScoreLess scores artifacts by their rows as it is published, and demands that no repair
// lowers the score.
func rowsNeverScoreLess(t *testing.T, l *examtest.Lattice) {
	t.Helper()
	m := l.Instance.Manifest
	if m.Evaluator != RowsEvaluator {
		return
	}
	scores := map[int]float64{}
	for subset, runs := range l.Runs {
		for _, c := range []string{"visible", "other"} {
			scores[subset] += rowScore(t, l.Sheet, runs[0][c], m.Metadata.Layout.OutputPath, c+"_rows") / 2
		}
	}
	for subset, score := range scores {
		for i := range l.Instance.Defects {
			if after, there := scores[subset|1<<i]; there && after < score {
				t.Errorf("%s (%s): with %b repaired %f, with %s too %f", m.EnvID, m.Metadata.Scenario, subset, score, l.Instance.Defects[i].ID, after)
			}
		}
		if subset != 1<<len(l.Instance.Defects)-1 && score == 1 {
			t.Errorf("%s (%s): with only %b repaired the score is 1", m.EnvID, m.Metadata.Scenario, subset)
		}
	}
}

func rowScore(t *testing.T, sheet *exam.Sheet, o exam.Observation, path, check string) float64 {
	t.Helper()
	if o.State != "ok" {
		return 0
	}
	if o.Files[path] == nil {
		return 0.05
	}
	got, err := sim.ParseJSON([]byte(*o.Files[path]))
	if err != nil {
		return 0.10
	}
	var want any
	for _, k := range sheet.Checks {
		if k.ID == check {
			want = k.Want
		}
	}
	if exam.SameJSON(got, want) {
		return 1
	}
	have, _ := got.([]any)
	left := map[string]int{}
	for _, row := range want.([]any) {
		left[string(sim.MustCanonical(row))]++
	}
	matches := 0.0
	for _, row := range have {
		if key := string(sim.MustCanonical(row)); left[key] > 0 {
			left[key]--
			matches++
		}
	}
	score := 0.4 + 0.2*matches/float64(len(want.([]any)))
	if len(have) > 0 {
		score += 0.3 * matches / float64(len(have))
	}
	return score
}

func TestRowScoreKnowsPartsAndOrders(t *testing.T) {
	sheet := &exam.Sheet{Checks: []exam.Check{{ID: "x", Want: []any{map[string]any{"a": 1}, map[string]any{"a": 2}}}}}
	for text, want := range map[string]float64{`[{"a":1},{"a":2}]`: 1, `[{"a":2},{"a":1}]`: 0.9, `[]`: 0.4, `[{"a":2}]`: 0.8, `x`: 0.1} {
		if got := rowScore(t, sheet, exam.Observation{State: "ok", Files: map[string]*string{"p": &text}}, "p", "x"); got < want-1e-9 || got > want+1e-9 {
			t.Errorf("%s scores %f, want %f", text, got, want)
		}
	}
}
