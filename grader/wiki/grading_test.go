package wiki

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/wiki"
)

var update = flag.Bool("update", false, "write golden files anew")

func manifest(kind string) Manifest {
	return Manifest{Schema: ManifestSchema, RunID: "r1", RunType: kind, Case: ManifestCase{ID: "small", FixtureDigest: strings.Repeat("f", 64)},
		Profile: Profile{Name: "small|model", Provider: "ollama", Model: "small", Basis: UncachedPlusOutput, Shape: Inclusive, Streaming: true}, Reproduce: "BENCH_MODEL=ollama:small go test ."}
}

// qualified is a qualification that passed, and what it was held against.
func qualified(t *testing.T) (*player, Played) {
	p := play(t, qualifies)
	p.protocol()
	p.sample()
	return p, Played{Record: p.end(), Checks: gates3}
}

// records makes the records of a run, but for its events.
func records(t *testing.T, p *player, run Run, kind string) map[string][]byte {
	t.Helper()
	run.Case = p.c
	g, err := GradeRun(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	m := manifest(kind)
	files := map[string][]byte{ManifestFile: m.JSON(), EventsFile: []byte("{}\n"), GradingFile: g.JSON()}
	s := Summarise(m, run, g, files)
	files[SummaryFile], files[ReportFile] = s.JSON(), Report(m, g, s)
	return files
}

// TestReports holds the report of each kind of run, and the other records of one.
func TestReports(t *testing.T) {
	for _, c := range []struct {
		name string
		kind string
		play func(t *testing.T) (*player, Run)
		want string // of the first line
	}{
		{"pass", QualificationRun, func(t *testing.T) (*player, Run) { p, q := qualified(t); return p, Run{Qualification: &q} }, "# PASS: qualification of small"},
		{"fail", QualificationRun, func(t *testing.T) (*player, Run) {
			p := play(t, qualifies)
			p.begin()
			for !p.call(world.ListDir, "path", "/src").Done {
			}
			r := p.end()
			r.Outcome, r.End = grader.Failed, grader.End{Code: grader.EndGate, Detail: "ask 1 is not met"}
			return p, Run{Qualification: &Played{Record: r, Checks: gates3}}
		}, "# FAIL (layer model): qualification of small"},
		{"broken", QualificationRun, func(t *testing.T) (*player, Run) {
			p := play(t, qualifies)
			p.protocol()
			p.begin()
			p.read("test/bolt.ts")
			r := p.end()
			r.Outcome, r.Layer, r.FaultCode, r.Reason = grader.Broken, grader.LayerProvider, "http_500", "the server <b>fell</b>\x1b[31m over"
			return p, Run{Qualification: &Played{Record: r, Checks: gates3}}
		}, "# No valid score (layer provider): qualification of small"},
		{"formal", FormalRun, func(t *testing.T) (*player, Run) {
			var run Run
			var p *player
			for i := range 3 {
				p = play(t, whole)
				if i == 1 {
					p.begin()
					p.read("src/nut/nut.ts")
					p.write("nut", p.nut())
					p.must(world.Finish)
					p.rec.Outcome = grader.Failed
				} else {
					p.formal()
				}
				p.rec.Trial = i + 1
				p.rec.Cost = "0.0125"
				run.Trials = append(run.Trials, Played{Record: p.end(), Checks: trial})
			}
			return p, run
		}, "# FAIL (layer model): formal of small"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, run := c.play(t)
			files := records(t, p, run, c.kind)
			if first, _, _ := strings.Cut(string(files[ReportFile]), "\n"); !strings.HasPrefix(first, c.want) {
				t.Errorf("first line %q", first)
			}
			if again := records(t, p, run, c.kind); !maps.EqualFunc(files, again, bytes.Equal) {
				t.Error("the same records give other bytes the second time")
			}
			if bytes.ContainsRune(files[ReportFile], '\x1b') || bytes.Contains(files[ReportFile], []byte("<b>")) {
				t.Error("the report holds what somebody else wrote as it is")
			}
			for _, name := range []string{GradingFile, SummaryFile, ReportFile} {
				golden(t, filepath.Join("testdata", c.name, name), files[name])
			}
			m, err1 := ParseManifest(files[ManifestFile])
			g, err2 := ParseGrading(files[GradingFile])
			s, err3 := ParseSummary(files[SummaryFile])
			if err1 != nil || err2 != nil || err3 != nil {
				t.Fatal(err1, err2, err3)
			}
			if !bytes.Equal(Report(m, g, s), files[ReportFile]) || !bytes.Equal(g.JSON(), files[GradingFile]) || !bytes.Equal(s.JSON(), files[SummaryFile]) {
				t.Error("records that are read back say something else")
			}
			if broken := g.Partial; broken != (g.Attribution.Verdict == NoValidScore) || broken && (g.Scores != nil || s.Formal != nil && s.Formal.Stats != nil) {
				t.Error("a run without a valid score has one")
			}
		})
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (-update writes it anew):\n%s", name, got)
	}
}

