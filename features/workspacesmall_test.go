package features

import (
	"context"
	"slices"
	"testing"

	"benchwright/agent"
	"benchwright/grader/gates"
	"benchwright/steps/workspace"
	"benchwright/tasks"
)

// workspaceSmall is the workspace-small part of the suite.
func workspaceSmall(t *testing.T) []tasks.Task {
	t.Helper()
	c, err := tasks.Compile(Suite())
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(slices.Clone(c.Tasks), func(t tasks.Task) bool { return t.ID.Suite() != "workspace-small" })
}

func TestWorkspaceSmallIsOfEveryKind(t *testing.T) {
	kinds := map[string]int{}
	for _, task := range workspaceSmall(t) {
		kind, _ := task.Label("kind")
		kinds[kind]++
		if len(task.Rubric.Probes) < 2 {
			t.Errorf("%s ships %d near misses", task.ID, len(task.Rubric.Probes))
		}
	}
	for _, kind := range []string{"place", "layout", "tidy", "repair", "tabs", "arrange", "read_and_note", "delegate", "answer", "app", "compose"} {
		if kinds[kind] != 1 {
			t.Errorf("%d tasks of kind %s", kinds[kind], kind)
		}
	}
}

func TestWorkspaceSmallIsCertified(t *testing.T) {
	for _, tt := range []struct{ track, protocol string }{
		{workspace.Guided, agent.ProtocolJSON},
		{workspace.Guided, agent.ProtocolTools},
		{workspace.Cold, agent.ProtocolJSON},
	} {
		all := workspaceSmall(t)
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
