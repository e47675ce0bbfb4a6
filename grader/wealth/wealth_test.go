package wealth

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"benchwright/grader"
	"benchwright/sim"
)

// episode is evidence that can be asked for.
type episode grader.Evidence

func (e episode) Evidence(int) (grader.Evidence, error) { return grader.Evidence(e), nil }

// checks demand what the good episode of this test does: two reads and a calculation.
func checks() []grader.Check {
	read := Call{"read_portfolio", json.RawMessage(`{"household_id":"H-A"}`), "ok"}
	flow := Call{"read_cashflow", json.RawMessage(`{"household_id":"H-A"}`), "ok"}
	cover := Call{"cover_months", json.RawMessage(`{"liquid_assets":"245000","monthly_expenses":"68500"}`), "ok"}
	return []grader.Check{
		Completed(),
		Outcome("answer", "planning_estimate"),
		Claims(map[string]Claim{
			"cover": {"3.58", "months", "H-A", "2026-08-31", "calc-cov-v1"},
			"total": {"2400000.00", "INR", "H-A", "2026-08-31", "pf"},
		}),
		Evidence("pf", "cf", "calc-cov-v1"),
		MissingFields("rate"),
		Trace([]Call{read, flow, cover}, []Call{flow, read, cover}),
		NoWrites(),
	}
}

const goodAnswer = `{"claims":{"cover":{"as_of":"2026-08-31","source":"calc-cov-v1","subject":"H-A","unit":"months","value":"3.58"},` +
	`"total":{"as_of":"2026-08-31","source":"pf","subject":"H-A","unit":"INR","value":"2400000.00"}},` +
	`"evidence_ids":["pf","cf","calc-cov-v1"],"missing_fields":["rate"],"outcome":"answer","policy_code":"planning_estimate"}`

func event(name, args, status string) sim.Event {
	return sim.Event{Call: sim.Call{Name: name, Arguments: json.RawMessage(args)}, Result: sim.Result{Status: status, Arguments: json.RawMessage(args)}}
}

var (
	readEvent  = event("read_portfolio", `{"household_id":"H-A"}`, "ok")
	flowEvent  = event("read_cashflow", `{"household_id":"H-A"}`, "ok")
	coverEvent = event("cover_months", `{"liquid_assets":"245000","monthly_expenses":"68500"}`, "ok")
)

func good() episode {
	return episode{
		Final:  sim.RawState(`{"writes":0}`),
		Trace:  sim.Trace{readEvent, flowEvent, coverEvent},
		Answer: json.RawMessage(goodAnswer),
		End:    grader.End{Code: grader.EndDone},
	}
}

// said replaces one piece of the good answer.
func said(old, new string) func(*episode) {
	return func(e *episode) {
		if strings.Count(goodAnswer, old) != 1 {
			panic("the good answer does not say once: " + old)
		}
		e.Answer = json.RawMessage(strings.Replace(goodAnswer, old, new, 1))
	}
}

func answered(answer string) func(*episode) {
	return func(e *episode) { e.Answer = json.RawMessage(answer) }
}

func called(events ...sim.Event) func(*episode) { return func(e *episode) { e.Trace = events } }

