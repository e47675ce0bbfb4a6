package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"benchwright/reports"
	"benchwright/tasks"
)

// Boxes readies what the worlds of a suite run commands in, each once. Its methods may be called
// concurrently, and on nil, which readies nothing.
type Boxes struct {
	sandbox, python string

	mu    sync.Mutex
	known []box // in the order of being readied
}

type box struct {
	world string
	tasks.Isolation
	err error
}

// NewBoxes takes what BENCH_SANDBOX and BENCH_PYTHON say. Where one of them is set, a world of
// the suite must run commands.
func NewBoxes(suite tasks.Suite, c Config) (*Boxes, error) {
	takes := slices.ContainsFunc(suite.Kits, func(k tasks.Kit) bool { return k.Isolate != nil })
	for _, v := range [][2]string{{"BENCH_SANDBOX", c.Sandbox}, {"BENCH_PYTHON", c.Python}} {
		if v[1] != "" && !takes {
			return nil, fmt.Errorf("%s=%q: no world of this suite runs commands; unset it", v[0], v[1])
		}
	}
	return &Boxes{sandbox: c.Sandbox, python: c.Python}, nil
}

// Ready readies a kit. An error that is [errors.ErrUnsupported] says that commands cannot be run
// on this machine; any other is a configuration that cannot be.
func (b *Boxes) Ready(ctx context.Context, k *tasks.Kit) error {
	if b == nil || k == nil || k.Isolate == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, known := range b.known {
		if known.world == k.Kind.Name {
			return known.err
		}
	}
	made := box{world: k.Kind.Name}
	made.Isolation, made.err = isolate(ctx, k, b.sandbox, b.python)
	if made.err != nil {
		made.err = fmt.Errorf("%sworld %s: %w", b.said(), k.Kind.Name, made.err)
	}
	if ctx.Err() == nil { // what was cut short says nothing about the machine
		b.known = append(b.known, made)
	}
	return made.err
}

// said repeats the variables that are set, for errors.
func (b *Boxes) said() string {
	text := ""
	if b.sandbox != "" {
		text += fmt.Sprintf("BENCH_SANDBOX=%q: ", b.sandbox)
	}
	if b.python != "" {
		text += fmt.Sprintf("BENCH_PYTHON=%q: ", b.python)
	}
	return text
}

// isolate asks a kit, which is foreign code.
func isolate(ctx context.Context, k *tasks.Kit, sandbox, python string) (is tasks.Isolation, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return k.Isolate(ctx, sandbox, python)
}

// Of returns what a kit that has been readied runs commands in and by.
func (b *Boxes) Of(k *tasks.Kit) tasks.Isolation {
	if b == nil {
		return tasks.Isolation{}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, known := range b.known {
		if known.world == k.Kind.Name {
			return known.Isolation
		}
	}
	return tasks.Isolation{}
}

// noCommands is the isolation of a run none of whose worlds runs any.
const noCommands = "none needed: no task runs commands"

// Record words the isolation of all that has been readied, for run.json.
func (b *Boxes) Record() (level, python string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.known) == 0 {
		return noCommands, ""
	}
	var levels, pythons []string
	for _, known := range b.known {
		l := known.Level
		if known.err != nil {
			l = "refused: " + reports.Clean(known.err.Error(), 300)
		}
		levels = append(levels, l)
		if known.Python != "" {
			pythons = append(pythons, known.Python)
		}
	}
	return joined(levels), joined(pythons)
}

// joined is what several worlds say, once where they say the same.
func joined(list []string) string {
	slices.Sort(list)
	return strings.Join(slices.Compact(list), "; ")
}

// isolate readies the worlds that commands may be run in: those of the selected tasks, and those
// that no task of the suite is of, which hand-written specs are there for. Where commands
// cannot be run, the run goes on and says so.
func (s *Session) isolate(ctx context.Context) error {
	need := map[string]bool{}
	for _, k := range s.Suite.Kits {
		need[k.Kind.Name] = true
	}
	for _, t := range s.all {
		need[t.World] = false
	}
	for _, j := range s.selected {
		need[j.Task.World] = true
	}
	for i := range s.Suite.Kits {
		k := &s.Suite.Kits[i]
		if !need[k.Kind.Name] {
			continue
		}
		switch err := s.boxes.Ready(ctx, k); {
		case errors.Is(err, errors.ErrUnsupported):
			fmt.Fprintf(s.Out, "commands are not run here, so that tasks which need them are not measured: %s\n", reports.Clean(err.Error(), 500))
		case err != nil:
			return err
		}
	}
	if p := s.player; p != nil && p.Replayed != nil {
		if old, now := *p.Replayed, s.boxes; old.Isolation != "" {
			level, python := now.Record()
			if old.Isolation != level || old.Python != python {
				fmt.Fprintf(s.Out, "warning: commands of the replayed run ran in %s, here %s: results may differ\n", wording(old.Isolation, old.Python), wording(level, python))
			}
		}
	}
	return nil
}

func wording(level, python string) string {
	if python != "" {
		level += ", by " + python
	}
	return reports.Clean(level, 300)
}
