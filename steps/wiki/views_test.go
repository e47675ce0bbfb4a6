package wiki

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"benchwright/agent"
	rules "benchwright/grader/wiki"
	"benchwright/reports"
	"benchwright/tasks"
)

// clock is a time that goes on by a step with each look at it.
func clock(from time.Time, step time.Duration) func() time.Time {
	n := -1
	return func() time.Time { n++; return from.Add(time.Duration(n) * step) }
}

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// bundleOf records episodes in a bundle.
func bundleOf(t *testing.T, dir string, started time.Time, lost []tasks.ID, episodes ...*agent.Episode) fs.FS {
	t.Helper()
	run := reports.Run{
		ID: "r1", Kind: reports.KindModel, Agent: "ollama:candidate", Model: agent.Identity{Name: "candidate", Provider: "ollama", Digest: strings.Repeat("ab", 32)},
		Protocol: agent.ProtocolJSON, Prompts: "p1", Grader: "g1", Trials: 1, Workers: 1, Seed: 1, Started: started, Options: map[string]any{"think": "low"},
		Go: "go1.26", OS: "linux", Arch: "amd64", Version: "v1.0.0", Commit: "abc",
	}
	all, err := built()
	if err != nil {
		t.Fatal(err)
	}
	for _, tk := range all {
		run.Tasks = append(run.Tasks, reports.Select(tk))
	}
	b, err := reports.Create(dir, run)
	if err != nil {
		t.Fatal(err)
	}
	b.Clock = reports.Clock{Now: func() time.Time { return started }}
	for _, id := range lost {
		b.Begin(id, 1)
	}
	for _, ep := range episodes {
		b.Begin(ep.Task, ep.Trial)
		if err := b.WriteRecord(&reports.Record{Episode: *ep}); err != nil {
			t.Fatal(err)
		}
	}
	return os.DirFS(dir)
}

// played plays a candidate with a provider that counts, at a time of its own.
func playedAs(t *testing.T, name string, from time.Time) *agent.Episode {
	tk := task(t, "three_gates")
	m := &metered{Model: script(t, tk, name), usage: func(int) agent.Usage { return counts(3000, 2500, 120) }}
	return play(t, tk, loop(m), func(c *agent.Config) { c.Now, c.Agent = clock(from, 250*time.Millisecond), "ollama:candidate" })
}