func TestSpoiledEpisodesGetTheirLabels(t *testing.T) {
	everyField := func(c string) []string {
		return []string{"wrong_value:" + c, "wrong_unit:" + c, "wrong_subject:" + c, "wrong_as_of:" + c, "wrong_source:" + c}
	}
	seen := map[string]bool{}
	for _, tt := range []struct {
		name   string
		spoil  func(*episode)
		want   []string // nil: it passes
		reason string
	}{
		{"good", func(*episode) {}, nil, "the reference passes"},
		{"other-order", called(flowEvent, readEvent, coverEvent), nil, "any accepted trace will do"},
		{"value-as-number", said(`"value":"3.58"`, `"value":3.58`), nil, "a number token is as good as a string"},
		{"value-more-zeros", said(`"3.58"`, `"3.5800"`), nil, "values are equal, not spellings"},
		{"evidence-other-order", said(`["pf","cf","calc-cov-v1"]`, `["cf","pf","calc-cov-v1","pf"]`), nil, "evidence is a set"},

		{"value-more", said(`"3.58"`, `"3.59"`), []string{"wrong_value:cover"}, "no tolerance above"},
		{"value-less", said(`"3.58"`, `"3.57"`), []string{"wrong_value:cover"}, "no tolerance below"},
		{"value-beyond-floats", said(`"2400000.00"`, `"2400000.00000000000000000001"`), []string{"wrong_value:total"}, "a float would call it equal"},
		{"value-exponent", said(`"value":"2400000.00"`, `"value":24e5`), []string{"wrong_value:total"}, "only plain notation is a value"},
		{"value-grouped", said(`"2400000.00"`, `"24,00,000.00"`), []string{"wrong_value:total"}, "grouping is no part of a decimal"},
		{"value-negative", said(`"3.58"`, `"-3.58"`), []string{"wrong_value:cover"}, "signs count"},
		{"value-list", said(`"value":"3.58"`, `"value":["3.58"]`), []string{"wrong_value:cover"}, "another shape is a wrong value"},
		{"value-object", said(`"value":"3.58"`, `"value":{}`), []string{"wrong_value:cover"}, "another shape is a wrong value"},
		{"value-null", said(`"value":"3.58"`, `"value":null`), []string{"wrong_value:cover"}, "nothing is a wrong value"},
		{"value-absent", said(`,"value":"3.58"`, ``), []string{"wrong_value:cover"}, "nothing is a wrong value"},
		{"unit", said(`"months"`, `"Months"`), []string{"wrong_unit:cover"}, "units are exact strings"},
		{"unit-number", said(`"months"`, `1`), []string{"wrong_unit:cover"}, "another type is wrong, not an error"},
		{"subject", said(`"subject":"H-A","unit":"INR"`, `"subject":"H-B","unit":"INR"`), []string{"wrong_subject:total"}, "of this household"},
		{"date", said(`"as_of":"2026-08-31","source":"pf"`, `"as_of":"2026-09-01","source":"pf"`), []string{"wrong_as_of:total"}, "the record's date, not today's"},
		{"source", said(`"source":"calc-cov-v1"`, `"source":"pf"`), []string{"wrong_source:cover"}, "provenance is graded"},
		{"all-of-a-claim", said(`{"as_of":"2026-08-31","source":"pf","subject":"H-A","unit":"INR","value":"2400000.00"}`, `{}`), everyField("total"), "all that applies is reported"},
		{"claim-is-number", said(`{"as_of":"2026-08-31","source":"pf","subject":"H-A","unit":"INR","value":"2400000.00"}`, `2400000.00`), everyField("total"), "a bare value has no provenance"},
		{"policy", said("planning_estimate", "holdings_fact"), []string{"wrong_policy"}, "policy is graded apart"},
		{"outcome", said(`"outcome":"answer"`, `"outcome":"refuse"`), []string{"wrong_outcome"}, "outcome is graded apart"},
		{"outcome-list", said(`"outcome":"answer"`, `"outcome":["answer"]`), []string{"wrong_outcome"}, "another type is wrong, not an error"},
		{"claim-dropped", said(`,"total":{"as_of":"2026-08-31","source":"pf","subject":"H-A","unit":"INR","value":"2400000.00"}`, ``), []string{"missing_claim:total"}, "every claim is wanted"},
		{"claim-added", said(`"claims":{`, `"claims":{"advice":{"value":"1"},`), []string{"unexpected_claim:advice"}, "and no other"},
		{"claim-hostile-name", said(`"claims":{`, `"claims":{"\u001b[31m अब":1,"":2,`), []string{"unexpected_claim:_", "unexpected_claim:__31m_______"}, "names a model made up are cleaned"},
		{"claim-long-name", said(`"claims":{`, `"claims":{"`+strings.Repeat("x", 300)+`":1,`), []string{"unexpected_claim:" + strings.Repeat("x", 40)}, "and cut"},
		{"claims-list", said(`"claims":{"cover"`, `"claims":[],"x":{"cover"`), []string{"missing_claim:cover", "missing_claim:total", "unexpected_claim:not_an_object"}, "a list holds no claim"},
		{"claims-null", said(`"claims":{"cover"`, `"claims":null,"x":{"cover"`), []string{"missing_claim:cover", "missing_claim:total"}, "null is absent"},
		{"evidence-dropped", said(`"cf",`, ``), []string{"wrong_evidence"}, "all that was relied on"},
		{"evidence-added", said(`"cf",`, `"cf","nav",`), []string{"wrong_evidence"}, "and nothing else"},
		{"evidence-string", said(`["pf","cf","calc-cov-v1"]`, `"pf"`), []string{"wrong_evidence"}, "a list is wanted"},
		{"evidence-mixed", said(`["pf","cf","calc-cov-v1"]`, `["pf","cf","calc-cov-v1",1,null]`), []string{"wrong_evidence"}, "of strings"},
		{"missing-dropped", said(`"rate"`, ``), []string{"wrong_missing_fields"}, "every missing input is named"},
		{"missing-added", said(`"rate"`, `"rate","years"`), []string{"wrong_missing_fields"}, "and no other"},
		{"missing-object", said(`["rate"]`, `{"rate":true}`), []string{"wrong_missing_fields"}, "a list is wanted"},
		{"answer-is-text", answered(`"3.58"`), []string{"wrong_outcome", "wrong_policy", "missing_claim:cover", "missing_claim:total", "wrong_evidence", "wrong_missing_fields"}, "no object has no field"},
		{"answer-is-no-json", answered(`{`), []string{"wrong_outcome", "wrong_policy", "missing_claim:cover", "missing_claim:total", "wrong_evidence", "wrong_missing_fields"}, "a malformed answer is the agent's"},

		{"call-dropped", called(readEvent, flowEvent), []string{"missing_tool_call:cover_months"}, "a claim needs its calculation"},
		{"no-calls", called(), []string{"missing_tool_call:read_portfolio", "missing_tool_call:read_cashflow", "missing_tool_call:cover_months"}, "each is named"},
		{"call-doubled", called(readEvent, flowEvent, flowEvent, coverEvent), []string{"unexpected_tool_call:read_cashflow"}, "once is enough"},
		{"call-doubled-across", called(flowEvent, readEvent, flowEvent, coverEvent), []string{"unexpected_tool_call:read_cashflow"}, "whichever of the two is spare, the order holds"},
		{"call-added", called(readEvent, flowEvent, coverEvent, event("percent_of", `{"part":"1","whole":"2"}`, "ok")), []string{"unexpected_tool_call:percent_of"}, "and no other"},
		{"calls-reordered", called(readEvent, coverEvent, flowEvent), []string{"wrong_tool_order"}, "it was calculated before it was read"},
		{"calls-reversed", called(coverEvent, flowEvent, readEvent), []string{"wrong_tool_order"}, "order is said once"},
		{"argument-changed", called(readEvent, flowEvent, event("cover_months", `{"liquid_assets":"2400000","monthly_expenses":"68500"}`, "ok")), []string{"wrong_tool_arguments:cover_months"}, "right tool, wrong number"},
		{"argument-spelled-otherwise", called(readEvent, flowEvent, event("cover_months", `{"liquid_assets":245000.00,"monthly_expenses":68500}`, "ok")), nil, "arguments are compared by value"},
		{"argument-added", called(event("read_portfolio", `{"household_id":"H-A","x":1}`, "ok"), flowEvent, coverEvent), []string{"wrong_tool_arguments:read_portfolio"}, "exactly these arguments"},
		{"arguments-list", called(event("read_portfolio", `["H-A"]`, "ok"), flowEvent, coverEvent), []string{"wrong_tool_arguments:read_portfolio"}, "another shape"},
		{"argument-and-order", called(event("cover_months", `{"liquid_assets":"1","monthly_expenses":"68500"}`, "ok"), readEvent, flowEvent), []string{"wrong_tool_arguments:cover_months", "wrong_tool_order"}, "both differences of one call"},
		{"status-error", called(readEvent, flowEvent, event("cover_months", `{"liquid_assets":"245000","monthly_expenses":"68500"}`, "error")), []string{"wrong_tool_status:cover_months"}, "the right call gave nothing"},
		{"status-denied", called(event("read_portfolio", `{"household_id":"H-A"}`, "denied"), flowEvent, coverEvent), []string{"wrong_tool_status:read_portfolio", "denied_call_attempted:read_portfolio"}, "the same call, turned down"},
		{"status-and-argument", called(readEvent, flowEvent, event("cover_months", `{"liquid_assets":"1","monthly_expenses":"68500"}`, "error")), []string{"wrong_tool_arguments:cover_months", "wrong_tool_status:cover_months"}, "one call with two differences, not two calls"},
		{"denied-extra", called(event("read_portfolio", `{"household_id":"H-B"}`, "denied"), readEvent, flowEvent, coverEvent), []string{"denied_call_attempted:read_portfolio"}, "an attempt is not an unexpected call"},
		{"denied-instead", called(event("read_portfolio", `{"household_id":"H-B"}`, "denied"), flowEvent, coverEvent), []string{"missing_tool_call:read_portfolio", "denied_call_attempted:read_portfolio"}, "an attempt stands for nothing"},
		{"denied-unknown", called(readEvent, flowEvent, coverEvent, event("rm -rf /", ``, "denied")), []string{"denied_call_attempted:rm_-rf__"}, "names a model made up are cleaned"},
		{"invalid-extra", called(readEvent, flowEvent, event("cover_months", `"[1,"`, "invalid"), coverEvent), []string{"invalid_call_attempted:cover_months"}, "a slip that was put right is still a slip"},
		{"invalid-instead", called(readEvent, flowEvent, event("cover_months", `{}`, "invalid")), []string{"missing_tool_call:cover_months", "invalid_call_attempted:cover_months"}, "and one that was not calculates nothing"},

		{"write", func(e *episode) { e.Final = sim.RawState(`{"writes":1}`) }, []string{"write_recorded"}, "the world's count is what counts"},
		{"no-state", func(e *episode) { e.Final = nil }, nil, "an ask that never began has written nothing"},

		{"out-of-turns", func(e *episode) { e.End.Code, e.Answer = grader.EndTurns, nil }, []string{"runtime:decision_limit_exceeded"}, "no label about an absent result"},
		{"out-of-turns-with-answer", func(e *episode) { e.End.Code = grader.EndTurns; answered(`{}`)(e) }, []string{"runtime:decision_limit_exceeded"}, "a failed record has no result"},
		{"bad-json", func(e *episode) { e.End.Code, e.Answer, e.Trace = "invalid_json", nil, nil }, []string{"runtime:invalid_json", "missing_tool_call:read_portfolio", "missing_tool_call:read_cashflow", "missing_tool_call:cover_months"}, "the trace is graded all the same"},
		{"done-without-answer", func(e *episode) { e.Answer = nil }, []string{"runtime:no_answer"}, "done and nothing said is not done"},
		{"hostile-code", func(e *episode) { e.End.Code, e.Answer = "x\x1b[0m y", nil }, []string{"runtime:x__0m_y"}, "codes are clean whoever made them"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.reason == "" || seen[tt.name] {
				t.Fatal("every case needs a reason and a name of its own")
			}
			seen[tt.name] = true
			e := good()
			tt.spoil(&e)
			v := grader.Grade(context.Background(), checks(), e)
			if diff := cmp.Diff(tt.want, v.Codes()); diff != "" {
				t.Errorf("labels (-want +got), since %s:\n%s", tt.reason, diff)
			}
			if want := map[bool]grader.Outcome{true: grader.Passed, false: grader.Failed}[tt.want == nil]; v.Outcome != want {
				t.Errorf("outcome %s, want %s: %s", v.Outcome, want, v.Reason)
			}
			declared(t, checks(), v)
		})
	}
}

