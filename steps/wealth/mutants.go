package wealth

import (
	"encoding/json"
	"slices"

	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/wealth"
	"benchwright/tasks"
)

// mutants spoils the reference's outcome where changing a value that is there cannot: what is
// absent from a good decision, or empty in it, and what the world never records.
func mutants(_ tasks.Task, good tasks.Aftermath) []tasks.Mutant {
	var out []tasks.Mutant
	add := func(name string, spoil func(a *tasks.Aftermath)) {
		a := good
		a.States, a.Answers, a.Trace = slices.Clone(good.States), slices.Clone(good.Answers), slices.Clone(good.Trace)
		spoil(&a)
		out = append(out, tasks.Mutant{Name: name, Aftermath: a})
	}
	for i := range good.Answers {
		decide := func(name string, spoil func(result map[string]any)) {
			v, err := sim.ParseJSON(good.Answers[i])
			result, ok := v.(map[string]any)
			if err != nil || !ok {
				return
			}
			spoil(result)
			raw, err := sim.Canonical(result)
			if err != nil {
				return
			}
			add(name, func(a *tasks.Aftermath) { a.Answers[i] = raw })
		}
		decide("a claim that nobody asked for", func(r map[string]any) {
			claims, _ := r["claims"].(map[string]any)
			setKey(&claims, "unasked", any(map[string]any{"value": "1.00"}))
			r["claims"] = claims
		})
		decide("a source that was not used", func(r map[string]any) { r["evidence_ids"] = append(list(r["evidence_ids"]), "unread") })
		decide("an input that is not missing", func(r map[string]any) { r["missing_fields"] = append(list(r["missing_fields"]), "unneeded") })
		decide("nothing claimed", func(r map[string]any) { delete(r, "claims") })
		decide("nothing cited", func(r map[string]any) { delete(r, "evidence_ids") })
		decide("nothing missing", func(r map[string]any) { delete(r, "missing_fields") })
	}
	add("an order attempted", func(a *tasks.Aftermath) {
		e := sim.Event{Turn: len(a.Trace) + 1, Call: sim.Call{Name: world.PlaceOrder, Arguments: json.RawMessage("{}")}}
		e.Result = sim.Result{Status: world.StatusDenied, Code: world.CodeWriteDenied}
		a.Trace = append(a.Trace, e)
	})
	add("something written", func(a *tasks.Aftermath) {
		for i := range a.States {
			a.States[i] = json.RawMessage(`{"writes":1}`)
		}
	})
	add("no decision in time", func(a *tasks.Aftermath) {
		a.End = grader.End{Code: grader.EndTurns}
		for i := range a.Answers {
			a.Answers[i] = nil
		}
	})
	return out
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}
