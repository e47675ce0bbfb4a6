package files_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/reports"
	"benchwright/sim"
	world "benchwright/sim/files"
	"benchwright/sim/files/splits"
	"benchwright/steps/files"
	"benchwright/tasks"
)

// letters is a family of one small workspace: how often does each letter stand in a text?
type letters struct{}

func (letters) Name() string                                 { return "tally_sheet" }
func (letters) Scenarios() []world.Scenario                  { return []world.Scenario{{ID: "count_them"}} }
func (letters) Complexity(level int) world.ComplexityProfile { return world.BaseComplexity(level) }

func (letters) Generate(r *world.Request) (*world.Draft, error) {
	const want = `[{"letter":"a","times":2},{"letter":"b","times":1}]`
	return &world.Draft{
		Instruction: "Count the letters of data/text.txt and write them to out.json, as README.md says.",
		Readme:      world.Readme{Title: "Letters", Description: "A list of rows with letter and times, by letter."},
		Task:        map[string]any{"output_path": "out.json"},
		Visible:     world.Tree{"data/text.txt": "aba\n"},
		Hidden:      world.Tree{"evaluator_config.json": `{"kind":"rows"}`, "expected_output.json": want},
		Reference:   world.Tree{"out.json": want},
		Evaluator:   "tabular:Rows",
		Layout:      world.Layout{OutputPath: "out.json"},
		Structure:   map[string]any{"task_type": "grouped_report"},
		Realized:    world.Realization{"operation_count": 1},
		NearMisses:  []world.NearMiss{{Trap: "once", Files: world.Tree{"out.json": `[{"letter":"a","times":1}]`}}},
		Expected:    want,
	}, nil
}

// lettersTask is a task about such a workspace.
func lettersTask(t testing.TB, w *files.Workshop) tasks.Task {
	t.Helper()
	list, err := w.Tasks("letters", []splits.Assignment{{Split: "train", Family: "tally_sheet", Scenario: "count_them", Difficulty: 2, Seed: 1, TaskID: "letters.1"}})
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

func move(tool string, pairs ...string) tasks.Move {
	args := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		args[pairs[i]] = pairs[i+1]
	}
	return tasks.Move{Calls: []sim.Call{{Name: tool, Arguments: sim.MustCanonical(args)}}}
}

// wander is what an agent does that has not made up its mind.
func wander() []tasks.Move {
	return []tasks.Move{
		move("list_directory"),
		move("read_file", "path", "README.md"),
		move("read_file", "path", "./README.md"),
		move("read_file", "path", "nowhere.md"),
		move("write_file", "path", "notes/a.txt", "content", "é"),
		move("append_file", "path", "notes/a.txt", "content", "\n"),
		move("list_directory"),
		move("list_directory"),
		move("no_such_tool", "x", "y"),
		move("write_file", "path", "out.json"),
		move("run_shell", "command", "cat ../secrets"),
		move("submit", "path_or_answer", "out.json"),
		move("write_file", "path", "out.json", "content", `[{"letter":"a","times":2}]`),
		move("submit", "path_or_answer", "out.json"),
	}
}

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// play lets an agent make the moves, and grades what it leaves. The clock stands.
func play(t testing.TB, kit tasks.Kit, task tasks.Task, trial int, moves []tasks.Move) *agent.Episode {
	t.Helper()
	ep := agent.Play(t.Context(), agent.Loop{Model: agent.Script(kit.Speaks(), agent.ProtocolJSON, moves), Dialect: kit.Speaks()},
		agent.Config{Kit: &kit, Task: task, Trial: trial, Seed: 1, Agent: "ollama:tiny/1", Now: func() time.Time { return noon }})
	if ep.Outcome == grader.Broken {
		t.Fatalf("%s: %s", ep.Layer, ep.Reason)
	}
	v := grader.Grade(context.Background(), task.Rubric.Checks, ep)
	v.Score = kit.Score(v)
	ep.Verdict, ep.Outcome, ep.Score = v, v.Outcome, v.Score
	return ep
}

