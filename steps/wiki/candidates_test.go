package wiki

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"benchwright/agent"
	"benchwright/agent/ollama"
	fixture "benchwright/fixtures/wiki"
	"benchwright/grader"
	rules "benchwright/grader/wiki"
	"benchwright/sim"
	world "benchwright/sim/wiki"
	"benchwright/tasks"
)

// built compiles the built-in tasks: the qualification and the whole wiki.
var built = sync.OnceValues(func() ([]tasks.Task, error) {
	c, err := tasks.Compile(tasks.Suite{Dir: "features", Features: os.DirFS("../../features/codewiki"), Kits: []tasks.Kit{Kit()}})
	if err != nil {
		return nil, err
	}
	return c.Tasks, nil
})

func task(t testing.TB, name string) tasks.Task {
	t.Helper()
	all, err := built()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(t tasks.Task) bool { return t.ID.Name() == name })
	if i < 0 {
		t.Fatalf("there is no task %s", name)
	}
	return all[i]
}

func plugins(t testing.TB) *fixture.Case {
	t.Helper()
	c, err := fixture.Plugins()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// play plays a task through the loop, as a run does, and grades it.
func play(t testing.TB, tk tasks.Task, a agent.Agent, edit ...func(*agent.Config)) *agent.Episode {
	t.Helper()
	kit := Kit()
	cfg := agent.Config{Kit: &kit, Task: tk, Agent: "candidate", Grace: time.Second}
	for _, e := range edit {
		e(&cfg)
	}
	ep := agent.Play(t.Context(), a, cfg)
	if ep.Outcome != grader.Broken {
		v := grader.Grade(t.Context(), tk.Rubric.Checks, ep)
		ep.Verdict, ep.Outcome, ep.Layer, ep.Reason, ep.Score = v, v.Outcome, v.Layer, v.Reason, rules.Score(v)
	}
	return ep
}

// record reads an episode's record back as graders do.
func record(t testing.TB, ep *agent.Episode) *rules.Record {
	t.Helper()
	raw, err := json.Marshal(ep)
	if err != nil {
		t.Fatal(err)
	}
	r, err := rules.ParseRecord(raw)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func qualify(t testing.TB, tk tasks.Task, ep *agent.Episode) rules.Grading {
	t.Helper()
	g, err := rules.GradeRun(t.Context(), rules.Run{Case: plugins(t), Qualification: &rules.Played{Record: record(t, ep), Checks: tk.Rubric.Checks}})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// gates says what came of each gate.
func gates(g rules.Grading) string {
	var out []string
	for _, s := range g.Stages {
		out = append(out, s.Verdict)
	}
	return strings.Join(out, ", ")
}

// script is a scripted candidate as a model.
func script(t testing.TB, tk tasks.Task, name string) agent.Model {
	t.Helper()
	setup, err := world.ParseSetup(tk.Setup)
	if err != nil {
		t.Fatal(err)
	}
	var stages []string
	for _, st := range setup.Stages {
		stages = append(stages, st.Name)
	}
	moves, err := Candidate(plugins(t), name, stages)
	if err != nil {
		t.Fatal(err)
	}
	return agent.Script(Dialect{}, agent.ProtocolJSON, moves)
}

func loop(m agent.Model) agent.Agent { return agent.Loop{Model: m, Dialect: Dialect{}} }

// A metered model has a provider that counts.
type metered struct {
	agent.Model
	usage func(turn int) agent.Usage
	turn  int
}

func (m *metered) Next(ctx context.Context, conv []tasks.Message, tools []sim.Tool) (agent.Reply, agent.Usage, error) {
	r, _, err := m.Model.Next(ctx, conv, tools)
	m.turn++
	return r, m.usage(m.turn), err
}

func counts(input, cached, output int64) agent.Usage {
	return agent.Usage{Requests: 1, Attempts: 1, Input: agent.Tokens(input), Cached: agent.Tokens(cached), Output: agent.Tokens(output)}
}

// setup changes what the world of a task is built from.
func setup(t testing.TB, tk tasks.Task, edit func(*world.Setup)) tasks.Task {
	t.Helper()
	s, err := world.ParseSetup(tk.Setup)
	if err != nil {
		t.Fatal(err)
	}
	edit(&s)
	tk.Setup = s.JSON()
	return tk
}

// hidden is a task with the published fault: neither the world nor the first message names a root.
func hidden(t testing.TB, tk tasks.Task) tasks.Task {
	tk = setup(t, tk, func(s *world.Setup) { s.Faults.HideRoots = true })
	tk.System, tk.Asks = "", slices.Clone(tk.Asks)
	for i := range tk.Asks {
		var b Brief
		if err := json.Unmarshal(tk.Asks[i].Context, &b); err != nil {
			t.Fatal(err)
		}
		b.Roots = nil
		tk.Asks[i].Text = strings.ReplaceAll(tk.Asks[i].Text, "/source", "the source")
		tk.Asks[i].Context = sim.MustCanonical(b)
	}
	return tk
}

// server is an Ollama server whose chats answer as told.
func server(t testing.TB, chat http.HandlerFunc) agent.Model {
	t.Helper()
	s := httptest.NewServer(chat)
	t.Cleanup(s.Close)
	retries := 0
	c, err := ollama.New(ollama.Config{Name: "candidate", Host: s.URL, Options: ollama.Options{Retries: &retries}, Protocol: agent.ProtocolJSON})
	if err != nil {
		t.Fatal(err)
	}
	return c.Model(ollama.Request{})
}

type modelFunc func(context.Context, []tasks.Message) (agent.Reply, agent.Usage, error)

func (f modelFunc) Next(ctx context.Context, conv []tasks.Message, _ []sim.Tool) (agent.Reply, agent.Usage, error) {
	return f(ctx, conv)
}

// TestCandidates plays every scripted candidate through the real loop.
func TestCandidates(t *testing.T) {
	qualification := task(t, "three_gates")
	scripted := func(name string) func(*testing.T) (tasks.Task, agent.Agent) {
		return func(t *testing.T) (tasks.Task, agent.Agent) {
			return qualification, loop(script(t, qualification, name))
		}
	}
	costing := func(usage func(turn int) agent.Usage) func(*testing.T) (tasks.Task, agent.Agent) {
		return func(t *testing.T) (tasks.Task, agent.Agent) {
			return qualification, loop(&metered{Model: script(t, qualification, Good), usage: usage})
		}
	}
	turns := int64(len(qualification.Rubric.Reference))
	cached := costing(func(int) agent.Usage { return counts(2_588_617/turns, 2_524_160/turns, 21_184/turns) })
	rawTotal := func(c *agent.Config) { c.Basis = agent.Total }
	const pass, fail1, fail2, fail3 = "PASS, PASS, PASS", "FAIL, skipped, skipped", "PASS, FAIL, skipped", "PASS, PASS, FAIL"
	const nothing = "no valid score, skipped, skipped"
	const cut = `{"model":"candidate","message":{"role":"assistant","content":"{\"tool\""},"done":false}` + "\n"
	for _, c := range []struct {
		name   string
		does   func(*testing.T) (tasks.Task, agent.Agent)
		edit   func(*agent.Config)
		want   string // outcome, and layer of a broken one
		gates  string
		layer  string // of the attribution
		code   string // among the reasons, or the findings
		reason string
	}{
		{"good", scripted("good"), nil, "passed", pass, rules.LayerNone, "", "three gates"},
		{"missing-dir-loop", scripted("missing-dir-loop"), nil, "failed", fail1, rules.LayerModel, "repeated_discovery", "the first message names the roots, so it is the model's doing"},
		{"missing-dir-loop with the roots hidden", func(t *testing.T) (tasks.Task, agent.Agent) {
			tk := hidden(t, qualification)
			return tk, loop(script(t, tk, "missing-dir-loop"))
		}, nil, "broken adapter", nothing, rules.LayerPromptAdapter, "gate", "the published fault is none of the model's"},
		{"rewrite-loop", scripted("rewrite-loop"), nil, "failed", fail2, rules.LayerModel, "repeated_mutation", "A, B, A"},
		{"no-change", scripted("no-change"), nil, "failed", fail2, rules.LayerModel, "no_change_write", "two such writes stop the stage"},
		{"no-change once", scripted("no-change-once"), nil, "failed", fail3, rules.LayerModel, "no_change_write", "one is for the audit to find"},
		{"no-progress", scripted("no-progress"), nil, "failed", fail2, rules.LayerModel, "repeated_mutation", "new prose is no evidence"},
		{"forger", scripted("forger"), nil, "failed", fail2, rules.LayerModel, "unproven_source", "the digests are right and nobody has read the files"},
		{"wrong-hash", scripted("wrong-hash"), nil, "failed", fail2, rules.LayerModel, "hash_mismatch", ""},
		{"outside-writer", scripted("outside-writer"), nil, "failed", fail3, rules.LayerModel, "unauthorised_write", "each try is refused, and a violation"},
		{"skill-reader", scripted("skill-reader"), nil, "passed", pass, rules.LayerNone, "", "reading skills is no violation"},
		{"sixth-page", scripted("sixth-page"), nil, "failed", fail3, rules.LayerModel, "page_not_selected", "refused, and a violation"},
		{"heading-editor", scripted("heading-editor"), nil, "failed", fail3, rules.LayerModel, "structure_locked", "refused, and a violation"},
		{"burner", costing(func(int) agent.Usage { return counts(90_000, 0, 10_000) }), nil, "failed", fail1, rules.LayerModel, "budget_exceeded", "it spends the stage's tokens before it is done"},
		{"cache-heavy", cached, nil, "passed", pass, rules.LayerNone, "", "2.6 million tokens, of which 97.5 % are no new work"},
		{"cache-heavy on raw totals", cached, rawTotal, "failed", fail1, rules.LayerModel, "budget_exceeded", "all of them count"},
		{"no-usage", costing(func(int) agent.Usage { return agent.Usage{Requests: 1, Attempts: 1} }), nil, "broken accounting", nothing, "accounting", "accounting_fault", "a budget cannot be kept blindly"},
		{"bad-usage", costing(func(int) agent.Usage { return counts(10, 11, 1) }), nil, "broken accounting", nothing, "accounting", "accounting_fault", "more from the cache than there was"},
		{"http-500", func(t *testing.T) (tasks.Task, agent.Agent) {
			return qualification, loop(server(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, `{"error":"out of order"}`, 500) }))
		}, nil, "broken provider", nothing, "provider", "", ""},
		{"cut-stream", func(t *testing.T) (tasks.Task, agent.Agent) {
			return qualification, loop(server(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Write([]byte(cut))
				w.(http.Flusher).Flush()
				panic(http.ErrAbortHandler)
			}))
		}, nil, "broken provider", nothing, "provider", "", "half a reply is none"},
		{"adapter-crash", func(*testing.T) (tasks.Task, agent.Agent) {
			return qualification, loop(modelFunc(func(context.Context, []tasks.Message) (agent.Reply, agent.Usage, error) { panic("no such field") }))
		}, nil, "broken adapter", nothing, rules.LayerPromptAdapter, "panic", "before anything was played"},
		{"mount-missing", func(t *testing.T) (tasks.Task, agent.Agent) {
			tk := setup(t, qualification, func(s *world.Setup) { s.Faults.MountMissing = world.SourceRoot })
			return tk, loop(script(t, tk, Good))
		}, nil, "broken tool_runtime", nothing, rules.LayerToolMount, "begin", "no stage begins without its roots"},
		{"tool-runtime-error", func(t *testing.T) (tasks.Task, agent.Agent) {
			tk := setup(t, qualification, func(s *world.Setup) { s.Faults.ToolRuntimeError = 5 })
			return tk, loop(script(t, tk, Good))
		}, nil, "broken tool_runtime", nothing, rules.LayerToolMount, "tool_runtime_error", "counted once, and never as a violation"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tk, a := c.does(t)
			edit := []func(*agent.Config){}
			if c.edit != nil {
				edit = append(edit, c.edit)
			}
			ep := play(t, tk, a, edit...)
			g := qualify(t, tk, ep)
			got := strings.TrimSpace(string(ep.Outcome) + " " + string(ep.Layer))
			if got != c.want || gates(g) != c.gates || g.Attribution.Layer != c.layer {
				t.Errorf("%s (%s, %s), gates %s, layer %s; want %s, %s, %s: %s\n%+v", got, ep.Reason, ep.End, gates(g), g.Attribution.Layer, c.want, c.gates, c.layer, c.reason, ep.Verdict.Codes())
			}
			if c.code != "" && !strings.Contains(string(g.JSON()), `"`+c.code+`"`) && !slices.Contains(ep.Verdict.Codes(), c.code) {
				t.Errorf("nothing says %s: %v, %+v", c.code, ep.Verdict.Codes(), g.Attribution.Reasons)
			}
			if outcome, layer := g.Attribution.Framework(); outcome != ep.Outcome || layer != ep.Layer {
				t.Errorf("the attribution is %s %s, and the episode %s %s", outcome, layer, ep.Outcome, ep.Layer)
			}
			counters := g.Counters
			switch c.name {
			case "tool-runtime-error":
				if counters.ToolRuntimeErrors != 1 || counters.Violations != 0 {
					t.Errorf("%+v", counters)
				}
			case "good", "skill-reader", "cache-heavy":
				if counters != (rules.Counters{}) {
					t.Errorf("%+v", counters)
				}
			case "outside-writer":
				unchanged(t, ep)
			}
		})
	}
}

