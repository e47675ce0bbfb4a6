package files

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"benchwright/grader"
	world "benchwright/sim/files"
	"benchwright/sim/files/exam"
)

const artifactSize = 1 << 20 // what an agent may write with one call

// hostile are artifacts of a size that would cost more than they weigh, were they compared carelessly.
func hostile(size int) map[string]string {
	fill := func(before, text, after string) string {
		return before + strings.Repeat(text, (size-len(before)-len(after))/len(text)) + after
	}
	return map[string]string{
		"a-long-key":         fill(`{"`+strings.Repeat("k", size/2)+`":[0`, ",0", "]}"),
		"long-keys-nested":   fill(strings.Repeat(`{"`+strings.Repeat("k", size/256)+`":`, 100)+"[0", ",0", "]"+strings.Repeat("}", 100)),
		"exponents":          fill("[1e9999", ",1e9999", "]"),
		"negative-exponents": fill("[1e-9999", ",1e-9999", "]"),
		"large-exponents":    fill("[1e999999999", ",1e999999999", "]"),
		"rows-of-exponents":  fill(`[{"a":1e9999}`, `,{"a":1e9999}`, "]"),
		"a-long-number":      fill("[1", "7", "]"),
		"a-long-exponent":    fill("[1e", "7", "]"),
		"empty-lists":        fill("[[]", ",[]", "]"),
		"empty-rows":         fill("[{}", ",{}", "]"),
		"deep":               fill("[0", ","+strings.Repeat("[", 150)+strings.Repeat("]", 150), "]"),
		"escapes":            fill(`["`, `\u0000`, `"]`),
		"long-text":          fill(`["`, "k", `"]`),
	}
}

// costs runs f and fails where it allocates more than so many bytes, or takes longer than any
// comparison.
func costs(t *testing.T, most uint64, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	f()
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > most {
		t.Errorf("it allocated %d MiB, want at most %d", n>>20, most>>20)
	}
	if took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
}

// TestHostileArtifactsCostLittle grades artifacts of the largest size.
func TestHostileArtifactsCostLittle(t *testing.T) {
	for _, in := range []*world.Instance{
		compile(t, "tabular", "weekly_refund_rollup", 2, 3), compile(t, "retrieval_workspace", "incident_report_bundle", 2, 3),
	} {
		g, path := New(library, nil), readConfig(in).output(in)
		for name, text := range hostile(artifactSize) {
			t.Run(in.Manifest.Family+"/"+name, func(t *testing.T) {
				if _, err := parse(text); err != nil {
					t.Fatal(err) // of what is no JSON nothing is compared
				}
				e := evidence(t, in.Visible.With(world.Tree{path: text}))
				var v grader.Verdict
				costs(t, 300*artifactSize, func() {
					v = grader.Grade(t.Context(), []grader.Check{{Rule: g.RuleOf(in)}}, left{e})
				})
				r, ok := ResultOf(v)
				if v.Outcome != grader.Failed || !ok || !has(r.FailureLabels, OutputMismatch) || r.Score > 0.5 {
					t.Errorf("%s, score %g, labels %q; want failed with %s", v.Outcome, r.Score, r.FailureLabels, OutputMismatch)
				}
			})
		}
	}
}

// TestHostileObservationsCostLittle compares the same texts where code left or returned them.
func TestHostileObservationsCostLittle(t *testing.T) {
	in := rowsInstance(t, 3, rowsConfig)
	s, _, err := rowsExam{}.sheet(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Checks = append(s.Checks,
		exam.Check{ID: "keys", Test: "keys", Case: "other", Aspect: exam.Keys, File: "out.json", Want: []any{"k"}},
		exam.Check{ID: "order", Test: "order", Case: "other", Aspect: exam.Order, File: "out.json", By: "k", Want: []any{"c", "d"}})
	const size = artifactSize / 4
	for name, text := range hostile(size) {
		t.Run(name, func(t *testing.T) {
			seen := exam.Run{"visible": ran("out.json", text), "other": ran("out.json", text)}
			var r Result
			costs(t, 600*size, func() { r, err = rowsExam{}.judge(in, s, nil, []exam.Run{seen, seen}) })
			if err != nil || !has(r.FailureLabels, OutputMismatch) {
				t.Errorf("labels %q, %v", r.FailureLabels, err)
			}
			costs(t, 300*size, func() {
				if (adapterCase{Expected: map[string]any{"a": 1}}).holds(`{"a":` + text + `}`) {
					t.Error("it is what was expected")
				}
			})
		})
	}
}

// TestPathsOfTheExpectedAreBounded refuses a bundle whose expected document has the square of itself
// in paths.
func TestPathsOfTheExpectedAreBounded(t *testing.T) {
	in := instance("retrieval_workspace:Leaves", "retrieval_workspace", 3, world.Tree{
		configName: `{"kind":"leaves","output_path":"out.json"}`, "expected_output.json": hostile(artifactSize)["a-long-key"],
	})
	g := New(library, nil)
	const want = "more than 32 MiB together"
	costs(t, 300*artifactSize, func() {
		if err := g.Check(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("opened: %v", err)
		}
		if _, err := g.evaluate(t.Context(), in, world.Tree{"out.json": "{}"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("graded: %v", err)
		}
	})
}

// TestLeavesAreComparedWhereTheyStand keeps what is compared of a document, and what is told of it.
func TestLeavesAreComparedWhereTheyStand(t *testing.T) {
	parsed := func(text string) any {
		v, err := parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	d := map[string]any{}
	o, exact, err := compareLeaves(parsed(`{"a":{"b":[1,3.0]},"c":{},"long_key_beyond_all":[true]}`), parsed(`{"a":{"b":[1.0,2]},"c":{},"d":null}`), d)
	if err != nil || exact || o != (overlap{matches: 2, got: 4, want: 4}) {
		t.Errorf("%+v, exact %t, %v", o, exact, err)
	}
	if got := canon(parsed(string(mustJSON(t, d["missing_paths"])))); got != `["$.d",]` {
		t.Errorf("missing: %s", got)
	}
	if got := string(mustJSON(t, d["unexpected_paths"])); got != `["$.long_key_beyond_all[0]"]` {
		t.Errorf("unexpected: %s", got)
	}
	if got := string(mustJSON(t, d["value_mismatches"])); got != `[{"actual":"3","expected":"2","path":"$.a.b[1]"}]` {
		t.Errorf("mismatches: %s", got)
	}
}
