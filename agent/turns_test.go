package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// Turns are what there is of an agent's time to think: whoever does not claim them gets no more.
func TestTurnsHoldForEverybody(t *testing.T) {
	get := sim.Call{Name: "get"}
	calls := func(ctx context.Context, s *agent.Session, n int) error {
		for range n {
			if _, err := s.Call(ctx, get); err != nil {
				return err
			}
		}
		return nil
	}
	cases := []struct {
		name   string
		task   tasks.Task
		agent  actor
		want   string
		calls  int
		turns  int // that are recorded
		reason string
	}{
		{"never-claims", task(), func(ctx context.Context, s *agent.Session) error { s.Next(ctx); return calls(ctx, s, 1<<20) },
			"failed decision_limit_exceeded", 10, 0, "each call is a turn of its own"},
		{"never-claims-and-answers", task(), func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			calls(ctx, s, 9)
			return s.Answer(json.RawMessage(`1`))
		}, "failed done", 9, 0, "and so is the answer"},
		{"answer-too-late", task(), func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			calls(ctx, s, 10)
			return s.Answer(json.RawMessage(`1`))
		}, "failed decision_limit_exceeded", 10, 0, "for which there must be one left"},
		{"claims-once", task(), func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			s.Turn()
			return calls(ctx, s, 1<<20)
		}, "failed decision_limit_exceeded", 64 + 9, 0, "one turn holds 64 calls, no more"},
		{"claims-each", task(), func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			for s.Turn() == nil {
				calls(ctx, s, 64)
			}
			return nil
		}, "failed decision_limit_exceeded", 640, 0, "several calls of one reply are one turn"},
		{"turn-holds-its-answer", task(limits(tasks.Limits{Turns: 1})), func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			s.Turn()
			calls(ctx, s, 64)
			return s.Answer(json.RawMessage(`1`))
		}, "failed done", 64, 0, "after the last call, too"},
		{"turn-ends-with-its-ask", task(twoAsks, limits(tasks.Limits{Turns: 1})), func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			s.Turn()
			s.Answer(json.RawMessage(`1`))
			s.Next(ctx)
			return calls(ctx, s, 1)
		}, "failed decision_limit_exceeded", 0, 0, "a turn serves one ask"},
		{"of-an-ask", task(func(t *tasks.Task) { t.Asks[0].Turns = 3 }), func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			return calls(ctx, s, 1<<20)
		}, "failed decision_limit_exceeded", 3, 0, "the limit of an ask holds as well"},
		{"tokens", task(limits(tasks.Limits{Turns: 10, Tokens: 5})), func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			s.Record(agent.Turn{Kind: agent.TurnAnswer, Usage: used(9, 9)})
			calls(ctx, s, 64)
			return calls(ctx, s, 1)
		}, "failed token_limit_exceeded", 64, 1, "and that of tokens"},
		{"records-without-claiming", task(), func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			for range 100 {
				if err := s.Record(agent.Turn{Kind: agent.TurnCalls, Usage: used(1, 0)}); err != nil {
					return err
				}
				calls(ctx, s, 2)
			}
			return nil
		}, "failed decision_limit_exceeded", 20, 10, "a recorded reply is a turn, with its calls"},
		{"calls-then-records", task(), func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			for range 4 {
				calls(ctx, s, 1)
				s.Record(agent.Turn{Kind: agent.TurnCalls})
			}
			return s.Answer(json.RawMessage(`1`))
		}, "failed done", 4, 4, "a call and its record are one turn"},
		{"records-for-ever", task(), func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			s.Turn()
			s.End("tired", "")
			for range 1000 {
				s.Record(agent.Turn{Kind: agent.TurnCalls, Usage: used(1, 0)})
			}
			return nil
		}, "failed tired", 0, 1, "after the end, only what was claimed is recorded"},
	}
	seen := map[string]bool{}
	for _, c := range cases {
		reasoned(t, seen, c.name, c.reason)
		t.Run(c.name, func(t *testing.T) {
			ep := play(t, c.agent, c.task)
			if ends(ep) != c.want || ep.Calls() != c.calls || len(ep.Turns) != c.turns {
				t.Errorf("%s (%s), %d calls, %d turns recorded; want %s, %d, %d: %s", ends(ep), ep.End.Detail, ep.Calls(), len(ep.Turns), c.want, c.calls, c.turns, c.reason)
			}
		})
	}
	var spent int64
	ep := play(t, cases[len(cases)-1].agent, task(), func(c *agent.Config) { c.Spent = func(u agent.Usage) { spent += *u.Input } })
	if *ep.Usage.Input != 1000 || spent != 1000 {
		t.Errorf("cost %d, told %d of what was paid for", *ep.Usage.Input, spent)
	}
}

