package features

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"benchwright/agent"
	"benchwright/grader"
	rules "benchwright/grader/files"
	"benchwright/sim"
	world "benchwright/sim/files"
	"benchwright/sim/files/builtin"
	"benchwright/steps/files"
	"benchwright/tasks"
)

// workspaces is the files part of the suite, with the workshop that it belongs to.
var workspaces = sync.OnceValues(func() ([]tasks.Task, error) {
	c, err := tasks.Compile(Suite())
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(c.Tasks, func(t tasks.Task) bool { return t.ID.Suite() != "files" }), nil
})

// The sample has every scenario twice, every family at every difficulty, and no world of a split.
func TestTheSampleOfWorkspacesIsBalanced(t *testing.T) {
	list, err := workspaces()
	if err != nil {
		t.Fatal(err)
	}
	scenarios, levels := map[string]int{}, map[string]map[string]bool{}
	for _, task := range list {
		scenario, _ := task.Label("scenario")
		level, _ := task.Label("difficulty")
		scenarios[scenario]++
		if levels[task.ID.Family()] == nil {
			levels[task.ID.Family()] = map[string]bool{}
		}
		levels[task.ID.Family()][level] = true
		setup, err := world.ParseSetup(task.Setup)
		if err != nil {
			t.Fatal(err)
		}
		if setup.Spec.Seed < 200 {
			t.Errorf("%s: seed %d; those below 200 belong to splits", task.ID, setup.Spec.Seed)
		}
		if setup.Spec.Family != task.ID.Family() {
			t.Errorf("%s is of the family %s", task.ID, setup.Spec.Family)
		}
	}
	for _, f := range builtin.Families() {
		for _, s := range f.Scenarios() {
			if scenarios[s.ID] < 2 {
				t.Errorf("scenario %s is met %d times, want 2 or more", s.ID, scenarios[s.ID])
			}
		}
		if got := slices.Sorted(maps.Keys(levels[f.Name()])); !slices.Equal(got, []string{"1", "2", "3", "4", "5"}) {
			t.Errorf("family %s is met at the difficulties %q", f.Name(), got)
		}
	}
}

// A temperament is how an agent goes about a workspace that it could solve: moves of its own, made
// from the moves of somebody who solves it.
type temperament struct {
	name   string
	moves  func(right []tasks.Move) []tasks.Move
	passes bool
	// labels are what the evaluator says of what was left, by family; "" is what every other family
	// gets.
	labels map[string][]string
	reason string
}

func calling(tool string, args map[string]string) tasks.Move {
	return tasks.Move{Calls: []sim.Call{{Name: tool, Arguments: sim.MustCanonical(args)}}}
}

// argument returns a string argument of a move's call.
func argument(m tasks.Move, name string) string {
	v, _ := sim.ParseJSON(m.Calls[0].Arguments)
	args, _ := v.(map[string]any)
	s, _ := args[name].(string)
	return s
}

var temperaments = []temperament{
	{
		name: "perfect", moves: func(right []tasks.Move) []tasks.Move { return right },
		passes: true, reason: "it does what the solution does",
	},
	{
		name: "reads-only",
		moves: func(right []tasks.Move) []tasks.Move {
			return slices.DeleteFunc(slices.Clone(right), func(m tasks.Move) bool {
				return m.Calls[0].Name != "read_file" && m.Calls[0].Name != "list_directory"
			})
		},
		labels: map[string][]string{"tabular": {"output_missing"}},
		reason: "what was read changes nothing: the workspace is as good as untouched",
	},
	{
		name: "edits-the-wrong-path",
		moves: func(right []tasks.Move) []tasks.Move {
			moves := slices.Clone(right)
			for i, m := range moves {
				if m.Calls[0].Name == "write_file" {
					moves[i] = calling("write_file", map[string]string{"path": "elsewhere/" + argument(m, "path"), "content": argument(m, "content")})
				}
			}
			return moves
		},
		labels: map[string][]string{"tabular": {"output_missing"}},
		reason: "the right contents at the wrong place are no solution",
	},
	{
		name: "loops",
		moves: func([]tasks.Move) []tasks.Move {
			return slices.Repeat([]tasks.Move{calling("read_file", map[string]string{"path": "README.md"})}, files.Turns)
		},
		labels: map[string][]string{"tabular": {"output_missing"}},
		reason: "it spends its replies on one call, and then the time of the episode is over",
	},
}

// onePerFamily are tasks of which one is as good as another: one of each family, and both sorts of
// tabular and retrieval ones.
func onePerFamily(t *testing.T) []tasks.Task {
	t.Helper()
	list, err := workspaces()
	if err != nil {
		t.Fatal(err)
	}
	var out []tasks.Task
	seen := map[string]bool{}
	for _, task := range list {
		if level, _ := task.Label("difficulty"); level != "3" && level != "2" || seen[task.ID.Family()] {
			continue
		}
		seen[task.ID.Family()] = true
		out = append(out, task)
	}
	if len(out) != len(builtin.Families()) {
		t.Fatalf("%d families, want %d", len(out), len(builtin.Families()))
	}
	return out
}

