package files_test

import (
	"context"
	"testing"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
	"benchwright/sim/files/splits"
	"benchwright/steps/files"
	"benchwright/tasks"
)

// TestForksAtEveryStep plays an episode in a session, and then again as far as step k, forks there
// and goes on in the fork: every result and the final state are as they were without.
func TestForksAtEveryStep(t *testing.T) {
	w := files.NewWorkshop(nil, nil)
	kit := w.Kit()
	ready := w.Machine().Ready(t.Context())
	for _, c := range []struct {
		name   string
		family string
		runs   bool
		moves  []tasks.Move
		reason string
	}{
		{"wandering", "tabular", false, wander(), "whatever a call came to, the moment is copied"},
		{"running", "script_repair", true, []tasks.Move{
			move("write_file", "path", "mine.py", "content", "open('left.txt', 'a').write('x')\n"),
			move("run_shell", "command", "python mine.py; mkdir -p deep/er; ln -s mine.py link; chmod +x mine.py"),
			move("run_python", "command_or_script", "mine.py"),
			move("read_file", "path", "link"),
		}, "files, links, folders and modes come through a fork"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.runs && ready != nil {
				t.Skipf("commands are NOT tested here: %v", ready)
			}
			list, err := w.Tasks("forks", []splits.Assignment{row(c.family, "", 1, 1)})
			if err != nil {
				t.Fatal(err)
			}
			task := list[0]
			ep := agent.Play(t.Context(), session{c.moves}, agent.Config{Kit: &kit, Task: task, Trial: 1, Seed: 1, Agent: "walker", Protocol: agent.ProtocolTools})
			if ep.Outcome == grader.Broken || len(ep.Trace) != len(c.moves) {
				t.Fatalf("%s %s: %d calls of %d: %s", ep.Outcome, ep.Reason, len(ep.Trace), len(c.moves), c.reason)
			}
			want := string(ep.States[len(ep.States)-1])
			for k := range len(ep.Trace) + 1 {
				parent := begun(t, kit, task)
				again(t, parent, ep.Trace[:k])
				moment := stateOf(t, parent)
				fork, err := parent.Fork()
				if err != nil {
					t.Fatal(err)
				}
				if err := fork.Begin(t.Context(), 0); err != nil { // the same ask goes on
					t.Fatal(err)
				}
				if got := stateOf(t, fork); got != moment {
					t.Fatalf("step %d: the fork begins with %.300s, not with %.300s", k, got, moment)
				}
				again(t, fork, ep.Trace[k:])
				if got := stateOf(t, fork); got != want {
					t.Errorf("step %d: continued in a fork, the state is\n%.2000s\nand without\n%.2000s", k, got, want)
				}
				if stateOf(t, parent) != moment {
					t.Errorf("step %d: what the fork did shows in its parent", k)
				}
				if c.runs { // once is enough
					continue
				}
				again(t, parent, ep.Trace[k:])
				if stateOf(t, parent) != want {
					t.Errorf("step %d: the parent cannot go on as if there had been no fork", k)
				}
				parent.Close()
				fork.Close()
			}
		})
	}
}

// A session is an agent that makes moves, whatever comes of them.
type session struct{ moves []tasks.Move }

func (a session) Play(ctx context.Context, s *agent.Session) error {
	if _, _, err := s.Next(ctx); err != nil {
		return err
	}
	for _, m := range a.moves {
		for _, c := range m.Calls {
			if _, err := s.Call(ctx, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// again makes recorded calls, and holds each result to be what it was.
func again(t *testing.T, w sim.World, trace sim.Trace) {
	t.Helper()
	for i, e := range trace {
		r := w.Call(t.Context(), e.Call)
		if got, want := string(sim.MustCanonical(r)), string(sim.MustCanonical(e.Result)); got != want {
			t.Errorf("call %d, %s: %s\nwas %s", i, e.Call.Name, got, want)
		}
	}
}

func begun(t *testing.T, kit tasks.Kit, task tasks.Task) sim.World {
	t.Helper()
	w, err := kit.Kind.New(t.Context(), sim.Env{Seed: 1}, task.Setup, task.Tools)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Begin(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	return w
}

func stateOf(t *testing.T, w sim.World) string {
	t.Helper()
	s, err := w.State()
	if err != nil {
		t.Fatal(err)
	}
	return string(s.JSON())
}