// What a model says comes back in its record, and costs what it is worth and no more. It is never
// the measurement's failure, and ends as the same when it is replayed.
func TestHostileReplies(t *testing.T) {
	huge := strings.Repeat("x", agent.MaxReply+1)
	list := func(n int) string { return string(nested(n)) }
	native := func(name, args string) step {
		return replies(agent.Reply{Calls: []sim.Call{{Name: name, Arguments: json.RawMessage(args)}}})
	}
	flood := make([]sim.Call, 65)
	for i := range flood {
		flood[i] = sim.Call{Name: "add", Arguments: json.RawMessage(`{"n":1}`)}
	}
	cases := []struct {
		name   string
		step   step
		native bool
		want   string // ends, where the protocol is strict
		lax    string // and where it is lenient, after an answer
		reason string
	}{
		{"deep-arguments", says(`{"tool":"wrap","arguments":{"a":` + list(127) + `}}`), false, "failed done", "failed done", "so deep a world may get them"},
		{"deeper-arguments", says(`{"tool":"wrap","arguments":{"a":` + list(196) + `}}`), false, "failed done", "failed done", "deeper they are text, which no tool takes"},
		{"deepest-arguments", says(`{"tool":"wrap","arguments":{"a":` + list(5000) + `}}`), false, "failed invalid_json", "failed done", "the dialect reads so deep, no further"},
		{"deep-result", says(`{"tool":"wrap","arguments":{"times":159}}`), false, "failed done", "failed done", "a result may nest deeper than what an agent says"},
		{"deep-answer", says(`{"answer":` + list(128) + `}`), false, "failed done", "failed done", "so deep it is an answer"},
		{"deeper-answer", says(`{"answer":` + list(129) + `}`), false, "failed too_deep", "failed done", "deeper it is malformed"},
		{"deepest-answer", says(`{"answer":` + list(198) + `}`), false, "failed too_deep", "failed done", "the same"},
		{"native-deep", native("wrap", list(128)), true, "failed done", "failed done", "a native call may nest as deep"},
		{"native-deeper", native("wrap", list(129)), true, "failed done", "failed done", "or is text"},
		{"native-deepest", native("wrap", list(100_000)), true, "failed done", "failed done", "or is text"},
		{"huge-text", says(huge), false, "failed reply_too_large", "failed done", "it is not even read"},
		{"huge-action", says(`{"tool":"` + huge + `"}`), false, "failed reply_too_large", "failed done", "nor is this"},
		{"huge-cut", replies(agent.Reply{Text: huge, DoneReason: agent.DoneLength}), false, "failed reply_too_large", "failed done", "that it was cut says less"},
		{"huge-native-name", native(huge, `{}`), true, "failed reply_too_large", "failed done", "nor are calls"},
		{"huge-native-arguments", native("add", `{"n":"`+huge+`"}`), true, "failed reply_too_large", "failed done", "the same"},
		{"huge-native-text", says(huge), true, "failed reply_too_large", "failed done", "nor a text that would be an answer"},
		{"large-name", says(`{"tool":"` + huge[:1<<17] + `"}`), false, "failed done", "failed done", "a name that is too long names no tool"},
		{"large-key", says(`{"` + huge[:1<<17] + `":1,"` + huge[:1<<17] + `":1}`), false, "failed invalid_json", "failed done", "what is wrong is said in few words"},
		{"many-calls", replies(agent.Reply{Calls: flood[:64]}), true, "failed done", "failed done", "so many calls are made"},
		{"too-many-calls", replies(agent.Reply{Calls: flood}), true, "failed too_many_calls", "failed done", "of more, none is"},
		{"odd-bytes", says("\x00\xff\x1b[2J"), false, "failed invalid_json", "failed done", "nothing of it is lost in the record"},
		{"model-says-too-large", func([]tasks.Message) (agent.Reply, agent.Usage, error) {
			return agent.Reply{Text: "begin"}, agent.Usage{}, tasks.Malformedf(agent.ReplyTooLarge, "9 GB")
		}, false, "failed reply_too_large", "failed done", "a model's adapter may notice it first"},
	}
	seen := map[string]bool{}
	for _, c := range cases {
		reasoned(t, seen, c.name, c.reason)
		t.Run(c.name, func(t *testing.T) {
			for _, lax := range []bool{false, true} {
				want, final := c.want, `{"answer":1}`
				if lax {
					want = c.lax
				}
				edit := func(cfg *agent.Config) {
					if c.native {
						cfg.Protocol = agent.ProtocolTools
					}
				}
				tk := task(func(t *tasks.Task) { t.Protocol.Lenient = lax })
				ep := play(t, loop(c.step, says(final)), tk, edit)
				raw, err := record(ep)
				if err != nil {
					t.Fatal(err)
				}
				if got := ends(ep); got != want {
					t.Errorf("lenient %v: ends %q (%.300s), want %q: %s", lax, got, ep.Reason+ep.End.Detail, want, c.reason)
				}
				if len(raw) > 30<<20 || len(ep.End.Detail) > 5000 {
					t.Errorf("the record has %d bytes, the end's detail %d", len(raw), len(ep.End.Detail))
				}
				var rec agent.Episode
				if err := json.Unmarshal(raw, &rec); err != nil {
					t.Fatal(err)
				}
				again := play(t, agent.Loop{Model: agent.Replay(&rec), Dialect: tasks.PlainDialect{}}, tk, edit)
				if a, b := fmt.Sprint(ends(ep), ep.Score, ep.End, len(ep.Turns)), fmt.Sprint(ends(again), again.Score, again.End, len(again.Turns)); a != b {
					t.Errorf("lenient %v: replayed it is %.300s, recorded %.300s", lax, b, a)
				}
			}
		})
	}
}

// A record holds every result, so that an agent cannot ask for more than it can hold.
func TestResultsHaveABound(t *testing.T) {
	big := sim.Call{Name: "wrap", Arguments: json.RawMessage(`"` + strings.Repeat("x", 1000<<10) + `"`)}
	ep := agent.Play(context.Background(), actor(func(ctx context.Context, s *agent.Session) error {
		s.Next(ctx)
		for {
			if _, err := s.Call(ctx, big); err != nil {
				return err
			}
		}
	}), agent.Config{Kit: new(lab).kit(), Task: task(limits(tasks.Limits{Turns: 500})), Agent: "test"})
	if ep.End.Code != grader.EndAgent || !strings.Contains(ep.End.Detail, "more than 64 MB") || len(ep.Trace) != 66 {
		t.Errorf("%d calls, end %+v", len(ep.Trace), ep.End)
	}
}
