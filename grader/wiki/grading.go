package wiki

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	fixture "benchwright/fixtures/wiki"
	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/wiki"
	"benchwright/sim/wiki/loops"
)

// GradingSchema names the form of grading.json.
const GradingSchema = "codewiki.grading/1"

// Version names the way of grading of this package.
const Version = "1"

// Skipped is the verdict of a stage that was not reached.
const Skipped = "skipped"

// Played is an episode and what it was held against.
type Played struct {
	Record        *Record
	Checks        []grader.Check // of its task
	Circumstances Circumstances
}

// Run is what is graded together: a qualification, or the trials of the whole task, or both.
type Run struct {
	Case          *fixture.Case
	Qualification *Played
	Trials        []Played
}

// Grading is grading.json. It follows from the records alone, byte for byte, and has no time in it.
type Grading struct {
	Schema        string         `json:"schema"`
	GraderVersion string         `json:"grader_version"`
	Partial       bool           `json:"partial"` // there is no valid score; what was graded is kept
	Stages        []StageGrading `json:"stages"`  // of the qualification
	Trials        []TrialGrading `json:"trials"`
	Counters      Counters       `json:"counters"`
	Scores        *Scores        `json:"scores"` // over the trials; null without a valid score of each
	Attribution   Attribution    `json:"attribution"`
}

// A StageGrading is what is said of a stage.
type StageGrading struct {
	Stage    string         `json:"stage"`
	Verdict  string         `json:"verdict"`           // PASS, FAIL, skipped, no valid score
	Because  string         `json:"because,omitempty"` // of a skipped one: the stage that stopped it
	Checks   []CheckGrading `json:"checks"`
	Findings []Finding      `json:"findings"`
	Progress []Mutation     `json:"progress"`
}

// A CheckGrading is a check and whether it held.
type CheckGrading struct {
	Check string `json:"check"`
	State string `json:"state"`
}

// A TrialGrading is what is said of a trial of the whole task.
type TrialGrading struct {
	Trial       int            `json:"trial"`
	Verdict     string         `json:"verdict"`
	Stages      []StageGrading `json:"stages"`
	Counts      []grader.Tally `json:"counts"` // null without a valid score
	Attribution Attribution    `json:"attribution"`
}

// A Mutation is the progress record of a write.
type Mutation struct {
	Stage            string `json:"stage"`
	Event            int    `json:"event"`
	PageID           string `json:"page_id"`
	Before           string `json:"before"`
	After            string `json:"after"`
	EvidenceDelta    int    `json:"evidence_delta"`
	RequirementDelta int    `json:"requirement_delta"`
}

// Counters are sums over all stages and trials. A tool-runtime error is in its own and in no other.
type Counters struct {
	Violations        int `json:"violations"`
	Warnings          int `json:"warnings"`
	RepeatedDiscovery int `json:"repeated_discovery"`
	RepeatedMutation  int `json:"repeated_mutation"`
	NoChangeWrite     int `json:"no_change_write"`
	Stalled           int `json:"stalled"`
	UnauthorisedTool  int `json:"unauthorised_tool"` // refused writes included
	ToolRuntimeErrors int `json:"tool_runtime_errors"`
}

// Scores are those of the trials together.
type Scores struct {
	Trials       int        `json:"trials"`
	Passed       int        `json:"passed"`
	Coverage     Statistics `json:"coverage"`
	Requirements Statistics `json:"requirements"`
	Pages        Statistics `json:"pages"`
}

// JSON returns the bytes of grading.json.
func (g Grading) JSON() []byte { return indented(g) }

func indented(v any) []byte {
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil { // plain data of the package's own
		panic(err)
	}
	return append(raw, '\n')
}

// GradeRun grades records. It hears nothing but them: grading the same ones again gives the same
// bytes. Where that is not what the episodes were graded as, the measurement is broken.
func GradeRun(ctx context.Context, run Run) (Grading, error) {
	if run.Case != nil {
		ctx = WithCase(ctx, run.Case)
	}
	g := Grading{Schema: GradingSchema, GraderVersion: grader.Version + "." + Version, Stages: []StageGrading{}, Trials: []TrialGrading{}}
	var all []Attribution
	if q := run.Qualification; q != nil {
		stages, a, _, err := g.episode(ctx, *q)
		if err != nil {
			return g, err
		}
		g.Stages = stages
		all = append(all, a)
	}
	for _, t := range run.Trials {
		stages, a, counts, err := g.episode(ctx, t)
		if err != nil {
			return g, err
		}
		trial := TrialGrading{Trial: len(g.Trials) + 1, Verdict: a.Verdict, Stages: stages, Attribution: a}
		if t.Record != nil {
			trial.Trial = t.Record.Trial
		}
		if a.Verdict != NoValidScore {
			trial.Counts = counts
		}
		g.Trials = append(g.Trials, trial)
		all = append(all, a)
	}
	if len(all) == 0 {
		return g, errors.New("there is nothing to grade")
	}
	g.Attribution = together(all)
	g.Partial = g.Attribution.Verdict == NoValidScore
	g.Scores = g.scores()
	return g, nil
}

