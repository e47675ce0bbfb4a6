package workspace

import (
	"encoding/json"
	"reflect"
	"testing"

	"benchwright/sim"
)

// A glance finds what decoding finds, and gives up on what it cannot tell.
func TestGlance(t *testing.T) {
	for _, raw := range []string{
		`{"a":"x","b":{"a":"y"}}`, `{"b":[{"a":"y"}],"c":"}{"}`, `{"a":"l\ni\"ne"}`, `{"\u0001":1,"a":"x"}`, `{"a":1}`, `{"a":null}`, `{"a":["x"]}`, `{"a":""}`, `{}`,
		`{ "a" : "x" }`, `{"a":"x" }`, `{"a":"x","a":"y"}`, `{"a":"x"`, `{"a":"x"}}`, `{"a"}`, `["a"]`, `"a"`, `null`, `1`, ``, `{"b":"a","a":"x"}`, `{"ä":"a","a":"ü"}`,
	} {
		if got, want := textAt(json.RawMessage(raw), "a"), argument(parsed(json.RawMessage(raw)), "a"); got != want {
			t.Errorf("textAt(%s) is %q, want %q", raw, got, want)
		}
	}
	for _, raw := range []string{
		`{"widgets":[{"name":"n","origin":"A","widget_id":"x"},{"origin":"B","widget_id":"y"},{"origin":"A","widget_id":"z"},{"widget_id":"none"},{"origin":"C"},7]}`,
		`{"widgets":[{"origin":"A \"quoted\"","widget_id":"x"}]}`, `{"widgets":[]}`, `{"count":3,"widgets":{"origin":"A"}}`, `{}`,
	} {
		want := decodedListing(json.RawMessage(`{"data":` + raw + `}`))
		if got := glanced(json.RawMessage(raw)); got == nil || !reflect.DeepEqual(got, want) {
			t.Errorf("glanced(%s) is %+v, want %+v", raw, got, want)
		}
	}
	for _, raw := range []string{`null`, `[]`, `{"widgets":[{"origin":1}]}`, `{"backend":{"name":"A"}}`, `{"widgets":[`} {
		if got := glanced(json.RawMessage(raw)); got != nil {
			t.Errorf("glanced(%s) is %+v: it has to be decoded", raw, got)
		}
	}
}

// A state is the same view, whether it is glanced over or decoded.
func TestGlanceAtState(t *testing.T) {
	large := large()
	for _, raw := range []json.RawMessage{large.Initial, large.States[0], sim.MustCanonical(json.RawMessage(
		`{"workspace_state":{"current_dashboard_uuid":null,"current_tab_id":"t"},"dashboards":[{"dashboard_id":"a","name":"A \"a\"","more":[1]}],
		"dashboard_compositions":{"a":{}},"backends":[{"id":"b","name":"B","url":"u","status":"ok","widget_count":3,"app_count":0}],"custom_backends":{}}`))} {
		var quick, slow view
		if !quick.glance(raw) {
			t.Fatalf("gives up on %.200s", raw)
		}
		if err := slow.decode(raw); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(&quick, &slow) {
			t.Errorf("%.200s:\n%.500v\n%.500v", raw, &quick, &slow)
		}
	}
	for _, raw := range []string{`{"dashboards":[{"dashboard_id":7}]}`, `{"backends":[{"widget_count":"many"}]}`, `{"custom_backends":null}`, `{"dashboard_compositions":[]}`, `[]`, `{"workspace_state":{"current_tab_id":7}}`, `{ "dashboards":[]}`} {
		if new(view).glance(json.RawMessage(raw)) {
			t.Errorf("does not give up on %s", raw)
		}
	}
}

// Widgets differ in the same members, whether they are decoded or not.
func TestUnequal(t *testing.T) {
	for _, tt := range [][2]string{
		{`{"a":1,"b":"x","d":[1]}`, `{"b":"y","c":null,"d":[1.0]}`}, {`{}`, `{"a":1}`}, {`{"a":1}`, `{}`}, {`{"a":1}`, `{"a":1.0}`}, {`{"a":1}`, `{ "a":2}`},
		{`{"b":1,"a":2}`, `{"a":1,"b":2}`}, {`{"a":null}`, `{}`}, {`{"a\n":1,"b":1}`, `{"a\n":2,"b":1}`}, {`{}`, `{}`},
	} {
		before, after := rawWidget{raw: json.RawMessage(tt[0])}, rawWidget{raw: json.RawMessage(tt[1])}
		var want []member
		was, is := before.value(), after.value()
		for _, k := range keysOf(was, is) {
			if !exact(was[k], is[k]) {
				want = append(want, member{k, was[k], is[k]})
			}
		}
		if got := unequal(&before, &after); !reflect.DeepEqual(got, want) {
			t.Errorf("%s and %s: %v, want %v", tt[0], tt[1], got, want)
		}
	}
}
