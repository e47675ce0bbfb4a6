package files

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"

	"benchwright/sim"
	world "benchwright/sim/files"
)

// Failure labels of artifacts.
const (
	OutputMissing  = "output_missing"
	InvalidJSON    = "invalid_json"
	OutputMismatch = "output_mismatch"
)

// rowsArtifact grades one JSON list of rows, leavesArtifact one JSON document.
type (
	rowsArtifact   struct{}
	leavesArtifact struct{}
)

func (rowsArtifact) Labels(*world.Instance) []string {
	return []string{InvalidJSON, OutputMismatch, OutputMissing}
}
func (leavesArtifact) Labels(*world.Instance) []string { return rowsArtifact{}.Labels(nil) }
func (rowsArtifact) Runs(*world.Instance) bool         { return false }
func (leavesArtifact) Runs(*world.Instance) bool       { return false }

func (rowsArtifact) Evaluate(_ context.Context, in *world.Instance, left world.Tree, _ Observer) (Result, error) {
	return artifact(in, left, "row", func(got, want any, diagnostics map[string]any) (overlap, bool, error) {
		o, exact := compareRows(got, want, diagnostics)
		return o, exact, nil
	})
}

func (leavesArtifact) Evaluate(_ context.Context, in *world.Instance, left world.Tree, _ Observer) (Result, error) {
	return artifact(in, left, "field", compareLeaves)
}

// artifact grades the JSON file of an instance by a comparison.
func artifact(in *world.Instance, left world.Tree, unit string, compare func(got, want any, diagnostics map[string]any) (overlap, bool, error)) (Result, error) {
	c := readConfig(in)
	want, err := c.artifactWanted(in)
	if err != nil {
		return Result{}, err
	}
	path := c.output(in)
	r := newResult(0)
	r.Diagnostics["required_path"] = path
	text, there := left[path]
	got, err := parse(text)
	for _, name := range []string{"output_exists", "valid_json", unit + "_precision", unit + "_recall", unit + "_f1", "exact_match"} {
		r.Subscores[name] = 0
	}
	switch {
	case !there:
		r.fail(OutputMissing)
	case err != nil:
		r.Score, r.Subscores["output_exists"] = 0.2, 1
		r.fail(InvalidJSON)
		r.Diagnostics["error"] = clip(err.Error())
	default:
		o, exact, err := compare(got, want, r.Diagnostics)
		if err != nil {
			return Result{}, err
		}
		r.Score = o.score(exact)
		r.Subscores["output_exists"], r.Subscores["valid_json"] = 1, 1
		o.subscores(r.Subscores, unit, exact)
		if !exact {
			r.fail(OutputMismatch)
		}
	}
	c.compress(in, &r)
	return r, nil
}

func (o overlap) subscores(into map[string]float64, unit string, exact bool) {
	into[unit+"_precision"], into[unit+"_recall"], into[unit+"_f1"] = o.precision(), o.recall(), o.f1()
	into["exact_match"] = flag(exact)
}

func flag(ok bool) float64 {
	if ok {
		return 1
	}
	return 0
}

// How much of a difference diagnostics show.
const (
	shownRows   = 3
	shownLeaves = 5
	shownFirst  = 2 // rows of a preview
	shownKeys   = 4 // keys of a preview
)

// compareRows compares lists, of which the order counts for being exact only.
func compareRows(got, want any, diagnostics map[string]any) (overlap, bool) {
	g, w := rows(got), rows(want)
	o, _, _ := multisets(g, w)
	exact := canon(got) == canon(want)
	if exact || diagnostics == nil {
		return o, exact
	}
	previews(got, want, diagnostics)
	list, isList := got.([]any)
	if !isList {
		diagnostics["shape"] = "not a list of rows"
		return o, exact
	}
	wanted, _ := want.([]any)
	diagnostics["row_count"] = map[string]any{"expected": len(wanted), "actual": len(list)}
	for i := range max(len(list), len(wanted)) {
		if i < len(list) && i < len(wanted) && g[i] == w[i] {
			continue
		}
		d := map[string]any{"index": i}
		if i < len(wanted) {
			d["expected"] = shown(wanted[i])
		}
		if i < len(list) {
			d["actual"] = shown(list[i])
		}
		diagnostics["first_difference"] = d
		break
	}
	diagnostics["missing_rows"] = unmatched(wanted, w, g)
	diagnostics["unexpected_rows"] = unmatched(list, g, w)
	return o, exact
}

