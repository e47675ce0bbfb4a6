package files

import (
	"strings"
	"testing"

	world "benchwright/sim/files"
	"benchwright/sim/files/retrieval"
	"benchwright/sim/files/tabular"
)

const (
	fourRows = `[{"k":"a","n":1.50},{"k":"b","n":2},{"k":"c","n":3},{"k":"d","n":4}]`
	document = `{"name":"x","limits":{"a":1,"b":2},"list":[{"p":"q"}],"none":{}}`
)

func TestArtifactScores(t *testing.T) {
	rows := instance(tabular.RowsEvaluator, "tabular", 3, world.Tree{
		configName: `{"kind":"rows","output_path":"out.json","expected":"expected_output.json"}`, "expected_output.json": fourRows,
	})
	leaves := instance(retrieval.LeavesEvaluator, "retrieval_workspace", 3, world.Tree{
		configName: `{"kind":"leaves","output_path":"out.json","expected":"expected_output.json"}`, "expected_output.json": document,
	})
	missing := "\x00"
	for _, c := range []struct {
		name, left string
		in         *world.Instance
		score      float64
		label      string
		reason     string
	}{
		{"exact", fourRows, rows, 1, "", "what is wanted"},
		{"spelt-otherwise", "[ {\"n\":1.5, \"k\":\"a\"},{\"n\":2.0,\"k\":\"b\"},{\"n\":3e0,\"k\":\"c\"},{\"k\":\"d\",\"n\":4} ]\n", rows, 1, "", "numbers count by their value, keys in any order"},
		{"missing", missing, rows, 0, OutputMissing, "hard state"},
		{"no-json", "month,total\n", rows, 0.2, InvalidJSON, "hard state"},
		{"not-a-number", `[{"k":"a","n":NaN}]`, rows, 0.2, InvalidJSON, "NaN is no JSON"},
		{"a-key-twice", `[{"k":"a","k":"b"}]`, rows, 0.2, InvalidJSON, "which of the two is meant nobody knows"},
		{"not-utf-8", "[{\"k\":\"\xff\"}]", rows, 0.2, InvalidJSON, "bytes that are no text are no JSON"},
		{"too-deep", strings.Repeat("[", 100_000), rows, 0.2, InvalidJSON, "depth is bounded"},
		{"unrelated", `{"status":"done"}`, rows, 0.4, OutputMismatch, "it exists and is JSON, no more"},
		{"empty-list", `[]`, rows, 0.4, OutputMismatch, "no row is no precision"},
		{"another-order", `[{"k":"d","n":4},{"k":"c","n":3},{"k":"b","n":2},{"k":"a","n":1.5}]`, rows, 0.9, OutputMismatch, "right rows in another order"},
		{"one-of-four", `[{"k":"a","n":1.5}]`, rows, 0.75, OutputMismatch, "0.4 + 0.3 · 1 + 0.2 · ¼"},
		{"all-and-more", `[{"k":"a","n":1.5},{"k":"b","n":2},{"k":"c","n":3},{"k":"d","n":4},{"k":"e","n":5},{"k":"e","n":6},{"k":"e","n":7},{"k":"e","n":8}]`, rows, 0.75, OutputMismatch, "0.4 + 0.3 · ½ + 0.2"},
		{"a-row-twice", `[{"k":"a","n":1.5},{"k":"a","n":1.5},{"k":"b","n":2},{"k":"c","n":3},{"k":"d","n":4}]`, rows, 0.84, OutputMismatch, "rows are counted: 0.4 + 0.3 · ⅘ + 0.2"},
		{"true-for-one", strings.Replace(fourRows, "2}", "true}", 1), rows, 0.775, OutputMismatch, "a boolean is no number"},
		{"a-number-as-text", strings.Replace(fourRows, `"n":2`, `"n":"2"`, 1), rows, 0.775, OutputMismatch, "nor is text"},
		{"a-huge-number", strings.Replace(fourRows, `"n":2}`, `"n":2e999999999}`, 1), rows, 0.775, OutputMismatch, "what is never wanted is never written out"},
		{"a-long-number", strings.Replace(fourRows, `"n":2}`, `"n":2`+strings.Repeat("0", 5000)+`}`, 1), rows, 0.775, OutputMismatch, "nor is this"},
		{"wrapped", `{"rows":` + fourRows + `}`, rows, 0.4, OutputMismatch, "rows are a list"},
		{"document", document, leaves, 1, "", "what is wanted"},
		{"document-missing", missing, leaves, 0, OutputMissing, "hard state"},
		{"document-no-json", "{", leaves, 0.2, InvalidJSON, "hard state"},
		{"document-unrelated", `{"z":0}`, leaves, 0.4, OutputMismatch, "no leaf is right"},
		{"a-leaf-wrong", strings.Replace(document, `"a":1`, `"a":9`, 1), leaves, 0.8, OutputMismatch, "four of five: 0.4 + 0.3 · ⅘ + 0.2 · ⅘"},
		{"a-leaf-missing", strings.Replace(document, `,"none":{}`, ``, 1), leaves, 0.86, OutputMismatch, "an empty object is one leaf: 0.4 + 0.3 + 0.2 · ⅘"},
		{"a-further-leaf", strings.Replace(document, `"b":2`, `"b":2,"c":3`, 1), leaves, 0.85, OutputMismatch, "0.4 + 0.3 · ⅚ + 0.2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			left := world.Tree{"out.json": c.left, "README.md": "x"}
			if c.left == missing {
				delete(left, "out.json")
			}
			for _, difficulty := range []int{3, 5} {
				in := *c.in
				in.Manifest.Difficulty = difficulty
				r, err := New(library, nil).evaluate(t.Context(), &in, left)
				if err != nil {
					t.Fatal(err)
				}
				want := c.score
				if difficulty == 5 {
					want = c.score * c.score * c.score
					if raw, there := r.Diagnostics["d5_raw_partial_score"]; there != (c.score < 1) || there && !near(raw.(float64), c.score) {
						t.Errorf("the raw score is kept as %v", raw)
					}
				}
				if !near(r.Score, want) {
					t.Errorf("difficulty %d: score %g, want %g: %s", difficulty, r.Score, want, c.reason)
				}
				if r.Success != (c.score == 1) || c.label != "" && !has(r.FailureLabels, c.label) {
					t.Errorf("success %t, labels %q", r.Success, r.FailureLabels)
				}
				r.JSON() // whatever was left can be recorded
			}
		})
	}
}

