package wiki

import (
	"context"
	"fmt"
	"slices"

	fixture "benchwright/fixtures/wiki"
	"benchwright/grader"
	world "benchwright/sim/wiki"
	"benchwright/sim/wiki/loops"
)

// Rules returns the makers of this package's rules by name, for reading checks back from JSON.
func Rules() map[string]func() grader.Rule {
	out := map[string]func() grader.Rule{}
	for _, make := range []func() grader.Rule{
		func() grader.Rule { return new(ProtocolRule) },
		func() grader.Rule { return new(EvidenceSampleRule) },
		func() grader.Rule { return new(FocusedQARule) },
		func() grader.Rule { return new(FormalRule) },
	} {
		out[make().Name()] = make
	}
	return out
}

// A finder is a rule of this package: what it finds, of every severity, in a scene whose stage has
// begun.
type finder interface {
	find(s *scene) ([]Finding, error)
}

// look returns what a rule finds, sorted.
func look(ctx context.Context, r finder, ev grader.Evidence) ([]Finding, *scene, error) {
	s, err := sceneOf(ctx, ev)
	if err != nil {
		return nil, nil, err
	}
	fs, err := s.reached()
	if fs == nil && err == nil {
		fs, err = r.find(s)
	}
	return sortFindings(fs), s, err
}

// grade is Grade of a rule: its violations.
func grade(ctx context.Context, r finder, ev grader.Evidence) ([]grader.Finding, error) {
	fs, _, err := look(ctx, r, ev)
	return gradedAll(fs), err
}

// sorted returns codes sorted, each once.
func sorted(codes ...string) []string {
	slices.Sort(codes)
	return slices.Compact(codes)
}

// haltCodes are those of a stage that did not come to its end.
func haltCodes() []string {
	codes := []string{StateUnreadable, NotReached, NoFinish, LoopLimit, BudgetExceeded}
	for _, k := range loops.Kinds() {
		codes = append(codes, string(k))
	}
	return codes
}

// EvidenceSampleRule demands of the second gate that every page which the host selected has its
// evidence, and that nothing else has changed.
type EvidenceSampleRule struct {
	Budget *world.Budget `json:"budget,omitempty"` // nil is that of [DefaultBudget]
}

// EvidenceSample demands that the selected pages are repaired, and nothing else.
func EvidenceSample() grader.Check { return grader.Check{Rule: &EvidenceSampleRule{}} }

// Name implements grader.Rule.
func (*EvidenceSampleRule) Name() string { return "wiki.evidence_sample" }

// Codes implements grader.Rule.
func (*EvidenceSampleRule) Codes() []string {
	return sorted(slices.Concat(haltCodes(), evidenceCodes(), []string{
		SourceMissing, FixtureBytesChanged, StructureChanged, HeadingChanged, PageAdded, PageRemoved, PageNotSelectedChanged, BadFrontMatter,
	})...)
}

// Graded implements grader.Grounder: the files that the selected pages must cite. How many others
// they need each write tells.
func (*EvidenceSampleRule) Graded() []string {
	c, err := fixture.Plugins()
	if err != nil {
		return nil
	}
	var out []string
	for _, id := range fixture.Selected(c) {
		planned, _ := c.Skeleton.Page(id)
		out = append(append(out, id), planned.Required.MustCite...)
	}
	return sorted(out...)
}

func (*EvidenceSampleRule) String() string {
	return "the selected pages have their evidence, and nothing else has changed"
}

// Grade implements grader.Rule.
func (r *EvidenceSampleRule) Grade(ctx context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(ctx, r, ev)
}

func (r *EvidenceSampleRule) find(s *scene) ([]Finding, error) {
	out := append(s.halted(r.Budget), s.auditFixture()...)
	mine := set(r.Codes())
	selected := s.initial.Stages[s.ask].Selected
	for _, f := range s.auditPages() {
		if f.Severity != Violation || !mine[f.Code] {
			continue
		}
		if evidence := slices.Contains(evidenceCodes(), f.Code); !evidence || slices.Contains(selected, f.PageID) {
			out = append(out, f)
		}
	}
	return out, nil
}

// set returns codes as a set.
func set(codes []string) map[string]bool {
	out := make(map[string]bool, len(codes))
	for _, c := range codes {
		out[c] = true
	}
	return out
}

// FocusedQARule demands that the host's audit finds no violation, in what stands after an ask and
// in all that was called until then.
type FocusedQARule struct{}

// FocusedQA demands that the host's audit finds no violation. No model takes part in it.
func FocusedQA() grader.Check { return grader.Check{Rule: &FocusedQARule{}} }

// Name implements grader.Rule.
func (*FocusedQARule) Name() string { return "wiki.focused_qa" }

// Codes implements grader.Rule.
func (*FocusedQARule) Codes() []string {
	return sorted(slices.DeleteFunc(auditCodes(), func(code string) bool { return code == RequirementOpen })...) // which is never a violation
}

// Graded implements grader.Grounder: an agent has nothing to find for it.
func (*FocusedQARule) Graded() []string { return nil }

