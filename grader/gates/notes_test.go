package gates_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"benchwright/grader/gates"
	"benchwright/sim"
	"benchwright/tasks"
)

// What nobody can prove stands in the certificate.
func TestNotesSayWhatIsNotProven(t *testing.T) {
	var b strings.Builder
	for _, c := range []struct {
		name  string
		gate  gates.Gate
		spoil func(*tasks.Task, *tasks.Kit)
	}{
		{"stated", gates.Grounded, func(t *tasks.Task, _ *tasks.Kit) {
			t.Asks[0].Text = "Pay a quarter of a thousand into h-2 and tell me the total it holds then, in rupees."
			t.Rubric.Stated = map[string]string{"250": "quarter of a thousand", "INR": "rupees"}
		}},
		{"own-words", gates.Grounded, func(t *tasks.Task, _ *tasks.Kit) {
			t.Rubric.Reference[1] = answer(`{"total":7250,"total_note":"all of it was paid in","total_lines":"so\nit\nis"}`)
			t.System += " A total_note and total_lines are welcome."
		}},
		{"nothing-to-find", gates.Grounded, addCheck(15, &avoided{"read"}, "And nothing was read")},
		{"omission-only", gates.Live, func(t *tasks.Task, _ *tasks.Kit) {
			t.Rubric.Checks = append(t.Rubric.Checks[:2], check(15, &present{}, "And there is an answer"))
			t.Rubric.Probes = nil
		}},
		{"omission-only-of-calls", gates.Live, addCheck(15, &called{"deposit"}, "And it was paid in")},
		{"judged", gates.Live, addCheck(15, &judged{}, "And it reads well")},
	} {
		cert := certify(t, c.spoil)
		if !cert.Held() {
			t.Errorf("%s:\n%s", c.name, gates.Table([]gates.Certificate{cert}))
		}
		fmt.Fprintf(&b, "# %s\n%s: %s\n\n", c.name, c.gate, cert.Gate(c.gate).Note)
		if want := map[bool]int{true: 1}[c.name == "judged"]; cert.Judged != want {
			t.Errorf("%s: %d judged checks, want %d", c.name, cert.Judged, want)
		}
	}
	golden(t, "notes.golden", b.String())
}

// A world that hangs keeps nobody waiting once the context has ended.
func TestCertificationEndsWithItsContext(t *testing.T) {
	for _, at := range []string{"new", "call", "close"} {
		t.Run(at, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				kit := ledgerKit()
				mk := kit.Kind.New
				kit.Kind.New = func(ctx context.Context, env sim.Env, setup json.RawMessage, tools []string) (sim.World, error) {
					w, err := mk(ctx, env, setup, tools)
					if at == "new" {
						<-release
					}
					return &stiff{w, at, release}, err
				}
				ctx, stop := context.WithTimeout(t.Context(), 3*time.Second)
				defer stop()
				began := time.Now()
				c := gates.Certify(ctx, kit, sound(), gates.Options{})
				if took := time.Since(began); took > 5*time.Second || c.Held() || !c.Skipped() {
					t.Errorf("after %s:\n%s", took, gates.Table([]gates.Certificate{c}))
				}
				close(release)
				synctest.Wait()
			})
		})
	}
}

// stiff is a world of which one method does not come back before it is released.
type stiff struct {
	sim.World
	at      string
	release chan struct{}
}

func (s *stiff) Call(ctx context.Context, c sim.Call) sim.Result {
	if s.at == "call" {
		<-s.release
	}
	return s.World.Call(ctx, c)
}

func (s *stiff) Close() error {
	if s.at == "close" {
		<-s.release
	}
	return s.World.Close()
}
