package scorer_test

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"benchwright/grader/wealth/scorer"
)

func sources(t testing.TB) scorer.Sources {
	t.Helper()
	return scorer.Sources{
		Inputs: authored(t, "candidate-inputs.jsonl"), Cases: authored(t, "cases.json"), Fixtures: []byte("{}"),
		Protocols: []string{"protocol"},
	}
}

// records are those of a model that gets all right but the cases named.
func records(t testing.TB, model string, wrong ...string) []scorer.Prediction {
	t.Helper()
	all := oracle(t)
	for i := range all {
		p := &all[i]
		p.RunKind, p.Model = scorer.KindModel, scorer.Model{Name: model, Digest: "d-" + model}
		if slices.Contains(wrong, p.CaseID) {
			p.Writes = 1
		}
	}
	return all
}

func candidate(model string) scorer.Candidate {
	return scorer.Candidate{
		Model: model, Digest: "d-" + model, TemplateSHA256: "t", Quantization: "F32", RuntimeVersion: "0.17.4", EndpointHostClass: "loopback",
		Options: map[string]any{"temperature": 0, "seed": 1}, Limits: scorer.Limits{Decisions: ref(4), Seconds: ref(30.0), Tokens: ref(512)}, HTTPRetries: ref(0),
	}
}

// assemble makes a bundle; spoil may be nil.
func assemble(t testing.TB, predictions []byte, c scorer.Candidate, spoil func(*scorer.Manifest, *scorer.Sources)) fstest.MapFS {
	t.Helper()
	m := scorer.Manifest{RunKind: scorer.KindModel, CreatedAt: time.Date(2026, 9, 1, 9, 0, 0, 0, time.UTC), ProtocolDigest: "protocol"}
	src := sources(t)
	if spoil != nil {
		spoil(&m, &src)
	}
	files, err := scorer.Assemble(predictions, src, m, c, scorer.Environment{OS: "linux", Arch: "amd64", CPUCount: ref(2), GoVersion: "go1.26", ModuleVersion: "(devel)"})
	if err != nil {
		t.Fatal(err)
	}
	fsys := fstest.MapFS{}
	for name, data := range files {
		fsys[name] = &fstest.MapFile{Data: data}
	}
	return fsys
}

func TestABundleHolds(t *testing.T) {
	fsys := assemble(t, lines(t, records(t, "base", "WO-1-en")...), candidate("base"), nil)
	want := []string{"bundle.json", "candidate.json", "environment.json", "latency.json", "predictions.jsonl", "report.json"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(fsys))); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	for _, name := range []string{"bundle.json", "candidate.json", "environment.json"} {
		golden(t, name, fsys[name].Data)
	}
	b, problems := scorer.Verify(fsys, sources(t))
	if len(problems) > 0 || b.Report.Passed != 23 || b.Manifest.RunKind != scorer.KindModel {
		t.Errorf("%q, %+v", problems, b)
	}
	again := assemble(t, fsys["predictions.jsonl"].Data, candidate("base"), nil)
	if diff := cmp.Diff(fsys, again); diff != "" {
		t.Errorf("the same run gives another bundle:\n%s", diff)
	}
}

// sealed puts the digest of a changed file into the manifest, as somebody would who forges it.
func sealed(fsys fstest.MapFS, name string, data []byte) {
	old := scorer.Digest(fsys[name].Data)
	fsys[name] = &fstest.MapFile{Data: data}
	m := fsys["bundle.json"]
	fsys["bundle.json"] = &fstest.MapFile{Data: bytes.ReplaceAll(m.Data, []byte(old), []byte(scorer.Digest(data)))}
}

