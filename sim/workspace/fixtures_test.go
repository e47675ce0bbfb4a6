package workspace_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"benchwright/fixtures"
	"benchwright/sim"
	"benchwright/sim/workspace"
)

// planted are values that a task can ask for. Each stands in one file of the fixtures only, so
// that who knows it has read that file.
var planted = map[string]string{
	"prompts/workspace_tool_usage.md":                "amber-heron",
	"prompts/workspace_session_context.md":           "slate-otter",
	"resources/overview/what-is-workspace.md":        "orphan-board-31",
	"resources/overview/ai-agent-contract.md":        "agent-seal-0427",
	"resources/contract/backend.md":                  "limewick",
	"resources/specs/widgets-json.md":                "Quartermile",
	"resources/specs/apps-json.md":                   "fernhill-two-pane",
	"resources/specs/widget-types.md":                "type-ledger-88",
	"resources/specs/widget-parameters.md":           "_pinned7",
	"resources/specs/layout-grid.md":                 "thistle-204",
	"resources/guides/build-an-app.md":               "Pell Harbour",
	"resources/guides/review-app.md":                 "cleared-by-wren",
	"resources/guides/debug-app.md":                  "X-Marl-Trace",
	"resources/guides/convert-endpoint-to-widget.md": "Second Harvest",
	"resources/examples/generic-http/minimal.md":     "18441",
	"resources/examples/python-fastapi/minimal.md":   "quince_rows",
	"resources/validation/common-errors.md":          "Tarn-9",
	"skills/desk-handover.json":                      "K-17",
	"skills/breach-review.json":                      "QM-58",
	"baselines/desk-mini-a.json":                     "30 June",
	"backends/desk-mini.json":                        "Tomas Reyl",
}

func TestPlantedValuesStandInOnePlace(t *testing.T) {
	files, err := fixtures.Workspace().Files()
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(planted) {
		t.Errorf("%d files, %d planted values", len(files), len(planted))
	}
	for _, f := range files {
		raw, err := fixtures.Workspace().Read(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		for place, value := range planted {
			if strings.Contains(string(raw), value) != (place == f.Name) {
				t.Errorf("%q of %s: in %s it is the other way round", value, place, f.Name)
			}
		}
	}
}

// No tool but the one that reads a document tells what is planted in it.
func TestPlantedValuesAreReadWithTheirTool(t *testing.T) {
	d := open(t, `{"baseline":"desk-mini-a","backends":["desk-mini"],"skills":["desk-handover","breach-review"]}`)
	for _, r := range workspace.Resources()[1:] {
		text := d.ok("read_workspace_resource", `{"uri":"`+r.URI+`"}`).get("text")
		if value := planted["resources/"+strings.TrimPrefix(r.URI, "openbb://workspace/")+".md"]; !strings.Contains(text, value) {
			t.Errorf("%s says %s", r.URI, text)
		}
	}
	for _, name := range []string{"desk-handover", "breach-review"} {
		if text := d.ok("get_skill_content", `{"slug":"`+name+`"}`).get("content"); !strings.Contains(text, planted["skills/"+name+".json"]) {
			t.Errorf("skill %s says %s", name, text)
		}
	}
	for _, p := range workspace.Prompts() {
		if text := d.ok("get_workspace_prompt", `{"name":"`+p.Name+`"}`).get("text"); !strings.Contains(text, planted["prompts/"+p.Name+".md"]) {
			t.Errorf("prompt %s says %s", p.Name, text)
		}
	}
	for _, tool := range d.w.Tools() {
		for place, value := range planted {
			if strings.Contains(tool.Description+string(tool.Schema), value) {
				t.Errorf("the tool %s tells %q of %s", tool.Name, value, place)
			}
		}
	}
	snapshot := string(d.w.Call(context.Background(), sim.Call{Name: workspace.GetSnapshot, Arguments: json.RawMessage(`{}`)}).Data)
	for place, value := range planted {
		if strings.Contains(snapshot, value) {
			t.Errorf("the snapshot tells %q of %s", value, place)
		}
	}
}

func TestBuiltinFixturesAreClean(t *testing.T) {
	l, err := workspace.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range l.Backends() {
		if len(b.Warnings)+len(b.Notes) > 0 {
			t.Errorf("backend %s: %q %q", b.Slug, b.Warnings, b.Notes)
		}
	}
	for _, name := range l.Baselines() {
		t.Run(name, func(t *testing.T) {
			d := open(t, `{"baseline":"`+name+`","backends":["desk-mini"]}`)
			for _, c := range d.snapshot().Compositions {
				report := func(format string, args ...any) { t.Errorf(format, args...) }
				(&storm{}).settled(report, c)
			}
		})
	}
}
