package reports

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/tasks"
)

// TestExecutions folds the events of a run with every fate in it, watched at several moments.
func TestExecutions(t *testing.T) {
	run := sampleRun(KindModel, "ollama:m")
	run.Trials = 3
	for _, name := range []string{"passes", "fails", "breaks", "skips", "runs", "dies"} {
		run.Tasks = append(run.Tasks, Selected{ID: tasks.ID("codewiki/q/" + name), Trials: 1})
	}
	run.Tasks = append(run.Tasks, Selected{ID: "codewiki/f/formal"})
	at := func(s int) time.Time { return noon.Add(time.Duration(s) * time.Second) }
	key := func(name string) string { return agent.Key(tasks.ID("codewiki/q/"+name), 1) }
	event := func(s, pid int, kind, name string, o grader.Outcome, l grader.Layer) Event {
		return Event{Time: at(s), Pid: pid, Event: kind, Task: tasks.ID("codewiki/q/" + name), Trial: 1, Outcome: o, Layer: l}
	}
	events := []Event{
		{Time: at(0), Pid: 1, Event: EventRunStarted}, {Time: at(0), Pid: 2, Event: EventJoined},
		event(1, 1, EventEpisodeStarted, "passes", "", ""), event(1, 1, EventEpisodeStarted, "breaks", "", ""),
		event(2, 2, EventEpisodeStarted, "dies", "", ""), event(3, 1, EventEpisodeFinished, "passes", grader.Passed, ""),
		event(4, 1, EventEpisodeFinished, "breaks", grader.Broken, grader.LayerProvider), event(4, 1, EventEpisodeStarted, "fails", "", ""),
		{Time: at(5), Pid: 2, Event: EventHeartbeat, Running: 1, InFlight: []string{key("dies")}, Spent: []int64{700}},
		event(6, 1, EventEpisodeStarted, "runs", "", ""), event(7, 1, EventEpisodeFinished, "skips", grader.Skipped, ""),
		event(8, 1, EventEpisodeStarted, "passes", "", ""), // out of place: what is over stays over
		{Time: at(9), Pid: 1, Event: EventHeartbeat, Running: 1, InFlight: []string{key("runs"), key("dies"), "nobody"}, Spent: []int64{1200, 9}},
	}
	rows := []Row{ // that of "fails" was written right before a kill: no event tells of it
		{Task: "codewiki/q/fails", Trial: 1, Outcome: grader.Failed, Turns: 4, Calls: 5, Budget: 900},
		{Task: "codewiki/q/passes", Trial: 1, Outcome: grader.Passed, Turns: 2, Calls: 2, Budget: 300},
		{Task: "codewiki/q/breaks", Trial: 1, Outcome: grader.Broken, Layer: grader.LayerProvider, Message: "http 500"},
		{Task: "codewiki/f/formal", Trial: 2, Outcome: grader.Passed, Turns: 9, Calls: 9, Budget: 9},
	}
	all := func(int) bool { return true }
	ended := append(slices.Clone(events), Event{Time: at(10), Pid: 1, Event: EventRunEnded})
	var b bytes.Buffer
	for _, c := range []struct {
		name   string
		events []Event
		watch  Watch
	}{
		{"both processes live, 10 s in", events, Watch{at(10), all}},
		{"process 2 is gone", events, Watch{at(10), func(pid int) bool { return pid == 1 }}},
		{"process 2 is silent for more than 30 s", events, Watch{at(36), all}},
		{"on another machine, 30 s after the last word of both", events, Watch{at(40), nil}},
		{"the run has ended", ended, Watch{at(10), all}},
	} {
		fmt.Fprintf(&b, "%s\n", c.name)
		first := Project(run, c.events, rows, c.watch)
		for _, x := range first {
			fmt.Fprintf(&b, "  %-24s %-9s %-7s %-8s pid %d, %d turns, %d calls, %4d tokens, %s %s %s\n",
				x.Key, x.State, x.Outcome, x.Layer, x.Pid, x.Turns, x.Calls, x.Tokens, x.Event, x.At.Format("05"), x.Why)
		}
		if again := Project(run, c.events, rows, c.watch); !slices.Equal(first, again) {
			t.Errorf("%s: a second fold gives something else", c.name)
		}
	}
	golden(t, "executions.golden", b.Bytes())
}

// A heartbeat says what each running episode has cost so far.
func TestHeartbeatsTellWhatIsSpent(t *testing.T) {
	b, err := Create(t.TempDir(), sampleRun(KindModel, "m"))
	if err != nil {
		t.Fatal(err)
	}
	b.Begin("a/b/c", 1)
	b.Begin("a/b/d", 1)
	b.Spend("a/b/d", 1, 30)
	b.Spend("a/b/d", 1, 12)
	b.Spend("a/b/e", 1, 99) // which is not running
	if err := b.beat(); err != nil {
		t.Fatal(err)
	}
	r := open(t, b.Dir())
	events, err := r.Events()
	if err != nil {
		t.Fatal(err)
	}
	last := events[len(events)-1]
	if !slices.Equal(last.InFlight, []string{"a__b__c__t1", "a__b__d__t1"}) || !slices.Equal(last.Spent, []int64{0, 42}) {
		t.Errorf("%v %v", last.InFlight, last.Spent)
	}
	all, err := r.Executions(Watch{Now: last.Time.Add(time.Second), Alive: func(int) bool { return true }})
	if err != nil || len(all) != 2 || all[1].State != Running || all[1].Tokens != 42 {
		t.Errorf("%+v %v", all, err)
	}
}
