package scorer_test

import (
	"bytes"
	"strings"
	"testing"

	"benchwright/grader/wealth/scorer"
)

func TestCasesAreReadStrictly(t *testing.T) {
	good := string(authored(t, "cases.json"))
	if c, err := scorer.ParseCases([]byte(good)); err != nil || len(c.Cases) != 24 {
		t.Fatalf("%d cases, %v", len(c.Cases), err)
	}
	for _, tt := range []struct{ name, old, new, want, reason string }{
		{"schema", "wealthops.cases/1", "wealthops.cases/2", "this version reads", "another form"},
		{"unknown-field", `"critical": false`, `"weight": 2, "critical": false`, `"weight": there is no such field`, "no demand is ignored"},
		{"missing-field", `"outcome": "answer",`, ``, "outcome is missing", "a case says all its parts"},
		{"null-field", `"outcome": "answer"`, `"outcome": null`, "outcome: want a string", "and says something"},
		{"mistyped-field", `"critical"`, `"critcal"`, "critical is missing", "the name is told"},
		{"twice", `"WO-1-hi"`, `"WO-1-en"`, "there twice", "one case, one demand"},
		{"bad-id", `"WO-1-en"`, `"WO 1"`, `case_id "WO 1"`, "ids are printed"},
		{"no-decimal", "3345563.94", "3.3e6", "want a plain decimal", "values are exact"},
		{"no-trace", `"accepted_traces": [
        []
      ]`, `"accepted_traces": []`, "the empty one", "no call and no demand are two things"},
		{"bad-status", `"status": "ok"`, `"status": "fine"`, `status "fine"`, "the sandbox has four"},
		{"arguments", `"arguments": {`, `"arguments": [], "x": {`, `"x"`, "a call is a call"},
		{"writes", `"writes": 0`, `"writes": 1`, "no case may demand a write", "nothing is ever written"},
		{"not-json", "{", "", "not JSON", "a broken file"},
		{"duplicate-key", `"critical": false`, `"critical": false, "critical": true`, "duplicate key", "two truths"},
		{"wrong-type", `"critical": false`, `"critical": "no"`, "critical: want true or false", "a flag is a flag"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(good, tt.old) {
				t.Fatalf("the cases do not say %q", tt.old)
			}
			_, err := scorer.Score(nil, []byte(strings.Replace(good, tt.old, tt.new, 1)), "")
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q, since %s", err, tt.want, tt.reason)
			}
		})
	}
	if _, err := scorer.ParseCases([]byte(`{"schema":"wealthops.cases/1","cases":[]}`)); err == nil {
		t.Error("no cases at all are taken for a cases file")
	}
}

func TestCasesKeepTheirBytes(t *testing.T) {
	good := authored(t, "cases.json")
	c, err := scorer.ParseCases(good)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := c.Encode(); err != nil || !bytes.Equal(good, again) {
		t.Errorf("read and written again the cases differ: %v", err)
	}
}

func TestRecordsKeepTheirBytes(t *testing.T) {
	if got := lines(t, oracle(t)...); !bytes.Equal(got, authored(t, "oracle-contracts.jsonl")) {
		t.Error("read and written again the records differ")
	}
}

// TestForeignTextIsCutAndHarmless makes a record of all that a hostile candidate can say.
func TestForeignTextIsCutAndHarmless(t *testing.T) {
	nasty := "\x1b[2J\u009b31m\u202e\u200b\U000e0041\x7f" + strings.Repeat("अ", 40000)
	p := oracle(t)[0]
	p.Decisions[0].Raw, p.Decisions[0].DoneReason = nasty, nasty
	p.ToolCalls[0].Name, p.ToolCalls[0].Arguments = nasty, []byte(`{"a":"`+strings.Repeat("x", 40000)+`"}`)
	p.IgnoredFields = slicesOf(nasty, 1000)
	p = p.Capped()
	line := lines(t, p)
	if len(line) > 64<<10 {
		t.Errorf("the record has %d bytes", len(line))
	}
	for _, r := range string(line) {
		if r < ' ' && r != '\n' || r >= 0x7F && r <= 0x9F || r >= 0x200B && r <= 0x202E && r != 0x200C && r != 0x200D || r >= 0xE0000 {
			t.Errorf("the record holds %U", r)
		}
	}
	back, err := scorer.ParsePrediction(line)
	if err != nil {
		t.Fatal(err)
	}
	if d := back.Decisions[0]; !d.RawTruncated || !strings.HasPrefix(nasty, d.Raw) || len(d.Raw) < 8000 {
		t.Errorf("raw: truncated %v, %d bytes", d.RawTruncated, len(d.Raw))
	}
	if len(back.IgnoredFields) != 64 || !strings.HasSuffix(back.IgnoredFields[63], "more") {
		t.Errorf("%d ignored fields", len(back.IgnoredFields))
	}
	if short := oracle(t)[0].Capped(); !bytes.Equal(lines(t, short), lines(t, oracle(t)[0])) {
		t.Error("a record of decent size is changed")
	}
}

func slicesOf(s string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = s
	}
	return out
}
