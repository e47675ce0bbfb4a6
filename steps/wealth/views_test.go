package wealth_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/grader/wealth/scorer"
	"benchwright/reports"
	"benchwright/steps/wealth"
	"benchwright/tasks"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// sampleRun is a run with nothing of this machine in it.
func sampleRun(kind, name string) reports.Run {
	run := reports.Run{
		ID: "r1", Kind: kind, Agent: name, Suite: "sample", Protocol: agent.ProtocolJSON, Trials: 1, Seed: 1,
		Go: "go1.26", CPUs: 2, OS: "linux", Arch: "amd64", Module: "example", Version: "v1.0.0", Commit: "abc", Started: noon,
	}
	if kind == reports.KindModel {
		run.Model = agent.Identity{
			Name: "tiny", Digest: strings.Repeat("a", 64), Provider: "ollama", Version: "0.17.4",
			Details: map[string]any{"template_sha256": strings.Repeat("b", 64), "quantization": "F32", "parameters": []string{"num_ctx 4096"}},
			Options: map[string]any{"temperature": 0, "num_ctx": 4096},
		}
		run.Options = map[string]any{"retries": 0}
	}
	return run
}

// still takes the clock out of an episode: every turn takes 100 ms, and its model tells tokens.
func still(ep *agent.Episode) *agent.Episode {
	ep.Started, ep.Wall = noon, time.Duration(len(ep.Turns))*120*time.Millisecond
	for i := range ep.Turns {
		t := &ep.Turns[i]
		t.Duration, t.Reply.DoneReason, t.Reply.Request = 100*time.Millisecond, "stop", strings.Repeat(fmt.Sprint(i), 64)
		t.Reply.Timing = agent.Timing{Total: 90 * time.Millisecond, Load: 10 * time.Millisecond, Output: 50 * time.Millisecond}
		t.Usage = agent.Usage{Requests: 1, Input: agent.Tokens(700), Output: agent.Tokens(40)}
	}
	return ep
}

