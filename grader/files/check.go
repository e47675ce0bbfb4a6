package files

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	world "benchwright/sim/files"
	"benchwright/sim/files/exam"
)

// Check says what is wrong with the hidden half of an instance, naming file and field, so that a
// fault of a bundle is found where it is opened, and is no agent's. It wants the visible half too.
// What an outside evaluator demands it does not know, and what has no evaluator, or one that is
// not to be believed, is broken when it is graded.
func (g *Grader) Check(in *world.Instance) error {
	e, err := g.evaluators.find(in)
	if err != nil {
		return nil
	}
	if c, ok := e.(interface {
		check(in *world.Instance) error
	}); ok {
		return c.check(in)
	}
	return nil
}

// wrong is an error about a field of the configuration.
func wrong(field, format string, args ...any) error {
	return fmt.Errorf("hidden/%s: %s: %w", configName, field, fmt.Errorf(format, args...))
}

func (rowsArtifact) check(in *world.Instance) error {
	c := readConfig(in)
	if err := c.numbers(); err != nil {
		return err
	}
	_, err := c.artifactWanted(in)
	return err
}

func (leavesArtifact) check(in *world.Instance) error {
	if err := (rowsArtifact{}).check(in); err != nil {
		return err
	}
	c := readConfig(in)
	want, err := expected(in, c.Expected)
	if err != nil {
		return err
	}
	_, err = leaves(want)
	return err
}

// artifactWanted returns where the graded artifact is, and what it should be.
func (c config) artifactWanted(in *world.Instance) (any, error) {
	path := c.output(in)
	if path == "" {
		return nil, errNoOutput
	}
	if err := (world.Tree{path: ""}).Check("output_path"); err != nil {
		return nil, fmt.Errorf("hidden/%s or manifest.json: %w", configName, err)
	}
	return expected(in, c.Expected)
}

// check says what is wrong with a sheet, or with what judges it.
func (e sheetEvaluator) check(in *world.Instance) error {
	_, cases := in.Hidden["cases.json"]
	_, checks := in.Hidden["expected_checks.json"]
	switch e.examination.(type) {
	case testsExam, capabilityExam:
		if !cases || !checks {
			return nil // broken when it is graded
		}
	}
	c := readConfig(in)
	if err := c.numbers(); err != nil {
		return err
	}
	solved := in.Solved()
	s, r, err := e.sheet(in, solved)
	switch {
	case err != nil:
		return err
	case r != nil:
		return fmt.Errorf("hidden/%s: the solution leaves nothing to run: there is no %q", configName, clip(fmt.Sprint(r.Diagnostics["required_path"])))
	}
	if err := fits(s, solved); err != nil {
		return err
	}
	return e.demands(in, c, s)
}

// fits looks for cases that could be made in no workspace like the solution: a file where there is a
// folder, or a script that is not there.
func fits(s *exam.Sheet, solved world.Tree) error {
	for _, k := range s.Cases {
		made := world.Tree{}
		for p := range solved {
			if !k.Clears(p) {
				made[p] = ""
			}
		}
		made = made.With(k.Files)
		if err := made.Check("files"); err != nil {
			return fmt.Errorf("hidden/cases.json: case %q: %w", clip(k.ID), err)
		}
		if len(k.Script) > 0 {
			if _, there := made[k.Script[0]]; !there {
				return fmt.Errorf("hidden/cases.json: case %q: script: there is no %q in the solution", clip(k.ID), clip(k.Script[0]))
			}
		}
	}
	return nil
}

// demands checks what the configuration says of a sheet.
func (e sheetEvaluator) demands(in *world.Instance, c config, s *exam.Sheet) error {
	tests := s.Tests(nil)
	for _, test := range c.Required {
		if _, there := tests[test]; !there {
			return wrong("required_tests", "there is no test %q", clip(test))
		}
	}
	known := s.Capabilities()
	switch e.examination.(type) {
	case rowsExam:
		return c.casesOf(in, s)
	case testsExam:
		return nil
	case programExam:
		known = append(known, "script_exists", "execution", "valid_json", "schema")
	}
	if c.Artifact != nil {
		known = append(known, c.Artifact.Capability)
		if err := (world.Tree{c.Artifact.Path: ""}).Check("path"); err != nil {
			return wrong("artifact", "%w", err)
		}
		if _, err := expected(in, c.Artifact.Expected); err != nil {
			return wrong("artifact", "%w", err)
		}
	}
	if len(c.Weights) == 0 {
		return wrong("weights", "there are none")
	}
	for _, name := range slices.Sorted(maps.Keys(c.Weights)) {
		if !slices.Contains(known, name) {
			return wrong("weights", "nothing measures %q", clip(name))
		}
	}
	return nil
}

// casesOf checks that the cases that are scored are there, and leave the artifact.
func (c config) casesOf(in *world.Instance, s *exam.Sheet) error {
	output := c.output(in)
	for _, f := range c.scored() {
		switch {
		case !slices.ContainsFunc(s.Cases, func(k exam.Case) bool { return k.ID == f.name }):
			return wrong(f.field, "there is no case %q", clip(f.name))
		case wanted(s, f.name, output) == nil:
			return wrong(f.field, "no check says what case %q should leave at %q", clip(f.name), clip(output))
		}
	}
	return nil
}

// numbers checks weights, cap and exponents.
func (c config) numbers() error {
	const most = 1e9
	total := 0.0
	for _, name := range slices.Sorted(maps.Keys(c.Weights)) {
		w := c.Weights[name]
		if math.IsNaN(w) || w < 0 || w > most {
			return wrong("weights", "%q weighs %g: want a number from 0 to %g", clip(name), w, most)
		}
		total += w
	}
	switch {
	case len(c.Weights) > 0 && total == 0:
		return wrong("weights", "nothing weighs anything")
	case c.Cap < 0 || c.Cap > 1:
		return wrong("score_cap", "%g is no score: want a number from 0 to 1", c.Cap)
	case c.Exponent < 0 || c.Exponent > mostPower:
		return wrong("compression_exponent", "%d: want a number from 1 to %d", c.Exponent, mostPower)
	case c.ExponentD5 < 0 || c.ExponentD5 > mostPower:
		return wrong("d5_exponent", "%d: want a number from 1 to %d", c.ExponentD5, mostPower)
	}
	return nil
}

// mostPower is the highest power that an incomplete score may be raised to.
const mostPower = 20

// errEntrypoint is of what the published layout runs.
var errEntrypoint = errors.New("manifest.json: metadata.task_descriptor.entrypoint: want python, the path of a script of the workspace, and its arguments")

// entrypoint reads the command that a workspace documents, which no shell reads.
func entrypoint(command string) ([]string, error) {
	words := strings.Fields(command)
	if len(words) > 0 && (words[0] == "python" || words[0] == "python3") {
		words = words[1:]
	}
	if len(words) == 0 || strings.ContainsAny(command, "\"'`\\$&|;<>*?") {
		return nil, fmt.Errorf("%w, not %q", errEntrypoint, clip(command))
	}
	if err := exam.Script(words); err != nil {
		return nil, fmt.Errorf("%w: %w", errEntrypoint, err)
	}
	return words, nil
}
