package wealth_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"benchwright/agent"
	"benchwright/agent/ollama"
	"benchwright/grader/wealth/scorer"
	"benchwright/reports"
	"benchwright/sim"
	"benchwright/steps/wealth"
	"benchwright/tasks"
)

// TestWhatGoesWrongHasACode lets real requests go wrong, and looks at the records.
func TestWhatGoesWrongHasACode(t *testing.T) {
	say := func(w http.ResponseWriter, text, reason string) {
		w.Header().Set("Content-Type", "application/x-ndjson")
		line, _ := json.Marshal(map[string]any{
			"model": "tiny", "message": map[string]any{"role": "assistant", "content": text},
			"done": true, "done_reason": reason, "prompt_eval_count": 9, "eval_count": 5, "load_duration": 2000000, "total_duration": 9000000, "eval_duration": 4000000,
		})
		w.Write(append(line, '\n'))
	}
	call := `{"kind":"tool","name":"percent_of","arguments":{"part":"1","whole":"2"}}`
	for _, tt := range []struct {
		name   string
		answer func(w http.ResponseWriter, r *http.Request)
		code   string
		kind   string // of the last decision
		reason string
	}{
		{"status-500", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, `{"error":"oh"}`, 500) }, "http_status", scorer.DecisionNone, "the server refused"},
		{"model-gone", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, `{"error":"model 'tiny' not found"}`, 404) }, "model_not_found", scorer.DecisionNone, "there is no such model"},
		{"closes", func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }, "network_error", scorer.DecisionNone, "the connection broke"},
		{"sleeps", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "deadline_exceeded", scorer.DecisionNone, "nothing came in time"},
		{"prose", func(w http.ResponseWriter, _ *http.Request) { say(w, "Sure!", "stop") }, "invalid_json", scorer.DecisionInvalid, "no object"},
		{"list", func(w http.ResponseWriter, _ *http.Request) { say(w, "[]", "stop") }, "invalid_decision", scorer.DecisionInvalid, "no decision"},
		{"cut", func(w http.ResponseWriter, _ *http.Request) { say(w, `{"kind":"fin`, "length") }, "output_truncated", scorer.DecisionInvalid, "the output limit"},
		{"never-ends", func(w http.ResponseWriter, _ *http.Request) { say(w, call, "stop") }, "decision_limit_exceeded", scorer.DecisionTool, "four looks and no answer"},
		{"repeats-itself", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/x-ndjson")
			fmt.Fprintln(w, `{"model":"tiny","message":{"role":"assistant","content":"aaaa"},"done":false}`)
		}, "no_done", scorer.DecisionNone, "the stream ended without saying so"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var body [1 << 16]byte
				for _, err := r.Body.Read(body[:]); err == nil; _, err = r.Body.Read(body[:]) {
				}
				tt.answer(w, r)
			}))
			defer server.Close()
			zero := 0
			client, err := ollama.New(ollama.Config{Name: "tiny", Host: server.URL, Options: ollama.Options{Retries: &zero}})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			original := wealthops(t)[slices.IndexFunc(wealthops(t), func(o tasks.Task) bool { return caseID(o) == "WO-1-en" })]
			task := original
			if tt.name == "sleeps" {
				task.Limits.Wall = tasks.Duration(100 * time.Millisecond)
			}
			ep := agent.Play(context.Background(), agent.Loop{Model: client.Model(ollama.Request{}), Dialect: wealth.Dialect{}}, agent.Config{Kit: kit(), Task: task})
			ep.TaskDigest = original.Digest()
			files := views(t, bundle(t, sampleRun(reports.KindModel, "ollama:tiny"), graded(task, ep)))
			p, err := scorer.ParsePrediction(files["wealthops/predictions.jsonl"])
			if err != nil {
				t.Fatal(err)
			}
			if p.Status != scorer.Failed || p.Error.Code != tt.code || len(p.Result) > 0 && string(p.Result) != "null" {
				t.Errorf("%s, %+v, result %s; want code %s, since %s", p.Status, p.Error, p.Result, tt.code, tt.reason)
			}
			if n := len(p.Decisions); n == 0 || p.Decisions[n-1].Kind != tt.kind || len(p.RequestDigests) != n {
				t.Errorf("decisions %+v with %d requests, want a last one of kind %s", p.Decisions, len(p.RequestDigests), tt.kind)
			}
			var report scorer.Report
			if err := json.Unmarshal(files["wealthops/report.json"], &report); err != nil {
				t.Fatal(err)
			}
			if report.LabelCounts["runtime:"+tt.code] != 1 || report.Passed != 0 {
				t.Errorf("labels %v", report.LabelCounts)
			}
		})
	}
}

// TestNativeCallsAreKept plays in the tools protocol, where a reply may be calls alone.
func TestNativeCallsAreKept(t *testing.T) {
	task := wealthops(t)[slices.IndexFunc(wealthops(t), func(o tasks.Task) bool { return caseID(o) == "WO-1-en" })]
	model := agent.Script(wealth.Dialect{}, agent.ProtocolTools, task.Rubric.Reference)
	ep := agent.Play(context.Background(), agent.Loop{Model: model, Dialect: wealth.Dialect{}}, agent.Config{Kit: kit(), Task: task, Protocol: agent.ProtocolTools})
	run := sampleRun(reports.KindModel, "ollama:tiny")
	run.Protocol = agent.ProtocolTools
	files := views(t, bundle(t, run, graded(task, ep)))
	p, err := scorer.ParsePrediction(files["wealthops/predictions.jsonl"])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sim.ParseJSON([]byte(p.Decisions[0].Raw)); err != nil || !strings.Contains(p.Decisions[0].Raw, "future_value") {
		t.Errorf("raw %q", p.Decisions[0].Raw)
	}
	if !bytes.Contains(files["wealthops/bundle.json"], []byte(wealth.ToolsProtocolDigest())) {
		t.Error("the bundle does not say which protocol was spoken")
	}
}
