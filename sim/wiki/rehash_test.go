package wiki

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	fixture "benchwright/fixtures/wiki"
	"benchwright/sim"
)

// Nothing can change the read-only roots; that it is found out all the same is shown by changing
// them behind the world's back.
func TestReadOnlyRootsAreHashedAnew(t *testing.T) {
	begin := func(w *world) string {
		if err := w.Begin(context.Background(), 1); err != nil {
			return err.Error()
		}
		return ""
	}
	finish := func(w *world) string { return w.Call(context.Background(), sim.Call{Name: Finish}).Fault }
	for _, kind := range []string{SourceRoot, SkillsRoot} {
		for name, act := range map[string]func(*world) string{"begin": begin, "finish": finish} {
			c := &fixture.Case{ID: "c", Source: map[string]string{"a.ts": "a"}, Skills: map[string]string{"s": "s"}}
			c.Fixture.Digests.Source, c.Fixture.Digests.Skills = fixture.TreeDigest(c.Source), fixture.TreeDigest(map[string]string{"s.md": "s"})
			l, err := newLibrary(c)
			if err != nil {
				t.Fatal(err)
			}
			open, err := l.newWorld(json.RawMessage(`{"case":"c","stages":[{"name":"protocol"},{"name":"formal"}]}`), nil)
			if err != nil {
				t.Fatal(err)
			}
			w := open.(*world)
			w.scope = catalogue
			if err := w.Begin(context.Background(), 0); err != nil {
				t.Fatal(err)
			}
			for _, f := range l.files {
				if root(f.path) == kind {
					f.text += "!"
				}
			}
			if got := act(w); !strings.Contains(got, "fixture_mismatch") || !strings.Contains(got, kind) {
				t.Errorf("%s with %s altered: %q", name, kind, got)
			}
		}
	}
}
