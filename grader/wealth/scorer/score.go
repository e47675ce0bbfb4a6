package scorer

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"benchwright/grader"
)

// Score grades a predictions file against a cases file. inputDigest is the digest of the
// candidate inputs that the records answer, or "" where nobody knows.
//
// An error means that nothing could be graded, since the cases file is bad. Whatever the
// predictions file holds gives a report.
func Score(predictions, cases []byte, inputDigest string) (Report, error) {
	expected, err := ParseCases(cases)
	if err != nil {
		return Report{}, err
	}
	f := read(predictions, expected)
	r := Report{
		Schema: ReportSchema, ScorerVersion: Version, RunKind: f.kind,
		InputDigest: inputDigest, CasesDigest: Digest(cases), PredictionsDigest: Digest(predictions),
		ByLanguage: map[string]Sum{}, ByFamily: map[string]Sum{}, LabelCounts: map[string]int{},
		Cases: []CaseReport{}, Errors: f.errors,
	}
	for _, c := range expected.Cases {
		e := f.entries[c.CaseID]
		labels, err := e.labels(c)
		if err != nil {
			return Report{}, fmt.Errorf("case %s: %w", c.CaseID, err)
		}
		submitted, passed := len(e.sound) > 0, len(labels) == 0
		r.Attempted++
		r.Duplicates += max(0, e.lines-1)
		if submitted {
			r.Submitted++
		} else {
			r.Missing++
		}
		if passed {
			r.Passed++
		} else {
			r.Failed++
		}
		if c.Critical {
			r.Critical.Attempted++
			if passed {
				r.Critical.Passed++
			}
		}
		language, family := r.ByLanguage[c.Language], r.ByFamily[c.Family]
		language.add(submitted, passed)
		family.add(submitted, passed)
		r.ByLanguage[c.Language], r.ByFamily[c.Family] = language, family
		for _, l := range labels {
			r.LabelCounts[l]++
		}
		r.Cases = append(r.Cases, CaseReport{c.CaseID, c.Family, c.Language, c.Critical, passed, labels})
	}
	r.FamiliesTotal = len(r.ByFamily)
	for _, s := range r.ByFamily {
		if s.Passed == s.Attempted {
			r.FamiliesPassed++
		}
	}
	return r, nil
}

// An entry is all lines of a file that name one case.
type entry struct {
	lines int
	sound []Prediction
}

// labels returns what is wrong with a case; never nil.
func (e entry) labels(c Case) ([]string, error) {
	out := []string{}
	if e.lines == 0 {
		return append(out, MissingPrediction), nil
	}
	if e.lines > 1 {
		out = append(out, DuplicatePrediction)
	}
	if len(e.sound) < e.lines {
		out = append(out, InvalidRecord)
	}
	if len(out) > 0 {
		return out, nil
	}
	v := grader.Grade(context.Background(), c.checks(), seen(e.sound[0].evidence()))
	if v.Outcome == grader.Broken || v.Outcome == grader.Skipped {
		return nil, fmt.Errorf("%s", v.Reason)
	}
	return append(out, v.Codes()...), nil
}

// seen is evidence that is the same for every check.
type seen grader.Evidence

// Evidence implements grader.Evidencer.
func (s seen) Evidence(int) (grader.Evidence, error) { return grader.Evidence(s), nil }

// A file is a predictions file, sorted by case.
type file struct {
	kind    string
	entries map[string]entry
	records []Prediction // the sound ones of known cases, in the order of the file
	errors  []FileError
	more    int // errors that are not listed
}

// maxErrors bounds the list of errors of a file.
const maxErrors = 200

// read sorts the lines of a file by case. A nil Cases knows every case.
func read(predictions []byte, expected Cases) file {
	f := file{entries: map[string]entry{}}
	number := 0
	for line := range bytes.Lines(predictions) {
		number++
		f.take(number, bytes.TrimRight(line, "\r\n"), expected)
	}
	if f.more > 0 {
		last := &f.errors[len(f.errors)-1]
		last.Detail += fmt.Sprintf(", and %d more errors are not listed", f.more)
	}
	return f
}

func (f *file) take(number int, line []byte, expected Cases) {
	wrong := func(label, id, format string, args ...any) {
		if len(f.errors) == maxErrors {
			f.more++
			return
		}
		f.errors = append(f.errors, FileError{number, label, id, fmt.Sprintf(format, args...)})
	}
	v, err := parseLine(line)
	if err != nil {
		wrong(InvalidRecord, "", "%v", err)
		return
	}
	object, _ := v.(map[string]any)
	id, named := object["case_id"].(string)
	if !named { // so it is no record, and the error says why
		_, err := prediction(v, line)
		wrong(InvalidRecord, "", "%v", err)
		return
	}
	known := slices.IndexFunc(expected.Cases, func(c Case) bool { return c.CaseID == id })
	if known < 0 && expected.Cases != nil {
		wrong(UnknownCase, cut(id, maxName), "no case is called %s", quote(id))
		return
	}
	e := f.entries[id]
	e.lines++
	p, err := prediction(v, line)
	if err == nil && known >= 0 {
		if c := expected.Cases[known]; p.Family != c.Family || p.Language != c.Language {
			err = fmt.Errorf("family %s and language %s: the case is of %s in %s", quote(p.Family), quote(p.Language), c.Family, c.Language)
		}
	}
	if err == nil && f.kind != "" && p.RunKind != f.kind {
		err = fmt.Errorf("run_kind %q: the records before it are of kind %q, and a file holds one kind", p.RunKind, f.kind)
	}
	if e.lines > 1 {
		wrong(DuplicatePrediction, cut(id, maxName), "there is a record of this case before it; neither counts")
	}
	if err != nil {
		wrong(InvalidRecord, cut(id, maxName), "%v", err)
	} else {
		f.kind = p.RunKind
		e.sound = append(e.sound, p)
		f.records = append(f.records, p)
	}
	f.entries[id] = e
}
