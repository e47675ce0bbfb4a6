package agent

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// A Desk is where an agent outside of this process is served, whatever it speaks: it puts the
// asks in the words of the world's dialect, performs calls one at a time, each of them a turn,
// and takes answers. To finish without words is no turn. It is safe for concurrent use.
type Desk struct {
	s      *Session
	d      tasks.Dialect
	n      tasks.ToolsDialect
	env    tasks.Envelope
	tools  []sim.Tool // of the world
	answer string     // the tool that answers where the dialect has none of its own; or ""
	next   string     // the tool that asks for the next ask, where there are several; or ""
	silent bool       // an ask is finished by doing nothing more

	turn chan struct{} // holds a token while nobody is served

	// What follows belongs to whoever holds the token.
	ask     int
	done    bool // the present ask is
	repairs int  // malformed answers that are still forgiven; negative is no bound
}

// The names of the tools that a desk adds. A world that has such a tool keeps it, and the desk's
// own is written with a leading underscore.
const (
	FinalAnswer = "final_answer"
	NextAsk     = "next_ask"
)

// A Said is what an agent is told about its call.
type Said struct {
	Text  string
	Error bool       // the call did not do what it was asked
	Raw   sim.Result // of a tool of the world; zero otherwise
}

// NewDesk opens a desk and puts the first ask.
func NewDesk(ctx context.Context, s *Session, d tasks.Dialect) (*Desk, error) {
	k := &Desk{s: s, d: d, n: nativeOf(d), env: s.Envelope(), tools: s.Tools(), turn: make(chan struct{}, 1), repairs: -1}
	k.turn <- struct{}{}
	if r, ok := d.(tasks.Repairer); ok {
		k.repairs = r.Repairs()
	}
	if f := dialect(func() error {
		if a, ok := d.(AnswerSchema); ok {
			var schema struct{ Type string }
			k.silent = json.Unmarshal(a.AnswerSchema(k.env), &schema) == nil && schema.Type == "null"
		}
		return nil
	}); f != nil {
		return nil, f
	}
	if _, ok := d.(tasks.NativeDialect); !ok && !k.silent {
		k.answer = k.free(FinalAnswer)
	}
	if len(k.env.Asks) > 1 {
		k.next = k.free(NextAsk)
	}
	if _, _, err := s.Next(ctx); err != nil {
		return nil, err
	}
	return k, nil
}

// free returns a name that no tool of the world has.
func (k *Desk) free(name string) string {
	for slices.ContainsFunc(k.tools, func(t sim.Tool) bool { return t.Name == name }) {
		name = "_" + name
	}
	return name
}

// Tools lists what the agent may call: the tools of the world, those that the dialect adds, and
// the desk's own.
func (k *Desk) Tools() ([]sim.Tool, error) {
	offered := k.tools
	if n, ok := k.d.(tasks.NativeDialect); ok {
		if f := dialect(func() error { offered = n.Offer(k.env, k.tools); return nil }); f != nil {
			return nil, f
		}
	}
	offered = slices.Clone(offered)
	if k.answer != "" {
		offered = append(offered, sim.Tool{Name: k.answer, Description: "Gives the final answer to what the user asked.",
			Schema: json.RawMessage(`{"additionalProperties":false,"properties":{"text":{"description":"The whole answer.","type":"string"}},"required":["text"],"type":"object"}`)})
	}
	if k.next != "" {
		offered = append(offered, sim.Tool{Name: k.next, Description: "Says that all is done that the user asked for, and returns what the user says next.",
			Schema: json.RawMessage(`{"additionalProperties":false,"properties":{},"type":"object"}`)})
	}
	return offered, nil
}

// Prompt returns the present ask with all that is told about it, as one text, and how it ends.
func (k *Desk) Prompt(ctx context.Context) (string, error) {
	if err := k.take(ctx); err != nil {
		return "", err
	}
	defer k.give()
	m, err := k.open()
	if err != nil {
		return "", err
	}
	return k.text(m), nil
}

