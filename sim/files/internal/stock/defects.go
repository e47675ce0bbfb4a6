package stock

import (
	"slices"
	"strings"

	"benchwright/sim"
	"benchwright/sim/files"
)

// Solution returns the correct text of each file that defects touch.
func Solution(canonical files.Tree, defects []files.Defect) files.Tree {
	t := files.Tree{}
	for _, d := range defects {
		for _, e := range d.Edits {
			t[e.Path] = canonical[e.Path]
		}
	}
	return t
}

// LeftIn returns, for each of several defects, the solution that overlooks it.
func LeftIn(canonical files.Tree, defects []files.Defect) []files.NearMiss {
	var list []files.NearMiss
	for _, d := range defects {
		if len(defects) == 1 {
			return nil // to overlook the only one is to do nothing
		}
		broken, err := files.Inject(canonical, []files.Defect{d})
		if err != nil {
			panic("stock: " + err.Error()) // it was injected among others before
		}
		left := files.Tree{}
		for _, e := range d.Edits {
			left[e.Path] = broken[e.Path]
		}
		list = append(list, files.NearMiss{Trap: "leaves " + d.ID, Files: left})
	}
	return list
}

// Bundle groups defects by their capabilities, with those of the edges whose two ends are there.
func Bundle(scenario string, defects []files.Defect, edges [][2]string) *files.DefectBundle {
	b := &files.DefectBundle{ID: scenario + "_bundle", Groups: map[string][]string{}, Edges: [][2]string{}}
	for _, d := range defects {
		b.DefectIDs = append(b.DefectIDs, d.ID)
		b.Groups[d.Capability] = append(b.Groups[d.Capability], d.ID)
		for _, e := range d.Edits {
			if !slices.Contains(b.RequiredFiles, e.Path) {
				b.RequiredFiles = append(b.RequiredFiles, e.Path)
			}
		}
	}
	for _, e := range edges {
		if slices.Contains(b.DefectIDs, e[0]) && slices.Contains(b.DefectIDs, e[1]) {
			b.Edges = append(b.Edges, e)
		}
	}
	slices.Sort(b.RequiredFiles)
	return b
}

// Scope says whether the repair of defects is local, or cross_file.
func Scope(defects []files.Defect) string {
	touched := map[string]bool{}
	for _, d := range defects {
		for _, e := range d.Edits {
			touched[e.Path] = true
		}
	}
	if len(touched) > 1 {
		return "cross_file"
	}
	return "local"
}

// Candidates lists the files of a tree that an agent might have to change.
func Candidates(t files.Tree) []string {
	var list []string
	for _, p := range t.Paths() {
		if !strings.HasSuffix(p, "__init__.py") {
			list = append(list, p)
		}
	}
	return list
}

// Ticked returns a list of paths or words as Markdown code.
func Ticked(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = "`" + s + "`"
	}
	return out
}

// Value reads JSON that the program wrote itself.
func Value(text string) any {
	v, err := sim.ParseJSON([]byte(text))
	if err != nil {
		panic("stock: " + err.Error()) // files.JSON wrote it
	}
	return v
}

// Column returns the values of a key, row by row.
func Column(rows []map[string]any, key string) []any {
	var values []any
	for _, row := range rows {
		values = append(values, row[key])
	}
	return values
}
