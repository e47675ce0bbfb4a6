package workspace

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// grid makes a dashboard of one tab of rectangles "x,y wxh".
func grid(bar bool, rectangles ...string) *dashboard {
	d := &dashboard{board: board{bar: bar, tabs: []tab{{}}}}
	for i, r := range rectangles {
		var p place
		if _, err := fmt.Sscanf(r, "%g,%g %gx%g", &p.x, &p.y, &p.w, &p.h); err != nil {
			panic(err)
		}
		d.widgets = append(d.widgets, &widget{body: &body{uuid: fmt.Sprint(i)}, at: p})
	}
	return d
}

func (d *dashboard) drawn() string {
	var all []string
	for _, w := range d.widgets {
		all = append(all, fmt.Sprintf("%g,%g %gx%g", w.at.x, w.at.y, w.at.w, w.at.h))
	}
	return strings.Join(all, " | ")
}

func TestSettle(t *testing.T) {
	tests := []struct {
		name   string
		bar    bool
		given  []string
		newest int
		want   string
		reason string
	}{
		{"compact", false, []string{"0,0 20x10", "20,0 20x10", "0,10 40x5"}, -1, "0,0 20x10 | 20,0 20x10 | 0,10 40x5", "what is compact stays"},
		{"gap", false, []string{"0,0 20x10", "0,15 20x5"}, -1, "0,0 20x10 | 0,10 20x5", "gaps close"},
		{"far down", false, []string{"0,0 20x10", "0,900 20x5"}, 1, "0,0 20x10 | 0,10 20x5", "a widget parked far down rises"},
		{"free column", false, []string{"0,0 20x10", "20,30 20x5"}, 1, "0,0 20x10 | 20,0 20x5", "it rises to the top where nothing is above it"},
		{"corner", false, []string{"0,0 20x10", "0,0 20x4"}, 1, "0,0 20x10 | 0,10 20x4", "the incumbent was first"},
		{"corner taken by an older widget", false, []string{"0,0 20x10", "0,0 20x4"}, 0, "0,4 20x10 | 0,0 20x4", "newest is who moved, not who is younger"},
		{"corner of three", false, []string{"0,0 5x5", "0,0 5x5", "0,0 5x5"}, 1, "0,0 5x5 | 0,10 5x5 | 0,5 5x5", "incumbents before the newest, in order of creation"},
		{"same row", false, []string{"5,0 20x10", "0,0 10x4"}, 1, "5,4 20x10 | 0,0 10x4", "further left is taken first"},
		{"overlap", false, []string{"0,0 20x10", "10,5 20x10"}, -1, "0,0 20x10 | 10,10 20x10", "it is pushed below"},
		{"touching", false, []string{"0,0 20x10", "20,0 20x3", "0,10 20x2"}, -1, "0,0 20x10 | 20,0 20x3 | 0,10 20x2", "edges may touch"},
		{"bar", true, []string{"0,2 20x10", "0,40 20x5"}, -1, "0,2 20x10 | 0,12 20x5", "content starts below the bar"},
		{"bar alone", true, []string{"0,9 20x5"}, -1, "0,2 20x5", "the first row of content is the third"},
		{"under the bar", true, []string{"0,0 20x5", "0,9 20x5"}, -1, "0,0 20x5 | 0,5 20x5", "what is above the content stays"},
		{"above the grid", false, []string{"0,-3 20x5", "0,0 20x5"}, -1, "0,-3 20x5 | 0,2 20x5", "nothing is clamped"},
		{"no area", false, []string{"0,0 20x10", "0,5 20x0", "0,5 -4x3", "0,12 20x5"}, -1, "0,0 20x10 | 0,5 20x0 | 0,5 -4x3 | 0,10 20x5", "a widget without an area takes no part"},
		{"outside", false, []string{"35,9 20x5", "-5,9 4x4"}, -1, "35,0 20x5 | -5,0 4x4", "columns are never changed"},
		{"fractions", false, []string{"0,0 20x2.5", "0,4.75 20x1"}, -1, "0,0 20x2.5 | 0,2.5 20x1", "gaps close whatever their size"},
		{"slips past", false, []string{"0,0 10x5", "0,5 20x1", "15,5 10x1"}, 2, "0,0 10x5 | 0,5 20x1 | 15,0 10x1", "a row is free above it"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := grid(test.bar, test.given...)
			d.settle("", test.newest)
			if got := d.drawn(); got != test.want {
				t.Errorf("%s\n got %s\nwant %s", test.reason, got, test.want)
			}
		})
	}
}

// overlap reports whether two rectangles have a cell in common; touching edges are none.
func overlap(a, b *place) bool {
	return a.x < b.x+b.w && b.x < a.x+a.w && a.y < b.y+b.h && b.y < a.y+a.h
}