// Put is Prompt, and records that the agent was told.
func (k *Desk) Put(ctx context.Context) (string, error) {
	if err := k.take(ctx); err != nil {
		return "", err
	}
	defer k.give()
	return k.put()
}

func (k *Desk) put() (string, error) {
	m, err := k.open()
	if err != nil {
		return "", err
	}
	k.s.Say(m...)
	return k.text(m), nil
}

func (k *Desk) open() (m []tasks.Message, err error) {
	if f := dialect(func() (err error) { m, err = k.n.OpenTools(k.env, k.ask, k.tools); return err }); f != nil {
		return nil, Faultf(f.Layer, f.Code, "ask %d: %w", k.ask+1, f.Err)
	}
	return m, nil
}

// text joins messages and says how the ask is brought to its end.
func (k *Desk) text(messages []tasks.Message) string {
	var parts []string
	for _, m := range messages {
		parts = append(parts, m.Content)
	}
	if k.answer != "" {
		parts = append(parts, "Give the final answer as the text of the tool "+k.answer+", in the form that is described above. Nothing else counts as the answer.")
	}
	switch {
	case k.next == "":
	case k.ask+1 < len(k.env.Asks):
		parts = append(parts, "When this is done, call "+k.next+" for what the user says next.")
	default:
		parts = append(parts, "This is the last thing that the user asks for.")
	}
	return strings.Join(parts, "\n\n")
}

// take waits for the desk.
func (k *Desk) take(ctx context.Context) error {
	select {
	case <-k.turn:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-k.s.ctx.Done():
		return k.alive()
	}
}

func (k *Desk) alive() error {
	k.s.mu.Lock()
	defer k.s.mu.Unlock()
	return k.s.alive()
}

func (k *Desk) give() { k.turn <- struct{}{} }

// Call performs one call. The error is not nil when the episode is over, which is not always
// the agent's fault: see [Session.Call]. A call that finishes the last ask ends the episode.
func (k *Desk) Call(ctx context.Context, c sim.Call) (Said, error) {
	if err := k.take(ctx); err != nil {
		return Said{}, err
	}
	defer k.give()
	if err := k.alive(); err != nil {
		return Said{}, err
	}
	switch {
	case k.next != "" && c.Name == k.next:
		return k.advance(ctx)
	case k.done:
		return Said{Text: "The user's request is finished. Call " + k.next + " for what the user says next.", Error: true}, nil
	}
	action, bad, err := k.read(c)
	switch {
	case err != nil:
		return Said{}, err
	case bad != nil:
		return k.malformed(bad)
	}
	if err := k.s.Turn(); err != nil {
		return Said{}, err
	}
	var said Said
	for _, c := range action.Calls {
		res, err := k.s.Call(ctx, c)
		if err != nil {
			return Said{}, err
		}
		k.done = k.done || res.Done
		said = Said{Text: string(res.Data), Error: !res.OK(), Raw: res}
	}
	if action.Answer != nil {
		k.s.ignored(action.Ignored)
		if err := k.s.Answer(action.Answer); err != nil {
			return Said{}, err
		}
		k.done = true
		said.Text = "The answer is recorded."
	}
	switch {
	case !k.done:
	case k.next != "" && k.ask+1 < len(k.env.Asks):
		if action.Answer != nil {
			said.Text += " Call " + k.next + " for what the user says next."
		}
	default:
		if _, _, err := k.s.Next(ctx); err != nil && !isDone(err) {
			return said, err
		}
	}
	return said, nil
}

