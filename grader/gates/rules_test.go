package gates_test

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"benchwright/grader"
	"benchwright/sim"
)

// The rules of the ledger. Those after total are unsound, each in a way of its own.

// balance demands what an account holds at the end.
type balance struct {
	Account string `json:"account"`
	Amount  int64  `json:"amount"`
}

func (balance) Name() string       { return "ledger.balance" }
func (balance) Codes() []string    { return []string{"no_account", "wrong_balance"} }
func (r balance) Graded() []string { return []string{r.Account} }
func (r balance) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	var s struct {
		Accounts map[string]int64 `json:"accounts"`
	}
	if err := json.Unmarshal(ev.Final.JSON(), &s); err != nil {
		return nil, err
	}
	got, ok := s.Accounts[r.Account]
	switch {
	case !ok:
		return found("no_account", "there is no account %q", r.Account), nil
	case got != r.Amount:
		return found("wrong_balance", "account %q holds %d instead of %d", r.Account, got, r.Amount), nil
	}
	return nil, nil
}

func found(code, format string, args ...any) []grader.Finding {
	return []grader.Finding{{Code: code, Type: grader.StateType, Message: fmt.Sprintf(format, args...)}}
}

// total demands an answer.
type total struct {
	Amount int64 `json:"amount"`
}

func (total) Name() string       { return "ledger.total" }
func (total) Codes() []string    { return []string{"no_answer", "wrong_total"} }
func (r total) Graded() []string { return []string{strconv.FormatInt(r.Amount, 10), "total"} }
func (r total) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	if ev.Answer == nil {
		return found("no_answer", "nothing was answered"), nil
	}
	var a struct{ Total json.Number }
	if json.Unmarshal(ev.Answer, &a) != nil || a.Total.String() != strconv.FormatInt(r.Amount, 10) {
		return found("wrong_total", "the answer is %.80q", ev.Answer), nil
	}
	return nil, nil
}

// called demands that a tool did something.
type called struct {
	Tool string `json:"tool"`
}

func (called) Name() string       { return "ledger.called" }
func (called) Codes() []string    { return []string{"not_called"} }
func (r called) Graded() []string { return []string{r.Tool} }
func (r called) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	for _, e := range ev.Trace {
		if e.Call.Name == r.Tool && e.Result.OK() {
			return nil, nil
		}
	}
	return found("not_called", "%s was not called", r.Tool), nil
}

// avoided demands that a tool was not called.
type avoided struct {
	Tool string `json:"tool"`
}

func (avoided) Name() string     { return "ledger.avoided" }
func (avoided) Codes() []string  { return []string{"forbidden_call"} }
func (avoided) Graded() []string { return nil }
func (r avoided) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	if slices.ContainsFunc(ev.Trace, func(e sim.Event) bool { return e.Call.Name == r.Tool }) {
		return found("forbidden_call", "%s was called", r.Tool), nil
	}
	return nil, nil
}

// judged needs a judge.
type judged struct{}

func (judged) Name() string     { return "ledger.judged" }
func (judged) Codes() []string  { return []string{"bad_style"} }
func (judged) Graded() []string { return nil }
func (judged) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	if ev.Asker == nil {
		return nil, grader.SkipError{Reason: "no judge"}
	}
	return nil, nil
}

// lazy demands nothing.
type lazy struct{}

func (lazy) Name() string                                                     { return "ledger.lazy" }
func (lazy) Codes() []string                                                  { return []string{"never"} }
func (lazy) Graded() []string                                                 { return nil }
func (lazy) Grade(context.Context, grader.Evidence) ([]grader.Finding, error) { return nil, nil }

// brittle is total that breaks on an answer of another shape.
type brittle struct{ total }

func (brittle) Name() string { return "ledger.brittle" }
func (r brittle) Grade(ctx context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	if ev.Answer != nil {
		var a map[string]any
		json.Unmarshal(ev.Answer, &a)
		if _, ok := a["total"].(float64); !ok {
			panic("an answer without a total")
		}
	}
	return r.total.Grade(ctx, ev)
}

// moody fails every so often.
type moody struct {
	Amount int64 `json:"amount"`
	times  *int
}

func (moody) Name() string    { return "ledger.moody" }
func (moody) Codes() []string { return []string{"bad_mood", "no_answer", "wrong_total"} }
func (r moody) Graded() []string {
	return nil
}
func (r moody) Grade(ctx context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	if _, raw := ev.Initial.(sim.RawState); !raw || r.times == nil {
		return found("bad_mood", "not today"), nil
	}
	return total{r.Amount}.Grade(ctx, ev)
}