func derived(t *testing.T, bundle fs.FS) map[string][]byte {
	t.Helper()
	all, err := built()
	if err != nil {
		t.Fatal(err)
	}
	files, err := views(t.Context(), bundle, all)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// folder returns the records of a run by their names.
func folder(files map[string][]byte, at string) map[string][]byte {
	out := map[string][]byte{}
	for name, raw := range files {
		if dir, base := filepath.Split(name); dir == at+"/" {
			out[base] = raw
		}
	}
	return out
}

// TestFiveRecords derives the records of a run that passed its gates and two of three trials.
func TestFiveRecords(t *testing.T) {
	whole := task(t, "whole_wiki")
	episodes := []*agent.Episode{playedAs(t, Good, noon)}
	for trial, name := range []string{Good, "evidence-only", Good} {
		ep := play(t, whole, loop(script(t, whole, name)), func(c *agent.Config) { c.Trial, c.Now = trial+1, clock(noon, time.Second) })
		episodes = append(episodes, ep)
	}
	files := derived(t, bundleOf(t, t.TempDir(), noon, nil, episodes...))
	run := folder(files, "codewiki/three_gates")
	if got := slices.Sorted(maps.Keys(run)); !slices.Equal(got, []string{"events.jsonl", "grading.json", "manifest.json", "records.sha256", "report.md", "summary.json"}) || len(files) != len(run) {
		t.Fatalf("records %v of %v", got, slices.Sorted(maps.Keys(files)))
	}
	if err := rules.Verify(run); err != nil {
		t.Error(err)
	}
	var s struct {
		Verdict       string
		Qualification struct{ Gates []rules.GateVerdict }
		Formal        struct{ Trials, Passed int }
	}
	if err := json.Unmarshal(run[rules.SummaryFile], &s); err != nil || s.Verdict != rules.Fail || len(s.Qualification.Gates) != 3 || s.Formal.Trials != 3 || s.Formal.Passed != 2 {
		t.Errorf("%+v %v", s, err)
	}
	m, err := rules.ParseManifest(run[rules.ManifestFile])
	if err != nil || m.RunType != rules.FormalRun || m.QualificationRef != "r1" || len(m.SelectedPages) != 5 || m.Profile.Reasoning != "low" || m.Budget["formal"].Tokens != 4_000_000 {
		t.Errorf("%+v %v", m, err)
	}
	lines := bytes.Split(bytes.TrimSuffix(run[rules.EventsFile], []byte("\n")), []byte("\n"))
	seen := map[string]int{}
	for i, line := range lines {
		var e rules.Event
		if err := json.Unmarshal(line, &e); err != nil || e.Seq != i+1 || e.RunID != "r1" {
			t.Fatalf("line %d: %s: %v", i+1, line, err)
		}
		seen[e.Type]++
	}
	if seen["execution.queued"] != 4 || seen["execution.started"] != 4 || seen["execution.finished"] != 4 || seen["trial.finished"] != 3 || seen["stage.finished"] != 3+2*3 {
		t.Errorf("%v", seen)
	}
	for _, text := range []string{"export const", "## "} {
		for _, name := range []string{rules.EventsFile, rules.GradingFile} {
			if bytes.Contains(run[name], []byte(text)) {
				t.Errorf("%s holds text of files: %q", name, text)
			}
		}
	}
	golden(t, "report.golden", string(run[rules.ReportFile]))
	g, err := rules.ParseGrading(run[rules.GradingFile]) // what the scores count is no violation of the audit
	if err != nil || g.Counters.Violations != 0 || g.Counters.Warnings != 6 {
		t.Errorf("%+v %v", g.Counters, err)
	}
}

// TestOtherFolderOrderAndClock is that what is graded does not hang on where and when, or in which
// order files are found.
func TestOtherFolderOrderAndClock(t *testing.T) {
	later := noon.Add(1000 * time.Hour)
	one := folder(derived(t, bundleOf(t, t.TempDir(), noon, nil, playedAs(t, "rewrite-loop", noon))), "codewiki/three_gates")
	two := folder(derived(t, bundleOf(t, t.TempDir(), later, nil, playedAs(t, "rewrite-loop", later))), "codewiki/three_gates")
	if !bytes.Equal(one[rules.GradingFile], two[rules.GradingFile]) {
		t.Error("the gradings differ")
	}
	if bytes.Equal(one[rules.EventsFile], two[rules.EventsFile]) {
		t.Error("the events are the same, so that the clocks were: the test proves nothing")
	}
}

// TestRegrading derives the records from the bundle again: every byte is the same, and a byte that is
// not breaks the seal.
func TestRegrading(t *testing.T) {
	bundle := bundleOf(t, t.TempDir(), noon, nil, playedAs(t, "forger", noon))
	one, two := derived(t, bundle), derived(t, bundle)
	if !maps.EqualFunc(one, two, bytes.Equal) {
		t.Error("the records differ")
	}
	run := folder(one, "codewiki/three_gates")
	for _, name := range slices.Sorted(maps.Keys(run)) {
		for _, at := range []int{0, len(run[name]) / 2, len(run[name]) - 1} {
			changed := maps.Clone(run)
			changed[name] = bytes.Clone(run[name])
			changed[name][at] ^= 1
			if err := rules.Verify(changed); err == nil {
				t.Errorf("byte %d of %s was changed, and the seal holds", at, name)
			}
		}
	}
}

// TestAnotherFixtureIsAnotherTask changes one byte of the source: tasks about it have other digests, so
// that no record of the old ones counts for them.
func TestAnotherFixtureIsAnotherTask(t *testing.T) {
	for _, name := range []string{"three_gates", "whole_wiki"} {
		tk := task(t, name)
		c := *plugins(t)
		c.Fixture.Digests.Fixture = strings.Repeat("0", 64) // as it is when any byte of the case is another
		n := &notes{c: &c}
		var err error
		if n.setup.Case = c.ID; err == nil {
			s, perr := parsed(tk)
			n.setup.Stages, err = s.Stages, perr
		}
		if err != nil {
			t.Fatal(err)
		}
		other := tk
		other.Asks = slices.Clone(tk.Asks)
		if err := n.brief(&other); err != nil {
			t.Fatal(err)
		}
		if other.Digest() == tk.Digest() {
			t.Errorf("%s is the same task about other bytes", name)
		}
		ep := play(t, tk, agent.Noop{})
		bundle := bundleOf(t, t.TempDir(), noon, nil, ep)
		if _, err := views(t.Context(), bundle, []tasks.Task{other}); err == nil || !strings.Contains(err.Error(), "has changed since it was played") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLostEpisode has begun and left no record: no valid score, and the report says so first.
func TestLostEpisode(t *testing.T) {
	run := folder(derived(t, bundleOf(t, t.TempDir(), noon, []tasks.ID{"codewiki/qualification/three_gates"})), "codewiki/three_gates")
	if !bytes.HasPrefix(run[rules.ReportFile], []byte("# No valid score (layer orchestration)")) || !bytes.Contains(run[rules.EventsFile], []byte(`"execution.lost"`)) {
		t.Errorf("%s\n%s", run[rules.ReportFile], run[rules.EventsFile])
	}
}

// TestRedaction has a model whose own name is a path of somebody's home: what would hold it is not
// written, and nothing is sealed.
func TestRedaction(t *testing.T) {
	ep := playedAs(t, Good, noon)
	p := played{folder: "codewiki/x", c: plugins(t), run: reports.Run{ID: "r1", Agent: "command:/home/" + "ada/agent", Started: noon}}
	s, err := parsed(task(t, "three_gates"))
	if err != nil {
		t.Fatal(err)
	}
	p.qualification = &episode{task(t, "three_gates"), s, &reports.Record{Episode: *ep}}
	files, err := p.records(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if files[rules.SealFile] != nil || files[rules.ManifestFile] != nil || !bytes.Contains(files[rules.GradingFile], []byte(rules.RedactionFault)) {
		t.Errorf("%v", slices.Sorted(maps.Keys(files)))
	}
	if len(rules.Redacted(files)) > 0 {
		t.Errorf("%v", rules.Redacted(files))
	}
}