// unchanged fails the test unless source, skills and all but the selected pages are what they were.
func unchanged(t *testing.T, ep *agent.Episode) {
	first, err := world.ReadState(sim.RawState(ep.Initial))
	last, err2 := world.ReadState(sim.RawState(ep.States[len(ep.States)-1]))
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	if first.Digests != last.Digests {
		t.Errorf("%v, then %v", first.Digests, last.Digests)
	}
	for id, text := range first.Pages {
		if text != last.Pages[id] && !slices.Contains(fixture.Selected(plugins(t)), id) {
			t.Errorf("page %s has changed", id)
		}
	}
}

// TestKilledCandidate has no record at all: whoever lost it, it was not the model.
func TestKilledCandidate(t *testing.T) {
	tk := task(t, "three_gates")
	g, err := rules.GradeRun(t.Context(), rules.Run{Case: plugins(t), Qualification: &rules.Played{Checks: tk.Rubric.Checks, Circumstances: rules.Circumstances{Lost: true}}})
	if err != nil {
		t.Fatal(err)
	}
	if a := g.Attribution; a.Verdict != rules.NoValidScore || a.Layer != "orchestration" || a.Reasons[0].Code != "execution_lost" {
		t.Errorf("%+v", a)
	}
}

// TestNestedCaller makes calls within calls, as a sub-agent does: they count in the stage like any
// other.
func TestNestedCaller(t *testing.T) {
	tk := task(t, "three_gates")
	tk.Asks = slices.Clone(tk.Asks)
	list := func(at string, parent int) sim.Call {
		return sim.Call{Name: world.ListDir, Arguments: sim.MustCanonical(map[string]any{"path": at}), Parent: parent}
	}
	a := agentFunc(func(ctx context.Context, s *agent.Session) error {
		s.Next(ctx)
		for i, at := range []string{"/source", "/source/src", "/source/test", "/skills", "/wiki"} {
			if _, err := s.Call(ctx, list(at, min(i, 1))); err != nil {
				return err
			}
		}
		return nil
	})
	ep := play(t, tk, a)
	spent := rules.Spend(record(t, ep), rules.UncachedPlusOutput, nil)
	if len(spent) != 1 || spent[0].ToolCalls != 5 || spent[0].Nested != 4 {
		t.Errorf("%+v", spent)
	}
	tk.Asks[0].Calls = 3
	if ep = play(t, tk, a); ep.End.Code != grader.EndCalls || len(ep.Trace) != 3 || !slices.Contains(ep.Verdict.Codes(), rules.BudgetExceeded) {
		t.Errorf("%s after %d calls: %v", ep.End, len(ep.Trace), ep.Verdict.Codes())
	}
}

