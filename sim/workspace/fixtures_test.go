package workspace_test

import (
	"strings"
	"testing"

	"benchwright/sim/workspace"
)

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
			serves := "stark-enterprise-x"
			if strings.HasPrefix(name, "desk-mini") {
				serves = "desk-mini"
			}
			d := open(t, `{"baseline":"`+name+`","backends":["`+serves+`"]}`)
			for _, c := range d.snapshot().Compositions {
				report := func(format string, args ...any) { t.Errorf(format, args...) }
				(&storm{}).settled(report, c)
			}
		})
	}
}
