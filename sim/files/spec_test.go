package files_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"benchwright/sim/files"
)

func TestParseSpec(t *testing.T) {
	for _, c := range []struct{ name, in, err, reason string }{
		{"smallest", `{"env_family":"tabular","difficulty":3,"seed":7}`, "", "all else has a default"},
		{"word", `{"env_family":"tabular","difficulty":"hard","seed":7}`, "", "difficulties may be words"},
		{"digits", `{"env_family":"tabular","difficulty":"2","seed":7}`, "", "or digits in quotes"},
		{"no-scenario", `{"env_family":"tabular","difficulty":3,"seed":7,"scenario_id":""}`, "", "an empty scenario is none"},
		{"other-word", `{"env_family":"tabular","difficulty":"brutal","seed":7}`, "Unsupported difficulty value: brutal", "the published text"},
		{"too-hard", `{"env_family":"tabular","difficulty":6,"seed":7}`, "difficulty must be between 1 and 5", "the published text"},
		{"fraction", `{"env_family":"tabular","difficulty":2.5,"seed":7}`, "Unsupported difficulty value: 2.5", "not a level"},
		{"steps", `{"env_family":"tabular","difficulty":1,"seed":7,"max_steps":0}`, "max_steps must be positive", "the published text"},
		{"time", `{"env_family":"tabular","difficulty":1,"seed":7,"time_limit_seconds":-1}`, "time_limit_seconds must be positive", "the published text"},
		{"negative-seed", `{"env_family":"tabular","difficulty":1,"seed":-1}`, "seed must not be negative", "seeds count"},
		{"no-family", `{"difficulty":1,"seed":7}`, "env_family is missing", "it is required"},
		{"unknown", `{"env_family":"tabular","difficulty":1,"seed":7,"sead":1}`, `unknown field "sead"`, "a mistyped field must not pass for a default"},
		{"twice", `{"env_family":"tabular","difficulty":1,"seed":7,"seed":8}`, "duplicate key", "which one would count?"},
		{"vast", `{"env_family":"tabular","difficulty":1,"seed":7,"complexity_profile":{"distractor_count":100000}}`, "distractor_count is 100000, want 0 to 64", "a spec of somebody else's is bounded"},
		{"list", `[]`, "want a JSON object", "not a spec"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := files.ParseSpec([]byte(c.in))
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error is %v, want %q: %s", err, c.err, c.reason)
				}
				return
			}
			if err != nil {
				t.Fatalf("%v: %s", err, c.reason)
			}
			if s.MaxSteps != 12 || s.TimeLimitSeconds != 60 || s.Tools != files.AllTools || !s.Observability.ShowInstruction || s.Scenario != "" {
				t.Errorf("defaults are missing: %+v", s)
			}
			raw, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			again, err := files.ParseSpec(raw)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(s, again); diff != "" {
				t.Errorf("written and read back it differs (-first +again):\n%s", diff)
			}
		})
	}
}

func TestSpecWith(t *testing.T) {
	s := files.NewSpec("tabular", 3, 7)
	got, err := s.With(map[string]any{"scenario_id": "x", "split": "train", "task_id": "swg.train.x", "max_steps": 30})
	if err != nil {
		t.Fatal(err)
	}
	if got.Scenario != "x" || got.MaxSteps != 30 || got.GenerationParams["split"] != "train" || got.GenerationParams["task_id"] != "swg.train.x" {
		t.Errorf("not all was replaced: %+v", got)
	}
	if len(s.GenerationParams) > 0 {
		t.Error("the spec that was started from has changed")
	}
	if _, err := s.With(map[string]any{"zeal": 1, "seed": 2}); err == nil || err.Error() != "Unsupported spec overrides: ['seed', 'zeal']" {
		t.Errorf("unknown overrides: %v", err)
	}
	if _, err := s.With(map[string]any{"max_steps": 0}); err == nil {
		t.Error("an override may not break the spec")
	}
}

// The ids were computed with json.dumps and hashlib, as the published system makes them.
func TestSpecID(t *testing.T) {
	first := files.NewSpec("tabular", 3, 42)
	second := files.NewSpec("pipeline", 2, 7)
	second.Scenario = "sales_csv_pipeline"
	second.GenerationParams = map[string]any{"split": "train", "task_id": "swg.x"}
	third := files.NewSpec("tabular", 1, 1)
	third.Scenario = "a"
	third.TaskParams = map[string]any{"note": "é\u2028😀<\"", "list": []any{1, 2.5, true, nil}}
	for _, c := range []struct {
		spec files.Spec
		want string
	}{{first, "tabular-d3-s42-5d866d7d"}, {second, "pipeline-d2-s7-607a6a56"}, {third, "tabular-d1-s1-4dbddf2c"}} {
		if got := c.spec.ID(); got != c.want {
			t.Errorf("id is %s, want %s", got, c.want)
		}
	}
}

func TestToolNames(t *testing.T) {
	p := files.AllTools
	p.RunShell = false
	want := []string{"read_file", "write_file", "append_file", "list_directory", "run_python", "submit"}
	if diff := cmp.Diff(want, p.Names()); diff != "" {
		t.Error(diff)
	}
}

// Specs are compiled on machines and with toolchains of all sorts: what a stream gives is fixed.
func TestRandIsFixed(t *testing.T) {
	r := files.NewRand("k")
	got := fmt.Sprint(r.N(1000), r.Between(5, 9), r.Perm(5), r.Weighted(1, 2, 3), files.Sample(r, []string{"a", "b", "c"}, 2))
	if want := "973 5 [1 0 4 2 3] 0 [a b]"; got != want {
		t.Errorf("the stream gives %s, want %s", got, want)
	}
}

func TestTreeDigest(t *testing.T) {
	tree := files.Tree{"b/x.txt": "2", "a.txt": "1"}
	if got, want := tree.Digest(), "d47e45587ebe1a1077c16ffc68947867af2daa688c058d99f8751b0a04de76e2"; got != want {
		t.Errorf("digest is %s, want %s", got, want)
	}
}

func TestNumbersAreDifferentAndAnywhere(t *testing.T) {
	seen := map[int]bool{}
	for seed := range 50 {
		list := files.NewRand(fmt.Sprint(seed)).Numbers(7, 9)
		once := map[int]bool{}
		for _, n := range list {
			if n < 0 || n >= 9 || once[n] {
				t.Fatalf("drew %v", list)
			}
			once[n] = true
		}
		seen[list[0]] = true
	}
	if len(seen) != 9 {
		t.Errorf("of nine numbers only %v come first", seen)
	}
	if all := files.NewRand("x").Numbers(5, 5); len(all) != 5 {
		t.Errorf("all of five are %v", all)
	}
}
