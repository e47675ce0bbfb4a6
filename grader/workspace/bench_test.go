package workspace

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"benchwright/grader"
	world "benchwright/sim/workspace"
	"benchwright/tasks"
)

// large is the good episode in a workspace of 27 more dashboards with 15 widgets each.
func large() left {
	e := good()
	for i := range 27 {
		var ws []world.Widget
		for n := range 15 {
			ws = append(ws, placed(fmt.Sprintf("w_%d_%d", i, n), fmt.Sprintf("widget_%02d", n), "Wide World", `{"desk":"c0","period":"c1","as_of":"$currentDate-1M","raw":false}`, 0, float64(10*n), 20, 10))
		}
		id := fmt.Sprintf("dash_1%02d", i)
		for _, s := range []*world.Snapshot{e.initial, e.final} {
			s.Compositions[id] = board(id, "Board "+id, tabsOfReview(), ws...)
			s.Dashboards = append(s.Dashboards, world.DashboardRef{ID: id, Name: "Board " + id})
		}
	}
	return left(e.aftermath())
}

// thirty is what a demanding task asks.
func thirty() []grader.Check {
	d := demands()
	var out []grader.Check
	for _, name := range []string{"dashboard-name", "tab", "tab-name", "widget", "widget", "no-widget", "generated", "generated-most", "layout", "layout-by-id", "layout", "layout-by-id", "grid", "overlap", "exact", "answer", "answer-value", "widget-def", "app-def", "calls", "result", "resource", "listed", "invalid", "snapshots", "schema-first", "other-boards", "nothing-else", "other-apps", "created-board"} {
		out = append(out, d[name])
	}
	return out
}

// BenchmarkGrade grades a task with 30 checks in a workspace of 400 widgets: states that are seen
// for the first time, as after an episode, and states that were read before.
func BenchmarkGrade(b *testing.B) {
	ep, checks := large(), thirty()
	b.Run("first", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			e := ep
			b.StopTimer()
			e.Initial, e.States = slices.Clone(ep.Initial), []json.RawMessage{slices.Clone(ep.States[0])}
			b.StartTimer()
			if v := grader.Grade(context.Background(), checks, e); v.Outcome != grader.Passed {
				b.Fatal(v.Outcome, v.Reason, v.Findings())
			}
		}
	})
	b.Run("again", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if v := grader.Grade(context.Background(), checks, ep); v.Outcome != grader.Passed {
				b.Fatal(v.Outcome, v.Reason)
			}
		}
	})
}

// BenchmarkMutants makes and grades all mutants of that task.
func BenchmarkMutants(b *testing.B) {
	ep, checks := large(), thirty()
	t := tasks.Task{Rubric: tasks.Rubric{Checks: checks}}
	b.ReportAllocs()
	for b.Loop() {
		ms := Mutants(t.Rubric.Checks, tasks.Aftermath(ep))
		for _, m := range ms {
			grader.Grade(context.Background(), checks, left(m.Aftermath))
		}
		b.ReportMetric(float64(len(ms)), "mutants")
	}
}