// step settles a dashboard row by row, as the rule is worded.
func (d *dashboard) step(newest int) {
	order := make([]int, len(d.widgets))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := d.widgets[i].at, d.widgets[j].at
		if a.y != b.y {
			return int(a.y - b.y)
		}
		if a.x != b.x {
			return int(a.x - b.x)
		}
		if i == newest {
			return 1
		}
		if j == newest {
			return -1
		}
		return i - j
	})
	var placed []place
	hits := func(p place) *place {
		for i := range placed {
			if overlap(&p, &placed[i]) {
				return &placed[i]
			}
		}
		return nil
	}
	bottom := d.base()
	for _, i := range order {
		p := d.widgets[i].at
		p.y = min(p.y, bottom)
		for p.y > d.base() {
			up := p
			up.y--
			if hits(up) != nil {
				break
			}
			p = up
		}
		for q := hits(p); q != nil; q = hits(p) {
			p.y = q.y + q.h
		}
		d.widgets[i] = d.widgets[i].moved(p)
		placed = append(placed, p)
		bottom = max(bottom, p.y+p.h)
	}
}

func scattered(r *rand.Rand) *dashboard {
	d := &dashboard{board: board{bar: r.IntN(3) == 0, tabs: []tab{{}}}}
	for i := range 1 + r.IntN(9) {
		w := 1 + r.IntN(20)
		d.widgets = append(d.widgets, &widget{body: &body{uuid: fmt.Sprint(i)}, at: place{
			x: float64(r.IntN(41 - w)), y: float64(r.IntN(30)), w: float64(w), h: float64(1 + r.IntN(9)),
		}})
	}
	return d
}

func TestSettleIsTheRuleRowByRow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5_000 {
		d := scattered(r)
		newest := r.IntN(len(d.widgets)+1) - 1
		given := d.drawn()
		want := &dashboard{board: d.board}
		want.widgets = slices.Clone(d.widgets)
		want.step(newest)
		d.settle("", newest)
		if d.drawn() != want.drawn() {
			t.Fatalf("bar %t, newest %d, given %s\n got %s\nwant %s", d.bar, newest, given, d.drawn(), want.drawn())
		}
	}
}

// plainly settles a dashboard by comparing each widget with all that were placed before it.
func (d *dashboard) plainly(newest int) {
	order := make([]int, 0, len(d.widgets))
	for i, w := range d.widgets {
		if w.at.w > 0 && w.at.h > 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := d.widgets[i].at, d.widgets[j].at
		late := func(i int) int {
			if i == newest {
				return len(d.widgets)
			}
			return i
		}
		return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x), late(i)-late(j))
	})
	var placed []place
	rise := func(p place, bottom float64) place {
		p.y = min(p.y, bottom)
		if p.y <= d.base() {
			return p
		}
		up, top := p, d.base()
		up.y = max(p.y-1, d.base())
		for _, q := range placed {
			if q.x >= p.x+p.w || p.x >= q.x+q.w {
				continue
			}
			if q.y+q.h <= p.y {
				top = max(top, q.y+q.h)
			} else if overlap(&up, &q) {
				return p
			}
		}
		p.y = top
		return p
	}
	bottom := d.base()
	for _, i := range order {
		p := rise(d.widgets[i].at, bottom)
		for n := 0; n < len(placed); n++ {
			if overlap(&p, &placed[n]) {
				p.y, n = placed[n].y+placed[n].h, -1
			}
		}
		d.widgets[i] = d.widgets[i].moved(p)
		placed = append(placed, p)
		bottom = max(bottom, p.y+p.h)
	}
}

// TestSettleIsTheRuleWhateverTheNumbers compares with the plain algorithm on tabs of whole
// numbers, fractions, negative and huge coordinates, sizes that vanish beside them and sizes
// below nothing, dense and sparse.
func TestSettleIsTheRuleWhateverTheNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	pick := func(from ...float64) float64 { return from[r.IntN(len(from))] }
	number := map[string]func(span int) float64{
		"whole":    func(span int) float64 { return float64(r.IntN(span)) },
		"quarters": func(span int) float64 { return float64(r.IntN(4*span)) / 4 },
		"any":      func(span int) float64 { return r.Float64() * float64(span) },
		"negative": func(span int) float64 { return float64(r.IntN(2*span)-span) / 2 },
		"tenths":   func(span int) float64 { return float64(r.IntN(10*span)) * 0.1 },
		"huge": func(span int) float64 {
			return pick(-1e9, 1e9, 1e9-0.5, 5e8, 1e-300, 1e-9, 0, 1, 0.3, float64(r.IntN(span)))
		},
	}
	kinds := slices.Sorted(maps.Keys(number))
	for n := range 20_000 {
		at, size := number[kinds[n%len(kinds)]], number[kinds[n/len(kinds)%len(kinds)]]
		d := &dashboard{board: board{bar: r.IntN(3) == 0, tabs: []tab{{}}}}
		rows := 1 + r.IntN(60)
		for i := range 1 + r.IntN(1+n%40) {
			d.widgets = append(d.widgets, &widget{body: &body{uuid: fmt.Sprint(i)}, at: place{x: at(40), y: at(rows), w: size(20), h: size(9)}})
		}
		newest := r.IntN(len(d.widgets)+1) - 1
		given := d.drawn()
		want := &dashboard{board: d.board}
		want.widgets = slices.Clone(d.widgets)
		want.plainly(newest)
		d.settle("", newest)
		for i := range d.widgets {
			if d.widgets[i].at != want.widgets[i].at {
				t.Fatalf("bar %t, newest %d, given %s\n got %s\nwant %s", d.bar, newest, given, d.drawn(), want.drawn())
			}
		}
	}
}

