package wiki

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/wiki"
)

// The verdicts of a run.
const (
	Pass         = "PASS"
	Fail         = "FAIL"
	NoValidScore = "no valid score"
)

// An Attribution says what became of an episode or a run, and which layer it is owed to.
type Attribution struct {
	Verdict string   `json:"verdict"`
	Layer   string   `json:"layer"`
	Reasons []Reason `json:"reasons"` // of every layer that has any, in the order of the layers
}

// A Reason is one piece of evidence.
type Reason struct {
	Layer  string `json:"layer"`
	Code   string `json:"code"`
	Detail string `json:"detail,omitempty"`
}

// Circumstances is what is known of an episode beside its record.
type Circumstances struct {
	Unsealed  string   // why the records are not as they were sealed
	Redaction []string // what the scan of the records objected to
	Differs   bool     // grading the same records again gave something else
	Lost      bool     // the process is gone and there is no record
	// Reads reports whether a reference parser can read a reply that was not understood. Nil takes
	// a native call of a known tool, or a JSON object {"tool", "arguments"} and nothing else.
	Reads func(Turn) bool
}

// A layer is a row of the table: what speaks for it. The first layer with a reason has it.
type layer struct {
	name    string
	outcome grader.Outcome
	framed  grader.Layer // of a broken one
	reasons func(*Record, Circumstances) []Reason
}

// layers is the table. A failure of any part of the measurement can look as if the model had failed;
// so the model's row is the last.
var layers = []layer{
	{string(grader.LayerGrader), grader.Broken, grader.LayerGrader, byGrader},
	{LayerToolMount, grader.Broken, grader.LayerToolRuntime, byMount},
	{string(grader.LayerAccounting), grader.Broken, grader.LayerAccounting, byAccounting},
	{string(grader.LayerProvider), grader.Broken, grader.LayerProvider, byProvider},
	{LayerPromptAdapter, grader.Broken, grader.LayerAdapter, byAdapter},
	{string(grader.LayerOrchestration), grader.Broken, grader.LayerOrchestration, byOrchestration},
	{LayerModel, grader.Failed, "", byModel},
}

// Attribute says which layer an episode's end is owed to: the first of the table that has a reason.
// All reasons of all layers are listed. Without any it has passed. A nil record is one that was lost.
func Attribute(r *Record, c Circumstances) Attribution {
	a := Attribution{Verdict: Pass, Layer: LayerNone, Reasons: []Reason{}}
	for _, l := range layers {
		reasons := l.reasons(r, c)
		for i := range reasons {
			reasons[i].Layer, reasons[i].Detail = l.name, clip(reasons[i].Detail)
		}
		if len(reasons) > 0 && a.Layer == LayerNone {
			a.Layer, a.Verdict = l.name, NoValidScore
			if l.outcome == grader.Failed {
				a.Verdict = Fail
			}
		}
		a.Reasons = append(a.Reasons, reasons...)
	}
	return a
}

// Framework returns the outcome and layer that an attribution is in the words of a bundle.
func (a Attribution) Framework() (grader.Outcome, grader.Layer) {
	for _, l := range layers {
		if l.name != a.Layer {
			continue
		}
		if a.Layer == LayerToolMount && slices.ContainsFunc(a.Reasons, func(r Reason) bool { return r.Code == FixtureBytesChanged }) {
			return grader.Broken, grader.LayerFixture
		}
		return l.outcome, l.framed
	}
	return grader.Passed, ""
}

// broken returns the reason of a record that is broken in one of some layers.
func (r *Record) broken(in ...grader.Layer) []Reason {
	if r == nil || r.Outcome != grader.Broken || !slices.Contains(in, r.Layer) {
		return nil
	}
	code := r.FaultCode
	if code == "" {
		code = string(r.Layer)
	}
	return []Reason{{Code: r.text(code), Detail: r.text(r.Reason)}}
}

func byGrader(r *Record, c Circumstances) (out []Reason) {
	if c.Unsealed != "" {
		out = append(out, Reason{Code: "records_unsealed", Detail: c.Unsealed})
	}
	for _, o := range c.Redaction {
		out = append(out, Reason{Code: RedactionFault, Detail: o})
	}
	if c.Differs {
		out = append(out, Reason{Code: "grading_differs"})
	}
	out = append(out, r.broken(grader.LayerGrader, grader.LayerJudge, "")...)
	if r == nil {
		return out
	}
	if stages := r.stages(); len(stages) > 0 {
		for _, t := range r.Turns { // the audit is the host's alone: a turn beyond the last stage is in it
			if t.Ask >= len(stages) {
				out = append(out, Reason{Code: "model_call_in_focused_qa", Detail: fmt.Sprintf("ask %d", t.Ask+1)})
			}
		}
	}
	return out
}