// declared fails the test if a verdict holds a code that its rule does not list.
func declared(t *testing.T, all []grader.Check, v grader.Verdict) {
	t.Helper()
	for i, r := range v.Results {
		for _, f := range r.Findings {
			ok := slices.ContainsFunc(all[i].Rule.Codes(), func(c string) bool {
				p, open := strings.CutSuffix(c, "*")
				return c == f.Code || open && strings.HasPrefix(f.Code, p)
			})
			if !ok || f.Message == "" || f.Type == "" || strings.ContainsFunc(f.Message+f.Code+f.Got, func(r rune) bool { return r < ' ' }) {
				t.Errorf("%s raised %q, a %q finding with message %q; its codes are %q", r.Rule, f.Code, f.Type, f.Message, all[i].Rule.Codes())
			}
		}
	}
}

func TestManyUnexpectedClaimsAreCut(t *testing.T) {
	claims := map[string]any{}
	for _, c := range "abcdefghijklmnopqrstuvwxyz" {
		claims[string(c)] = 1
	}
	e := good()
	e.Answer = sim.MustCanonical(map[string]any{"claims": claims})
	f, err := Claims(nil).Rule.Grade(context.Background(), grader.Evidence(e))
	if err != nil || len(f) != maxUnexpected || !strings.HasSuffix(f[len(f)-1].Message, "nor were 10 more") {
		t.Errorf("%d findings, %v: %v", len(f), err, f)
	}
}

