package wiki

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	fixture "benchwright/fixtures/wiki"
	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/wiki"
	"benchwright/sim/wiki/loops"
)

// QAStage is the name of the third gate, in which only the host acts.
const QAStage = "focused_qa"

type caseKey struct{}

// WithCase has rules that are evaluated under the context know a case beside the built-in one.
func WithCase(ctx context.Context, c *fixture.Case) context.Context {
	return context.WithValue(ctx, caseKey{}, c)
}

// caseOf returns a case by its id.
func caseOf(ctx context.Context, id string) (*fixture.Case, error) {
	if c, ok := ctx.Value(caseKey{}).(*fixture.Case); ok && c.ID == id {
		return c, nil
	}
	c, err := fixture.Plugins()
	switch {
	case err != nil:
		return nil, err
	case c.ID != id:
		return nil, fmt.Errorf("there is no case %s", shown(id))
	}
	return c, nil
}

// A scene is evidence, understood.
type scene struct {
	c       *fixture.Case
	initial *world.State
	final   *world.State // nil when it cannot be read; then problem says why
	problem error
	ask     int
	at      int // the ask that the final state belongs to, below 0 before the first
	calls   []call
	end     grader.End

	before, after map[string]fixture.Page // pages that parse, at the start and now
	broken        map[string]error        // the others

	start, now *view // now is nil where final is
}

// A call is an event with what the world noted of it.
type call struct {
	sim.Event
	number int // in the trace, from 1
	facts  world.Facts
}

// sceneOf reads evidence. Its error is the measurement's: there is no case, or no start.
func sceneOf(ctx context.Context, ev grader.Evidence) (*scene, error) {
	first, err := viewOf(&lastStart, ev.Initial, nil)
	if err != nil {
		return nil, grader.BrokenError{Layer: grader.LayerFixture, Err: fmt.Errorf("at the start: %w", err)}
	}
	c, err := caseOf(ctx, first.state.Case)
	if err != nil {
		return nil, grader.BrokenError{Layer: grader.LayerFixture, Err: err}
	}
	s := &scene{c: c, initial: first.state, before: first.pages, ask: ev.Ask, at: -1, end: ev.End, start: first}
	for i, e := range ev.Trace {
		f, _, err := world.ReadFacts(e.Result)
		if err != nil {
			return nil, grader.BrokenError{Layer: grader.LayerGrader, Err: fmt.Errorf("call %d: %w", i+1, err)}
		}
		s.calls = append(s.calls, call{e, i + 1, f})
	}
	if k := slices.IndexFunc(s.calls, blind); k >= 0 {
		return nil, grader.BrokenError{Layer: grader.LayerAdapter, Err: fmt.Errorf("call %d: a folder that is not there was listed as empty: the roots are hidden from the agent", k+1)}
	}
	now, err := viewOf(&lastEnd, ev.Final, first)
	if err == nil && now.state.Case != first.state.Case {
		err = fmt.Errorf("it is of the case %s", shown(now.state.Case))
	}
	if err != nil {
		s.problem = err
		return s, nil
	}
	s.final, s.after, s.broken, s.now = now.state, now.pages, now.broken, now
	s.at = slices.IndexFunc(s.final.Stages, func(st world.StageState) bool { return st.Name == s.final.Stage })
	return s, nil
}

// A view is a state, understood. Nobody writes to it.
type view struct {
	raw    json.RawMessage
	state  *world.State
	pages  map[string]fixture.Page // those that parse
	broken map[string]error        // the others

	mu   sync.Mutex
	of   *fixture.Case         // whose requirements were asked for last
	open []fixture.Requirement // and which of them are open
}

// requirements returns those of a case that are open in the view.
func (v *view) requirements(c *fixture.Case) []fixture.Requirement {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.of != c {
		v.of, v.open = c, fixture.OpenRequirements(c.Skeleton, v.pages)
	}
	return v.open
}

// The views that were taken last. A task whose gates are proven is graded many times from one start,
// and several rules in turn see the same end.
var lastStart, lastEnd atomic.Pointer[view]

// viewOf understands a state. Pages that are as in another view are taken from it.
func viewOf(last *atomic.Pointer[view], s sim.State, like *view) (*view, error) {
	var raw json.RawMessage
	if s != nil {
		raw = s.JSON()
	}
	if v := last.Load(); v != nil && bytes.Equal(v.raw, raw) {
		return v, nil
	}
	state, err := world.ReadState(s)
	if err != nil {
		return nil, err
	}
	v := &view{raw: bytes.Clone(raw), state: state, pages: make(map[string]fixture.Page, len(state.Pages)), broken: map[string]error{}}
	for id, text := range state.Pages {
		if like != nil && like.state.Pages[id] == text {
			if p, ok := like.pages[id]; ok {
				v.pages[id] = p
				continue
			}
		}
		p, err := fixture.ParsePage(text)
		if err != nil {
			v.broken[id] = err
			continue
		}
		v.pages[id] = p
	}
	last.Store(v)
	return v, nil
}

