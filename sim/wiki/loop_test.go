package wiki_test

import (
	"testing"

	"benchwright/sim"
	"benchwright/sim/wiki"
	"benchwright/sim/wiki/loops"
)

// TestAHopelessStageIsOver: the call that passes a limit ends the stage, which is not finished by it,
// and a grader finds the same from the trace.
func TestAHopelessStageIsOver(t *testing.T) {
	w := open(t, 0)
	var trace sim.Trace
	ask := func(w sim.World) sim.Result {
		c := made(wiki.ListDir, "path", "/source/nowhere")
		r := do(w, wiki.ListDir, "path", "/source/nowhere")
		trace = append(trace, sim.Event{Call: c, Result: r})
		return r
	}
	for n := 1; n <= 4; n++ { // the first is none, three are survived
		if r := ask(w); r.Done {
			t.Fatalf("over after %d calls", n)
		}
	}
	f, err := w.Fork()
	if err != nil {
		t.Fatal(err)
	}
	if r := ask(w); !r.Done || r.Code != wiki.CodeNotFound {
		t.Errorf("the fifth: done %v, code %q", r.Done, r.Code)
	}
	if s := state(t, w); s.Stages[0].Finished {
		t.Error("a stage that was stopped is not finished")
	}
	d := loops.New()
	for _, e := range trace {
		s, ok := wiki.LoopStep(e)
		if !ok {
			t.Fatalf("%+v is no step", e)
		}
		d.Add(s)
	}
	if k, ok := d.Stopped(); !ok || k != loops.RepeatedDiscovery {
		t.Errorf("from the trace it was stopped by %q", k)
	}
	if r := do(f, wiki.ListDir, "path", "/source"); r.Done {
		t.Error("a fork is not over because its parent is")
	}
	begin(t, w, 1)
	if r := do(w, wiki.ListDir, "path", "/source/nowhere"); r.Done {
		t.Error("a new stage begins anew")
	}
}

// TestFinishingIsNoStall: the twelfth call in vain stalls a stage, unless it finishes it.
func TestFinishingIsNoStall(t *testing.T) {
	for _, last := range []struct {
		call  sim.Call
		stall bool
	}{{made(wiki.GetStatus), true}, {made(wiki.Finish), false}} {
		w, d := open(t, 0), loops.New()
		add := func(c sim.Call) {
			s, ok := wiki.LoopStep(sim.Event{Call: c, Result: w.Call(t.Context(), c)})
			if !ok {
				t.Fatalf("%s is no step", c.Name)
			}
			d.Add(s)
		}
		for range loops.Patience - 1 {
			add(made(wiki.GetStatus))
		}
		add(last.call)
		if got := d.Count(loops.Stalled) > 0; got != last.stall {
			t.Errorf("after %s: stalled %v", last.call.Name, got)
		}
	}
}
