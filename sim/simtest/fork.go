package simtest

import (
	"bytes"
	"fmt"
	"sync"

	"benchwright/sim"
)

// fork returns a fork of w; nil means that this was reported.
func (k *checker) fork(w sim.World) (f sim.World) {
	k.safely(neverPanics, "Fork", func() {
		var err error
		if f, err = w.Fork(); err != nil || f == nil {
			k.broken(forkWorks, "world %v, error %v", f, err)
			f = nil
		}
	})
	return f
}

// run performs calls and returns what they gave.
func (k *checker) run(w sim.World, calls []sim.Call) (o outcome) {
	for _, c := range calls {
		o.results = append(o.results, k.encode(k.call(k.ctx, w, c)))
	}
	o.states = append(o.states, bytes.Clone(k.state(w).JSON()))
	return o
}

// checkForks forks a world at every point of the case's calls, acts in one and then in the
// other, and compares both with what a world does that was never forked.
func (k *checker) checkForks() {
	plain := k.open()
	if plain == nil {
		return
	}
	want := k.play(plain)
	defer k.close(plain)
	for at := range len(k.c.Calls) + 1 {
		k.checkForkAt(at, want)
	}
}

// checkForkAt forks after the first calls.
func (k *checker) checkForkAt(at int, want outcome) {
	parent := k.open()
	if parent == nil {
		return
	}
	defer k.close(parent)
	past, rest := k.c.Calls[:at], k.c.Calls[at:]
	k.run(parent, past)
	child := k.fork(parent)
	if child == nil {
		return
	}
	defer k.close(child)
	grandchild := k.fork(child)
	if grandchild == nil {
		return
	}
	defer k.close(grandchild)

	// Each acts in its turn while the others have not yet, or have already.
	worlds := []sim.World{child, parent, grandchild}
	who := []string{"the fork", "the parent", "the fork of the fork"}
	for i, w := range worlds {
		if s := k.state(w).JSON(); !bytes.Equal(s, want.states[at]) {
			k.broken(forkSame, "forked after %d calls, the state of %s is %s, not %s", at, who[i], short(string(s)), short(string(want.states[at])))
			return
		}
		if !bytes.Equal(k.tools(w), k.tools(parent)) {
			k.broken(forkSame, "forked after %d calls, %s lists other tools than the parent", at, who[i])
			return
		}
	}
	for i, w := range worlds {
		before := k.states(worlds)
		sound := k.compareRest("forked after "+fmt.Sprint(at)+" calls, "+who[i], k.run(w, rest), at, want)
		for j, s := range k.states(worlds) {
			if j != i && !bytes.Equal(s, before[j]) {
				k.broken(forkIndependent, "forked after %d calls, %s acted and the state of %s changed from %s to %s", at, who[i], who[j], short(string(before[j])), short(string(s)))
				sound = false
			}
		}
		if !sound {
			return
		}
	}
}

func (k *checker) states(worlds []sim.World) (s [][]byte) {
	for _, w := range worlds {
		s = append(s, bytes.Clone(k.state(w).JSON()))
	}
	return s
}

// compareRest compares what calls gave in a fork with what the same calls gave in a world that
// was never forked.
func (k *checker) compareRest(who string, got outcome, at int, want outcome) bool {
	for i, r := range got.results {
		if !bytes.Equal(r, want.results[at+i]) {
			k.broken(forkSame, "%s: call %s gave %s, not %s", who, k.c.Calls[at+i].Name, short(string(r)), short(string(want.results[at+i])))
			return false
		}
	}
	if s, w := got.states[len(got.states)-1], want.states[len(want.states)-1]; !bytes.Equal(s, w) {
		k.broken(forkSame, "%s: after all calls, the state is %s, not %s", who, short(string(s)), short(string(w)))
		return false
	}
	return true
}

// checkConcurrent uses a world and its forks at the same time.
func (k *checker) checkConcurrent() {
	plain := k.open()
	if plain == nil {
		return
	}
	want := k.play(plain)
	k.close(plain)
	parent := k.open()
	if parent == nil {
		return
	}
	worlds := []sim.World{parent}
	for range 3 {
		if f := k.fork(worlds[len(worlds)-1]); f != nil {
			worlds = append(worlds, f)
		}
	}
	// The checker is not for several goroutines, so each world gets one of its own whose
	// reports are told afterwards.
	var wg sync.WaitGroup
	reports := make([]recorder, len(worlds))
	for i, w := range worlds {
		wg.Go(func() {
			own := &checker{t: &reports[i], kind: k.kind, c: k.c, ctx: k.ctx, seen: map[string]bool{}}
			own.compareRest("used concurrently", own.run(w, k.c.Calls), 0, want)
			own.close(w)
		})
	}
	wg.Wait()
	for _, r := range reports {
		for _, message := range r.messages {
			k.broken(forkConcurrent, "%s", message)
		}
	}
}

// recorder is a T that keeps what it is told.
type recorder struct{ messages []string }

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.messages = append(r.messages, fmt.Sprintf(format, args...))
}
