package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// A hand holds everything that an agent has given or got, to write to it.
type hand struct {
	raws  []json.RawMessage
	tools []sim.Tool
	envs  []tasks.Envelope
	calls [][]sim.Call
	count []*int64
}

func (h *hand) raw(r json.RawMessage) json.RawMessage {
	h.raws = append(h.raws, r[:cap(r):cap(r)])
	return r
}

// scribble writes to all of it, also behind the ends of slices.
func (h *hand) scribble(c byte) {
	for _, r := range h.raws {
		for i := range r {
			r[i] = c
		}
	}
	for i := range h.tools {
		h.tools[i].Name = string(c)
		for j := range h.tools[i].Schema {
			h.tools[i].Schema[:cap(h.tools[i].Schema)][j] = c
		}
	}
	for _, e := range h.envs {
		e.Asks[0].Text, e.Tools[0] = string(c), string(c)
		for j := range e.Asks[0].Context {
			e.Asks[0].Context[j] = c
		}
		if e.Limits != nil {
			e.Limits.Turns = int(c)
		}
	}
	for _, cs := range h.calls {
		cs[0].Name = string(c)
	}
	for _, n := range h.count {
		*n = int64(c)
	}
}

// Play gives a session all that it takes, and writes to it as soon as it has been taken.
func (h *hand) Play(ctx context.Context, s *agent.Session) error {
	defer h.scribble('1')
	h.tools, h.envs = s.Tools(), append(h.envs, s.Envelope())
	if _, _, err := s.Next(ctx); err != nil {
		return err
	}
	h.scribble('2')
	n := func(v int64) *int64 { h.count = append(h.count, agent.Tokens(v)); return h.count[len(h.count)-1] }
	calls := []sim.Call{{Name: "add", Arguments: h.raw(json.RawMessage(`{"n":2}`))}}
	h.calls = append(h.calls, calls)
	s.Record(agent.Turn{Kind: agent.TurnCalls, Reply: agent.Reply{Calls: calls}, Usage: agent.Usage{Requests: 1, Input: n(5), Cached: n(4), Output: n(3), Reasoning: n(2)}})
	s.Say(tasks.Message{Role: tasks.RoleAssistant, Calls: calls})
	if _, err := s.Call(ctx, calls[0]); err != nil {
		return err
	}
	h.scribble('3')
	for range 2 {
		res, err := s.Call(ctx, sim.Call{Name: "shared", Arguments: h.raw(json.RawMessage(`{"x":1}`))})
		if err != nil {
			return err
		}
		h.raw(res.Data)
		h.raw(res.Arguments)
		h.scribble('4')
	}
	res, err := s.Call(ctx, sim.Call{Name: "wrap", Arguments: h.raw(json.RawMessage(`{"y":[1]}`))})
	if err != nil {
		return err
	}
	h.raw(res.Data)
	h.raw(res.Arguments)
	h.scribble('5')
	err = s.Answer(h.raw(json.RawMessage(`{"a":1}`)))
	h.scribble('6')
	return err
}

