package wiki

import (
	"encoding/json"
	"fmt"

	fixture "benchwright/fixtures/wiki"
	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/wiki"
	"benchwright/sim/wiki/loops"
)

// An Event is a line of events.jsonl.
type Event struct {
	Seq    int             `json:"seq"` // from 1, without gaps
	TS     string          `json:"ts"`
	RunID  string          `json:"run_id"`
	Trial  int             `json:"trial"`
	Stage  string          `json:"stage"`
	Type   string          `json:"type"`
	Call   int             `json:"call,omitempty"`
	Parent int             `json:"parent_call,omitempty"`
	Data   json.RawMessage `json:"data"`
}

// Sanitised returns the arguments of a call as records may hold them: as the world spells them, with
// the text of a page as its hash; of what the world could not read, and of each value that no record
// may hold, the hash and the length.
func Sanitised(e sim.Event) json.RawMessage {
	if e.Result.Arguments != nil {
		return markedJSON(e.Result.Arguments)
	}
	if len(e.Call.Arguments) == 0 || string(e.Call.Arguments) == "{}" {
		return json.RawMessage("{}")
	}
	return sim.MustCanonical(map[string]any{"bytes": len(e.Call.Arguments), "sha256": fixture.Hash(string(e.Call.Arguments))})
}

// digested stands for a text of somebody else's in a record.
func digested(text string) string {
	if text == "" {
		return ""
	}
	return fmt.Sprintf("sha256 %s, %d bytes", fixture.Hash(text), len(text))
}

// Events returns what happened in an episode, in order, without texts of files, pages or the model.
// Numbers begin at 1; whoever puts several episodes in one file numbers them on. The time of a
// record is that of the whole: ts is empty, and for the writer of the file to fill in.
func Events(r *Record, g []StageGrading, basis Basis, limits map[string]world.Budget) []Event {
	b := events{r: r, basis: basis, limits: limits}
	b.add("execution.started", -1, 0, map[string]any{"agent": r.Agent, "protocol": r.Protocol})
	stages := r.stages()
	for ask := range max(len(stages), 1) {
		if ask < len(r.Answers) {
			b.stage(ask)
		}
		for _, s := range g {
			if s.Stage == r.stage(ask) {
				b.graded(ask, s)
			}
		}
	}
	for _, s := range g {
		if s.Stage == QAStage {
			b.graded(-1, s)
		}
	}
	switch {
	case r.Outcome == grader.Broken:
		b.add("execution.failed", -1, 0, map[string]any{"layer": r.text(string(r.Layer)), "code": r.text(r.FaultCode)})
	default:
		b.add("execution.finished", -1, 0, map[string]any{"outcome": string(r.Outcome), "end": r.text(r.End.Code)})
	}
	return b.out
}

type events struct {
	r      *Record
	basis  Basis
	limits map[string]world.Budget
	out    []Event
	named  string // the stage of events outside of an ask
}

func (b *events) add(kind string, ask, call int, data map[string]any) {
	e := Event{Seq: len(b.out) + 1, Trial: b.r.Trial, Stage: world.Preparation, Type: kind, Call: call, Data: sim.MustCanonical(data)}
	switch {
	case ask >= 0:
		e.Stage = b.r.stage(ask)
	case b.named != "":
		e.Stage = b.named
	}
	if call > 0 {
		e.Parent = b.r.Trace[call-1].Call.Parent
	}
	b.out = append(b.out, e)
}

// stage tells the turns of a stage, each with the calls that it made.
func (b *events) stage(ask int) {
	r := b.r
	b.add("stage.started", ask, 0, map[string]any{})
	d := loops.New()
	m := Meter{Basis: b.basis, Limit: int64(limitOf(b.limits, r.stage(ask)).Tokens)}
	told := 0 // calls of the trace
	calls := func(turn int) {
		for ; told < len(r.Trace); told++ {
			e := r.Trace[told]
			if e.Ask < ask {
				continue
			}
			if e.Ask > ask || turn > 0 && e.Turn > turn {
				return
			}
			b.call(ask, told+1, e, d)
		}
	}
	for i, t := range r.Turns {
		if t.Ask != ask {
			continue
		}
		b.add("model.request", ask, 0, map[string]any{"index": i + 1})
		if t.Layer != "" {
			b.add("model.error", ask, 0, map[string]any{"code": r.text(t.Code), "layer": r.text(string(t.Layer))})
		} else {
			b.add("model.response", ask, 0, map[string]any{
				"index": i + 1, "kind": r.text(t.Kind), "code": r.text(t.Code), "finish_reason": r.text(t.Reply.DoneReason), "usage": t.Usage.normal(), "duration_ms": t.Duration.Milliseconds(),
				"http_attempts": t.Usage.Attempts, "text_bytes": len(t.Reply.Text), "text_sha256": fixture.Hash(t.Reply.Text),
			})
		}
		if t.Usage.Requests > 0 {
			over := m.Add(t.Usage.normal())
			b.add("budget.checked", ask, 0, map[string]any{"spent": m.Spent(), "limit": m.Limit})
			if over {
				b.add("budget.exceeded", ask, 0, map[string]any{"which": "tokens", "spent": m.Spent(), "limit": m.Limit})
			}
		}
		calls(i + 1)
	}
	calls(0)
}

// call tells one call and what came of it.
func (b *events) call(ask, number int, e sim.Event, d *loops.Detector) {
	b.add("tool.call", ask, number, map[string]any{"name": b.r.text(e.Call.Name), "arguments": b.r.arguments(e)})
	f, _, err := world.ReadFacts(e.Result)
	if err != nil {
		f = world.Facts{}
	}
	b.add("tool.result", ask, number, map[string]any{"ok": e.Result.OK(), "code": e.Result.Code, "result_hash": f.Result, "bytes": len(e.Result.Data)})
	if l := f.Read; l != nil {
		b.add("evidence.recorded", ask, number, map[string]any{"seq": l.Seq, "path": l.Path, "sha256": l.SHA256})
	}
	if w := f.Write; w != nil && w.Before != w.After {
		b.add("page.changed", ask, number, map[string]any{"page_id": w.PageID, "before": w.Before, "after": w.After, "evidence_delta": w.EvidenceDelta, "requirement_delta": w.RequirementDelta})
	}
	s, ok := world.LoopStep(e)
	if !ok {
		return
	}
	for _, l := range d.Add(s) {
		b.add("loop.detected", ask, number, map[string]any{"kind": string(l.Kind), "key": b.r.text(e.Call.Name) + " " + string(b.r.arguments(e)), "count": l.Count, "warning": l.Warning})
	}
}

// graded tells what was found in a stage, and its verdict.
func (b *events) graded(ask int, s StageGrading) {
	b.named = s.Stage
	for _, f := range s.Findings {
		b.add("validation.finding", ask, 0, map[string]any{"code": f.Code, "severity": string(f.Severity), "page_id": f.PageID, "path": f.Path, "event": f.Event})
	}
	if s.Verdict == Skipped {
		b.add("stage.skipped", ask, 0, map[string]any{"because": s.Because})
	} else {
		b.add("stage.finished", ask, 0, map[string]any{"verdict": s.Verdict})
	}
	b.named = ""
}
