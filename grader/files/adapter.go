package files

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	world "benchwright/sim/files"
	"benchwright/sim/files/exam"
)

// adapterExam grades a function by calling it.
type adapterExam struct{ weighs }

// An adapterCase is one call.
type adapterCase struct {
	ID         string          `json:"id"`
	Capability string          `json:"capability"`
	Input      any             `json:"input"`
	Contract   json.RawMessage `json:"contract"` // takes the place of the contract file; nil leaves that of the workspace
	Expected   map[string]any  `json:"expected"` // of what is returned only these keys count
}

func adapterCases(in *world.Instance) (list []adapterCase, err error) {
	var wire struct {
		Cases []adapterCase `json:"cases"`
	}
	err = hiddenCases(in, readConfig(in).Cases, &wire)
	if err == nil && len(wire.Cases) == 0 {
		err = errors.New("there are no hidden cases")
	}
	return wire.Cases, err
}

const (
	callScript = "case_call.py"
	callInput  = "case_input.json"
	callOutput = "case_output.json"
)

// caller calls a function of a file with each of the values of a JSON file, by case, and writes down
// as JSON texts what it returns. A call that raises, or returns what is no JSON, leaves none.
const caller = `import importlib.util
import json
import pathlib
import sys
import traceback

path, function = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
sys.path.insert(0, str(path.parent))
spec = importlib.util.spec_from_file_location(path.stem, path)
module = importlib.util.module_from_spec(spec)
sys.modules[path.stem] = module
spec.loader.exec_module(module)
returned = {}
for case, value in json.loads(pathlib.Path(sys.argv[3]).read_text(encoding="utf-8")).items():
    try:
        returned[case] = json.dumps(getattr(module, function)(value))
    except Exception:
        traceback.print_exc()
pathlib.Path(sys.argv[4]).write_text(json.dumps(returned), encoding="utf-8")
`

// sheet makes one process of all calls under one contract.
func (adapterExam) sheet(in *world.Instance, left world.Tree) (*exam.Sheet, *Result, error) {
	c := readConfig(in)
	cases, err := adapterCases(in)
	if err != nil {
		return nil, nil, err
	}
	if c.Module == "" || c.Function == "" {
		return nil, nil, errors.New("hidden/" + configName + " names no module and function")
	}
	if _, there := left[c.Module]; !there {
		return nil, missing(c, in, c.Module), nil
	}
	s := &exam.Sheet{Runs: 1, Seconds: 10}
	process := map[string]int{} // by contract
	var inputs []map[string]any
	for _, ac := range cases {
		contract := ""
		if ac.Contract != nil && c.ContractPath != "" {
			contract = world.JSON(ac.Contract)
		}
		i, begun := process[contract]
		if !begun {
			i = len(s.Cases)
			process[contract] = i
			k := exam.Case{
				ID: fmt.Sprintf("calls_%d", i+1), Files: map[string]string{callScript: caller}, Clear: []string{callOutput},
				Script: []string{callScript, c.Module, c.Function, callInput, callOutput}, Read: []string{callOutput},
			}
			if contract != "" {
				k.Files[c.ContractPath] = contract
			}
			s.Cases, inputs = append(s.Cases, k), append(inputs, map[string]any{})
		}
		inputs[i][ac.ID] = ac.Input
		s.Checks = append(s.Checks, exam.Check{ID: ac.ID, Test: ac.ID, Capability: ac.Capability, Case: s.Cases[i].ID, Aspect: exam.Equal, File: callOutput, Want: ac.Expected})
	}
	for i, input := range inputs {
		s.Cases[i].Files[callInput] = world.JSON(input)
	}
	return s, nil, c.inCases(s.Validate())
}

// answers are what the calls of all processes returned, by case.
func answers(s *exam.Sheet, runs []exam.Run) map[string]string {
	out := map[string]string{}
	for _, k := range s.Cases {
		o := observed(runs, k.ID)
		text := o.Files[callOutput]
		if o.State != "ok" || text == nil {
			continue
		}
		v, err := parse(*text)
		returned, ok := v.(map[string]any)
		if err != nil || !ok {
			continue
		}
		for id, value := range returned {
			if text, ok := value.(string); ok && slices.ContainsFunc(s.Checks, func(c exam.Check) bool { return c.ID == id && c.Case == k.ID }) {
				out[id] = text
			}
		}
	}
	return out
}

func (adapterExam) labels(in *world.Instance) []string {
	list := []string{TargetMissing, TimedOut, ImportFailed, OtherFailed}
	for name := range readConfig(in).Weights {
		list = append(list, failed(name))
	}
	return list
}

func (adapterExam) judge(in *world.Instance, s *exam.Sheet, left world.Tree, runs []exam.Run) (Result, error) {
	c := readConfig(in)
	r := newResult(0)
	returned := answers(s, runs)
	if label, first := halted(s, runs, ImportFailed); label != "" || len(returned) == 0 {
		r.halt(cmp.Or(label, ImportFailed), first)
		c.compress(in, &r)
		return r, nil
	}
	cases, err := adapterCases(in)
	if err != nil {
		return Result{}, err
	}
	held := map[string]bool{}
	for _, ac := range cases {
		held[ac.ID] = ac.holds(returned[ac.ID])
	}
	shares := s.Shares(held)
	all := !slices.Contains(slices.Collect(maps.Values(held)), false)
	ok, err := c.artifact(in, left, shares, &r)
	if err != nil {
		return Result{}, err
	}
	all = all && ok
	r.conclude(c.Weights, shares, all)
	passed := 0
	for _, ok := range held {
		if ok {
			passed++
		}
	}
	r.Subscores["tests_passed"], r.Subscores["tests_total"] = float64(passed), float64(len(held))
	if !all {
		failures, shownCases := unmet(s, held, left, runs)
		r.Diagnostics["failures"], r.Diagnostics["cases"] = failures, shownCases
	}
	c.compress(in, &r)
	return r, nil
}

// holds reports whether what was returned has all that is expected: a null is not a missing key.
func (ac adapterCase) holds(text string) bool {
	v, err := parse(text)
	got, ok := v.(map[string]any)
	if err != nil || !ok {
		return false
	}
	for k, want := range ac.Expected {
		value, there := got[k]
		if !there || canon(value) != canon(want) {
			return false
		}
	}
	return true
}
