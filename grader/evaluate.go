package grader

import (
	"context"
	"errors"
	"fmt"
	"time"

	"benchwright/grader/internal/watch"
)

// graded is a result with what only the verdict needs of it.
type graded struct {
	Result
	layer  Layer  // of a broken one
	active bool   // the agent called or answered something
	end    string // code of the episode's
}

// grace is how long a rule may go on after its context has ended.
const grace = time.Second

// evaluate returns what each check has to say. All of them run on one goroutine, which is left
// behind with a check that is stuck; the others then go on without it. Who grades under a watch
// already is watched by that.
func evaluate(ctx context.Context, checks []Check, e Evidencer) []graded {
	out := make([]graded, 0, len(checks))
	rest := func(w *watch.Watch) {
		for i := len(out); i < len(checks); i++ {
			w.Enter(patience(checks[i].Rule), &checks[i])
			g := checks[i].evaluate(ctx, e)
			w.Leave()
			out = append(out, g)
		}
	}
	if w := watch.From(ctx); w != nil {
		rest(w)
	}
	for len(out) < len(checks) {
		_, end := watch.Do(ctx, grace, false, rest)
		if end == watch.Done {
			break
		}
		c := checks[len(out)]
		out = append(out, c.result(nil, nil, BrokenError{LayerGrader, stuck(ctx, c.Rule, end)}))
		if end == watch.Stuck && ctx.Err() != nil { // nobody waits for others like it
			for _, c := range checks[len(out):] {
				out = append(out, c.result(nil, nil, BrokenError{LayerGrader, errors.New("interrupted")}))
			}
		}
	}
	return out
}

func stuck(ctx context.Context, r Rule, end watch.End) error {
	switch {
	case end == watch.Quit:
		return fmt.Errorf("rule %s ended its goroutine", r.Name())
	case ctx.Err() != nil:
		return fmt.Errorf("rule %s is stuck: it does not end with its context", r.Name())
	}
	return fmt.Errorf("rule %s is stuck: it takes longer than %s", r.Name(), patience(r))
}

func patience(r Rule) time.Duration {
	if p, ok := r.(Patient); ok {
		return p.Patience()
	}
	return Patience
}

func (c Check) evaluate(ctx context.Context, e Evidencer) graded {
	ev, err := e.Evidence(c.Ask)
	if err != nil {
		return c.result(nil, nil, err)
	}
	g := c.result(c.tally(ctx, ev))
	g.active, g.end = len(ev.Trace) > 0 || ev.Answer != nil, ev.End.Code
	return g
}

// result is what came of a check.
func (c Check) result(f []Finding, t []Tally, err error) graded {
	g := graded{Result: Result{Check: c.String(), Rule: c.Rule.Name(), Source: c.Source}}
	switch {
	case err != nil:
		g.unheld(err)
	case len(f) > 0:
		g.State, g.Findings, g.Tally = Unmet, f, t
	default:
		g.State, g.Findings, g.Tally = Held, f, t
	}
	return g
}

// unheld sorts an error of a rule.
func (g *graded) unheld(err error) {
	var skip SkipError
	var b BrokenError
	switch {
	case errors.Is(err, NotApplicable):
		g.State = Unasked
	case errors.As(err, &skip):
		g.State, g.Detail = SkippedRule, skip.Reason
	default:
		g.State, g.Detail, g.layer = BrokenRule, err.Error(), LayerGrader
		if errors.As(err, &b) {
			g.layer = b.Layer
		}
	}
}
