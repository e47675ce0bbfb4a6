package files

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/files"
)

const ruleName = "files.evaluated"

// Evaluated demands that the workspace is what its instance's evaluator calls a success. It is made
// by Grader.Rule and Grader.RuleOf, or read back by the registry of Grader.Rules; the grader is not
// part of its data.
type Evaluated struct {
	// Spec names the instance; it is compiled where the rule is graded.
	Spec *world.Spec `json:"spec,omitempty"`
	// Sealed holds an instance that somebody else compiled.
	Sealed *Sealed `json:"sealed,omitempty"`

	g *Grader
}

// Sealed is an instance from a folder, without its visible half.
type Sealed struct {
	Manifest json.RawMessage       `json:"manifest"`
	Hidden   map[string]world.File `json:"hidden"`
}

// Rules returns the makers of the grader's rules, by name.
func (g *Grader) Rules() grader.Registry {
	return grader.Registry{ruleName: func() grader.Rule { return &Evaluated{g: g} }}
}

// Rule returns the rule of an instance that a spec names.
func (g *Grader) Rule(spec world.Spec) *Evaluated { return &Evaluated{Spec: &spec, g: g} }

// RuleOf returns the rule of an instance from a folder, which travels in it.
func (g *Grader) RuleOf(in *world.Instance) *Evaluated {
	s := &Sealed{Manifest: json.RawMessage(in.MarshalManifest()), Hidden: filesOf(in.Hidden)}
	return &Evaluated{Sealed: s, g: g}
}

func filesOf(t world.Tree) map[string]world.File {
	out := make(map[string]world.File, len(t))
	for p, text := range t {
		if utf8.ValidString(text) {
			out[p] = world.File{Text: &text}
			continue
		}
		raw := base64.StdEncoding.EncodeToString([]byte(text))
		out[p] = world.File{Base64: &raw}
	}
	return out
}

func treeOf(files map[string]world.File) (world.Tree, error) {
	t := make(world.Tree, len(files))
	for p, f := range files {
		switch {
		case f.Text != nil:
			t[p] = *f.Text
		case f.Base64 != nil:
			raw, err := base64.StdEncoding.DecodeString(*f.Base64)
			if err != nil {
				return nil, fmt.Errorf("hidden file %q: %w", clip(p), err)
			}
			t[p] = string(raw)
		default:
			return nil, fmt.Errorf("hidden file %q has no content", clip(p))
		}
	}
	return t, nil
}

// UnmarshalJSON reads a rule. Specs are read as strictly as anywhere; unknown fields are errors.
func (e *Evaluated) UnmarshalJSON(raw []byte) error {
	var wire struct {
		Spec   json.RawMessage `json:"spec"`
		Sealed *Sealed         `json:"sealed"`
	}
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.DisallowUnknownFields()
	if err := d.Decode(&wire); err != nil {
		return err
	}
	if (wire.Spec == nil) == (wire.Sealed == nil) {
		return errors.New("want either spec or sealed")
	}
	e.Spec, e.Sealed = nil, wire.Sealed
	if wire.Spec != nil {
		spec, err := world.ParseSpec(wire.Spec)
		if err != nil {
			return err
		}
		e.Spec = &spec
	}
	return nil
}

// Instance returns what the rule is about. Of one from a folder it lacks the visible half.
func (e *Evaluated) Instance() (*world.Instance, error) {
	switch {
	case e.g == nil:
		return nil, errors.New("the rule was made by no grader")
	case e.Spec != nil:
		return e.g.lib.Compile(*e.Spec)
	case e.Sealed == nil:
		return nil, errors.New("the rule names no instance")
	}
	s := e.Sealed
	hidden, err := treeOf(s.Hidden)
	if err != nil {
		return nil, err
	}
	m, err := world.ParseManifest(s.Manifest)
	if err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	return &world.Instance{Manifest: m, Hidden: hidden}, nil
}

// Name implements grader.Rule.
func (e *Evaluated) Name() string { return ruleName }

// String says what is demanded. It names neither the instance nor its family.
func (e *Evaluated) String() string { return "the evaluator of the workspace finds nothing wrong" }

// Codes lists the failure labels that the instance's evaluator can give.
func (e *Evaluated) Codes() []string {
	in, err := e.Instance()
	if err != nil {
		return nil
	}
	ev, err := e.g.evaluators.find(in)
	if err != nil {
		return nil
	}
	list := slices.Clone(ev.Labels(in))
	slices.Sort(list)
	return slices.Compact(list)
}

// Patience is how long code of a workspace may keep a grader waiting, with what it takes where the
// machine has much else to do.
func (e *Evaluated) Patience() time.Duration { return 5 * time.Minute }

// Grade implements grader.Rule.
func (e *Evaluated) Grade(ctx context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	findings, _, err := e.Tally(ctx, ev)
	return findings, err
}

// Tally implements grader.Tallier: a finding for each failure label, and the evaluator's numbers in
// millionths. See Score and ResultOf.
func (e *Evaluated) Tally(ctx context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	if ev.Final == nil {
		return nil, nil, grader.NotApplicable
	}
	in, err := e.Instance()
	if err != nil {
		return nil, nil, grader.BrokenError{Layer: grader.LayerFixture, Err: err}
	}
	w, err := world.ReadWorkspace(ev.Final)
	if err != nil {
		return nil, nil, err
	}
	r, err := e.g.Evaluate(ctx, in, w)
	if err != nil {
		return nil, nil, err
	}
	var out []grader.Finding
	for i, label := range r.FailureLabels {
		f := grader.Finding{Code: label, Type: grader.StateType, Message: fmt.Sprintf("%s (score %g)", strings.ReplaceAll(label, "_", " "), r.Score)}
		if i == 0 {
			f.Message += explain(r.Diagnostics)
		}
		out = append(out, f)
	}
	return out, r.tallies(), nil
}

// explain words diagnostics, one a line. What agents wrote is in it as JSON, which has no control
// characters.
func explain(diagnostics map[string]any) string {
	const most = 4000
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(diagnostics)) {
		raw, err := sim.Canonical(diagnostics[name])
		if err != nil {
			continue
		}
		if b.Len()+len(raw) > most {
			b.WriteString("\n  …")
			break
		}
		fmt.Fprintf(&b, "\n  %s: %s", name, raw)
	}
	return b.String()
}
