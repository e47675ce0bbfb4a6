package wiki

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	fixture "benchwright/fixtures/wiki"
	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/wiki"
)

// Mutants spoils a good outcome where changing one value of it cannot: pages, whose text is one value
// with everything in it, and calls that nobody made.
func Mutants(good grader.Aftermath) []grader.Mutant {
	var out []grader.Mutant
	add := func(name string, spoil func(a *grader.Aftermath) bool) {
		a := good
		a.States, a.Answers, a.Trace = slices.Clone(good.States), slices.Clone(good.Answers), slices.Clone(good.Trace)
		if spoil(&a) {
			out = append(out, grader.Mutant{Name: name, Aftermath: a})
		}
	}
	first, err := world.ReadState(sim.RawState(good.Initial))
	if err != nil || len(good.States) == 0 {
		return nil
	}
	last := len(good.States) - 1
	state, err := world.ReadState(sim.RawState(good.States[last]))
	if err != nil || last >= len(state.Stages) {
		return nil
	}
	selected := state.Stages[last].Selected
	var changed, others []string // pages of the last stage that the reference wrote; pages that nobody may write
	for _, id := range slices.Sorted(maps.Keys(state.Pages)) {
		switch {
		case slices.Contains(selected, id) && state.Pages[id] != first.Pages[id]:
			changed = append(changed, id)
		case !slices.Contains(selected, id):
			others = append(others, id)
		}
	}
	page := func(name, id string, edit func(p *fixture.Page)) {
		add(name, func(a *grader.Aftermath) bool {
			p, err := fixture.ParsePage(state.Pages[id])
			if err != nil {
				return false
			}
			edit(&p)
			return rewrite(a, last, id, p.String())
		})
	}
	for _, id := range changed {
		add("page "+id+" as it was", func(a *grader.Aftermath) bool { return rewrite(a, last, id, first.Pages[id]) })
		page("page "+id+" with a wrong hash", id, func(p *fixture.Page) {
			if len(p.Sources) > 0 {
				p.Sources[0].SHA256 = strings.Repeat("0", 64)
			}
		})
		page("page "+id+" citing what there is not", id, func(p *fixture.Page) {
			p.Sources = append(p.Sources, fixture.Source{Path: "src/nowhere.ts", SHA256: strings.Repeat("0", 64), Kind: fixture.KindSource})
		})
		page("page "+id+" with another heading", id, func(p *fixture.Page) {
			if len(p.Sections) > 0 {
				p.Sections[0].Heading += " again"
			}
		})
		page("page "+id+" without prose in a section", id, func(p *fixture.Page) {
			if len(p.Sections) > 0 {
				p.Sections = slices.Clone(p.Sections)
				p.Sections[0].Text = "\n<!-- " + strings.ReplaceAll(p.Sections[0].Text, "--", "") + " -->\n\n"
			}
		})
		page("page "+id+" hidden by a comment", id, func(p *fixture.Page) { p.Lead += "<!--\n" })
		page("page "+id+" hidden by code in a list", id, func(p *fixture.Page) { p.Lead += "- ```\n" })
		page("page "+id+" related to what is not planned", id, func(p *fixture.Page) { p.Related = append(p.Related, "no-such-page") })
		break // one page shows it
	}
	if len(others) > 0 {
		add("a page beside the selected ones", func(a *grader.Aftermath) bool {
			return rewrite(a, last, others[0], state.Pages[others[0]]+"More.\n")
		})
	}
	event := func(name string, n int, e sim.Event) {
		add(name, func(a *grader.Aftermath) bool {
			for range n {
				e.Ask, e.Turn = last, 1
				if len(a.Trace) > 0 {
					e.Turn = a.Trace[len(a.Trace)-1].Turn
				}
				a.Trace = append(a.Trace, e)
			}
			return true
		})
	}
	asked := sim.Event{Call: sim.Call{Name: world.ListPages, Arguments: json.RawMessage("{}")}, Result: noted(world.Facts{Stage: state.Stage, Result: "same", Before: "same", After: "same"})}
	event("a question put three times", 3, asked)
	event("a write that changes nothing", 1, sim.Event{Call: sim.Call{Name: world.WritePage}, Result: noted(world.Facts{Stage: state.Stage, Write: &world.Write{PageID: "same", Before: "same", After: "same"}})})
	event("a tool that there is not", 1, sim.Event{Call: sim.Call{Name: "shell"}, Result: sim.Result{Data: json.RawMessage("{}"), Status: world.StatusDenied, Code: world.CodeUnknownTool}})
	event("a write that is refused", 1, sim.Event{Call: sim.Call{Name: world.WritePage}, Result: sim.Result{Data: json.RawMessage("{}"), Status: world.StatusDenied, Code: world.CodeWriteDenied}})
	add("the budget is spent", func(a *grader.Aftermath) bool {
		a.End = grader.End{Code: grader.EndTokens}
		return edit(a, last, func(s map[string]any) bool {
			stages, _ := s["stages"].([]any)
			if last >= len(stages) {
				return false
			}
			st, ok := stages[last].(map[string]any)
			if ok {
				st["finished"] = false
			}
			return ok
		})
	})
	return out
}

func noted(f world.Facts) sim.Result {
	return sim.Result{Data: json.RawMessage("{}"), Status: world.StatusOK, Facts: sim.MustCanonical(f)}
}

// rewrite gives a page of a state another text.
func rewrite(a *grader.Aftermath, at int, id, text string) bool {
	return edit(a, at, func(s map[string]any) bool {
		pages, ok := s["pages"].(map[string]any)
		if ok {
			pages[id] = text
		}
		return ok
	})
}

func edit(a *grader.Aftermath, at int, change func(map[string]any) bool) bool {
	v, err := sim.ParseJSON(a.States[at])
	s, ok := v.(map[string]any)
	if err != nil || !ok || !change(s) {
		return false
	}
	raw, err := sim.Canonical(s)
	a.States[at] = raw
	return err == nil
}
