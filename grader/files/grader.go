package files

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"benchwright/grader"
	world "benchwright/sim/files"
	"benchwright/sim/files/exam"
)

// A Grader grades the workspaces of a program: with the evaluators of the built-in families and
// those that were given to it. It may be used concurrently.
type Grader struct {
	lib        *world.Library
	run        Observer
	evaluators Evaluators
	memory     memory
}

// New returns a grader. Specs are compiled by the library; code runs on the machine, of which nil
// means that none can be run. Evaluators of outside families go beside the built-in ones, or take
// the place of one of the same key.
func New(lib *world.Library, m Machine, outside ...Evaluators) *Grader {
	g := &Grader{lib: lib, run: observer(m), evaluators: ours()}
	for _, es := range outside {
		maps.Copy(g.evaluators, es)
	}
	return g
}

// Rules returns the registry of a grader of the built-in families.
func Rules(lib *world.Library, m Machine) grader.Registry { return New(lib, m).Rules() }

// Runs reports whether grading an instance runs code of the workspace, so that a machine is needed.
func (g *Grader) Runs(in *world.Instance) bool {
	e, err := g.evaluators.find(in)
	return err == nil && e.Runs(in)
}

// Evaluate scores the plain files of a workspace. What links lead to, and what the state has but a
// digest of, counts as missing. An error is the measurement's own, of a bundle that cannot be graded
// or a machine that cannot run code.
func (g *Grader) Evaluate(ctx context.Context, in *world.Instance, w *world.Workspace) (Result, error) {
	return g.evaluate(ctx, in, w.Tree())
}

func (g *Grader) evaluate(ctx context.Context, in *world.Instance, left world.Tree) (Result, error) {
	e, err := g.evaluators.find(in)
	if err != nil {
		return Result{}, broken(err)
	}
	score := func() (Result, error) {
		start := time.Now()
		r, err := e.Evaluate(ctx, in, left, g.run)
		if err != nil {
			return r, err
		}
		r.RuntimeSeconds = round(time.Since(start).Seconds())
		r.settle()
		if !r.Success && len(r.FailureLabels) == 0 {
			return r, broken(fmt.Errorf("evaluator %q gives %g and no failure label: what is no success needs one", clip(in.Manifest.Evaluator), r.Score))
		}
		return r, nil
	}
	if !e.Runs(in) {
		return score()
	}
	k := keyOf(in, left)
	if !g.memory.has(k) && len(in.Visible) > 0 && solved(e, in, left) {
		// Whoever certifies begins with the reference, and will ask for these.
		_ = g.Prepare(ctx, in, known(in, left)...) // an error is met again below
	}
	return g.memory.get(ctx, k, score)
}

// solved reports whether code finds nothing in what was left but what the reference leaves: beside
// it there may be what the reference's own command makes, where every case clears that away before
// it begins.
func solved(e Evaluator, in *world.Instance, left world.Tree) bool {
	want := in.Solved()
	if maps.Equal(left, want) {
		return true
	}
	code, ok := e.(sheetEvaluator)
	if !ok {
		return false
	}
	s, r, err := code.sheet(in, left)
	if err != nil || r != nil {
		return false
	}
	return maps.Equal(met(s, left), met(s, want))
}

// met is what cases of a sheet may meet of a workspace: all that some case does not clear away.
func met(s *exam.Sheet, t world.Tree) world.Tree {
	out := world.Tree{}
	for p, text := range t {
		if slices.ContainsFunc(s.Cases, func(c exam.Case) bool { return !c.Clears(p) }) {
			out[p] = text
		}
	}
	return out
}

// Prepare evaluates workspaces of one instance that will be graded soon, with one start of Python
// for all of them. They have to be of the author's making, since they share a sandbox: one in which
// something was not observed, or timed out, is left to be evaluated by itself. Where code cannot be
// run nothing happens.
func (g *Grader) Prepare(ctx context.Context, in *world.Instance, workspaces ...world.Tree) error {
	e, err := g.evaluators.find(in)
	if err != nil {
		return broken(err)
	}
	code, ok := e.(sheetEvaluator)
	if !ok || g.run == nil {
		return nil
	}
	var sheet *exam.Sheet
	var trees []world.Tree
	var keys []key
	seen := map[key]bool{}
	for _, t := range workspaces {
		k := keyOf(in, t)
		if seen[k] || g.memory.has(k) {
			continue
		}
		seen[k] = true
		s, r, err := code.sheet(in, t)
		if err != nil {
			return broken(err)
		}
		if r == nil {
			sheet, trees, keys = s, append(trees, t), append(keys, k)
		}
	}
	if len(trees) == 0 {
		return nil
	}
	together := *sheet
	together.Together = true
	runs, err := g.run(ctx, &together, func(first exam.Run) bool { return code.again(sheet, first) }, trees...)
	if err != nil {
		return err
	}
	for i, t := range trees {
		if !complete(sheet, runs[i]) {
			continue
		}
		r, err := code.judge(in, sheet, t, runs[i])
		if err != nil {
			return broken(err)
		}
		r.settle()
		g.memory.put(keys[i], r)
	}
	return nil
}

// complete reports whether every case was observed and none waited, so that the workspaces beside it
// cannot have made a difference.
func complete(s *exam.Sheet, runs []exam.Run) bool {
	for _, c := range s.Cases {
		if o, seen := runs[0][c.ID]; !seen || o.State == "timeout" {
			return false
		}
	}
	return true
}
