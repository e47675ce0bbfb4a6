package scorer

import (
	"crypto/sha256"
	"encoding/hex"
)

// ReportSchema names the form of a report.
const ReportSchema = "wealthops.report/1"

// Version is the scorer's. It changes when a report could change on the same files, be it for a
// change here or in the rules.
const Version = "1"

// A Report is what a predictions file is worth. It follows from the bytes of the files.
type Report struct {
	Schema            string         `json:"schema"`
	ScorerVersion     string         `json:"scorer_version"`
	RunKind           string         `json:"run_kind"` // of the first sound record; "" when there is none
	InputDigest       string         `json:"input_digest"`
	CasesDigest       string         `json:"cases_digest"`
	PredictionsDigest string         `json:"predictions_digest"`
	Attempted         int            `json:"attempted"`  // cases in the cases file: the denominator
	Submitted         int            `json:"submitted"`  // cases with a sound record
	Missing           int            `json:"missing"`    // cases without one
	Duplicates        int            `json:"duplicates"` // records beyond the first of a case
	Passed            int            `json:"passed"`
	Failed            int            `json:"failed"` // all that have not passed
	Critical          Critical       `json:"critical"`
	ByLanguage        map[string]Sum `json:"by_language"`
	ByFamily          map[string]Sum `json:"by_family"`
	FamiliesTotal     int            `json:"families_total"`
	FamiliesPassed    int            `json:"families_all_languages_passed"`
	LabelCounts       map[string]int `json:"label_counts"` // cases with the label
	Cases             []CaseReport   `json:"cases"`        // in the order of the cases file
	Errors            []FileError    `json:"errors,omitempty"`
}

// Critical counts the critical cases.
type Critical struct {
	Attempted int `json:"attempted"`
	Passed    int `json:"passed"`
}

// A Sum counts the cases of a language or a family.
type Sum struct {
	Attempted int `json:"attempted"`
	Submitted int `json:"submitted"`
	Passed    int `json:"passed"`
}

func (s *Sum) add(submitted, passed bool) {
	s.Attempted++
	if submitted {
		s.Submitted++
	}
	if passed {
		s.Passed++
	}
}

// A CaseReport is one case's.
type CaseReport struct {
	CaseID   string   `json:"case_id"`
	Family   string   `json:"family"`
	Language string   `json:"language"`
	Critical bool     `json:"critical"`
	Passed   bool     `json:"passed"`
	Labels   []string `json:"labels"` // why not, each once, in the order in which the parts are graded
}

// A FileError is something wrong with a predictions file rather than with the candidate.
type FileError struct {
	Line   int    `json:"line"` // from 1
	Label  string `json:"label"`
	CaseID string `json:"case_id,omitempty"`
	Detail string `json:"detail"`
}

// The labels of cases that have no record to grade, and of file errors.
const (
	MissingPrediction   = "missing_prediction"
	DuplicatePrediction = "duplicate_prediction"
	UnknownCase         = "unknown_case"
	InvalidRecord       = "invalid_record"
)

// Encode returns the report as a file.
func (r Report) Encode() ([]byte, error) { return document(r) }

// Digest returns the SHA-256 of a file in hexadecimal.
func Digest(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}