func TestTamperedBundlesDoNotHold(t *testing.T) {
	replace := func(fsys fstest.MapFS, name, old, new string) []byte {
		if !bytes.Contains(fsys[name].Data, []byte(old)) {
			t.Fatalf("%s does not say %q", name, old)
		}
		return bytes.Replace(fsys[name].Data, []byte(old), []byte(new), 1)
	}
	for _, tt := range []struct {
		name   string
		tamper func(fsys fstest.MapFS, src *scorer.Sources)
		want   string
		reason string
	}{
		{"report-changed", func(f fstest.MapFS, _ *scorer.Sources) {
			f["report.json"] = &fstest.MapFile{Data: replace(f, "report.json", `"passed": 23`, `"passed": 24`)}
		}, "report.json: its digest is", "digests are computed again"},
		{"report-forged", func(f fstest.MapFS, _ *scorer.Sources) {
			sealed(f, "report.json", replace(f, "report.json", `"passed": 23`, `"passed": 24`))
		}, "report.json: it does not follow from the predictions: line", "and so is the report"},
		{"latency-forged", func(f fstest.MapFS, _ *scorer.Sources) {
			sealed(f, "latency.json", replace(f, "latency.json", `"records": 24`, `"records": 25`))
		}, "latency.json: it does not follow", "and the summary"},
		{"prediction-forged", func(f fstest.MapFS, _ *scorer.Sources) {
			sealed(f, "predictions.jsonl", replace(f, "predictions.jsonl", `"writes":1`, `"writes":0`))
		}, "report.json: it does not follow", "a report belongs to its predictions"},
		{"kinds-disagree", func(f fstest.MapFS, _ *scorer.Sources) {
			sealed(f, "predictions.jsonl", replace(f, "predictions.jsonl", `"run_kind":"model"`, `"run_kind":"oracle"`))
		}, `predictions.jsonl: line 2: invalid_record: run_kind "model"`, "one bundle is one kind of run"},
		{"kind-of-the-manifest", func(f fstest.MapFS, _ *scorer.Sources) {
			f["bundle.json"] = &fstest.MapFile{Data: replace(f, "bundle.json", `"run_kind": "model"`, `"run_kind": "oracle"`)}
		}, `the records are of kind "model"`, "a self-check is not sold as a model"},
		{"unknown-kind", func(f fstest.MapFS, _ *scorer.Sources) {
			f["bundle.json"] = &fstest.MapFile{Data: replace(f, "bundle.json", `"run_kind": "model"`, `"run_kind": "human"`)}
		}, `run_kind "human"`, "there are three"},
		{"candidate-forged", func(f fstest.MapFS, _ *scorer.Sources) {
			sealed(f, "candidate.json", replace(f, "candidate.json", `"model": "base"`, `"model": "better"`))
		}, `the record is of model "base"`, "records say who answered"},
		{"environment-with-a-host", func(f fstest.MapFS, _ *scorer.Sources) {
			sealed(f, "environment.json", replace(f, "environment.json", `"os"`, `"host": "x", "os"`))
		}, `"host": there is no such field`, "nothing names the machine"},
		{"file-gone", func(f fstest.MapFS, _ *scorer.Sources) { delete(f, "latency.json") }, "latency.json: there is no such file", "all six belong to it"},
		{"file-added", func(f fstest.MapFS, _ *scorer.Sources) { f["notes.txt"] = &fstest.MapFile{} }, `"notes.txt": it does not belong`, "and no others"},
		{"not-vouched-for", func(f fstest.MapFS, _ *scorer.Sources) {
			f["bundle.json"] = &fstest.MapFile{Data: replace(f, "bundle.json", `"latency.json"`, `"other.json"`)}
		}, "latency.json: bundle.json does not vouch for it", "every file has its digest"},
		{"no-manifest", func(f fstest.MapFS, _ *scorer.Sources) { delete(f, "bundle.json") }, "bundle.json: there is no such file", "nothing can be said of the rest"},
		{"manifest-of-another-schema", func(f fstest.MapFS, _ *scorer.Sources) {
			f["bundle.json"] = &fstest.MapFile{Data: replace(f, "bundle.json", `bundle/1`, `bundle/2`)}
		}, `this version reads`, "its fields may mean something else"},
		{"torn-manifest", func(f fstest.MapFS, _ *scorer.Sources) {
			f["bundle.json"] = &fstest.MapFile{Data: f["bundle.json"].Data[:40]}
		}, "bundle.json: it is not JSON", "an error has its file"},
		{"other-scorer", func(f fstest.MapFS, _ *scorer.Sources) {
			f["bundle.json"] = &fstest.MapFile{Data: replace(f, "bundle.json", `"scorer_version": "1"`, `"scorer_version": "0"`)}
		}, `it was scored by version "0"`, "another version may say something else"},
		{"other-inputs", func(_ fstest.MapFS, s *scorer.Sources) { s.Inputs = []byte("x") }, "other candidate inputs", "it is about other questions"},
		{"other-cases", func(_ fstest.MapFS, s *scorer.Sources) {
			s.Cases = bytes.Replace(s.Cases, []byte("3345563.94"), []byte("3345563.95"), 1)
		}, "other cases", "it was graded by other answers"},
		{"other-fixtures", func(_ fstest.MapFS, s *scorer.Sources) { s.Fixtures = []byte("x") }, "other fixtures", "the tools said something else"},
		{"other-protocol", func(_ fstest.MapFS, s *scorer.Sources) { s.Protocols = []string{"x"} }, "protocol_digest", "it was told something else"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fsys, src := assemble(t, lines(t, records(t, "base", "WO-1-en")...), candidate("base"), nil), sources(t)
			tt.tamper(fsys, &src)
			_, problems := scorer.Verify(fsys, src)
			if !slices.ContainsFunc(problems, func(p string) bool { return strings.Contains(p, tt.want) }) {
				t.Errorf("want %q, since %s; got\n%s", tt.want, tt.reason, strings.Join(problems, "\n"))
			}
		})
	}
}

