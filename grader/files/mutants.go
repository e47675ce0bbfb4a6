package files

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/files"
	"benchwright/sim/files/exam"
)

// state is a recorded workspace, as it is spelt.
type state struct {
	Files      map[string]world.File `json:"files"`
	Folders    []string              `json:"folders"`
	Links      map[string]string     `json:"links"`
	Submission *string               `json:"submission"`
	Submitted  bool                  `json:"submitted"`
}

// fewestSpoiled is how many mutants an instance has at least: as many as are graded of a task. Beyond
// what an evaluator should catch they are differences that it must not mind.
const fewestSpoiled = 40

// Of mutants that cost a run of code an instance has some, other ones by its seed.
const (
	mostNearMisses = 1
	mostSingle     = 2
)

// Mutants returns spoiled versions of the outcome of an instance's reference: near misses of its
// compiler, one defect left in, some repaired, code that forges a verdict, an artifact with a row
// missing, in another order, one cent off, not JSON, a link; and then differences that nothing
// follows from: folders, links, modes, what was submitted. Those that need code to be run are
// evaluated here, together, and remembered.
func (g *Grader) Mutants(ctx context.Context, in *world.Instance, good grader.Aftermath) []grader.Mutant {
	if len(good.States) == 0 {
		return nil
	}
	m := &spoiler{good: good, runs: g.Runs(in)}
	last := len(good.States) - 1
	if json.Unmarshal(good.States[last], &m.state) != nil || m.state.Files == nil {
		return nil
	}
	tree := world.Tree{}
	for p, f := range m.state.Files {
		if f.Text != nil {
			tree[p] = *f.Text
		}
	}
	m.tree = tree
	m.telling(in)
	// An error is the machine's: what could not be prepared is graded by itself, and says so.
	_ = g.Prepare(ctx, in, m.prepare...)
	m.indifferent(tree.Paths())
	return m.out
}

// telling adds the mutants that an evaluator has to catch.
func (m *spoiler) telling(in *world.Instance) {
	m.nearMisses(in)
	m.defects(in)
	targets := in.Reference().Paths()
	if m.runs {
		m.code(in, targets)
	}
	for _, p := range targets {
		m.artifact(p, m.tree[p])
	}
}

// known lists the workspaces of an instance that its certification will meet, given the one that
// the reference left.
func known(in *world.Instance, solved world.Tree) []world.Tree {
	m := &spoiler{tree: solved, runs: true, good: grader.Aftermath{States: []json.RawMessage{nil}}}
	m.state.Files = filesOf(m.tree)
	m.telling(in)
	return append([]world.Tree{in.Visible, m.tree}, m.prepare...)
}

// A spoiler collects mutants.
type spoiler struct {
	good    grader.Aftermath
	state   state
	tree    world.Tree
	runs    bool
	prepare []world.Tree // trees of mutants that need code to be run
	out     []grader.Mutant
}

// add adds a mutant with another last state.
func (m *spoiler) add(name string, s state) {
	raw, err := sim.Canonical(s)
	if err != nil {
		return
	}
	a := m.good
	a.States = slices.Clone(a.States)
	a.States[len(a.States)-1] = raw
	m.out = append(m.out, grader.Mutant{Name: name, Aftermath: a})
}

// lay adds a mutant with files laid over those of the reference; a text of gone takes one away.
func (m *spoiler) lay(name string, over map[string]*string) {
	s, tree, changed := m.state, m.tree.Clone(), false
	s.Files = maps.Clone(s.Files)
	for p, text := range over {
		if text == nil {
			_, there := tree[p]
			changed = changed || there
			delete(s.Files, p)
			delete(tree, p)
			continue
		}
		if old, there := tree[p]; there && old == *text {
			continue
		}
		changed = true
		s.Files[p], tree[p] = world.File{Text: text, Mode: s.Files[p].Mode}, *text
	}
	if !changed {
		return
	}
	m.add(name, s)
	if m.runs {
		m.prepare = append(m.prepare, tree)
	}
}

func pointers(t world.Tree) map[string]*string {
	out := make(map[string]*string, len(t))
	for p, text := range t {
		out[p] = &text
	}
	return out
}

func (m *spoiler) nearMisses(in *world.Instance) {
	list := in.NearMisses
	if m.runs {
		list = some(list, mostNearMisses, in.Manifest.Seed)
	}
	for _, n := range list {
		m.lay("the trap "+n.Trap, pointers(n.Files))
	}
}

// defects leaves single ones in, and repairs some.
func (m *spoiler) defects(in *world.Instance) {
	var ids []string
	for _, d := range in.Defects {
		ids = append(ids, d.ID)
	}
	state := func(name string, repaired []string) {
		tree, err := in.Repaired(repaired...)
		if err != nil {
			return
		}
		over := map[string]*string{}
		for p := range in.Canonical {
			text := tree[p]
			over[p] = &text
		}
		m.lay(name, over)
	}
	for _, id := range some(ids, mostSingle, in.Manifest.Seed) {
		state("the defect "+id+" left in", slices.DeleteFunc(slices.Clone(ids), func(s string) bool { return s == id }))
	}
	if n := len(ids) / 2; n > 0 && n < len(ids)-1 {
		state(fmt.Sprintf("%d of %d defects repaired", n, len(ids)), ids[:n])
	}
}

// some takes up to n of a list, from all over it, other ones by the seed.
func some[T any](list []T, n int, seed int64) []T {
	if len(list) <= n {
		return list
	}
	out := make([]T, n)
	for i := range out {
		out[i] = list[(int(seed&0xffff)+i*len(list)/n)%len(list)]
	}
	return out
}

