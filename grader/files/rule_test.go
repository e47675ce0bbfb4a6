package files

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/files"
	"benchwright/sim/files/sandbox"
)

type left struct{ ev grader.Evidence }

func (l left) Evidence(int) (grader.Evidence, error) { return l.ev, nil }

// A verdict by the rule, also by one that went through JSON, has the evaluator's score, subscores
// and labels.
func TestRulesTravel(t *testing.T) {
	g := New(library, nil)
	s := spec("retrieval_workspace", "migration_plan_bundle", 3, 11)
	in, err := library.Compile(s)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := in.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := world.Load(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	for name, rule := range map[string]*Evaluated{"spec": g.Rule(s), "folder": g.RuleOf(loaded)} {
		raw, err := json.Marshal(grader.Check{Rule: rule})
		if err != nil {
			t.Fatal(err)
		}
		back, err := g.Rules().Decode(raw)
		if err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(back)
		if err != nil || string(again) != string(raw) {
			t.Errorf("%s: encoded, decoded and encoded it is another: %v\n%s\n%s", name, err, raw, again)
		}
		if !slices.Equal(back.Rule.Codes(), rule.Codes()) || len(rule.Codes()) != 3 {
			t.Errorf("%s: codes %q, %q", name, rule.Codes(), back.Rule.Codes())
		}
		if about, err := back.Rule.(*Evaluated).Instance(); err != nil || about.MarshalManifest() != in.MarshalManifest() {
			t.Errorf("%s: the rule is about another instance: %v", name, err)
		}
		for _, tree := range []world.Tree{in.Solved(), in.Visible} {
			want, err := g.evaluate(t.Context(), in, tree)
			if err != nil {
				t.Fatal(err)
			}
			v := grader.Grade(t.Context(), []grader.Check{back}, left{evidence(t, tree)})
			if (v.Outcome == grader.Passed) != want.Success || Score(v) != want.Score {
				t.Errorf("%s: %s with %g, the evaluator says %+v", name, v.Outcome, Score(v), want)
			}
			got, ok := ResultOf(v)
			want.RuntimeSeconds, want.Diagnostics, got.Diagnostics = 0, nil, nil
			if !ok || string(sim.MustCanonical(got)) != string(sim.MustCanonical(want)) {
				t.Errorf("%s: %+v, want %+v", name, got, want)
			}
		}
	}
}

func TestScoreOfVerdictsWithoutAnEvaluator(t *testing.T) {
	if got := Score(grader.Verdict{Score: 0.25}); got != 0.25 {
		t.Errorf("score %g", got)
	}
	if _, ok := ResultOf(grader.Verdict{}); ok {
		t.Error("a result of nothing")
	}
}

func TestRulesAreReadStrictly(t *testing.T) {
	for _, raw := range []string{`{}`, `{"spec":{"env_family":"tabular","difficulty":9,"seed":1}}`, `{"spec":{"env_family":"tabular","difficulty":1,"seed":1},"more":1}`, `{"sealed":{"hiden":{}}}`} {
		check := `{"rule":"files.evaluated","args":` + raw + `}`
		if c, err := Rules(library, nil).Decode([]byte(check)); err == nil {
			if _, err := c.Rule.(*Evaluated).Instance(); err == nil {
				t.Errorf("%s was read", raw)
			}
		}
	}
}

// fake is a machine that answers as a test wants it to.
type fake struct {
	err    error
	starts int
}

// Observe says of every job that it failed.
func (f *fake) Observe(_ context.Context, _, _ string, _ int, request []byte, _ sandbox.Limits) (sandbox.Result, error) {
	f.starts++
	var out []byte
	var head struct{ Token string }
	n := 0
	for at, message := range bytes.SplitAfter(request, []byte("\n"))[1:] { // all but the first line begin with JSON
		message = bytes.TrimRight(message, "0123456789\n")
		var jobs []struct{ ID string }
		if at == 0 {
			json.Unmarshal(message, &head)
		} else if json.Unmarshal(message, &jobs) == nil {
			for _, j := range jobs {
				out = fmt.Appendf(out, "%s {\"id\": %q, \"state\": \"failed\", \"exit\": 1}\n", head.Token, j.ID)
				n++
			}
		}
	}
	out = fmt.Appendf(out, "%s {\"observed\": %d}\n", head.Token, n)
	return sandbox.Result{Stdout: out}, f.err
}

// Where code cannot be run there is no score, and it is nobody's doing.
func TestWithoutAMachineTheVerdictIsBroken(t *testing.T) {
	s := spec("pipeline", "sales_csv_pipeline", 2, 4)
	in, err := library.Compile(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		m     Machine
		layer grader.Layer
	}{
		{"no-machine", nil, grader.LayerToolRuntime},
		{"refused", &fake{err: fmt.Errorf("no walls: %w", sandbox.ErrRefused)}, grader.LayerToolRuntime},
		{"went-wrong", &fake{err: errors.New("no such folder")}, grader.LayerGrader},
	} {
		v := grader.Grade(t.Context(), []grader.Check{{Rule: New(library, c.m).Rule(s)}}, left{evidence(t, in.Solved())})
		if v.Outcome != grader.Broken || v.Layer != c.layer {
			t.Errorf("%s: %s, %s, %s", c.name, v.Outcome, v.Layer, v.Reason)
		}
	}
}

// A machine on which everything fails, fails what was left, and is asked once a workspace, with a
// start for each seed of hashes.
func TestResultsAreRemembered(t *testing.T) {
	m := &fake{}
	g := New(library, m)
	in := compile(t, "pipeline", "sales_csv_pipeline", 2, 4)
	other := in.Visible.With(world.Tree{"run_pipeline.py": "raise SystemExit(1)\n"})
	for range 3 {
		r, err := g.evaluate(t.Context(), in, other)
		if err != nil || r.Success || r.Score != 0 {
			t.Fatalf("%+v, %v", r, err)
		}
		r.Subscores["spoilt"] = 1 // what is remembered is nobody else's
		r.FailureLabels[0] = "spoilt"
	}
	if m.starts != 2 {
		t.Errorf("%d starts", m.starts)
	}
	if _, err := g.evaluate(t.Context(), in, in.Visible); err != nil || m.starts != 4 {
		t.Errorf("%d starts, %v", m.starts, err)
	}
	// One path that goes on as the next begins is not two.
	a, b := world.Tree{"a": "bc"}, world.Tree{"ab": "c"}
	if keyOf(in, a) == keyOf(in, b) || keyOf(in, a) != keyOf(in, world.Tree{"a": "bc"}) {
		t.Error("keys")
	}
	m.err = errors.New("out of order")
	if _, err := g.evaluate(t.Context(), in, world.Tree{"x": ""}); err == nil {
		t.Error("no error")
	}
	m.err = nil
	if _, err := g.evaluate(t.Context(), in, world.Tree{"x": ""}); err != nil {
		t.Errorf("an error was remembered: %v", err)
	}
}

// Bundles of others: artifacts and pipelines are graded by their published files, and what would
// have to be believed is refused.
func TestInstancesOfOthers(t *testing.T) {
	const theirs = "swg.evaluators:Evaluator"
	artifact := instance(theirs, "tabular", 2, world.Tree{configName: `{"sort_by":["k"],"kind":7}`, "expected_output.json": fourRows})
	artifact.Manifest.Metadata.Layout.OutputPath = "outputs/report.json"
	r, err := New(library, nil).evaluate(t.Context(), artifact, world.Tree{"outputs/report.json": fourRows})
	if err != nil || !r.Success {
		t.Errorf("%+v, %v", r, err)
	}
	script := instance(theirs, "script_repair", 2, world.Tree{configName: `{}`, "run_hidden_tests.py": "print('{}')", "solution_files.json": "{}"})
	for _, family := range []string{"script_repair", "composite_workspace"} {
		script.Manifest.Family = family
		v := grader.Grade(t.Context(), []grader.Check{{Rule: New(library, &fake{}).RuleOf(script)}}, left{evidence(t, world.Tree{"a": ""})})
		if v.Outcome != grader.Broken || v.Layer != grader.LayerGrader || !strings.Contains(v.Reason, "believed") {
			t.Errorf("%s: %s, %s: %s", family, v.Outcome, v.Layer, v.Reason)
		}
		if _, err := New(library, &fake{}).evaluate(t.Context(), script, world.Tree{}); err == nil || !strings.Contains(err.Error(), "cases.json") {
			t.Errorf("%s: %v", family, err)
		}
	}
	flow := instance(theirs, "pipeline", 2, world.Tree{configName: `{}`, "expected_output.json": fourRows})
	flow.Manifest.Metadata.Task = map[string]any{"entrypoint": "python run_pipeline.py", "required_output_path": "artifacts/x.json"}
	s, _, err := rowsExam{}.sheet(flow, nil)
	if err != nil || s.Cases[0].Script[0] != "run_pipeline.py" || s.Cases[0].Read[0] != "artifacts/x.json" {
		t.Errorf("%+v, %v", s, err)
	}
	flow.Manifest.Family = "juggling"
	if _, err := New(library, nil).evaluate(t.Context(), flow, world.Tree{}); err == nil || !strings.Contains(err.Error(), "juggling") {
		t.Errorf("an unknown family: %v", err)
	}
}

// own is an evaluator of an outside family.
type own struct{}

func (own) Labels(*world.Instance) []string { return []string{"too_short"} }
func (own) Runs(*world.Instance) bool       { return false }
func (own) Evaluate(_ context.Context, in *world.Instance, left world.Tree, _ Observer) (Result, error) {
	if len(left["essay.txt"]) >= len(in.Hidden["length"]) {
		return Result{Success: true, Score: 1}, nil
	}
	return Result{Score: 0.5, FailureLabels: []string{"too_short"}, Subscores: map[string]float64{"length": 1. / 3}}, nil
}

// mute fails and does not say why.
type mute struct{ own }

func (mute) Evaluate(context.Context, *world.Instance, world.Tree, Observer) (Result, error) {
	return Result{Score: 0.5}, nil
}

func TestAnOutsideEvaluator(t *testing.T) {
	g := New(library, nil, Evaluators{"essays:Length": own{}})
	in := instance("essays:Length", "essays", 1, world.Tree{"length": "....."})
	rule := g.RuleOf(in)
	for text, want := range map[string]float64{"four": 0.5, "enough": 1} {
		v := grader.Grade(t.Context(), []grader.Check{{Rule: rule}}, left{evidence(t, world.Tree{"essay.txt": text})})
		if Score(v) != want || (v.Outcome == grader.Passed) != (want == 1) {
			t.Errorf("%s: %s, %g, %s", text, v.Outcome, Score(v), v.Reason)
		}
		if r, ok := ResultOf(v); want < 1 && (!ok || r.Subscores["length"] != 0.333333) {
			t.Errorf("%+v", r)
		}
	}
	if r, err := New(library, nil, Evaluators{"essays:Length": mute{}}).evaluate(t.Context(), in, world.Tree{}); err == nil {
		t.Errorf("a failure without a label: %+v", r)
	}
	if codes := rule.Codes(); len(codes) != 1 || codes[0] != "too_short" {
		t.Errorf("codes %q", codes)
	}
}

// Findings are safe to print: what an agent wrote comes as JSON, and not at any length.
func TestFindingsAreSafeToPrint(t *testing.T) {
	s := spec("tabular", "monthly_segment_report", 2, 7)
	in, err := library.Compile(s)
	if err != nil {
		t.Fatal(err)
	}
	path := in.Manifest.Metadata.Layout.OutputPath
	nasty := `[{"\u001b[2J` + strings.Repeat("k", 100_000) + `":"\u001b]0;x\u0007"}` + strings.Repeat(`,{"a":"`+strings.Repeat("b", 1000)+`"}`, 1000) + "]"
	fs, err := New(library, nil).Rule(s).Grade(t.Context(), evidence(t, in.Visible.With(world.Tree{path: nasty})))
	if err != nil || len(fs) != 1 {
		t.Fatal(fs, err)
	}
	if m := fs[0].Message; len(m) > 6000 || strings.ContainsFunc(m, func(r rune) bool { return r < ' ' && r != '\n' }) {
		t.Errorf("%d bytes: %.300q", len(m), m)
	}
}
