package tasks_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// A task is the same thing whichever front end it came through: Gherkin, encoded and read back
// as JSON, is equal to the byte.
func TestEncodeAndDecode(t *testing.T) {
	s := suite(good, good)
	all := compile(t, s).Tasks
	var list []json.RawMessage
	for _, want := range all {
		raw, err := tasks.Encode(want)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, raw)
		got, problems := tasks.DecodeTasks("x.json", raw, s)
		if len(problems) > 0 {
			t.Errorf("%s: %v", want.ID, tasks.Errors(problems))
			continue
		}
		again, err := tasks.Encode(got[0])
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(again, raw) {
			t.Errorf("%s\n got %s\nwant %s", want.ID, again, raw)
		}
		if got[0].Digest() != want.Digest() {
			t.Errorf("%s: the digest changes from %s to %s", want.ID, want.Digest(), got[0].Digest())
		}
	}
	// And as a list.
	raw := sim.MustCanonical(list)
	got, problems := tasks.DecodeTasks("x.json", raw, s)
	if len(problems) > 0 || !bytes.Equal(dump(t, got), dump(t, all)) {
		t.Errorf("the list of all tasks reads back differently: %v", tasks.Errors(problems))
	}
}

func TestDuplicates(t *testing.T) {
	text := head + `  @level:1
  Scenario: one` + body + `
  Scenario: other
    When the agent is asked "y"
    Then the counter stands at 1
    And the reference adds 1

  @level:2
  Scenario: two` + body
	all := compile(t, one("t.feature", text)).Tasks
	got := tasks.Duplicates(all)
	if len(got) != 1 || !slices.Equal(got[0], []tasks.ID{"s/t/one", "s/t/two"}) {
		t.Errorf("got %v, want one and two: names, labels and lines do not make a task another", got)
	}
	elsewhere := slices.Clone(all)
	elsewhere[2].ID = "other/t/two"
	if got := tasks.Duplicates(elsewhere); len(got) != 0 {
		t.Errorf("got %v: equal tasks of two suites are no duplicates", got)
	}
}

// Tasks that never were in a file, such as those of a pack, are linted just the same.
func TestLintOfATaskWithoutSource(t *testing.T) {
	s := suite(good, good)
	for _, task := range compile(t, s).Tasks {
		if p := tasks.Lint(task, s); len(p) > 0 {
			t.Errorf("%s: %v", task.ID, tasks.Errors(p))
		}
	}
	p := tasks.Lint(tasks.Task{Rubric: tasks.Rubric{Checks: []grader.Check{{}}}}, s)
	text := tasks.Errors(p).Error()
	for _, want := range []string{"unknown world", "want suite/family/name", "nothing is asked", "without a rule", "no tools", "no limit of turns", "no reference"} {
		if !strings.Contains(text, want) {
			t.Errorf("the problems of the zero task lack %q:\n%s", want, text)
		}
	}
}

func TestTable(t *testing.T) {
	table := &tasks.Table{Columns: []string{"widget", "froom"}, Rows: []tasks.Row{{Line: 3, Cells: []string{"Trades", "Hub"}}}}
	if got := table.Get(table.Rows[0], "widget"); got != "Trades" {
		t.Errorf("Get(widget) = %q", got)
	}
	if got := table.Get(table.Rows[0], "from"); got != "" {
		t.Errorf("Get of a column that is not there = %q", got)
	}
	for _, c := range []struct {
		got  error
		want string
	}{
		{table.Allow("widget", "froom", "at"), ""},
		{table.Allow("widget", "from"), `unknown column "froom"; did you mean "from"?`},
		{table.Require("widget"), ""},
		{table.Require("widget", "at"), `the table has no column "at"; it has widget, froom`},
		{tasks.Unknown("widget", "Trade Idea", []string{"Trades", "Trade Ideas", "Breaches"}), `unknown widget "Trade Idea"; did you mean "Trade Ideas"?`},
		{tasks.Unknown("widget", "\x1b[2J", nil), `unknown widget "\x1b[2J"`},
	} {
		if got := text(c.got); got != c.want {
			t.Errorf("got %s\nwant %s", got, c.want)
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
