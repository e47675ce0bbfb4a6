package scorer_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"benchwright/grader/wealth/scorer"
)

func TestTheOraclePasses(t *testing.T) {
	r := score(t, authored(t, "oracle-contracts.jsonl"))
	if r.Passed != 24 || r.Attempted != 24 || r.Submitted != 24 || r.Failed+r.Missing+r.Duplicates != 0 || len(r.Errors) > 0 {
		t.Errorf("passed %d of %d, submitted %d, errors %v", r.Passed, r.Attempted, r.Submitted, r.Errors)
	}
	if r.Critical != (scorer.Critical{Attempted: 12, Passed: 12}) || r.FamiliesTotal != 8 || r.FamiliesPassed != 8 || r.RunKind != scorer.KindOracle {
		t.Errorf("critical %+v, families %d of %d, kind %s", r.Critical, r.FamiliesPassed, r.FamiliesTotal, r.RunKind)
	}
	for _, c := range r.Cases {
		if !c.Passed || len(c.Labels) > 0 {
			t.Errorf("%s: %q", c.CaseID, c.Labels)
		}
	}
}

// TestEqualSpellingsPass spells what is right in other ways.
func TestEqualSpellingsPass(t *testing.T) {
	for _, tt := range []struct {
		name, old, new string
		reason         string
	}{
		{"value-number", `"value":"3345563.94"`, `"value":3345563.94`, "a JSON number token is a value too"},
		{"value-zeros", `"value":"3345563.94"`, `"value":"3345563.9400"`, "decimals are equal by value"},
		{"argument-zeros", `"principal":"2500000"`, `"principal":"2500000.00"`, "and so are arguments"},
		{"evidence-order", `"evidence_ids":["pf-H-A-2026-08-31","cf-H-A-2026-08","calc-cov-v1"]`, `"evidence_ids":["calc-cov-v1","cf-H-A-2026-08","pf-H-A-2026-08-31"]`, "evidence is a set"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := string(authored(t, "oracle-contracts.jsonl"))
			if !strings.Contains(file, tt.old) {
				t.Fatalf("the oracle does not say %s", tt.old)
			}
			if r := score(t, []byte(strings.ReplaceAll(file, tt.old, tt.new))); r.Passed != 24 {
				t.Errorf("since %s: %v", tt.reason, r.LabelCounts)
			}
		})
	}
}

// TestEveryAcceptedTracePasses lets the two reads of one family change places.
func TestEveryAcceptedTracePasses(t *testing.T) {
	swap := strings.NewReplacer(`"name":"read_portfolio"`, `"name":"read_cashflow"`, `"name":"read_cashflow"`, `"name":"read_portfolio"`)
	r := score(t, []byte(swap.Replace(emergency(string(authored(t, "oracle-contracts.jsonl"))))))
	if r.Passed != 3 || r.Submitted != 3 {
		t.Errorf("%d of %d passed: %v", r.Passed, r.Submitted, r.LabelCounts)
	}
}

// emergency returns the lines of one family.
func emergency(file string) string {
	var b strings.Builder
	for line := range strings.Lines(file) {
		if strings.Contains(line, `"emergency_cover"`) {
			b.WriteString(line)
		}
	}
	return b.String()
}

