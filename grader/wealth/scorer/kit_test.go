package scorer_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"benchwright/grader/wealth/scorer"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares got with testdata/name.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with -update", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (- wanted, + found):\n%s", path, diff)
	}
}

// authored returns a task file. Package steps/wealth has the test that it is the published one.
func authored(t testing.TB, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// oracle returns the known-correct records.
func oracle(t testing.TB) []scorer.Prediction {
	t.Helper()
	var out []scorer.Prediction
	for line := range bytes.Lines(authored(t, "oracle-contracts.jsonl")) {
		p, err := scorer.ParsePrediction(line)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

// lines writes records as a predictions file.
func lines(t testing.TB, records ...scorer.Prediction) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, p := range records {
		line, err := p.Line()
		if err != nil {
			t.Fatal(err)
		}
		b.Write(line)
	}
	return b.Bytes()
}

func score(t testing.TB, predictions []byte) scorer.Report {
	t.Helper()
	r, err := scorer.Score(predictions, authored(t, "cases.json"), "inputs")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// labelsOf returns the labels of a case.
func labelsOf(t testing.TB, r scorer.Report, id string) []string {
	t.Helper()
	for _, c := range r.Cases {
		if c.CaseID == id {
			return c.Labels
		}
	}
	t.Fatalf("no case %s in the report", id)
	return nil
}

func ref[T any](v T) *T { return &v }
