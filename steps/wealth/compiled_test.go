package wealth_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"benchwright/agent"
	"benchwright/features"
	"benchwright/grader"
	"benchwright/grader/wealth/scorer"
	"benchwright/sim"
	"benchwright/steps/wealth"
	"benchwright/tasks"
)

var suite = sync.OnceValues(func() ([]tasks.Task, error) {
	c, err := tasks.Compile(features.Suite())
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(c.Tasks), func(t tasks.Task) bool { return t.ID.Suite() != "wealthops" }), nil
})

// wealthops returns the tasks of the built-in suite.
func wealthops(t testing.TB) []tasks.Task {
	t.Helper()
	all, err := suite()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// published returns one of the published task files.
func published(t testing.TB, view string) []byte {
	t.Helper()
	raw, err := wealth.Kit().Compiled[view](wealthops(t))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func expected(t testing.TB) map[string]scorer.Case {
	t.Helper()
	c, err := scorer.ParseCases(published(t, "cases"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]scorer.Case{}
	for _, one := range c.Cases {
		out[one.CaseID] = one
	}
	return out
}

// caseID returns the id that a task has in the published files.
func caseID(t tasks.Task) string {
	number, _ := t.Label("case")
	language, _ := t.Label("lang")
	return number + "-" + language
}

// TestPublishedFiles compares the task files with those that the scorer is tested on.
func TestPublishedFiles(t *testing.T) {
	for view, name := range map[string]string{"candidate": "candidate-inputs.jsonl", "cases": "cases.json", "oracle": "oracle-contracts.jsonl"} {
		path := filepath.Join("..", "..", "grader", "wealth", "scorer", "testdata", name)
		got := published(t, view)
		if *updateDialect {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); diff != "" {
			t.Errorf("%s (-want +got), run with -update if it is right:\n%s", path, diff)
		}
	}
	if _, err := sim.ParseJSON(published(t, "fixtures")); err != nil {
		t.Error(err)
	}
}

func TestTheThreeFilesHoldTheSameCases(t *testing.T) {
	families := map[string][]string{}
	ids := map[string][]string{}
	for _, view := range []string{"candidate", "oracle"} {
		for line := range bytes.Lines(published(t, view)) {
			var c struct {
				CaseID   string `json:"case_id"`
				Family   string `json:"family"`
				Language string `json:"language"`
			}
			if err := json.Unmarshal(line, &c); err != nil {
				t.Fatal(err)
			}
			ids[view] = append(ids[view], c.CaseID)
			if view == "candidate" {
				families[c.Family] = append(families[c.Family], c.Language)
			}
		}
	}
	c, err := scorer.ParseCases(published(t, "cases"))
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range c.Cases {
		ids["cases"] = append(ids["cases"], one.CaseID)
	}
	if diff := cmp.Diff(ids["cases"], ids["candidate"]) + cmp.Diff(ids["cases"], ids["oracle"]); diff != "" || len(ids["cases"]) != 24 {
		t.Errorf("%d cases; the files differ:\n%s", len(ids["cases"]), diff)
	}
	for family, languages := range families {
		if !slices.Equal(languages, wealth.Languages) {
			t.Errorf("%s is there in %q", family, languages)
		}
	}
	if len(families) != 8 {
		t.Errorf("%d families", len(families))
	}
}

// sealed are names of fields that no file for runners may have.
var sealed = []string{"claims", "policy_code", "outcome", "evidence_ids", "accepted_traces", "expected", "critical", "oracle", "missing_fields", "rubric", "reference"}

func TestCandidateInputsHoldNoAnswer(t *testing.T) {
	cases := expected(t)
	for line := range bytes.Lines(published(t, "candidate")) {
		v, err := sim.ParseJSON(line)
		if err != nil {
			t.Fatal(err)
		}
		object := v.(map[string]any)
		want := []string{"case_id", "context", "family", "fixture", "language", "request", "tools"}
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(object))); diff != "" {
			t.Errorf("fields (-want +got):\n%s", diff)
		}
		walk(v, func(key string) {
			if slices.Contains(sealed, key) {
				t.Errorf("%v has a field %q", object["case_id"], key)
			}
		})
		c := cases[object["case_id"].(string)]
		request := object["request"].(string)
		for _, gold := range golds(c) {
			if strings.Contains(string(line), gold) && !strings.Contains(request, gold) {
				t.Errorf("%s says %q, which is for the scorer", c.CaseID, gold)
			}
		}
	}
}

// walk visits every key of parsed JSON.
func walk(v any, visit func(key string)) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			visit(k)
			walk(e, visit)
		}
	case []any:
		for _, e := range v {
			walk(e, visit)
		}
	}
}

