package files_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/grader/gates"
	"benchwright/sim"
	world "benchwright/sim/files"
	"benchwright/sim/files/builtin"
	"benchwright/steps/files"
	"benchwright/tasks"
)

// written writes instances into a folder, and returns it.
func written(t *testing.T, specs ...world.Spec) (dir string, list []*world.Instance) {
	t.Helper()
	dir = t.TempDir()
	for _, s := range specs {
		in, err := builtin.Families().Compile(s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := in.Write(dir); err != nil {
			t.Fatal(err)
		}
		list = append(list, in)
	}
	return dir, list
}

func spec(family, scenario string, difficulty int, seed int64) world.Spec {
	s := world.NewSpec(family, difficulty, seed)
	s.Scenario = scenario
	return s
}

func open(t *testing.T, fsys fs.FS) ([]tasks.Task, *tasks.Kit) {
	t.Helper()
	kit := files.Kit()
	list, ok, err := kit.Open(fsys)
	if err != nil || !ok {
		t.Fatalf("opened: %t, %v", ok, err)
	}
	return list, &kit
}

// A folder that somebody compiled is a task, graded by what its hidden half says, and as certain as
// one of ours.
func TestFoldersAreTasks(t *testing.T) {
	dir, ins := written(t, spec("tabular", "monthly_segment_report", 3, 7), spec("retrieval_workspace", "incident_report_bundle", 2, 7))
	list, kit := open(t, os.DirFS(dir))
	if len(list) != 2 {
		t.Fatalf("%d tasks", len(list))
	}
	for i, task := range list {
		in := ins[1-i] // retrieval_workspace comes first
		if want := "workspaces/" + in.Manifest.Family + "/" + in.Manifest.EnvID; string(task.ID) != want || task.Source.File != in.Manifest.EnvID+"/manifest.json" {
			t.Errorf("%s at %s, want %s", task.ID, task.Source, want)
		}
		if task.Limits.Turns != in.Manifest.MaxSteps || len(task.Rubric.Reference) > in.Manifest.MaxSteps {
			t.Errorf("%s: %d turns, a reference of %d, and the manifest says %d steps", task.ID, task.Limits.Turns, len(task.Rubric.Reference), in.Manifest.MaxSteps)
		}
		cert := gates.Certify(t.Context(), kit, task, gates.Options{})
		if !cert.Held() {
			t.Errorf("%s", gates.Table([]gates.Certificate{cert}))
		}
		raw, err := json.Marshal(task.Envelope())
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{in.Manifest.EnvID, "hidden", "expected_output", in.Manifest.Metadata.Scenario} {
			if strings.Contains(string(raw), secret) {
				t.Errorf("%s: the envelope holds %s", task.ID, secret)
			}
		}
	}
	alone, _ := open(t, os.DirFS(filepath.Join(dir, ins[0].Manifest.EnvID)))
	if len(alone) != 1 || alone[0].Digest() != list[1].Digest() {
		t.Error("the folder of one workspace is another task than the same among several")
	}
}

// The score of an opened task is the evaluator's, to the last digit.
func TestFoldersAreGradedByTheirHiddenHalf(t *testing.T) {
	dir, ins := written(t, spec("tabular", "weekly_refund_rollup", 2, 3))
	list, kit := open(t, os.DirFS(dir))
	work := world.BundleOf(ins[0]).Work
	var rows []json.RawMessage
	if err := json.Unmarshal([]byte(ins[0].Reference()[work.Required]), &rows); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(rows)
	for _, c := range []struct {
		name, text string
		score      float64
		labels     []string
		reason     string
	}{
		{"right", ins[0].Reference()[work.Required], 1, nil, "it is the solution"},
		{"other-order", string(sim.MustCanonical(rows)), 0.9, []string{"output_mismatch"}, "all but exact"},
		{"unrelated", `{"a":1}`, 0.4, []string{"output_mismatch"}, "JSON that is there"},
		{"no-json", "done", 0.2, []string{"invalid_json"}, "something that is there"},
	} {
		ep := played(t, kit, list[0], writeAndSubmit(work.Required, c.text))
		codes := slices.Sorted(func(yield func(string) bool) {
			for _, f := range ep.Verdict.Findings() {
				if !yield(f.Code) {
					return
				}
			}
		})
		if got := kit.Score(ep.Verdict); got != c.score || !slices.Equal(codes, c.labels) {
			t.Errorf("%s: %v %q, want %v %q: %s", c.name, got, codes, c.score, c.labels, c.reason)
		}
	}
}

func writeAndSubmit(path, text string) []tasks.Move {
	return []tasks.Move{
		{Calls: []sim.Call{{Name: "write_file", Arguments: sim.MustCanonical(map[string]string{"path": path, "content": text})}}},
		{Calls: []sim.Call{{Name: "submit", Arguments: sim.MustCanonical(map[string]string{"path_or_answer": path})}}},
	}
}

// played has moves played through the loop, and grades them.
func played(t *testing.T, kit *tasks.Kit, task tasks.Task, moves []tasks.Move) *agent.Episode {
	t.Helper()
	a := agent.Loop{Model: agent.Script(kit.Dialect, agent.ProtocolJSON, moves), Dialect: kit.Dialect}
	ep := agent.Play(t.Context(), a, agent.Config{Kit: kit, Task: task, Agent: "script"})
	ep.Verdict = grader.Grade(t.Context(), task.Rubric.Checks, ep)
	return ep
}

func TestExportsAreTasks(t *testing.T) {
	dir, ins := written(t, spec("tabular", "weekly_refund_rollup", 1, 3), spec("tabular", "weekly_refund_rollup", 1, 4))
	export := t.TempDir()
	if err := os.Rename(dir, filepath.Join(export, "environments")); err != nil {
		t.Fatal(err)
	}
	lines := ""
	for _, in := range slices.Backward(ins) {
		lines += string(sim.MustCanonical(map[string]any{"env_id": in.Manifest.EnvID, "environment_path": "environments/" + in.Manifest.EnvID, "other": 1})) + "\n"
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(export, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("manifest.jsonl", lines)
	write("metadata.json", `{"name": "my worlds", "version": "v1"}`)
	list, _ := open(t, os.DirFS(export))
	if len(list) != 2 || list[0].ID != tasks.ID("my_worlds/tabular/"+ins[1].Manifest.EnvID) {
		t.Errorf("opened %d tasks, the first %s", len(list), list[0].ID)
	}
	for _, c := range []struct{ name, lines, want, reason string }{
		{"outside", `{"env_id":"a","environment_path":"../a"}`, `manifest.jsonl:1: line 1: environment_path "../a" is not a path within the export`, "nothing outside is read"},
		{"absolute", `{"env_id":"a","environment_path":"/etc"}`, "is not a path within the export", ""},
		{"broken", lines + "{", "line 3: want a JSON object", "the rest is not passed over"},
		{"twice", lines + lines, "line 3: environments/" + ins[1].Manifest.EnvID + " is listed twice", ""},
		{"missing", `{"env_id":"a","environment_path":"environments/a"}`, "environments/a/manifest.json:1: manifest.json: ", "it names the file"},
	} {
		write("manifest.jsonl", c.lines)
		_, ok, err := files.Kit().Open(os.DirFS(export))
		if !ok || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %t, %v\nwant %s (%s)", c.name, ok, err, c.want, c.reason)
		}
	}
}

func TestWhatIsWrongWithAFolder(t *testing.T) {
	dir, ins := written(t, spec("tabular", "weekly_refund_rollup", 1, 3))
	id := ins[0].Manifest.EnvID
	base, err := world.ReadTree(os.DirFS(filepath.Dir(dir)), filepath.Base(dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		change func(world.Tree)
		want   string // "" where it is no folder of workspaces
		reason string
	}{
		{"listed", func(f world.Tree) { f[id+"/hidden/more.json"] = "{}" }, id + "/manifest.json:1: manifest.json: hidden_files: lists", "what is hidden is what the manifest says"},
		{"gone", func(f world.Tree) { delete(f, id+"/visible/task.json") }, "manifest.json: visible_files: lists", ""},
		{"renamed", func(f world.Tree) {
			for p, text := range f {
				delete(f, p)
				f["x"+p] = text
			}
		}, `and the folder is called "x` + id, "an id means one folder"},
		{"steps", func(f world.Tree) {
			f[id+"/manifest.json"] = strings.Replace(f[id+"/manifest.json"], `"max_steps": 12`, `"max_steps": 1`, 1)
		}, "the solution takes 2 moves, and there are 1", "nobody could do it"},
		{"configuration", func(f world.Tree) {
			const name = "/hidden/evaluator_config.json"
			f[id+name] = strings.Replace(f[id+name], `"expected_output.json"`, `"gone.json"`, 1)
		}, id + "/manifest.json:1: hidden/gone.json: ", "nothing could be right"},
		{"no-json", func(f world.Tree) { f[id+"/manifest.json"] = "{\"env_id\": " }, id + "/manifest.json:1: manifest.json: ", "half a manifest is passed over by nobody"},
		{"no-manifest", func(f world.Tree) { delete(f, id+"/manifest.json") }, id + "/manifest.json:1: manifest.json: ", "nor is a folder without one"},
		{"no-visible", func(f world.Tree) {
			for p := range f {
				if strings.HasPrefix(p, id+"/visible/") {
					delete(f, p)
				}
			}
		}, id + "/manifest.json:1: ", "nor one without its better half"},
		{"other", func(f world.Tree) { clear(f); f["a/manifest.json"], f["a/visible/b"] = `{"name":"x"}`, "c" }, "", "a manifest of something else"},
		{"features", func(f world.Tree) { clear(f); f["a.feature"] = "Feature: x" }, "", "another front end's"},
		{"empty", func(f world.Tree) { clear(f) }, "", "nothing at all"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := base.Clone()
			c.change(tree)
			fsys := fstest.MapFS{}
			for p, text := range tree {
				fsys[p] = &fstest.MapFile{Data: []byte(text)}
			}
			_, ok, err := files.Kit().Open(fsys)
			switch {
			case c.want == "" && (ok || err != nil):
				t.Errorf("opened %t, %v: %s", ok, err, c.reason)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("error is %v\nwant %s (%s)", err, c.want, c.reason)
			}
		})
	}
}
