package wiki

import (
	"bytes"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"benchwright/agent"
	"benchwright/cmd"
	"benchwright/grader"
	rules "benchwright/grader/wiki"
	"benchwright/reports"
	"benchwright/steps/wiki"
)

// bundle records a run of an agent that does nothing, with its views, and returns its folder.
func bundle(t *testing.T, name string) string {
	t.Helper()
	all, err := suite()
	if err != nil {
		t.Fatal(err)
	}
	kit, dir := wiki.Kit(), filepath.Join(t.TempDir(), "b")
	run := reports.Run{
		ID: "r1", Kind: reports.KindModel, Agent: name, Model: agent.Identity{Name: "m", Provider: "ollama", Digest: strings.Repeat("ab", 32)}, Protocol: agent.ProtocolJSON,
		Prompts: "p1", Grader: "g1", Trials: 1, Workers: 1, Seed: 1, Started: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), Go: "go1.26", OS: "linux", Arch: "amd64", Version: "v1.0.0",
	}
	for _, tk := range all {
		run.Tasks = append(run.Tasks, reports.Select(tk))
	}
	b, err := reports.Create(dir, run)
	if err != nil {
		t.Fatal(err)
	}
	for _, tk := range all {
		if tk.ID.Name() != "three_gates" {
			continue
		}
		ep := agent.Play(t.Context(), agent.Noop{}, agent.Config{Kit: &kit, Task: tk, Agent: name, Grace: time.Second})
		v := grader.Grade(t.Context(), tk.Rubric.Checks, ep)
		ep.Verdict, ep.Outcome, ep.Layer, ep.Reason, ep.Score = v, v.Outcome, v.Layer, v.Reason, rules.Score(v)
		b.Begin(tk.ID, 1)
		if err := b.WriteRecord(&reports.Record{Episode: *ep}); err != nil {
			t.Fatal(err)
		}
	}
	made, err := kit.Views(t.Context(), os.DirFS(dir), all)
	if err != nil {
		t.Fatal(err)
	}
	if err := reports.WriteFiles(filepath.Join(dir, "views"), made); err != nil {
		t.Fatal(err)
	}
	return dir
}

// verify runs the verb and returns what it printed and its exit code.
func verify(dir string) (string, int) {
	var out bytes.Buffer
	c := Verbs()[0]
	c.SetOut(&out)
	c.SetErr(&out)
	c.SilenceUsage = true
	c.SetArgs([]string{"verify", dir})
	code := 0
	if err := c.Execute(); err != nil {
		code = cmd.Code(err)
	}
	return out.String(), code
}

// TestVerify: records hold when they are sealed, all there, and no others are. Anything else exits with 1
// and is named.
func TestVerify(t *testing.T) {
	good, faulty := bundle(t, "ollama:m"), bundle(t, "command:/home/"+"ada/agent")
	const mine = "views/codewiki/three_gates"
	put := func(name, text string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			name := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			os.Remove(name)
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	remove := func(names ...string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			for _, name := range names {
				if err := os.RemoveAll(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	both := func(do ...func(t *testing.T, dir string)) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			for _, d := range do {
				d(t, dir)
			}
		}
	}
	type spoiled struct {
		name  string
		dir   string
		spoil func(t *testing.T, dir string)
		says  []string // nothing: it holds
	}
	cases := []spoiled{
		{"as-it-was", good, both(), nil},
		{"views-of-another-world", good, put("views/other/notes.txt", "x"), nil},
		{"no-seal", good, remove(mine + "/records.sha256"), []string{"records.sha256 is missing", "not sealed"}},
		{"all-gone", good, remove("views"), []string{"there are no records"}},
		{"added", good, put(mine+"/notes.txt", "x"), []string{"notes.txt was added"}},
		{"folder-in-it", good, put(mine+"/more/notes.txt", "x"), []string{mine + "/more does not hold", "no episode stands for it"}},
		{"folder-beside", good, put(mine+"-2/report.md", "# PASS"), []string{mine + "-2 does not hold", "no episode stands for it"}},
		{"folder-empty", good, func(t *testing.T, dir string) {
			if err := os.Mkdir(filepath.Join(dir, "views", "codewiki", "empty"), 0o755); err != nil {
				t.Fatal(err)
			}
		}, []string{"views/codewiki/empty does not hold"}},
		{"file-beside", good, put("views/codewiki/report.md", "# PASS"), []string{"views/codewiki does not hold"}},
		{"sealed-elsewhere", good, put("views/mine/records.sha256", "x"), []string{"views/mine does not hold"}},
		{"link", good, func(t *testing.T, dir string) {
			if err := os.Symlink("report.md", filepath.Join(dir, filepath.FromSlash(mine), "other.md")); err != nil {
				t.Fatal(err)
			}
		}, []string{"other.md is not a file"}},
		{"not-sealed", faulty, both(), []string{"cannot be sealed", "not sealed", "manifest.json is missing"}},
		{"not-sealed-forged", faulty, both(put(mine+"/grading.json", `{"verdict":"PASS"}`), put(mine+"/records.sha256", "forged"), remove(mine+"/summary.json")),
			[]string{"cannot be sealed", "grading.json does not follow", "records.sha256 was added", "summary.json is missing"}},
	}
	for _, name := range records {
		cases = append(cases, spoiled{"without-" + name, good, remove(path.Join(mine, name)), []string{name + " is missing"}},
			spoiled{"changed-" + name, good, put(path.Join(mine, name), "{}\n"), []string{name + " does not follow from the episodes"}})
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "copy")
			if err := os.CopyFS(dir, os.DirFS(c.dir)); err != nil {
				t.Fatal(err)
			}
			c.spoil(t, dir)
			out, code := verify(dir)
			if want := min(len(c.says), 1); code != want || (len(c.says) == 0) != strings.Contains(out, mine+" holds: ") && !strings.Contains(out, "no episode stands") {
				t.Errorf("exit %d\n%s", code, out)
			}
			for _, says := range c.says {
				if !strings.Contains(out, says) {
					t.Errorf("it does not say %q:\n%s", says, out)
				}
			}
		})
	}
	made, err := derive(t.Context(), good)
	if err != nil || !slices.Equal(slices.Sorted(maps.Keys(within(made, "codewiki/three_gates"))), slices.Sorted(slices.Values(records))) {
		t.Errorf("%v: the records are %v", err, slices.Sorted(maps.Keys(made)))
	}
}