type agentFunc func(context.Context, *agent.Session) error

func (f agentFunc) Play(ctx context.Context, s *agent.Session) error { return f(ctx, s) }

// TestGoodCompletesTheTrials repairs the whole wiki three times, each from a fresh copy, by either
// protocol.
func TestGoodCompletesTheTrials(t *testing.T) {
	tk := task(t, "whole_wiki")
	if tk.Trials != 3 || tk.Requires != "codewiki/qualification/three_gates" {
		t.Errorf("%d trials, requires %s", tk.Trials, tk.Requires)
	}
	run := rules.Run{Case: plugins(t)}
	for trial := range 3 {
		protocol := []string{agent.ProtocolJSON, agent.ProtocolTools}[trial%2]
		ep := play(t, tk, loop(agent.Script(Dialect{}, protocol, tk.Rubric.Reference)), func(c *agent.Config) { c.Trial, c.Protocol = trial+1, protocol })
		if ep.Outcome != grader.Passed || ep.Score != 1 {
			t.Fatalf("trial %d: %s, score %v: %v", trial+1, ep.Outcome, ep.Score, ep.Verdict.Codes())
		}
		run.Trials = append(run.Trials, rules.Played{Record: record(t, ep), Checks: tk.Rubric.Checks})
	}
	g, err := rules.GradeRun(t.Context(), run)
	if err != nil || g.Attribution.Verdict != rules.Pass || g.Scores == nil || g.Scores.Passed != 3 || g.Scores.Coverage.Mean != "1.0000" {
		t.Errorf("%+v %v", g, err)
	}
}

// TestNoopStopsAtTheFirstGate also shows that the model of a later stage is never called: there is one
// turn.
func TestNoopStopsAtTheFirstGate(t *testing.T) {
	tk := task(t, "three_gates")
	if ep := play(t, tk, agent.Noop{}); ep.Outcome != grader.Failed || ep.Score != 0 {
		t.Errorf("%s, score %v", ep.Outcome, ep.Score)
	}
	finishes := 0
	ep := play(t, tk, loop(modelFunc(func(_ context.Context, conv []tasks.Message) (agent.Reply, agent.Usage, error) {
		finishes++
		return agent.Reply{Text: `{"tool":"finish","arguments":{}}`}, agent.Usage{}, nil
	})))
	if finishes != 1 || ep.End.Code != grader.EndGate || gates(qualify(t, tk, ep)) != "FAIL, skipped, skipped" {
		t.Errorf("asked %d times, ended by %s, %s", finishes, ep.End, gates(qualify(t, tk, ep)))
	}
}
