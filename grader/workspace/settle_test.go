package workspace

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"benchwright/sim"
	world "benchwright/sim/workspace"
)

// A wall is a dashboard of the real world with widgets that its grid settles.
type wall struct {
	t *testing.T
	w sim.World
}

func newWall(t *testing.T, places [][4]int) *wall {
	t.Helper()
	type item struct {
		Type   string         `json:"widget_type"`
		UUID   string         `json:"widget_uuid"`
		Name   string         `json:"name"`
		Data   string         `json:"data"`
		Layout map[string]int `json:"layout"`
	}
	var items []item
	for i, p := range places {
		items = append(items, item{"note", fmt.Sprintf("w%d", i), fmt.Sprintf("N%d", i), "x", map[string]int{"x": p[0], "y": p[1], "w": p[2], "h": p[3]}})
	}
	setup := map[string]any{"backends": []string{"desk-mini"}, "selected": "Wall", "state": map[string]any{"dashboards": []any{map[string]any{"name": "Wall", "generated_widgets": items}}}}
	w, err := world.Kind.New(t.Context(), sim.Env{}, sim.MustCanonical(setup), []string{world.AllTools})
	if err != nil {
		t.Fatal(err)
	}
	return &wall{t, w}
}

func (b *wall) call(tool string, args map[string]any) {
	b.t.Helper()
	if r := b.w.Call(context.Background(), sim.Call{Name: tool, Arguments: sim.MustCanonical(args)}); !r.OK() {
		b.t.Fatalf("%s %v: %s", tool, args, r.Data)
	}
}

func (b *wall) move(uuid string, x, y, w, h int) {
	b.call("update_widget_layout", map[string]any{"widget_uuid": uuid, "x": x, "y": y, "w": w, "h": h})
}

func (b *wall) board() *world.Composition {
	b.t.Helper()
	s, err := b.w.State()
	if err != nil {
		b.t.Fatal(err)
	}
	raw, err := world.ParseSnapshot(s.JSON())
	if err != nil {
		b.t.Fatal(err)
	}
	return raw.Composition
}

// unexplained returns the widgets that are elsewhere, are no targets, and did not only settle.
func unexplained(was, is *world.Composition, targets ...string) (out []string) {
	ok := settled(was, is, func(c change) bool { return slices.Contains(targets, c.key) })
	for i := range is.Widgets {
		w := &is.Widgets[i]
		if old := was.Widget(w.UUID); old != nil && old.Layout != w.Layout && !ok[w.UUID] && !slices.Contains(targets, w.UUID) {
			out = append(out, w.UUID)
		}
	}
	return out
}

func TestWhatSettlesIsExplained(t *testing.T) {
	stack := [][4]int{{0, 0, 20, 10}, {0, 10, 20, 6}, {0, 16, 20, 8}, {20, 0, 20, 14}, {20, 14, 20, 10}}
	for _, tt := range []struct {
		name    string
		do      func(b *wall)
		targets []string
		want    []string // what was put elsewhere
		reason  string
	}{
		{"one removed", func(b *wall) { b.call("delete_widget", map[string]any{"widget_uuid": "w0"}) }, nil, nil, "what was below it rises"},
		{"one put above", func(b *wall) { b.move("w4", 0, 0, 20, 10) }, []string{"w4"}, nil, "what was there sinks"},
		{"one put above, full width", func(b *wall) { b.move("w2", 0, 0, 40, 5) }, []string{"w2"}, nil, "everything sinks"},
		{"a note made", func(b *wall) {
			b.call("add_generative_widget", map[string]any{"widget_type": "note", "name": "N", "data": "x"})
		}, nil, nil, "it comes below all others"},
		{"swapped in passing", func(b *wall) {
			b.call("delete_widget", map[string]any{"widget_uuid": "w0"})
			b.move("w3", 20, 30, 20, 14)
		}, nil, []string{"w3", "w4"}, "nothing of the right column was asked for"},
		{"swapped where one went", func(b *wall) {
			b.call("delete_widget", map[string]any{"widget_uuid": "w0"})
			b.move("w1", 0, 60, 20, 6)
		}, nil, []string{"w2"}, "it passed one that only rose"},
		{"moved sideways", func(b *wall) {
			b.call("delete_widget", map[string]any{"widget_uuid": "w0"})
			b.move("w3", 19, 0, 21, 14)
		}, nil, []string{"w3"}, "settling moves no columns"},
		{"nothing asked for", func(b *wall) { b.move("w3", 20, 30, 20, 14) }, nil, []string{"w3", "w4"}, "nothing came or went"},
		{"sunk under one that sank", func(b *wall) { b.move("w4", 0, 0, 20, 10); b.move("w0", 0, 90, 20, 10) }, []string{"w4"}, []string{"w0"}, "nothing that came there put it below the others"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newWall(t, stack)
			was := b.board()
			tt.do(b)
			if got := unexplained(was, b.board(), tt.targets...); !slices.Equal(got, tt.want) {
				t.Errorf("unexplained are %v, want %v, since %s: %+v", got, tt.want, tt.reason, b.board().Widgets)
			}
		})
	}
}

// What others do to a widget explains where it is, in whatever order targets are moved, made and removed;
// what is done to it itself is told, where the targets are where they were to be. (Below a target it may as
// well have been pushed.)
func TestSettlingOfAnyWallIsExplained(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	cheats, told := 0, 0
	for n := range 300 {
		var places [][4]int
		for range 3 + rng.IntN(6) {
			w := 5 * (1 + rng.IntN(8))
			places = append(places, [4]int{5 * rng.IntN((40-w)/5+1), rng.IntN(20), w, 2 + rng.IntN(8)})
		}
		b := newWall(t, places)
		// The start is a wall that has settled.
		b.call("add_generative_widget", map[string]any{"widget_type": "note", "name": "N", "data": "x"})
		was := b.board()
		var targets []string
		for i := range places {
			if rng.IntN(3) == 0 {
				targets = append(targets, fmt.Sprintf("w%d", i))
			}
		}
		for _, uuid := range targets {
			switch rng.IntN(4) {
			case 0:
				b.call("delete_widget", map[string]any{"widget_uuid": uuid})
			default:
				w := 5 * (1 + rng.IntN(8))
				b.move(uuid, 5*rng.IntN((40-w)/5+1), rng.IntN(25), w, 2+rng.IntN(8))
			}
		}
		honest := b.board()
		if got := unexplained(was, honest, targets...); len(got) > 0 {
			t.Fatalf("wall %d: with targets %v, %v are unexplained\n%s\n%s", n, targets, got, sim.MustCanonical(was), sim.MustCanonical(honest))
		}
		for i := range honest.Widgets {
			w := &honest.Widgets[i]
			if slices.Contains(targets, w.UUID) || len(targets) == 0 {
				continue
			}
			l := w.Layout
			b.move(w.UUID, int(l.X), int(l.Y)+15, int(l.W), int(l.H))
			is := b.board()
			kept := !slices.ContainsFunc(targets, func(id string) bool {
				x, y := honest.Widget(id), is.Widget(id)
				return x != nil && x.Layout != y.Layout
			})
			if kept && is.Widget(w.UUID).Layout != l {
				cheats++
				if len(unexplained(was, is, targets...)) > 0 {
					told++
				}
			}
			break
		}
	}
	if cheats < 30 || told*10 < cheats*9 {
		t.Errorf("of %d widgets that were put elsewhere %d are told", cheats, told)
	}
	t.Logf("of %d widgets that were put elsewhere %d are told", cheats, told)
}
