package workspace_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"benchwright/fixtures"
	"benchwright/sim"
	"benchwright/sim/workspace"
)

// planted are values that a task can ask for, by the one file in which they stand: who knows one
// has read that file.
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
	"resources/examples/generic-http/minimal.md":     "Larkmoor",
	"resources/examples/python-fastapi/minimal.md":   "quince_rows",
	"resources/validation/common-errors.md":          "Tarn-9",
	"skills/desk-handover.json":                      "K-17",
	"skills/breach-review.json":                      "QM-58",
	"skills/daloopa-capital-allocation.json":         "nineteen twentieths",
	"skills/daloopa-earnings-review.json":            "DERWENT-68",
	"skills/daloopa-guidance-tracker.json":           "8, 5, 3 and 2",
	"skills/daloopa-industry.json":                   "ESKMERE-5",
	"skills/daloopa-inflection.json":                 "KENNET-23",
	"skills/daloopa-tearsheet.json":                  "TARRANT-17",
	"skills/finance-comps.json":                      "OTTERBURN-9",
	"skills/finance-earnings-prep.json":              "PREP-ITCHEN",
	"skills/finance-guidance-tracker.json":           "WENSUM-40",
	"skills/finance-tearsheet.json":                  "ROTHER-31",
	"baselines/desk-mini-a.json":                     "30 June",
	"backends/desk-mini.json":                        "Tomas Reyl",
}

// phrases are what stories demand of a note, in whatever spelling, by all the files that have them.
var phrases = map[string][]string{
	"dividends paid":                                       {"skills/daloopa-capital-allocation.json"},
	"latest_calendar_quarter":                              {"skills/daloopa-tearsheet.json"},
	"metric by metric":                                     {"skills/daloopa-earnings-review.json"},
	"recent quarters over old ones":                        {"skills/daloopa-guidance-tracker.json"},
	"quarter-over-quarter growth per series":               {"skills/daloopa-inflection.json"},
	"growth-rate reversals":                                {"skills/daloopa-inflection.json"},
	"price action first":                                   {"skills/finance-tearsheet.json"},
	"price action":                                         {"skills/finance-tearsheet.json"},
	"short investment conclusion a reader could act on":    {"skills/finance-tearsheet.json"},
	"investment conclusion":                                {"skills/finance-tearsheet.json"},
	"evidence gaps":                                        {"skills/breach-review.json", "skills/finance-guidance-tracker.json"},
	"action items for a beat, a miss and an in-line print": {"skills/finance-earnings-prep.json"},
	"hedged language precedes the numbers":                 {"skills/finance-earnings-prep.json"},
	"hedged language":                                      {"skills/finance-earnings-prep.json"},
	"premium or discount":                                  {"skills/finance-comps.json"},
	"ground every statement in the open dashboard":         {"prompts/workspace_session_context.md"},
	"snake_case of the widget's name":                      {"resources/specs/widgets-json.md"},
}

// A source is a text of the fixtures and the file that it stands in.
type source struct{ file, text string }