// blind reports whether a call shows that the runtime hides where things are: the published fault.
func blind(k call) bool {
	return k.Call.Name == world.ListDir && k.Result.OK() && k.facts.Missing
}

// stage is what has become of an ask's stage, nil when there is none.
func (s *scene) stage() *world.StageState {
	if s.final == nil || s.ask < 0 || s.ask >= min(len(s.final.Stages), len(s.initial.Stages)) {
		return nil
	}
	return &s.final.Stages[s.ask]
}

// name is that of an ask's stage.
func (s *scene) name(ask int) string {
	stages := s.initial.Stages
	if ask < 0 || ask >= len(stages) {
		return world.Preparation
	}
	return stages[ask].Name
}

// reached returns what is to be said of a stage that cannot be graded: nil and no error when it
// can. It does not apply where an earlier gate ended the episode.
func (s *scene) reached() ([]Finding, error) {
	find := func(code, actual string) []Finding {
		return []Finding{{Code: code, Severity: Violation, Stage: s.name(s.ask), Actual: actual, Layer: LayerModel}}
	}
	switch {
	case s.final == nil:
		f := find(StateUnreadable, s.problem.Error())
		f[0].Layer = string(grader.LayerGrader)
		return f, nil
	case s.at >= s.ask && s.stage() != nil:
		return nil, nil
	case s.end.Code == grader.EndGate && s.ask > 0:
		return nil, grader.NotApplicable
	}
	return find(NotReached, s.end.Code), nil
}

// in returns the calls of an ask.
func (s *scene) in(ask int) []call {
	var out []call
	for _, k := range s.calls {
		if k.Ask == ask {
			out = append(out, k)
		}
	}
	return out
}

// loops returns what a stage has of loops, and the kind whose limit stopped it, or "".
func (s *scene) loops(ask int) (events []loops.Event, stop loops.Kind) {
	d := loops.New()
	for _, k := range s.in(ask) {
		step, ok := world.LoopStep(k.Event)
		if !ok {
			continue
		}
		step.Call = k.number
		events = append(events, d.Add(step)...)
	}
	stop, _ = d.Stopped()
	return events, stop
}

// halted returns why a stage ended other than by being finished: a limit of loops or a budget.
func (s *scene) halted(b *world.Budget) (out []Finding) {
	name := s.name(s.ask)
	add := func(code, want, got string, event int) {
		out = append(out, Finding{Code: code, Severity: Violation, Stage: name, Event: event, Expected: want, Actual: got, Layer: LayerModel})
	}
	events, stop := s.loops(s.ask)
	if stop != "" {
		add(LoopLimit, fmt.Sprintf("at most %d", loops.Limit(stop)), string(stop), 0)
		for _, e := range events {
			if e.Kind == stop && !e.Warning {
				add(string(e.Kind), "", s.words(e.Call), e.Call)
			}
		}
	}
	limits := DefaultBudget(name)
	if b != nil {
		limits = *b
	}
	calls := s.in(s.ask)
	turns := map[int]bool{}
	for _, k := range calls {
		turns[k.Turn] = true
	}
	if most := limits.ToolCalls; most > 0 && len(calls) > most {
		add(BudgetExceeded, fmt.Sprintf("%d tool calls", most), fmt.Sprintf("%d tool calls", len(calls)), calls[most].number)
	}
	if most := limits.ModelCalls; most > 0 && len(turns) > most {
		add(BudgetExceeded, fmt.Sprintf("%d model calls", most), fmt.Sprintf("%d model calls", len(turns)), 0)
	}
	st := s.stage()
	if s.at == s.ask && !st.Finished {
		switch {
		case spent(s.end.Code):
			add(BudgetExceeded, "", s.end.Code, 0)
		case len(out) == 0:
			add(NoFinish, "", s.end.Code, 0)
		}
	}
	return out
}

// spent reports whether an end says that a budget was used up.
func spent(end string) bool {
	return slices.Contains([]string{grader.EndTurns, grader.EndWall, grader.EndTokens, BudgetExceeded, "tool_limit_exceeded", "call_limit_exceeded", "model_call_limit_exceeded"}, end)
}