// together is the attribution of several episodes: a broken one before one that failed.
func together(all []Attribution) Attribution {
	worst := all[0]
	rank := func(v string) int { return slices.Index([]string{Pass, Fail, NoValidScore}, v) }
	reasons := []Reason{}
	for _, a := range all {
		if rank(a.Verdict) > rank(worst.Verdict) {
			worst = a
		}
		reasons = append(reasons, a.Reasons...)
	}
	worst.Reasons = reasons
	return worst
}

// episode grades an episode, stage by stage, and counts what its audit finds.
func (g *Grading) episode(ctx context.Context, p Played) (stages []StageGrading, a Attribution, counts []grader.Tally, err error) {
	stages = []StageGrading{}
	if p.Record == nil {
		return stages, Attribute(nil, p.Circumstances), nil, nil
	}
	failed, broken := "", p.Record.Outcome == grader.Broken
	for _, name := range stageNames(p) {
		s := StageGrading{Stage: name, Verdict: Pass, Checks: []CheckGrading{}, Findings: []Finding{}, Progress: progress(p.Record, name)}
		for _, c := range p.Checks {
			if stageOf(p.Record, c) != name {
				continue
			}
			state, fs, tally := regrade(ctx, p.Record, c)
			s.Checks = append(s.Checks, CheckGrading{c.String(), state})
			s.Findings = append(s.Findings, fs...)
			if tally != nil {
				counts = tally
			}
			switch {
			case state == grader.BrokenRule:
				broken, s.Verdict = true, NoValidScore
			case state == grader.Unmet && s.Verdict == Pass:
				s.Verdict = Fail
			}
		}
		s.Findings = p.Record.findings(sortFindings(s.Findings))
		switch {
		case failed != "" && failed != world.Formal: // whose audit is part of its score
			s = StageGrading{Stage: name, Verdict: Skipped, Because: failed, Checks: []CheckGrading{}, Findings: []Finding{}, Progress: s.Progress}
		case broken && !p.Record.finished(name):
			s.Verdict = NoValidScore
			if failed == "" {
				failed = name
			}
			s.Checks, s.Findings = []CheckGrading{}, []Finding{}
		case s.Verdict != Pass && failed == "":
			failed = name
		}
		stages = append(stages, s)
	}
	differs := p.Record.Outcome == grader.Passed && failed != "" || p.Record.Outcome == grader.Failed && failed == "" && len(p.Checks) > 0
	p.Circumstances.Differs = p.Circumstances.Differs || differs
	a = Attribute(p.Record, p.Circumstances)
	a.explain(stages)
	g.tally(ctx, p.Record, stages)
	return stages, a, counts, nil
}

// explain adds the codes of what failed to the reasons of a layer that has any of the model's.
func (a *Attribution) explain(stages []StageGrading) {
	if !slices.ContainsFunc(a.Reasons, func(r Reason) bool { return r.Layer == LayerModel }) {
		return
	}
	seen := map[string]bool{}
	for _, s := range stages {
		for _, f := range s.Findings {
			if f.Severity == Violation && s.Verdict == Fail && !seen[f.Code] {
				seen[f.Code] = true
				a.Reasons = append(a.Reasons, Reason{Layer: f.Layer, Code: f.Code, Detail: f.String()})
			}
		}
	}
}

// regrade evaluates a check anew, with findings of every severity where it is of this package.
func regrade(ctx context.Context, r *Record, c grader.Check) (state string, fs []Finding, tally []grader.Tally) {
	v := grader.Grade(ctx, []grader.Check{c}, r)
	result := v.Results[0]
	f, ok := c.Rule.(finder)
	if ev, err := r.Evidence(c.Ask); ok && err == nil {
		if fs, _, err = look(ctx, f, ev); err != nil {
			fs = nil
		}
	}
	return result.State, fs, result.Tally
}

