package scorer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"time"

	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/wealth"
)

// PredictionSchema names the form of a prediction record.
const PredictionSchema = "wealthops.prediction/1"

// The kinds of run that a record can come from.
const (
	KindModel  = "model"
	KindOracle = "oracle"      // a self-check of the instrument
	KindDriver = "test_driver" // anything else that is no model
)

// The status of a record.
const (
	Completed = "completed" // there is a final decision
	Failed    = "failed"    // there is none, and Error says why
)

// The kinds of decision.
const (
	DecisionTool    = "tool"
	DecisionFinal   = "final"
	DecisionInvalid = "invalid" // a reply that is no decision
	DecisionNone    = "none"    // no whole reply came
)

// A Prediction is the record of one attempt of one case.
type Prediction struct {
	Schema         string          `json:"schema"`
	CaseID         string          `json:"case_id"`
	Family         string          `json:"family"`
	Language       string          `json:"language"`
	RunKind        string          `json:"run_kind"`
	Status         string          `json:"status"`
	Error          *Error          `json:"error"`
	Result         json.RawMessage `json:"result"` // the allowed fields of the final decision, or null
	IgnoredFields  []string        `json:"ignored_fields"`
	ToolCalls      []ToolCall      `json:"tool_calls"` // the runner's own trace
	Writes         int64           `json:"writes"`     // the sandbox's own count
	Decisions      []Decision      `json:"decisions"`
	StartedAt      *time.Time      `json:"started_at"`
	WallMS         *float64        `json:"wall_ms"`
	Model          Model           `json:"model"`
	RequestDigests []string        `json:"request_digests"` // SHA-256 of each request's body
}

// An Error is why a record failed.
type Error struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// A Model is what answered.
type Model struct {
	Name   string `json:"name"`
	Digest string `json:"digest"`
}

// A ToolCall is one call as the sandbox saw it, a rejected one included. Indices count from 1.
type ToolCall struct {
	Index        int             `json:"index"`
	Name         string          `json:"name"`
	Arguments    json.RawMessage `json:"arguments"` // canonical; null where none were sent
	Status       string          `json:"status"`    // ok, denied, invalid, error
	Code         string          `json:"code"`      // why it was not ok
	Source       string          `json:"source"`    // that the result names
	ResultDigest string          `json:"result_digest"`
	DurationMS   *float64        `json:"duration_ms"`
}

// A Decision is one reply of the candidate. Unknown numbers are null.
type Decision struct {
	Index        int      `json:"index"`
	Raw          string   `json:"raw"`
	RawTruncated bool     `json:"raw_truncated"`
	Kind         string   `json:"kind"`
	DurationMS   *float64 `json:"duration_ms"`
	LoadMS       *float64 `json:"load_ms"`
	OutputMS     *float64 `json:"output_ms,omitempty"` // spent on generating, as the server says
	PromptTokens *int64   `json:"prompt_tokens"`
	OutputTokens *int64   `json:"output_tokens"`
	DoneReason   string   `json:"done_reason"`
}

// Limits of what a record keeps of foreign text, in bytes.
const (
	maxRaw       = 8 << 10
	maxDetail    = 400
	maxName      = 128
	maxArguments = 8 << 10
	maxIgnored   = 64
	maxLine      = 16 << 20 // of a record that is read
)

// Capped returns a copy whose foreign texts are cut to what a record keeps. Neither what makes a
// result right nor what a label is made of is lost by it.
func (p Prediction) Capped() Prediction {
	if p.Error != nil {
		p.Error = &Error{p.Error.Code, cut(p.Error.Detail, maxDetail)}
	}
	p.Decisions = slices.Clone(p.Decisions)
	for i := range p.Decisions {
		d := &p.Decisions[i]
		d.RawTruncated = d.RawTruncated || len(d.Raw) > maxRaw
		d.Raw, d.DoneReason = cut(d.Raw, maxRaw), cut(d.DoneReason, maxName)
	}
	p.ToolCalls = slices.Clone(p.ToolCalls)
	for i := range p.ToolCalls {
		c := &p.ToolCalls[i]
		c.Name, c.Code, c.Source = cut(c.Name, maxName), cut(c.Code, maxName), cut(c.Source, maxName)
		if len(c.Arguments) > maxArguments {
			c.Arguments = sim.MustCanonical(cut(string(c.Arguments), maxDetail))
		}
	}
	p.IgnoredFields = slices.Clone(p.IgnoredFields)
	for i, f := range p.IgnoredFields {
		p.IgnoredFields[i] = cut(f, maxName)
	}
	if n := len(p.IgnoredFields); n > maxIgnored {
		p.IgnoredFields = append(p.IgnoredFields[:maxIgnored-1], fmt.Sprintf("and %d more", n-maxIgnored+1))
	}
	return p
}

// Line returns the record as one line of JSON. No character in it moves a cursor or hides
// another.
func (p Prediction) Line() ([]byte, error) {
	p.Schema = PredictionSchema
	p.IgnoredFields, p.RequestDigests = append([]string{}, p.IgnoredFields...), append([]string{}, p.RequestDigests...)
	p.ToolCalls, p.Decisions = append([]ToolCall{}, p.ToolCalls...), append([]Decision{}, p.Decisions...)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(p); err != nil {
		return nil, fmt.Errorf("record of %s: %w", quote(p.CaseID), err)
	}
	return harmless(b.Bytes()), nil
}

