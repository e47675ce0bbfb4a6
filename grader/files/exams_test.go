package files

import (
	"testing"

	world "benchwright/sim/files"
	"benchwright/sim/files/exam"
	"benchwright/sim/files/pipeline"
	"benchwright/sim/files/repair"
)

// seen is a run that a test says was seen.
type seen map[string]exam.Observation

func ran(files ...string) exam.Observation {
	o := exam.Observation{State: "ok", Files: map[string]*string{}}
	for i := 0; i < len(files); i += 2 {
		o.Files[files[i]] = &files[i+1]
	}
	return o
}

func sheetTree(t *testing.T, s *exam.Sheet, config string) world.Tree {
	t.Helper()
	hidden, err := s.Files()
	if err != nil {
		t.Fatal(err)
	}
	hidden[configName] = config
	return hidden
}

func rowsInstance(t *testing.T, difficulty int, config string) *world.Instance {
	row := func(k string) any { return map[string]any{"k": k} }
	s := &exam.Sheet{
		Runs: 2, Seconds: 2,
		Cases: []exam.Case{{ID: "visible", Script: []string{"run.py"}, Read: []string{"out.json"}}, {ID: "other", Script: []string{"run.py"}, Read: []string{"out.json"}}},
		Checks: []exam.Check{
			{ID: "visible_runs", Test: "visible_runs", Case: "visible", Aspect: exam.Runs},
			{ID: "visible_rows", Test: "visible_rows", Case: "visible", Aspect: exam.Equal, File: "out.json", Want: []any{row("a"), row("b")}},
			{ID: "other_rows", Test: "other_rows", Case: "other", Aspect: exam.Equal, File: "out.json", Want: []any{row("c"), row("d")}},
			{ID: "same_again", Test: "same_again", Case: "visible", Aspect: exam.Same, File: "out.json"},
		},
	}
	return instance(pipeline.RowsEvaluator, "pipeline", difficulty, sheetTree(t, s, config))
}

const rowsConfig = `{"output_path":"out.json","visible_case":"visible","other_case":"other"}`

func TestPipelineHardStates(t *testing.T) {
	right := `[{"k":"a"},{"k":"b"}]`
	other := `[{"k":"c"},{"k":"d"}]`
	for _, c := range []struct {
		name          string
		first, second seen
		score         float64
		labels        []string
		reason        string
	}{
		{"right", seen{"visible": ran("out.json", right), "other": ran("out.json", other)}, seen{"visible": ran("out.json", right)}, 1, nil, "exact, and the same again"},
		{"other-bytes-again", seen{"visible": ran("out.json", right), "other": ran("out.json", other)}, seen{"visible": ran("out.json", right+"\n")}, 0.9, []string{Unreproducible}, "success needs the same bytes"},
		{"never-again", seen{"visible": ran("out.json", right), "other": ran("out.json", other)}, nil, 0.9, []string{Unreproducible}, "nor can what was not seen twice be the same"},
		{"sample-only", seen{"visible": ran("out.json", right), "other": ran("out.json", right)}, nil, (0.9 + 0.4) / 2, []string{OutputMismatch, Unreproducible}, "who prints the rows of the sample gets about half"},
		{"another-order", seen{"visible": ran("out.json", `[{"k":"b"},{"k":"a"}]`), "other": ran("out.json", `[{"k":"d"},{"k":"c"}]`)}, nil, 0.9, []string{OutputMismatch}, "rows are multisets"},
		{"no-json", seen{"visible": ran("out.json", "x"), "other": ran("out.json", "x")}, nil, 0.10, []string{InvalidJSON}, "hard state"},
		{"no-artifact", seen{"visible": ran(), "other": ran()}, nil, 0.05, []string{OutputMissing}, "hard state"},
		{"crash", seen{"visible": {State: "failed"}, "other": {State: "failed"}}, nil, 0, []string{RunFailed}, "hard state"},
		{"waits", seen{"visible": {State: "timeout"}, "other": {State: "timeout"}}, nil, 0, []string{TimedOut}, "hard state"},
		{"nothing-seen", nil, nil, 0, []string{RunFailed}, "a run that was tampered with has no observations"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := rowsInstance(t, 3, rowsConfig)
			s, _, err := rowsExam{}.sheet(in, nil)
			if err != nil {
				t.Fatal(err)
			}
			runs := []exam.Run{exam.Run(c.first)}
			if c.second != nil {
				runs = append(runs, exam.Run(c.second))
			}
			r, err := rowsExam{}.judge(in, s, nil, runs)
			if err != nil {
				t.Fatal(err)
			}
			r.settle()
			if !near(r.Score, c.score) || r.Success != (c.score == 1) {
				t.Errorf("score %g, success %t, want %g: %s", r.Score, r.Success, c.score, c.reason)
			}
			for _, l := range c.labels {
				if !has(r.FailureLabels, l) {
					t.Errorf("labels %q lack %s", r.FailureLabels, l)
				}
			}
			for _, l := range r.FailureLabels {
				if !has(sheetEvaluator{rowsExam{}}.Labels(in), l) {
					t.Errorf("the label %s is not listed", l)
				}
			}
			for _, k := range []string{"execution", "valid_json", "deterministic_rerun", "row_precision", "row_recall", "row_f1", "exact_match"} {
				if _, there := r.Subscores[k]; !there {
					t.Errorf("there is no subscore %s", k)
				}
			}
		})
	}
}

