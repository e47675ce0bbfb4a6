package files

import (
	"maps"
	"slices"

	world "benchwright/sim/files"
	"benchwright/sim/files/exam"
)

// rowsExam grades the artifact that an entry point makes, by its rows.
type rowsExam struct{}

// again: an artifact that is wrong is worth the same, reproducible or not.
func (rowsExam) again(s *exam.Sheet, first exam.Run) bool {
	held := s.Grade(nil, []exam.Run{first})
	return !slices.ContainsFunc(s.Checks, func(k exam.Check) bool {
		_, seen := first[k.Case]
		return seen && k.Aspect != exam.Same && k.Aspect != exam.Content && !held[k.ID]
	})
}

func (rowsExam) labels(in *world.Instance) []string {
	list := []string{TimedOut, RunFailed, OutputMissing, InvalidJSON, OutputMismatch, Unreproducible, OtherFailed}
	for _, test := range readConfig(in).Required {
		list = append(list, failed(test))
	}
	return list
}

func (rowsExam) sheet(in *world.Instance, _ world.Tree) (*exam.Sheet, *Result, error) {
	if _, ok := in.Hidden["cases.json"]; ok {
		s, err := exam.ParseSheet(in.Hidden)
		return s, nil, err
	}
	s, err := publishedSheet(in)
	return s, nil, err
}

// Names in the sheet that is made of an instance without one.
const publishedCase, publishedRows = "visible", "visible_rows"

// publishedSheet is that of an instance in the published layout, whose entry point is run on the
// visible data alone, twice.
func publishedSheet(in *world.Instance) (*exam.Sheet, error) {
	output := readConfig(in).output(in)
	want, err := expected(in, "")
	if err != nil {
		return nil, err
	}
	command, _ := in.Manifest.Metadata.Task["entrypoint"].(string)
	words, err := entrypoint(command)
	switch {
	case err != nil:
		return nil, err
	case output == "":
		return nil, errNoOutput
	}
	s := &exam.Sheet{
		Runs: 2, Seconds: min(60, max(1, in.Manifest.TimeLimitSeconds)),
		Cases: []exam.Case{{ID: publishedCase, Script: words, Clear: []string{output}, Read: []string{output}}},
		Checks: []exam.Check{
			{ID: publishedRows, Test: publishedRows, Case: publishedCase, Aspect: exam.Equal, File: output, Want: want},
			{ID: "same_again", Test: "same_again", Case: publishedCase, Aspect: exam.Same, File: output},
		},
	}
	return s, s.Validate()
}

func (rowsExam) judge(in *world.Instance, s *exam.Sheet, left world.Tree, runs []exam.Run) (Result, error) {
	c := readConfig(in)
	held := s.Grade(left, runs)
	tests := s.Tests(held)
	all := !slices.Contains(slices.Collect(maps.Values(held)), false)
	output := c.output(in)
	r := newResult(0)
	reproducible := true
	for _, k := range s.Checks {
		if k.Aspect == exam.Same {
			reproducible = reproducible && held[k.ID]
		}
	}
	r.Diagnostics["required_path"] = output
	r.Subscores["deterministic_rerun"] = flag(reproducible)
	scored := c.scored()
	for _, f := range scored {
		part := rowsOf(s, runs, f.name, output, reproducible)
		r.Score += part.Score / float64(len(scored))
		for k, v := range part.Subscores {
			r.Subscores[k] += v / float64(len(scored))
		}
		r.fail(part.FailureLabels...)
		if len(part.Diagnostics) > 0 {
			r.Diagnostics[f.name+"_run"] = part.Diagnostics
		}
	}
	if err := c.limit(&r, tests); err != nil {
		return Result{}, err
	}
	if !all {
		failures, _ := unmet(s, held, left, runs)
		r.Diagnostics["failures"] = failures
		if len(r.FailureLabels) == 0 {
			r.fail(OtherFailed)
		}
		if r.Score >= 1 {
			r.Score = almost
		}
	}
	c.compress(in, &r)
	return r, nil
}

// A scoredCase is a case that the score is a share of, and the field that names it.
type scoredCase struct{ field, name string }

func (c config) scored() []scoredCase {
	if c.VisibleCase == "" {
		return []scoredCase{{"visible_case", publishedCase}}
	}
	return []scoredCase{{"visible_case", c.VisibleCase}, {"other_case", c.OtherCase}}
}

// rowsOf grades the artifact of one run.
func rowsOf(s *exam.Sheet, runs []exam.Run, name, output string, reproducible bool) Result {
	o := observed(runs, name)
	r := newResult(0)
	for _, k := range []string{"execution", "valid_json", "row_precision", "row_recall", "row_f1", "exact_match"} {
		r.Subscores[k] = 0
	}
	if o.State != "ok" {
		r.fail(RunFailed)
		if o.State == "timeout" {
			r.FailureLabels = []string{TimedOut}
		}
		r.Diagnostics = story(o)
		return r
	}
	r.Subscores["execution"] = 1
	text := o.Files[output]
	if text == nil {
		r.Score = 0.05
		r.fail(OutputMissing)
		return r
	}
	got, err := parse(*text)
	if err != nil {
		r.Score = 0.10
		r.fail(InvalidJSON)
		r.Diagnostics["error"], r.Diagnostics["actual_preview"] = clip(err.Error()), cut(*text)
		return r
	}
	r.Subscores["valid_json"] = 1
	rows, exact := compareRows(got, wanted(s, name, output), r.Diagnostics)
	rows.subscores(r.Subscores, "row", exact)
	r.Score = rows.score(exact)
	switch {
	case !exact:
		r.fail(OutputMismatch)
	case !reproducible: // right, and not by its rules
		r.Score = almost
		r.fail(Unreproducible)
	}
	return r
}

// wanted is the artifact that a case should leave.
func wanted(s *exam.Sheet, name, file string) any {
	for _, k := range s.Checks {
		if k.Case == name && k.File == file && k.Aspect == exam.Equal {
			return k.Want
		}
	}
	return nil
}
