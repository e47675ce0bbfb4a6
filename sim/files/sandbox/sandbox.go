package sandbox

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// A Mode says how far down the levels of isolation Open may go.
type Mode string

const (
	Auto     Mode = "auto"     // the strongest level that holds here
	Landlock Mode = "landlock" // without namespaces, even where they work
	None     Mode = "none"     // no isolation at all: only for a machine that may be thrown away
)

// ParseMode reads a Mode as BENCH_SANDBOX spells it; empty is Auto.
func ParseMode(s string) (Mode, error) {
	switch m := Mode(s); m {
	case "":
		return Auto, nil
	case Auto, Landlock, None:
		return m, nil
	}
	return "", fmt.Errorf("sandbox mode %q: want auto, landlock or none", s)
}

// ErrRefused is wrapped by what Open returns where commands cannot be confined.
var ErrRefused = errors.New("agent commands were not run")

// A Level is what stands between a command and the machine.
type Level struct {
	namespaces bool
	landlock   int  // the ABI in use, 0 without
	seccomp    bool // false at level none alone
	broker     bool // the supervisor makes the calls that Landlock does not govern
	nobody     bool // commands run under a user id of their own, which root alone can give
}

// String names the level for a run's record: "userns+landlock7+seccomp+watchdog",
// "landlock7+seccomp+watchdog", "none". Runs at different levels are not quite the same
// measurement.
func (l Level) String() string {
	if !l.seccomp {
		return "none"
	}
	s := ""
	switch {
	case l.namespaces:
		s = "userns+"
	case l.nobody:
		s = "nobody+"
	}
	if l.landlock > 0 {
		s += fmt.Sprintf("landlock%d+", l.landlock)
	}
	s += "seccomp+"
	if l.broker {
		s += "broker+"
	}
	return s + "watchdog"
}

// A Sandbox runs commands at one level. It holds nothing, needs no closing and may be used
// concurrently.
type Sandbox struct {
	level  Level
	filter []byte         // the system call filter, for stages
	calls  map[int]string // of it, what is left to the broker
}

// Level returns what commands are confined by.
func (s *Sandbox) Level() Level { return s.level }

// Workspace returns the path by which a command whose Dir is dir sees that folder.
func (s *Sandbox) Workspace(dir string) string {
	if s.level.namespaces {
		return "/workspace"
	}
	return dir
}

var opened = struct {
	sync.Mutex
	boxes    map[Mode]*Sandbox
	refusals map[Mode]error
}{boxes: map[Mode]*Sandbox{}, refusals: map[Mode]error{}}

// Open finds the level that mode allows and that holds on this machine. It tries it out,
// which takes some tens of milliseconds, once per process and mode. The error where there is
// none wraps ErrRefused and says why, and what would help.
func Open(ctx context.Context, mode Mode) (*Sandbox, error) {
	if _, err := ParseMode(string(mode)); err != nil {
		return nil, err
	}
	if mode == "" {
		mode = Auto
	}
	opened.Lock() // held while probing: nobody needs the answer twice
	defer opened.Unlock()
	if s, ok := opened.boxes[mode]; ok {
		return s, nil
	}
	if err, ok := opened.refusals[mode]; ok {
		return nil, err
	}
	s, err := probe(ctx, mode)
	switch {
	case err == nil:
		opened.boxes[mode] = s
	case ctx.Err() == nil: // a probe that was cut short says nothing about the machine
		opened.refusals[mode] = err
	}
	return s, err
}