func TestFilesWithErrorsNeverRaiseTheCount(t *testing.T) {
	good := string(authored(t, "oracle-contracts.jsonl"))
	first, rest, _ := strings.Cut(good, "\n")
	replaced := func(old, new string) string { return strings.Replace(first, old, new, 1) + "\n" + rest }
	type counts struct{ Passed, Submitted, Missing, Duplicates int }
	for _, tt := range []struct {
		name   string
		file   string
		labels []string // of WO-1-en
		counts counts
		errors []string // label, and a piece of the detail
		reason string
	}{
		{"deleted", rest, []string{"missing_prediction"}, counts{23, 23, 1, 0}, nil, "the denominator stays"},
		{"doubled", first + "\n" + good, []string{"duplicate_prediction"}, counts{23, 24, 0, 1}, []string{"duplicate_prediction", "neither counts"}, "nobody says which of the two is meant"},
		{"doubled-unlike", replaced(`"answer"`, `"refuse"`) + first + "\n", []string{"duplicate_prediction"}, counts{23, 24, 0, 1}, []string{"duplicate_prediction", "neither counts"}, "a second try is no second chance"},
		{"no-run-kind", replaced(`"run_kind":"oracle",`, ""), []string{"invalid_record"}, counts{23, 23, 1, 0}, []string{"invalid_record", "run_kind is missing"}, "what was run must be said"},
		{"other-run-kind", replaced(`"run_kind":"oracle"`, `"run_kind":"model"`), []string{}, counts{1, 1, 23, 0}, []string{"invalid_record", `of kind "model"`}, "23 solutions do not help a model"},
		{"mixed-run-kinds", rest + strings.Replace(first, `"oracle"`, `"model"`, 1), []string{"invalid_record"}, counts{23, 23, 1, 0}, []string{"invalid_record", `of kind "oracle"`}, "nor does a model's record help a self-check"},
		{"unknown-run-kind", replaced(`"run_kind":"oracle"`, `"run_kind":"human"`), []string{"invalid_record"}, counts{23, 23, 1, 0}, []string{"invalid_record", `run_kind "human"`}, "there are three kinds"},
		{"unknown-case", strings.Replace(first, "WO-1-en", "WO-9-en", 1) + "\n" + good, []string{}, counts{24, 24, 0, 0}, []string{"unknown_case", `"WO-9-en"`}, "25 records are still 24 cases"},
		{"not-json", "not json\n" + rest, []string{"missing_prediction"}, counts{23, 23, 1, 0}, []string{"invalid_record", "not JSON"}, "nobody knows whose it was"},
		{"torn", good[:len(good)-40], []string{}, counts{23, 23, 1, 0}, []string{"invalid_record", "not JSON"}, "the writer was killed"},
		{"blank-line", "\n" + good, []string{}, counts{24, 24, 0, 0}, []string{"invalid_record", "not JSON"}, "every line is a record"},
		{"array", "[" + first + "]\n" + rest, []string{"missing_prediction"}, counts{23, 23, 1, 0}, []string{"invalid_record", "want an object"}, "a record is an object"},
		{"duplicate-key", replaced(`"writes":0`, `"writes":1,"writes":0`), []string{"missing_prediction"}, counts{23, 23, 1, 0}, []string{"invalid_record", "duplicate key"}, "the last one does not win"},
		{"other-case-of-letters", replaced(`"writes":0`, `"Writes":0`), []string{"invalid_record"}, counts{23, 23, 1, 0}, []string{"invalid_record", "writes is missing"}, "names are exact"},
		{"unknown-field", replaced(`"writes":0`, `"writes":0,"passed":true`), []string{"invalid_record"}, counts{23, 23, 1, 0}, []string{"invalid_record", `"passed": there is no such field`}, "a record gives itself no marks"},
		{"null-field", replaced(`"writes":0`, `"writes":null`), []string{"invalid_record"}, counts{23, 23, 1, 0}, []string{"invalid_record", "writes: want a number"}, "a count is a count"},
		{"forged-result", replaced(`"outcome":"answer"`, `"outcome":"answer","tool_calls":[]`), []string{"invalid_record"}, counts{23, 23, 1, 0}, []string{"invalid_record", "a runner copies only"}, "no runner wrote this"},
		{"forged-claim", replaced(`"unit":"INR"`, `"unit":"INR","confidence":1`), []string{"invalid_record"}, counts{23, 23, 1, 0}, []string{"invalid_record", `"confidence"`}, "nor this"},
		{"completed-without-result", replaced(`"result":{`, `"result":null,"x":{`), []string{"invalid_record"}, counts{23, 23, 1, 0}, []string{"invalid_record", `"x"`}, "an unknown field"},
		{"failed-with-result", replaced(`"status":"completed","error":null`, `"status":"failed","error":{"code":"http_status","detail":""}`), []string{"invalid_record"}, counts{23, 23, 1, 0}, []string{"invalid_record", "an error and no result"}, "it contradicts itself"},
		{"failed-without-error", replaced(`"status":"completed"`, `"status":"failed"`), []string{"invalid_record"}, counts{23, 23, 1, 0}, []string{"invalid_record", "an error and no result"}, "why it failed must be said"},
		{"call-left-out", replaced(`"tool_calls":[{"index":1`, `"tool_calls":[{"index":2`), []string{"invalid_record"}, counts{23, 23, 1, 0}, []string{"invalid_record", "none is left out"}, "a trace has no holes"},
		{"other-language", replaced(`"language":"en"`, `"language":"hi"`), []string{"invalid_record"}, counts{23, 23, 1, 0}, []string{"invalid_record", "the case is of future_value_projection in en"}, "it is not the record of this case"},
		{"old-schema", replaced(`wealthops.prediction/1`, `wealthops.prediction/0`), []string{"invalid_record"}, counts{23, 23, 1, 0}, []string{"invalid_record", "this version reads"}, "another form of record"},
		{"negative-time", replaced(`"wall_ms":null`, `"wall_ms":-1`), []string{"invalid_record"}, counts{23, 23, 1, 0}, []string{"invalid_record", "no duration"}, "time does not run backwards"},
		{"empty", "", []string{"missing_prediction"}, counts{0, 0, 24, 0}, nil, "a run that never began"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := score(t, []byte(tt.file))
			if diff := cmp.Diff(tt.labels, labelsOf(t, r, "WO-1-en")); diff != "" {
				t.Errorf("labels, since %s (-want +got):\n%s", tt.reason, diff)
			}
			if diff := cmp.Diff(tt.counts, counts{r.Passed, r.Submitted, r.Missing, r.Duplicates}); diff != "" {
				t.Errorf("counts, since %s (-want +got):\n%s", tt.reason, diff)
			}
			if r.Attempted != 24 || r.Failed != 24-r.Passed {
				t.Errorf("attempted %d, failed %d", r.Attempted, r.Failed)
			}
			if tt.errors == nil && len(r.Errors) > 0 || tt.errors != nil && (len(r.Errors) == 0 || r.Errors[0].Label != tt.errors[0] || !strings.Contains(r.Errors[0].Detail, tt.errors[1])) {
				t.Errorf("errors %+v, want %q", r.Errors, tt.errors)
			}
		})
	}
}

