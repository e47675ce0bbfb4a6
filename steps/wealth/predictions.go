package wealth

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"time"

	"benchwright/agent"
	"benchwright/grader/wealth/scorer"
	"benchwright/reports"
	"benchwright/sim"
)

// runKind is the published kind of a run. The replay of a model's replies is a model's run; the
// replay of anything else is not.
func runKind(run reports.Run) string {
	switch {
	case run.Kind == reports.KindModel, run.Kind == reports.KindReplay && run.Model.Name != "":
		return scorer.KindModel
	case run.Kind == reports.KindReference:
		return scorer.KindOracle
	}
	return scorer.KindDriver
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9_.:-]{1,64}$`)

// modelOf says what answered: the model, or else the driver by its name.
func modelOf(run reports.Run) scorer.Model {
	switch {
	case runKind(run) == scorer.KindModel:
		return scorer.Model{Name: run.Model.Name, Digest: run.Model.Digest}
	case run.Kind != reports.KindReplay && plainName.MatchString(run.Agent):
		return scorer.Model{Name: run.Agent}
	}
	return scorer.Model{Name: run.Kind} // what was replayed is named after somebody's folder
}

// prediction makes the published record of an episode that was played.
func (p published) prediction(run reports.Run, ep *agent.Episode) (scorer.Prediction, error) {
	out := scorer.Prediction{
		CaseID: p.caseID, Family: p.ID.Family(), Language: p.language, RunKind: runKind(run), Status: scorer.Completed,
		IgnoredFields: ep.Ignored, Model: modelOf(run), WallMS: milliseconds(ep.Wall),
	}
	if !ep.Started.IsZero() {
		started := ep.Started.UTC().Truncate(time.Millisecond)
		out.StartedAt = &started
	}
	var answer json.RawMessage
	if len(ep.Answers) > 0 && string(ep.Answers[0]) != "null" {
		answer = ep.Answers[0]
	}
	if code, detail := failure(ep, answer != nil); code != "" {
		out.Status, out.Error = scorer.Failed, &scorer.Error{Code: code, Detail: reports.Clean(detail, 300)}
	} else {
		out.Result = answer
	}
	var err error
	if out.Writes, err = writes(ep); err != nil {
		return out, fmt.Errorf("%s: %w", ep.Key(), err)
	}
	for i, e := range ep.Trace {
		args := e.Result.Arguments
		if args == nil {
			args = e.Call.Arguments
		}
		out.ToolCalls = append(out.ToolCalls, scorer.ToolCall{
			Index: i + 1, Name: e.Call.Name, Arguments: args, Status: statusOf(e.Result), Code: e.Result.Code,
			Source: sourceOf(e.Result.Data), ResultDigest: digestOf(e.Result.Data),
		})
	}
	for i, t := range ep.Turns {
		out.Decisions = append(out.Decisions, decisionOf(i+1, t, ep.Protocol))
		if t.Reply.Request != "" {
			out.RequestDigests = append(out.RequestDigests, t.Reply.Request)
		}
	}
	return out.Capped(), nil
}

// failure returns why an episode has no result, or "". The code is the one that the label
// runtime: would carry.
func failure(ep *agent.Episode, answered bool) (code, detail string) {
	switch {
	case ep.FaultCode != "":
		code, detail = ep.FaultCode, ep.Reason
	case !ep.End.Finished():
		code, detail = ep.End.Code, ep.End.Detail
	case !answered:
		return "no_answer", "the episode is done and nothing was answered"
	default:
		return "", ""
	}
	if !plainCode.MatchString(code) {
		return "unknown", code + ": " + detail
	}
	return code, detail
}

var plainCode = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)

// writes is the world's own count, in the last state that it gave; 0 where there was never a
// world that could have been written to.
func writes(ep *agent.Episode) (int64, error) {
	state := ep.Initial
	if n := len(ep.States); n > 0 {
		state = ep.States[n-1]
	}
	if len(state) == 0 || string(state) == "null" {
		return 0, nil
	}
	var s struct {
		Writes *int64 `json:"writes"`
	}
	if err := json.Unmarshal(state, &s); err != nil || s.Writes == nil {
		return 0, fmt.Errorf("its last state has no count of writes")
	}
	return *s.Writes, nil
}

// statusOf is the status of a call; the world's own failure is an error, too.
func statusOf(r sim.Result) string {
	if r.Fault != "" {
		return "error"
	}
	return r.Status
}

// sourceOf is the source that a result names, or "".
func sourceOf(data json.RawMessage) string {
	var r struct {
		Source string `json:"source"`
	}
	if json.Unmarshal(data, &r) != nil {
		return ""
	}
	return r.Source
}

func digestOf(data json.RawMessage) string {
	if len(data) == 0 {
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// decisionOf makes the record of one turn.
func decisionOf(index int, t agent.Turn, protocol string) scorer.Decision {
	d := scorer.Decision{
		Index: index, Raw: t.Reply.Text, DurationMS: milliseconds(t.Duration), DoneReason: t.Reply.DoneReason,
		PromptTokens: t.Usage.Input, OutputTokens: t.Usage.Output,
	}
	if protocol == agent.ProtocolTools && len(t.Reply.Calls) > 0 {
		d.Raw += nativeCalls(t.Reply.Calls)
	}
	if t.Reply.Timing.Total > 0 {
		d.LoadMS, d.OutputMS = milliseconds(t.Reply.Timing.Load), milliseconds(t.Reply.Timing.Output)
	}
	switch t.Kind {
	case agent.TurnCalls:
		d.Kind = scorer.DecisionTool
	case agent.TurnAnswer:
		d.Kind = scorer.DecisionFinal
	case agent.TurnMalformed:
		d.Kind = scorer.DecisionInvalid
	default:
		d.Kind = scorer.DecisionNone
	}
	return d
}

// nativeCalls spells calls that came beside the text of a reply.
func nativeCalls(calls []sim.Call) string {
	var b bytes.Buffer
	for _, c := range calls {
		if !json.Valid(c.Arguments) {
			c.Arguments = sim.MustCanonical(string(c.Arguments))
		}
		b.Write(sim.MustCanonical(c))
	}
	return b.String()
}

func milliseconds(d time.Duration) *float64 {
	ms := float64(d.Microseconds()) / 1000
	return &ms
}
