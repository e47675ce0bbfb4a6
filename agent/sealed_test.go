package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// reach notes every type that can be reached from t: by fields, elements, and what functions
// and exported methods take and give.
func reach(t reflect.Type, private bool, path string, seen map[reflect.Type]string) {
	if _, ok := seen[t]; ok {
		return
	}
	seen[t] = path
	if t.Kind() != reflect.Interface && t.Kind() != reflect.Pointer {
		for m := range reflect.PointerTo(t).Methods() {
			reach(m.Type, private, path+"."+m.Name, seen)
		}
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
		reach(t.Elem(), private, path, seen)
	case reflect.Map:
		reach(t.Key(), private, path, seen)
		reach(t.Elem(), private, path, seen)
	case reflect.Interface:
		for m := range t.Methods() {
			reach(m.Type, private, path+"."+m.Name, seen)
		}
	case reflect.Func:
		for in := range t.Ins() {
			reach(in, private, path+"()", seen)
		}
		for out := range t.Outs() {
			reach(out, private, path+"()", seen)
		}
	case reflect.Struct:
		for f := range t.Fields() {
			if f.IsExported() || private {
				reach(f.Type, private, path+"."+f.Name, seen)
			}
		}
	}
}

// Neither what an agent may call, nor what a session holds inside, leads to the rubric.
func TestSessionHasNoWayToTheRubric(t *testing.T) {
	rubric := []reflect.Type{
		reflect.TypeFor[grader.Check](), reflect.TypeFor[grader.Rule](), reflect.TypeFor[tasks.Rubric](), reflect.TypeFor[tasks.Task](),
		reflect.TypeFor[tasks.Move](), reflect.TypeFor[tasks.Probe](), reflect.TypeFor[agent.Config](), reflect.TypeFor[tasks.Kit](),
	}
	open := append([]reflect.Type{reflect.TypeFor[agent.Episode](), reflect.TypeFor[grader.Verdict](), reflect.TypeFor[grader.Evidence](), reflect.TypeFor[sim.World](), reflect.TypeFor[sim.State]()}, rubric...)
	for _, c := range []struct {
		name    string
		private bool
		never   []reflect.Type
	}{{"exported", false, open}, {"inside", true, rubric}} {
		seen := map[reflect.Type]string{}
		reach(reflect.TypeFor[*agent.Session](), c.private, "Session", seen)
		reach(reflect.TypeFor[tasks.Envelope](), c.private, "Envelope", seen)
		if len(seen) < 20 {
			t.Errorf("%s: only %d types were looked at", c.name, len(seen))
		}
		for _, bad := range c.never {
			if path, ok := seen[bad]; ok {
				t.Errorf("%s: %v is reached by %s", c.name, bad, path)
			}
		}
	}
	// The walk finds what is there.
	seen := map[reflect.Type]string{}
	reach(reflect.TypeFor[*agent.Config](), false, "Config", seen)
	if _, ok := seen[reflect.TypeFor[grader.Check]()]; !ok {
		t.Error("the walk does not find the checks of a config")
	}
}

// No value of a rubric, nor anything else that is sealed, is in what agents and models get.
func TestSealedValues(t *testing.T) {
	const mark = "SEALED"
	tk := task(gated, lenient, func(t *tasks.Task) {
		t.ID, t.Title, t.Labels = "books/"+mark+"1/"+mark+"2", mark+"3", []string{"level:" + mark + "4"}
		t.Setup = json.RawMessage(`{"start":1,"` + mark + `5":0}`)
		t.Source = tasks.Source{File: mark + "6"}
		t.Requires = mark + "7"
		t.Rubric.Checks = []grader.Check{{Rule: &rule{mark + "8", func(ev grader.Evidence) ([]grader.Finding, error) {
			return []grader.Finding{{Code: mark + "9", Message: mark + "10", Want: mark + "11"}}, nil
		}}, Source: grader.Source{File: mark + "12", Text: mark + "13"}}}
		t.Rubric.Reference = []tasks.Move{{Answer: json.RawMessage(`"` + mark + `14"`)}}
		t.Rubric.Probes = []tasks.Probe{{Name: mark + "15", Codes: []string{mark + "16"}, Moves: []tasks.Move{{Raw: mark + "17"}}}}
		t.Rubric.Planted = []string{mark + "18"}
		t.Rubric.Stated = map[string]string{mark + "19": mark + "20"}
	})
	seen := func(what string, v any) {
		t.Helper()
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if text := string(raw) + fmt.Sprintf("%+v", v); strings.Contains(text, mark) {
			t.Errorf("%s holds a sealed value: %s", what, text)
		}
	}
	seen("the envelope of a task", tk.Envelope())
	watch := func(s step) step {
		return func(c []tasks.Message) (agent.Reply, agent.Usage, error) { seen("a conversation", c); return s(c) }
	}
	l := loop(watch(says("?")), watch(add(1)), watch(answer(`1`)))
	ep := play(t, actor(func(ctx context.Context, s *agent.Session) error {
		seen("the session's envelope", s.Envelope())
		seen("the session's tools", s.Tools())
		err := l.Play(ctx, s)
		seen("the session's last word", err)
		return err
	}), tk)
	if got := ends(ep); got != "failed gate_failed" {
		t.Fatal(got)
	}
	seen("the record's envelope", ep.Envelope)
}
