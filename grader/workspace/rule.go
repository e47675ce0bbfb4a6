package workspace

import (
	"fmt"

	"benchwright/grader"
)

// A demand is how each rule of this package is made: it takes the evidence apart into points.
type demand interface {
	grader.Rule
	points(ev grader.Evidence) ([]point, error)
}

// A point is one thing that a rule looks at. Rules about many widgets or many calls have many, and
// the score counts each.
type point struct {
	code    string // that it raises when it does not hold
	group   string // the code under which it is counted; "" is code
	side    grader.Type
	message string // "" means that it holds
	want    string
	got     string
	silent  bool // does not hold, as a consequence of another that says so
}

func (p point) held() bool { return p.message == "" && !p.silent }

// grade turns points into findings.
func grade(d demand, ev grader.Evidence) ([]grader.Finding, error) {
	f, _, err := tally(d, ev)
	return f, err
}

func tally(d demand, ev grader.Evidence) ([]grader.Finding, []grader.Tally, error) {
	ps, err := d.points(ev)
	if err != nil {
		return nil, nil, err
	}
	var out []grader.Finding
	var counts []grader.Tally
	for _, p := range ps {
		if p.group == "" {
			p.group = p.code
		}
		i := 0
		for i < len(counts) && counts[i].Code != p.group {
			i++
		}
		if i == len(counts) {
			counts = append(counts, grader.Tally{Code: p.group})
		}
		counts[i].Of++
		if p.held() {
			counts[i].Held++
		} else if !p.silent {
			out = append(out, grader.Finding{Code: p.code, Type: p.side, Message: p.message, Want: p.want, Got: p.got})
		}
	}
	return out, counts, nil
}

var makers = []func() grader.Rule{
	func() grader.Rule { return new(AnswerLinesRule) },
	func() grader.Rule { return new(AnswerRule) },
	func() grader.Rule { return new(AnswerSaysRule) },
	func() grader.Rule { return new(AppDefRule) },
	func() grader.Rule { return new(AppOpenedRule) },
	func() grader.Rule { return new(AppStructureRule) },
	func() grader.Rule { return new(BackendNamesRule) },
	func() grader.Rule { return new(BackendRule) },
	func() grader.Rule { return new(BackendWarningsRule) },
	func() grader.Rule { return new(BackendsKeptRule) },
	func() grader.Rule { return new(BusinessNameRule) },
	func() grader.Rule { return new(CallsRule) },
	func() grader.Rule { return new(CapabilityRule) },
	func() grader.Rule { return new(ConnectionRule) },
	func() grader.Rule { return new(CreatedRule) },
	func() grader.Rule { return new(DashboardNameRule) },
	func() grader.Rule { return new(ExactRule) },
	func() grader.Rule { return new(GeneratedRule) },
	func() grader.Rule { return new(GridRule) },
	func() grader.Rule { return new(InvalidCallsRule) },
	func() grader.Rule { return new(LayoutRule) },
	func() grader.Rule { return new(ListedRule) },
	func() grader.Rule { return new(NothingElseRule) },
	func() grader.Rule { return new(OtherAppsRule) },
	func() grader.Rule { return new(OtherDashboardsRule) },
	func() grader.Rule { return new(OverlapRule) },
	func() grader.Rule { return new(ResourceReadRule) },
	func() grader.Rule { return new(RuntimeRule) },
	func() grader.Rule { return new(SchemaFirstRule) },
	func() grader.Rule { return new(SnapshotsRule) },
	func() grader.Rule { return new(TabNameRule) },
	func() grader.Rule { return new(TabRule) },
	func() grader.Rule { return new(ToolResultRule) },
	func() grader.Rule { return new(UnsaidRule) },
	func() grader.Rule { return new(WidgetDefRule) },
	func() grader.Rule { return new(WidgetRule) },
}

// Rules returns the makers of this package's rules by name, for reading checks back from JSON.
func Rules() map[string]func() grader.Rule {
	out := map[string]func() grader.Rule{}
	for _, make := range makers {
		out[make().Name()] = make
	}
	return out
}

// fixture is the error of a rule whose own arguments make no sense: the task's fault.
func fixture(format string, args ...any) error {
	return grader.BrokenError{Layer: grader.LayerFixture, Err: fmt.Errorf(format, args...)}
}