func (*FocusedQARule) String() string { return "the host's audit finds no violation" }

// Grade implements grader.Rule.
func (r *FocusedQARule) Grade(ctx context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(ctx, r, ev)
}

func (*FocusedQARule) find(s *scene) ([]Finding, error) { return s.audit(), nil }

// FormalRule demands the whole task: every required source backed, every requirement closed, every
// page complete. It counts each of them.
type FormalRule struct {
	Budget *world.Budget `json:"budget,omitempty"` // nil is that of [DefaultBudget]
}

// FormalTask demands that the whole wiki is repaired.
func FormalTask() grader.Check { return grader.Check{Rule: &FormalRule{}} }

// Name implements grader.Rule.
func (*FormalRule) Name() string { return "wiki.formal" }

// Codes implements grader.Rule.
func (*FormalRule) Codes() []string {
	return sorted(append(haltCodes(), CoverageUnmet, RequirementOpen, PageIncomplete)...)
}

// Graded implements grader.Grounder: the files that must be cited and the pages of requirements.
func (*FormalRule) Graded() []string {
	c, err := fixture.Plugins()
	if err != nil {
		return nil
	}
	var out []string
	for _, p := range c.Skeleton.Pages {
		parsed, err := fixture.ParsePage(c.Pages[p.ID])
		if err != nil || !fixture.State(parsed, p, c.Ledger, c).Complete {
			out = append(append(out, p.ID), p.Required.MustCite...)
		}
	}
	for _, r := range c.Skeleton.Requirements {
		out = append(out, r.ID)
	}
	return sorted(out...)
}

func (*FormalRule) String() string {
	return "every required source is backed, every requirement closed, every page complete"
}

// Grade implements grader.Rule.
func (r *FormalRule) Grade(ctx context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return grade(ctx, r, ev)
}

// The codes of what the whole task counts.
const (
	CountCoverage     = "coverage"     // backed required sources
	CountRequirements = "requirements" // closed
	CountPages        = "pages"        // complete
)

// Tally implements grader.Tallier.
func (r *FormalRule) Tally(ctx context.Context, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	fs, s, err := look(ctx, r, ev)
	if err != nil {
		return nil, nil, err
	}
	if s.final == nil || s.at < s.ask {
		return gradedAll(fs), nil, nil
	}
	return gradedAll(fs), s.count(), nil
}

func (r *FormalRule) find(s *scene) ([]Finding, error) {
	out := s.halted(r.Budget)
	add := func(code, page, path, want, got string) {
		out = append(out, Finding{Code: code, Severity: Violation, Stage: s.name(s.ask), PageID: page, Path: path, Expected: want, Actual: got, Layer: LayerModel})
	}
	if c := s.count()[0]; c.Held < c.Of {
		add(CoverageUnmet, "", "", fmt.Sprint(c.Of), fmt.Sprint(c.Held))
	}
	for _, q := range s.now.requirements(s.c) {
		add(RequirementOpen, q.Pages[0], q.ID, q.Rule.Text, "")
	}
	for _, p := range s.c.Skeleton.Pages {
		if st := s.evidence(p); !st.Complete {
			add(PageIncomplete, p.ID, "", fmt.Sprint(st.Required), fmt.Sprint(st.Covered))
		}
	}
	return out, nil
}

// evidence is that of a page as it stands; none where it is no page.
func (s *scene) evidence(p fixture.PlannedPage) fixture.PageState {
	return fixture.State(s.after[p.ID], p, s.final.Ledger, s.c)
}

// count returns what is counted of a state: coverage, requirements, pages.
func (s *scene) count() []grader.Tally {
	coverage, pages := grader.Tally{Code: CountCoverage}, grader.Tally{Code: CountPages, Of: len(s.c.Skeleton.Pages)}
	for _, p := range s.c.Skeleton.Pages {
		st := s.evidence(p)
		coverage.Held += st.Covered
		coverage.Of += st.Required
		if st.Complete {
			pages.Held++
		}
	}
	all := len(s.c.Skeleton.Requirements)
	return []grader.Tally{coverage, {Code: CountRequirements, Held: all - len(s.now.requirements(s.c)), Of: all}, pages}
}

// Score is the score of an episode: of the whole task the mean of the shares that are counted, and
// 0 where the audit finds a violation; of the qualification the share of its checks that held.
func Score(v grader.Verdict) float64 {
	var sum float64
	n, held, applicable, violated := 0, 0, 0, false
	for _, r := range v.Results {
		switch r.State {
		case grader.Held:
			held++
			applicable++
		case grader.Unmet:
			applicable++
			violated = violated || r.Rule == new(FocusedQARule).Name()
		}
		for _, t := range r.Tally {
			if n++; t.Of > 0 {
				sum += float64(t.Held) / float64(t.Of)
			}
		}
	}
	switch {
	case n > 0 && violated:
		return 0
	case n > 0:
		return sum / float64(n)
	case applicable == 0:
		return 0
	}
	return float64(held) / float64(applicable)
}
