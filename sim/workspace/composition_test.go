package workspace_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"benchwright/sim"
	"benchwright/sim/workspace"
)

// decodedBoard is what encoding/json makes of a composition.
func decodedBoard(raw []byte) (*workspace.Composition, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	c := new(workspace.Composition)
	return c, d.Decode(c)
}

func compositions(t testing.TB) [][]byte {
	w, err := workspace.Kind.New(context.Background(), sim.Env{}, json.RawMessage(`{"baseline":"desk-mini-a","backends":["desk-mini"]}`), []string{workspace.AllTools})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []sim.Call{
		{Name: "add_generative_widget", Arguments: json.RawMessage(`{"widget_type":"note","name":"N \"é\"\n","data":"a\tb","description":"d"}`)},
		{Name: "add_generative_widget", Arguments: json.RawMessage(`{"widget_type":"chart","data":[{"x":1.50,"y":null}],"chart_params":{"chartType":"line","xKey":"x","yKey":["y"]}}`)},
		{Name: "create_widget", Arguments: json.RawMessage(`{"origin":"Desk Mini","widget_id":"cash_level","ui_args":{"a":{"b":[1,2.0]}}}`)},
	} {
		if r := w.Call(context.Background(), c); !r.OK() {
			t.Fatalf("%s", r.Data)
		}
	}
	last := workspace.Widget{}
	if c, err := w.State(); err == nil {
		s, _ := workspace.SnapshotOf(c)
		last = s.Composition.Widgets[len(s.Composition.Widgets)-1]
	}
	args := sim.MustCanonical(map[string]any{"widget_uuid": last.UUID, "x": 0.5, "y": 3, "w": 9, "h": 4, "min_w": 2, "max_h": 1e3})
	if r := w.Call(context.Background(), sim.Call{Name: "update_widget_layout", Arguments: args}); !r.OK() {
		t.Fatalf("%s", r.Data)
	}
	s, err := w.State()
	if err != nil {
		t.Fatal(err)
	}
	var top struct {
		All map[string]json.RawMessage `json:"dashboard_compositions"`
	}
	if err := json.Unmarshal(s.JSON(), &top); err != nil {
		t.Fatal(err)
	}
	var out [][]byte
	for _, raw := range top.All {
		out = append(out, raw)
	}
	return append(out, []byte(`{}`), []byte(`null`), []byte(`[]`), []byte(`{"Name":"x"}`), []byte(`{"name":null,"tabs":null,"widgets":null}`), []byte(`{"tabs":[],"widgets":[]}`),
		[]byte(`{"tabs":[null],"widgets":[{"description":null,"ui_args":null,"data_args":{}}]}`), []byte(`{"name":1,"dashboard_id":"d"}`), []byte(`{"widgets":[{"layout":{"x":1e999}}]}`), []byte(`{"name":"a","name":"b"}`),
		[]byte(` {"name":"a"}`), []byte(`{"name":"\u0061"}`), []byte(`{"name":"a"}x`), []byte(`{"name":"a",}`), []byte(`{"name":"a"`), []byte(``), []byte(`{"widgets":[{"generated_data":{"a":1,"a":2}}]}`), []byte(`{"later":1,"name":"a"}`))
}

func sameComposition(t *testing.T, raw []byte) {
	got, err := workspace.ParseComposition(raw)
	want, wantErr := decodedBoard(raw)
	if (err == nil) != (wantErr == nil) || !reflect.DeepEqual(got, want) {
		t.Fatalf("%s\nis %+v, %v\nand decoded %+v, %v", raw, got, err, want, wantErr)
	}
}

// TestCompositionsAreReadAsTheyAreDecoded compares the quick reader with encoding/json, on what
// worlds write and on what has been spoiled at random.
func TestCompositionsAreReadAsTheyAreDecoded(t *testing.T) {
	all := compositions(t)
	r := rand.New(rand.NewPCG(1, 5))
	const letters = `{}[]":,\ntrue0.5e-"a\u`
	for _, raw := range all {
		sameComposition(t, raw)
		for range 300 {
			spoiled := bytes.Clone(raw)
			for range 1 + r.IntN(2) {
				if len(spoiled) == 0 {
					continue
				}
				at := r.IntN(len(spoiled))
				switch r.IntN(3) {
				case 0:
					spoiled[at] = letters[r.IntN(len(letters))]
				case 1:
					spoiled = append(spoiled[:at], spoiled[at+1:]...)
				default:
					spoiled = append(spoiled[:at], append([]byte{letters[r.IntN(len(letters))]}, spoiled[at:]...)...)
				}
			}
			sameComposition(t, spoiled)
		}
	}
}

func FuzzParseComposition(f *testing.F) {
	for _, raw := range compositions(f) {
		f.Add(raw)
	}
	f.Fuzz(sameComposition)
}

func BenchmarkParseComposition(b *testing.B) {
	raw := compositions(b)[0]
	for name, parse := range map[string]func(json.RawMessage) (*workspace.Composition, error){
		"quickly": workspace.ParseComposition,
		"decoded": func(raw json.RawMessage) (*workspace.Composition, error) { return decodedBoard(raw) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := parse(raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