// stageOf names the stage that a check belongs to.
func stageOf(r *Record, c grader.Check) string {
	if _, ok := c.Rule.(*FocusedQARule); ok {
		return QAStage
	}
	return r.stage(c.Ask)
}

// stageNames returns the stages that an episode is about, in their order; the host's own is last.
func stageNames(p Played) (names []string) {
	for _, st := range p.Record.stages() {
		names = append(names, st.Name)
	}
	for _, c := range p.Checks {
		if n := stageOf(p.Record, c); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

// finished reports whether a stage was, by the last state of a record. That of the host is not when
// the episode is broken.
func (r *Record) finished(name string) bool {
	if len(r.States) == 0 {
		return false
	}
	s, err := world.ReadState(sim.RawState(r.States[len(r.States)-1]))
	return err == nil && slices.ContainsFunc(s.Stages, func(st world.StageState) bool { return st.Name == name && st.Finished })
}

// progress returns what every write of a stage brought.
func progress(r *Record, stage string) []Mutation {
	out := []Mutation{}
	for i, e := range r.Trace {
		f, ok, err := world.ReadFacts(e.Result)
		if w := f.Write; ok && err == nil && w != nil && r.stage(e.Ask) == stage {
			out = append(out, Mutation{stage, i + 1, w.PageID, w.Before, w.After, w.EvidenceDelta, w.RequirementDelta})
		}
	}
	return out
}

// tally counts what the audit demands and was found in the stages, and what was called in any of
// them. What a gate demands beyond the audit is no violation, and neither is what the scores count.
// Nothing is counted twice.
func (g *Grading) tally(ctx context.Context, r *Record, stages []StageGrading) {
	var all []Finding
	ev, err := r.Evidence(max(len(r.States)-1, 0))
	if err == nil {
		var s *scene
		if s, err = sceneOf(ctx, ev); err == nil {
			all = r.findings(sortFindings(s.auditCalls())) // as the stages have them
		}
	}
	codes := set(auditCodes())
	for _, s := range stages {
		for _, f := range s.Findings {
			if codes[f.Code] && (s.Stage != world.Formal || f.Code != RequirementOpen) {
				all = append(all, f)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Finding) int { return a.Severity.rank() - b.Severity.rank() }) // the gravest of a place counts
	seen := map[place]bool{}
	for _, f := range all {
		at := f.place()
		if seen[at] {
			continue
		}
		seen[at] = true
		switch f.Severity {
		case Warning:
			g.Counters.Warnings++
		case Violation:
			g.Counters.Violations++
			g.Counters.add(f.Code)
		}
	}
	for _, e := range r.Trace {
		if e.Result.Code == world.CodeToolRuntimeError || e.Result.Fault != "" {
			g.Counters.ToolRuntimeErrors++
		}
	}
}

// A place is what findings of different checks may both be about.
type place struct {
	code, page, path string
	event            int
}

func (f Finding) place() place { return place{f.Code, f.PageID, f.Path, f.Event} }

// rank orders severities, the gravest first.
func (s Severity) rank() int { return slices.Index([]Severity{Violation, Warning, Info}, s) }

func (c *Counters) add(code string) {
	switch code {
	case string(loops.RepeatedDiscovery):
		c.RepeatedDiscovery++
	case string(loops.RepeatedMutation):
		c.RepeatedMutation++
	case string(loops.NoChangeWrite):
		c.NoChangeWrite++
	case string(loops.Stalled):
		c.Stalled++
	case UnauthorisedTool, UnauthorisedWrite:
		c.UnauthorisedTool++
	}
}

// scores sums up the trials, of which each has to have a valid score.
func (g *Grading) scores() *Scores {
	s := Scores{Trials: len(g.Trials)}
	shares := map[string][]float64{}
	for _, t := range g.Trials {
		if t.Counts == nil {
			return nil
		}
		if t.Verdict == Pass {
			s.Passed++
		}
		for _, c := range t.Counts {
			share := 1.0
			if c.Of > 0 {
				share = float64(c.Held) / float64(c.Of)
			}
			shares[c.Code] = append(shares[c.Code], share)
		}
	}
	if s.Trials == 0 {
		return nil
	}
	s.Coverage, s.Requirements, s.Pages = statistics(shares[CountCoverage], 4), statistics(shares[CountRequirements], 4), statistics(shares[CountPages], 4)
	return &s
}

// String says what came of a stage in one line.
func (s StageGrading) String() string {
	if s.Verdict == Skipped {
		return fmt.Sprintf("%s: skipped because of %s", s.Stage, s.Because)
	}
	return s.Stage + ": " + s.Verdict
}
