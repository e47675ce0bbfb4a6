package scorer

import (
	"bytes"
	"fmt"
	"time"
)

// BundleSchema names the form of a run bundle.
const BundleSchema = "wealthops.bundle/1"

// The files of a run bundle.
const (
	ManifestFile    = "bundle.json"
	CandidateFile   = "candidate.json"
	PredictionsFile = "predictions.jsonl"
	ReportFile      = "report.json"
	LatencyFile     = "latency.json"
	EnvironmentFile = "environment.json"
)

// parts are the files that the manifest vouches for, sorted.
var parts = []string{CandidateFile, EnvironmentFile, LatencyFile, PredictionsFile, ReportFile}

// A Manifest is bundle.json: what was run on what, and the SHA-256 of every other file.
type Manifest struct {
	Schema         string            `json:"schema"`
	RunKind        string            `json:"run_kind"`
	CreatedAt      time.Time         `json:"created_at"` // when the run began
	InputDigest    string            `json:"input_digest"`
	CasesDigest    string            `json:"cases_digest"`
	FixturesDigest string            `json:"fixtures_digest"`
	ProtocolDigest string            `json:"protocol_digest"` // of the system text that the candidate was sent
	ScorerVersion  string            `json:"scorer_version"`
	Files          map[string]string `json:"files"`
}

// A Candidate says precisely what answered, and how it was asked. What is not known is null or
// empty.
type Candidate struct {
	Model             string         `json:"model"`
	Digest            string         `json:"digest"`
	TemplateSHA256    string         `json:"template_sha256"`
	Parameters        []string       `json:"parameters"`
	Quantization      string         `json:"quantization"`
	RuntimeVersion    string         `json:"runtime_version"`
	EndpointHostClass string         `json:"endpoint_host_class"` // loopback, remote, none or unknown
	Options           map[string]any `json:"options"`
	Limits            Limits         `json:"limits"`
	HTTPRetries       *int           `json:"http_retries"` // that were allowed
}

// Limits are what a case may cost; null where the cases differ, or there is none.
type Limits struct {
	Decisions *int     `json:"decisions"`
	Seconds   *float64 `json:"seconds"`
	Tokens    *int     `json:"tokens"` // of one decision
}

// An Environment is what is known of the machine: nothing that names it or its user.
type Environment struct {
	OS            string `json:"os"`
	Arch          string `json:"arch"`
	CPUCount      *int   `json:"cpu_count"`
	GoVersion     string `json:"go_version"`
	ModuleVersion string `json:"module_version"`
}

// Sources are the task files that a bundle refers to by digest.
type Sources struct {
	Inputs    []byte // candidate-inputs.jsonl
	Cases     []byte // cases.json
	Fixtures  []byte // fixtures.json
	Protocols []string
}

// Assemble makes the files of a bundle. m brings what predictions and sources do not say: when
// it was created, the protocol's digest, and the kind of run, which all records must be of.
func Assemble(predictions []byte, src Sources, m Manifest, c Candidate, e Environment) (map[string][]byte, error) {
	m.Schema, m.ScorerVersion, m.CreatedAt = BundleSchema, Version, m.CreatedAt.UTC()
	m.InputDigest, m.CasesDigest, m.FixturesDigest = Digest(src.Inputs), Digest(src.Cases), Digest(src.Fixtures)
	report, err := Score(predictions, src.Cases, m.InputDigest)
	if err != nil {
		return nil, err
	}
	if len(report.Errors) > 0 {
		first := report.Errors[0]
		return nil, fmt.Errorf("%s: line %d: %s: %s", PredictionsFile, first.Line, first.Label, first.Detail)
	}
	if report.RunKind != "" && report.RunKind != m.RunKind {
		return nil, fmt.Errorf("%s: the records are of kind %q, not %q", PredictionsFile, report.RunKind, m.RunKind)
	}
	latency, _ := Summarise(predictions)
	files := map[string][]byte{PredictionsFile: predictions}
	if c.Parameters == nil {
		c.Parameters = []string{}
	}
	if c.Options == nil {
		c.Options = map[string]any{}
	}
	for name, v := range map[string]any{CandidateFile: c, EnvironmentFile: e, LatencyFile: latency, ReportFile: report} {
		if files[name], err = document(v); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	m.Files = map[string]string{}
	for _, name := range parts {
		m.Files[name] = Digest(files[name])
	}
	files[ManifestFile], err = document(m)
	return files, err
}

// A Bundle is a run bundle that was read.
type Bundle struct {
	Manifest    Manifest
	Candidate   Candidate
	Environment Environment
	Report      Report
}

// same reports whether two files are equal, and says where they first differ.
func same(want, got []byte) (string, bool) {
	if bytes.Equal(want, got) {
		return "", true
	}
	w, g := bytes.Split(want, []byte("\n")), bytes.Split(got, []byte("\n"))
	for i := range min(len(w), len(g)) {
		if !bytes.Equal(w[i], g[i]) {
			return fmt.Sprintf("line %d: computed %s, found %s", i+1, quote(string(w[i])), quote(string(g[i]))), false
		}
	}
	return fmt.Sprintf("computed %d lines, found %d", len(w), len(g)), false
}
