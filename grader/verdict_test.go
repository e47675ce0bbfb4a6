package grader_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"benchwright/grader"
	"benchwright/sim"
)

// rule is a rule made of a function.
type rule struct {
	name  string
	grade func(ctx context.Context, ev grader.Evidence) ([]grader.Finding, error)
}

func (r rule) Name() string    { return r.name }
func (r rule) String() string  { return r.name }
func (r rule) Codes() []string { return []string{"wrong"} }
func (r rule) Grade(ctx context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	return r.grade(ctx, ev)
}

// patient is a rule that may take an hour.
type patient struct{ rule }

func (patient) Patience() time.Duration { return time.Hour }

func does(name string, grade func()) rule {
	return rule{name, func(context.Context, grader.Evidence) ([]grader.Finding, error) { grade(); return nil, nil }}
}

func says(name string, err error, findings ...grader.Finding) grader.Check {
	return grader.Check{Rule: rule{name, func(context.Context, grader.Evidence) ([]grader.Finding, error) { return findings, err }}}
}

var (
	held     = says("held", nil)
	unmet    = says("unmet", nil, grader.Finding{Code: "wrong", Type: grader.StateType, Message: "it is wrong"})
	unasked  = says("unasked", grader.NotApplicable)
	unjudged = says("unjudged", grader.SkipError{Reason: "no judge"})
	unread   = says("unread", grader.BrokenError{Layer: grader.LayerJudge, Err: errors.New("asleep")})
	unseen   = says("unseen", errors.New("no ruler"))
	panics   = grader.Check{Rule: does("panics", func() { panic("at the sight of it") })}
	quits    = grader.Check{Rule: does("quits", runtime.Goexit)}
)

func later(c grader.Check) grader.Check { c.Ask = 1; return c }

// left is what an agent left behind.
type left grader.Evidence

func (l left) Evidence(ask int) (grader.Evidence, error) {
	l.Ask = ask
	return grader.Evidence(l), nil
}

var (
	acted   = left{Answer: json.RawMessage(`1`), End: grader.End{Code: grader.EndDone}}
	silent  = left{End: grader.End{Code: grader.EndStopped}}
	stopped = left{Trace: sim.Trace{{}}, End: grader.End{Code: grader.EndGate}}
)

func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		checks []grader.Check
		of     left
		want   string // outcome, layer, score, codes
		reason string
	}{
		{[]grader.Check{held, held}, acted, "passed  1", "all that is demanded is there"},
		{[]grader.Check{held, unmet, held, unasked}, acted, "failed  0.67 wrong", "the score counts what applies"},
		{[]grader.Check{held, unasked}, silent, "passed  0", "nothing done earns nothing"},
		{nil, acted, "broken fixture 0", "a task that demands nothing measures nothing"},
		{[]grader.Check{unasked, unasked}, acted, "failed  0 nothing_to_grade", "who gives the rules nothing to grade is no way out of the denominator"},
		{[]grader.Check{unasked}, silent, "failed  0 nothing_to_grade", "nor who says nothing at all"},
		{[]grader.Check{held, unjudged, unasked}, acted, "skipped  1", "nobody can judge it"},
		{[]grader.Check{unjudged}, silent, "skipped  0", "nor that"},
		{[]grader.Check{unjudged, held, unmet}, acted, "failed  0.5 wrong", "a skip hides no failure"},
		{[]grader.Check{later(unjudged), unmet}, stopped, "failed  0 wrong", "of an ask before neither"},
		{[]grader.Check{unjudged, held, later(unmet)}, stopped, "skipped  0.5 wrong", "behind a gate that nobody could judge nothing can be done"},
		{[]grader.Check{unjudged, later(unmet)}, acted, "failed  0 wrong", "where it stood open something can"},
		{[]grader.Check{held, later(unmet)}, stopped, "failed  0.5 wrong", "as where the gate was decided"},
		{[]grader.Check{unmet, unseen, unjudged}, acted, "broken grader 0 wrong", "what cannot be evaluated comes first"},
		{[]grader.Check{unread, unseen}, acted, "broken judge 0", "and the first of it names the layer"},
		{[]grader.Check{panics, held}, acted, "broken grader 1", "a panic is the rule's"},
		{[]grader.Check{held, quits, unmet}, acted, "broken grader 0.5 wrong", "so is the end of its goroutine, and the others go on"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			v := grader.Grade(t.Context(), c.checks, c.of)
			got := strings.TrimSpace(fmt.Sprintf("%s %s %.2g %s", v.Outcome, v.Layer, v.Score, strings.Join(v.Codes(), " ")))
			if got != c.want {
				t.Errorf("got %q, want %q (%s)", got, c.want, v.Reason)
			}
			if len(v.Results) < len(c.checks) {
				t.Errorf("%d results of %d checks", len(v.Results), len(c.checks))
			}
		})
	}
}

