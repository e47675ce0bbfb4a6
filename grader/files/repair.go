package files

import (
	"slices"

	world "benchwright/sim/files"
	"benchwright/sim/files/exam"
)

// parseSheet reads the sheet of an instance. Without one there is nothing here to be believed.
func parseSheet(in *world.Instance) (*exam.Sheet, error) {
	for _, name := range []string{"cases.json", "expected_checks.json"} {
		if _, ok := in.Hidden[name]; !ok {
			return nil, untrusted(in)
		}
	}
	return exam.ParseSheet(in.Hidden)
}

// unmet shows the checks that do not hold and what was seen of their cases.
func unmet(s *exam.Sheet, held map[string]bool, left world.Tree, runs []exam.Run) (failures []string, cases map[string]any) {
	failures, cases = []string{}, map[string]any{}
	for _, k := range s.Checks {
		if held[k.ID] {
			continue
		}
		failures = append(failures, k.ID)
		if _, told := cases[k.Case]; told {
			continue
		}
		o := observed(runs, k.Case)
		d := story(o)
		if k.Want != nil {
			d["expected"] = shown(k.Want)
		}
		if k.Aspect == exam.Content {
			if text, there := left[k.File]; there {
				d["actual"] = cut(text)
			}
		} else if k.File == "" && len(o.Value) > 0 {
			d["actual"] = cut(string(o.Value))
		} else if text := o.Files[k.File]; text != nil {
			d["actual"] = cut(*text)
		}
		cases[k.Case] = d
	}
	slices.Sort(failures)
	return failures, cases
}

// weighs is the part of examinations in which reproducing counts by itself.
type weighs struct{}

func (weighs) again(*exam.Sheet, exam.Run) bool { return true }

// testsExam grades by the share of tests that pass.
type testsExam struct{ weighs }

func (testsExam) sheet(in *world.Instance, _ world.Tree) (*exam.Sheet, *Result, error) {
	s, err := parseSheet(in)
	return s, nil, err
}

func (testsExam) labels(in *world.Instance) []string {
	list := []string{TimedOut, TestsFailed}
	for _, test := range readConfig(in).Required {
		list = append(list, failed(test))
	}
	return list
}

func (testsExam) judge(in *world.Instance, s *exam.Sheet, left world.Tree, runs []exam.Run) (Result, error) {
	c := readConfig(in)
	held := s.Grade(left, runs)
	tests := s.Tests(held)
	passed := 0
	for _, ok := range tests {
		if ok {
			passed++
		}
	}
	r := newResult(share(passed, len(tests)))
	r.Subscores["tests_passed"], r.Subscores["tests_total"] = float64(passed), float64(len(tests))
	r.Subscores["tests_passed_ratio"] = share(passed, len(tests))
	if passed < len(tests) {
		if label, _ := halted(s, runs, ""); label != "" {
			r.fail(label)
		}
		r.fail(TestsFailed)
		failures, cases := unmet(s, held, left, runs)
		r.Diagnostics["tests_run"], r.Diagnostics["failures"], r.Diagnostics["cases"] = len(tests), failures, cases
	}
	if err := c.limit(&r, tests); err != nil {
		return Result{}, err
	}
	c.compress(in, &r)
	return r, nil
}
