package wiki

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	fixture "benchwright/fixtures/wiki"
)

// The five records of a run, and what closes it.
const (
	ManifestFile = "manifest.json"
	EventsFile   = "events.jsonl"
	GradingFile  = "grading.json"
	SummaryFile  = "summary.json"
	ReportFile   = "report.md"
	SealFile     = "records.sha256"
)

// RedactionFault is the code of a record that holds what no record may.
const RedactionFault = "redaction_fault"

// Redacted returns what the rules secret and host_path of the fixture's builder object to in records,
// by name, sorted. Whoever finds anything must not seal them: [Circumstances.Redaction] takes it.
func Redacted(files map[string][]byte) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for _, o := range fixture.Scan(name, files[name]) {
			out = append(out, o.String())
		}
	}
	return out
}

// Seal returns the text of records.sha256: a line "hash  name" for each record, by name. Records
// that the redaction scan objects to are not sealed.
func Seal(files map[string][]byte) ([]byte, error) {
	if hits := Redacted(files); len(hits) > 0 {
		return nil, fmt.Errorf("%s: %s", RedactionFault, strings.Join(hits, "; "))
	}
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if name != SealFile {
			fmt.Fprintf(&b, "%s  %s\n", fixture.Hash(string(files[name])), name)
		}
	}
	return b.Bytes(), nil
}

// Verify compares records with the seal among them. Its error names every record that has changed,
// is missing or was added.
func Verify(files map[string][]byte) error {
	seal, ok := files[SealFile]
	if !ok {
		return errors.New("the records are not sealed: there is no " + SealFile)
	}
	want := map[string]string{}
	var errs []error
	for line := range strings.Lines(string(seal)) {
		hash, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if _, twice := want[name]; !ok || twice || len(hash) != 64 || !strings.HasSuffix(line, "\n") {
			errs = append(errs, fmt.Errorf("%s: the line %s is none of a seal", SealFile, shown(line)))
			continue
		}
		want[name] = hash
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		switch raw, ok := files[name]; {
		case !ok:
			errs = append(errs, fmt.Errorf("%s is missing", shown(name)))
		case fixture.Hash(string(raw)) != want[name]:
			errs = append(errs, fmt.Errorf("%s has changed since it was sealed", shown(name)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if _, ok := want[name]; !ok && name != SealFile {
			errs = append(errs, fmt.Errorf("%s was added after the seal", shown(name)))
		}
	}
	for _, name := range []string{ManifestFile, EventsFile, GradingFile, SummaryFile, ReportFile} {
		if _, ok := want[name]; !ok {
			errs = append(errs, fmt.Errorf("the seal does not cover %s", name))
		}
	}
	return errors.Join(errs...)
}
