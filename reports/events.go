package reports

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/tasks"
)

// An Event is one line of events.jsonl: what happened when, in which process.
type Event struct {
	Time     time.Time      `json:"time"`
	Event    string         `json:"event"`
	Pid      int            `json:"pid"`
	Task     tasks.ID       `json:"task,omitempty"`
	Trial    int            `json:"trial,omitempty"`
	Outcome  grader.Outcome `json:"outcome,omitempty"`
	Layer    grader.Layer   `json:"layer,omitempty"`
	Name     string         `json:"name,omitempty"` // of a process
	Running  int            `json:"running,omitempty"`
	InFlight []string       `json:"in_flight,omitempty"` // keys of running episodes; the first ones where there are many
	Spent    []int64        `json:"spent,omitempty"`     // budget tokens of each of these so far, in their order
	Exit     *int           `json:"exit,omitempty"`
	Reason   string         `json:"reason,omitempty"`
}

// The events.
const (
	EventRunStarted      = "run_started"
	EventJoined          = "process_joined"
	EventEpisodeStarted  = "episode_started"
	EventEpisodeFinished = "episode_finished"
	EventHeartbeat       = "heartbeat"
	EventRunEnded        = "run_ended"
)

// maxEvent is how long a line of events.jsonl may be.
const maxEvent = 4096

// Log appends an event, in one write of at most 4 KB. Time and Pid are filled in; what is too
// long is cut.
func (b *Bundle) Log(e Event) error {
	if e.Time.IsZero() {
		e.Time = b.Clock.now()
	}
	e.Time = e.Time.UTC().Truncate(time.Millisecond)
	if e.Pid == 0 {
		e.Pid = os.Getpid()
	}
	e.Task, e.Name, e.Reason = tasks.ID(Clean(string(e.Task), 300)), Clean(e.Name, 300), Clean(e.Reason, 300)
	for {
		line, err := encodeLine(e)
		if err != nil {
			return fmt.Errorf("event %s: %w", e.Event, err)
		}
		if len(line) > maxEvent && len(e.InFlight) > 0 {
			e.InFlight = e.InFlight[:len(e.InFlight)/2]
			e.Spent = e.Spent[:min(len(e.Spent), len(e.InFlight))]
			continue
		}
		if err := appendLine(filepath.Join(b.dir, EventsFile), line); err != nil {
			return fmt.Errorf("event %s: %w", e.Event, err)
		}
		return nil
	}
}

// Begin logs that an episode starts. It counts as running until it is written.
func (b *Bundle) Begin(id tasks.ID, trial int) error {
	b.mu.Lock()
	b.flight[agent.Key(id, trial)] = 0
	b.mu.Unlock()
	return b.Log(Event{Event: EventEpisodeStarted, Task: id, Trial: trial})
}

// Spend adds to the budget tokens of an episode that is running, for the next heartbeat to say.
func (b *Bundle) Spend(id tasks.ID, trial int, tokens int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n, ok := b.flight[agent.Key(id, trial)]; ok {
		b.flight[agent.Key(id, trial)] = n + min(max(tokens, 0), math.MaxInt64-n)
	}
}

// Heartbeat logs what is running every so often, until stop is called. A second stop does
// nothing.
func (b *Bundle) Heartbeat(every time.Duration) (stop func()) {
	ticks, stopTicks := b.Clock.tick(every)
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-ticks:
				b.beat() // that a beat could not be written shows by its absence
			case <-quit:
				return
			}
		}
	}()
	return sync.OnceFunc(func() {
		stopTicks()
		close(quit)
		<-done
	})
}

func (b *Bundle) beat() error {
	b.mu.Lock()
	keys := make([]string, 0, len(b.flight))
	for k := range b.flight {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	spent := make([]int64, len(keys))
	for i, k := range keys {
		spent[i] = b.flight[k]
	}
	b.mu.Unlock()
	return b.Log(Event{Event: EventHeartbeat, Running: len(keys), InFlight: keys, Spent: spent})
}

// End logs that the run is over, with its exit code and why.
func (b *Bundle) End(exit int, reason string) error {
	return b.Log(Event{Event: EventRunEnded, Exit: &exit, Reason: reason})
}
