package stock

import (
	"strings"
	"testing"
	"testing/fstest"

	"benchwright/sim/files"
)

func TestDecimalsAreWrittenAsPythonWritesThem(t *testing.T) {
	for _, c := range []struct {
		d           Decimal
		text, fixed string
	}{
		{Decimal{125, 1}, "12.5", "12.5"}, {Decimal{120, 1}, "12.0", "12.0"}, {Decimal{1250, 2}, "12.5", "12.50"}, {Decimal{5, 2}, "0.05", "0.05"},
		{Decimal{0, 2}, "0.0", "0.00"}, {Decimal{700, 2}, "7.0", "7.00"}, {Ratio(67, 3, 2), "22.33", "22.33"}, {Ratio(65, 3, 2), "21.67", "21.67"},
		{Ratio(49, 2, 2), "24.5", "24.50"}, {Ratio(49, 4, 2), "12.25", "12.25"},
	} {
		if got := c.d.String(); got != c.text {
			t.Errorf("%+v: %s, want %s", c.d, got, c.text)
		}
		if got := c.d.Fixed(); got != c.fixed {
			t.Errorf("%+v: fixed %s, want %s", c.d, got, c.fixed)
		}
	}
}

func TestEveryPlaceOfATemplateNeedsItsWord(t *testing.T) {
	templates := fstest.MapFS{"x/a.py": {Data: []byte("«one» + «two»\n")}}
	if _, err := Sources(templates, "x", Words{"one": "1"}); err == nil || !strings.Contains(err.Error(), `x/a.py: template: no word for the place "two"`) {
		t.Errorf("error %v", err)
	}
	tree, err := Sources(templates, "x", Words{"one": "1"}.With(Words{"two": "«three»"}))
	if err != nil || tree["a.py"] != "1 + «three»\n" {
		t.Errorf("%q, %v: words are not filled again", tree, err)
	}
	if _, err := (Words{"one": "1"}).Fill("a «one"); err == nil {
		t.Error("a place that is never closed is filled")
	}
	if _, err := Defects([]files.Defect{{ID: "d", Edits: []files.Edit{{Path: "p", Old: "a", New: "«b»"}}}}, nil); err == nil || !strings.Contains(err.Error(), "defect d") {
		t.Errorf("error %v", err)
	}
}

func TestPoliciesSettleEverySettingOnce(t *testing.T) {
	settings := []Setting{{"window", 3, 5}, {"words", []string{"a", "b"}, []string{"b"}}, {"open", false, true}}
	p := NewPolicy(files.NewRand("test"), "config/x.json", settings)
	var right, wrong int
	for path, text := range p.Documents {
		if path == "docs/evidence_index.md" {
			if !strings.Contains(text, "in force: `"+p.Active+"`") {
				t.Errorf("the index does not name %s:\n%s", p.Active, text)
			}
			continue
		}
		active := strings.HasPrefix(text, "Evidence bundle: "+p.Active+"\n")
		for _, line := range []string{"- `window`: `3`", "- `words`: `[\"a\",\"b\"]`", "- `open`: `false`"} {
			if strings.Contains(text, line) {
				right++
				if !active {
					t.Errorf("%s is archived and right", path)
				}
			}
		}
		for _, line := range []string{"- `window`: `5`", "- `words`: `[\"b\"]`", "- `open`: `true`"} {
			if strings.Contains(text, line) {
				wrong++
				if active {
					t.Errorf("%s is in force and wrong", path)
				}
			}
		}
	}
	if right != 3 || wrong != 3 || len(p.Documents) != 4 {
		t.Errorf("%d right and %d stale values in %q", right, wrong, p.Documents.Paths())
	}
}

func TestBundlesKeepTheEdgesOfTheirDefects(t *testing.T) {
	edit := func(p string) []files.Edit { return []files.Edit{{Path: p, Old: "x", New: "y"}} }
	b := Bundle("story", []files.Defect{{ID: "a", Capability: "one", Edits: edit("p")}, {ID: "b", Capability: "two", Edits: edit("q")}, {ID: "c", Capability: "two", Edits: edit("p")}},
		[][2]string{{"a", "b"}, {"b", "gone"}, {"b", "c"}})
	if err := b.Check(); err != nil || b.Depth != 3 || len(b.Edges) != 2 || len(b.RequiredFiles) != 2 || len(b.Groups["two"]) != 2 {
		t.Errorf("%+v, %v", b, err)
	}
}