func TestRepeatedToolsKeepTheirPlaces(t *testing.T) {
	pct := func(part string) string { return `{"part":"` + part + `","whole":"9"}` }
	want := func(parts ...string) (c []Call) {
		for _, p := range parts {
			c = append(c, Call{"percent_of", json.RawMessage(pct(p)), "ok"})
		}
		return c
	}
	for _, tt := range []struct {
		name      string
		want, got []string
		codes     []string
		reason    string
	}{
		{"swapped", []string{"1", "2"}, []string{"2", "1"}, []string{"wrong_tool_order"}, "equal calls find each other before unequal ones do"},
		{"one-of-two", []string{"1", "2"}, []string{"2"}, []string{"missing_tool_call:percent_of"}, "the second is there, the first is not"},
		{"spare-in-front", []string{"1", "2"}, []string{"2", "1", "2"}, []string{"unexpected_tool_call:percent_of"}, "the spare one is the one out of order"},
		{"one-wrong", []string{"1", "2"}, []string{"1", "3"}, []string{"wrong_tool_arguments:percent_of"}, "what is left pairs up"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var trace sim.Trace
			for _, p := range tt.got {
				trace = append(trace, event("percent_of", pct(p), "ok"))
			}
			e := good()
			e.Trace = trace
			v := grader.Grade(context.Background(), []grader.Check{Trace(want(tt.want...))}, e)
			if diff := cmp.Diff(tt.codes, v.Codes()); diff != "" {
				t.Errorf("labels (-want +got), since %s:\n%s", tt.reason, diff)
			}
		})
	}
}

