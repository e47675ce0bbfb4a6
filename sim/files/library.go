package files

import (
	"sync"

	"benchwright/sim"
)

// A Library compiles what its families make and remembers what it compiled last, because the
// proofs about a task and its graders want the same instance many times in a row. It may be used
// concurrently.
type Library struct {
	families  Families
	instances memory[*Instance]
	plans     memory[*plan]
}

// NewLibrary returns the library of some families.
func NewLibrary(families ...Family) *Library { return &Library{families: families} }

// Families lists the families of the library.
func (l *Library) Families() Families { return l.families }

// Compile is [Families.Compile]. What it returns is shared and must not be written to.
func (l *Library) Compile(s Spec) (*Instance, error) {
	key, err := sim.Canonical(s)
	if err != nil {
		return nil, errorf("spec: %w", err)
	}
	return l.instances.get(string(key), func() (*Instance, error) { return l.families.Compile(s) })
}

// maxRemembered is how many instances, and how many setups, a library remembers. Each is some tens
// of kilobytes.
const maxRemembered = 128

// A memory remembers what was made last, by name. Whoever asks for what is being made waits for
// it. Errors are remembered as well.
type memory[T any] struct {
	mu    sync.Mutex
	made  map[string]func() (T, error)
	order []string // oldest first
}

func (m *memory[T]) get(key string, make func() (T, error)) (T, error) {
	m.mu.Lock()
	f := m.made[key]
	if f == nil {
		if m.made == nil {
			m.made = map[string]func() (T, error){}
		}
		f = sync.OnceValues(make)
		m.made[key] = f
		m.order = append(m.order, key)
		if len(m.order) > maxRemembered {
			delete(m.made, m.order[0])
			m.order = m.order[1:]
		}
	}
	m.mu.Unlock()
	return f()
}
