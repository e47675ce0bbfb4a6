package steps_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"benchwright/sim"
	"benchwright/steps"
	"benchwright/tasks"
)

// declare has the common sentences declare on a draft, as Compile would, without the rest of a
// task around them. The error says the step.
func declare(t *testing.T, lines ...string) (tasks.Task, error) {
	t.Helper()
	kit := tasks.Kit{Kind: sim.Kind{Name: "bare"}}
	var got tasks.Task
	kit.Vocabulary = tasks.Vocabulary{Finish: func(d *tasks.Draft) error { got = d.Task; return nil }}.With(steps.Common()...)
	text := "@suite:s @world:bare\nFeature: F\n  Scenario: x\n    " + strings.Join(lines, "\n    ") + "\n"
	_, err := tasks.Compile(tasks.Suite{Features: fstest.MapFS{"f.feature": {Data: []byte(text)}}, Kits: []tasks.Kit{kit}})
	if err != nil && got.ID != "" {
		return got, nil // the task is declared; that it demands nothing is not what is tested here
	}
	return got, err
}

func TestLimits(t *testing.T) {
	task, err := declare(t, "Given at most 9 turns", "And at most 60 seconds", "And at most 4000 tokens", "And at most 500 output tokens", "And at most 1 invalid call")
	if err != nil {
		t.Fatal(err)
	}
	want := tasks.Limits{Turns: 9, Wall: tasks.Duration(time.Minute), Tokens: 4000, OutputTokens: 500, InvalidCalls: 1}
	if task.Limits != want {
		t.Errorf("got %+v, want %+v", task.Limits, want)
	}
}

func TestAsks(t *testing.T) {
	doc := []string{`"""`, "Add two.", `"""`}
	for _, c := range []struct {
		name   string
		lines  []string
		want   string // the limit of turns, and each ask
		reason string
	}{
		{"quoted", []string{`When the agent is asked "Add two."`}, `0 "Add two."`, "the shortest form"},
		{"doc", append([]string{"When the agent is asked:"}, doc...), `0 "Add two."`, "a doc string holds what does not fit on a line"},
		{"turns", []string{`When the agent is asked, with 1 turn, "x"`}, `1 "x"/1`, "an ask's own turns make up the task's limit"},
		{"sum", append(append([]string{"When the agent is asked, with 2 turns:"}, doc...), `And the agent is asked, with 3 turns, "y"`), `5 "Add two."/2 "y"/3`, "the limit of a dialogue is the sum of its asks"},
		{"given", []string{"Given at most 9 turns", `When the agent is asked, with 2 turns, "x"`, `And the agent is asked, with 2 turns, "y"`}, `9 "x"/2 "y"/2`, "a limit given in so many words stays"},
		{"mixed", []string{"Given at most 9 turns", `When the agent is asked "x"`, `And the agent is asked, with 2 turns, "y"`}, `9 "x" "y"/2`, "an ask without turns leaves the limit alone"},
		{"all", []string{`When the agent is asked, with 20 turns, 40 calls, 150,000 tokens and 180 seconds, "x"`, `And the agent is asked, with 9000 tokens, "y"`}, `20 "x"/20 40c 150000t 3m0s "y" 9000t`, "each limit is the ask's own, and only turns add up"},
		{"gated", []string{`When the agent is asked "x"`, "Then the next ask depends on this", `When the agent is asked "y"`}, `0 "x"! "y"`, "the gate is on the ask before it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.reason == "" {
				t.Fatal("a case without a reason")
			}
			task, err := declare(t, c.lines...)
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprint(task.Limits.Turns)
			for _, a := range task.Asks {
				got += fmt.Sprintf(" %q", a.Text)
				if a.Turns > 0 {
					got += fmt.Sprintf("/%d", a.Turns)
				}
				if a.Calls > 0 {
					got += fmt.Sprintf(" %dc", a.Calls)
				}
				if a.Tokens > 0 {
					got += fmt.Sprintf(" %dt", a.Tokens)
				}
				if a.Wall > 0 {
					got += " " + time.Duration(a.Wall).String()
				}
				if a.Gated {
					got += "!"
				}
			}
			if got != c.want {
				t.Errorf("got %s, want %s: %s", got, c.want, c.reason)
			}
		})
	}
}

func TestVouching(t *testing.T) {
	task, err := declare(t, `Given "2500000" is said as "25 lakh"`, `And the planted value "AX-77"`, `When "40" is said as "forty"`, `Then the planted value "BX"`)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(task.Rubric.Stated, task.Rubric.Planted); got != "map[2500000:25 lakh 40:forty] [AX-77 BX]" {
		t.Errorf("got %s", got)
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"Given at most 0 turns", "an agent needs at least one"},
		{"Given at most 0 seconds", "from 1 to 86400"},
		{"Given at most 86401 seconds", "from 1 to 86400"},
		{"Given at most 0 tokens", "zero would mean no limit"},
		{"Given at most 0 output tokens", "zero would mean no limit"},
		{"Given at most 0 invalid calls", "zero would mean no limit"},
		{`When the agent is asked, with 0 turns, "x"`, "an agent needs at least one"},
		{`When the agent is asked, with 0 tokens, "x"`, "zero would mean no limit"},
		{`When the agent is asked, with 0 seconds, "x"`, "from 1 to 86400"},
		{`When the agent is asked, with 5 turns and 6 turns, "x"`, "said twice"},
		{`When the agent is asked, with 5 turns and 6 tokns, "x"`, "tokens"},
		{`When the agent is asked, with 15,00 tokens, "x"`, "write 150000"},
		{`When the agent is asked, with 99999999999999999999 tokens, "x"`, "too large"},
		{"Then the next ask depends on this", "nothing has been asked yet"},
		{"Given the planted value \"a\"\n    And the planted value \"a\"", "planted twice"},
		{"Given \"5\" is said as \"five\"\n    And \"5\" is said as \"cinq\"", `already said as "five"`},
	} {
		if _, err := declare(t, c.line); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.line, err, c.want)
		}
	}
}

// No sentence is a special case of another: that would be an ambiguous step at some author's.
func TestSentencesDoNotOverlap(t *testing.T) {
	examples := []string{
		"at most 2 turns", "at most 2 seconds", "at most 2 tokens", "at most 2 output tokens", "at most 2 invalid calls",
		"the agent is asked:", `the agent is asked "x"`, "the agent is asked, with 2 turns:", `the agent is asked, with 2 turns, "x"`,
		"the agent is asked, with 2 turns and 3 calls:", `the agent is asked, with 3,000 tokens, "x"`,
		"the next ask depends on this", `"5" is said as "five"`, `the planted value "a"`,
	}
	said := map[*regexp.Regexp]bool{}
	for _, e := range examples {
		n := 0
		for _, s := range steps.Common() {
			if s.Expr.MatchString(e) {
				n++
				said[s.Expr] = true
			}
		}
		if n != 1 {
			t.Errorf("%d sentences say %q", n, e)
		}
	}
	if got := len(steps.Common()); got != len(examples) {
		t.Errorf("%d sentences and %d examples", got, len(examples))
	}
}