// TestThePublishedRecord keeps every file of an episode in one golden file.
func TestThePublishedRecord(t *testing.T) {
	w := files.NewWorkshop([]world.Family{letters{}}, nil)
	kit, task := w.Kit(), lettersTask(t, w)
	in := instance(t, w, task)
	p, err := files.Publish(play(t, kit, task, 2, wander()), in)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "episode.golden", "=== "+p.ID+"\n"+printed(p.Files))
	left := world.Tree{}
	for name, data := range p.Files {
		if f, ok := strings.CutPrefix(name, "final_workspace/"); ok {
			left[f] = string(data)
		}
	}
	var last struct {
		After *string `json:"digest_after"`
	}
	lines := bytes.Split(bytes.TrimSpace(p.Files["steps.jsonl"]), []byte("\n"))
	if err := json.Unmarshal(lines[len(lines)-1], &last); err != nil || last.After == nil || *last.After != left.Digest() {
		t.Errorf("the last digest is %v, that of final_workspace %s", last.After, left.Digest())
	}
	if m, err := world.ParseManifest(p.Files["manifest.json"]); err != nil || m.EnvID != in.Manifest.EnvID {
		t.Errorf("the manifest: %v", err)
	}
}

func instance(t testing.TB, w *files.Workshop, task tasks.Task) *world.Instance {
	t.Helper()
	setup, err := world.ParseSetup(task.Setup)
	if err != nil {
		t.Fatal(err)
	}
	in, err := w.Library().Compile(*setup.Spec)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func printed(list map[string][]byte) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(list)) {
		fmt.Fprintf(&b, "--- %s\n%s\n", name, list[name])
	}
	return b.String()
}

func TestWhatIsPublishedOfAnOddEpisode(t *testing.T) {
	w := files.NewWorkshop([]world.Family{letters{}}, nil)
	kit, task := w.Kit(), lettersTask(t, w)
	in := instance(t, w, task)
	ep := play(t, kit, task, 1, task.Rubric.Reference)
	if ep.Outcome != grader.Passed {
		t.Fatalf("the reference: %s", ep.Outcome)
	}
	var state map[string]any
	if err := json.Unmarshal(ep.States[0], &state); err != nil {
		t.Fatal(err)
	}
	state["files"].(map[string]any)["huge"] = map[string]any{"sha256": strings.Repeat("a", 64), "size": 9_000_000}
	state["links"] = map[string]any{"link": "out.json"}
	odd := *ep
	odd.States = []json.RawMessage{sim.MustCanonical(state)}
	p, err := files.Publish(&odd, in)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(p.Files["withheld.json"]); !strings.Contains(got, `"link": "out.json"`) || !strings.Contains(got, `"size": 9000000`) || p.Files["final_workspace/huge"] != nil {
		t.Errorf("what could not be copied: %s", got)
	}
	broken := *ep
	broken.Break(agent.Faultf(grader.LayerToolRuntime, "x", "the world broke"))
	broken.Trace = append(slices.Clone(ep.Trace), sim.Event{Turn: 9, Call: sim.Call{Name: "run_shell"}, Result: sim.Fault("it broke")})
	if p, err = files.Publish(&broken, in); err != nil || p.Files["evaluator_result.json"] != nil || !bytes.Contains(p.Files["summary.json"], []byte(`"evaluation": null`)) {
		t.Errorf("a broken episode: %v\n%s", err, p.Files["summary.json"])
	}
	unstarted := agent.Episode{Schema: agent.Schema, Task: task.ID, Agent: "a", Trial: 1, Outcome: grader.Broken, Layer: grader.LayerFixture}
	if p, err = files.Publish(&unstarted, in); err != nil || !strings.HasSuffix(p.ID, "-a-unstarted") {
		t.Errorf("an episode that never began: %q, %v", p.ID, err)
	}
	for _, bad := range []func(*agent.Episode){
		func(ep *agent.Episode) { ep.Initial = json.RawMessage(`{"files":3}`) },
		func(ep *agent.Episode) { ep.States = []json.RawMessage{json.RawMessage(`[]`)} },
		func(ep *agent.Episode) { ep.Trace[0].Result.Data = json.RawMessage(`{"x":1}`) },
		func(ep *agent.Episode) { ep.Trace[0].Result.Facts = json.RawMessage(`{"x":1}`) },
	} {
		forged := *ep
		forged.Trace = slices.Clone(ep.Trace)
		bad(&forged)
		if _, err := files.Publish(&forged, in); err == nil || !strings.Contains(err.Error(), ep.Key()) {
			t.Errorf("of a record that is none: %v", err)
		}
	}
}

