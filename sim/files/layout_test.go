package files_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"benchwright/sim/files"
)

func TestWriteAndLoad(t *testing.T) {
	in, err := compileToy(nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	leftover := filepath.Join(dir, in.Manifest.EnvID, "hidden", "old.txt")
	if err := os.MkdirAll(filepath.Dir(leftover), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(leftover, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	root, err := in.Write(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(leftover); err == nil {
		t.Error("what stood there before is still there")
	}
	got, err := files.Load(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	if got.World() != in.World() || got.MarshalManifest() != in.MarshalManifest() {
		t.Errorf("read back it differs:\n%s", cmp.Diff(in.MarshalManifest(), got.MarshalManifest()))
	}
}

// bundle is an instance in the layout that others write, with less in its manifest.
func bundle() fstest.MapFS {
	return fstest.MapFS{
		"manifest.json": {Data: []byte(`{"env_id":"tabular-d1-s1-0","family":"tabular","difficulty":1,"seed":1,"instruction":"Do it.",
			"workspace_root":"visible","visible_files":["task.json","README.md"],"hidden_files":["expected_output.json"],"max_steps":12,
			"metadata":{"scenario_id":"x","task_descriptor":{"a":[1]},"scenario_profile":{"n":3},"theirs":true},
			"evaluator_entrypoint":"swg.x:Y","reference_solution":{"files":{"out.json":"[]"},"scenario_id":"x","seed":1}}`)},
		"visible/README.md":           {Data: []byte("x")},
		"visible/task.json":           {Data: []byte("{}")},
		"hidden/expected_output.json": {Data: []byte("[]")},
	}
}

func TestLoadOthers(t *testing.T) {
	in, err := files.Load(bundle())
	if err != nil {
		t.Fatal(err)
	}
	if in.Manifest.TimeLimitSeconds != 60 || in.Manifest.HiddenRoot != "hidden" || in.Manifest.Tools != files.AllTools {
		t.Errorf("defaults are missing: %+v", in.Manifest)
	}
	set := func(old, new string) func(m fstest.MapFS) {
		return func(m fstest.MapFS) {
			m["manifest.json"].Data = []byte(strings.Replace(string(m["manifest.json"].Data), old, new, 1))
		}
	}
	for _, c := range []struct {
		name, want string
		spoil      func(m fstest.MapFS)
	}{
		{"no-manifest", "manifest.json: ", func(m fstest.MapFS) { delete(m, "manifest.json") }},
		{"cut", "manifest.json: ", func(m fstest.MapFS) { m["manifest.json"].Data = m["manifest.json"].Data[:40] }},
		{"unlisted-file", `hidden_files: lists ["expected_output.json"]; the folder holds ["expected_output.json" "more.txt"]`, func(m fstest.MapFS) {
			m["hidden/more.txt"] = &fstest.MapFile{}
		}},
		{"missing-file", "visible_files: lists", func(m fstest.MapFS) { delete(m, "visible/README.md") }},
		{"no-hidden", "hidden", func(m fstest.MapFS) { delete(m, "hidden/expected_output.json") }},
		{"link", "visible/link is neither a file nor a folder", func(m fstest.MapFS) {
			m["visible/link"] = &fstest.MapFile{Data: []byte("../hidden"), Mode: os.ModeSymlink}
		}},
		{"wrong-type", "difficulty", set(`"difficulty":1`, `"difficulty":"1"`)},
		{"level", "difficulty must be between 1 and 5", set(`"difficulty":1`, `"difficulty":9`)},
		{"steps", "max_steps must be positive", set(`"max_steps":12`, `"max_steps":0`)},
		{"many-steps", "manifest.json: max_steps must not be more than", set(`"max_steps":12`, `"max_steps":2147483648`)},
		{"long", "manifest.json: time_limit_seconds must not be more than 1048576", set(`"max_steps":12`, `"max_steps":12,"time_limit_seconds":1099511627776`)},
		{"overflows", "manifest.json: time_limit_seconds must not be more than", set(`"max_steps":12`, `"max_steps":12,"time_limit_seconds":4611686018427387904`)},
		{"long-command", "manifest.json: tool_permissions: timeouts must not be more than", set(`"max_steps":12`, `"max_steps":12,"tool_permissions":{"shell_timeout_seconds":1099511627776,"python_timeout_seconds":5}`)},
		{"root", `workspace_root is "/etc", want visible`, set(`"workspace_root":"visible"`, `"workspace_root":"/etc"`)},
		{"reference-out", `reference_solution: "../x" is not a relative`, set(`"out.json"`, `"../x"`)},
		{"no-evaluator", "evaluator_entrypoint is missing", set(`"swg.x:Y"`, `""`)},
		{"huge", "larger than 8 MiB", func(m fstest.MapFS) { m["visible/README.md"].Data = make([]byte, 8<<20+1) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := bundle()
			c.spoil(m)
			if _, err := files.Load(m); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want %q", err, c.want)
			}
		})
	}
}

func TestWriteStaysInside(t *testing.T) {
	in, err := compileToy(nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"", ".", "..", "../x", "/tmp/x", "a/b", `a\b`} {
		bad := *in
		bad.Manifest.EnvID = id
		if _, err := bad.Write(t.TempDir()); err == nil {
			t.Errorf("id %q was written", id)
		}
	}
}
