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
	"strings"
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
	notes    []string
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
	{Name: "note", Description: "Keeps a text.", Schema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}}}`)},
	{Name: "recall", Description: "Gives back what was kept.", Schema: json.RawMessage(`{"type":"object","properties":{}}`)},
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
		Text    string `json:"text"`
	}
	if err := json.Unmarshal(c.Arguments, &a); err != nil {
		return refuse("error", "bad_arguments", true)
	}
	switch c.Name {
	case "note":
		l.notes = append(l.notes, a.Text)
		return sim.Result{Data: sim.MustCanonical(map[string]string{"kept": a.Text}), Status: sim.StatusOK}
	case "recall":
		return sim.Result{Data: sim.MustCanonical(map[string]string{"kept": strings.Join(l.notes, " ")}), Status: sim.StatusOK}
	}
	if c.Name == "audit" {
		if l.vice == "faulty" {
			return sim.Fault("the books are on fire")
		}
		if l.vice == "loud" {
			return sim.Result{Data: json.RawMessage(`{"note":"the key is ` + strings.ToUpper(strings.ReplaceAll(l.secret, "-", " ")) + `"}`), Status: sim.StatusOK}
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
	f.notes = slices.Clone(l.notes)
	if l.vice != "shared" {
		f.accounts = maps.Clone(l.accounts)
	}
	return &f, nil
}

func (l *ledger) Close() error { l.closed = true; return nil }

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
