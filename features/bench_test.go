package features_test

import (
	"testing"

	"benchwright/agent"
	"benchwright/features"
	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// BenchmarkWorkspace replays the references of the small workspace tasks. Beside the time of all
// of them it gives that of one tool call.
func BenchmarkWorkspace(b *testing.B) {
	suite := features.Suite()
	compiled, err := tasks.Compile(suite)
	if err != nil {
		b.Fatal(err)
	}
	kit := suite.Kit("workspace")
	var all []tasks.Task
	calls := 0
	for _, t := range compiled.Tasks {
		if t.ID.Suite() != "workspace-small" {
			continue
		}
		all = append(all, t)
		for _, m := range t.Rubric.Reference {
			calls += len(m.Calls)
		}
	}
	digests := map[tasks.ID]tasks.Digest{}
	for _, t := range all {
		digests[t.ID] = t.Digest()
	}
	episode := func(protocol string) func(tasks.Task) {
		return func(t tasks.Task) {
			a := agent.Loop{Model: agent.Script(kit.Dialect, protocol, t.Rubric.Reference), Dialect: kit.Dialect}
			ep := agent.Play(b.Context(), a, agent.Config{Kit: kit, Task: t, Digest: digests[t.ID], Agent: "reference", Protocol: protocol})
			if v := grader.Grade(b.Context(), t.Rubric.Checks, ep); v.Outcome != grader.Passed {
				b.Fatal(t.ID, v.Outcome, v.Codes())
			}
		}
	}
	world := func(t tasks.Task) {
		w, err := kit.Kind.New(b.Context(), sim.Env{}, t.Setup, t.Tools)
		if err != nil {
			b.Fatal(err)
		}
		defer w.Close()
		for _, m := range t.Rubric.Reference {
			for _, c := range m.Calls {
				w.Call(b.Context(), c)
			}
		}
		s, err := w.State()
		if err != nil {
			b.Fatal(err)
		}
		s.JSON()
	}
	for _, c := range []struct {
		name string
		play func(tasks.Task)
	}{{"world", world}, {"episode-json", episode(agent.ProtocolJSON)}, {"episode-tools", episode(agent.ProtocolTools)}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, t := range all {
					c.play(t)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*calls), "us/call")
		})
	}
}
