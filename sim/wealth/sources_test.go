package wealth_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"benchwright/sim"
	"benchwright/sim/wealth"
)

// tokens splits what an agent sees into the words and numbers in it.
func tokens(data []byte) []string {
	return strings.FieldsFunc(string(data), func(r rune) bool { return strings.ContainsRune(`"{}[]:, `, r) })
}

func hidden(t testing.TB) []string {
	t.Helper()
	h, err := wealth.Hidden(setup)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestHiddenIsAllOfTheOtherHousehold(t *testing.T) {
	want := []string{
		"118700", "118700.00", "1875000", "1875000.00", "252100", "252100.00", "562900", "562900.00",
		"59300", "59300.00", "941300", "941300.00", "cf-H-B-2026-08", "pf-H-B-2026-08-31",
	}
	if got := hidden(t); !slices.Equal(got, want) {
		t.Errorf("hidden %q, want %q", got, want)
	}
	other := setup
	other.Household = "H-B"
	fromThere, err := wealth.Hidden(other)
	if err != nil || slices.Contains(fromThere, "1875000.00") || !slices.Contains(fromThere, "2400000.00") {
		t.Errorf("seen from the other side, hidden is %q, error %v", fromThere, err)
	}
	if _, err := wealth.Hidden(wealth.Setup{}); err == nil {
		t.Error("no error for a setup that is none")
	}
	if _, err := wealth.Probes(wealth.Setup{}); err == nil {
		t.Error("no error for a setup that is none")
	}
}

func TestNothingHiddenIsReached(t *testing.T) {
	probes, err := wealth.Probes(setup)
	if err != nil {
		t.Fatal(err)
	}
	secret := hidden(t)
	w := open(t, wealth.AllTools)
	called, seen := map[string]bool{}, map[string]bool{}
	for _, c := range probes {
		r := w.Call(t.Context(), c)
		called[c.Name] = true
		for _, token := range tokens(r.Data) {
			seen[token] = true
			if slices.Contains(secret, token) {
				t.Errorf("%s(%s) shows %s: %s", c.Name, c.Arguments, token, r.Data)
			}
		}
	}
	for _, name := range wealth.ToolNames() {
		if !called[name] {
			t.Errorf("no probe calls %s", name)
		}
	}
	for _, visible := range []string{"2400000.00", "68500.00", "214.60"} {
		if !seen[visible] {
			t.Errorf("no probe shows %s: they do not read what may be read", visible)
		}
	}
}

// Every value in the file of fixtures, so that a message or schema can be searched for them.
func fixtureValues(t *testing.T) []string {
	t.Helper()
	raw, err := os.ReadFile("../../fixtures/wealth/fixtures.json")
	if err != nil {
		t.Fatal(err)
	}
	v, err := sim.ParseJSON(raw)
	if err != nil {
		t.Fatal(err)
	}
	var values []string
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, e := range v {
				if k != "fault" { // the agent is told the code of a fault
					walk(e)
				}
			}
		case []any:
			for _, e := range v {
				walk(e)
			}
		case string:
			values = append(values, v, strings.TrimSuffix(v, ".00"))
		}
	}
	walk(v.(map[string]any)["fixtures"])
	return append(values, "H-A", "H-B", "IDX50", "USD", "base-2026-09", "2026-09-01", "2500000", "0.06", "3345563.94")
}

func TestMessagesAndSchemasHoldNoValueOfAFixture(t *testing.T) {
	values := fixtureValues(t)
	check := func(what, text string) {
		for _, v := range values {
			// An asset is an everyday word; the rest must not occur at all.
			if !slices.Contains([]string{"equity fund", "debt fund", "gold", "cash"}, v) && strings.Contains(text, v) {
				t.Errorf("%s holds %q: %s", what, v, text)
			}
		}
	}
	w := open(t, wealth.AllTools)
	for _, tool := range w.Tools() {
		check("the description of "+tool.Name, tool.Description)
		check("the schema of "+tool.Name, string(tool.Schema))
	}
	probes, err := wealth.Probes(setup)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{``, `{}`, `{"household_id":7}`, `{"base":"x","quote":"y"}`, `{"fund_id":"x"}`, `{"part":"x","whole":"y"}`,
		`{"liquid_assets":"x","monthly_expenses":"y"}`, `{"principal":"x","annual_rate":"y","years":0}`, `{"principal":"1","annual_rate":"y","years":0}`,
		`{"principal":"1","annual_rate":"0","years":0}`, `{"target":"x","annual_rate":"0","years":1}`} {
		for _, name := range append(wealth.ToolNames(), "no_such_tool") {
			probes = append(probes, sim.Call{Name: name, Arguments: json.RawMessage(args)})
		}
	}
	messages := map[string]bool{}
	for _, c := range probes {
		r := w.Call(t.Context(), c)
		if r.OK() {
			continue
		}
		message := get(t, r, "error").(map[string]any)["message"].(string)
		check("a message of "+c.Name, message)
		messages[message] = true
	}
	if len(messages) < 12 {
		t.Errorf("only %d different messages were seen", len(messages))
	}
}

func FuzzCall(f *testing.F) {
	for i, name := range wealth.ToolNames() {
		f.Add(byte(i), name, []byte(`{"household_id":"H-B","fund_id":"IDX50","base":"USD","quote":"INR"}`))
		f.Add(byte(i), "", []byte(`{"principal":"2500000","annual_rate":0.06,"years":5}`))
		f.Add(byte(i), "", []byte(`{"target":"4000000","annual_rate":"0.12","years":"10"}`))
		f.Add(byte(i), "", []byte(`{"part":1e5,"whole":"٣"}`))
		f.Add(byte(i), "\xff\x00", []byte(`{"household_id":"H-A","household_id":"H-B"}`))
		f.Add(byte(i), "", []byte("{\"household_id\":\"H-A\xff\"}"))
	}
	secret := hidden(f)
	names := wealth.ToolNames()
	w := open(f, wealth.AllTools)
	f.Fuzz(func(t *testing.T, pick byte, name string, args []byte) {
		if name == "" || slices.Contains(names, name) {
			name = names[int(pick)%len(names)]
		}
		r := w.Call(t.Context(), sim.Call{Name: name, Arguments: args})
		canonical, err := sim.Canonical(r.Data)
		if err != nil || string(canonical) != string(r.Data) || !utf8.Valid(r.Data) {
			t.Errorf("data %q is not canonical JSON: %v", r.Data, err)
		}
		if r.Fault != "" || r.Status == "" || r.OK() != (r.Code == "") || r.Invalid != (r.Status == wealth.StatusInvalid) {
			t.Errorf("result %+v contradicts itself", r)
		}
		if again := wealth.CanonicalArguments(name, r.Arguments); string(again) != string(r.Arguments) {
			t.Errorf("canonical arguments %s become %s", r.Arguments, again)
		}
		if len(r.Arguments) > 0 {
			if c, err := sim.Canonical(r.Arguments); err != nil || string(c) != string(r.Arguments) {
				t.Errorf("arguments %q are not canonical: %v", r.Arguments, err)
			}
		}
		computes := r.OK() && strings.Contains(string(r.Data), `"source":"calc-`)
		for _, token := range tokens(r.Data) {
			// A calculator can be made to compute any number, and an unknown name is repeated.
			if slices.Contains(secret, token) && !computes && r.Code != wealth.CodeUnknownTool {
				t.Errorf("%s(%q) shows %s", name, args, token)
			}
		}
	})
}