// bundle writes a run of the given episodes and returns its folder.
func bundle(t testing.TB, run reports.Run, episodes ...*agent.Episode) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	for _, task := range wealthops(t) {
		run.Tasks = append(run.Tasks, reports.Select(task))
	}
	b, err := reports.Create(dir, run)
	if err != nil {
		t.Fatal(err)
	}
	for _, ep := range episodes {
		if err := b.Write(ep); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// views derives the published files of a bundle.
func views(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	files, err := wealth.Kit().Views(context.Background(), os.DirFS(dir), wealthops(t))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// references plays the reference of every task.
func references(t testing.TB) []*agent.Episode {
	t.Helper()
	var out []*agent.Episode
	for _, task := range wealthops(t) {
		out = append(out, still(play(t, task, task.Rubric.Reference, nil)))
	}
	return out
}

// written puts files into a folder and returns it.
func written(t testing.TB, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestAReferenceRunIsAnOracle(t *testing.T) {
	dir := bundle(t, sampleRun(reports.KindReference, "reference"), references(t)...)
	files := views(t, dir)
	src, err := wealth.Files(wealthops(t))
	if err != nil {
		t.Fatal(err)
	}
	b, problems := scorer.Verify(os.DirFS(filepath.Join(written(t, files), "wealthops")), src)
	if len(problems) > 0 || b.Report.Passed != 24 || b.Manifest.RunKind != scorer.KindOracle {
		t.Fatalf("%q, %+v", problems, b)
	}
	if b.Manifest.ProtocolDigest != wealth.ProtocolDigest() || !b.Manifest.CreatedAt.Equal(noon) {
		t.Errorf("manifest %+v", b.Manifest)
	}
	if diff := cmp.Diff(files, views(t, dir)); diff != "" {
		t.Errorf("the same bundle has other views:\n%s", diff)
	}
}

// TestAModelRun compares the views of a small run of a model with golden files: a reference
// solution, a near miss of every kind, an episode whose measurement broke and one that was
// skipped.
func TestAModelRun(t *testing.T) {
	all := wealthops(t)
	var episodes []*agent.Episode
	for i, task := range slices.SortedFunc(slices.Values(all), func(a, b tasks.Task) int { return strings.Compare(caseID(a), caseID(b)) })[:20] {
		moves := task.Rubric.Reference
		if n := len(task.Rubric.Probes); i%3 > 0 {
			moves = task.Rubric.Probes[(i*5)%n].Moves
		}
		ep := still(play(t, task, moves, nil))
		switch i {
		case 4:
			ep = graded(task, agent.Play(context.Background(), broken{}, agent.Config{Kit: kit(), Task: task}))
			still(ep)
		case 5:
			ep.Turns, ep.Trace, ep.Answers, ep.Verdict = nil, nil, nil, grader.Verdict{}
			ep.Outcome, ep.Reason, ep.End = grader.Skipped, "spent", grader.End{Code: grader.EndUnreached}
		}
		episodes = append(episodes, ep)
	}
	files := views(t, bundle(t, sampleRun(reports.KindModel, "ollama:tiny"), episodes...))
	for _, name := range slices.Sorted(maps.Keys(files)) {
		goldenView(t, name, files[name])
	}
	if len(files) != 6 {
		t.Errorf("%d files", len(files))
	}
}

func kit() *tasks.Kit {
	k := wealth.Kit()
	return &k
}

// goldenView compares a published file with a golden one.
func goldenView(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", "views", filepath.FromSlash(name))
	if *updateDialect {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run the test with -update", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); diff != "" {
		t.Errorf("%s (-want +got), run with -update if it is right:\n%s", path, diff)
	}
}

// broken is an agent whose provider is gone.
type broken struct{}

func (broken) Play(ctx context.Context, s *agent.Session) error {
	return agent.Faultf(grader.LayerProvider, "network_error", "no answer\x1b[31m from http://127.0.0.1: refused")
}

// TestLabelsAreTheCodesOfTheVerdict scores the record of the reference and of every near miss of
// every case, and of doing nothing: its labels are what the episode was told.
func TestLabelsAreTheCodesOfTheVerdict(t *testing.T) {
	scripts := func(task tasks.Task) [][]tasks.Move {
		out := [][]tasks.Move{task.Rubric.Reference, nil}
		for _, p := range task.Rubric.Probes {
			out = append(out, p.Moves)
		}
		return out
	}
	head := os.DirFS(bundle(t, sampleRun(reports.KindRandom, "random")))
	run, err := fs.ReadFile(head, reports.RunFile)
	if err != nil {
		t.Fatal(err)
	}
	most := 0
	for _, task := range wealthops(t) {
		most = max(most, len(scripts(task)))
	}
	compared, passed := 0, 0
	for i := range most { // a bundle for every column
		var episodes []*agent.Episode
		for _, task := range wealthops(t) {
			if s := scripts(task); i < len(s) {
				episodes = append(episodes, play(t, task, s[i], nil))
			}
		}
		records := fstest.MapFS{reports.RunFile: {Data: run}}
		for _, ep := range episodes {
			raw, err := json.Marshal(reports.Record{Episode: *ep})
			if err != nil {
				t.Fatal(err)
			}
			records[reports.EpisodesDir+"/"+ep.Key()+".json"] = &fstest.MapFile{Data: raw}
		}
		files, err := wealth.Kit().Views(context.Background(), records, wealthops(t))
		if err != nil {
			t.Fatal(err)
		}
		var report scorer.Report
		if err := json.Unmarshal(files["wealthops/report.json"], &report); err != nil {
			t.Fatal(err)
		}
		labels := map[string][]string{}
		for _, c := range report.Cases {
			labels[c.CaseID] = c.Labels
		}
		for _, ep := range episodes {
			task := wealthops(t)[slices.IndexFunc(wealthops(t), func(o tasks.Task) bool { return o.ID == ep.Task })]
			want := append([]string{}, ep.Verdict.Codes()...)
			if diff := cmp.Diff(want, labels[caseID(task)]); diff != "" {
				t.Errorf("%s, script %d (-verdict +scorer):\n%s", ep.Task, i, diff)
			}
			compared++
			if len(want) == 0 {
				passed++
			}
		}
		if report.RunKind != scorer.KindDriver || report.Submitted != len(episodes) {
			t.Errorf("script %d: kind %s, %d of %d submitted", i, report.RunKind, report.Submitted, len(episodes))
		}
	}
	if compared < 200 || passed != 24 {
		t.Errorf("%d records compared, %d passed", compared, passed)
	}
}

func TestARunStoppedAfterTenCases(t *testing.T) {
	files := views(t, bundle(t, sampleRun(reports.KindReference, "reference"), references(t)[:10]...))
	var report scorer.Report
	if err := json.Unmarshal(files["wealthops/report.json"], &report); err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(files["wealthops/predictions.jsonl"]) {
		if _, err := scorer.ParsePrediction(line); err != nil {
			t.Error(err)
		}
	}
	if n := bytes.Count(files["wealthops/predictions.jsonl"], []byte("\n")); n != 10 || report.Attempted != 24 || report.LabelCounts["missing_prediction"] != 14 || report.Passed != 10 {
		t.Errorf("%d records; %d attempted, %v, %d passed", n, report.Attempted, report.LabelCounts, report.Passed)
	}
}

func TestKindsOfRuns(t *testing.T) {
	ep := references(t)[0]
	replayed := sampleRun(reports.KindModel, "")
	replayed.Kind, replayed.Agent = reports.KindReplay, "replay:20260102T120000.000Z-tiny"
	for _, tt := range []struct {
		name   string
		run    reports.Run
		kind   string
		model  scorer.Model
		reason string
	}{
		{"model", sampleRun(reports.KindModel, "ollama:tiny"), scorer.KindModel, scorer.Model{Name: "tiny", Digest: strings.Repeat("a", 64)}, "the one claim about a model"},
		{"replay-of-a-model", replayed, scorer.KindModel, scorer.Model{Name: "tiny", Digest: strings.Repeat("a", 64)}, "its replies are the model's"},
		{"replay-of-a-driver", sampleRun(reports.KindReplay, "replay:my-folder"), scorer.KindDriver, scorer.Model{Name: "replay"}, "nobody's folder is told"},
		{"reference", sampleRun(reports.KindReference, "reference"), scorer.KindOracle, scorer.Model{Name: "reference"}, "a self-check"},
		{"noop", sampleRun(reports.KindNoop, "noop"), scorer.KindDriver, scorer.Model{Name: "noop"}, "no model"},
		{"random", sampleRun(reports.KindRandom, "random:7"), scorer.KindDriver, scorer.Model{Name: "random:7"}, "no model"},
		{"external", sampleRun(reports.KindExternal, "my/agent --key=x"), scorer.KindDriver, scorer.Model{Name: "external"}, "nobody knows what it is"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := views(t, bundle(t, tt.run, ep))
			p, err := scorer.ParsePrediction(files["wealthops/predictions.jsonl"])
			if err != nil {
				t.Fatal(err)
			}
			if p.RunKind != tt.kind || p.Model != tt.model {
				t.Errorf("%s by %+v, want %s by %+v: %s", p.RunKind, p.Model, tt.kind, tt.model, tt.reason)
			}
		})
	}
}

func TestTrialsHaveFoldersOfTheirOwn(t *testing.T) {
	ep := references(t)[0]
	second := *ep
	second.Trial = 2
	files := views(t, bundle(t, sampleRun(reports.KindReference, "reference"), ep, &second))
	if len(files) != 12 || files["wealthops/trial-2/bundle.json"] == nil {
		t.Errorf("%q", slices.Sorted(maps.Keys(files)))
	}
}

func TestViewsOfOtherRuns(t *testing.T) {
	all := wealthops(t)
	views := func(dir string, all []tasks.Task) (map[string][]byte, error) {
		return wealth.Kit().Views(context.Background(), os.DirFS(dir), all)
	}
	if files, err := views(bundle(t, sampleRun(reports.KindCertification, "certify")), all); err != nil || len(files) > 0 {
		t.Errorf("a certification: %d files, %v", len(files), err)
	}
	if files, err := views(bundle(t, sampleRun(reports.KindModel, "m")), all); err != nil || len(files) != 6 {
		t.Errorf("a run that stopped at once: %d files, %v", len(files), err)
	}
	if files, err := views(bundle(t, sampleRun(reports.KindModel, "m")), nil); err != nil || len(files) > 0 {
		t.Errorf("no published tasks: %d files, %v", len(files), err)
	}
	ep := *references(t)[0]
	ep.TaskDigest = "other"
	if _, err := views(bundle(t, sampleRun(reports.KindModel, "m"), &ep), all); err == nil || !strings.Contains(err.Error(), "has changed since") {
		t.Errorf("another task: %v", err)
	}
	if _, err := views(t.TempDir(), all); err == nil {
		t.Error("an empty folder has views")
	}
	dir := bundle(t, sampleRun(reports.KindModel, "m"), references(t)[0])
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if strings.Contains(path, "__t1") {
			return os.WriteFile(path, []byte("{"), 0o644)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := views(dir, all); err == nil || !strings.Contains(err.Error(), "episodes/") {
		t.Errorf("a torn record: %v", err)
	}
}