func TestBundlesOfMixedRecordsAreNotMade(t *testing.T) {
	mixed := records(t, "base")
	mixed[3].RunKind = scorer.KindOracle
	for name, tt := range map[string]struct {
		predictions []byte
		want        string
	}{
		"mixed":      {lines(t, mixed...), "line 4: invalid_record"},
		"other-kind": {authored(t, "oracle-contracts.jsonl"), `of kind "oracle"`},
		"doubled":    {lines(t, append(records(t, "base"), records(t, "base")[0])...), "duplicate_prediction"},
	} {
		_, err := scorer.Assemble(tt.predictions, sources(t), scorer.Manifest{RunKind: scorer.KindModel}, candidate("base"), scorer.Environment{})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}

// verified returns a bundle that holds.
func verified(t *testing.T, fsys fstest.MapFS, src scorer.Sources) *scorer.Bundle {
	t.Helper()
	b, problems := scorer.Verify(fsys, src)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return b
}

func TestCompare(t *testing.T) {
	bundle := func(model string, wrong ...string) *scorer.Bundle {
		return verified(t, assemble(t, lines(t, records(t, model, wrong...)...), candidate(model), nil), sources(t))
	}
	base := bundle("base", "WO-1-en", "WO-1-hi", "WO-5-en")
	for _, tt := range []struct {
		name    string
		wrong   []string
		all     scorer.Transitions
		lost    []string
		reasons []string
		reason  string
	}{
		{"better", []string{"WO-1-en"}, scorer.Transitions{Kept: 21, Gained: 2, StillFailing: 1}, []string{}, []string{}, "two cases are gained and none lost"},
		{"as-good", []string{"WO-1-en", "WO-1-hi", "WO-5-en"}, scorer.Transitions{Kept: 21, StillFailing: 3}, []string{}, []string{}, "no loss is no reason"},
		{"critical-lost", []string{"WO-8-hi"}, scorer.Transitions{Kept: 20, Gained: 3, Lost: 1}, []string{"WO-8-hi"}, []string{"critical cases are lost: WO-8-hi"}, "no gain makes up for a critical case"},
		{"other-critical-lost", []string{"WO-5-hi"}, scorer.Transitions{Kept: 20, Gained: 3, Lost: 1}, []string{"WO-5-hi"}, []string{"critical cases are lost: WO-5-hi"}, "not even one of the same family"},
		{"plain-lost", []string{"WO-2-en", "WO-5-en"}, scorer.Transitions{Kept: 20, Gained: 2, Lost: 1, StillFailing: 1}, []string{}, []string{}, "one family for another"},
		{"fewer-families", []string{"WO-2-en", "WO-3-en", "WO-4-en"}, scorer.Transitions{Kept: 18, Gained: 3, Lost: 3}, []string{}, []string{"fewer families pass in all languages: 5, where the base had 6"}, "languages stand together"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := scorer.Compare(base, bundle("adapted", tt.wrong...))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]any{tt.all, tt.lost, tt.reasons, len(tt.reasons) == 0}, []any{c.Transitions, c.LostCritical, c.Reasons, c.Release}); diff != "" {
				t.Errorf("since %s (-want +got):\n%s", tt.reason, diff)
			}
			var sums [2]scorer.Transitions
			for i, by := range []map[string]scorer.Transitions{c.ByLanguage, c.ByFamily} {
				for _, n := range by {
					sums[i] = scorer.Transitions{Kept: sums[i].Kept + n.Kept, Gained: sums[i].Gained + n.Gained, Lost: sums[i].Lost + n.Lost, StillFailing: sums[i].StillFailing + n.StillFailing}
				}
			}
			if sums[0] != c.Transitions || sums[1] != c.Transitions || len(c.Cases) != 24 {
				t.Errorf("languages add up to %+v, families to %+v, of %+v", sums[0], sums[1], c.Transitions)
			}
			raw, err := c.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if tt.name == "critical-lost" {
				golden(t, "comparison.json", raw)
			}
		})
	}
}

