package gates_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"sync/atomic"

	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// The ledger is the world of these tests: accounts with balances, which can be read and paid
// into. Its setup may ask for one of the vices that the gates are there to find.
type ledgerSetup struct {
	Accounts map[string]int64 `json:"accounts"`
	Memos    map[string]int64 `json:"memos,omitempty"` // extra state, to make it large
	Secret   string           `json:"secret,omitempty"`
	Vice     string           `json:"vice,omitempty"`
}

type ledger struct {
	accounts map[string]int64
	memos    map[string]int64
	scope    []string
	secret   string
	vice     string
	salt     int64
	closed   bool
}

var worlds atomic.Int64 // what a world with the vice "drift" depends on

func newLedger(_ context.Context, _ sim.Env, setup json.RawMessage, scope []string) (sim.World, error) {
	var s ledgerSetup
	if err := json.Unmarshal(setup, &s); err != nil {
		return nil, err
	}
	switch s.Vice {
	case "no-sandbox":
		return nil, fmt.Errorf("no sandbox on this machine: %w", errors.ErrUnsupported)
	case "no-world":
		return nil, errors.New("account \"h-9\" is unknown")
	case "panic":
		panic("a setup that nobody thought of")
	}
	l := &ledger{accounts: s.Accounts, memos: s.Memos, secret: s.Secret, vice: s.Vice, scope: scope}
	if s.Vice == "drift" {
		l.salt = worlds.Add(1)
	}
	return l, nil
}

var ledgerTools = []sim.Tool{
	{Name: "read", Description: "Reads the balance of an account.", Schema: json.RawMessage(`{"type":"object","properties":{"account":{"type":"string"}}}`)},
	{Name: "deposit", Description: "Pays into an account.", Schema: json.RawMessage(`{"type":"object","properties":{"account":{"type":"string"},"amount":{"type":"integer"}}}`)},
	{Name: "audit", Description: "Looks at the books.", Schema: json.RawMessage(`{"type":"object","properties":{}}`)},
}

func (l *ledger) Tools() []sim.Tool {
	var out []sim.Tool
	for _, t := range ledgerTools {
		if slices.Contains(l.scope, t.Name) || slices.Contains(l.scope, "all") {
			if l.vice == "boastful" && t.Name == "audit" {
				t.Description += " It knows " + l.secret + "."
			}
			out = append(out, t)
		}
	}
	return out
}

func (l *ledger) Begin(context.Context, int) error { return nil }

func (l *ledger) Call(_ context.Context, c sim.Call) sim.Result {
	refuse := func(status, code string, invalid bool) sim.Result {
		return sim.Result{Data: json.RawMessage(`{"error":"` + code + `"}`), Status: status, Code: code, Invalid: invalid}
	}
	if l.closed {
		return sim.Fault("the ledger is closed")
	}
	if !slices.ContainsFunc(l.Tools(), func(t sim.Tool) bool { return t.Name == c.Name }) {
		return refuse("error", "unknown_tool", true)
	}
	var a struct {
		Account string `json:"account"`
		Amount  int64  `json:"amount"`
	}
	if err := json.Unmarshal(c.Arguments, &a); err != nil {
		return refuse("error", "bad_arguments", true)
	}
	if c.Name == "audit" {
		if l.vice == "faulty" {
			return sim.Fault("the books are on fire")
		}
		if l.vice == "leaky" {
			return sim.Result{Data: json.RawMessage(`{"note":"the key is ` + l.secret + `"}`), Status: sim.StatusOK}
		}
		return sim.Result{Data: json.RawMessage(`{"note":"all is well"}`), Status: sim.StatusOK}
	}
	balance, ok := l.accounts[a.Account]
	if !ok {
		return refuse("error", "unknown_account", l.vice == "pedantic")
	}
	if c.Name == "deposit" {
		balance += a.Amount
		l.accounts[a.Account] = balance
	}
	args := fmt.Appendf(nil, `{"account":%q}`, a.Account)
	if c.Name == "deposit" {
		args = fmt.Appendf(nil, `{"account":%q,"amount":%d}`, a.Account, a.Amount)
	}
	data := fmt.Appendf(nil, `{"balance":%d}`, balance)
	if l.salt > 0 {
		data = fmt.Appendf(nil, `{"balance":%d,"receipt":%d}`, balance, l.salt)
	}
	return sim.Result{Data: data, Status: sim.StatusOK, Arguments: args}
}

func (l *ledger) State() (sim.State, error) {
	b := appendMap([]byte(`{"accounts":`), l.accounts)
	if l.memos != nil {
		b = appendMap(append(b, `,"memos":`...), l.memos)
	}
	return sim.RawState(append(b, '}')), nil
}

