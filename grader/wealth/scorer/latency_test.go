package scorer_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"benchwright/grader/wealth/scorer"
)

// timed returns the n-th known-correct record with times: wall for the case, and one decision for
// each of the durations.
func timed(t *testing.T, n int, wall float64, durations ...float64) scorer.Prediction {
	t.Helper()
	p := oracle(t)[n]
	p.RunKind, p.WallMS, p.Decisions = scorer.KindModel, ref(wall), nil
	for i, d := range durations {
		p.Decisions = append(p.Decisions, scorer.Decision{
			Index: i + 1, Kind: scorer.DecisionTool, DurationMS: ref(d), LoadMS: ref(d / 10), OutputMS: ref(d / 2),
			PromptTokens: ref(int64(100)), OutputTokens: ref(int64(20)), DoneReason: "stop",
		})
	}
	return p
}

func failed(p scorer.Prediction) scorer.Prediction {
	p.Status, p.Result, p.Error = scorer.Failed, nil, &scorer.Error{Code: "deadline_exceeded", Detail: "30s are over"}
	return p
}

func TestLatency(t *testing.T) {
	file := lines(t,
		timed(t, 0, 1000, 600, 200, 150), timed(t, 1, 400, 100, 300), timed(t, 2, 500, 250),
		failed(timed(t, 3, 30000, 29000, 900)), timed(t, 4, 450, 220, 210),
	)
	l, problems := scorer.Summarise(append(file, "torn"...))
	if len(problems) != 1 || l.InvalidLines != 1 {
		t.Errorf("problems %+v, invalid lines %d", problems, l.InvalidLines)
	}
	raw, err := l.Encode()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "latency.json", raw)
	if l.CaseWallMS.Max > 1000 || l.DecisionMS.Max > 600 {
		t.Error("a failed record is among the percentiles")
	}
}

func TestPercentilesAreByNearestRank(t *testing.T) {
	for _, tt := range []struct {
		name   string
		values int // 1 to n, in milliseconds
		want   scorer.Percentiles
		reason string
	}{
		{"one", 1, scorer.Percentiles{P50: 1, P90: 1, P95: 1, Max: 1}, "one value is every percentile"},
		{"two", 2, scorer.Percentiles{P50: 1, P90: 2, P95: 2, Max: 2}, "half of two is the first"},
		{"ten", 10, scorer.Percentiles{P50: 5, P90: 9, P95: 10, Max: 10}, "no value is made up between two"},
		{"twenty", 20, scorer.Percentiles{P50: 10, P90: 18, P95: 19, Max: 20}, "95 % of twenty is the nineteenth"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var records []scorer.Prediction
			for i := range tt.values {
				records = append(records, timed(t, i, float64(i+1), 1))
			}
			slices.Reverse(records)
			l, _ := scorer.Summarise(lines(t, records...))
			if diff := cmp.Diff(&tt.want, l.CaseWallMS); diff != "" {
				t.Errorf("since %s (-want +got):\n%s", tt.reason, diff)
			}
		})
	}
}

func TestWhatIsUnknownIsNull(t *testing.T) {
	p := timed(t, 0, 10, 4, 3)
	p.Decisions[1].OutputTokens, p.Decisions[0].OutputMS, p.WallMS = nil, nil, nil
	l, _ := scorer.Summarise(lines(t, p))
	if l.OutputTokens != nil || l.PromptTokens == nil || *l.PromptTokens != 200 || l.CaseWallMS != nil || l.TokensPerSecond != nil {
		t.Errorf("%+v", l)
	}
	if l, _ := scorer.Summarise(nil); l.Records != 0 || l.DecisionMS != nil || l.LoadMSMax != nil || l.PromptTokens != nil {
		t.Errorf("of nothing: %+v", l)
	}
	if l, problems := scorer.Summarise(authored(t, "oracle-contracts.jsonl")); l.Completed != 24 || l.DecisionMS != nil || len(problems) > 0 {
		t.Errorf("of records without times: %+v", l)
	}
}