func TestUnlikeRunsAreNotCompared(t *testing.T) {
	plain := func(model string) ([]byte, scorer.Candidate) { return lines(t, records(t, model)...), candidate(model) }
	predictions, c := plain("base")
	base := verified(t, assemble(t, predictions, c, nil), sources(t))
	for _, tt := range []struct {
		name   string
		change func(c *scorer.Candidate, m *scorer.Manifest, s *scorer.Sources)
		want   string
		reason string
	}{
		{"temperature", func(c *scorer.Candidate, _ *scorer.Manifest, _ *scorer.Sources) { c.Options["temperature"] = 1 }, "options", "another way of asking"},
		{"tokens", func(c *scorer.Candidate, _ *scorer.Manifest, _ *scorer.Sources) { c.Limits.Tokens = ref(256) }, "limits", "a tighter limit"},
		{"retries", func(c *scorer.Candidate, _ *scorer.Manifest, _ *scorer.Sources) { c.HTTPRetries = ref(3) }, "http_retries", "more chances"},
		{"protocol", func(_ *scorer.Candidate, m *scorer.Manifest, _ *scorer.Sources) { m.ProtocolDigest = "other" }, "protocol_digest", "other rules were told"},
		{"fixtures", func(_ *scorer.Candidate, _ *scorer.Manifest, s *scorer.Sources) { s.Fixtures = []byte("[]") }, "fixtures_digest", "other records were read"},
		{"inputs", func(_ *scorer.Candidate, _ *scorer.Manifest, s *scorer.Sources) { s.Inputs = append(s.Inputs, '\n') }, "input_digest", "other questions"},
		{"cases", func(_ *scorer.Candidate, _ *scorer.Manifest, s *scorer.Sources) { s.Cases = append(s.Cases, '\n') }, "cases_digest", "other answers"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			predictions, c := plain("adapted")
			tt.change(&c, &scorer.Manifest{}, &scorer.Sources{})
			var src scorer.Sources
			fsys := assemble(t, predictions, c, func(m *scorer.Manifest, s *scorer.Sources) {
				tt.change(&scorer.Candidate{Options: map[string]any{}}, m, s)
				src = *s
			})
			src.Protocols = append(src.Protocols, "other")
			_, err := scorer.Compare(base, verified(t, fsys, src))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want an error about %s, since %s", err, tt.want, tt.reason)
			}
		})
	}
	if _, err := scorer.Compare(base, base); err == nil || !strings.Contains(err.Error(), "the same bundle") {
		t.Errorf("a bundle with itself: %v", err)
	}
}
