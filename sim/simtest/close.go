package simtest

import (
	"bytes"

	"benchwright/sim"
)

// checkClose closes a world twice and uses it afterwards, and looks at what became of the
// states it gave away and of its relatives.
func (k *checker) checkClose() {
	w := k.open()
	if w == nil {
		return
	}
	k.run(w, k.c.Calls)
	state := k.state(w)
	was := bytes.Clone(state.JSON())
	child := k.fork(w)
	k.close(w)
	k.safely(neverPanics, "the second Close", func() {
		if err := w.Close(); err != nil {
			k.broken(closeTwice, "%v", err)
		}
	})
	calls := append([]sim.Call{{Name: "no_such_tool"}, {}}, k.c.Calls...)
	for _, c := range calls {
		k.safely(callNoPanic, "a call after Close", func() {
			if r := w.Call(k.ctx, c); r.Fault == "" {
				k.broken(closeFaults, "call %s has the status %s", short(c.Name), short(r.Status))
			}
		})
	}
	k.safely(neverPanics, "a method after Close", func() {
		_ = w.Begin(k.ctx, 1)
		w.Tools()
		_, _ = w.State()
		if f, err := w.Fork(); err == nil && f != nil {
			_ = f.Close()
		}
	})
	if now := state.JSON(); !bytes.Equal(was, now) {
		k.broken(stateImmutable, "after Close, the state has become %s", short(string(now)))
	}
	if child == nil {
		return
	}
	k.unmoved(child, "its parent", was)
	if grandchild := k.fork(child); grandchild != nil {
		k.close(grandchild)
		k.unmoved(child, "its fork", was)
	}
	for _, c := range k.c.Calls {
		if r := k.call(k.ctx, child, c); r.Fault != "" {
			k.broken(closeAlone, "with its parent and its fork closed, a fork cannot call %s: %s", short(c.Name), short(r.Fault))
		}
	}
	k.close(child)
}

// unmoved reports a fork whose state changed when a relative was closed.
func (k *checker) unmoved(fork sim.World, closed string, state []byte) {
	if s := k.state(fork).JSON(); !bytes.Equal(s, state) {
		k.broken(closeAlone, "when %s was closed, the state of a fork went from %s to %s", closed, short(string(state)), short(string(s)))
	}
}
