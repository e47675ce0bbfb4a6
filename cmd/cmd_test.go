package cmd_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"benchwright/agent"
	"benchwright/cmd"
	"benchwright/grader"
	"benchwright/internal/e2e/counter"
	"benchwright/reports"
	"benchwright/tasks"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// bench runs the command line and returns what it printed and its exit code.
func bench(args ...string) (string, int) {
	var out bytes.Buffer
	c := cmd.New(counter.Suite())
	c.SetOut(&out)
	c.SetErr(&out)
	c.SetArgs(args)
	code := 0
	if err := c.Execute(); err != nil {
		out.WriteString("bench: " + err.Error() + "\n")
		code = cmd.Code(err)
	}
	return out.String(), code
}

func TestVerbs(t *testing.T) {
	t.Setenv("BENCH_TASKS", "")
	var b strings.Builder
	for _, c := range []struct {
		args   string
		exit   int
		reason string
	}{
		{"", 0, "help"},
		{"list level:3", 0, "all labels must be there"},
		{"list level:3 lang:en", 1, "nothing is an error"},
		{"show counter/hindi/hindi_keywords", 0, "what an agent may know"},
		{"show --sealed counter/hindi/hindi_keywords", 0, "what its author wrote"},
		{"show counter/hindi/hindi_keyword", 1, "the nearest id is named"},
		{"show hindi/req", 1, "a part of an id is enough for a hint"},
		{"show zzz", 1, "and where to look otherwise"},
		{"show --request counter/hindi/required", 0, "what a model is sent"},
		{"show --request --sealed counter/hindi/required", 2, "one or the other"},
		{"show", 2, "usage"},
		{"compile", 0, "only counts"},
		{"compile --view gold", 2, "a view that there is not"},
		{"compile --tasks nowhere", 1, "a folder that there is not"},
		{"junit", 2, "usage"},
		{"junit nowhere", 1, "no bundle"},
		{"results rebuild nowhere", 1, "no bundle"},
		{"expand nowhere x y", 1, "no bundle"},
		{"frobnicate", 1, "a verb that there is not"},
		{"list --colour", 2, "a flag that there is not"},
	} {
		out, code := bench(strings.Fields(c.args)...)
		if code != c.exit {
			t.Errorf("bench %s: exit %d, want %d: %s\n%s", c.args, code, c.exit, c.reason, out)
		}
		b.WriteString("$ bench " + c.args + "\n" + out + "\n")
	}
	path := filepath.Join("testdata", "verbs.golden")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Errorf("%s (-want +got), -update rewrites it:\n%s", path, d)
	}
}

// TestCompiledTasksComeBack writes the suite as JSON, and reads it as extra tasks of another.
func TestCompiledTasksComeBack(t *testing.T) {
	t.Setenv("BENCH_TASKS", "")
	dir := t.TempDir()
	out, code := bench("compile", "--json", "--output", filepath.Join(dir, "all.json"))
	if code != 0 {
		t.Fatal(out)
	}
	if out, code = bench("compile", "--json", "--output", filepath.Join(dir, "all.json")); code != 1 {
		t.Errorf("an existing file was written over: %s", out)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "all.json"))
	if err != nil {
		t.Fatal(err)
	}
	again, problems := tasks.DecodeTasks("all.json", raw, counter.Suite())
	if len(problems) > 0 {
		t.Fatal(tasks.Errors(problems))
	}
	first, err := tasks.Compile(counter.Suite())
	if err != nil {
		t.Fatal(err)
	}
	if len(again) != len(first.Tasks) {
		t.Fatalf("%d tasks of %d", len(again), len(first.Tasks))
	}
	for i := range again {
		if again[i].Digest() != first.Tasks[i].Digest() {
			t.Errorf("%s came back with another digest", again[i].ID)
		}
	}
}

// bundle plays one task and leaves a run of it.
func bundle(t *testing.T) string {
	t.Helper()
	c, err := tasks.Compile(counter.Suite())
	if err != nil {
		t.Fatal(err)
	}
	task, kit := c.Tasks[0], counter.Kit()
	d := kit.Speaks()
	ep := agent.Play(context.Background(), agent.Loop{Model: agent.Script(d, "json", task.Rubric.Reference), Dialect: d}, agent.Config{Kit: &kit, Task: task, Agent: "reference"})
	v := grader.Grade(context.Background(), task.Rubric.Checks, ep)
	ep.Verdict, ep.Outcome, ep.Score = v, v.Outcome, v.Score
	dir := filepath.Join(t.TempDir(), "run")
	b, err := reports.Create(dir, reports.Run{Kind: reports.KindReference, Agent: "reference", Tasks: []reports.Selected{reports.Select(task)}})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Write(ep); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Finish(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestBundleVerbs(t *testing.T) {
	dir := bundle(t)
	before, err := os.ReadFile(filepath.Join(dir, reports.RowsFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, reports.RowsFile), []byte("{torn"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, code := bench("results", "rebuild", dir); code != 0 || !strings.Contains(out, "1 episode: 1 passed") {
		t.Errorf("exit %d: %s", code, out)
	}
	if after, _ := os.ReadFile(filepath.Join(dir, reports.RowsFile)); !bytes.Equal(before, after) {
		t.Errorf("the rebuilt rows differ:\n%s\n%s", before, after)
	}
	if out, code := bench("junit", dir); code != 0 || !strings.Contains(out, "<testcase") {
		t.Errorf("exit %d: %s", code, out)
	}
	if out, code := bench("junit", "--schema"); code != 0 || !strings.Contains(out, "<xs:schema") {
		t.Errorf("exit %d: %s", code, out)
	}
	entries, err := os.ReadDir(filepath.Join(dir, reports.EpisodesDir))
	if err != nil {
		t.Fatal(err)
	}
	key := strings.TrimSuffix(entries[0].Name(), ".json")
	to := filepath.Join(t.TempDir(), "out")
	if out, code := bench("expand", dir, key, to); code != 0 {
		t.Errorf("exit %d: %s", code, out)
	}
	files, err := os.ReadDir(to)
	if err != nil || len(files) < 3 {
		t.Errorf("%d files, %v", len(files), err)
	}
	if out, code := bench("expand", dir, "../run", to); code != 1 {
		t.Errorf("a path as a key: exit %d: %s", code, out)
	}
}

func TestEnvelopeIsNotSealed(t *testing.T) {
	out, _ := bench("show", "counter/hindi/hindi_keywords")
	var e map[string]any
	if err := json.Unmarshal([]byte(out), &e); err != nil {
		t.Fatal(err)
	}
	for _, k := range []string{"rubric", "id", "labels", "setup", "seed", "source"} {
		if _, leaks := e[k]; leaks {
			t.Errorf("the envelope holds %s", k)
		}
	}
}
