package sim_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"testing"

	"benchwright/sim"
)

func trace(asks ...int) sim.Trace {
	var t sim.Trace
	for i, ask := range asks {
		t = append(t, sim.Event{Ask: ask, Turn: i + 1})
	}
	return t
}

func turns(t sim.Trace) string {
	s := ""
	for _, e := range t {
		s += fmt.Sprint(e.Turn)
	}
	return s
}

func TestTraceByAsk(t *testing.T) {
	tests := []struct {
		name       string
		trace      sim.Trace
		ask        int
		its, until string // turns
		reason     string
	}{
		{"first of two", trace(0, 0, 1), 0, "12", "12", "a check of an ask sees nothing later"},
		{"second of two", trace(0, 0, 1), 1, "3", "123", "a check sees what was done before"},
		{"silent ask in between", trace(0, 2), 1, "", "1", "an ask may be answered without a call"},
		{"beyond the last", trace(0, 1), 5, "", "12", "nothing came after"},
		{"before the first", trace(1, 1), 0, "", "", "nothing had been done"},
		{"empty", nil, 0, "", "", "nothing was done"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := turns(test.trace.Ask(test.ask)); got != test.its {
				t.Errorf("%s: Ask gives turns %q, want %q", test.reason, got, test.its)
			}
			if got := turns(test.trace.Until(test.ask)); got != test.until {
				t.Errorf("%s: Until gives turns %q, want %q", test.reason, got, test.until)
			}
		})
	}
}

func TestPartsOfATraceLeaveItAsItIs(t *testing.T) {
	whole := trace(0, 1, 0, 1)
	whole.Ask(1)[0].Turn = 9
	_ = append(whole.Until(0), sim.Event{Turn: 9})
	if got := turns(whole); got != "1234" {
		t.Errorf("the trace has become %s", got)
	}
}

func TestResultOK(t *testing.T) {
	tests := []struct {
		name   string
		r      sim.Result
		want   bool
		reason string
	}{
		{"ok", sim.Result{Status: sim.StatusOK}, true, "it did what it was asked"},
		{"error", sim.Result{Status: "error"}, false, "it did not"},
		{"nothing", sim.Result{}, false, "success is said, not implied"},
		{"fault", sim.Fault("disk %d", 1), false, "the world broke"},
		{"ok and fault", sim.Result{Status: sim.StatusOK, Fault: "x"}, false, "a fault counts whatever the status says"},
	}
	for _, test := range tests {
		if test.r.OK() != test.want {
			t.Errorf("%s: OK is %t: %s", test.name, !test.want, test.reason)
		}
	}
	if r := sim.Fault("disk %d", 1); r.Fault != "disk 1" || r.Data != nil {
		t.Errorf("fault %+v", r)
	}
}

func TestDecodeState(t *testing.T) {
	k := sim.Kind{Name: "w"}
	s, err := k.DecodeState(json.RawMessage(` {"b":1,"a":2}`), nil)
	if err != nil || string(s.JSON()) != `{"a":2,"b":1}` {
		t.Errorf("state %v, error %v", s, err)
	}
	if _, err := k.DecodeState(json.RawMessage(`{"a":1,"a":1}`), nil); err == nil || err.Error() != `state of world w: offset 10: duplicate key "a"` {
		t.Errorf("error %v", err)
	}
	k.Decode = func(json.RawMessage, fs.FS) (sim.State, error) { return sim.RawState(`1`), nil }
	if s, err := k.DecodeState(nil, nil); err != nil || string(s.JSON()) != `1` {
		t.Errorf("a world's own Decode is not used: %v, error %v", s, err)
	}
}

func ExampleCanonical() {
	c, err := sim.Canonical(json.RawMessage(`{ "b": 1.0, "a": "\u00e9" }`))
	fmt.Println(string(c), err)
	// Output: {"a":"é","b":1.0} <nil>
}
