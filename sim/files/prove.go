package files

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"benchwright/sim"
)

// prove refuses an instance that does not keep the promises of the package.
func prove(in *Instance, d *Draft) error {
	m := &in.Manifest
	for _, t := range []struct {
		name string
		tree Tree
	}{{"visible", in.Visible}, {"hidden", in.Hidden}, {"reference", m.Reference.Files}} {
		if err := t.tree.Check(t.name); err != nil {
			return err
		}
	}
	if len(m.Reference.Files) == 0 {
		return errors.New("Reference solution metadata must include at least one file artifact.") //nolint:staticcheck // the published text
	}
	var same []string
	for _, p := range m.Reference.Files.Paths() {
		if text, ok := in.Visible[p]; ok && text == m.Reference.Files[p] {
			same = append(same, p)
		}
	}
	if len(same) > 0 {
		//nolint:staticcheck // the published text
		return fmt.Errorf("Reference solution did not modify one or more visible files; the environment is already solved: %s", strings.Join(same, ", "))
	}
	if m.Evaluator == "" || m.Instruction == "" || len(in.Hidden) == 0 {
		return errors.New("a draft names its evaluator, its instruction and hidden files")
	}
	if err := proveArtifact(in, d); err != nil {
		return err
	}
	return proveSealed(in, d.Words)
}

// proveArtifact checks a graded JSON artifact: the reference is it, and neither the untouched
// workspace nor any near miss is.
func proveArtifact(in *Instance, d *Draft) error {
	solved := in.Solved()
	for _, n := range d.NearMisses {
		if n.Trap == "" || len(n.Files) == 0 {
			return errors.New("a near miss without a trap or without files")
		}
		if solved.has(n.Files) {
			return fmt.Errorf("trap %q: mishandling it leaves the same files", n.Trap)
		}
	}
	if d.Expected == "" {
		return nil
	}
	target := d.Layout.OutputPath
	if target == "" {
		target = d.Layout.TargetPath
	}
	want, err := canonicalText(d.Expected)
	if err != nil {
		return fmt.Errorf("expected artifact: %w", err)
	}
	if got, err := canonicalText(in.Reference()[target]); err != nil || !bytes.Equal(got, want) {
		return fmt.Errorf("the reference's %s is not the expected artifact", target)
	}
	if text, ok := in.Visible[target]; ok {
		if got, err := canonicalText(text); err == nil && bytes.Equal(got, want) {
			return fmt.Errorf("%s: the untouched workspace is solved already", target)
		}
	}
	for _, n := range d.NearMisses {
		if got, err := canonicalText(n.Files[target]); err == nil && bytes.Equal(got, want) {
			return fmt.Errorf("trap %q: mishandling it gives the right answer", n.Trap)
		}
	}
	return nil
}

func canonicalText(text string) ([]byte, error) {
	v, err := sim.ParseJSON([]byte(text))
	if err != nil {
		return nil, err
	}
	return sim.Canonical(v)
}

// proveSealed refuses visible text that names what an agent is not to know.
func proveSealed(in *Instance, words []string) error {
	m := &in.Manifest
	forbidden := map[string]string{
		m.Family: "the family", m.Metadata.Scenario: "the scenario",
		"difficulty": "the difficulty", "scenario_id": "the scenario", "seed": "the seed", "hidden": "the hidden tree",
		"complexity_profile": "the manifest", "evaluator": "the evaluator",
	}
	for _, w := range m.Metadata.BugLabels {
		forbidden[w] = "a defect"
	}
	for _, w := range words {
		forbidden[w] = "something sealed"
	}
	for _, p := range m.HiddenFiles {
		if _, ok := in.Visible[p]; !ok {
			forbidden[stem(p)] = "a hidden file"
		}
	}
	for p := range in.Visible {
		delete(forbidden, stem(p))
	}
	texts := in.Visible.With(Tree{"the instruction": m.Instruction})
	for _, p := range texts.Paths() {
		text := texts[p]
		if strings.Contains(text, m.EnvID) || strings.Contains(text, "hidden/") {
			return fmt.Errorf("%s names the instance or a hidden path", p)
		}
		for _, word := range identifiers(p + " " + text) {
			if what, bad := forbidden[word]; bad {
				return fmt.Errorf("%s says %q, which names %s", p, word, what)
			}
		}
	}
	return nil
}

func stem(p string) string {
	base := path.Base(p)
	return strings.TrimSuffix(base, path.Ext(base))
}

// identifiers lists the different words of a text, where a word may hold digits and underscores.
func identifiers(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
	slices.Sort(words)
	return slices.Compact(words)
}