// golds are the values that only the scorer may know before a tool has given them.
func golds(c scorer.Case) []string {
	out := append([]string{c.PolicyCode}, c.EvidenceIDs...)
	for _, claim := range c.Claims {
		whole, _, _ := strings.Cut(claim.Value, ".")
		out = append(out, claim.Value, claim.Source)
		if len(whole) > 3 {
			out = append(out, whole)
		}
	}
	return out
}

// A listener is a file system that remembers what was opened.
type listener struct {
	fs.FS
	mu     sync.Mutex
	opened []string
}

func (l *listener) Open(name string) (fs.File, error) {
	l.mu.Lock()
	l.opened = append(l.opened, name)
	l.mu.Unlock()
	return l.FS.Open(name)
}

// TestTheRunnerOpensNoSealedFile puts the published files beside the features and listens while
// the suite is compiled and played: the scorer's files are nobody else's.
func TestTheRunnerOpensNoSealedFile(t *testing.T) {
	files := fstest.MapFS{}
	err := fs.WalkDir(features.Suite().Features, "wealthops", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := fs.ReadFile(features.Suite().Features, name)
		files[name] = &fstest.MapFile{Data: raw}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, view := range map[string]string{"cases.json": "cases", "oracle-contracts.jsonl": "oracle", "candidate-inputs.jsonl": "candidate"} {
		files["wealthops/"+name] = &fstest.MapFile{Data: published(t, view)}
	}
	l := &listener{FS: files}
	c, err := tasks.Compile(tasks.Suite{Features: l, Kits: []tasks.Kit{wealth.Kit()}})
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range c.Tasks {
		play(t, task, task.Rubric.Reference, nil)
	}
	for _, name := range l.opened {
		if strings.Contains(name, "cases.json") || strings.Contains(name, "oracle") {
			t.Errorf("%s was opened", name)
		}
	}
	if !slices.ContainsFunc(l.opened, func(n string) bool { return strings.HasSuffix(n, ".feature") }) {
		t.Error("the listener has heard nothing")
	}
}

// A recorder is a model that remembers everything it was asked.
type recorder struct {
	agent.Model
	asked []request
}

type request struct {
	Messages []tasks.Message
	Tools    []sim.Tool
}

// text is all that the model reads of some messages of the request, and of its tools.
func (r request) text(messages []tasks.Message) string {
	var b strings.Builder
	for _, m := range messages {
		b.WriteString(m.Role + " " + m.Content + "\n")
	}
	for _, t := range r.Tools {
		b.WriteString(t.Name + " " + t.Description + " " + string(t.Schema) + "\n")
	}
	return b.String()
}

func (r *recorder) Next(ctx context.Context, conv []tasks.Message, tools []sim.Tool) (agent.Reply, agent.Usage, error) {
	r.asked = append(r.asked, request{slices.Clone(conv), tools})
	return r.Model.Next(ctx, conv, tools)
}

// play lets moves be made through the loop and the dialect, as a model would make them, and
// grades the episode. rec may be nil.
func play(t testing.TB, task tasks.Task, moves []tasks.Move, rec *recorder) *agent.Episode {
	t.Helper()
	kit := wealth.Kit()
	if rec == nil {
		rec = &recorder{}
	}
	rec.Model = agent.Script(kit.Dialect, agent.ProtocolJSON, moves)
	return graded(task, agent.Play(context.Background(), agent.Loop{Model: rec, Dialect: kit.Dialect}, agent.Config{Kit: &kit, Task: task, Agent: "scripted"}))
}

func graded(task tasks.Task, ep *agent.Episode) *agent.Episode {
	if ep.Outcome != grader.Broken {
		ep.Verdict = grader.Grade(context.Background(), task.Rubric.Checks, ep)
		ep.Outcome, ep.Layer, ep.Reason, ep.Score = ep.Verdict.Outcome, ep.Verdict.Layer, ep.Verdict.Reason, ep.Verdict.Score
	}
	return ep
}

// TestRequestsTellNothing looks into every request of the references and of all near misses, in
// every turn. No request names the case or its family. What the scorer alone knows is in none
// before the model has said it or a tool has given it.
func TestRequestsTellNothing(t *testing.T) {
	cases := expected(t)
	requests := 0
	for _, task := range wealthops(t) {
		scripts := [][]tasks.Move{task.Rubric.Reference}
		for _, p := range task.Rubric.Probes {
			scripts = append(scripts, p.Moves)
		}
		c := cases[caseID(task)]
		for _, moves := range scripts {
			rec := &recorder{}
			ep := play(t, task, moves, rec)
			for turn, r := range rec.asked {
				requests++
				all := r.text(r.Messages)
				for _, name := range []string{c.CaseID, c.Family, string(task.ID), task.ID.Name(), "wealthops", "base-2026-09"} {
					if strings.Contains(all, name) {
						t.Errorf("%s: request %d says %q", task.ID, turn+1, name)
					}
				}
				told(t, task, ep, c, r)
			}
		}
	}
	if requests < 500 {
		t.Errorf("only %d requests were looked at", requests)
	}
}

// told fails the test unless a request is the opening, then the model's own replies and the
// results of its calls; and unless the opening holds no gold.
func told(t *testing.T, task tasks.Task, ep *agent.Episode, c scorer.Case, r request) {
	t.Helper()
	// The vocabularies tell all policy codes to everybody.
	opening := strings.Replace(r.text(r.Messages[:2]), wealth.Protocol, "", 1)
	for _, gold := range golds(c) {
		if strings.Contains(opening, gold) && !strings.Contains(task.Asks[0].Text, gold) {
			t.Errorf("%s: before anything was said the model is told %q", task.ID, gold)
		}
	}
	for i, m := range r.Messages[2:] {
		turn := i / 2
		want := ep.Turns[turn].Reply.Text
		if m.Role == tasks.RoleUser {
			want = `{"tool_result":` + string(ep.Trace[turn].Result.Data) + `}`
		}
		if m.Content != want {
			t.Errorf("%s: message %d says %q, want %q", task.ID, i+3, m.Content, want)
		}
	}
}

func TestUnpublishableTasksAreNamed(t *testing.T) {
	edit := func(change func(*tasks.Task)) []tasks.Task {
		all := slices.Clone(wealthops(t))
		change(&all[0])
		return all
	}
	for _, tt := range []struct {
		name, view string
		all        []tasks.Task
		want       string
		reason     string
	}{
		{"no-cases", "cases", edit(func(*tasks.Task) {})[:0], "no task has a label case:", "the remedy is told"},
		{"no-language", "candidate", edit(func(t *tasks.Task) {
			t.Labels = slices.DeleteFunc(slices.Clone(t.Labels), func(l string) bool { return strings.HasPrefix(l, "lang:") })
		}), "needs a label lang:", "ids have a language"},
		{"twice", "candidate", append(edit(func(*tasks.Task) {}), wealthops(t)[0]), "and so is", "ids are unique"},
		{"two-asks", "candidate", edit(func(t *tasks.Task) { t.Asks = append(t.Asks, t.Asks[0]) }), "has 2 asks", "the published form has one request"},
		{"part-unsaid", "cases", edit(func(t *tasks.Task) { t.Rubric.Checks = t.Rubric.Checks[1:] }), "whether there is a final decision 0 times", "no part is guessed"},
		{"said-twice", "cases", edit(func(t *tasks.Task) { t.Rubric.Checks = append(slices.Clone(t.Rubric.Checks), t.Rubric.Checks[1]) }), "its outcome and policy 2 times", "nor chosen"},
		{"foreign-rule", "cases", edit(func(t *tasks.Task) {
			t.Rubric.Checks = append(slices.Clone(t.Rubric.Checks), grader.Check{Rule: foreign{}})
		}), "test.foreign is no part", "a demand that the file cannot say"},
		{"other-calls", "oracle", edit(func(t *tasks.Task) {
			t.Rubric.Reference = append([]tasks.Move{{Calls: []sim.Call{{Name: "get_nav", Arguments: json.RawMessage(`{"fund_id":"X"}`)}}}}, t.Rubric.Reference...)
		}), "other calls than any accepted trace", "a contract keeps to the rubric"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := wealth.Kit().Compiled[tt.view](tt.all)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q, since %s", err, tt.want, tt.reason)
			}
		})
	}
}

// foreign is a rule of another world.
type foreign struct{}

func (foreign) Name() string                                                     { return "test.foreign" }
func (foreign) Codes() []string                                                  { return nil }
func (foreign) Grade(context.Context, grader.Evidence) ([]grader.Finding, error) { return nil, nil }
