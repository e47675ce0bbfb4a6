package workspace

import (
	"encoding/json"
	"sync"

	"benchwright/sim/workspace/backend"
)

// A cache remembers what was read of the last few texts. All checks of a task read the same
// states and results, and proofs grade hundreds of outcomes that share most of theirs; a
// snapshot of a large workspace takes longer to read than all its checks take.
//
// Texts are told apart by where they lie in memory: evidence is immutable, and an entry keeps
// its text, so that nothing else can come to lie there.
type cache[T any] struct {
	mu      sync.Mutex
	entries [cacheSize]entry[T] // the latest first
}

const cacheSize = 32

type entry[T any] struct {
	raw   json.RawMessage
	value *T
}

func (c *cache[T]) get(raw json.RawMessage) *T {
	if len(raw) == 0 {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, e := range c.entries {
		if len(e.raw) == len(raw) && &e.raw[0] == &raw[0] {
			copy(c.entries[1:i+1], c.entries[:i])
			c.entries[0] = e
			return e.value
		}
	}
	return nil
}

func (c *cache[T]) put(raw json.RawMessage, value *T) {
	if len(raw) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	copy(c.entries[1:], c.entries[:])
	c.entries[0] = entry[T]{raw, value}
}

var (
	views    cache[view]
	listings cache[listing]
	runtimes cache[backend.Runtime]
)
