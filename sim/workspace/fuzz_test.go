package workspace_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"benchwright/sim"
	"benchwright/sim/workspace"
)

// FuzzArguments sends any bytes as the arguments of any tool.
func FuzzArguments(f *testing.F) {
	names := workspace.ToolNames()
	for i, name := range names {
		f.Add(uint8(i), []byte(`{}`))
		for _, c := range everyTool() {
			if c.Name == name {
				f.Add(uint8(i), []byte(c.Arguments))
			}
		}
	}
	f.Add(uint8(10), []byte(`{"widget_uuid":"w_a","x":1e308,"y":-1e-308,"w":0.1,"h":123456789.5,"min_w":-0}`))
	f.Add(uint8(8), []byte(`{"origin":"Desk Mini","widget_id":"breach_log","data_args":{"severity":{"\u0000":[[[1E+2]]]},"a":"\ud800"}}`))
	f.Fuzz(func(t *testing.T, tool uint8, args []byte) {
		w, err := workspace.Kind.New(context.Background(), sim.Env{}, json.RawMessage(reviewSetup), []string{workspace.AllTools})
		if err != nil {
			t.Fatal(err)
		}
		first, err := w.State()
		if err != nil {
			t.Fatal(err)
		}
		sent := bytes.Clone(args)
		r := w.Call(context.Background(), sim.Call{Name: names[int(tool)%len(names)], Arguments: args})
		if !bytes.Equal(args, sent) {
			t.Error("the arguments were written to")
		}
		if r.Fault != "" || r.Invalid == r.OK() {
			t.Errorf("result %+v", r)
		}
		if _, err := sim.ParseJSON(r.Data); err != nil {
			t.Errorf("data %q: %v", r.Data, err)
		}
		s, err := w.State()
		if err != nil {
			t.Fatal(err)
		}
		if c, err := sim.Canonical(s.JSON()); err != nil || !bytes.Equal(c, s.JSON()) {
			t.Errorf("the state %q is not canonical: %v", s.JSON(), err)
		}
		if r.Invalid && !bytes.Equal(s.JSON(), first.JSON()) && !strings.Contains(string(r.Data), `"message":"Unknown tab_id."`) {
			t.Errorf("refused with %s, and the state changed", r.Data)
		}
		live, err := workspace.SnapshotOf(s)
		if err != nil {
			t.Fatal(err)
		}
		if read, err := workspace.ParseSnapshot(s.JSON()); err != nil || canonical(read) != canonical(live) {
			t.Errorf("types and bytes of the state disagree, error %v", err)
		}
	})
}

// FuzzSetup builds worlds from any bytes.
func FuzzSetup(f *testing.F) {
	for _, s := range []string{
		``, `{}`, `null`, reviewSetup,
		`{"baseline":"desk-mini-a","backends":["desk-mini"],"selected":"Home","fixtures":[{"name":"desk-mini","url":"x"}]}`,
		`{"runtime":{"datasets":[{"name":"d","widget_id":"w","fields":["a"],"payload":[{"a":1}]}]},"state":{"custom_backends":[{"name":"M","widgets_json":{"w":{"params":[[],{"paramName":"p"}],"gridData":{"w":1e308}}},"apps_json":[{"tabs":{"t":{"layout":[{"i":"w","x":1e308}]}}}]}],"dashboards":[{"name":"D","tabs":[{"id":"","name":""}],"widgets":[{"widget_id":"w"}],"generated_widgets":[{"widget_type":"chart","data":[1e999],"chart_params":{"a":null}}]}]}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, setup []byte) {
		w, err := workspace.Kind.New(context.Background(), sim.Env{}, setup, []string{workspace.AllTools})
		if (err == nil) == (w == nil) {
			t.Fatalf("world %v, error %v", w, err)
		}
		if err != nil {
			return
		}
		s, err := w.State()
		if err != nil {
			t.Fatal(err)
		}
		if c, err := sim.Canonical(s.JSON()); err != nil || !bytes.Equal(c, s.JSON()) {
			t.Errorf("the state %q is not canonical: %v", s.JSON(), err)
		}
		for _, c := range []sim.Call{
			{Name: workspace.GetSnapshot},
			{Name: workspace.ListWidgets},
			{Name: workspace.ManageApps, Arguments: json.RawMessage(`{"operation":"list","backend_id":"backend_001"}`)},
			{Name: workspace.AddGenerativeWidget, Arguments: json.RawMessage(`{"widget_type":"note","data":"x"}`)},
		} {
			r := w.Call(context.Background(), c)
			if _, err := sim.ParseJSON(r.Data); err != nil {
				t.Errorf("%s gave %q: %v", c.Name, r.Data, err)
			}
		}
	})
}
