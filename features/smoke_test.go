package features

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/grader/gates"
	world "benchwright/sim/workspace"
	"benchwright/steps/workspace"
	"benchwright/tasks"
)

// A ladder is the four tasks of a family, by rung.
type ladder = [4]tasks.Task

// ladders is the smoke part of the suite, by family.
var ladders = sync.OnceValues(func() (map[string]*ladder, error) {
	c, err := tasks.Compile(Suite())
	if err != nil {
		return nil, err
	}
	out := map[string]*ladder{}
	for _, task := range c.Tasks {
		if task.ID.Suite() != "smoke" {
			continue
		}
		level, _ := task.Label("level")
		if len(level) != 1 || level < "0" || level > "3" || task.ID.Name() != "level_"+level {
			return nil, fmt.Errorf("%s is on level %q", task.ID, level)
		}
		f := task.ID.Family()
		if out[f] == nil {
			out[f] = &ladder{}
		}
		out[f][level[0]-'0'] = task
	}
	return out, nil
})

func smoke(t *testing.T) map[string]*ladder {
	t.Helper()
	out, err := ladders()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// calls are the calls of a task's reference.
func calls(t tasks.Task) (names []string) {
	for _, m := range t.Rubric.Reference {
		for _, c := range m.Calls {
			names = append(names, c.Name)
		}
	}
	return names
}

// demands are what a task demands, but for the discipline that only holds where listing is allowed.
func demands(t tasks.Task) (out []string) {
	for _, c := range t.Rubric.Checks {
		if c.Rule.Name() != "workspace.listed_widgets" {
			out = append(out, c.String())
		}
	}
	return out
}

// ids are what a business ask does not hold: ids of widgets, dashboards and templates, and addresses in the workspace.
var ids = regexp.MustCompile(`[a-z0-9]_[a-z0-9]|openbb:|portfolio-command|daloopa-|'`)

// One thing changes from rung to rung; everything else stays as it was.
func TestSmokeIsALadder(t *testing.T) {
	families := smoke(t)
	if len(families) != len(world.ToolNames()) {
		t.Errorf("%d families, want one for each of the %d tools", len(families), len(world.ToolNames()))
	}
	for _, tool := range world.ToolNames() {
		f := families[tool]
		if f == nil {
			t.Errorf("no family for %s", tool)
			continue
		}
		for rung, task := range f {
			bad := func(format string, args ...any) { t.Errorf("%s: "+format, append([]any{task.ID}, args...)...) }
			setup, err := world.ParseSetup(task.Setup)
			if err != nil {
				t.Fatal(err)
			}
			if want := []string{"", "", "stark-onboard-a", "stark-onboard-a"}[rung]; setup.Baseline != want {
				bad("baseline %q, want %q", setup.Baseline, want)
			}
			backends := []string{"stark-enterprise-x"}
			if tool == world.ListWidgets {
				backends = []string{"getting-started", "stark-enterprise-x"}
			}
			if !slices.Equal(setup.Backends, backends) || len(setup.Skills) != 6 {
				bad("backends %q and skills %q", setup.Backends, setup.Skills)
			}
			tools := []string{tasks.AllTools}
			if rung == 0 {
				tools = []string{tool}
			}
			if !slices.Equal(task.Tools, tools) {
				bad("tools %q, want %q", task.Tools, tools)
			}
			// A rung from 1 up has a turn for each call that every agent is told to make, and one to say
			// that it is done; the last twice that, to find out.
			if want := []int{1, len(calls(f[1])) + 1, len(calls(f[1])) + 1, 2 * (len(calls(f[1])) + 1)}[rung]; task.Limits.Turns != want {
				bad("%d turns, want %d", task.Limits.Turns, want)
			}
			if n := len(slices.DeleteFunc(calls(task), func(name string) bool { return name != tool })); n != 1 && !(rung == 3 && slices.Contains([]string{world.ManageApps, world.ReadResource}, tool)) {
				bad("%d calls of the tool in the reference, want 1", n)
			}
			if len(task.Rubric.Checks) > 6 {
				bad("%d checks, want at most 6", len(task.Rubric.Checks))
			}
			if diff := cmp.Diff(demands(f[0]), demands(task)); diff != "" {
				bad("other demands than on level 0:\n%s", diff)
			}
			if !slices.ContainsFunc(task.Rubric.Checks, func(c grader.Check) bool { return c.Rule.Name() == "workspace.nothing_else" }) {
				bad("what was there is not demanded to stay")
			}
			ask := task.Asks[0].Text
			if rung < 3 && (ask != f[0].Asks[0].Text || !strings.Contains(ask, tool)) {
				bad("the ask is another than on level 0, or does not name the tool: %q", ask)
			}
			if found := ids.FindString(ask); rung == 3 && found != "" {
				bad("the ask holds %q, which is no business of the user's: %q", found, ask)
			}
			if len(task.Rubric.Probes) < 1 || rung > 0 && len(task.Rubric.Probes) < 3 {
				bad("%d near misses", len(task.Rubric.Probes))
			}
		}
	}
}

func TestSmokeIsCertified(t *testing.T) {
	for _, tt := range []struct{ track, protocol string }{
		{workspace.Guided, agent.ProtocolJSON},
		{workspace.Cold, agent.ProtocolTools},
	} {
		var all []tasks.Task
		for _, f := range smoke(t) {
			all = append(all, f[:]...)
		}
		slices.SortFunc(all, func(a, b tasks.Task) int { return strings.Compare(string(a.ID), string(b.ID)) })
		for i := range all {
			var err error
			if all[i], err = workspace.WithTrack(all[i], tt.track); err != nil {
				t.Fatal(err)
			}
		}
		for _, cert := range gates.CertifySuite(context.Background(), Suite(), all, gates.Options{Protocol: tt.protocol}, 2) {
			for _, g := range cert.Gates {
				if g.State == gates.Skipped {
					t.Errorf("%s: %s: %s is skipped: %s", tt, cert.Task, g.Gate, g.Note)
				}
				for _, p := range g.Problems {
					t.Errorf("%s: %s: %s: %v", tt, cert.Task, g.Gate, p)
				}
			}
		}
	}
}

// makes plays moves through the loop and the dialect, as a model would make them.
func makes(t *testing.T, kit *tasks.Kit, task tasks.Task, moves []tasks.Move) (*agent.Episode, grader.Verdict) {
	t.Helper()
	ep := agent.Play(t.Context(), agent.Loop{Model: agent.Script(kit.Dialect, agent.ProtocolJSON, moves), Dialect: kit.Dialect}, agent.Config{Kit: kit, Task: task})
	if ep.Layer != "" {
		t.Fatalf("%s: broken: %s: %s", task.ID, ep.Layer, ep.Reason)
	}
	return ep, grader.Grade(t.Context(), task.Rubric.Checks, ep)
}

// TestSmokeInWords compares what is asked of whom, and all that each near miss fails with, with a golden file.
func TestSmokeInWords(t *testing.T) {
	kit := workspace.Kit()
	families := smoke(t)
	var golden strings.Builder
	for _, tool := range world.ToolNames() {
		for _, task := range families[tool] {
			fmt.Fprintf(&golden, "%s, %d turns: %s\n", task.ID, task.Limits.Turns, strings.Join(strings.Fields(task.Asks[0].Text), " "))
			for _, p := range task.Rubric.Probes {
				_, v := makes(t, &kit, task, p.Moves)
				fmt.Fprintf(&golden, "  %s: %s\n", p.Name, strings.Join(v.Codes(), " "))
			}
		}
	}
	const file = "testdata/smoke.golden"
	if *update {
		if err := os.WriteFile(file, []byte(golden.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(golden.String(), "\n")); diff != "" {
		t.Errorf("asks and labels of near misses (-want +got), run with -update if they are right:\n%s", diff)
	}
}

// without returns moves whose calls lack an argument.
func without(moves []tasks.Move, name string) []tasks.Move {
	out := slices.Clone(moves)
	for i, m := range out {
		out[i].Calls = slices.Clone(m.Calls)
		for k, c := range out[i].Calls {
			var args map[string]json.RawMessage
			if json.Unmarshal(c.Arguments, &args) != nil || args[name] == nil {
				continue
			}
			delete(args, name)
			raw, err := json.Marshal(args)
			if err != nil { // it was JSON before
				panic(err)
			}
			out[i].Calls[k].Arguments = raw
		}
	}
	return out
}
