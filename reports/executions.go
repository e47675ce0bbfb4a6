package reports

import (
	"cmp"
	"slices"
	"time"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/tasks"
)

// A State is where an execution stands.
type State string

// The states. An execution is queued, then running, then one of the others for ever.
const (
	Queued    State = "queued"
	Running   State = "running"
	Finished  State = "finished"  // it is graded: passed or failed
	Failed    State = "failed"    // the measurement broke
	Cancelled State = "cancelled" // it was skipped
	Lost      State = "lost"      // its process is gone, or silent for too long, and left no record
)

// Silence is how long a process may say nothing before what it was doing is lost: six heartbeats.
const Silence = 30 * time.Second

// An Execution is one episode of a run, whatever has become of it.
type Execution struct {
	Key     string         `json:"key"`
	Task    tasks.ID       `json:"task"`
	Trial   int            `json:"trial"`
	State   State          `json:"state"`
	Outcome grader.Outcome `json:"outcome,omitempty"` // of one that is recorded
	Layer   grader.Layer   `json:"layer,omitempty"`   // of a broken one
	Pid     int            `json:"pid,omitempty"`
	Turns   int            `json:"turns"`         // known when it is recorded
	Calls   int            `json:"calls"`         // known when it is recorded
	Tokens  int64          `json:"budget_tokens"` // so far, by the last heartbeat, or in all
	Event   string         `json:"event,omitempty"`
	At      time.Time      `json:"at,omitzero"` // of that event, the last that concerns it
	Why     string         `json:"why,omitempty"`
}

// A Watch is how it is known that a process is gone.
type Watch struct {
	Now time.Time
	// Alive reports whether a process of this machine exists. Nil judges by silence alone, as for a
	// run on another machine.
	Alive func(pid int) bool
}

// Project tells what has become of every execution of a run. It is a fold over what is given and
// nothing else, so that doing it again gives the same: what the events say, then the rows of what is
// recorded, which count whatever the events say, then the watch, by which what is still running is
// running or lost. Events that make no sense where they stand change nothing.
func Project(run Run, events []Event, rows []Row, w Watch) []Execution {
	p := projection{byKey: map[string]*Execution{}, last: map[int]time.Time{}}
	for _, e := range events {
		p.add(e)
	}
	for _, r := range rows {
		p.record(r)
	}
	p.queue(run)
	p.settle(w)
	out := make([]Execution, 0, len(p.all))
	for _, x := range p.all {
		out = append(out, *x)
	}
	slices.SortFunc(out, func(a, b Execution) int { return cmp.Compare(a.Key, b.Key) })
	return out
}

type projection struct {
	all   []*Execution
	byKey map[string]*Execution
	last  map[int]time.Time // the last sign of life, by process
	ended string            // why the run is over; "" while it is not
}

func (p *projection) at(id tasks.ID, trial int) *Execution {
	key := agent.Key(id, trial)
	x := p.byKey[key]
	if x == nil {
		x = &Execution{Key: key, Task: id, Trial: trial, State: Queued}
		p.byKey[key], p.all = x, append(p.all, x)
	}
	return x
}

func (p *projection) add(e Event) {
	if e.Time.After(p.last[e.Pid]) {
		p.last[e.Pid] = e.Time
	}
	switch e.Event {
	case EventEpisodeStarted:
		if x := p.at(e.Task, e.Trial); x.State == Queued {
			x.State, x.Pid, x.Event, x.At = Running, e.Pid, e.Event, e.Time
		}
	case EventHeartbeat:
		for i, key := range e.InFlight {
			if x := p.byKey[key]; x != nil && x.State == Running && x.Pid == e.Pid {
				x.Event, x.At = e.Event, e.Time
				if i < len(e.Spent) {
					x.Tokens = max(x.Tokens, e.Spent[i])
				}
			}
		}
	case EventEpisodeFinished:
		if x := p.at(e.Task, e.Trial); !x.State.over() {
			x.end(e.Outcome, e.Layer)
			x.Pid, x.Event, x.At = e.Pid, e.Event, e.Time
		}
	case EventRunEnded:
		p.ended = "the run has ended"
	}
}

// over reports whether a state is for ever.
func (s State) over() bool { return s != Queued && s != Running }

// end gives an execution the state of an outcome.
func (x *Execution) end(o grader.Outcome, l grader.Layer) {
	x.Outcome, x.Layer, x.State = o, l, Finished
	switch o {
	case grader.Broken:
		x.State = Failed
	case grader.Skipped:
		x.State = Cancelled
	}
}

// record adds what a record says.
func (p *projection) record(r Row) {
	x := p.at(r.Task, r.Trial)
	x.end(r.Outcome, r.Layer)
	x.Turns, x.Calls, x.Tokens = r.Turns, r.Calls, r.Budget
	if r.Outcome == grader.Broken || r.Outcome == grader.Skipped {
		x.Why = r.Message
	}
	if x.Event == "" || x.Event == EventEpisodeStarted || x.Event == EventHeartbeat {
		x.Event = "recorded"
	}
}

// queue adds what nothing has been heard of. Which trials of a task a run has selected it does not
// say, only how many; so these are the first that are free.
func (p *projection) queue(run Run) {
	known := map[tasks.ID]int{}
	for _, x := range p.all {
		known[x.Task]++
	}
	for _, t := range run.Tasks {
		missing := max(cmp.Or(t.Trials, run.Trials), 1) - known[t.ID]
		for trial := 1; missing > 0; trial++ {
			if p.byKey[agent.Key(t.ID, trial)] == nil {
				p.at(t.ID, trial)
				missing--
			}
		}
	}
}

// settle tells the lost from the running. What was never begun is lost when nobody is left to do it.
func (p *projection) settle(w Watch) {
	gone := func(pid int) string {
		switch last := p.last[pid]; {
		case p.ended != "":
			return p.ended
		case w.Alive != nil && pid != 0 && !w.Alive(pid):
			return "its process is gone"
		case w.Now.Sub(last) > Silence:
			return "its process has been silent for more than " + Silence.String()
		}
		return ""
	}
	anybody := false
	for pid := range p.last {
		anybody = anybody || gone(pid) == ""
	}
	for _, x := range p.all {
		switch {
		case x.State == Running:
			if why := gone(x.Pid); why != "" {
				x.State, x.Why = Lost, why
			}
		case x.State == Queued && !anybody:
			if x.State, x.Why = Lost, "nobody is left to begin it"; p.ended != "" {
				x.Why = p.ended + " before it began"
			}
		}
	}
}

// Executions projects a bundle. Records that cannot be read are in the error; the executions are of
// use all the same.
func (r *Reader) Executions(w Watch) ([]Execution, error) {
	events, err := r.Events()
	if err != nil {
		return nil, err
	}
	rows, err := r.Rows()
	return Project(r.run, events, rows, w), err
}
