package workspace_test

import (
	"context"
	"os"
	"reflect"
	"testing"

	"benchwright/agent"
	"benchwright/grader/gates"
	"benchwright/sim"
	"benchwright/steps/workspace"
	"benchwright/tasks"
)

func small(t testing.TB) []tasks.Task {
	t.Helper()
	all, ok, err := workspace.Kit().Open(os.DirFS("testdata/packs/small"))
	if err != nil || !ok {
		t.Fatalf("the pack does not open: %v, %v", ok, err)
	}
	return all
}

func suite() tasks.Suite { return tasks.Suite{Kits: []tasks.Kit{workspace.Kit()}} }

func TestThePackIsCertified(t *testing.T) {
	all := small(t)
	if len(all) != 10 {
		t.Errorf("%d tasks", len(all))
	}
	for _, protocol := range []string{agent.ProtocolJSON, agent.ProtocolTools} {
		for _, cert := range gates.CertifySuite(context.Background(), suite(), all, gates.Options{Protocol: protocol}, 2) {
			for _, g := range cert.Gates {
				if g.State == gates.Skipped {
					t.Errorf("%s: %s: %s is skipped: %s", protocol, cert.Task, g.Gate, g.Note)
				}
				for _, p := range g.Problems {
					t.Errorf("%s: %s: %s: %v", protocol, cert.Task, g.Gate, p)
				}
			}
		}
	}
}

func TestTasksOfAPackSurviveBeingWrittenDown(t *testing.T) {
	for _, task := range small(t) {
		raw, err := tasks.Encode(task)
		if err != nil {
			t.Fatal(err)
		}
		back, problems := tasks.DecodeTasks("again.json", raw, suite())
		if len(problems) > 0 || len(back) != 1 {
			t.Fatalf("%s: %v", task.ID, problems)
		}
		if !reflect.DeepEqual(back[0], task) {
			t.Errorf("%s is another task once it was read back:\n%s\n%s", task.ID, raw, sim.MustCanonical(back[0]))
		}
		if back[0].Digest() != task.Digest() {
			t.Errorf("%s has another digest once it was read back", task.ID)
		}
	}
}
