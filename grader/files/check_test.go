package files

import (
	"encoding/json"
	"strings"
	"testing"

	world "benchwright/sim/files"
	"benchwright/sim/files/exam"
)

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestWhatWeMakeIsInOrder checks every built-in scenario as if it came from a folder.
func TestWhatWeMakeIsInOrder(t *testing.T) {
	g := New(library, nil)
	every(t, []int{1, 2, 3, 4, 5}, []int64{3, 8}, func(in *world.Instance) {
		if err := g.Check(in); err != nil {
			t.Errorf("%s: %v", in.Manifest.EnvID, err)
		}
	})
}

// TestCheckNamesFileAndField spoils one thing of a bundle at a time. Each of these would be every
// agent's failure, were it found only when something is graded.
func TestCheckNamesFileAndField(t *testing.T) {
	type bundle struct {
		family, scenario string
		difficulty       int
	}
	rows, artifact := bundle{"pipeline", "", 2}, bundle{"tabular", "weekly_refund_rollup", 2}
	hard, program := bundle{"pipeline", "", 5}, bundle{"tabular", "", 5}
	client, repair := bundle{"retrieval_workspace", "client_adapter_sync", 5}, bundle{"script_repair", "", 5}
	set := func(field string, v any) func(in *world.Instance) {
		return func(in *world.Instance) {
			var fields map[string]any
			if err := json.Unmarshal([]byte(in.Hidden[configName]), &fields); err != nil {
				t.Fatal(err)
			}
			fields[field] = v
			in.Hidden[configName] = world.JSON(fields)
		}
	}
	first := func(change func(c *exam.Case)) func(in *world.Instance) {
		return func(in *world.Instance) {
			s, err := exam.ParseSheet(in.Hidden)
			if err != nil {
				t.Fatal(err)
			}
			change(&s.Cases[0])
			in.Hidden["cases.json"] = world.JSON(map[string]any{"runs": s.Runs, "seconds": s.Seconds, "cases": s.Cases})
		}
	}
	published := func(entrypoint string) func(in *world.Instance) {
		return func(in *world.Instance) {
			delete(in.Hidden, "cases.json")
			delete(in.Hidden, "expected_checks.json")
			set("visible_case", "")(in)
			in.Manifest.Metadata.Task = map[string]any{"entrypoint": entrypoint}
		}
	}
	for _, c := range []struct {
		name   string
		of     bundle
		spoil  func(in *world.Instance)
		want   string // "" where it is in order
		reason string
	}{
		{"as-made", rows, func(*world.Instance) {}, "", "the control"},
		{"file-and-folder", rows, first(func(c *exam.Case) { c.Files = world.Tree{"a": "", "a/b": ""} }), `hidden/cases.json: case "visible": files: "a" is a file and the folder`, "it could not be written"},
		{"folder-of-the-workspace", rows, first(func(c *exam.Case) { c.Files = world.Tree{"config": ""} }), `hidden/cases.json: case "visible": files: "config" is a file and the folder of`, "nor could this, over the workspace"},
		{"nul", rows, first(func(c *exam.Case) { c.Files = world.Tree{"a\x00b": ""} }), `hidden/cases.json: case "visible": files: `, "no file has that name"},
		{"absolute", rows, first(func(c *exam.Case) { c.Files = world.Tree{"/tmp/x": ""} }), `hidden/cases.json: case "visible": files: "/tmp/x" is not a relative`, ""},
		{"read-outside", rows, first(func(c *exam.Case) { c.Read = append(c.Read, "../x") }), `hidden/cases.json: case "visible": read: "../x"`, ""},
		{"script-gone", rows, first(func(c *exam.Case) { c.Script = []string{"gone.py"} }), `hidden/cases.json: case "visible": script: there is no "gone.py"`, "nobody could make it run"},
		{"script-option", rows, first(func(c *exam.Case) { c.Script = []string{"-c", "1"} }), `hidden/cases.json: case "visible": script: "-c" is an option`, "it is no script"},
		{"no-such-case", rows, set("other_case", "another"), `hidden/evaluator_config.json: other_case: there is no case "another"`, "it would never be observed"},
		{"no-other-case", rows, set("other_case", ""), `hidden/evaluator_config.json: other_case: there is no case ""`, "half of the score would be nobody's"},
		{"no-such-output", rows, set("output_path", "elsewhere.json"), `hidden/evaluator_config.json: visible_case: no check says`, ""},
		{"no-such-test", rows, set("required_tests", []string{"nope"}), `hidden/evaluator_config.json: required_tests: there is no test "nope"`, ""},
		{"published", rows, published("python run_pipeline.py"), "", "the published layout runs its entrypoint"},
		{"published-with-cases", rows, func(in *world.Instance) { published("python run_pipeline.py")(in); set("visible_case", "visible")(in) }, `hidden/evaluator_config.json: other_case: there is no case "other"`, "what it names has to be there"},
		{"entrypoint-option", rows, published(`python -c "print(1)"`), "manifest.json: metadata.task_descriptor.entrypoint: want", "-c is no script"},
		{"entrypoint-module", rows, published("python -m pipeline"), "manifest.json: metadata.task_descriptor.entrypoint: want", "nor is -m"},
		{"entrypoint-outside", rows, published("python ../run.py"), "manifest.json: metadata.task_descriptor.entrypoint: want", ""},
		{"entrypoint-shell", rows, published("python run_pipeline.py | tee log"), "manifest.json: metadata.task_descriptor.entrypoint: want", "no shell reads it"},
		{"entrypoint-gone", rows, published("python other.py"), `script: there is no "other.py" in the solution`, ""},
		{"entrypoint-missing", rows, published(""), "manifest.json: metadata.task_descriptor.entrypoint: want", ""},
		{"no-expected", artifact, func(in *world.Instance) { delete(in.Hidden, "expected_output.json") }, "hidden/expected_output.json: ", "nothing could be right"},
		{"expected-elsewhere", artifact, set("expected", "../../etc/passwd"), "hidden/../../etc/passwd: ", "only hidden files are read"},
		{"output-outside", artifact, set("output_path", "../x"), `output_path: "../x" is not a relative`, "no agent can write there"},
		{"exponent", artifact, set("compression_exponent", 1<<40), "hidden/evaluator_config.json: compression_exponent: ", "every score but 1 would be 0"},
		{"unmeasured", hard, set("weights", map[string]float64{"execution": 1, "charm": 1}), `hidden/evaluator_config.json: weights: nothing measures "charm"`, "nobody could pass"},
		{"negative", hard, set("weights", map[string]float64{"execution": -1}), `hidden/evaluator_config.json: weights: "execution" weighs -1`, ""},
		{"weightless", program, set("weights", map[string]float64{"execution": 0}), "hidden/evaluator_config.json: weights: nothing weighs anything", ""},
		{"endless", program, set("weights", map[string]float64{"execution": 1e308, "schema": 1e308}), "hidden/evaluator_config.json: weights: ", "their sum is no number"},
		{"no-program", program, set("program", "gone.py"), `there is no "gone.py"`, ""},
		{"no-module", client, set("module", "gone.py"), `there is no "gone.py"`, ""},
		{"no-artifact", client, set("artifact", map[string]any{"path": "x.json", "expected": "gone.json", "capability": "authority"}), "hidden/evaluator_config.json: artifact: hidden/gone.json: ", ""},
		{"cap", repair, set("score_cap", 3), "hidden/evaluator_config.json: score_cap: ", ""},
		{"required", repair, set("required_tests", []string{"x"}), "hidden/evaluator_config.json: required_tests: ", ""},
		{"own-verdict", repair, func(in *world.Instance) { delete(in.Hidden, "cases.json") }, "", "such a bundle opens, and is broken when it is graded"},
	} {
		t.Run(c.name, func(t *testing.T) {
			made := compile(t, c.of.family, c.of.scenario, c.of.difficulty, 3)
			in := &world.Instance{Manifest: made.Manifest, Visible: made.Visible, Hidden: made.Hidden.Clone()}
			c.spoil(in)
			err := New(library, nil).Check(in)
			switch {
			case c.want == "" && err != nil:
				t.Errorf("%v: %s", err, c.reason)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("error is %v\nwant %s (%s)", err, c.want, c.reason)
			}
		})
	}
}