func TestRequiredTestsCapTheScore(t *testing.T) {
	in := rowsInstance(t, 5, `{"output_path":"out.json","visible_case":"visible","other_case":"other","required_tests":["other_rows"],"score_cap":0.3,"d5_exponent":3}`)
	s, _, err := rowsExam{}.sheet(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	right := `[{"k":"a"},{"k":"b"}]`
	r, err := rowsExam{}.judge(in, s, nil, []exam.Run{{"visible": ran("out.json", right), "other": ran("out.json", right)}, {"visible": ran("out.json", right)}})
	if err != nil {
		t.Fatal(err)
	}
	if !near(r.Score, 0.027) || !has(r.FailureLabels, "other_rows_failed") || r.Diagnostics["d5_raw_partial_score"] != 0.3 {
		t.Errorf("%+v", r)
	}
	in.Hidden[configName] = `{"output_path":"out.json","required_tests":["no_such"],"score_cap":0.3}`
	if _, err := (rowsExam{}).judge(in, s, nil, nil); err == nil {
		t.Error("a required test that is not there was passed over")
	}
}

func TestRepairScoresTests(t *testing.T) {
	s := &exam.Sheet{
		Runs: 1, Seconds: 2, Cases: []exam.Case{{ID: "c", Script: []string{"run.py"}, Read: []string{"a.json", "b.json"}}},
		Checks: []exam.Check{
			{ID: "a", Test: "one", Case: "c", Aspect: exam.Equal, File: "a.json", Want: 1},
			{ID: "a2", Test: "one", Case: "c", Aspect: exam.Runs},
			{ID: "b", Test: "two", Case: "c", Aspect: exam.Equal, File: "b.json", Want: 2},
		},
	}
	for _, c := range []struct {
		name   string
		o      exam.Observation
		score  float64
		label  string
		reason string
	}{
		{"all", ran("a.json", "1", "b.json", "2"), 1, "", "all pass"},
		{"half", ran("a.json", "1", "b.json", "3"), 0.5, TestsFailed, "passed ÷ total"},
		{"true-is-not-one", ran("a.json", "true", "b.json", "2"), 0.5, TestsFailed, "a boolean is no number"},
		{"waits", exam.Observation{State: "timeout"}, 0, TimedOut, "hard state"},
		{"nothing", exam.Observation{}, 0, TestsFailed, "no payload"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := instance(repair.Evaluator, "script_repair", 2, sheetTree(t, s, `{"cases":1}`))
			r, err := testsExam{}.judge(in, s, nil, []exam.Run{{"c": c.o}})
			if err != nil {
				t.Fatal(err)
			}
			r.settle()
			if !near(r.Score, c.score) || r.Success != (c.score == 1) || c.label != "" && !has(r.FailureLabels, c.label) {
				t.Errorf("%+v: %s", r, c.reason)
			}
			if r.Subscores["tests_total"] != 2 || !near(r.Subscores["tests_passed_ratio"], r.Subscores["tests_passed"]/2) {
				t.Errorf("subscores %v", r.Subscores)
			}
		})
	}
}