// read understands a call as the dialect does.
func (k *Desk) read(c sim.Call) (a tasks.Action, bad *tasks.Malformed, err error) {
	c = encodable(c)
	a.Calls = []sim.Call{c}
	var parse func() (tasks.Action, error)
	if n, ok := k.d.(tasks.NativeDialect); ok {
		parse = func() (tasks.Action, error) { return n.ParseCalls(k.env, a.Calls) }
	} else if k.answer != "" && c.Name == k.answer {
		text, ok := textOf(c.Arguments)
		if !ok {
			return tasks.Action{}, tasks.Malformedf(tasks.InvalidAction, "%s needs the argument text", k.answer), nil
		}
		parse = func() (tasks.Action, error) { return k.n.ParseText(k.env, text) }
	} else {
		return a, nil, nil
	}
	f := dialect(func() error {
		a, err = parse()
		if errors.As(err, &bad) {
			return nil
		}
		return err
	})
	switch {
	case f != nil:
		return a, nil, Faultf(f.Layer, f.Code, "parse: %w", f.Err)
	case bad != nil:
		return tasks.Action{}, bad, nil
	}
	if _, problem := answerOf(a.Answer); a.Answer != nil && problem != "" {
		return tasks.Action{}, tasks.Malformedf(tasks.InvalidJSON, "the answer is one %s", problem), nil
	}
	return a, nil, nil
}

// textOf returns the argument "text": a string, or the JSON of what stands there instead.
func textOf(arguments json.RawMessage) (string, bool) {
	var args struct{ Text json.RawMessage }
	if json.Unmarshal(arguments, &args) != nil || len(args.Text) == 0 || string(args.Text) == "null" {
		return "", false
	}
	var text string
	if json.Unmarshal(args.Text, &text) != nil {
		text = string(args.Text)
	}
	return text, strings.TrimSpace(text) != ""
}

// malformed is what becomes of an answer that cannot be read: it costs a turn, and ends the
// episode where the protocol is strict.
func (k *Desk) malformed(bad *tasks.Malformed) (Said, error) {
	bad = tasks.Malformedf(bad.Code, "%s", clip(bad.Detail, maxDetail))
	if err := k.s.Turn(); err != nil {
		return Said{}, err
	}
	if !k.env.Protocol.Lenient || k.repairs == 0 {
		return Said{}, k.s.End(bad.Code, bad.Detail)
	}
	k.repairs--
	return Said{Text: "That could not be used: " + strings.TrimSuffix(bad.Detail, ".") + ".", Error: true}, nil
}

// advance finishes the present ask and puts the next.
func (k *Desk) advance(ctx context.Context) (Said, error) {
	if !k.done && !k.silent {
		return Said{Text: "The user still waits for the final answer to this.", Error: true}, nil
	}
	if !k.done {
		if err := k.s.Answer(json.RawMessage("null")); err != nil {
			return Said{}, err
		}
	}
	n, ok, err := k.s.Next(ctx)
	switch {
	case err != nil:
		return Said{}, err
	case !ok:
		return Said{Text: "That was all that the user asked for."}, nil
	}
	k.ask, k.done = n, false
	text, err := k.put()
	return Said{Text: text}, err
}

// Advance finishes the present ask as it stands and puts the next, for agents that are not asked
// what they make of it: an ask that wants an answer and has none is left open.
func (k *Desk) Advance(ctx context.Context) error {
	if err := k.take(ctx); err != nil {
		return err
	}
	defer k.give()
	if !k.done && k.silent {
		if err := k.s.Answer(json.RawMessage("null")); err != nil {
			return err
		}
	}
	n, _, err := k.s.Next(ctx)
	k.ask, k.done = n, false
	return err
}

// Finish says that the agent will do nothing more, and ends the episode. Where that is how an
// ask is finished the present one is; what was not put, or wants an answer and has none, is left
// open.
func (k *Desk) Finish(ctx context.Context) error {
	if err := k.take(ctx); err != nil {
		return err
	}
	defer k.give()
	if k.silent && !k.done {
		if err := k.s.Answer(json.RawMessage("null")); err != nil {
			return err
		}
		k.done = true
	}
	if k.done && k.ask+1 == len(k.env.Asks) {
		_, _, err := k.s.Next(ctx)
		return err
	}
	return k.s.End(grader.EndStopped, "the agent left without finishing what it was asked")
}

// Over reports whether the episode is.
func (k *Desk) Over() bool { return k.s.ctx.Err() != nil }

func isDone(err error) bool {
	var ended *Ended
	return errors.As(err, &ended) && ended.End.Finished()
}