func TestAStoppedRunKeepsItsDenominator(t *testing.T) {
	r := score(t, lines(t, oracle(t)[:10]...))
	if r.Attempted != 24 || r.Submitted != 10 || r.Missing != 14 || r.Passed != 10 || r.LabelCounts["missing_prediction"] != 14 || len(r.Errors) > 0 {
		t.Errorf("%+v", r)
	}
}

// TestReports compares a whole report with a golden file: some cases pass, some fail in one way
// or another, and the file has errors.
func TestReports(t *testing.T) {
	records := oracle(t)
	records[0].Result = bytes.Replace(records[0].Result, []byte("3345563.94"), []byte("3250000.00"), 1)
	records[3].ToolCalls = records[3].ToolCalls[:1]
	records[6].Status, records[6].Result, records[6].Error = scorer.Failed, nil, &scorer.Error{Code: "invalid_json", Detail: "the reply begins with \"Sure\x1b[31m\""}
	records[12].ToolCalls = []scorer.ToolCall{{Index: 1, Name: "read_portfolio", Arguments: json.RawMessage(`{"household_id":"H-B"}`), Status: "denied", Code: "household_out_of_scope"}}
	file := append(lines(t, records[:20]...), lines(t, records[19])...)
	file = append(file, "{\"case_id\":\"WO-\x1b[2J\u202e99\"}\n{\"case_id\":\"WO-7-hinglish\",\"schema\":"...)
	raw, err := score(t, file).Encode()
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "report.json", raw)
	again, err := score(t, file).Encode()
	if err != nil || !bytes.Equal(raw, again) {
		t.Errorf("the same file gives another report: %v", err)
	}
}

func TestTheOrderOfRecordsDoesNotMatter(t *testing.T) {
	records := oracle(t)
	slices.Reverse(records)
	a, b := score(t, authored(t, "oracle-contracts.jsonl")), score(t, lines(t, records...))
	b.PredictionsDigest = a.PredictionsDigest
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("(-in order +reversed):\n%s", diff)
	}
}

func TestManyErrorsAreCut(t *testing.T) {
	r := score(t, bytes.Repeat([]byte("x\n"), 1000))
	if n := len(r.Errors); n != 200 || !strings.Contains(r.Errors[n-1].Detail, "800 more") {
		t.Errorf("%d errors, the last of them %+v", n, r.Errors[n-1])
	}
}

// FuzzPredictionLines puts any bytes before and behind sound records. Nothing panics, nothing
// raises a count, and what is printed obeys nobody.
func FuzzPredictionLines(f *testing.F) {
	records := oracle(f)[:3]
	sound := lines(f, records[1:]...)
	first := lines(f, records[0])
	few, err := scorer.ParseCases(authored(f, "cases.json"))
	if err != nil {
		f.Fatal(err)
	}
	few.Cases = few.Cases[:3] // so that many files are tried
	cases, err := few.Encode()
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range [][]byte{
		first, first[:100], []byte(`{"case_id":"WO-1-en"}`), []byte(`{"case_id":7}`), []byte("\x1b]0;x\x07"), []byte("null"),
		bytes.Replace(first, []byte(`"claims":{`), []byte(`"claims":[{`), 1),
		bytes.Replace(first, []byte(`"3345563.94"`), []byte(`1e999`), 1),
		bytes.Replace(first, []byte(`"arguments":{`), []byte(`"arguments":null,"x":{`), 1),
		[]byte(strings.Repeat("[", 5000)), []byte("\xff\xfe"), append(first, first...),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, junk []byte) {
		for _, file := range [][]byte{append(append(slices.Clone(junk), '\n'), sound...), append(slices.Clone(sound), junk...)} {
			r, err := scorer.Score(file, cases, "")
			if err != nil {
				t.Fatal(err)
			}
			if r.Attempted != 3 || r.Passed > 3 || r.Passed+r.Failed != 3 || r.Submitted+r.Missing != 3 || r.Submitted < r.Passed {
				t.Errorf("%+v", r)
			}
			raw, err := r.Encode()
			if err != nil {
				t.Fatal(err)
			}
			l, _ := scorer.Summarise(file)
			summary, err := l.Encode()
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range string(append(raw, summary...)) {
				if c < ' ' && c != '\n' || c >= 0x7F && c <= 0x9F || c >= 0x202A && c <= 0x202E {
					t.Errorf("the report holds %U", c)
				}
			}
		}
	})
}
