package features

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/workspace"
	"benchwright/steps/workspace"
	"benchwright/tasks"
)

// TestWeakModels lets models of one weakness each play the whole ladder: they fail where the weakness matters, and
// nowhere else.
func TestWeakModels(t *testing.T) {
	done := tasks.Move{Answer: json.RawMessage("null")}
	calling := func(tool, args string) tasks.Move {
		return tasks.Move{Calls: []sim.Call{{Name: tool, Arguments: json.RawMessage(args)}}}
	}
	// discovery is where the workspace, which every agent is told, wants a look first.
	discovery := map[string]bool{world.GetWidgetSchema: true, world.CreateWidget: true}
	arguments := map[string]bool{world.GetWidgetData: true, world.CreateWidget: true, world.UpdateWidget: true}
	for _, tt := range []struct {
		name  string
		plays func(f *ladder, rung int) []tasks.Move
		fails func(tool string, rung int) bool
	}{
		{
			"does everything that is needed",
			func(f *ladder, rung int) []tasks.Move { return f[rung].Rubric.Reference },
			func(string, int) bool { return false },
		},
		{
			"says that it is done",
			func(*ladder, int) []tasks.Move { return []tasks.Move{done} },
			func(string, int) bool { return true },
		},
		{
			"takes the snapshot and stops",
			func(*ladder, int) []tasks.Move { return []tasks.Move{calling(world.GetSnapshot, "{}"), done} },
			func(tool string, _ int) bool { return tool != world.GetSnapshot },
		},
		{
			"acts at once, as where it has one tool",
			func(f *ladder, _ int) []tasks.Move { return f[0].Rubric.Reference },
			func(tool string, rung int) bool { return rung > 0 && discovery[tool] },
		},
		{
			"looks, and never acts",
			func(f *ladder, rung int) []tasks.Move {
				r := f[rung].Rubric.Reference
				i := slices.IndexFunc(r, func(m tasks.Move) bool { return len(m.Calls) > 0 && m.Calls[0].Name == f[rung].ID.Family() })
				if f[rung].ID.Family() == world.ReadResource && rung == 3 {
					i++ // the index is a look
				}
				return append(slices.Clone(r[:i]), done)
			},
			func(string, int) bool { return true },
		},
		{
			"forgets data_args",
			func(f *ladder, rung int) []tasks.Move { return without(f[rung].Rubric.Reference, "data_args") },
			func(tool string, _ int) bool { return arguments[tool] },
		},
		{
			"tidies up another dashboard that is there, after the work",
			func(f *ladder, rung int) []tasks.Move {
				moves := slices.Clone(f[rung].Rubric.Reference)
				if rung < 2 {
					return moves
				}
				last := len(moves) - 1 // the turn in which it would say that it is done
				return append(moves[:last], calling(world.ManageDashboard, `{"operation":"update","dashboard_id":"dash_003","name":"Tidy"}`))
			},
			func(_ string, rung int) bool { return rung > 1 },
		},
		{
			"puts what it makes where it has worked before",
			func(f *ladder, rung int) []tasks.Move {
				moves := slices.Clone(f[rung].Rubric.Reference)
				for i, m := range moves {
					if rung > 1 && len(m.Calls) > 0 && slices.Contains([]string{world.CreateWidget, world.AddGenerativeWidget}, m.Calls[0].Name) {
						args := strings.Replace(string(m.Calls[0].Arguments), "{", `{"dashboard_id":"dash_005",`, 1)
						moves[i] = calling(m.Calls[0].Name, args)
					}
				}
				return moves
			},
			func(tool string, rung int) bool {
				return rung > 1 && (tool == world.CreateWidget || tool == world.AddGenerativeWidget)
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kit := workspace.Kit()
			for tool, f := range smoke(t) {
				for rung, task := range f {
					want := grader.Passed
					if tt.fails(tool, rung) {
						want = grader.Failed
					}
					ep, v := makes(t, &kit, task, tt.plays(f, rung))
					if v.Outcome != want {
						t.Errorf("%s: %s with %q, want %s", task.ID, v.Outcome, v.Codes(), want)
					}
					// Who does as every agent is told comes to say that nothing is left to do.
					if tt.name == "does everything that is needed" && rung > 0 && !ep.End.Finished() {
						t.Errorf("%s: ends with %s", task.ID, ep.End.Code)
					}
				}
			}
		})
	}
}