// talkative raises codes that it does not list.
type talkative struct{ total }

func (talkative) Name() string    { return "ledger.talkative" }
func (talkative) Codes() []string { return []string{"no_answer"} }

// open is a rule without a Grounder.
type open struct {
	Limits []int64 `json:"limits"`
}

func (open) Name() string    { return "ledger.open" }
func (open) Codes() []string { return []string{"no_call"} }
func (open) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	if len(ev.Trace) == 0 {
		return found("no_call", "no call"), nil
	}
	return nil, nil
}

// noted demands that a text was kept, at least as part of another. It has no Grounder.
type noted struct {
	Text string `json:"text"`
}

func (noted) Name() string    { return "ledger.noted" }
func (noted) Codes() []string { return []string{"not_noted"} }
func (r noted) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	for _, e := range ev.Trace {
		var a struct{ Text string }
		if json.Unmarshal(e.Call.Arguments, &a) == nil && e.Call.Name == "note" && strings.Contains(a.Text, r.Text) && e.Result.OK() {
			return nil, nil
		}
	}
	return found("not_noted", "%q was not kept", r.Text), nil
}

// hushed is noted that does not say what it looks for.
type hushed struct{ noted }

func (hushed) Name() string     { return "ledger.hushed" }
func (hushed) Graded() []string { return nil }

// secretive is noted that says but half of it.
type secretive struct {
	noted
	Also string `json:"also"`
}

func (secretive) Name() string       { return "ledger.secretive" }
func (r secretive) Graded() []string { return []string{r.Text} }
func (r secretive) Grade(ctx context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	f, err := r.noted.Grade(ctx, ev)
	if len(f) > 0 || err != nil {
		return f, err
	}
	return noted{r.Also}.Grade(ctx, ev)
}

// hanging is total that does not come back from answers that it does not expect.
type hanging struct{ total }

func (hanging) Name() string            { return "ledger.hanging" }
func (hanging) Patience() time.Duration { return 300 * time.Millisecond }
func (r hanging) Grade(ctx context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	f, err := r.total.Grade(ctx, ev)
	if len(f) > 0 && ev.Answer != nil {
		select {}
	}
	return f, err
}

// fleeing is hanging that ends its goroutine.
type fleeing struct{ total }

func (fleeing) Name() string { return "ledger.fleeing" }
func (r fleeing) Grade(ctx context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	f, err := r.total.Grade(ctx, ev)
	if len(f) > 0 && ev.Answer != nil {
		runtime.Goexit()
	}
	return f, err
}

// dodging is total that an agent can talk out of it.
type dodging struct{ total }

func (dodging) Name() string { return "ledger.dodging" }
func (r dodging) Grade(ctx context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	if string(ev.Answer) == "{}" {
		return nil, grader.SkipError{Reason: "nothing to judge"}
	}
	return r.total.Grade(ctx, ev)
}

// present is a rule that sees that there is an answer, and not which.
type present struct{}

func (present) Name() string     { return "ledger.present" }
func (present) Codes() []string  { return []string{"no_answer"} }
func (present) Graded() []string { return nil }
func (present) Grade(_ context.Context, ev grader.Evidence) ([]grader.Finding, error) {
	if len(ev.Answer) <= 2 {
		return found("no_answer", "nothing was answered"), nil
	}
	return nil, nil
}

func rules() map[string]func() grader.Rule {
	out := map[string]func() grader.Rule{}
	for _, mk := range []func() grader.Rule{
		func() grader.Rule { return &balance{} }, func() grader.Rule { return &total{} }, func() grader.Rule { return &called{} },
		func() grader.Rule { return &avoided{} }, func() grader.Rule { return &judged{} }, func() grader.Rule { return &lazy{} },
		func() grader.Rule { return &brittle{} }, func() grader.Rule { return &moody{} }, func() grader.Rule { return &talkative{} },
		func() grader.Rule { return &open{} }, func() grader.Rule { return &noted{} }, func() grader.Rule { return &hushed{} },
		func() grader.Rule { return &secretive{} }, func() grader.Rule { return &hanging{} }, func() grader.Rule { return &fleeing{} },
		func() grader.Rule { return &dodging{} }, func() grader.Rule { return &present{} },
	} {
		out[mk().Name()] = mk
	}
	return out
}