// TestSettleManyQuickly settles crowds that nobody lays out by hand: the old way of starting anew
// at each obstacle would take minutes for the last of them.
func TestSettleManyQuickly(t *testing.T) {
	const n = 5_000
	for name, at := range map[string]func(i int) place{
		"columns":    func(i int) place { return place{x: float64(i % 4 * 10), y: float64(i), w: 10, h: 8} },
		"one corner": func(i int) place { return place{w: 40, h: 1} },
		"far apart":  func(i int) place { return place{x: float64(i % 40), y: float64(i) * 100, w: 1, h: 0.5} },
	} {
		t.Run(name, func(t *testing.T) {
			d := &dashboard{}
			for i := range n {
				d.widgets = append(d.widgets, &widget{body: &body{}, at: at(i)})
			}
			d.settle("", 0)
			last := 0.0
			for _, w := range d.widgets {
				last = max(last, w.at.y+w.at.h)
			}
			area := 0.0
			for _, w := range d.widgets {
				area += w.at.w * w.at.h
			}
			if last < area/GridWidth || last > area/GridWidth+16 {
				t.Errorf("%d widgets end in row %g, and fill %g rows", n, last, area/GridWidth)
			}
		})
	}
}

func TestSettleProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 5_000 {
		d := scattered(r)
		least := 1.0
		if n%4 == 0 { // odd geometry: fractions, outside the grid, without an area
			least = 0.25
			for _, w := range d.widgets {
				w.at.x += float64(r.IntN(9)-4) / 4
				w.at.y += float64(r.IntN(40)-12) / 4
				w.at.h += float64(r.IntN(9)-6) / 4
			}
		}
		given := d.drawn()
		before := slices.Clone(d.widgets)
		d.settle("", len(d.widgets)-1)
		settled := d.drawn()
		for i, w := range d.widgets {
			if old := before[i].at; w.at.x != old.x || w.at.w != old.w || w.at.h != old.h || w.body != before[i].body {
				t.Fatalf("columns or sizes changed: %s became %s", given, settled)
			}
			if w.at.w <= 0 || w.at.h <= 0 {
				if w != before[i] {
					t.Fatalf("a widget without an area moved: %s became %s", given, settled)
				}
				continue
			}
			up := w.at
			up.y -= min(least, max(up.y-d.base(), 0))
			free := up.y < w.at.y
			for j, v := range d.widgets {
				if i == j || v.at.w <= 0 || v.at.h <= 0 {
					continue
				}
				if overlap(&w.at, &v.at) {
					t.Fatalf("%d and %d overlap: %s became %s", i, j, given, settled)
				}
				free = free && !overlap(&up, &v.at)
			}
			if free {
				t.Fatalf("%d could rise: %s became %s", i, given, settled)
			}
			for j, v := range before { // whoever came first keeps a contested corner
				if corner := before[i].at; j < i && v.at.x == corner.x && v.at.y == corner.y && v.at.w > 0 && v.at.h > 0 && d.widgets[j].at.y > w.at.y {
					t.Fatalf("%d lost its corner to %d: %s became %s", j, i, given, settled)
				}
			}
		}
		d.settle("", -1)
		if d.drawn() != settled {
			t.Fatalf("not idempotent: %s became %s and then %s", given, settled, d.drawn())
		}
	}
}

func TestSettleLeavesOtherTabsAlone(t *testing.T) {
	d := grid(false, "0,50 10x5", "0,40 10x5")
	d.widgets[1].at.tab = "other"
	was := d.widgets[1]
	d.settle("", -1)
	if d.drawn() != "0,0 10x5 | 0,40 10x5" || d.widgets[1] != was {
		t.Errorf("settled %s", d.drawn())
	}
}

func TestFreeRow(t *testing.T) {
	if got := grid(true).freeRow(""); got != 2 {
		t.Errorf("an empty dashboard with a bar begins in row %g", got)
	}
	if got := grid(false, "0,0 5x5", "9,7 5x6", "3,1 2x2").freeRow(""); got != 13 {
		t.Errorf("free row %g, want 13", got)
	}
}

func BenchmarkSettle(b *testing.B) {
	for _, n := range []int{16, 400, 5000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := rand.New(rand.NewPCG(5, 6))
			d := &dashboard{}
			for i := range n {
				d.widgets = append(d.widgets, &widget{body: &body{uuid: fmt.Sprint(i)}, at: place{x: float64(r.IntN(3) * 13), y: float64(i), w: 13, h: 8}})
			}
			d.settle("", -1)
			b.ReportAllocs()
			for b.Loop() {
				d.settle("", n-1)
			}
		})
	}
}
