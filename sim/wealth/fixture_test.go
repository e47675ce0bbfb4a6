package wealth

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"benchwright/fixtures"
	"benchwright/sim"
)

func embedded(t *testing.T) string {
	t.Helper()
	raw, err := fixtures.Wealth().Read("fixtures.json")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestEmbeddedFixturesAreSound(t *testing.T) {
	ids, err := FixtureIDs()
	if err != nil || !slices.Equal(ids, []string{"base-2026-09"}) {
		t.Errorf("ids %q, error %v", ids, err)
	}
}

func TestFixturesAreReadOnce(t *testing.T) {
	a, errA := load()
	b, errB := load()
	if errA != nil || errB != nil || a["base-2026-09"] != b["base-2026-09"] {
		t.Error("two loads give two fixtures")
	}
}

func TestABadFixtureIsAnErrorThatNamesThePlace(t *testing.T) {
	good := embedded(t)
	tests := []struct{ name, old, new, want, reason string }{
		{"total", `"total": "2400000.00"`, `"total": "2400000.01"`, `wealth: fixture "base-2026-09": household "H-A": portfolio: total 2400000.01: the positions add up to 2400000.00`, "what is graded must add up"},
		{"position", `"value": "702300.00"`, `"value": "702300"`, `position "debt fund": value "702300": want an amount with two decimals`, "one spelling of money"},
		{"negative position", `"value": "702300.00"`, `"value": "-702300.00"`, `want an amount with two decimals`, "no debts among positions"},
		{"two of an asset", `"asset": "gold"`, `"asset": "cash"`, `position "cash": every position needs an asset of its own`, "which one is meant?"},
		{"no such day", `"as_of": "2026-06-30"`, `"as_of": "2026-06-31"`, `fund "IDX50": as_of "2026-06-31": want a date like 2006-01-02`, "ages are computed from dates"},
		{"source of another day", `"nav-IDX50-2026-06-30"`, `"nav-IDX50-2026-06-29"`, `fund "IDX50": source "nav-IDX50-2026-06-29": want "nav-IDX50-2026-06-30"`, "sources name what they are"},
		{"price", `"nav": "214.60"`, `"nav": "2.1e2"`, `fund "IDX50": value "2.1e2": want a plain decimal of zero or more`, "the rules for numbers hold here too"},
		{"age", `"max_age_days": 5`, `"max_age_days": 0`, `fund "IDX50": max_age_days 0: want at least 1`, "a price that is never fresh is a slip"},
		{"expenses", `"59300.00"`, `"59300.0"`, `household "H-B": cashflow: essential_monthly_expenses "59300.0": want an amount with two decimals`, "one spelling of money"},
		{"pair", `"USD/INR"`, `"USDINR"`, `fx "USDINR": want two currencies like "USD/INR"`, "it could never be read"},
		{"fault", `"tool_unavailable"`, `"Tool down!"`, `fx "USD/INR": fault "Tool down!": want lower-case letters and '_'`, "codes are codes"},
		{"fault and rate", `{"fault": "tool_unavailable"}`, `{"fault": "tool_unavailable", "rate": "83.41"}`, `a fault leaves no room for a rate`, "it could never be read"},
		{"unknown key", `"max_age_days"`, `"max_age"`, `unknown field "max_age"`, "a mistyped key must not be lost"},
		{"duplicate key", `"fx": {`, `"funds": {}, "fx": {`, `duplicate key "funds"`, "the last would win silently"},
		{"schema", `"wealthops.fixtures/1"`, `"wealthops.fixtures/2"`, `schema "wealthops.fixtures/2": want "wealthops.fixtures/1"`, "another format"},
		{"empty household id", `"H-B": {`, `"": {`, `household "": the id must be a string of 1 to 64 bytes`, "it could never be asked for"},
		{"cut", "\n}\n", "\n", "unexpected EOF", "no JSON"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			bad := strings.Replace(good, test.old, test.new, 1)
			if test.name == "cut" {
				bad = strings.TrimSuffix(good, "}\n")
			}
			if bad == good {
				t.Fatalf("%q does not occur in the fixtures", test.old)
			}
			_, err := parseFixtures([]byte(bad))
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "wealth: fixture") {
				t.Errorf("%s\n got %v\nwant %s", test.reason, err, test.want)
			}
		})
	}
	for name, raw := range map[string]string{
		"no households": `{"schema":"wealthops.fixtures/1","fixtures":{"x":{}}}`,
		"no positions":  `{"schema":"wealthops.fixtures/1","fixtures":{"x":{"households":{"H-A":{"portfolio":{"source":"pf-H-A-2026-08-31","as_of":"2026-08-31","total":"0.00"}}}}}}`,
		"no total":      `{"schema":"wealthops.fixtures/1","fixtures":{"x":{"households":{"H-A":{}}}}}`,
	} {
		if _, err := parseFixtures([]byte(raw)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestARateThatIsRecordedIsGiven(t *testing.T) {
	raw := strings.Replace(embedded(t), `{"fault": "tool_unavailable"}`, `{"rate": "83.4150", "as_of": "2026-08-31", "source": "fx-USD-INR-2026-08-31"}`, 1)
	all, err := parseFixtures([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	w := &world{fixture: all["base-2026-09"], caller: "H-A", scope: []string{GetFXRate}}
	r := w.Call(context.Background(), sim.Call{Name: GetFXRate, Arguments: json.RawMessage(`{"base":"USD","quote":"INR"}`)})
	want := `{"as_of":"2026-08-31","claim":"fx_rate","data":{},"ok":true,"source":"fx-USD-INR-2026-08-31","tool":"get_fx_rate","unit":"INR per USD","value":"83.4150"}`
	if string(r.Data) != want {
		t.Errorf("got %s, want %s", r.Data, want)
	}
}

func FuzzParseFixtures(f *testing.F) {
	raw, err := os.ReadFile("../../fixtures/wealth/fixtures.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add([]byte(`{"schema":"wealthops.fixtures/1","fixtures":{"x":{"households":{"H":{}}}}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		all, err := parseFixtures(raw)
		if err != nil {
			return
		}
		for id, x := range all {
			for h, records := range x.households {
				for _, r := range []*record{records.portfolio, records.cashflow} {
					if canonical, err := sim.Canonical(r.encoded); err != nil || string(canonical) != string(r.encoded) {
						t.Errorf("fixture %q, household %q: %q: %v", id, h, r.encoded, err)
					}
				}
			}
		}
	})
}
