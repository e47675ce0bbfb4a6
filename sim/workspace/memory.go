package workspace

import "sync"

// maxRemembered is how many setups a library remembers. The proofs about a task build its world
// a dozen times in a row, so a few are enough; each may hold the encoded state of its workspace.
const maxRemembered = 64

// A memory holds the states of setups that were built before, by their text. States never
// change, so that worlds of one setup share theirs.
type memory struct {
	mu     sync.Mutex
	states map[string]*state
	order  []string // oldest first
}

func newMemory() *memory { return &memory{states: map[string]*state{}} }

func (m *memory) get(key string) *state {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.states[key]
}

// put keeps a state and returns the one to use: that of whoever came first.
func (m *memory) put(key string, s *state) *state {
	m.mu.Lock()
	defer m.mu.Unlock()
	if first := m.states[key]; first != nil {
		return first
	}
	if len(m.order) == maxRemembered {
		delete(m.states, m.order[0])
		m.order = m.order[1:]
	}
	m.states[key] = s
	m.order = append(m.order, key)
	return s
}
