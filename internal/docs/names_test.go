package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"benchwright/agent"
	"benchwright/agent/ollama"
	"benchwright/grader"
	"benchwright/grader/gates"
	"benchwright/grader/wealth/scorer"
	"benchwright/reports"
	"benchwright/sim"
	"benchwright/tasks"
)

// literals returns the string constants of a Go file of ours, those of its tags left out.
func literals(t *testing.T, path string) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, path), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	ast.Inspect(f, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if s, err := strconv.Unquote(l.Value); err == nil {
				out = append(out, s)
			}
		}
		return true
	})
	return out
}

var variable = regexp.MustCompile(`\bBENCH_[A-Z_]+\b`)

func TestVariablesAreThoseOfTheCode(t *testing.T) {
	known := map[string]bool{}
	for _, s := range literals(t, "internal/run/config.go") {
		if s != "" && variable.FindString(s) == s {
			known[s] = true
		}
	}
	if len(known) == 0 {
		t.Fatal("no variable found in the code")
	}
	for _, p := range pages(t) {
		for _, name := range variable.FindAllString(p.text, -1) {
			if !known[name] {
				t.Errorf("%s: there is no variable %s", p.path, name)
			}
		}
		if p.path != "README.md" {
			continue
		}
		for name := range known {
			if !strings.Contains(p.text, "\n| `"+name+"` |") {
				t.Errorf("README.md: the table of variables lacks %s", name)
			}
		}
	}
}

// words returns all words between backticks on a page.
func words(t *testing.T, path string) []string {
	t.Helper()
	for _, p := range pages(t) {
		if p.path == path {
			var out []string
			for _, s := range p.spans() {
				out = append(out, strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" ,:=\"{}", r) })...)
				out = append(out, s)
			}
			return out
		}
	}
	t.Fatalf("there is no page %s", path)
	return nil
}

func demand(t *testing.T, path string, have []string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !slices.Contains(have, w) {
			t.Errorf("%s says nothing about `%s`", path, w)
		}
	}
}

// fields returns the JSON names of a struct's fields, embedded ones included.
func fields(v any) []string {
	var out []string
	for _, f := range reflect.VisibleFields(reflect.TypeOf(v)) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			out = append(out, name)
		}
	}
	return out
}

func TestFormatsNameEveryField(t *testing.T) {
	const path = "docs/formats.md"
	have := words(t, path)
	for _, v := range []any{
		reports.Run{}, reports.Record{}, reports.GateResult{}, reports.Certificate{}, reports.Row{}, reports.Summary{}, reports.Rate{}, reports.Reliability{},
		reports.Selected{}, agent.Turn{}, agent.Reply{}, agent.Timing{}, agent.Usage{}, agent.Identity{},
		grader.Verdict{}, grader.Result{}, grader.Finding{}, sim.Event{}, sim.Call{}, sim.Result{},
		tasks.Task{}, tasks.Ask{}, tasks.Limits{}, tasks.Protocol{}, tasks.Rubric{}, tasks.Move{}, tasks.Probe{}, tasks.Message{},
		scorer.Prediction{}, scorer.ToolCall{}, scorer.Decision{}, scorer.Error{},
	} {
		demand(t, path, have, fields(v)...)
	}
	demand(t, path, have, reports.RunSchema, agent.Schema, scorer.PredictionSchema, scorer.ReportSchema, scorer.LatencySchema,
		reports.RunFile, reports.RowsFile, reports.SummaryFile, reports.EventsFile, reports.JUnitFile,
		reports.KindCertification, reports.KindModel, reports.KindReference, reports.KindNoop, reports.KindRandom, reports.KindReplay, reports.KindExternal,
		string(grader.StateType), string(grader.TraceType), string(grader.AnswerType), string(grader.BudgetType), string(grader.ContractType))
}

func TestAgentsNamesEveryEndLayerAndOption(t *testing.T) {
	const path = "docs/agents.md"
	have := words(t, path)
	demand(t, path, have,
		string(grader.LayerProvider), string(grader.LayerAdapter), string(grader.LayerContext), string(grader.LayerToolRuntime),
		string(grader.LayerGrader), string(grader.LayerJudge), string(grader.LayerFixture), string(grader.LayerAccounting), string(grader.LayerOrchestration),
		grader.EndStopped, grader.EndTurns, grader.EndWall, grader.EndTokens, grader.EndCalls, grader.EndInvalid, grader.EndNoDone, grader.EndTruncated, grader.EndContext, grader.EndGate,
		ollama.EndToolCall)
	demand(t, path, have, fields(ollama.Options{})...)
	demand(t, path, have, fields(ollama.Prices{})...)
}

func TestAuthoringNamesEveryGate(t *testing.T) {
	const path = "docs/authoring.md"
	have := words(t, path)
	for _, g := range gates.All() {
		demand(t, path, have, string(g))
	}
}