func TestCapabilityHardStates(t *testing.T) {
	in := compile(t, "composite_workspace", "retrieval_guided_pipeline_repair", 3, 4)
	s, _, err := capabilityExam{}.sheet(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	each := func(state string) exam.Run {
		run := exam.Run{}
		for _, c := range s.Cases {
			run[c.ID] = exam.Observation{State: state}
		}
		return run
	}
	for _, c := range []struct {
		state, label string
		score        float64
	}{{"failed", ImportFailed, 0.05}, {"timeout", TimedOut, 0}, {"", ImportFailed, 0.05}} {
		r, err := capabilityExam{}.judge(in, s, nil, []exam.Run{each(c.state)})
		if err != nil || !near(r.Score, c.score) || len(r.FailureLabels) != 1 || r.FailureLabels[0] != c.label {
			t.Errorf("%q: %+v, %v", c.state, r, err)
		}
	}
	one := each("failed")
	one["resolve"] = exam.Observation{State: "ok"}
	r, err := capabilityExam{}.judge(in, s, nil, []exam.Run{one})
	if err != nil || r.Score < 0.05 {
		t.Errorf("code that runs somewhere is worth %g, %v", r.Score, err)
	}
}

// The published calibration: one of eleven capabilities of a composite workspace of difficulty 5 is
// worth 0.00075, ten of them 0.7513.
func TestCompressionOfDifficultyFive(t *testing.T) {
	c := config{ExponentD5: 3}
	in := instance("", "composite_workspace", 5, nil)
	for _, x := range []struct{ raw, want float64 }{{1. / 11, 0.000751}, {10. / 11, 0.751315}, {1, 1}, {0.05, 0.000125}} {
		r := newResult(x.raw)
		c.compress(in, &r)
		r.settle()
		if !near(r.Score, x.want) {
			t.Errorf("%g becomes %g, want %g", x.raw, r.Score, x.want)
		}
	}
}

// The hard pipeline: the sixth power of the mean of its five hardest first, then the third of all.
func TestCompressionOfTheHardPipeline(t *testing.T) {
	weights := map[string]float64{"normalisation": 15, "dedup": 15, "filtering": 10, "aggregation": 25, "ordering": 5, "execution": 5}
	c := config{Weights: weights, ExponentD5: 3}
	r := newResult(0.5)
	c.weigh(map[string]float64{"normalisation": 1, "dedup": 1, "filtering": 0.5, "aggregation": 0.5, "ordering": 1}, &r)
	c.compress(instance("", "pipeline", 5, nil), &r)
	const weighed = 0.5 * 0.262144 // 0.8⁶
	if !near(r.Score, weighed*weighed*weighed) || !near(r.Diagnostics["d5_raw_partial_score"].(float64), weighed) || r.Diagnostics["d5_unweighted_score"] != 0.5 {
		t.Errorf("%+v", r)
	}
	whole := newResult(1)
	c.weigh(map[string]float64{}, &whole)
	if whole.Score != 1 {
		t.Error("what is whole is weighed down")
	}
}

func TestProgramAndClientHardStates(t *testing.T) {
	for _, c := range []struct {
		in     *world.Instance
		exam   examination
		target string
	}{
		{compile(t, "tabular", "account_event_program_synthesis", 5, 4), programExam{}, "process_report.py"},
		{compile(t, "retrieval_workspace", "client_adapter_sync", 3, 4), adapterExam{}, "src/client_adapter.py"},
	} {
		left := c.in.Solved()
		delete(left, c.target)
		_, r, err := c.exam.sheet(c.in, left)
		if err != nil || r == nil || r.Score != 0 || !has(r.FailureLabels, TargetMissing) {
			t.Errorf("%s missing: %+v, %v", c.target, r, err)
		}
		s, _, err := c.exam.sheet(c.in, c.in.Solved())
		if err != nil {
			t.Fatal(err)
		}
		run := exam.Run{}
		for _, k := range s.Cases {
			run[k.ID] = exam.Observation{State: "timeout"}
		}
		got, err := c.exam.judge(c.in, s, c.in.Solved(), []exam.Run{run})
		if err != nil || got.Score != 0 || !has(got.FailureLabels, TimedOut) {
			t.Errorf("%s waits: %+v, %v", c.target, got, err)
		}
	}
}

// A key that is missing is not a null, and a null is not a missing key.
func TestClientsReturnWhatIsExpected(t *testing.T) {
	c := adapterCase{ID: "x", Expected: map[string]any{"next_cursor": nil}}
	for text, want := range map[string]bool{
		`{"next_cursor":null}`: true, `{"next_cursor":null,"more":1}`: true, `{}`: false, `{"next_cursor":""}`: false,
		`[null]`: false, `x`: false, `{"next_cursor":NaN}`: false,
	} {
		if c.holds(text) != want {
			t.Errorf("%s holds: %t", text, !want)
		}
	}
	s := &exam.Sheet{Cases: []exam.Case{{ID: "calls_1"}, {ID: "calls_2"}}, Checks: []exam.Check{{ID: "x", Case: "calls_1"}, {ID: "y", Case: "calls_2"}}}
	output := `{"x":"{}","y":"{}","z":"{}"}`
	failed := exam.Observation{State: "failed", Files: ran(callOutput, output).Files}
	if got := answers(s, []exam.Run{{"calls_1": ran(callOutput, output), "calls_2": failed}}); len(got) != 1 || got["x"] != "{}" {
		t.Errorf("a process that failed, or is not asked, answers: %v", got)
	}
}
