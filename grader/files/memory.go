package files

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"sync"

	world "benchwright/sim/files"
)

// A key is the digest of an instance and of what was left of it. The published digest of a
// workspace is no key: it sets no bounds between a path and what follows, so that an agent could
// make two workspaces that share one.
type key [sha256.Size]byte

func keyOf(in *world.Instance, left world.Tree) (k key) {
	m := &in.Manifest
	h := sha256.New()
	task, _ := m.Metadata.Task["entrypoint"].(string)
	for _, s := range []string{m.Family, m.Evaluator, m.EnvID, readConfig(in).output(in), task, string(rune('0' + m.Difficulty))} {
		put(h, s)
	}
	putTree(h, in.Hidden)
	putTree(h, left)
	h.Sum(k[:0])
	return k
}

func putTree(h hash.Hash, t world.Tree) {
	put(h, "tree")
	for _, p := range t.Paths() {
		put(h, p)
		put(h, t[p])
	}
}

func put(h hash.Hash, s string) {
	var n [8]byte
	binary.BigEndian.PutUint64(n[:], uint64(len(s)))
	h.Write(n[:])
	h.Write([]byte(s))
}

// remembered is how many results a grader remembers; each is a few kilobytes.
const remembered = 2048

// A memory remembers the last results of code that was run. Who asks for one that is being made
// waits for it; errors are not remembered, since they are the machine's.
type memory struct {
	mu    sync.Mutex
	made  map[key]*entry
	order []key
}

type entry struct {
	done   chan struct{}
	result Result
	err    error
}

func (m *memory) get(ctx context.Context, k key, make func() (Result, error)) (Result, error) {
	for {
		m.mu.Lock()
		e, there := m.made[k]
		if !there {
			e = m.enter(k)
			m.mu.Unlock()
			return m.fill(k, e, make)
		}
		m.mu.Unlock()
		select {
		case <-e.done:
			if e.err == nil {
				return e.result.clone(), nil
			}
			// Who made it was interrupted, perhaps: it is made anew.
		case <-ctx.Done():
			return Result{}, ctx.Err()
		}
	}
}

// enter makes room for a result. The lock is held.
func (m *memory) enter(k key) *entry {
	if m.made == nil {
		m.made = map[key]*entry{}
	}
	e := &entry{done: make(chan struct{})}
	m.made[k] = e
	m.order = append(m.order, k)
	if len(m.order) > remembered {
		delete(m.made, m.order[0])
		m.order = m.order[1:]
	}
	return e
}

func (m *memory) fill(k key, e *entry, make func() (Result, error)) (Result, error) {
	filled := false
	defer func() {
		if !filled { // it panicked, or ended its goroutine
			e.err = context.Canceled
		}
		if e.err != nil {
			m.mu.Lock()
			if m.made[k] == e {
				delete(m.made, k)
			}
			m.mu.Unlock()
		}
		close(e.done)
	}()
	e.result, e.err = make()
	filled = true
	if e.err != nil {
		return Result{}, e.err
	}
	return e.result.clone(), nil
}

// put remembers a result that was made with others, and has reports whether there is one.
func (m *memory) put(k key, r Result) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, there := m.made[k]; !there {
		e := m.enter(k)
		e.result = r
		close(e.done)
	}
}

func (m *memory) has(k key) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, there := m.made[k]
	return there
}