// played has moves played through the loop of every model, and grades what they left.
func played(t *testing.T, kit *tasks.Kit, task tasks.Task, moves []tasks.Move) *agent.Episode {
	t.Helper()
	a := agent.Loop{Model: agent.Script(kit.Dialect, agent.ProtocolJSON, moves), Dialect: kit.Dialect}
	ep := agent.Play(t.Context(), a, agent.Config{Kit: kit, Task: task, Agent: "script"})
	if ep.Outcome == grader.Broken {
		if strings.Contains(ep.Reason, "unsupported") || strings.Contains(ep.Reason, "refused") {
			t.Skipf("NOT TESTED: commands cannot be run here: %s", ep.Reason)
		}
		t.Fatalf("%s: broken: %s", task.ID, ep.Reason)
	}
	ep.Verdict = grader.Grade(t.Context(), task.Rubric.Checks, ep)
	return ep
}

// labelsOf are the failure labels of an episode.
func labelsOf(t *testing.T, ep *agent.Episode) []string {
	t.Helper()
	r, ok := rules.ResultOf(ep.Verdict)
	if !ok {
		t.Fatalf("the evaluator came to no result: %s", ep.Verdict.Reason)
	}
	return r.FailureLabels
}

func TestFourTemperaments(t *testing.T) {
	s := Suite()
	kit := s.Kit("files")
	for _, task := range onePerFamily(t) {
		t.Run(task.ID.Family(), func(t *testing.T) {
			idle := played(t, kit, task, nil)
			for _, a := range temperaments {
				moves := a.moves(task.Rubric.Reference)
				ep := played(t, kit, task, moves)
				score, got := kit.Score(ep.Verdict), labelsOf(t, ep)
				want := a.labels[task.ID.Family()]
				if want == nil && !a.passes {
					want = labelsOf(t, idle)
				}
				slices.Sort(want)
				if passed := ep.Verdict.Outcome == grader.Passed; passed != a.passes || !slices.Equal(slices.Sorted(slices.Values(got)), want) {
					t.Errorf("%s: %s, score %v, labels %q; want passed %t, labels %q: %s", a.name, ep.Verdict.Outcome, score, got, a.passes, want, a.reason)
				}
				if !a.passes && score != kit.Score(idle.Verdict) {
					t.Errorf("%s: score %v, want that of doing nothing, %v", a.name, score, kit.Score(idle.Verdict))
				}
				if a.passes && score != 1 {
					t.Errorf("%s: score %v", a.name, score)
				}
				if a.name == "loops" && len(ep.Trace) != files.Turns {
					t.Errorf("loops: %d calls were made, want %d", len(ep.Trace), files.Turns)
				}
			}
		})
	}
}

// Whatever an agent has done so far, its workspace can be copied at any step, and who goes on from
// there with the solution passes, while the original stays what it was.
func TestForksContinuedPerfectlyPass(t *testing.T) {
	s := Suite()
	kit := s.Kit("files")
	for _, task := range onePerFamily(t) {
		t.Run(task.ID.Family(), func(t *testing.T) {
			right := task.Rubric.Reference
			solution := slices.DeleteFunc(slices.Clone(right), func(m tasks.Move) bool {
				return m.Calls[0].Name == "read_file" || m.Calls[0].Name == "list_directory"
			})
			for _, a := range temperaments {
				moves := a.moves(right)
				if last := len(moves) - 1; moves[last].Calls[0].Name == "submit" {
					moves = moves[:last] // after that there is nothing to go on with
				}
				for _, k := range []int{len(moves) / 2, len(moves)} {
					if err := forked(t, kit, task, moves, k, solution); err != nil {
						t.Errorf("%s, at step %d of %d: %v", a.name, k, len(moves), err)
					}
				}
			}
		})
	}
}

// forked makes k moves in a world, then the rest of a solution in a copy of it, and grades the copy.
func forked(t *testing.T, kit *tasks.Kit, task tasks.Task, moves []tasks.Move, k int, solution []tasks.Move) error {
	t.Helper()
	w, err := kit.Kind.New(t.Context(), sim.Env{}, task.Setup, task.Tools)
	if err != nil {
		t.Skipf("NOT TESTED: %v", err)
	}
	defer w.Close()
	if err := w.Begin(t.Context(), 0); err != nil {
		return err
	}
	initial, err := w.State()
	if err != nil {
		return err
	}
	for _, m := range moves[:k] {
		w.Call(t.Context(), m.Calls[0])
	}
	before, err := w.State()
	if err != nil {
		return err
	}
	fork, err := w.Fork()
	if err != nil {
		return err
	}
	defer fork.Close()
	var last sim.Result
	for _, m := range solution {
		last = fork.Call(t.Context(), m.Calls[0])
	}
	if !last.Done {
		return fmt.Errorf("the solution ends with %s %s", last.Status, last.Code)
	}
	end, err := fork.State()
	if err != nil {
		return err
	}
	after, err := w.State()
	if err != nil {
		return err
	}
	if string(before.JSON()) != string(after.JSON()) {
		return fmt.Errorf("what the copy did shows in the original")
	}
	v := grader.Grade(t.Context(), task.Rubric.Checks, left{grader.Evidence{Initial: initial, Final: end}})
	if v.Outcome != grader.Passed {
		return fmt.Errorf("it does not pass: %v", v.Findings())
	}
	return nil
}

// left is what stands at the end of no episode.
type left struct{ ev grader.Evidence }

// Evidence implements grader.Evidencer.
func (l left) Evidence(int) (grader.Evidence, error) { return l.ev, nil }