func TestNothingToGradeIsAFinding(t *testing.T) {
	for n, want := range map[int]string{
		1: "what the agent left behind gives the check nothing to grade",
		2: "what the agent left behind gives none of the 2 checks anything to grade",
	} {
		v := grader.Grade(t.Context(), []grader.Check{unasked, unasked}[:n], silent)
		f := v.Findings()
		if len(f) != 1 || f[0].Code != grader.NothingToGrade || f[0].Type != grader.ContractType || f[0].Message != want {
			t.Errorf("%d checks: findings %+v", n, f)
		}
		if last := v.Results[n]; last.State != grader.Unmet || last.Check != "there is something to grade" {
			t.Errorf("%d checks: result %+v", n, last)
		}
	}
}

// A rule that hangs costs its own time and no more.
func TestStuckRules(t *testing.T) {
	for _, c := range []struct {
		name   string
		checks func(wait func()) []grader.Check
		cancel time.Duration
		want   string // states of the results
		detail string // of the first broken one
		took   time.Duration
	}{
		{"hangs", func(wait func()) []grader.Check { return []grader.Check{held, {Rule: does("hangs", wait)}, unmet} }, 0,
			"held broken failed", "grader: rule hangs is stuck: it takes longer than 10s", 11 * time.Second},
		{"two", func(wait func()) []grader.Check {
			return []grader.Check{{Rule: does("one", wait)}, {Rule: does("two", wait)}, held}
		}, 0, "broken broken held", "grader: rule one is stuck: it takes longer than 10s", 21 * time.Second},
		{"patient", func(func()) []grader.Check {
			return []grader.Check{{Rule: patient{does("asks", func() { time.Sleep(time.Minute) })}}, held}
		}, 0, "held held", "", time.Minute},
		{"cancelled", func(wait func()) []grader.Check {
			return []grader.Check{{Rule: patient{does("hangs", wait)}}, held, {Rule: does("hangs", wait)}}
		}, 3 * time.Second, "broken broken broken", "grader: rule hangs is stuck: it does not end with its context", 5 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx := t.Context()
				if c.cancel > 0 {
					var stop context.CancelFunc
					ctx, stop = context.WithTimeout(ctx, c.cancel)
					defer stop()
				}
				release := make(chan struct{})
				began := time.Now()
				v := grader.Grade(ctx, c.checks(func() { <-release }), acted)
				took := time.Since(began)
				close(release)
				var states []string
				detail := ""
				for _, r := range v.Results {
					states = append(states, r.State)
					if detail == "" {
						detail = r.Detail
					}
				}
				if got := strings.Join(states, " "); got != c.want || detail != c.detail || took > c.took {
					t.Errorf("%s after %s: %s\nwant %s: %s", got, took, detail, c.want, c.detail)
				}
			})
		})
	}
}

// BenchmarkGrade grades ten checks that cost nothing.
func BenchmarkGrade(b *testing.B) {
	checks := make([]grader.Check, 10)
	for i := range checks {
		checks[i] = held
	}
	b.ReportAllocs()
	for b.Loop() {
		grader.Grade(b.Context(), checks, acted)
	}
}