// TestGradingHasNoClock: the time that a run took is in none of what grades it.
func TestGradingHasNoClock(t *testing.T) {
	p, q := qualified(t)
	before := records(t, p, Run{Qualification: &q}, QualificationRun)
	q.Record.Wall *= 2
	for i := range q.Record.Turns {
		q.Record.Turns[i].Duration += time.Minute
	}
	after := records(t, p, Run{Qualification: &q}, QualificationRun)
	if !bytes.Equal(before[GradingFile], after[GradingFile]) {
		t.Error("another clock grades otherwise")
	}
	if bytes.Equal(before[SummaryFile], after[SummaryFile]) {
		t.Error("the summary does not tell the time")
	}
}

// TestRegrading: what is graded is the record as it stands on disk.
func TestRegrading(t *testing.T) {
	p, q := qualified(t)
	want := records(t, p, Run{Qualification: &q}, QualificationRun)[GradingFile]
	raw, err := json.Marshal(q.Record)
	if err != nil {
		t.Fatal(err)
	}
	back, err := ParseRecord(raw)
	if err != nil {
		t.Fatal(err)
	}
	if got := records(t, p, Run{Qualification: &Played{Record: back, Checks: gates3}}, QualificationRun)[GradingFile]; !bytes.Equal(got, want) {
		t.Errorf("from its JSON it is graded otherwise:\n%s", got)
	}
	// A verdict that the records do not bear out is no verdict.
	q.Record.Outcome = grader.Failed
	g, err := GradeRun(p.ctx(), Run{Qualification: &q})
	if err != nil || g.Attribution.Verdict != NoValidScore || g.Attribution.Layer != string(grader.LayerGrader) {
		t.Errorf("%v, %+v", err, g.Attribution)
	}
	if _, err := ParseRecord(json.RawMessage(`{"task":""}`)); err == nil {
		t.Error("a record of nothing is none")
	}
	if _, err := GradeRun(p.ctx(), Run{}); err == nil {
		t.Error("nothing can be graded as something")
	}
}

// TestSeal: any change of the records is seen.
func TestSeal(t *testing.T) {
	p, q := qualified(t)
	files := records(t, p, Run{Qualification: &q}, QualificationRun)
	seal, err := Seal(files)
	if err != nil {
		t.Fatal(err)
	}
	files[SealFile] = seal
	if err := Verify(files); err != nil {
		t.Fatal(err)
	}
	if again, err := Seal(files); err != nil || !bytes.Equal(again, seal) {
		t.Errorf("sealed again it is another seal: %v", err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for _, at := range []int{0, len(files[name]) / 2, len(files[name]) - 1} {
			changed := maps.Clone(files)
			changed[name] = bytes.Clone(files[name])
			changed[name][at] ^= 1
			if err := Verify(changed); err == nil || name != SealFile && !strings.Contains(err.Error(), name) {
				t.Errorf("%s changed at byte %d: %v", name, at, err)
			}
		}
		less := maps.Clone(files)
		delete(less, name)
		if err := Verify(less); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: %v", name, err)
		}
	}
	more := maps.Clone(files)
	more["notes.txt"] = []byte("x")
	if err := Verify(more); err == nil || !strings.Contains(err.Error(), "notes.txt was added") {
		t.Errorf("with another file: %v", err)
	}
}

