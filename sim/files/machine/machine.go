// Package machine is where commands of a workspace run: package sandbox with the interpreter of
// package python in it. Agents' commands and graders' share it, so that both meet the same level
// of isolation and the same Python.
package machine

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"

	"benchwright/sim/files"
	"benchwright/sim/files/python"
	"benchwright/sim/files/sandbox"
)

// A Machine is a sandbox and an interpreter. Neither is opened before it is needed. It holds
// nothing and may be used concurrently.
type Machine struct {
	mode string
	name string

	mu     sync.Mutex
	opened bool
	python python.Interpreter
	err    error // of the interpreter; that of the sandbox is kept by its own package
}

// New returns the machine of a sandbox mode and an interpreter, named as BENCH_SANDBOX and
// BENCH_PYTHON spell them; "" is the default of either.
func New(mode, interpreter string) *Machine { return &Machine{mode: mode, name: interpreter} }

// Set chooses another mode and interpreter for a machine that others hold already. It is for
// before anything has run.
func (m *Machine) Set(mode, interpreter string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mode, m.name, m.opened, m.err = mode, interpreter, false, nil
}

// Open returns what commands are run with. An error wraps [sandbox.ErrRefused] where the sandbox
// holds nowhere here.
func (m *Machine) Open(ctx context.Context) (*sandbox.Sandbox, python.Interpreter, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	mode, err := sandbox.ParseMode(m.mode)
	if err != nil {
		return nil, python.Interpreter{}, err
	}
	box, err := sandbox.Open(ctx, mode)
	if err != nil {
		return nil, python.Interpreter{}, err
	}
	if !m.opened {
		m.python, m.err = python.Find(m.name)
		m.opened = true
	}
	return box, m.python, m.err
}

// Ready says why no commands can be run here, if so.
func (m *Machine) Ready(ctx context.Context) error {
	_, _, err := m.Open(ctx)
	return err
}

// Level names what commands are confined by, for a run's record.
func (m *Machine) Level(ctx context.Context) (string, error) {
	box, _, err := m.Open(ctx)
	if err != nil {
		return "", err
	}
	return box.Level().String(), nil
}

// Interpreter names the Python, for a run's record.
func (m *Machine) Interpreter(ctx context.Context) (string, error) {
	_, py, err := m.Open(ctx)
	if err != nil {
		return "", err
	}
	return py.String(), nil
}

// Run runs a command with the limits of the sandbox, of which only the time is the caller's.
func (m *Machine) Run(ctx context.Context, c files.Command) (sandbox.Result, error) {
	box, py, err := m.Open(ctx)
	if err != nil {
		return sandbox.Result{}, err
	}
	run := py.Shell(box, c.Dir, c.Line)
	if c.Script != nil {
		run = py.Command(box, c.Dir, c.Script...)
	}
	// The clock on the wall is the limit that is told, so that of the processor must not be the
	// first to strike where a command computes all the time.
	run.Limits = sandbox.Limits{Wall: c.Wall, CPU: c.Wall + time.Second}
	res, err := box.Run(ctx, run)
	if err != nil {
		return res, fmt.Errorf("machine: %w", err)
	}
	clean := scrubber(box, py, c.Dir)
	res.Stdout, res.Stderr = clean(res.Stdout), clean(res.Stderr)
	return res, nil
}

// temporary matches the private folder that a command without namespaces has for its temporary
// files.
var temporary = regexp.MustCompile(regexp.QuoteMeta(filepath.Join(os.TempDir(), "benchwright-tmp-")) + `[0-9]+`)

// scrubber returns what puts the paths that a command sees with namespaces in place of the host's
// own. With namespaces there is nothing to do.
func scrubber(box *sandbox.Sandbox, py python.Interpreter, dir string) func([]byte) []byte {
	if box.Workspace(dir) == files.Root {
		return func(b []byte) []byte { return b }
	}
	type pair struct{ host, inside []byte }
	var pairs []pair
	for _, p := range [][2]string{{dir, files.Root}, {py.Root, py.Lent().Inside}} {
		pairs = append(pairs, pair{[]byte(p[0]), []byte(p[1])})
		if real, err := filepath.EvalSymlinks(p[0]); err == nil && real != p[0] {
			pairs = append(pairs, pair{[]byte(real), []byte(p[1])})
		}
	}
	// The longest first: one may stand inside another.
	slices.SortStableFunc(pairs, func(a, b pair) int { return len(b.host) - len(a.host) })
	return func(b []byte) []byte {
		for _, p := range pairs {
			b = bytes.ReplaceAll(b, p.host, p.inside)
		}
		return temporary.ReplaceAll(b, []byte("/tmp"))
	}
}
