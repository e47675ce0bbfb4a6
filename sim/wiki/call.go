package wiki

import (
	"context"
	"encoding/json"
	"slices"

	fixture "benchwright/fixtures/wiki"
	"benchwright/sim"
)

// A call is one call of a tool while it is carried out. It notes what it does for [Facts].
type call struct {
	world     *world
	args      arguments
	canonical map[string]any // the arguments in their canonical spelling
	target    string
	missing   bool
	source    string // of a source file that was read
	proven    *fixture.LedgerLine
	written   *Write
	done      bool
}

// Call performs a call, as the package comment says.
func (w *world) Call(_ context.Context, c sim.Call) sim.Result {
	if w.closed {
		return sim.Fault("%v", errClosed)
	}
	before := w.now
	if before.stage >= 0 {
		w.calls++
		w.used++
	}
	k := &call{world: w}
	data, f := k.perform(c)
	r := k.result(data, f)
	if before.stage >= 0 {
		noted := k.facts(r.Data, before)
		r.Facts = sim.MustCanonical(noted)
		r.Done = w.stops(c, r, noted) || r.Done
	}
	return r
}

// stops reports whether the stage has gone round in circles for too long by a call: then it is over,
// though not finished.
func (w *world) stops(c sim.Call, r sim.Result, f Facts) bool {
	if s, ok := loopStep(c, r, f); ok {
		w.loop.Add(s)
	}
	_, stop := w.loop.Stopped()
	return stop
}

// perform checks in the order that the package comment gives.
func (k *call) perform(c sim.Call) (data any, f *failure) {
	w := k.world
	if w.now.stage >= 0 && w.calls == w.faults.ToolRuntimeError {
		return nil, broken("call %d: the setup plants a failure here", w.calls)
	}
	t := byName[c.Name]
	if t == nil || !slices.Contains(w.scope, t) {
		return nil, fail(CodeUnknownTool, "", "there is no tool %s", shown(c.Name))
	}
	if k.args, f = t.parse(c.Arguments); f != nil {
		return nil, f
	}
	k.canonical = make(map[string]any, len(k.args))
	for name, v := range k.args {
		k.canonical[name] = v
	}
	if most := k.stage().Budget.ToolCalls; most > 0 && w.used > most {
		return nil, fail(CodeBudgetExceeded, "nothing more can be done in this stage", "the stage has had its %d tool calls", most)
	}
	return t.run(k)
}

// stage is the present one; that before the first has no name and allows nothing.
func (k *call) stage() Stage {
	if k.world.now.stage < 0 {
		return Stage{}
	}
	return k.world.stages[k.world.now.stage]
}

// finished reports whether the present stage is.
func (k *call) finished() bool {
	m := k.world.now
	return m.stage >= 0 && m.stages[m.stage].Finished
}

func (k *call) result(data any, f *failure) sim.Result {
	r := sim.Result{Status: StatusOK, Done: k.done}
	switch {
	case f == nil:
		r.Data = sim.MustCanonical(data)
	case f.code == CodeToolRuntimeError:
		r = sim.Fault("wiki: %s", f.message)
		r.Code, r.Data = f.code, fail(f.code, "the failure is not the caller's", "the tool broke").data()
	default:
		r.Data, r.Status, r.Code = f.data(), statuses[f.code], f.code
		r.Invalid = r.Status == StatusInvalid
	}
	if k.canonical != nil {
		r.Arguments = sim.MustCanonical(k.canonical)
	}
	return r
}

func (k *call) facts(data json.RawMessage, before *moment) Facts {
	return Facts{
		Call: k.world.calls, Stage: before.name(), Result: fixture.Hash(string(data)), Before: before.hash(), After: k.world.now.hash(),
		Target: k.target, Missing: k.missing, Source: k.source, Read: k.proven, Write: k.written,
	}
}
