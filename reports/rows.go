package reports

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/tasks"
)

// A Row is one episode in results.jsonl. It follows from the record alone.
type Row struct {
	Task        tasks.ID        `json:"task"`
	Trial       int             `json:"trial"`
	Suite       string          `json:"suite"`
	Family      string          `json:"family"`
	Labels      []string        `json:"labels"` // sorted, suite: and family: among them
	Outcome     grader.Outcome  `json:"outcome"`
	Layer       grader.Layer    `json:"layer,omitempty"`
	Fault       string          `json:"fault_code,omitempty"` // of a broken or skipped one
	Score       float64         `json:"score"`
	Floor       *float64        `json:"floor"`    // null when not certified
	Adjusted    *float64        `json:"adjusted"` // (score − floor) ÷ (1 − floor); null without a floor, with one of 1, or without a valid score
	Codes       []string        `json:"codes"`    // of the findings, each once; of a certification "gate:NAME"
	Type        string          `json:"type,omitempty"`
	Message     string          `json:"message,omitempty"` // of the first finding, or why broken or skipped
	Turns       int             `json:"turns"`
	Calls       int             `json:"calls"`
	Usage       agent.Usage     `json:"usage"`
	Budget      int64           `json:"budget_tokens"`
	Cost        *json.Number    `json:"cost"` // null without prices
	WallMS      float64         `json:"wall_ms"`
	QueuedMS    float64         `json:"queued_ms"`
	End         string          `json:"end"`
	Gates       map[string]bool `json:"gates,omitempty"`       // gate → held
	Uncertified bool            `json:"uncertified,omitempty"` // the task, or its spec beyond the rubric, has not proven itself
	Record      string          `json:"record"`                // path within the bundle
	TaskDigest  tasks.Digest    `json:"task_digest"`
	File        string          `json:"file,omitempty"`
	Line        int             `json:"line,omitempty"`
}

// Unreached reports whether the run ended before it could play the episode. It then ends with
// exit code 1, whatever its gate; other reasons to skip are the task's own.
func (r Row) Unreached() bool {
	return r.Outcome == grader.Skipped && r.End == grader.EndUnreached
}

const (
	maxMessage = 300
	maxCode    = 120
)

func recordPath(name string) string { return EpisodesDir + "/" + name + ".json" }

// rowOf sums up a record. In a certification it is the gates that decide.
func rowOf(kind, name string, rec *Record) Row {
	row := Row{
		Task: rec.Task, Trial: rec.Trial, Suite: rec.Task.Suite(), Family: rec.Task.Family(),
		Labels:  labels(rec.Task, rec.Labels),
		Outcome: rec.Outcome, Layer: rec.Layer, Fault: rec.FaultCode,
		Score: rec.Score, Floor: rec.Floor, Codes: []string{},
		Turns: len(rec.Turns), Calls: len(rec.Trace), Usage: rec.Usage, Budget: rec.Budget, Cost: amount(rec.Cost),
		WallMS: milliseconds(rec.Wall), QueuedMS: milliseconds(rec.Queued), End: rec.End.Code, Uncertified: rec.Uncertified,
		Record: recordPath(name), TaskDigest: rec.TaskDigest, File: rec.Source.File, Line: rec.Source.Line,
	}
	if f := rec.Floor; f != nil && *f < 1 && (rec.Outcome == grader.Passed || rec.Outcome == grader.Failed) {
		row.Adjusted = rounded((rec.Score-*f)/(1-*f), 6)
	}
	switch rec.Outcome {
	case grader.Failed:
		for _, code := range rec.Verdict.Codes() { // what follows a ':' may be an agent's words
			row.Codes = append(row.Codes, Clean(code, maxCode))
		}
		if f := rec.Verdict.Findings(); len(f) > 0 {
			row.Type, row.Message = string(f[0].Type), Clean(f[0].Message, maxMessage)
		} else {
			row.Type, row.Message = string(grader.ContractType), Clean(rec.Reason+" "+rec.End.Detail, maxMessage)
		}
	case grader.Broken, grader.Skipped:
		row.Message = Clean(rec.Reason, maxMessage)
	}
	if c := rec.Certificate; c != nil {
		row.certify(kind, c)
	}
	return row
}

func (r *Row) certify(kind string, c *Certificate) {
	r.Gates = make(map[string]bool, len(c.Gates))
	var unheld []GateResult
	for _, g := range c.Gates {
		r.Gates[g.Gate] = g.Held
		if !g.Held {
			unheld = append(unheld, g)
		}
	}
	switch {
	case kind != KindCertification || r.Outcome == grader.Broken:
	case len(unheld) > 0:
		r.Outcome, r.Layer, r.Fault, r.Type, r.Codes = grader.Failed, "", "", string(grader.ContractType), nil
		for _, g := range unheld {
			r.Codes = append(r.Codes, "gate:"+g.Gate)
		}
		r.Message = Clean(unheld[0].Detail, maxMessage)
	case c.Skipped != "":
		r.Outcome, r.Type, r.Codes, r.Message = grader.Skipped, "", []string{}, Clean(c.Skipped, maxMessage)
	case r.Outcome != grader.Skipped:
		r.Outcome, r.Type, r.Codes, r.Message = grader.Passed, "", []string{}, ""
	}
}

// labels returns a task's labels, sorted, each once, with its suite and family.
func labels(id tasks.ID, tags []string) []string {
	all := append([]string{"suite:" + id.Suite(), "family:" + id.Family()}, tags...)
	slices.Sort(all)
	return slices.Compact(all)
}

// milliseconds keeps microseconds.
func milliseconds(d time.Duration) float64 {
	return float64(d.Round(time.Microsecond)) / float64(time.Millisecond)
}

// baseCode is a code without what depends on the episode: "wrong_value" of "wrong_value:x".
func baseCode(code string) string {
	base, _, _ := strings.Cut(code, ":")
	return base
}
