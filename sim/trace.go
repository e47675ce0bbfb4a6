package sim

import "slices"

// An Event is one call and what came of it.
type Event struct {
	Ask    int    `json:"ask"`  // which ask it served, from 0
	Turn   int    `json:"turn"` // the agent's turn within the episode, from 1
	Call   Call   `json:"call"`
	Result Result `json:"result"`
}

// A Trace is all events of an episode, in order. The run writes it; an agent never does.
type Trace []Event

// Ask returns the events that served ask n.
func (t Trace) Ask(n int) Trace {
	return slices.DeleteFunc(slices.Clone(t), func(e Event) bool { return e.Ask != n })
}

// Until returns the events of the asks up to and including n.
func (t Trace) Until(n int) Trace {
	i := slices.IndexFunc(t, func(e Event) bool { return e.Ask > n })
	if i < 0 {
		return t
	}
	return t[:i:i]
}