// ParsePrediction reads a line of a predictions file. It is strict: a field that is missing or
// unknown is an error, and so is a record that contradicts itself.
func ParsePrediction(line []byte) (Prediction, error) {
	v, err := parseLine(line)
	if err != nil {
		return Prediction{}, err
	}
	return prediction(v, line)
}

func parseLine(line []byte) (any, error) {
	if len(line) > maxLine {
		return nil, fmt.Errorf("it has %d bytes; a record has at most %d", len(line), maxLine)
	}
	return parse(line)
}

func prediction(v any, line []byte) (Prediction, error) {
	var p Prediction
	if err := fill(&p, v, line); err != nil {
		return p, err
	}
	return p, p.check(v.(map[string]any)["result"]) // fill has seen that it is an object
}

var (
	slug     = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
	kinds    = []string{KindModel, KindOracle, KindDriver}
	statuses = []string{world.StatusDenied, world.StatusError, world.StatusInvalid, world.StatusOK}
	replies  = []string{DecisionFinal, DecisionInvalid, DecisionNone, DecisionTool}

	resultFields = []string{"claims", "evidence_ids", "missing_fields", "outcome", "policy_code"}
	claimFields  = []string{"as_of", "source", "subject", "unit", "value"}
)

// check looks at what the shape of a record does not say; result is its result, parsed.
func (p Prediction) check(result any) error {
	oneOf := func(what, got string, allowed []string) error {
		if slices.Contains(allowed, got) {
			return nil
		}
		return fmt.Errorf("%s %s: want one of %s", what, quote(got), list(allowed))
	}
	if p.Schema != PredictionSchema {
		return fmt.Errorf("schema %s: this version reads %q", quote(p.Schema), PredictionSchema)
	}
	if err := oneOf("run_kind", p.RunKind, kinds); err != nil {
		return err
	}
	if err := oneOf("status", p.Status, []string{Completed, Failed}); err != nil {
		return err
	}
	absent := len(p.Result) == 0 || string(p.Result) == "null"
	switch done := p.Status == Completed; {
	case done && (p.Error != nil || absent):
		return fmt.Errorf("a completed record has a result and no error")
	case !done && (p.Error == nil || !absent):
		return fmt.Errorf("a failed record has an error and no result")
	case !done && !slug.MatchString(p.Error.Code):
		return fmt.Errorf("error.code %s: want letters, digits, '.', '_' and '-'", quote(p.Error.Code))
	case done:
		if err := allowed(result); err != nil {
			return err
		}
	}
	if p.Writes < 0 {
		return fmt.Errorf("writes %d: a count is not negative", p.Writes)
	}
	times := []*float64{p.WallMS}
	for i, c := range p.ToolCalls {
		if c.Index != i+1 {
			return fmt.Errorf("tool_calls[%d]: index %d: calls count from 1 and none is left out", i, c.Index)
		}
		if err := oneOf(fmt.Sprintf("tool_calls[%d]: status", i), c.Status, statuses); err != nil {
			return err
		}
		times = append(times, c.DurationMS)
	}
	for i, d := range p.Decisions {
		if d.Index != i+1 {
			return fmt.Errorf("decisions[%d]: index %d: decisions count from 1 and none is left out", i, d.Index)
		}
		if err := oneOf(fmt.Sprintf("decisions[%d]: kind", i), d.Kind, replies); err != nil {
			return err
		}
		times = append(times, d.DurationMS, d.LoadMS, d.OutputMS)
		for _, n := range []*int64{d.PromptTokens, d.OutputTokens} {
			if n != nil && (*n < 0 || *n > maxCount) {
				return fmt.Errorf("decisions[%d]: %d is no number of tokens", i, *n)
			}
		}
	}
	for _, ms := range times {
		if ms != nil && (*ms < 0 || *ms > maxCount) {
			return fmt.Errorf("%g ms is no duration", *ms)
		}
	}
	return nil
}

// maxCount bounds tokens and milliseconds, so that sums of them stay exact.
const maxCount = 1e10

// allowed reports what a runner would not have copied into a result.
func allowed(result any) error {
	m, ok := result.(map[string]any)
	if !ok {
		return fmt.Errorf("result: want an object")
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if !slices.Contains(resultFields, k) {
			return fmt.Errorf("result.%s: a runner copies only %s", quote(k), list(resultFields))
		}
	}
	claims, _ := m["claims"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(claims)) {
		claim, _ := claims[name].(map[string]any)
		for _, k := range slices.Sorted(maps.Keys(claim)) {
			if !slices.Contains(claimFields, k) {
				return fmt.Errorf("result.claims.%s.%s: a runner copies only %s", quote(name), quote(k), list(claimFields))
			}
		}
	}
	return nil
}

// evidence shows the record to the rules as they would see the episode.
func (p Prediction) evidence() grader.Evidence {
	ev := grader.Evidence{Final: sim.RawState(fmt.Sprintf(`{"writes":%d}`, p.Writes)), End: grader.End{Code: grader.EndDone}}
	if p.Status == Completed {
		ev.Answer = p.Result
	} else {
		ev.End = grader.End{Code: p.Error.Code, Detail: p.Error.Detail}
	}
	for _, c := range p.ToolCalls {
		args := c.Arguments
		if string(args) == "null" {
			args = nil
		}
		ev.Trace = append(ev.Trace, sim.Event{Turn: c.Index, Call: sim.Call{Name: c.Name, Arguments: args}, Result: sim.Result{Status: c.Status, Code: c.Code, Arguments: args}})
	}
	return ev
}
