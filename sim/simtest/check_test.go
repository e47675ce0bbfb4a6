package simtest_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"benchwright/sim"
	"benchwright/sim/simtest"
)

// observer is a T that keeps what it is told.
type observer struct{ messages []string }

func (o *observer) Helper() {}
func (o *observer) Errorf(format string, args ...any) {
	o.messages = append(o.messages, fmt.Sprintf(format, args...))
}

func counterCase() simtest.Case {
	return simtest.Case{
		Setup: json.RawMessage(`{"Start":5}`),
		Calls: []sim.Call{
			{Name: "add", Arguments: json.RawMessage(`{"by":1}`)},
			{Name: "get", Arguments: json.RawMessage(`{}`)},
			{Name: "add", Arguments: json.RawMessage(`{"by":2}`)},
		},
	}
}

func TestAWorldThatKeepsTheContractPasses(t *testing.T) {
	simtest.Check(t, counterKind(""), counterCase())
}

func TestAReadOnlyWorldPassesWhenTheCaseSaysSo(t *testing.T) {
	c := counterCase()
	c.ReadOnly = true
	simtest.Check(t, counterKind("never changes"), c)
}

func TestEveryDefectIsCaughtByItsClause(t *testing.T) {
	tests := []struct{ defect, clause, reason string }{
		{"refuses", "new-works", "a good setup must give a world"},
		{"random", "new-deterministic", "records could not be reproduced"},
		{"new panics", "new-hostile", "a task file is input like any other"},
		{"new gives nothing", "new-hostile", "a nil world would panic far from its cause"},
		{"tools twice", "tool-names", "the second could not be called"},
		{"tool without words", "tool-names", "a model could not know what it is for"},
		{"tool without name", "tool-names", "it could not be called"},
		{"schema no json", "tool-schemas", "a request that holds it would not encode"},
		{"schema of no object", "tool-schemas", "arguments are an object always"},
		{"schema wrong", "tool-schemas", "providers reject a schema that does not compile"},
		{"tools move", "tools-stable", "prompts would depend on what was done before"},
		{"tools of forks", "fork-same", "a fork is the same world"},
		{"begin fails", "begin-works", "no ask could be put"},
		{"begin panics closed", "never-panics", "a late Begin must not take the run down"},
		{"panics on arguments", "call-no-panic", "an agent must not take the run down"},
		{"faults on arguments", "call-no-fault", "an agent could leave the denominator"},
		{"fault", "call-no-fault", "the case's calls are known to work"},
		{"data no json", "call-json", "the name is hostile, and went into the data as it was"},
		{"unknown is ok", "call-unknown", "success must mean that something was done"},
		{"invalid is ok", "call-status", "budgets and graders would disagree"},
		{"no status", "call-status", "graders read it"},
		{"writes arguments", "call-arguments", "the trace holds the same bytes"},
		{"arguments not canonical", "call-arguments", "graders compare bytes"},
		{"facts not canonical", "call-facts", "records of equal calls have equal bytes"},
		{"result reused", "call-kept", "the trace keeps results"},
		{"panics cancelled", "call-no-panic", "time runs out in every run"},
		{"silent cancelled", "call-cancelled", "the agent would get nothing"},
		{"state buffer", "state-immutable", "the evidence before would become the evidence after"},
		{"state live", "state-immutable", "a state is a moment, not a view"},
		{"state spaced", "state-canonical", "equal states need equal bytes"},
		{"state no json", "state-canonical", "states are recorded as JSON"},
		{"state counts reads", "state-canonical", "reading is no change"},
		{"state fails", "state-works", "nothing could be graded"},
		{"state nil", "state-works", "nothing could be graded"},
		{"state panics", "never-panics", "nothing could be graded"},
		{"decode loses", "state-decodes", "a record could not be graded again"},
		{"never changes", "state-changes", "such calls prove nothing about forks"},
		{"fork fails", "fork-works", "every world can be forked"},
		{"fork panics", "never-panics", "every world can be forked"},
		{"fork shares", "fork-independent", "copies that share are none"},
		{"fork is itself", "fork-independent", "copies that share are none"},
		{"fork of fork shares", "fork-independent", "a fork is forked again in a search"},
		{"calls counted in parent", "fork-independent", "a change can go upwards too"},
		{"fork starts anew", "fork-same", "a fork starts where its parent stands"},
		{"third fork in a row", "fork-concurrent", "only many forks, used at once, show it"},
		{"forgetful fork", "fork-same", "a fork goes on as its parent would"},
		{"works closed", "close-faults", "a late call would act in a world that is graded already"},
		{"panics closed", "call-no-panic", "a late call must not take the run down"},
		{"close once", "close-twice", "clean-up runs in several places"},
		{"close panics", "never-panics", "clean-up runs in several places"},
		{"close takes forks along", "close-alone", "forks outlive their parents"},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		if test.reason == "" || seen[test.defect] {
			t.Fatalf("defect %q: needs a reason and a name of its own", test.defect)
		}
		seen[test.defect] = true
		t.Run(strings.ReplaceAll(test.defect, " ", "-"), func(t *testing.T) {
			var o observer
			simtest.Check(&o, counterKind(test.defect), counterCase())
			named := func(m string) bool {
				return strings.HasPrefix(m, "simtest: world counter: "+test.clause+": ")
			}
			if !slices.ContainsFunc(o.messages, named) {
				t.Errorf("clause %s not reported, because %s; reports:\n%s", test.clause, test.reason, strings.Join(o.messages, "\n"))
			}
		})
	}
}

func TestReportsAreFewAndShort(t *testing.T) {
	var o observer
	simtest.Check(&o, counterKind("data no json"), counterCase())
	if len(o.messages) == 0 || len(o.messages) > 6 {
		t.Errorf("%d reports, want a few", len(o.messages))
	}
	for _, m := range o.messages {
		if len(m) > 1000 || strings.ContainsAny(m, "\x00\x1b") {
			t.Errorf("report of %d bytes: %.200q", len(m), m)
		}
	}
}

func TestAReadOnlyCaseThatChangesIsReported(t *testing.T) {
	var o observer
	c := counterCase()
	c.ReadOnly = true
	simtest.Check(&o, counterKind(""), c)
	if len(o.messages) != 1 || !strings.Contains(o.messages[0], "state-changes") {
		t.Errorf("reports: %q", o.messages)
	}
}

func TestEveryClauseSaysWhatItDemands(t *testing.T) {
	names, demands := simtest.Clauses()
	for _, name := range names {
		if demands[name] == "" {
			t.Errorf("clause %s demands nothing", name)
		}
	}
	if !slices.IsSorted(names) || len(names) != len(demands) {
		t.Errorf("names %q", names)
	}
}

func ExampleCheck() {
	var o observer // in a test, this is t
	simtest.Check(&o, counterKind("works closed"), counterCase())
	fmt.Println(o.messages[0])
	// Output:
	// simtest: world counter: close-faults: after Close every call is a fault: call "no_such_tool" has the status "unknown"
}
