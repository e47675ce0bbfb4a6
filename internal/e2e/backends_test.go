package e2e

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"benchwright/sim/workspace/backend"
)

const ownFeature = `@suite:own @world:workspace
Feature: A backend of one's own
  Scenario: Place its quotes
    Given a bare workspace
    And the backend harbour
    And every tool
    And the open, empty dashboard "Morning"
    When the agent is asked, with 6 turns:
      """
      Place the Quote Board of harbour on the open dashboard, for the shipping sector.
      """
    Then the dashboard holds exactly these widgets:
      | widget      | from    | sector   |
      | Quote Board | harbour | shipping |
    And widgets are listed before they are used
    And a reference solution is:
      | call                   | arguments                                                                 |
      | list_available_widgets | origin: harbour                                                           |
      | create_widget          | origin: harbour, widget_id: quote_board, data_args: {sector: shipping}    |
`

// TestBackendsOfOnesOwn attaches a backend that somebody else wrote, from its folder and over
// HTTP, and certifies a task about it.
func TestBackendsOfOnesOwn(t *testing.T) {
	dir, err := filepath.Abs("../../sim/workspace/backend/testdata/odd-backend")
	if err != nil {
		t.Fatal(err)
	}
	b, err := backend.OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(backend.Handler(b))
	defer server.Close()
	extra := t.TempDir()
	if err := os.WriteFile(filepath.Join(extra, "own.feature"), []byte(ownFeature), 0o644); err != nil {
		t.Fatal(err)
	}
	digests := map[string]bool{}
	for _, place := range []string{dir, server.URL} {
		r := wealth(t, "BENCH_FILTER=suite:own", "BENCH_TASKS="+extra, "BENCH_BACKENDS=harbour="+place)
		run, s := r.open(t)
		if r.exit != 0 || s.Passed != 1 || s.Episodes != 1 {
			t.Errorf("%s: exit %d, %+v\n%s", place, r.exit, s, r.out)
		}
		digests[run.Run().Fixtures["backend:harbour"]] = true
	}
	if len(digests) != 1 || digests[""] {
		t.Errorf("folder and server have digests %v: what is served is frozen by one", digests)
	}
	for _, bad := range []string{"harbour", "harbour=", "harbour=nowhere", "harbour=" + dir + ",harbour=" + dir} {
		if r := wealth(t, "BENCH_BACKENDS="+bad); r.exit == 0 || r.dir != "" || !strings.Contains(r.out, "BENCH_BACKENDS") {
			t.Errorf("BENCH_BACKENDS=%s: exit %d, bundle %q\n%s", bad, r.exit, r.dir, r.out)
		}
	}
}

func TestTracksAreNeverPooled(t *testing.T) {
	sets := map[string]bool{}
	for _, track := range []string{"guided", "cold"} {
		r := wealth(t, "BENCH_FILTER=suite:workspace-small", "BENCH_MODEL=reference", "BENCH_TRACK="+track)
		b, s := r.open(t)
		if r.exit != 0 || s.Passed != s.Episodes || s.Episodes == 0 {
			t.Errorf("%s: exit %d, %+v\n%s", track, r.exit, s, r.out)
		}
		sets[string(b.Run().TaskSet)] = true
	}
	if len(sets) != 2 {
		t.Error("both tracks have one task set digest")
	}
	if r := bench(t, []string{"BENCH_TRACK=cold"}); r.exit == 0 || !strings.Contains(r.out, "BENCH_TRACK") {
		t.Errorf("a suite without tracks: exit %d\n%s", r.exit, r.out)
	}
}
