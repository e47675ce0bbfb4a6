package files

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	world "benchwright/sim/files"
	"benchwright/sim/files/exam"
)

// programExam grades a program by running it on folders of input.
type programExam struct{ weighs }

// A programCase is one run of a program.
type programCase struct {
	ID         string          `json:"id"`
	Capability string          `json:"capability"`
	Files      world.Tree      `json:"files"`
	Policy     json.RawMessage `json:"policy"` // takes the place of the policy file; nil leaves that of the workspace
	Expected   any             `json:"expected"`
}

func programCases(in *world.Instance) (list []programCase, err error) {
	var wire struct {
		Cases []programCase `json:"cases"`
	}
	err = hiddenCases(in, readConfig(in).Cases, &wire)
	if err == nil && len(wire.Cases) == 0 {
		err = errors.New("there are no hidden cases")
	}
	return wire.Cases, err
}

// Where the input of a case is, and where its output should be.
const (
	caseInput  = "case_input"
	caseOutput = "case_output/report.json"
)

func (programExam) sheet(in *world.Instance, left world.Tree) (*exam.Sheet, *Result, error) {
	c := readConfig(in)
	cases, err := programCases(in)
	if err != nil {
		return nil, nil, err
	}
	if c.Program == "" {
		return nil, nil, errors.New("hidden/" + configName + " names no program")
	}
	if _, there := left[c.Program]; !there {
		return nil, missing(c, in, c.Program), nil
	}
	s := &exam.Sheet{Runs: 2, Seconds: 10}
	for _, pc := range cases {
		k := exam.Case{ID: pc.ID, Files: map[string]string{}, Clear: []string{caseInput, "case_output"}, Script: []string{c.Program}, Read: []string{caseOutput}}
		for _, a := range c.Arguments {
			k.Script = append(k.Script, strings.NewReplacer("{input}", caseInput, "{output}", caseOutput).Replace(a))
		}
		for p, text := range pc.Files {
			k.Files[caseInput+"/"+p] = text
		}
		if pc.Policy != nil && c.PolicyPath != "" {
			k.Files[c.PolicyPath] = world.JSON(pc.Policy)
		}
		s.Cases = append(s.Cases, k)
		s.Checks = append(s.Checks, exam.Check{ID: pc.ID, Test: pc.ID, Capability: pc.Capability, Case: pc.ID, Aspect: exam.Equal, File: caseOutput, Want: pc.Expected})
	}
	last := cases[len(cases)-1].ID // runs under the workspace's own policy
	s.Checks = append(s.Checks, exam.Check{ID: "determinism", Test: "determinism", Capability: "determinism", Case: last, Aspect: exam.Same, File: caseOutput})
	return s, nil, c.inCases(s.Validate())
}

// missing is the hard state of a file that should hold code and is not there.
func missing(c config, in *world.Instance, path string) *Result {
	r := newResult(0, TargetMissing)
	r.Diagnostics["required_path"] = path
	for name := range c.Weights {
		r.Subscores["capability_"+name] = 0
	}
	c.compress(in, &r)
	return &r
}

func (programExam) labels(in *world.Instance) []string {
	list := []string{TargetMissing, TimedOut, RunFailed, OtherFailed}
	for name := range readConfig(in).Weights {
		list = append(list, failed(name))
	}
	return list
}

func (programExam) judge(in *world.Instance, s *exam.Sheet, left world.Tree, runs []exam.Run) (Result, error) {
	c := readConfig(in)
	held := s.Grade(left, runs)
	shares := s.Shares(held)
	shares["script_exists"] = 1
	ran, parsed, formed := 0, 0, 0
	for _, k := range s.Cases {
		o := observed(runs, k.ID)
		if o.State != "ok" {
			continue
		}
		ran++
		text := o.Files[caseOutput]
		if text == nil {
			continue
		}
		v, err := parse(*text)
		if err != nil {
			continue
		}
		parsed++
		if hasKeys(v, c.RowKeys) {
			formed++
		}
	}
	n := len(s.Cases)
	shares["execution"], shares["valid_json"], shares["schema"] = share(ran, n), share(parsed, n), share(formed, n)
	all := !slices.Contains(slices.Collect(maps.Values(held)), false)
	r := newResult(0)
	ok, err := c.artifact(in, left, shares, &r)
	if err != nil {
		return Result{}, err
	}
	all = all && ok
	r.conclude(c.Weights, shares, all)
	if label, _ := halted(s, runs, RunFailed); label != "" {
		r.FailureLabels = slices.Insert(r.FailureLabels, 0, label)
		if label == TimedOut {
			r.Score = 0
		}
	}
	if !all {
		failures, cases := unmet(s, held, left, runs)
		r.Diagnostics["failures"], r.Diagnostics["cases"] = failures, cases
	}
	c.compress(in, &r)
	return r, nil
}

// artifact compares the further file that an instance may ask for, which is a capability of its own.
func (c config) artifact(in *world.Instance, left world.Tree, shares map[string]float64, r *Result) (bool, error) {
	if c.Artifact == nil {
		return true, nil
	}
	want, err := expected(in, c.Artifact.Expected)
	if err != nil {
		return false, err
	}
	got, err := parse(left[c.Artifact.Path])
	ok := err == nil && canon(got) == canon(want)
	shares[c.Artifact.Capability] = flag(ok)
	if !ok {
		d := map[string]any{"required_path": c.Artifact.Path, "expected": shown(want)}
		if text, there := left[c.Artifact.Path]; there {
			d["actual"] = cut(text)
		}
		r.Diagnostics["artifact"] = d
	}
	return ok, nil
}

// hasKeys reports whether a value is rows, each with just these keys. A report without rows is of no
// wrong form: with one defect repaired and others left, nothing may be left to report.
func hasKeys(v any, keys []string) bool {
	list, ok := v.([]any)
	if !ok {
		return false
	}
	for _, e := range list {
		row, ok := e.(map[string]any)
		if !ok || len(row) != len(keys) {
			return false
		}
		for _, k := range keys {
			if _, ok := row[k]; !ok {
				return false
			}
		}
	}
	return true
}
