package tasks_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"benchwright/grader"
	"benchwright/tasks"
)

// The limits that an ask has of its own are held to the task's, shown only where those are, and part
// of what the task is.
func TestLimitsOfAnAsk(t *testing.T) {
	kit := counter()
	suite := tasks.Suite{Kits: []tasks.Kit{kit}}
	build := func(a tasks.Ask) tasks.Task {
		a.Text = "Count."
		return tasks.Task{
			ID: "s/f/n", World: "counter", Asks: []tasks.Ask{a}, Setup: json.RawMessage(`{}`), Tools: []string{"add", "get"},
			Limits: tasks.Limits{Turns: 9, Tokens: 500, Wall: tasks.Duration(time.Minute)},
			Rubric: tasks.Rubric{Checks: []grader.Check{{Rule: &value{N: 1}}}},
		}
	}
	for _, c := range []struct {
		ask  tasks.Ask
		want string
	}{
		{tasks.Ask{Calls: -1}, "ask 1: -1 calls: write a number up to"},
		{tasks.Ask{Tokens: 501}, "ask 1 may take 501 tokens, but the task ends after 500"},
		{tasks.Ask{Wall: tasks.Duration(2 * time.Minute)}, "ask 1 may take 120 seconds, but the task ends after 60"},
		{tasks.Ask{Turns: 9, Calls: 40, Tokens: 500, Wall: tasks.Duration(time.Minute)}, ""},
	} {
		var said []string
		for _, p := range tasks.Lint(build(c.ask), suite) {
			said = append(said, p.Text)
		}
		text := strings.Join(said, "\n")
		if found := strings.Contains(text, "ask 1"); found != (c.want != "") || !strings.Contains(text, c.want) {
			t.Errorf("%+v: %q, want %q", c.ask, text, c.want)
		}
	}
	full := build(tasks.Ask{Turns: 9, Calls: 40, Tokens: 500, Wall: tasks.Duration(time.Minute)})
	if a := full.Envelope().Asks[0]; a.Calls != 0 || a.Tokens != 0 || a.Wall != 0 || a.Turns != 0 {
		t.Errorf("the agent is shown %+v", a)
	}
	full.Protocol.ShowLimits = true
	if a := full.Envelope().Asks[0]; a.Calls != 40 || a.Tokens != 500 || a.Wall != tasks.Duration(time.Minute) {
		t.Errorf("the agent is shown %+v", a)
	}
	raw, err := tasks.Encode(full)
	if err != nil || !strings.Contains(string(raw), `"calls":40,"text":"Count.","tokens":500,"turns":9,"wall":"1m0s"`) {
		t.Errorf("%s %v", raw, err)
	}
	if full.Digest() == build(tasks.Ask{Turns: 9}).Digest() {
		t.Error("a limit makes no other task")
	}
}
