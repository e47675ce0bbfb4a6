package files

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"benchwright/sim"
	world "benchwright/sim/files"
	"benchwright/sim/files/exam"
	documents "benchwright/sim/files/retrieval/solve"
	tables "benchwright/sim/files/tabular/solve"
)

// A Prover is an Evaluator that can say what it demands an agent to find, and can find it itself
// where an agent has to look.
type Prover interface {
	// Graded lists the values, keys and paths that an agent must be able to know.
	Graded(in *world.Instance) []string
	// Solve works out what is graded from the visible tree, sharing no code with what made it. Inputs
	// of hidden cases it may read, expected values never.
	Solve(in *world.Instance) ([]string, error)
}

// Graded implements grader.Grounder. Of an evaluator that is no Prover it lists nothing.
func (e *Evaluated) Graded() []string {
	in, err := e.Instance()
	if err != nil {
		return nil
	}
	ev, err := e.g.evaluators.find(in)
	if p, ok := ev.(Prover); ok && err == nil {
		return p.Graded(in)
	}
	return nil
}

// Solve works out what is graded of an instance from what is visible, for the proof that it is
// grounded. How much that proves differs:
//
//   - of artifacts, programs on tables and clients every graded value is computed anew, by solvers
//     that read the rules where an agent reads them;
//   - of other code the values come from running it on inputs that nobody saw, and there is no second
//     implementation of it: that they follow from the workspace is proven by its reference, which is
//     the visible sources with their defects repaired. What is looked up here is that each key, path
//     and word that is expected, and that no input brings, stands somewhere in the visible tree.
//
// Where the visible half is missing, or the instance is of others and not understood, nothing is
// returned.
func (g *Grader) Solve(in *world.Instance) ([]string, error) {
	ev, err := g.evaluators.find(in)
	p, ok := ev.(Prover)
	if err != nil || !ok || len(in.Visible) == 0 {
		return nil, err
	}
	values, err := p.Solve(in)
	if err != nil && g.evaluators[in.Manifest.Evaluator] == nil {
		return nil, nil
	}
	return values, err
}

// said lists the keys and leaves of a document, each once, in order.
func said(values ...any) []string {
	seen := map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if _, moment := v["$time"]; moment && len(v) == 1 {
				return // how the observer spells a moment, which is computed
			}
			for k, e := range v {
				seen[k] = true
				walk(e)
			}
		case []any:
			for _, e := range v {
				walk(e)
			}
		case string:
			seen[v] = true
		case json.Number:
			seen[v.String()] = true
		}
	}
	for _, v := range values {
		walk(v)
	}
	delete(seen, "")
	return slices.Sorted(maps.Keys(seen))
}

func saidIn(texts ...string) ([]string, error) {
	var values []any
	for _, t := range texts {
		v, err := sim.ParseJSON([]byte(t))
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return said(values...), nil
}

func gradedArtifact(in *world.Instance) []string {
	c := readConfig(in)
	want, err := expected(in, c.Expected)
	if err != nil {
		return nil
	}
	return append(said(want), c.output(in))
}

// Graded implements Prover.
func (rowsArtifact) Graded(in *world.Instance) []string { return gradedArtifact(in) }

// Graded implements Prover.
func (leavesArtifact) Graded(in *world.Instance) []string { return gradedArtifact(in) }

// Solve implements Prover.
func (rowsArtifact) Solve(in *world.Instance) ([]string, error) {
	path, text, err := tables.Solve(in.Visible)
	if err != nil {
		return nil, err
	}
	values, err := saidIn(text)
	return append(values, path), err
}

// Solve implements Prover.
func (leavesArtifact) Solve(in *world.Instance) ([]string, error) {
	path, text, err := documents.Solve(in.Visible)
	if err != nil {
		return nil, err
	}
	values, err := saidIn(text)
	return append(values, path), err
}

// Graded implements Prover: of examinations that can prove it.
func (e sheetEvaluator) Graded(in *world.Instance) []string {
	if p, ok := e.examination.(Prover); ok {
		return p.Graded(in)
	}
	s, _, err := e.sheet(in, in.Solved())
	if err != nil || s == nil {
		return nil
	}
	return wordsOf(s)
}

// Solve implements Prover.
func (e sheetEvaluator) Solve(in *world.Instance) ([]string, error) {
	if p, ok := e.examination.(Prover); ok {
		return p.Solve(in)
	}
	s, _, err := e.sheet(in, in.Visible)
	if err != nil || s == nil {
		return nil, err
	}
	var text strings.Builder
	for _, p := range in.Visible.Paths() {
		text.WriteString(p + "\n" + in.Visible[p] + "\n")
	}
	words := map[string]bool{}
	for _, w := range identifiers(text.String()) {
		words[w] = true
	}
	var found []string
	for _, v := range wordsOf(s) {
		parts := identifiers(v)
		if len(parts) > 0 && !slices.ContainsFunc(parts, func(w string) bool { return !words[w] }) {
			found = append(found, v)
		}
	}
	return found, nil
}

// wordsOf lists what an agent must be able to find to hold a sheet: what is called, run and read, and
// the keys and words of what is expected that the inputs of the case do not bring. A word that code
// makes of an input, in another case or without spaces, counts as brought.
func wordsOf(s *exam.Sheet) []string {
	words := map[string]bool{}
	brought := map[string]string{}
	for _, c := range s.Cases {
		var b strings.Builder
		for _, p := range slices.Sorted(maps.Keys(c.Files)) {
			b.WriteString(c.Files[p] + "\n")
		}
		for _, call := range c.Calls {
			words[call.Module], words[call.Function] = true, true
			b.Write(sim.MustCanonical(call.Args))
		}
		for _, p := range c.Read {
			words[p] = true
		}
		if len(c.Script) > 0 {
			words[c.Script[0]] = true
		}
		brought[c.ID] = strings.ToLower(b.String())
	}
	for _, k := range s.Checks {
		for _, v := range said(normal(k.Want)) {
			if strings.Trim(v, "-+.0123456789eE") == "" {
				continue // a number is computed
			}
			if !strings.Contains(brought[k.Case], strings.ToLower(strings.TrimSpace(v))) {
				words[v] = true
			}
		}
	}
	delete(words, "")
	return slices.Sorted(maps.Keys(words))
}

// normal is a value as parsed JSON.
func normal(v any) any {
	out, err := sim.ParseJSON(sim.MustCanonical(v))
	if err != nil {
		return nil
	}
	return out
}

// identifiers lists the runs of letters, digits and underscores of a text.
func identifiers(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r < 0x80
	})
}

