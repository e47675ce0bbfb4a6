package files

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"benchwright/sim"
	world "benchwright/sim/files"
	"benchwright/tasks"
)

func canonical(v any) []byte { return sim.MustCanonical(v) }

// call is a move of one call.
func call(tool string, arguments map[string]string) tasks.Move {
	return tasks.Move{Calls: []sim.Call{{Name: tool, Arguments: canonical(arguments)}}}
}

func read(p string) tasks.Move { return call("read_file", map[string]string{"path": p}) }
func list(p string) tasks.Move { return call("list_directory", map[string]string{"path": p}) }
func submit(p string) tasks.Move {
	return call("submit", map[string]string{"path_or_answer": p})
}
func writes(p, text string) tasks.Move {
	return call("write_file", map[string]string{"path": p, "content": text})
}

// reference is how somebody who knows the solution works: look round, read what the work is and
// what it is about, write the solution, run what has to be run, and submit. What is read is bounded
// by the moves that there are; what the solution needs comes first.
func (j job) reference(most int, tools []string) ([]tasks.Move, error) {
	last, err := j.solve()
	if err != nil {
		return nil, err
	}
	moves := j.study(most - len(last))
	moves = append(moves, last...)
	if len(moves) > most {
		return nil, fmt.Errorf("the solution takes %d moves, and there are %d: give it more turns", len(moves), most)
	}
	for _, m := range moves {
		if name := m.Calls[0].Name; !slices.Equal(tools, []string{tasks.AllTools}) && !slices.Contains(tools, name) {
			return nil, fmt.Errorf("the solution needs %s, which the agent may not use", name)
		}
	}
	return moves, nil
}

// solve is the part of the reference that changes something.
func (j job) solve() ([]tasks.Move, error) {
	files := j.in.Reference()
	var moves []tasks.Move
	for _, p := range files.Paths() {
		moves = append(moves, writes(p, files[p]))
	}
	work := world.BundleOf(j.in).Work
	_, there := j.in.Solved()[work.Required]
	if work.Required != "" && !there { // the documented command makes it
		if work.Entrypoint == "" {
			return nil, fmt.Errorf("nothing says how %s is made: neither the solution holds it, nor is there an entrypoint", work.Required)
		}
		moves = append(moves, call("run_shell", map[string]string{"command": work.Entrypoint}))
	}
	answer := work.Required
	if answer == "" {
		answer = files.Paths()[0]
	}
	return append(moves, submit(answer)), nil
}

// study reads the workspace, in so many moves at most.
func (j job) study(most int) []tasks.Move {
	visible, wrote := j.in.Visible, j.in.Reference()
	order := []string{"README.md", "task.json"}
	for _, p := range visible.Paths() { // what will be changed, then documents and data
		if _, ok := wrote[p]; ok {
			order = append(order, p)
		}
	}
	rest := visible.Paths()
	slices.SortStableFunc(rest, func(a, b string) int { return rank(a) - rank(b) })
	order = append(order, rest...)
	moves := []tasks.Move{list(".")}
	seen := map[string]bool{}
	for _, p := range order {
		if _, ok := visible[p]; ok && !seen[p] && len(moves) < most {
			seen[p] = true
			moves = append(moves, read(p))
		}
	}
	return moves[:max(min(len(moves), most), 0)]
}

// rank puts what the work is about before what is merely there.
func rank(p string) int {
	switch base := path.Base(p); {
	case base == "__init__.py":
		return 3
	case strings.HasSuffix(base, ".py"):
		return 2
	case strings.HasSuffix(base, ".csv"), strings.HasSuffix(base, ".json"), strings.HasSuffix(base, ".log"):
		return 1
	}
	return 0
}

// traps are the near misses of a workspace that its compiler knows, as probes: everything as in the
// reference, but for what one trap does to it.
func (j job) traps(codes []string) []tasks.Probe {
	var out []tasks.Probe
	work := world.BundleOf(j.in).Work
	for _, miss := range j.in.NearMisses {
		p := tasks.Probe{Name: miss.Trap, Codes: codes}
		files := j.in.Reference().With(miss.Files)
		for _, f := range files.Paths() {
			if files[f] != j.in.Visible[f] {
				p.Moves = append(p.Moves, writes(f, files[f]))
			}
		}
		p.Moves = append(p.Moves, submit(work.Required))
		out = append(out, p)
	}
	return out
}