func byMount(r *Record, _ Circumstances) (out []Reason) {
	out = r.broken(grader.LayerToolRuntime, grader.LayerFixture)
	if r == nil {
		return out
	}
	for i, e := range r.Trace {
		if e.Result.Code == world.CodeToolRuntimeError {
			out = append(out, Reason{Code: world.CodeToolRuntimeError, Detail: fmt.Sprintf("call %d: %s", i+1, r.text(e.Result.Fault))})
		}
	}
	if len(r.States) == 0 || len(r.Initial) == 0 {
		return out
	}
	first, err := world.ReadState(sim.RawState(r.Initial))
	last, err2 := world.ReadState(sim.RawState(r.States[len(r.States)-1]))
	if err == nil && err2 == nil && first.Digests != last.Digests {
		out = append(out, Reason{Code: FixtureBytesChanged, Detail: "a digest of the read-only roots is not what it was"})
	}
	return out
}

func byAccounting(r *Record, _ Circumstances) (out []Reason) {
	out = r.broken(grader.LayerAccounting)
	if r == nil {
		return out
	}
	requests := 0
	for i, t := range r.Turns {
		requests += t.Usage.Requests
		if err := t.faults(); err != nil {
			for _, text := range strings.Split(err.Error(), "\n") {
				out = append(out, Reason{Code: ErrAccounting.Error(), Detail: fmt.Sprintf("turn %d: %s", i+1, strings.TrimPrefix(text, ErrAccounting.Error()+": "))})
			}
		}
	}
	if requests != r.Usage.Requests {
		out = append(out, Reason{Code: "call_counts_differ", Detail: fmt.Sprintf("%d model calls in the turns, %d in the usage", requests, r.Usage.Requests)})
	}
	return out
}

func byProvider(r *Record, _ Circumstances) []Reason {
	return r.broken(grader.LayerProvider, grader.LayerContext)
}

func byAdapter(r *Record, c Circumstances) (out []Reason) {
	out = r.broken(grader.LayerAdapter)
	if r == nil {
		return out
	}
	if began := len(r.Messages) > 0 || len(r.Turns) > 0 || len(r.Trace) > 0 || len(r.Answers) > 0; !began && r.Outcome != grader.Broken && r.End.Code == grader.EndAgent {
		out = append(out, Reason{Code: "no_stage_started", Detail: r.text(r.End.Detail)})
	}
	if opening := r.opening(); opening != "" {
		var lacks []string
		for _, root := range world.Roots() {
			if !strings.Contains(opening, root) {
				lacks = append(lacks, root)
			}
		}
		if len(lacks) > 0 {
			out = append(out, Reason{Code: "roots_not_named", Detail: "the first message lacks " + strings.Join(lacks, ", ")})
		}
		if lacks = r.unnamed(opening); len(lacks) > 0 {
			out = append(out, Reason{Code: "tools_not_offered", Detail: "the first message lacks " + strings.Join(lacks, ", ")})
		}
	}
	reads := c.Reads
	if reads == nil {
		reads = plainly
	}
	for i, t := range r.Turns {
		if t.Kind == turnMalformed && t.Code != grader.EndTruncated && reads(t) {
			out = append(out, Reason{Code: "call_not_parsed", Detail: fmt.Sprintf("turn %d: a reply that can be read was not understood", i+1)})
		}
	}
	return out
}

// opening is what was said before the first reply, "" where no conversation was recorded.
func (r *Record) opening() string {
	var b strings.Builder
	for _, m := range r.Messages {
		if m.Role == "assistant" {
			break
		}
		b.WriteString(m.Content)
		b.WriteByte('\n')
	}
	return b.String()
}

// unnamed lists the tools in scope that the first message does not name. Where they are called
// natively they are offered beside it.
func (r *Record) unnamed(opening string) (out []string) {
	if r.Protocol == "tools" {
		return nil
	}
	for _, name := range world.ToolNames() {
		if (slices.Contains(r.Envelope.Tools, name) || slices.Contains(r.Envelope.Tools, world.AllTools)) && !strings.Contains(opening, name) {
			out = append(out, name)
		}
	}
	return out
}

// plainly is the reference parser: as strict as can be.
func plainly(t Turn) bool {
	for _, c := range t.Reply.Calls {
		var object map[string]json.RawMessage
		if slices.Contains(world.ToolNames(), c.Name) && json.Unmarshal(c.Arguments, &object) == nil {
			return true
		}
	}
	var v struct {
		Tool      string                     `json:"tool"`
		Arguments map[string]json.RawMessage `json:"arguments"`
	}
	d := json.NewDecoder(bytes.NewReader([]byte(t.Reply.Text)))
	d.DisallowUnknownFields()
	return d.Decode(&v) == nil && !d.More() && slices.Contains(world.ToolNames(), v.Tool) && v.Arguments != nil
}

func byOrchestration(r *Record, c Circumstances) (out []Reason) {
	if c.Lost || r == nil {
		out = append(out, Reason{Code: "execution_lost", Detail: "the process ended without a record"})
	}
	if r != nil && r.Outcome == grader.Skipped {
		out = append(out, Reason{Code: "not_run", Detail: r.text(r.Reason)})
	}
	return append(out, r.broken(grader.LayerOrchestration)...)
}

func byModel(r *Record, _ Circumstances) (out []Reason) {
	if r == nil || r.Outcome != grader.Failed {
		return nil
	}
	code := r.End.Code
	if code == "" || code == grader.EndDone {
		code = "checks_unmet"
	}
	return []Reason{{Code: r.text(code), Detail: r.text(r.End.Detail)}}
}