// What an artifact is called is not what is looked at: links and files that are not kept are missing.
func TestLinksAndFilesThatAreNotKeptAreMissing(t *testing.T) {
	in := compile(t, "tabular", "monthly_segment_report", 2, 7)
	rule := New(library, nil).Rule(spec("tabular", "monthly_segment_report", 2, 7))
	path := in.Manifest.Metadata.Layout.OutputPath
	for name, raw := range map[string]string{
		"link": `{"files":{"copy.json":{"text":"[]"}},"folders":[],"links":{"` + path + `":"../copy.json"},"submission":null,"submitted":false}`,
		"big":  `{"files":{"` + path + `":{"sha256":"` + world.FileDigest("x") + `","size":9000000}},"folders":[],"links":{},"submission":null,"submitted":false}`,
	} {
		st, err := library.Kind(nil).Decode([]byte(raw), nil)
		if err != nil {
			t.Fatal(err)
		}
		ev := evidence(t, in.Visible)
		ev.Final = st
		fs, err := rule.Grade(t.Context(), ev)
		if err != nil || len(fs) != 1 || fs[0].Code != OutputMissing {
			t.Errorf("%s: %v, %v", name, fs, err)
		}
	}
}

func TestDiagnosticsShowTheDifference(t *testing.T) {
	in := instance(tabular.RowsEvaluator, "tabular", 3, world.Tree{"expected_output.json": fourRows, configName: `{"output_path":"out.json"}`})
	r, err := New(library, nil).evaluate(t.Context(), in, world.Tree{"out.json": `[{"k":"a","n":1.5},{"k":"b","n":99},{"k":"c","n":3}]`})
	if err != nil {
		t.Fatal(err)
	}
	text := string(r.JSON())
	for _, want := range []string{"first_difference", `"index": 1`, "missing_rows", "unexpected_rows", "schema_keys", "expected_preview", "actual_preview", `"required_path": "out.json"`, `"expected": 4`} {
		if !strings.Contains(text, want) {
			t.Errorf("the diagnostics lack %s:\n%s", want, text)
		}
	}
}

func BenchmarkRows(b *testing.B) {
	in := compile(b, "tabular", "monthly_segment_report", 3, 7)
	g := New(library, nil)
	solved := in.Solved()
	for b.Loop() {
		if r, err := g.evaluate(b.Context(), in, solved); err != nil || !r.Success {
			b.Fatal(err)
		}
	}
}