// Graded implements Prover.
func (programExam) Graded(in *world.Instance) []string {
	c := readConfig(in)
	cases, err := programCases(in)
	if err != nil {
		return nil
	}
	var values []any
	for _, pc := range cases {
		values = append(values, pc.Expected)
	}
	return c.withArtifact(in, values, c.Program)
}

func (c config) withArtifact(in *world.Instance, values []any, paths ...string) []string {
	if c.Artifact != nil {
		if want, err := expected(in, c.Artifact.Expected); err == nil {
			values, paths = append(values, want), append(paths, c.Artifact.Path)
		}
	}
	return append(said(values...), paths...)
}

// Solve implements Prover: the reports of all cases by a second implementation, under the policy
// that the documents say is in force.
func (programExam) Solve(in *world.Instance) ([]string, error) {
	c := readConfig(in)
	cases, err := programCases(in)
	if err != nil {
		return nil, err
	}
	paths := []string{c.Program}
	policy := in.Visible[c.PolicyPath]
	var texts []string
	if c.Artifact != nil {
		path, text, err := tables.Solve(in.Visible)
		if err != nil {
			return nil, err
		}
		policy, texts, paths = text, append(texts, text), append(paths, path)
	}
	for _, pc := range cases {
		own := []byte(policy)
		if pc.Policy != nil {
			own = pc.Policy
		}
		report, err := tables.Accounts(pc.Files, own)
		if err != nil {
			return nil, fmt.Errorf("case %s: %w", pc.ID, err)
		}
		texts = append(texts, report)
	}
	values, err := saidIn(texts...)
	return append(values, paths...), err
}

// Graded implements Prover.
func (adapterExam) Graded(in *world.Instance) []string {
	c := readConfig(in)
	cases, err := adapterCases(in)
	if err != nil {
		return nil
	}
	var values []any
	for _, ac := range cases {
		values = append(values, any(ac.Expected))
	}
	return c.withArtifact(in, values, c.Module, c.Function)
}

// Solve implements Prover: the answers to all responses by a second implementation, under the
// contract that the documents say is in force.
func (adapterExam) Solve(in *world.Instance) ([]string, error) {
	c := readConfig(in)
	cases, err := adapterCases(in)
	if err != nil {
		return nil, err
	}
	paths := []string{c.Module}
	if words := identifiers(in.Visible["README.md"]); slices.Contains(words, c.Function) {
		paths = append(paths, c.Function)
	}
	var contract []byte
	var texts []string
	if c.ContractPath != "" {
		path, text, err := documents.Solve(in.Visible)
		if err != nil {
			return nil, err
		}
		contract, texts, paths = []byte(text), append(texts, text), append(paths, path)
	}
	for _, ac := range cases {
		own := contract
		if ac.Contract != nil {
			own = ac.Contract
		}
		answer, err := documents.Summary(in.Visible, sim.MustCanonical(ac.Input), own)
		if err != nil {
			return nil, fmt.Errorf("case %s: %w", ac.ID, err)
		}
		texts = append(texts, answer)
	}
	values, err := saidIn(texts...)
	return append(values, paths...), err
}