// forger prints a verdict and ends as if all were well, whatever it is asked to do.
const forger = `import json

print(json.dumps({"success": True, "score": 1.0, "subscores": {}, "failure_labels": [], "diagnostics": {}}), flush=True)
raise SystemExit(0)
`

// code puts a forger in the place of what does the work: of a source of the reference, or of the
// script that is run.
func (m *spoiler) code(in *world.Instance, targets []string) {
	if s, err := exam.ParseSheet(in.Hidden); err == nil {
		for _, c := range s.Cases {
			targets = append(targets, c.Script[:min(1, len(c.Script))]...)
		}
	}
	for _, p := range targets {
		if _, there := m.tree[p]; there && strings.HasSuffix(p, ".py") {
			text := forger
			m.lay("a verdict printed by "+p, map[string]*string{p: &text})
			return
		}
	}
}

// artifact spoils a JSON file of the reference.
func (m *spoiler) artifact(path, text string) {
	if !strings.HasSuffix(path, ".json") {
		return
	}
	set := func(name, text string) { m.lay(path+" "+name, map[string]*string{path: &text}) }
	if m.runs {
		return
	}
	m.lay(path+" missing", map[string]*string{path: nil})
	set("cut short", text[:len(text)/2])
	set("empty", "")
	set("about something else", "{\"status\": \"done\"}\n")
	s := m.state
	s.Files, s.Links = maps.Clone(s.Files), maps.Clone(s.Links)
	delete(s.Files, path)
	elsewhere := "copy_of_" + strings.ReplaceAll(path, "/", "_")
	s.Files[elsewhere] = world.File{Text: &text}
	m.add(path+" under another name", s)
	s.Links[path] = strings.Repeat("../", strings.Count(path, "/")) + elsewhere
	m.add(path+" a link", s)
	s = m.state
	s.Files = maps.Clone(s.Files)
	s.Files[path] = world.File{SHA256: world.FileDigest(text), Size: 1 << 21}
	m.add(path+" too large to be kept", s)
	v, err := sim.ParseJSON([]byte(text))
	if err != nil {
		return
	}
	switch v := v.(type) {
	case []any:
		m.rows(set, v)
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			other := maps.Clone(v)
			delete(other, k)
			set("without "+k, world.JSON(other))
			set("with another "+k, world.JSON(with(v, k, altered(v[k]))))
		}
		set("with a further key", world.JSON(with(v, "zz_further", "x")))
	}
}

func with(m map[string]any, key string, v any) map[string]any {
	out := maps.Clone(m)
	out[key] = v
	return out
}

// altered is another value of the same type.
func altered(v any) any {
	switch v := v.(type) {
	case string:
		return v + "x"
	case json.Number:
		if strings.Contains(v.String(), ".") {
			return json.Number(v.String() + "1")
		}
		return json.Number("9" + strings.TrimPrefix(v.String(), "-"))
	case bool:
		return !v
	case []any:
		if len(v) > 1 {
			out := slices.Clone(v)
			slices.Reverse(out)
			return out
		}
		return append(slices.Clone(v), "x")
	case map[string]any:
		return with(v, "zz_further", "x")
	}
	return "x"
}

func (m *spoiler) rows(set func(name, text string), list []any) {
	turned := slices.Clone(list)
	slices.Reverse(turned)
	set("in another order", world.JSON(turned))
	set("empty of rows", "[]\n")
	set("wrapped in an object", world.JSON(map[string]any{"rows": list}))
	for i, e := range list {
		row, ok := e.(map[string]any)
		if !ok || i >= 6 {
			break
		}
		set(fmt.Sprintf("without row %d", i), world.JSON(slices.Delete(slices.Clone(list), i, i+1)))
		set(fmt.Sprintf("with row %d twice", i), world.JSON(slices.Insert(slices.Clone(list), i, e)))
		for _, k := range slices.Sorted(maps.Keys(row)) {
			other := slices.Clone(list)
			other[i] = with(row, k, altered(row[k]))
			set(fmt.Sprintf("with another %s in row %d", k, i), world.JSON(other))
		}
	}
}

// indifferent adds differences that nothing follows from, until there are enough mutants.
func (m *spoiler) indifferent(paths []string) {
	more := func(name string, spoil func(s *state)) {
		if len(m.out) >= fewestSpoiled {
			return
		}
		s := m.state
		s.Files, s.Links, s.Folders = maps.Clone(s.Files), maps.Clone(s.Links), slices.Clone(s.Folders)
		if s.Links == nil {
			s.Links = map[string]string{}
		}
		spoil(&s)
		m.add(name, s)
	}
	more("nothing submitted", func(s *state) { s.Submission, s.Submitted = nil, false })
	for _, word := range []string{"done", "", "{\"success\": true, \"score\": 1.0}", "../hidden/expected_output.json"} {
		more(fmt.Sprintf("%q submitted", word), func(s *state) { s.Submission, s.Submitted = &word, true })
	}
	for _, dir := range []string{"zz_empty", "zz_empty2/within"} {
		more("a further folder "+dir, func(s *state) { s.Folders = append(s.Folders, dir) })
	}
	for _, to := range paths {
		more("a link to "+to, func(s *state) { s.Links["zz_link"] = to })
		more(to+" executable", func(s *state) {
			f := s.Files[to]
			f.Mode = "755"
			s.Files[to] = f
		})
	}
	for i := 0; len(m.out) < fewestSpoiled; i++ {
		more(fmt.Sprintf("a link %d to nowhere", i), func(s *state) { s.Links["zz_link"] = fmt.Sprintf("zz_nowhere_%d", i) })
	}
}