// TestRedaction: what no record may hold is not sealed, and is the grader's fault.
func TestRedaction(t *testing.T) {
	p, q := qualified(t)
	for name, text := range map[string]string{
		"host_path": `{"path":"/home/` + `somebody/src"}`,
		"secret":    "-----BEGIN RSA " + "PRIVATE KEY-----\n",
	} {
		files := records(t, p, Run{Qualification: &q}, QualificationRun)
		files[EventsFile] = []byte(text + "\n")
		if _, err := Seal(files); err == nil || !strings.Contains(err.Error(), RedactionFault) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		a := Attribute(q.Record, Circumstances{Redaction: Redacted(files)})
		if a.Verdict != NoValidScore || a.Layer != string(grader.LayerGrader) || a.Reasons[0].Code != RedactionFault {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// TestAttribution: every row of the table, in both directions: with its evidence it has the run,
// without it the run has passed.
func TestAttribution(t *testing.T) {
	broken := func(l grader.Layer, code string) func(*Record, *Circumstances) {
		return func(r *Record, _ *Circumstances) {
			r.Outcome, r.Layer, r.FaultCode, r.Reason = grader.Broken, l, code, "so"
		}
	}
	turn := func(i int, edit func(t *Turn)) func(*Record, *Circumstances) {
		return func(r *Record, _ *Circumstances) { edit(&r.Turns[i]) }
	}
	malformed := func(text string, calls ...sim.Call) func(*Record, *Circumstances) {
		return func(r *Record, _ *Circumstances) {
			t := Turn{Ask: 1, Kind: turnMalformed, Code: "invalid_json"}
			t.Reply.Text, t.Reply.Calls = text, calls
			r.Turns = append(r.Turns, t)
			r.Outcome, r.End = grader.Failed, grader.End{Code: "invalid_json"}
		}
	}
	for _, c := range []struct {
		name  string
		spoil func(r *Record, c *Circumstances)
		want  string // verdict, layer, first reason
		frame string // in the framework's words
	}{
		{"good", func(*Record, *Circumstances) {}, "PASS none ", "passed "},
		{"audit-panics", broken(grader.LayerGrader, "panic"), "no valid score grader panic", "broken grader"},
		{"unsealed", func(_ *Record, c *Circumstances) { c.Unsealed = "events.jsonl has changed" }, "no valid score grader records_unsealed", "broken grader"},
		{"differs", func(_ *Record, c *Circumstances) { c.Differs = true }, "no valid score grader grading_differs", "broken grader"},
		{"qa-model-call", turn(0, func(t *Turn) { t.Ask = 2 }), "no valid score grader model_call_in_focused_qa", "broken grader"},
		{"mount-missing", broken(grader.LayerToolRuntime, "begin"), "no valid score tool_mount begin", "broken tool_runtime"},
		{"fixture", broken(grader.LayerFixture, "setup"), "no valid score tool_mount setup", "broken tool_runtime"},
		{"tool-runtime-error", func(r *Record, _ *Circumstances) {
			r.Trace[1].Result = sim.Result{Code: world.CodeToolRuntimeError, Fault: "the setup plants a failure"}
		}, "no valid score tool_mount tool_runtime_error", "broken tool_runtime"},
		{"skills-changed", func(r *Record, _ *Circumstances) {
			a := grader.Aftermath{States: r.States}
			edit(&a, len(a.States)-1, func(s map[string]any) bool { s["digests"].(map[string]any)["skills"] = "0"; return true })
		}, "no valid score tool_mount fixture_bytes_changed", "broken fixture"},
		{"no-usage", turn(2, func(t *Turn) { t.Usage.Input, t.Usage.Output = nil, nil }), "no valid score accounting accounting_fault", "broken accounting"},
		{"bad-usage", turn(2, func(t *Turn) { t.Usage.Cached = n(5000) }), "no valid score accounting accounting_fault", "broken accounting"},
		{"calls-differ", func(r *Record, _ *Circumstances) { r.Usage.Requests++ }, "no valid score accounting call_counts_differ", "broken accounting"},
		{"script", func(r *Record, _ *Circumstances) {
			for i := range r.Turns {
				r.Turns[i].Usage = RecordedUsage{}
			}
			r.Usage = RecordedUsage{}
		}, "PASS none ", "passed "},
		{"http-500", broken(grader.LayerProvider, "http_500"), "no valid score provider http_500", "broken provider"},
		{"cut-stream", func(r *Record, c *Circumstances) {
			broken(grader.LayerProvider, "cut_stream")(r, c)
			r.Turns[4].Kind, r.Turns[4].Usage.Input, r.Turns[4].Usage.Output = "fault", nil, nil // the call did not finish
		}, "no valid score provider cut_stream", "broken provider"},
		{"window", broken(grader.LayerContext, "context_exceeded"), "no valid score provider context_exceeded", "broken provider"},
		{"adapter-crash", broken(grader.LayerAdapter, "panic"), "no valid score prompt_adapter panic", "broken adapter"},
		{"no-phase", func(r *Record, _ *Circumstances) {
			*r = Record{Task: r.Task, Trial: 1, Outcome: grader.Failed, End: grader.End{Code: grader.EndAgent}}
		}, "no valid score prompt_adapter no_stage_started", "broken adapter"},
		{"roots-hidden", func(r *Record, _ *Circumstances) {
			r.Messages[0].Content = strings.ReplaceAll(r.Messages[0].Content, "/source", "somewhere")
			r.Outcome = grader.Failed
		}, "no valid score prompt_adapter roots_not_named", "broken adapter"},
		{"tools-not-offered", func(r *Record, _ *Circumstances) {
			r.Messages[0].Content = strings.ReplaceAll(r.Messages[0].Content, world.WritePage, "")
		}, "no valid score prompt_adapter tools_not_offered", "broken adapter"},
		{"offered-natively", func(r *Record, _ *Circumstances) {
			r.Protocol, r.Messages[0].Content = agent.ProtocolTools, "Below /source, /wiki and /skills."
		}, "PASS none ", "passed "},
		{"not-parsed", malformed(`{"tool":"list_dir","arguments":{"path":"/source"}}`), "no valid score prompt_adapter call_not_parsed", "broken adapter"},
		{"native-not-parsed", malformed("", sim.Call{Name: world.ListDir, Arguments: json.RawMessage(`{}`)}), "no valid score prompt_adapter call_not_parsed", "broken adapter"},
		{"malformed", malformed(`list_dir /source`), "FAIL model invalid_json", "failed "},
		{"read-by-another", func(r *Record, c *Circumstances) {
			malformed(`list_dir /source`)(r, c)
			c.Reads = func(t Turn) bool { return strings.HasPrefix(t.Reply.Text, "list_dir ") }
		}, "no valid score prompt_adapter call_not_parsed", "broken adapter"},
		{"cancelled", broken(grader.LayerOrchestration, "interrupted"), "no valid score orchestration interrupted", "broken orchestration"},
		{"killed", func(_ *Record, c *Circumstances) { c.Lost = true }, "no valid score orchestration execution_lost", "broken orchestration"},
		{"skipped", func(r *Record, _ *Circumstances) { r.Outcome = grader.Skipped }, "no valid score orchestration not_run", "broken orchestration"},
		{"gate", func(r *Record, _ *Circumstances) { r.Outcome, r.End = grader.Failed, grader.End{Code: grader.EndGate} }, "FAIL model gate_failed", "failed "},
		{"first-match", func(r *Record, c *Circumstances) {
			broken(grader.LayerProvider, "http_500")(r, c)
			c.Lost = true
			r.Usage.Requests++
		}, "no valid score accounting call_counts_differ", "broken accounting"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, q := qualified(t)
			var more Circumstances
			c.spoil(q.Record, &more)
			a := Attribute(q.Record, more)
			first := ""
			if len(a.Reasons) > 0 {
				first = a.Reasons[0].Code
			}
			if got := a.Verdict + " " + a.Layer + " " + first; got != c.want {
				t.Errorf("want %q, got %q: %+v", c.want, got, a.Reasons)
			}
			outcome, layer := a.Framework()
			if got := string(outcome) + " " + string(layer); got != c.frame {
				t.Errorf("in the framework's words %q, want %q", got, c.frame)
			}
			if c.name == "first-match" && len(a.Reasons) != 3 {
				t.Errorf("all reasons are listed, not the first alone: %+v", a.Reasons)
			}
		})
	}
	if a := Attribute(nil, Circumstances{}); a.Layer != string(grader.LayerOrchestration) {
		t.Errorf("no record at all: %+v", a)
	}
}

// TestAToolErrorIsCountedOnce: and is no violation.
func TestAToolErrorIsCountedOnce(t *testing.T) {
	p := play(t, strings.Replace(qualifies, `"stages"`, `"faults":{"tool_runtime_error":2},"stages"`, 1))
	p.begin()
	p.must(world.ListDir, "path", "/source")
	if r := p.call(world.ListDir, "path", "/source"); r.Fault == "" {
		t.Fatal("the world did not break")
	}
	r := p.end()
	r.Outcome, r.Layer, r.FaultCode = grader.Broken, grader.LayerToolRuntime, "fault"
	g, err := GradeRun(p.ctx(), Run{Qualification: &Played{Record: r, Checks: gates3}})
	if err != nil {
		t.Fatal(err)
	}
	if want := (Counters{ToolRuntimeErrors: 1}); g.Counters != want {
		t.Errorf("counters %+v", g.Counters)
	}
	if g.Attribution.Layer != LayerToolMount || g.Stages[0].Verdict != NoValidScore || g.Stages[1].Verdict != Skipped || g.Stages[1].Because != world.Protocol {
		t.Errorf("%+v, %+v", g.Attribution, g.Stages)
	}
}

// TestNestedCallsCount: a call made within another is one of its stage's.
func TestNestedCallsCount(t *testing.T) {
	_, q := qualified(t)
	q.Record.Trace[2].Call.Parent = 1
	spent := Spend(q.Record, UncachedPlusOutput, nil)
	if len(spent) != 2 || spent[0].ToolCalls != 5 || spent[0].Nested != 1 || spent[0].ModelCalls != 5 || spent[0].Tokens != 5*150 || *spent[0].Usage.RawTotal != 5*1050 {
		t.Errorf("%+v", spent)
	}
	if total := Spend(q.Record, RawTotal, nil); total[0].Tokens != 5*1050 || total[0].Overshoot != 0 {
		t.Errorf("%+v", total)
	}
	tight := Spend(q.Record, RawTotal, map[string]world.Budget{world.Protocol: {Tokens: 5000}})
	if tight[0].Limit != 5000 || tight[0].Overshoot != 250 || tight[1].Overshoot != 0 {
		t.Errorf("the overshoot of the last call is recorded: %+v", tight)
	}
}

// TestARecordIsAnEpisode: an episode of the framework is read as it was written.
func TestARecordIsAnEpisode(t *testing.T) {
	p, q := qualified(t)
	r := q.Record
	ep := &agent.Episode{Schema: agent.Schema, Task: "a/b/c", Agent: "ollama:x", Trial: 1, Outcome: grader.Passed, End: r.End, Trace: r.Trace, Initial: r.Initial, States: r.States, Answers: r.Answers,
		Turns: []agent.Turn{{Ask: 1, Kind: agent.TurnCalls, Duration: time.Second, Reply: agent.Reply{Text: "x", Timing: agent.Timing{Prompt: 5, Output: 6}},
			Usage: agent.Usage{Requests: 1, Input: agent.Tokens(7), Cached: agent.Tokens(6), Output: agent.Tokens(5), Reasoning: agent.Tokens(4)}}}}
	raw, err := json.Marshal(ep)
	if err != nil {
		t.Fatal(err)
	}
	back, err := ParseRecord(raw)
	if err != nil {
		t.Fatal(err)
	}
	u := back.Turns[0].Usage
	if back.Turns[0].Kind != turnCalls || u.Requests != 1 || *u.Input != 7 || *u.Cached != 6 || *u.Output != 5 || *u.Reasoning != 4 || back.Turns[0].Reply.Timing.Output != 6 || back.Turns[0].Duration != time.Second {
		t.Errorf("%+v", back.Turns[0])
	}
	for ask := range 2 {
		theirs, err := ep.Evidence(ask)
		if err != nil {
			t.Fatal(err)
		}
		mine, err := back.Evidence(ask)
		if err != nil || !bytes.Equal(sim.MustCanonical(theirs), sim.MustCanonical(mine)) {
			t.Errorf("ask %d: the evidence differs: %v", ask, err)
		}
	}
	if v := grader.Grade(p.ctx(), gates3, back); v.Outcome != grader.Passed {
		t.Errorf("%s %v", v.Outcome, v.Codes())
	}
}

// TestEvents: what happened is told in order, with no text of files, pages or the model.
func TestEvents(t *testing.T) {
	p, q := qualified(t)
	q.Record.Turns[0].Reply.Text = "I think that this secret thought is mine"
	g, err := GradeRun(p.ctx(), Run{Qualification: &q})
	if err != nil {
		t.Fatal(err)
	}
	count, last := map[string]int{}, 0
	var all bytes.Buffer
	for _, e := range Events(q.Record, g.Stages, UncachedPlusOutput, nil) {
		if e.Seq != last+1 || e.Stage == "" {
			t.Errorf("event %d after %d: %+v", e.Seq, last, e)
		}
		last = e.Seq
		count[e.Type]++
		all.Write(sim.MustCanonical(e))
		all.WriteByte('\n')
	}
	calls := len(q.Record.Trace)
	for kind, n := range map[string]int{
		"execution.started": 1, "execution.finished": 1, "stage.started": 2, "stage.finished": 3, "tool.call": calls, "tool.result": calls,
		"model.request": calls, "model.response": calls, "evidence.recorded": 4, "page.changed": 2, "budget.checked": calls,
	} {
		if count[kind] != n {
			t.Errorf("%d events %s, want %d", count[kind], kind, n)
		}
	}
	for _, text := range []string{"secret thought", "export const", "A part."} {
		if bytes.Contains(all.Bytes(), []byte(text)) {
			t.Errorf("the events hold %q", text)
		}
	}
	if hits := Redacted(map[string][]byte{EventsFile: all.Bytes()}); len(hits) > 0 {
		t.Errorf("%v", hits)
	}
	golden(t, filepath.Join("testdata", "pass", EventsFile), all.Bytes())
}

// TestABrokenStageIsNotCounted: what a stage still lacked when the measurement broke is no violation.
func TestABrokenStageIsNotCounted(t *testing.T) {
	p := play(t, qualifies)
	p.protocol()
	p.begin()
	p.call("shell")
	r := p.end()
	r.Outcome, r.Layer = grader.Broken, grader.LayerProvider
	g, err := GradeRun(p.ctx(), Run{Qualification: &Played{Record: r, Checks: gates3}})
	if want := (Counters{Violations: 1, UnauthorisedTool: 1}); err != nil || g.Counters != want {
		t.Errorf("%v, %+v", err, g.Counters)
	}
}
