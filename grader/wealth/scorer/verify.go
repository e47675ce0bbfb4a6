package scorer

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"benchwright/internal/regular"
)

// maxFile is how large a file of a bundle may be that is read.
const maxFile = 256 << 20

// Verify reads a run bundle and checks all that can be computed again: that it holds exactly the
// files that it should, each with the digest that the manifest gives; that it was made from
// these sources; that its records are sound and all of the kind that the manifest says; and that
// scoring and timing them again gives the same report and the same summary, byte for byte.
//
// It returns one sentence for each thing that is wrong. The bundle is nil when not even its
// files could be read.
func Verify(fsys fs.FS, src Sources) (*Bundle, []string) {
	var problems []string
	wrong := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }

	b := &Bundle{}
	raw, err := readFile(fsys, ManifestFile)
	if err == nil {
		err = decode(raw, &b.Manifest)
	}
	if err != nil {
		wrong("%s: %v", ManifestFile, err)
		return nil, problems
	}
	m := b.Manifest
	if m.Schema != BundleSchema {
		wrong("%s: schema %s: this version reads %q", ManifestFile, quote(m.Schema), BundleSchema)
		return nil, problems
	}
	files := map[string][]byte{}
	for _, name := range parts {
		digest, listed := m.Files[name]
		raw, err := readFile(fsys, name)
		switch {
		case err != nil:
			wrong("%s: %v", name, err)
		case !listed:
			wrong("%s: %s does not vouch for it", name, ManifestFile)
		case Digest(raw) != digest:
			wrong("%s: its digest is %s, but %s says %s", name, Digest(raw), ManifestFile, quote(digest))
		}
		files[name] = raw
	}
	extra, err := strangers(fsys, m)
	if err != nil {
		wrong("%v", err)
	}
	for _, name := range extra {
		wrong("%s: it does not belong to a bundle", quote(name))
	}
	b.sources(src, wrong)
	for _, name := range parts {
		if files[name] == nil {
			slices.Sort(problems)
			return nil, problems
		}
	}
	for name, into := range map[string]any{CandidateFile: &b.Candidate, EnvironmentFile: &b.Environment, ReportFile: &b.Report} {
		if err := decode(files[name], into); err != nil {
			wrong("%s: %v", name, err)
		}
	}
	b.records(files, src, wrong)
	slices.Sort(problems)
	return b, problems
}

// strangers returns the files that are there, or are vouched for, and should not be.
func strangers(fsys fs.FS, m Manifest) ([]string, error) {
	var out []string
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.Name() != ManifestFile && !slices.Contains(parts, e.Name()) && !e.IsDir() {
			out = append(out, e.Name())
		}
	}
	for name := range m.Files {
		if !slices.Contains(parts, name) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out, nil
}

// sources compares the digests of what the run was made from.
func (b *Bundle) sources(src Sources, wrong func(string, ...any)) {
	m := b.Manifest
	for _, d := range []struct {
		name, says string
		raw        []byte
	}{
		{"candidate inputs", m.InputDigest, src.Inputs},
		{"cases", m.CasesDigest, src.Cases},
		{"fixtures", m.FixturesDigest, src.Fixtures},
	} {
		if d.raw != nil && Digest(d.raw) != d.says {
			wrong("%s: it was made from other %s (%s) than these (%s)", ManifestFile, d.name, quote(d.says), Digest(d.raw))
		}
	}
	if len(src.Protocols) > 0 && !slices.Contains(src.Protocols, m.ProtocolDigest) {
		wrong("%s: protocol_digest %s is of no protocol known here", ManifestFile, quote(m.ProtocolDigest))
	}
	if m.ScorerVersion != Version {
		wrong("%s: it was scored by version %s; this is version %q, whose report may differ", ManifestFile, quote(m.ScorerVersion), Version)
	}
	if !slices.Contains(kinds, m.RunKind) {
		wrong("%s: run_kind %s: want one of %s", ManifestFile, quote(m.RunKind), list(kinds))
	}
}

// records looks at the predictions, and computes what follows from them.
func (b *Bundle) records(files map[string][]byte, src Sources, wrong func(string, ...any)) {
	predictions := files[PredictionsFile]
	if src.Cases == nil {
		wrong("%s: it cannot be scored again without the cases", ReportFile)
		return
	}
	report, err := Score(predictions, src.Cases, b.Manifest.InputDigest)
	if err != nil {
		wrong("%v", err)
		return
	}
	for _, e := range report.Errors {
		wrong("%s: line %d: %s: %s", PredictionsFile, e.Line, e.Label, e.Detail)
	}
	if report.RunKind != "" && report.RunKind != b.Manifest.RunKind {
		wrong("%s: the records are of kind %q, but %s says %s", PredictionsFile, report.RunKind, ManifestFile, quote(b.Manifest.RunKind))
	}
	latency, _ := Summarise(predictions)
	for name, v := range map[string]any{ReportFile: report, LatencyFile: latency} {
		want, err := document(v)
		if err != nil {
			wrong("%s: %v", name, err)
			continue
		}
		if diff, ok := same(want, files[name]); !ok {
			wrong("%s: it does not follow from the predictions: %s", name, diff)
		}
	}
	for _, p := range read(predictions, Cases{}).records {
		if want := (Model{b.Candidate.Model, b.Candidate.Digest}); p.Model != want {
			wrong("%s: %s: the record is of model %s (%s), but %s says %s (%s)", PredictionsFile, quote(p.CaseID),
				quote(p.Model.Name), quote(p.Model.Digest), CandidateFile, quote(want.Name), quote(want.Digest))
			break
		}
	}
}

func readFile(fsys fs.FS, name string) ([]byte, error) {
	raw, err := regular.ReadFS(fsys, name, maxFile)
	var path *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no such file")
	case errors.As(err, &path): // whose name is said already
		return nil, path.Err
	}
	return raw, err
}