func appendMap(b []byte, m map[string]int64) []byte {
	b = append(b, '{')
	for i, k := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(strconv.AppendQuote(b, k), ':'), m[k], 10)
	}
	return append(b, '}')
}

func (l *ledger) Fork() (sim.World, error) {
	f := *l
	if l.vice != "shared" {
		f.accounts = maps.Clone(l.accounts)
	}
	return &f, nil
}

func (l *ledger) Close() error { l.closed = true; return nil }

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

func rules() map[string]func() grader.Rule {
	out := map[string]func() grader.Rule{}
	for _, mk := range []func() grader.Rule{
		func() grader.Rule { return &balance{} }, func() grader.Rule { return &total{} }, func() grader.Rule { return &called{} },
		func() grader.Rule { return &avoided{} }, func() grader.Rule { return &judged{} }, func() grader.Rule { return &lazy{} },
		func() grader.Rule { return &brittle{} }, func() grader.Rule { return &moody{} }, func() grader.Rule { return &talkative{} },
		func() grader.Rule { return &open{} },
	} {
		out[mk().Name()] = mk
	}
	return out
}

// ledgerKit returns the kit of a ledger whose sources go for the secret.
func ledgerKit() *tasks.Kit {
	return &tasks.Kit{
		Kind:  sim.Kind{Name: "ledger", New: newLedger},
		Rules: rules(),
		Sources: func(t tasks.Task) (tasks.Sources, error) {
			var s ledgerSetup
			if err := json.Unmarshal(t.Setup, &s); err != nil {
				return tasks.Sources{}, err
			}
			src := tasks.Sources{Digest: "ledger-1", Calls: []sim.Call{
				{Name: "audit", Arguments: json.RawMessage(`{}`)},
				{Name: "read", Arguments: json.RawMessage(`{"account":"h-2"}`)},
			}}
			if s.Secret != "" {
				src.Hidden = []string{s.Secret}
			}
			return src, nil
		},
	}
}

func setup(s ledgerSetup) json.RawMessage { return sim.MustCanonical(s) }

func call(name, args string) tasks.Move {
	return tasks.Move{Calls: []sim.Call{{Name: name, Arguments: json.RawMessage(args)}}}
}

func answer(raw string) tasks.Move { return tasks.Move{Answer: json.RawMessage(raw)} }

func check(line int, r grader.Rule, text string) grader.Check {
	return grader.Check{Rule: r, Source: grader.Source{File: "features/ledger.feature", Line: line, Text: text}}
}

// sound returns a task that every gate holds.
func sound() tasks.Task {
	t := tasks.Task{
		ID: "ledger-tasks/pay_in/case_a17", Labels: []string{"level:3", "case:A17x", "family:pay_in"}, World: "ledger",
		System: "You keep the accounts h-1 and h-2. Answer with the total as an object.",
		Asks:   []tasks.Ask{{Text: "Pay 250 into h-2 and tell me the total it holds then."}},
		Setup:  setup(ledgerSetup{Accounts: map[string]int64{"h-1": 40, "h-2": 7000}, Secret: "key-0815"}),
		Tools:  []string{"deposit", "read"},
		Limits: tasks.Limits{Turns: 4, InvalidCalls: 2, OutputTokens: 200, Tokens: 4000},
		Source: tasks.Source{File: "features/ledger.feature", Line: 9},
	}
	t.Rubric = tasks.Rubric{
		Checks: []grader.Check{
			check(12, &balance{"h-2", 7250}, `Then account "h-2" holds 7250`),
			check(13, &balance{"h-1", 40}, `And account "h-1" still holds 40`),
			check(14, &total{7250}, `And the answer is 7250`),
		},
		Reference: []tasks.Move{call("deposit", `{"account":"h-2","amount":250}`), answer(`{"total":7250}`)},
		Probes: []tasks.Probe{
			{Name: "stale total", Codes: []string{"wrong_total"}, Source: grader.Source{File: "features/ledger.feature", Line: 16},
				Moves: []tasks.Move{call("deposit", `{"account":"h-2","amount":250}`), answer(`{"total":7000}`)}},
		},
		Planted: []string{"plant-33"},
	}
	return t
}

// strictState is a state of a kind that has an opinion of its own on what it can be.
func strictState(raw json.RawMessage, _ fs.FS) (sim.State, error) {
	var s struct {
		Accounts map[string]int64 `json:"accounts"`
		Memos    map[string]int64 `json:"memos"`
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	return sim.RawState(raw), nil
}