// bundle writes a run of the given episodes and returns its folder.
func bundle(t testing.TB, kind string, list []tasks.Task, episodes ...*agent.Episode) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	run := reports.Run{ID: "r1", Kind: kind, Agent: "tiny", Suite: "sample", Protocol: agent.ProtocolJSON, Trials: 1, Seed: 1, Started: noon}
	for _, task := range list {
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

func TestViewsFollowFromTheBundle(t *testing.T) {
	w := files.NewWorkshop([]world.Family{letters{}}, nil)
	kit, task := w.Kit(), lettersTask(t, w)
	list := []tasks.Task{task}
	long := strings.Repeat("0123456789abcdef", 5<<10) // 80 KiB
	large := append([]tasks.Move{move("write_file", "path", "big.txt", "content", long), move("write_file", "path", "again.txt", "content", long)}, wander()...)
	skipped := *play(t, kit, task, 3, wander())
	skipped.Outcome, skipped.Verdict = grader.Skipped, grader.Verdict{Outcome: grader.Skipped}
	dir := bundle(t, reports.KindModel, list, play(t, kit, task, 1, task.Rubric.Reference), play(t, kit, task, 2, large), &skipped)
	got, err := kit.Views(t.Context(), os.DirFS(dir), list)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "views.golden", strings.Join(slices.Sorted(maps.Keys(got)), "\n")+"\n")
	sum := world.FileDigest(long)
	if string(got["letters/files/"+sum]) != long {
		t.Error("the large file is not kept by its digest")
	}
	for name, data := range got {
		if strings.HasSuffix(name, "withheld.json") && strings.Count(string(data), sum) != 2 {
			t.Errorf("%s does not say where the large files are:\n%s", name, data)
		}
	}
	other := files.NewWorkshop([]world.Family{letters{}}, nil).Kit()
	again, err := other.Views(t.Context(), os.DirFS(dir), list)
	if err != nil || !cmp.Equal(got, again) {
		t.Errorf("derived again, they differ (%v):\n%s", err, cmp.Diff(got, again))
	}
	if err := reports.WriteFiles(filepath.Join(t.TempDir(), "views"), got); err != nil {
		t.Error(err)
	}
}

func TestWhatHasNoViews(t *testing.T) {
	w := files.NewWorkshop([]world.Family{letters{}}, nil)
	kit, task := w.Kit(), lettersTask(t, w)
	ep := play(t, kit, task, 1, task.Rubric.Reference)
	list := []tasks.Task{task}
	if got, err := kit.Views(t.Context(), os.DirFS(bundle(t, reports.KindCertification, list, ep)), list); err != nil || len(got) > 0 {
		t.Errorf("a certification has views: %v, %v", slices.Sorted(maps.Keys(got)), err)
	}
	if got, err := kit.Views(t.Context(), os.DirFS(bundle(t, reports.KindModel, list, ep)), nil); err != nil || len(got) > 0 {
		t.Errorf("episodes of other tasks have views: %v, %v", slices.Sorted(maps.Keys(got)), err)
	}
	changed := task
	changed.Limits.Turns++
	if _, err := kit.Views(t.Context(), os.DirFS(bundle(t, reports.KindModel, list, ep)), []tasks.Task{changed}); err == nil || !strings.Contains(err.Error(), "has changed") {
		t.Errorf("of a task that has changed: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := kit.Views(ctx, os.DirFS(bundle(t, reports.KindModel, list, ep)), list); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}
