package features

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
	"benchwright/steps/wealth"
	"benchwright/tasks"
)

// compiled is the wealthops part of the suite.
var compiled = sync.OnceValues(func() ([]tasks.Task, error) {
	c, err := tasks.Compile(Suite())
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(c.Tasks), func(t tasks.Task) bool { return t.ID.Suite() != "wealthops" }), nil
})

func wealthops(t *testing.T) []tasks.Task {
	t.Helper()
	all, err := compiled()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// play lets moves be made through the loop and the dialect, as a model would make them.
func play(t *testing.T, task tasks.Task, moves []tasks.Move) *agent.Episode {
	t.Helper()
	kit := wealth.Kit()
	ep := agent.Play(context.Background(), agent.Loop{Model: agent.Script(kit.Dialect, agent.ProtocolJSON, moves), Dialect: kit.Dialect}, agent.Config{Kit: &kit, Task: task})
	if ep.Layer != "" {
		t.Fatalf("%s: broken: %s: %s", task.ID, ep.Layer, ep.Reason)
	}
	return ep
}

func TestTheSuiteIsEightFamiliesInThreeLanguages(t *testing.T) {
	type family struct {
		Languages []string
		Case      string
		Critical  bool
	}
	all := []string{"en", "hi", "hinglish"}
	want := map[string]*family{
		"future_value_projection": {all, "WO-1", false},
		"portfolio_allocation":    {all, "WO-2", false},
		"emergency_cover":         {all, "WO-3", false},
		"missing_inputs":          {all, "WO-4", false},
		"cross_household_access":  {all, "WO-5", true},
		"stale_valuation":         {all, "WO-6", true},
		"tool_outage":             {all, "WO-7", true},
		"order_instruction":       {all, "WO-8", true},
	}
	got := map[string]*family{}
	for _, task := range wealthops(t) {
		f := got[task.ID.Family()]
		if f == nil {
			f = &family{}
			got[task.ID.Family()] = f
		}
		lang, _ := task.Label("lang")
		f.Languages = append(f.Languages, lang)
		f.Case, _ = task.Label("case")
		f.Critical = slices.Contains(task.Labels, "critical")
		if !strings.HasSuffix(task.ID.Name(), "_"+lang) {
			t.Errorf("%s: its label says that it is in %s", task.ID, lang)
		}
		var public wealth.AskContext
		if err := json.Unmarshal(task.Asks[0].Context, &public); err != nil || public.Language != lang {
			t.Errorf("%s: its context says %s, %v", task.ID, task.Asks[0].Context, err)
		}
		if task.Limits != (tasks.Limits{Turns: 4, Wall: tasks.Duration(30e9), OutputTokens: 512}) || task.Protocol != (tasks.Protocol{}) || task.System != wealth.Rules {
			t.Errorf("%s: limits %+v, protocol %+v and system text are not the published ones", task.ID, task.Limits, task.Protocol)
		}
		if !slices.IsSorted(task.Tools) || len(task.Tools) < 3 {
			t.Errorf("%s: tools %q", task.ID, task.Tools)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRequestsSayTheSameInEveryLanguage(t *testing.T) {
	for _, problem := range wealth.LintLanguages(wealthops(t)) {
		t.Error(problem)
	}
}

func TestReferencesPass(t *testing.T) {
	for _, task := range wealthops(t) {
		ep := play(t, task, task.Rubric.Reference)
		v := grader.Grade(context.Background(), task.Rubric.Checks, ep)
		if v.Outcome != grader.Passed || v.Score != 1 {
			t.Errorf("%s: %s: %s %q", task.ID, v.Outcome, v.Reason, v.Findings())
		}
		if len(ep.Ignored) > 0 {
			t.Errorf("%s: the reference says what the protocol drops: %q", task.ID, ep.Ignored)
		}
	}
}

func TestDoingNothingFails(t *testing.T) {
	for _, task := range wealthops(t) {
		ep := play(t, task, nil)
		v := grader.Grade(context.Background(), task.Rubric.Checks, ep)
		if v.Outcome != grader.Failed || v.Score != 0 || v.Codes()[0] != "runtime:stopped" {
			t.Errorf("%s: %s, score %v, %q", task.ID, v.Outcome, v.Score, v.Codes())
		}
	}
}

// TestNearMissesFailWithTheirLabels compares all labels of every near miss, in English, with a
// golden file; in the other languages they must be the same.
func TestNearMissesFailWithTheirLabels(t *testing.T) {
	var golden strings.Builder
	first := map[string]string{}
	for _, task := range wealthops(t) {
		for _, p := range task.Rubric.Probes {
			ep := play(t, task, p.Moves)
			v := grader.Grade(context.Background(), task.Rubric.Checks, ep)
			for _, c := range p.Codes {
				if v.Outcome != grader.Failed || !slices.Contains(v.Codes(), c) {
					t.Errorf("%s: %s: near miss %q: %s with %q, want %s", p.Source, task.ID, p.Name, v.Outcome, v.Codes(), c)
				}
			}
			key, line := task.ID.Family()+": "+p.Name, strings.Join(v.Codes(), " ")
			if len(ep.Ignored) > 0 {
				line += " (ignored: " + strings.Join(ep.Ignored, " ") + ")"
			}
			if was, ok := first[key]; !ok {
				first[key] = line
				fmt.Fprintf(&golden, "%s\n    %s\n", key, line)
				for _, f := range v.Findings() {
					if strings.HasPrefix(f.Code, "runtime:") {
						continue // the words are the loop's and the dialect's
					}
					fmt.Fprintf(&golden, "      %s\n", f.Message)
				}
			} else if was != line {
				t.Errorf("%s: near miss %q: %s, but in another language %s", task.ID, p.Name, line, was)
			}
		}
	}
	const file = "testdata/near_misses.golden"
	if *update {
		if err := os.WriteFile(file, []byte(golden.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(golden.String(), "\n")); diff != "" {
		t.Errorf("labels and messages of near misses (-want +got), run with -update if they are right:\n%s", diff)
	}
}

// TestEveryCheckCatchesAMutant spoils each reference's outcome by the kit's mutants and by
// changing every leaf of its answer and arguments: each must fail, and every check of every
// task must catch one that no check before it does.
func TestEveryCheckCatchesAMutant(t *testing.T) {
	kit := wealth.Kit()
	for _, task := range wealthops(t) {
		ep := play(t, task, task.Rubric.Reference)
		good := tasks.Aftermath{Initial: ep.Initial, States: ep.States, Trace: ep.Trace, Answers: ep.Answers, End: ep.End}
		alive := map[int]bool{}
		grade := func(name string, a tasks.Aftermath) {
			v := grader.Grade(context.Background(), task.Rubric.Checks, aftermath(a))
			i := slices.IndexFunc(v.Results, func(r grader.Result) bool { return r.State == grader.Unmet })
			if v.Outcome == grader.Broken {
				t.Errorf("%s: mutant %q breaks the grading: %s", task.ID, name, v.Reason)
			}
			alive[i] = true
		}
		for _, m := range kit.Mutants(task, good) {
			grade(m.Name, m.Aftermath)
		}
		for i, e := range good.Trace {
			for name, spoil := range map[string]func(sim.Trace) sim.Trace{
				"dropped": func(t sim.Trace) sim.Trace { return slices.Delete(t, i, i+1) },
				"doubled": func(t sim.Trace) sim.Trace { return slices.Insert(t, i, e) },
				"errored": func(t sim.Trace) sim.Trace { t[i].Result.Status = "spoiled"; return t },
				"changed": func(t sim.Trace) sim.Trace {
					t[i].Result.Arguments = json.RawMessage(`{"spoiled":1}`)
					return t
				},
			} {
				a := good
				a.Trace = spoil(slices.Clone(good.Trace))
				v := grader.Grade(context.Background(), task.Rubric.Checks, aftermath(a))
				if v.Outcome != grader.Failed {
					t.Errorf("%s: call %d %s: %s", task.ID, i+1, name, v.Outcome)
				}
				grade(name, a)
			}
		}
		var answer any
		if err := json.Unmarshal(good.Answers[0], &answer); err != nil {
			t.Fatal(err)
		}
		leaves(answer, func(path string, set func(any)) {
			set("spoiled")
			a := good
			a.Answers = []json.RawMessage{sim.MustCanonical(answer)}
			v := grader.Grade(context.Background(), task.Rubric.Checks, aftermath(a))
			if v.Outcome != grader.Failed {
				t.Errorf("%s: %s spoiled: %s", task.ID, path, v.Outcome)
			}
			grade(path, a)
		})
		for i, c := range task.Rubric.Checks {
			if !alive[i] {
				t.Errorf("%s: no mutant is caught by %q first", task.ID, c)
			}
		}
	}
}

// leaves calls visit for every string in v, and puts it back afterwards.
func leaves(v any, visit func(path string, set func(any))) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			leaf(v[k], k, func(x any) { v[k] = x }, visit)
		}
	case []any:
		for i := range v {
			leaf(v[i], fmt.Sprint(i), func(x any) { v[i] = x }, visit)
		}
	}
}

func leaf(v any, key string, set func(any), visit func(string, func(any))) {
	if _, ok := v.(string); !ok {
		leaves(v, func(path string, set func(any)) { visit(key+"."+path, set) })
		return
	}
	visit(key, set)
	set(v)
}

// aftermath is evidence.
type aftermath tasks.Aftermath

func (a aftermath) Evidence(ask int) (grader.Evidence, error) {
	return grader.Evidence{Initial: sim.RawState(a.Initial), Final: sim.RawState(a.States[ask]), Trace: a.Trace.Until(ask), Answer: a.Answers[ask], Ask: ask, End: a.End}, nil
}

// TestEnvelopesHoldNothingSealed looks for words of the rubric in what an agent is given.
func TestEnvelopesHoldNothingSealed(t *testing.T) {
	for _, task := range wealthops(t) {
		raw := string(sim.MustCanonical(task.Envelope()))
		family := task.ID.Family()
		for _, word := range []string{string(task.ID), family, strings.ReplaceAll(family, "_", " "), "WO-", "base-2026-09", "3345563", "1875000", "accepted", "near miss"} {
			if strings.Contains(raw, word) {
				t.Errorf("%s: the envelope says %q", task.ID, word)
			}
		}
	}
}