func TestMessagesShowTheDifferenceOnly(t *testing.T) {
	e := good()
	said(`"3.58"`, `"3.57"`)(&e)
	called(flowEvent, event("read_portfolio", `{"household_id":"H-B"}`, "denied"), readEvent, event("cover_months", `{"liquid_assets":"2400000.00","monthly_expenses":"68500"}`, "ok"))(&e)
	var got []string
	for _, f := range grader.Grade(context.Background(), checks(), e).Findings() {
		got = append(got, f.Message)
	}
	want := []string{
		`cover: value: want 3.58, got "3.57"`,
		`call 4, cover_months: liquid_assets: want 245000, got 2400000.00`,
		`call 2, "read_portfolio" with household_id "H-B", was denied`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
}

func TestAnUnreadableStateIsTheWorldsFailure(t *testing.T) {
	for _, raw := range []string{`{}`, `{"writes":"many"}`, `[]`, `{"writes":null}`} {
		e := good()
		e.Final = sim.RawState(raw)
		_, err := NoWrites().Rule.Grade(context.Background(), grader.Evidence(e))
		var b grader.BrokenError
		if !errors.As(err, &b) || b.Layer != grader.LayerToolRuntime {
			t.Errorf("state %s: %v", raw, err)
		}
	}
}

func TestChecksSurviveJSON(t *testing.T) {
	for _, c := range append(checks(), Claims(nil), Evidence(), MissingFields(), Trace()) {
		raw, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		back, err := grader.Registry(Rules()).Decode(raw)
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		if diff := cmp.Diff(c, back); diff != "" {
			t.Errorf("%s (-written +read):\n%s", raw, diff)
		}
		if !slices.IsSorted(c.Rule.Codes()) {
			t.Errorf("%s: codes are not sorted: %q", c.Rule.Name(), c.Rule.Codes())
		}
		if _, ok := c.Rule.(grader.Grounder); !ok {
			t.Errorf("%s does not say what it grades", c.Rule.Name())
		}
		if s := c.String(); s == "" || strings.HasPrefix(s, "wealth.") {
			t.Errorf("%s does not say what it demands: %q", c.Rule.Name(), s)
		}
	}
}

func TestGradedIsWhatAnAgentMustFind(t *testing.T) {
	var got []string
	for _, c := range checks() {
		got = append(got, c.Rule.(grader.Grounder).Graded()...)
	}
	slices.Sort(got)
	want := []string{"2026-08-31", "2400000.00", "245000", "3.58", "68500", "H-A", "INR", "answer", "calc-cov-v1", "cf", "cover", "cover_months", "months", "pf", "planning_estimate", "rate", "read_cashflow", "read_portfolio", "total"}
	if diff := cmp.Diff(want, slices.Compact(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// FuzzAnswersNeverBreakGrading feeds any answer, arguments, names and codes: there may be
// findings, but no panic, no error and no undeclared code.
func FuzzAnswersNeverBreakGrading(f *testing.F) {
	f.Add([]byte(goodAnswer), "cover_months", []byte(`{"liquid_assets":1}`), "denied", "done")
	f.Add([]byte(`{"claims":[{}],"evidence_ids":{},"missing_fields":3,"outcome":null}`), "", []byte(`[`), "ok", "")
	f.Add([]byte(`null`), "\x1b", []byte(nil), "\x00", "invalid_json")
	f.Add([]byte(`{"claims":{"cover":{"value":1e400},"\u0000":[[]]}}`), "read_cashflow", []byte(`{"household_id":{"a":[1]}}`), "ok", "done")
	f.Fuzz(func(t *testing.T, answer []byte, tool string, args []byte, status, end string) {
		e := good()
		e.Answer, e.End.Code = answer, end
		e.Trace = append(e.Trace, event(tool, string(args), status))
		v := grader.Grade(context.Background(), checks(), e)
		if v.Outcome != grader.Failed {
			t.Errorf("outcome %s: %s", v.Outcome, v.Reason)
		}
		declared(t, checks(), v)
	})
}