// unmatched returns the first of a list's elements that have no partner in another.
func unmatched(list []any, texts, others []string) []any {
	left := map[string]int{}
	for _, t := range others {
		left[t]++
	}
	out := []any{}
	for i, t := range texts {
		if left[t] > 0 {
			left[t]--
		} else if out = append(out, shown(list[i])); len(out) == shownRows {
			break
		}
	}
	return out
}

// compareLeaves compares documents leaf by leaf. Of what was left it keeps only what stands where
// something is wanted: its leaves with all their paths could be the square of it.
func compareLeaves(got, want any, diagnostics map[string]any) (overlap, bool, error) {
	w, err := leaves(want)
	if err != nil {
		return overlap{}, false, err
	}
	o := overlap{want: len(w)}
	wanted, left, longest := map[string]bool{}, map[leaf]int{}, 0
	for _, l := range w {
		wanted[l.path] = true
		left[l]++
		longest = max(longest, len(l.path))
	}
	has, unexpected := map[string]string{}, []any{}
	eachLeaf(got, func(path []byte, v any) {
		o.got++
		if len(path) > longest || !wanted[string(path)] {
			if len(unexpected) < shownLeaves {
				unexpected = append(unexpected, clip(string(path)))
			}
			return
		}
		l := leaf{string(path), canon(v)}
		has[l.path] = l.value
		if left[l] > 0 {
			left[l]--
			o.matches++
		}
	})
	exact := canon(got) == canon(want)
	if exact || diagnostics == nil {
		return o, exact, nil
	}
	previews(got, want, diagnostics)
	missing, mismatches := []any{}, []any{}
	for _, l := range w {
		value, there := has[l.path]
		switch {
		case !there && len(missing) < shownLeaves:
			missing = append(missing, l.path)
		case there && value != l.value && len(mismatches) < shownLeaves:
			mismatches = append(mismatches, map[string]any{"path": l.path, "expected": cut(l.value), "actual": cut(value)})
		}
	}
	diagnostics["missing_paths"], diagnostics["unexpected_paths"], diagnostics["value_mismatches"] = missing, unexpected, mismatches
	return o, exact, nil
}

// previews shows the beginning of both artifacts and the keys that they use.
func previews(got, want any, diagnostics map[string]any) {
	diagnostics["expected_preview"], diagnostics["actual_preview"] = preview(want), preview(got)
	diagnostics["schema_keys"] = map[string]any{"expected": keysOf(want), "actual": keysOf(got)}
}

func preview(v any) any {
	switch v := v.(type) {
	case []any:
		out := []any{}
		for _, e := range v[:min(len(v), shownFirst)] {
			out = append(out, shown(e))
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for _, k := range slices.Sorted(maps.Keys(v))[:min(len(v), shownKeys)] {
			out[clip(k)] = shown(v[k])
		}
		return out
	}
	return shown(v)
}

// keysOf lists the keys of a document, or those of the rows of a list.
func keysOf(v any) []string {
	seen := map[string]bool{}
	add := func(v any) {
		if m, ok := v.(map[string]any); ok {
			for k := range m {
				seen[clip(k)] = true
			}
		}
	}
	add(v)
	if list, ok := v.([]any); ok {
		for _, e := range list {
			add(e)
		}
	}
	keys := slices.Sorted(maps.Keys(seen))
	return append([]string{}, keys[:min(len(keys), 20)]...)
}

// How long, and how nested, a value in diagnostics is before it is shown as text.
const (
	shownBytes = 400
	shownDeep  = 40
)

// shown is a value as diagnostics show it: itself where it is small, else the beginning of its text.
func shown(v any) any {
	raw := sim.MustCanonical(v)
	if len(raw) <= shownBytes && bytes.Count(raw, []byte("["))+bytes.Count(raw, []byte("{")) <= shownDeep {
		return raw
	}
	return cut(string(raw))
}

// cut shortens a text, as bytes that are no half characters.
func cut(s string) string {
	if len(s) <= shownBytes {
		return s
	}
	return fmt.Sprintf("%s… (%d bytes)", string([]rune(s[:shownBytes])), len(s))
}
