package simtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"benchwright/sim"
)

// T is the part of testing.TB that Check needs, so that its failures can be observed.
type T interface {
	Helper()
	Errorf(format string, args ...any)
}

// A Case is one setup of a world and what to do in it.
type Case struct {
	Setup json.RawMessage
	Tools []string // in scope

	// Calls that work, in an order that makes sense. They should change the state: a world
	// whose state never changes shows nothing about forks.
	Calls []sim.Call

	// ReadOnly says that no call can change the state. Without it, calls that change nothing
	// are reported.
	ReadOnly bool

	// Env makes the environment of each world that Check builds; worlds that write to
	// Env.Scratch need a fresh folder every time. Nil gives a seed and nothing else.
	Env func() sim.Env
}

// Check verifies that the worlds that kind makes from the case keep the contract of
// sim.World, and reports every clause that they break with the clause's name. It builds and
// closes about a dozen worlds.
func Check(t T, kind sim.Kind, c Case) {
	t.Helper()
	k := &checker{t: t, kind: kind, c: c, ctx: context.Background(), seen: map[string]bool{}}
	w := k.open()
	if w == nil {
		return
	}
	k.checkTools(w)
	k.close(w)
	k.checkPlay()
	k.checkHostileSetup()
	k.checkHostileCalls()
	k.checkCancelled()
	k.checkForks()
	k.checkClose()
	if len(k.seen) == 0 { // a world that is wrong already would only race
		k.checkConcurrent()
	}
}

type checker struct {
	t    T
	kind sim.Kind
	c    Case
	ctx  context.Context
	seen map[string]bool // broken clauses
}

// maxReports is how many failures of one clause are told.
const maxReports = 3

func (k *checker) broken(clause, format string, args ...any) {
	k.t.Helper()
	for i := range maxReports {
		if key := fmt.Sprintf("%s/%d", clause, i); !k.seen[key] {
			k.seen[key] = true
			k.t.Errorf("simtest: world %s: %s: %s: %s", k.kind.Name, clause, clauses[clause], fmt.Sprintf(format, args...))
			return
		}
	}
}

// safely runs f and reports a panic of it under the clause.
func (k *checker) safely(clause, what string, f func()) (ok bool) {
	defer func() {
		if p := recover(); p != nil {
			k.broken(clause, "%s panicked: %s", what, short(fmt.Sprint(p)))
			ok = false
		}
	}()
	f()
	return true
}

// open builds a world and begins its first ask; nil means that this was reported.
func (k *checker) open() sim.World {
	env := sim.Env{Seed: 1}
	if k.c.Env != nil {
		env = k.c.Env()
	}
	var w sim.World
	k.safely(neverPanics, "New", func() {
		var err error
		w, err = k.kind.New(k.ctx, env, bytes.Clone(k.c.Setup), append([]string(nil), k.c.Tools...))
		if err != nil {
			k.broken(newWorks, "%v", err)
			w = nil
		} else if w == nil {
			k.broken(newWorks, "neither a world nor an error")
		}
	})
	if w == nil {
		return nil
	}
	k.safely(neverPanics, "Begin", func() {
		if err := w.Begin(k.ctx, 0); err != nil {
			k.broken(beginWorks, "ask 0: %v", err)
		}
	})
	return w
}

func (k *checker) close(w sim.World) {
	k.safely(neverPanics, "Close", func() {
		if err := w.Close(); err != nil {
			k.broken(closeTwice, "the first Close: %v", err)
		}
	})
}

// call performs one call that must not be a fault, and checks what any result must be.
func (k *checker) call(ctx context.Context, w sim.World, c sim.Call) (r sim.Result) {
	before := bytes.Clone(c.Arguments)
	what := "call " + short(c.Name) + "(" + short(string(c.Arguments)) + ")"
	if !k.safely(callNoPanic, what, func() { r = w.Call(ctx, c) }) {
		return r
	}
	if !bytes.Equal(before, c.Arguments) {
		k.broken(callArguments, "%s: the world wrote to the bytes of the arguments", what)
	}
	if r.Fault != "" {
		return r
	}
	if _, err := sim.ParseJSON(r.Data); err != nil {
		k.broken(callJSON, "%s: data %s: %v", what, short(string(r.Data)), err)
	}
	if len(r.Arguments) > 0 {
		if canonical, err := sim.Canonical(r.Arguments); err != nil || !bytes.Equal(canonical, r.Arguments) {
			k.broken(callArguments, "%s: Result.Arguments is %s", what, short(string(r.Arguments)))
		}
	}
	if len(r.Facts) > 0 {
		if canonical, err := sim.Canonical(r.Facts); err != nil || !bytes.Equal(canonical, r.Facts) {
			k.broken(callFacts, "%s: Result.Facts is %s", what, short(string(r.Facts)))
		}
	}
	if r.Status == "" {
		k.broken(callStatus, "%s: no status", what)
	}
	if r.Invalid && r.OK() {
		k.broken(callStatus, "%s: invalid and ok at once", what)
	}
	return r
}

// state reads the state and checks that it is canonical and can be read back.
func (k *checker) state(w sim.World) (s sim.State) {
	k.safely(neverPanics, "State", func() {
		var err error
		if s, err = w.State(); err != nil || s == nil {
			k.broken(stateWorks, "state %v, error %v", s, err)
			s = nil
		}
	})
	if s == nil {
		return sim.RawState("null")
	}
	raw := bytes.Clone(s.JSON())
	if canonical, err := sim.Canonical(json.RawMessage(raw)); err != nil {
		k.broken(stateCanonical, "%s: %v", short(string(raw)), err)
	} else if !bytes.Equal(canonical, raw) {
		k.broken(stateCanonical, "the state is %s; canonical is %s", short(string(raw)), short(string(canonical)))
	}
	k.safely(neverPanics, "Decode", func() {
		decoded, err := k.kind.DecodeState(raw, nil)
		if err != nil {
			k.broken(stateDecodes, "%v", err)
		} else if !bytes.Equal(decoded.JSON(), s.JSON()) {
			k.broken(stateDecodes, "%s became %s", short(string(s.JSON())), short(string(decoded.JSON())))
		}
	})
	return s
}

// short quotes the beginning of a text for a message.
func short(s string) string {
	const most = 120
	if len(s) > most {
		return fmt.Sprintf("%q… (%d bytes)", s[:most], len(s))
	}
	return fmt.Sprintf("%q", s)
}
