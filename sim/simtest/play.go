package simtest

import (
	"bytes"
	"context"
	"encoding/json"

	"benchwright/sim"
)

// A kept thing is bytes that a world gave away, with a copy made at the time.
type kept struct {
	what       string
	given, was json.RawMessage
}

func keep(what string, given json.RawMessage) kept {
	return kept{what, given, bytes.Clone(given)}
}

// checkKept reports bytes that have changed since.
func (k *checker) checkKept(clause string, all []kept) {
	for _, g := range all {
		if !bytes.Equal(g.given, g.was) {
			k.broken(clause, "%s was %s and has become %s", g.what, short(string(g.was)), short(string(g.given)))
		}
	}
}

// outcome is all that playing the calls showed, as comparable bytes.
type outcome struct {
	results []json.RawMessage
	states  []json.RawMessage // one more than results
}

// play performs the case's calls in w, with the state read before, between and after.
func (k *checker) play(w sim.World) outcome {
	var o outcome
	var states, results []kept
	note := func() {
		s := k.state(w)
		// A state is asked for its bytes anew each time: it may encode them on demand.
		raw := s.JSON()
		states = append(states, keep("the state", raw))
		for _, again := range [2]json.RawMessage{s.JSON(), k.state(w).JSON()} {
			if !bytes.Equal(again, raw) {
				k.broken(stateCanonical, "read twice in a row, the state is %s and %s", short(string(raw)), short(string(again)))
			}
		}
		o.states = append(o.states, bytes.Clone(raw))
	}
	note()
	first, firstBytes := k.state(w), bytes.Clone(o.states[0])
	for _, c := range k.c.Calls {
		r := k.call(k.ctx, w, c)
		if r.Fault != "" {
			k.broken(callNoFault, "call %s: %s", short(c.Name), short(r.Fault))
		}
		results = append(results, keep("data of "+c.Name, r.Data), keep("arguments of "+c.Name, r.Arguments), keep("facts of "+c.Name, r.Facts))
		o.results = append(o.results, k.encode(r))
		note()
		k.checkKept(stateImmutable, states)
		if now := first.JSON(); !bytes.Equal(now, firstBytes) {
			k.broken(stateImmutable, "after %s, the state read at the start has become %s", short(c.Name), short(string(now)))
		}
	}
	k.checkKept(callKept, results)
	return o
}

func (k *checker) encode(r sim.Result) json.RawMessage {
	raw, err := json.Marshal(r)
	if err != nil { // reported as call-json or call-arguments
		raw = json.RawMessage(short(err.Error()))
	}
	return raw
}

// checkPlay plays the case's calls in two worlds and compares them.
func (k *checker) checkPlay() {
	a, b := k.open(), k.open()
	if a == nil || b == nil {
		return
	}
	defer k.close(a)
	defer k.close(b)
	x, y := k.play(a), k.play(b)
	k.compare(newDeterministic, "two worlds of one setup", x, y)
	if !bytes.Equal(k.tools(a), k.tools(b)) {
		k.broken(newDeterministic, "two worlds of one setup list different tools")
	}
	changed := false
	for _, s := range x.states {
		changed = changed || !bytes.Equal(s, x.states[0])
	}
	if changed == k.c.ReadOnly {
		word := map[bool]string{true: "changed", false: "did not change"}[changed]
		k.broken(stateChanges, "the calls %s the state, and Case.ReadOnly is %t", word, k.c.ReadOnly)
	}
}

// compare reports the first difference between two outcomes that should be equal.
func (k *checker) compare(clause, what string, x, y outcome) {
	for i := range min(len(x.results), len(y.results)) {
		if !bytes.Equal(x.results[i], y.results[i]) {
			k.broken(clause, "%s: call %d, %s, gave %s and %s", what, i+1, k.c.Calls[i].Name, short(string(x.results[i])), short(string(y.results[i])))
			return
		}
	}
	for i := range min(len(x.states), len(y.states)) {
		if !bytes.Equal(x.states[i], y.states[i]) {
			k.broken(clause, "%s: the state after %d calls is %s and %s", what, i, short(string(x.states[i])), short(string(y.states[i])))
			return
		}
	}
}

// checkCancelled calls without time left; the world may answer as it likes.
func (k *checker) checkCancelled() {
	w := k.open()
	if w == nil {
		return
	}
	defer k.close(w)
	ctx, cancel := context.WithCancel(k.ctx)
	cancel()
	for _, c := range k.c.Calls {
		r := k.call(ctx, w, c)
		if r.Status == "" && r.Fault == "" {
			k.broken(callCancelled, "call %s gave nothing", c.Name)
		}
	}
	k.state(w)
}
