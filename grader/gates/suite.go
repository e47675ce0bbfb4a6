package gates

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"

	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// CertifySuite certifies tasks, as many at a time as there are workers, and proves that no two
// of one suite are the same. Certificates come in the order of the tasks and do not depend on
// the number of workers, of which there is at least one. A task of a world without a kit gets
// a certificate that says so.
func CertifySuite(ctx context.Context, suite tasks.Suite, all []tasks.Task, opt Options, workers int) []Certificate {
	certs := make([]Certificate, len(all))
	m := &memo{}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range max(1, min(workers, len(all))) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(all); i = int(next.Add(1)) - 1 {
				kit := suite.Kit(all[i].World)
				if kit == nil {
					kit = kitless(all[i].World, suite.Worlds())
				}
				certs[i] = certify(ctx, kit, all[i], opt, m)
			}
		})
	}
	wg.Wait()
	MarkDistinct(certs)
	return certs
}

// kitless is the kit of a world that the suite lacks: it can make none.
func kitless(world string, worlds []string) *tasks.Kit {
	return &tasks.Kit{Kind: sim.Kind{Name: world, New: func(context.Context, sim.Env, json.RawMessage, []string) (sim.World, error) {
		return nil, fmt.Errorf("the suite has no kit for world %q%s", world, grader.Suggest(world, worlds))
	}}}
}

// MarkDistinct decides the distinct gate of certificates that belong together, for example of
// some that were cached. The first of several equal tasks of a suite is distinct, the others
// are not.
func MarkDistinct(certs []Certificate) {
	type key struct {
		suite  string
		digest tasks.Digest
	}
	first := map[key]*Certificate{}
	size := map[string]int{}
	for i := range certs {
		size[certs[i].Task.Suite()]++
	}
	for i := range certs {
		c := &certs[i]
		r := Result{Gate: Distinct, State: Held, Note: fmt.Sprintf("among %s", count(size[c.Task.Suite()], "task"))}
		if size[c.Task.Suite()] == 1 {
			r.Nothing, r.Note = true, "the suite has one task"
		}
		at := grader.Source{File: c.Source.File, Line: c.Source.Line}
		k := key{c.Task.Suite(), c.TaskDigest}
		if other := first[k]; other == nil {
			first[k] = c
		} else {
			r.State = Failed
			r.Problems = []Problem{problem(at, "the task is %s%s once more: setup, asks, limits and rubric are the same; let it demand something else, or drop it",
				other.Task, located(grader.Source{File: other.Source.File, Line: other.Source.Line}))}
		}
		for j := range c.Gates {
			if c.Gates[j].Gate == Distinct {
				c.Gates[j] = r
			}
		}
	}
}
