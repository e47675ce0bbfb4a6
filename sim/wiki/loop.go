package wiki

import (
	"slices"

	"benchwright/sim"
	"benchwright/sim/wiki/loops"
)

// discovery are the tools that ask what is there. read_page, load_skill and get_status are not among
// them: who reads the same page again goes nowhere, which [loops.Stalled] finds, and may have to.
var discovery = []string{ListDir, Search, ListPages, ReadFile}

// LoopStep returns a call of a stage as loops are found by it, and whether it counts: one that the
// world noted nothing of, that was refused for want of budget, or during which the world broke, does
// not.
func LoopStep(e sim.Event) (loops.Step, bool) {
	f, ok, err := ReadFacts(e.Result)
	if !ok || err != nil {
		return loops.Step{}, false
	}
	return loopStep(e.Call, e.Result, f)
}

// loopStep is LoopStep of a call whose facts are known.
func loopStep(c sim.Call, r sim.Result, f Facts) (loops.Step, bool) {
	if r.Fault != "" || r.Code == CodeBudgetExceeded || r.Code == CodeToolRuntimeError {
		return loops.Step{}, false
	}
	arguments := r.Arguments
	if arguments == nil {
		arguments = c.Arguments
	}
	s := loops.Step{
		Call: f.Call, Key: c.Name + " " + string(arguments), Discovery: slices.Contains(discovery, c.Name), Ends: r.Done && c.Name == Finish,
		Result: f.Result, Before: f.Before, After: f.After, Missing: f.Missing, Proved: f.Read != nil,
	}
	if w := f.Write; w != nil {
		s.Write = &loops.Write{
			Page: w.PageID, Before: w.Before, After: w.After, BackedBefore: w.BackedBefore, BackedAfter: w.BackedAfter, Closed: w.Closed, Opened: w.Opened,
		}
	}
	return s, true
}