// Nothing that an agent holds is memory of its trace, of the world or of another episode: what
// it rewrites, it rewrites for itself. It may go on writing when the episode is being recorded,
// which the race detector watches.
func TestNothingOfAnAgentIsShared(t *testing.T) {
	tk := task(func(t *tasks.Task) {
		t.Asks[0].Context, t.Protocol.ShowLimits = json.RawMessage(`{"a":1}`), true
		t.Rubric.Checks = []grader.Check{stands(0, 3)}
	})
	scrub := func(ep *agent.Episode) string {
		ep.Started, ep.Wall = time.Time{}, 0
		raw, err := record(ep)
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	var first string
	for range 2 {
		h, late, stop, stopped := &hand{}, make(chan bool), make(chan bool), make(chan bool)
		ep := play(t, actor(func(ctx context.Context, s *agent.Session) error {
			err := h.Play(ctx, s)
			go func() {
				defer close(stopped)
				for c := byte('a'); ; c = 'a' + (c-'a'+1)%26 {
					select {
					case <-stop:
						return
					case <-late:
						s.Say(tasks.Message{Content: "late"})
						s.Record(agent.Turn{Kind: "late"})
						s.Call(context.Background(), sim.Call{Name: "late"})
					default:
					}
					h.scribble(c)
				}
			}()
			return err
		}), tk)
		close(late)
		var got string
		for range 20 {
			got = scrub(ep)
		}
		close(stop)
		<-stopped
		if first == "" {
			first = got
		}
		if ends(ep) != "passed done" || got != first || !strings.Contains(got, `"n":2`) || !strings.Contains(got, `[[{"y":[1]}]]`) || strings.Contains(got, "late") {
			t.Errorf("%s (%s); the record is\n%s\nit was\n%s", ends(ep), ep.End.Detail, got, first)
		}
	}
	if string(shared) != `{"shared":12345}` {
		t.Errorf("the memory of all worlds now is %s", shared)
	}
}

// What the world gets is what the trace says, whatever becomes of it in the agent's hands.
func TestAgentCannotRewriteItsTrace(t *testing.T) {
	ep := play(t, actor(func(ctx context.Context, s *agent.Session) error {
		s.Next(ctx)
		args := json.RawMessage(`{"n":9}`)
		res, err := s.Call(ctx, sim.Call{Name: "add", Arguments: args})
		copy(args, `{"n":2}`)
		copy(res.Data, "3")
		return err
	}), task())
	if e := ep.Trace[0]; string(e.Call.Arguments) != `{"n":9}` || string(e.Result.Data) != "10" {
		t.Errorf("the trace says %s gave %s", e.Call.Arguments, e.Result.Data)
	}
}

func TestFactsAreForGradersAlone(t *testing.T) {
	ep := play(t, actor(func(ctx context.Context, s *agent.Session) error {
		s.Next(ctx)
		res, err := s.Call(ctx, sim.Call{Name: "say", Arguments: json.RawMessage(`{"data":"1","facts":"{\"read\":2}"}`)})
		if string(res.Data) != "1" || res.Facts != nil {
			t.Errorf("the agent gets %s and the facts %s", res.Data, res.Facts)
		}
		return err
	}), task())
	if got := string(ep.Trace[0].Result.Facts); got != `{"read":2}` {
		t.Errorf("the trace says the facts are %s", got)
	}
}

// A call may be made for an earlier one, and for no other.
func TestAParentIsAnEarlierCall(t *testing.T) {
	ep := play(t, actor(func(ctx context.Context, s *agent.Session) error {
		s.Next(ctx)
		for _, parent := range []int{1, 0, 1, 3, 9, -1, 6} {
			if _, err := s.Call(ctx, sim.Call{Name: "get", Parent: parent}); err != nil {
				return err
			}
		}
		return nil
	}), task(func(tk *tasks.Task) { tk.Limits.Turns = 0 }))
	var got []int
	for _, e := range ep.Trace {
		got = append(got, e.Call.Parent)
	}
	if want := []int{0, 0, 1, 3, 0, 0, 6}; !slices.Equal(got, want) {
		t.Errorf("the parents are %v, want %v", got, want)
	}
}

// What cannot be kept as it is, is cut or quoted: the world gets it so, and the record says so.
func TestWhatACallBecomes(t *testing.T) {
	many := func(n int) string { return `{"a":"` + strings.Repeat("x", n) + `"}` }
	cases := []struct {
		name, tool, args, wantTool, wantArgs, reason string
	}{
		{"plain", "add", `{"n":2}`, "add", `{"n":2}`, "as it is"},
		{"spaced", "add", "{ \"n\" :\n2 }", "add", "{ \"n\" :\n2 }", "space means nothing, and is left to the world"},
		{"empty", "get", ``, "get", ``, "a call needs no arguments"},
		{"not-json", "get", `{"n":`, "get", `"{\"n\":"`, "text that is no JSON is kept as text"},
		{"not-utf8", "get", "{\"n\":\"\xff\"}", "get", "{\"n\":\"\uFFFD\"}", "records are UTF-8"},
		{"twice", "get", `{"n":1,"n":2}`, "get", `"{\"n\":1,\"n\":2}"`, "no reader would read it"},
		{"twice-in-escapes", "get", `{"n":1,"\u006e":2}`, "get", `"{\"n\":1,\"\\u006e\":2}"`, "the same"},
		{"twice-when-valid", "get", "{\"\xff\":1,\"\xfe\":2}", "get", "\"{\\\"\uFFFD\\\":1,\\\"\uFFFD\\\":2}\"", "the same"},
		{"deep", "get", string(nested(sim.MaxAgentDepth)), "get", string(nested(sim.MaxAgentDepth)), "so deep it is kept"},
		{"deeper", "get", string(nested(sim.MaxAgentDepth + 1)), "get", `"` + string(nested(sim.MaxAgentDepth+1)) + `"`, "deeper it is text"},
		{"large", "get", many(1<<20 - 8), "get", many(1<<20 - 8), "so long it is kept"},
		{"larger", "get", many(1<<20 - 7), "get", `"{\"a\":\"` + strings.Repeat("x", 64<<10-25) + `… (1048577 bytes)"`, "longer it is the beginning of a text"},
		{"long-name", strings.Repeat("é", 200), `{}`, strings.Repeat("é", 120) + "… (400 bytes)", `{}`, "no tool has such a name"},
		{"odd-name", "a\xffb", `{}`, "a\uFFFDb", `{}`, "records are UTF-8"},
		{"nothing-but-odd", strings.Repeat("\xff", 1000), `{}`, "\uFFFD… (1000 bytes)", `{}`, "a run of bytes that are no text is one mark"},
		{"odd-long-name", strings.Repeat("a\xff", 128), `{}`, strings.Repeat("a\uFFFD", 60) + "a… (256 bytes)", `{}`, "also where that makes it longer"},
	}
	seen := map[string]bool{}
	for _, c := range cases {
		reasoned(t, seen, c.name, c.reason)
		t.Run(c.name, func(t *testing.T) {
			call := sim.Call{Name: c.tool, Arguments: json.RawMessage(c.args)}
			direct := play(t, actor(func(ctx context.Context, s *agent.Session) error {
				s.Next(ctx)
				_, err := s.Call(ctx, call)
				return err
			}), task())
			looped := play(t, loop(replies(agent.Reply{Calls: []sim.Call{call}}), says("x")), task(), inTools)
			for _, ep := range []*agent.Episode{direct, looped} {
				if e := ep.Trace[0].Call; e.Name != c.wantTool || string(e.Arguments) != c.wantArgs {
					t.Errorf("the world gets %.300q %.300q, want %.300q %.300q: %s", e.Name, e.Arguments, c.wantTool, c.wantArgs, c.reason)
				}
			}
			if e := looped.Turns[0].Reply.Calls[0]; e.Name != c.wantTool || string(e.Arguments) != c.wantArgs {
				t.Errorf("the turn says %.300q %.300q", e.Name, e.Arguments)
			}
		})
	}
}

// However an agent fills the fields of what it has recorded, the record is read back as it is.
func TestHostileTurns(t *testing.T) {
	for _, odd := range []string{strings.Repeat("\xff\x1b[2J", 10_000), strings.Repeat("\xff", 100_000), strings.Repeat("é", 50_000), strings.Repeat("\xffé", 300)} {
		hostileTurns(t, odd)
	}
}

func hostileTurns(t *testing.T, odd string) {
	ep := play(t, actor(func(ctx context.Context, s *agent.Session) error {
		s.Next(ctx)
		minus := agent.Tokens(-1 << 63)
		s.Say(tasks.Message{Role: odd, Content: odd, Tool: odd, Calls: []sim.Call{{Name: odd, Arguments: nested(9999)}}})
		s.Record(agent.Turn{Kind: odd, Code: odd, Detail: odd, Layer: grader.Layer(odd),
			Reply: agent.Reply{Text: odd, DoneReason: odd, Model: odd, Request: odd, Calls: []sim.Call{{Name: odd, Arguments: nested(199)}}},
			Usage: agent.Usage{Requests: -5, Attempts: -1, Input: minus, Cached: minus, Output: minus, Reasoning: minus}})
		return agent.Faultf(grader.Layer(odd), odd, "%s", odd)
	}), task())
	if ends(ep) == "" || ep.Layer != grader.LayerAdapter || len(ep.FaultCode) > 200 || len(ep.Reason) > 5000 {
		t.Errorf("%.300s", ends(ep))
	}
	ep = play(t, actor(func(ctx context.Context, s *agent.Session) error {
		s.Next(ctx)
		s.Record(agent.Turn{Kind: odd, Usage: agent.Usage{Requests: -5, Input: agent.Tokens(-1)}})
		return s.End(odd, odd)
	}), task())
	if u := ep.Usage; u.Requests != 0 || u.Input != nil || ep.End.Code == "" || len(ep.End.Code) > 200 || len(ep.Turns[0].Kind) > 200 {
		t.Errorf("usage %+v, end %.500q", u, ep.End)
	}
}

// A fuzzed agent and world put anything into an episode; its record is always read back.
func FuzzRecord(f *testing.F) {
	f.Add("add", []byte(`{"n":1}`), []byte(`{"a":[1]}`), []byte(`{"b":1,"a":2}`), false)
	f.Add("\xff", []byte(`{"a":1,"\u0061":2}`), []byte("{\"\xff\":1,\"\xfe\":2}"), []byte(`{"a":1,"a":2}`), true)
	f.Add("x", []byte(nested(127)), []byte(nested(128)), []byte(nested(160)), false)
	f.Add("x", []byte(nested(199)), []byte(nested(129)), []byte(nested(161)), true)
	f.Add("x", []byte(" "), []byte(``), []byte(` 1 2`), true)
	f.Fuzz(func(t *testing.T, name string, args, answer, data []byte, native bool) {
		said := sim.MustCanonical(map[string]string{"data": string(data), "arguments": string(args)})
		a := actor(func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			c := sim.Call{Name: name, Arguments: args}
			s.Say(tasks.Message{Role: name, Content: string(args), Tool: name, Calls: []sim.Call{c}})
			s.Record(agent.Turn{Kind: name, Code: name, Detail: string(answer), Reply: agent.Reply{Text: string(answer), Model: name, Calls: []sim.Call{c}}})
			s.Call(ctx, c)
			s.Call(ctx, sim.Call{Name: "wrap", Arguments: args})
			s.Call(ctx, sim.Call{Name: "say", Arguments: said})
			s.Answer(answer)
			return s.End(name, string(answer))
		})
		edit := func(c *agent.Config) {
			if native {
				c.Protocol = agent.ProtocolTools
			}
		}
		play(t, a, task(), edit) // which sees to it
		m := replies(agent.Reply{Text: string(answer), Calls: []sim.Call{{Name: "wrap", Arguments: args}, {Name: "say", Arguments: said}}})
		play(t, loop(m, says(string(args)), says(`{"answer":`+string(answer)+`}`), says(`{"tool":"wrap","arguments":`+string(args)+`}`)), task(lenient), edit)
	})
}

func BenchmarkCopies(b *testing.B) {
	data := json.RawMessage(`{"rows":[` + strings.Repeat(`{"id":"w_b2b","name":"Policy Breaches","period":"1Y","status":"Closed"},`, 50) + `1]}`)
	args := sim.MustCanonical(map[string]string{"data": string(data)})
	tk := task(func(t *tasks.Task) { t.Limits = tasks.Limits{} })
	b.ReportAllocs()
	agent.Play(context.Background(), actor(func(ctx context.Context, s *agent.Session) error {
		s.Next(ctx)
		for b.Loop() {
			if res, err := s.Call(ctx, sim.Call{Name: "say", Arguments: args}); err != nil || !bytes.Equal(res.Data, data) {
				b.Fatal(err)
			}
		}
		return nil
	}), agent.Config{Kit: new(lab).kit(), Task: tk, Digest: "known"})
}