// sources are all texts that are embedded, those of packed files too.
func sources(t *testing.T) []source {
	t.Helper()
	var out []source
	files, err := fixtures.Workspace().Files()
	if err != nil {
		t.Fatal(err)
	}
	read := func(r io.Reader, err error) string {
		var raw []byte
		if err == nil {
			raw, err = io.ReadAll(r)
		}
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	for _, f := range files {
		raw, err := fixtures.Workspace().Read(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		switch path.Ext(f.Name) {
		case ".gz":
			r, err := gzip.NewReader(bytes.NewReader(raw))
			out = append(out, source{f.Name, read(r, err)})
		case ".zip":
			z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range z.File {
				r, err := m.Open()
				out = append(out, source{f.Name, read(r, err)})
			}
		default:
			out = append(out, source{f.Name, string(raw)})
		}
	}
	return out
}

// told is what an agent is shown without asking for it: tools, resources and prompts by name, and
// the skills as a snapshot lists them.
func told(t *testing.T) []source {
	t.Helper()
	l, err := workspace.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	skills := sim.MustCanonical(l.Skills())
	d := open(t, `{"baseline":"desk-mini-a","backends":["desk-mini"],"skills":`+string(skills)+`}`)
	snapshot := d.w.Call(context.Background(), sim.Call{Name: workspace.GetSnapshot, Arguments: json.RawMessage(`{}`)})
	out := []source{{"the snapshot", string(snapshot.Data)}}
	for _, tool := range d.w.Tools() {
		out = append(out, source{"the tool " + tool.Name, tool.Description + "\n" + string(tool.Schema)})
	}
	for _, r := range workspace.Resources() {
		out = append(out, source{"the listing of resources", r.Name + "\n" + r.Description})
	}
	for _, p := range workspace.Prompts() {
		out = append(out, source{"the listing of prompts", p.Name + "\n" + p.Description})
	}
	return out
}

// A planted value stands in its file and nowhere else: in no other text, manifest or row, and in
// nothing that an agent is shown unasked.
func TestPlantedValuesStandInOnePlace(t *testing.T) {
	all := append(sources(t), told(t)...)
	where := func(holds func(text string) bool) []string {
		var files []string
		for _, s := range all {
			if holds(s.text) && !slices.Contains(files, s.file) {
				files = append(files, s.file)
			}
		}
		slices.Sort(files)
		return files
	}
	for place, value := range planted {
		if got := where(func(text string) bool { return strings.Contains(text, value) }); !slices.Equal(got, []string{place}) {
			t.Errorf("%q is planted in %s and stands in %q", value, place, got)
		}
	}
	for i := range all {
		all[i].text = strings.ToLower(all[i].text)
	}
	for phrase, places := range phrases {
		if got := where(func(text string) bool { return strings.Contains(text, phrase) }); !slices.Equal(got, places) {
			t.Errorf("%q should stand in %q and stands in %q", phrase, places, got)
		}
	}
	for _, s := range all {
		if folder, _, _ := strings.Cut(s.file, "/"); slices.Contains([]string{"skills", "resources", "prompts"}, folder) && planted[s.file] == "" {
			t.Errorf("nothing is planted in %s", s.file)
		}
	}
}

// What is planted in a document, skill or prompt is read with its tool.
func TestPlantedValuesAreReadWithTheirTool(t *testing.T) {
	l, err := workspace.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	d := open(t, `{"skills":`+string(sim.MustCanonical(l.Skills()))+`}`)
	for _, r := range workspace.Resources()[1:] {
		text := d.ok("read_workspace_resource", `{"uri":"`+r.URI+`"}`).get("text")
		if value := planted["resources/"+strings.TrimPrefix(r.URI, "openbb://workspace/")+".md"]; !strings.Contains(text, value) {
			t.Errorf("%s says %s", r.URI, text)
		}
	}
	for _, slug := range l.Skills() {
		if text := d.ok("get_skill_content", `{"slug":"`+slug+`"}`).get("content"); !strings.Contains(text, planted["skills/"+slug+".json"]) {
			t.Errorf("skill %s says %s", slug, text)
		}
	}
	for _, p := range workspace.Prompts() {
		if text := d.ok("get_workspace_prompt", `{"name":"`+p.Name+`"}`).get("text"); !strings.Contains(text, planted["prompts/"+p.Name+".md"]) {
			t.Errorf("prompt %s says %s", p.Name, text)
		}
	}
}

// text reads a file of the fixtures.
func text(t *testing.T, name string) string {
	t.Helper()
	raw, err := fs.ReadFile(fixtures.Workspace().FS(), name)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// Other facts that stories need of the texts, which may stand elsewhere too.
func TestTextsSayWhatStoriesNeed(t *testing.T) {
	for _, test := range []struct{ file, fact string }{
		{"skills/daloopa-tearsheet.json", "Cite via source_url"},
		{"skills/daloopa-industry.json", "daloopa_company_directory"},
		{"resources/specs/widget-parameters.md", "| `form` |"},
		{"resources/contract/backend.md", "cross-origin"},
	} {
		if !strings.Contains(text(t, test.file), test.fact) {
			t.Errorf("%s does not say %q", test.file, test.fact)
		}
	}
	var lines []string
	for line := range strings.Lines(text(t, "resources/guides/build-an-app.md")) {
		lines = append(lines, line)
	}
	last := lines[len(lines)-2:]
	if !strings.HasPrefix(last[0], "9. validate: ") || !strings.HasPrefix(last[1], "10. register: ") {
		t.Errorf("the guide ends with %q", last)
	}
	l, err := workspace.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, slug := range l.Skills() {
		if strings.HasPrefix(slug, "daloopa-") || strings.HasPrefix(slug, "finance-") {
			steps := strings.Split(l.Skill(slug).Content, "\n")
			if len(steps) < 8 || len(steps) > 14 {
				t.Errorf("%s has %d steps", slug, len(steps))
			}
			if final := steps[len(steps)-1]; slug == "daloopa-capital-allocation" && !strings.Contains(final, "cite every figure via source_url") {
				t.Errorf("%s ends with %q", slug, final)
			}
		}
	}
}
