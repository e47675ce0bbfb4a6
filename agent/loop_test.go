package agent_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"context"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

func TestHowAnEpisodeEnds(t *testing.T) {
	tokens := func(n int) func(*tasks.Task) {
		return func(t *tasks.Task) { t.Limits.Tokens = n }
	}
	cases := []struct {
		name   string
		task   tasks.Task
		steps  []step
		want   string // ends
		turns  []string
		reason string
	}{
		{"answered", task(), []step{add(2), answer(`"ok"`)}, "passed done", []string{"calls", "answer"}, "the plain way"},
		{"wrong", task(), []step{add(3), answer(`"ok"`)}, "failed done", []string{"calls", "answer"}, "an answer ends the episode whether it is right or not"},
		{"world-done", task(), []step{add(2), tool("finish")}, "passed done", []string{"calls", "calls"}, "the world may say that the ask is finished"},
		{"turns", task(limits(tasks.Limits{Turns: 3})), []step{add(1), add(1), tool("get")}, "passed decision_limit_exceeded", []string{"calls", "calls", "calls"}, "what stands is graded when turns run out"},
		{"turns-failed", task(limits(tasks.Limits{Turns: 1})), []step{add(1)}, "failed decision_limit_exceeded", []string{"calls"}, "and may fail"},
		{"turns-of-ask", task(func(t *tasks.Task) { t.Asks[0].Turns = 2 }), []step{add(1), add(1)}, "passed decision_limit_exceeded", []string{"calls", "calls"}, "an ask may have a limit of its own"},
		{"turns-of-ask-fresh", task(twoAsks, func(t *tasks.Task) { t.Asks[0].Turns, t.Asks[1].Turns = 2, 2 }), []step{add(2), answer(`1`), add(3), answer(`2`)}, "passed done", []string{"calls", "answer", "calls", "answer"}, "and each ask counts from nothing"},
		{"turns-over-asks", task(twoAsks, limits(tasks.Limits{Turns: 3})), []step{add(2), answer(`1`), add(3)}, "passed decision_limit_exceeded", []string{"calls", "answer", "calls"}, "the task's limit is over all asks"},
		{"strict-json", task(), []step{add(2), says("well")}, "passed invalid_json", []string{"calls", "malformed"}, "strict: the first malformed reply ends it, with the dialect's code"},
		{"strict-action", task(), []step{says(`{"do":1}`)}, "failed invalid_action", []string{"malformed"}, "the code is the dialect's"},
		{"lenient", task(lenient), []step{says("well"), add(2), answer(`1`)}, "passed done", []string{"malformed", "calls", "answer"}, "lenient: it is told and goes on"},
		{"lenient-costs", task(lenient, limits(tasks.Limits{Turns: 2})), []step{says("well"), says("hm")}, "failed decision_limit_exceeded", []string{"malformed", "malformed"}, "each malformed reply costs a turn"},
		{"length-malformed", task(), []step{replies(agent.Reply{Text: `{"tool":`, DoneReason: agent.DoneLength})}, "failed output_truncated", []string{"malformed"}, "it was not the agent's grammar but its length"},
		{"length-valid", task(), []step{add(2), replies(agent.Reply{Text: `{"answer":1}`, DoneReason: agent.DoneLength})}, "passed done", []string{"calls", "answer"}, "what can be read is read"},
		{"length-lenient", task(lenient), []step{replies(agent.Reply{Text: `{"to`, DoneReason: agent.DoneLength}), add(2), answer(`1`)}, "passed done", []string{"malformed", "calls", "answer"}, "a lenient protocol forgives a cut reply as well"},
		{"no-done", task(), []step{add(2), errs(agent.End(grader.EndNoDone, "cut"))}, "passed no_done", []string{"calls", "ended"}, "a stream without an end is the model's own"},
		{"model-stops", task(), []step{errs(agent.End("", ""))}, "failed stopped", []string{"ended"}, "an end without a code is a stop"},
		{"model-says-done", task(), []step{errs(agent.End(grader.EndDone, ""))}, "failed stopped", []string{"ended"}, "done is for the session to say"},
		{"model-says-broken", task(), []step{errs(agent.End("broken", ""))}, "failed stopped", []string{"ended"}, "no agent breaks an episode by a word"},
		{"context-first", task(), []step{errs(agent.End(grader.EndContext, "9 of 8"))}, "broken context context_exceeded", []string{"fault"}, "the ask itself does not fit: the measurement's"},
		{"context-later", task(), []step{add(2), errs(agent.End(grader.EndContext, "9 of 8"))}, "passed context_exceeded", []string{"calls", "ended"}, "what it read does not fit: the agent's"},
		{"context-second-ask", task(twoAsks), []step{add(2), answer(`1`), errs(agent.End(grader.EndContext, ""))}, "broken context context_exceeded", []string{"calls", "answer", "fault"}, "the first request of every ask"},
		{"context-after-repair", task(lenient), []step{says("well"), errs(agent.End(grader.EndContext, ""))}, "failed context_exceeded", []string{"malformed", "ended"}, "a repair is not a first request"},
		{"invalid-survived", task(limits(tasks.Limits{Turns: 9, InvalidCalls: 2})), []step{tool("x"), tool("y"), add(2), answer(`1`)}, "passed done", []string{"calls", "calls", "calls", "answer"}, "the budget's number is survived"},
		{"invalid-over", task(limits(tasks.Limits{Turns: 9, InvalidCalls: 1})), []step{tool("x"), tool("y")}, "failed invalid_call_limit_exceeded", []string{"calls", "calls"}, "one more is not"},
		{"invalid-unlimited", task(limits(tasks.Limits{Turns: 9})), []step{tool("x"), tool("y"), tool("z"), add(2), answer(`1`)}, "passed done", []string{"calls", "calls", "calls", "calls", "answer"}, "no budget, no end"},
		{"tokens", task(tokens(100)), []step{costs(add(2), used(90, 11)), add(1)}, "failed token_limit_exceeded", []string{"calls"}, "calls of the reply that goes over are not performed"},
		{"tokens-exactly", task(tokens(101)), []step{costs(add(2), used(90, 11)), answer(`1`)}, "passed done", []string{"calls", "answer"}, "the whole budget may be spent"},
		{"tokens-answer", task(tokens(100)), []step{costs(add(2), used(50, 1)), costs(answer(`1`), used(90, 1))}, "passed done", []string{"calls", "answer"}, "an answer that is there counts"},
		{"tokens-next-ask", task(twoAsks, tokens(100)), []step{add(2), costs(answer(`1`), used(200, 1)), add(3)}, "failed token_limit_exceeded", []string{"calls", "answer"}, "but nothing more is asked for"},
		{"tokens-malformed", task(lenient, tokens(100)), []step{costs(says("well"), used(200, 1))}, "failed token_limit_exceeded", []string{"malformed"}, "a malformed reply is paid for"},
		{"tokens-fault", task(tokens(100)), []step{costs(errs(agent.Faultf(grader.LayerProvider, "network_error", "reset")), used(200, 1))}, "broken provider network_error", []string{"fault"}, "a fault is no spent budget"},
		{"tokens-unknown", task(tokens(100)), []step{costs(add(2), agent.Usage{Requests: 1}), costs(answer(`1`), agent.Usage{Requests: 1})}, "passed done", []string{"calls", "answer"}, "what nobody counts ends nothing"},
		{"tokens-partly-unknown", task(tokens(100)), []step{costs(add(2), used(60, 1)), costs(add(1), agent.Usage{Requests: 1}), costs(add(1), used(60, 1))}, "failed token_limit_exceeded", []string{"calls", "calls", "calls"}, "an unknown count does not hide the known ones"},
		{"fault", task(), []step{add(2), errs(agent.Faultf(grader.LayerProvider, "network_error", "reset"))}, "broken provider network_error", []string{"calls", "fault"}, "a fault breaks in its layer"},
		{"fault-wrapped", task(), []step{errs(fmt.Errorf("model: %w", agent.Faultf(grader.LayerProvider, "http_status", "500")))}, "broken provider http_status", []string{"fault"}, "however deep it sits"},
		{"strange-error", task(), []step{errs(errors.New("hm"))}, "broken adapter error", []string{"fault"}, "an error without a meaning is the adapter's"},
		{"out-of-script", task(), []step{add(2)}, "broken adapter script", []string{"calls", "fault"}, "no test passes by accident"},
		{"nothing-fits", task(func(t *tasks.Task) { t.Asks = nil }), nil, "failed stopped", nil, "a task that asks nothing ends at once"},
	}
	seen := map[string]bool{}
	for _, c := range cases {
		reasoned(t, seen, c.name, c.reason)
		t.Run(c.name, func(t *testing.T) {
			ep := play(t, loop(c.steps...), c.task)
			if got := ends(ep); got != c.want {
				t.Errorf("ends %q (%s), want %q: %s", got, ep.Reason, c.want, c.reason)
			}
			var kinds []string
			for _, turn := range ep.Turns {
				kinds = append(kinds, turn.Kind)
			}
			if !slices.Equal(kinds, c.turns) {
				t.Errorf("turns %v, want %v: %s", kinds, c.turns, c.reason)
			}
		})
	}
}

func TestBudgetBases(t *testing.T) {
	u := used(90, 20)
	u.Cached = agent.Tokens(80)
	blind := used(90, 20)
	for _, c := range []struct {
		name   string
		basis  agent.Basis
		usage  agent.Usage
		want   string
		reason string
	}{
		{"uncached", agent.Uncached, u, "passed done", "30 of 100: cached input is not counted"},
		{"zero-value", "", u, "passed done", "uncached is what a run counts unless told otherwise"},
		{"total", agent.Total, u, "failed token_limit_exceeded", "110 of 100"},
		{"cached-unknown", agent.Uncached, blind, "failed token_limit_exceeded", "with cached input unknown all input counts"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tk := task(limits(tasks.Limits{Turns: 5, Tokens: 100}))
			ep := play(t, loop(costs(add(2), c.usage), answer(`1`)), tk, func(c2 *agent.Config) { c2.Basis = c.basis })
			if got := ends(ep); got != c.want {
				t.Errorf("ends %q, want %q: %s", got, c.want, c.reason)
			}
		})
	}
}

func TestTimeLimit(t *testing.T) {
	wait := func(r agent.Reply) agent.Loop {
		n := 0
		return agent.Loop{Dialect: tasks.PlainDialect{}, Model: modelFunc(func(ctx context.Context) (agent.Reply, agent.Usage, error) {
			if n++; n == 1 {
				return agent.Reply{Text: `{"tool":"add","arguments":{"n":2}}`}, agent.Usage{}, nil
			}
			<-ctx.Done()
			return r, agent.Usage{}, ctx.Err()
		})}
	}
	wrapped := agent.Loop{Dialect: tasks.PlainDialect{}, Model: modelFunc(func(ctx context.Context) (agent.Reply, agent.Usage, error) {
		<-ctx.Done()
		return agent.Reply{Began: true, Text: "{"}, agent.Usage{}, fmt.Errorf("read: %w", ctx.Err())
	})}
	late := agent.Loop{Dialect: tasks.PlainDialect{}, Model: modelFunc(func(ctx context.Context) (agent.Reply, agent.Usage, error) {
		time.Sleep(30500 * time.Millisecond)
		return agent.Reply{Text: `{"answer":1}`, Began: true}, used(5, 5), nil
	})}
	for _, c := range []struct {
		name   string
		agent  agent.Agent
		want   string
		events int
		reason string
	}{
		{"no-byte", wait(agent.Reply{}), "broken provider deadline_exceeded", 1, "nothing had come: the provider's"},
		{"began", wait(agent.Reply{Began: true, Text: `{"to`}), "passed deadline_exceeded", 1, "it was in the middle of a reply: the agent's; what stands is graded"},
		{"wrapped", wrapped, "failed deadline_exceeded", 0, "the context's error may be wrapped"},
		{"late-reply", late, "failed deadline_exceeded", 0, "an answer after the time is none"},
		{"tool", loop(add(2), tool("wait"), answer(`1`)), "failed deadline_exceeded", 2, "the agent chose a call that takes so long; no request is made for which there is no time"},
		{"tool-breaks", loop(add(2), tool("interrupted")), "passed deadline_exceeded", 2, "a tool that breaks because its time ends is not a fault of the world"},
		{"tool-sleeps", loop(add(2), tool("nap"), answer(`1`)), "passed done", 2, "there was time"},
		{"next-too-late", actor(func(ctx context.Context, s *agent.Session) error {
			time.Sleep(30500 * time.Millisecond)
			_, _, err := s.Next(ctx)
			return err
		}), "failed deadline_exceeded", 0, "no ask is put after the time"},
		{"turn-too-late", actor(func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			time.Sleep(30500 * time.Millisecond)
			return s.Turn()
		}), "failed deadline_exceeded", 0, "nor a turn given"},
		{"background", actor(func(_ context.Context, s *agent.Session) error {
			s.Next(context.Background())
			s.Call(context.Background(), sim.Call{Name: "wait"})
			_, err := s.Call(context.Background(), sim.Call{Name: "get"})
			return err
		}), "failed deadline_exceeded", 1, "an agent cannot give a call more time than there is"},
		{"swallowed", actor(func(ctx context.Context, s *agent.Session) error { s.Next(ctx); <-ctx.Done(); return nil }), "failed deadline_exceeded", 0, "returning nothing does not hide it"},
		{"own-words", actor(func(ctx context.Context, s *agent.Session) error { <-ctx.Done(); return errors.New("bye") }), "failed deadline_exceeded", 0, "nor does an error of its own"},
		{"answered-in-time", actor(func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			s.Call(ctx, sim.Call{Name: "add", Arguments: json.RawMessage(`{"n":2}`)})
			s.Answer(json.RawMessage(`1`))
			<-ctx.Done()
			return nil
		}), "passed done", 1, "what was answered in time is answered"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				ep := play(t, c.agent, task(wall(30*time.Second)))
				if got := ends(ep); got != c.want {
					t.Errorf("ends %q (%s), want %q: %s", got, ep.Reason, c.want, c.reason)
				}
				if ep.Calls() != c.events {
					t.Errorf("%d events, want %d: %s", ep.Calls(), c.events, c.reason)
				}
				if d := time.Since(began); d > 31*time.Second || ep.Wall != d {
					t.Errorf("took %s, recorded %s", d, ep.Wall)
				}
			})
		})
	}
}

// A late reply has been paid for, and is recorded though nothing comes of it.
func TestLateTurnIsRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var spent agent.Usage
		ep := play(t, agent.Loop{Dialect: tasks.PlainDialect{}, Model: modelFunc(func(context.Context) (agent.Reply, agent.Usage, error) {
			time.Sleep(2 * time.Second)
			return agent.Reply{Text: `{"answer":1}`}, used(5, 5), nil
		})}, task(wall(time.Second)), func(c *agent.Config) {
			c.Grace = 5 * time.Second
			c.Spent = func(u agent.Usage) { spent = spent.Add(u) }
		})
		if len(ep.Turns) != 1 || ep.Usage.Requests != 1 || spent.Requests != 1 || ep.Answers[0] != nil {
			t.Errorf("turns %d, usage %+v, told %+v, answers %s", len(ep.Turns), ep.Usage, spent, ep.Answers)
		}
	})
}

func TestConversation(t *testing.T) {
	ep := play(t, loop(says("well"), add(2), answer(`"ok"`)), task(lenient))
	var got []string
	for _, m := range ep.Messages {
		text, _, _ := strings.Cut(m.Content, "\n")
		got = append(got, m.Role+": "+text)
	}
	want := []string{
		"system: Keep the books.", "user: Add two.", "assistant: well",
		`user: {"detail":"the reply is not one JSON object: invalid character 'w' looking for beginning of value","error":"invalid_json"}`,
		`assistant: {"tool":"add","arguments":{"n":2}}`, `user: {"tool":"add","result":3}`, `assistant: {"answer":"ok"}`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("conversation\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The model is shown exactly what is recorded.
func TestModelSeesTheConversation(t *testing.T) {
	var sizes []int
	watch := func(s step) step {
		return func(c []tasks.Message) (agent.Reply, agent.Usage, error) { sizes = append(sizes, len(c)); return s(c) }
	}
	play(t, loop(watch(add(2)), watch(answer(`1`)), watch(add(3)), watch(answer(`2`))), task(twoAsks))
	if want := []int{2, 4, 6, 8}; !slices.Equal(sizes, want) { // system+ask, +reply+result, +answer+ask, …
		t.Errorf("conversation grows %v, want %v", sizes, want)
	}
}

func TestToolsProtocol(t *testing.T) {
	call := func(name, args string) step {
		return replies(agent.Reply{Calls: []sim.Call{{Name: name, Arguments: json.RawMessage(args)}}})
	}
	two := replies(agent.Reply{Calls: []sim.Call{{Name: "add", Arguments: json.RawMessage(`{"n":1}`)}, {Name: "add", Arguments: json.RawMessage(`{"n":1}`)}}})
	for _, c := range []struct {
		name   string
		steps  []step
		lax    bool
		want   string
		answer string
		calls  int
		reason string
	}{
		{"plain", []step{call("add", `{"n":2}`), says("all done")}, false, "passed done", `"all done"`, 1, "the text of a reply without calls is the answer, as a string"},
		{"two-at-once", []step{two, says("x")}, false, "passed done", `"x"`, 2, "all calls of a reply are performed, for one turn"},
		{"done-stops", []step{replies(agent.Reply{Calls: []sim.Call{{Name: "add", Arguments: json.RawMessage(`{"n":2}`)}, {Name: "finish"}, {Name: "add", Arguments: json.RawMessage(`{"n":9}`)}}})}, false, "passed done", "", 2, "what follows the world's word is not performed"},
		{"empty", []step{says("")}, false, "failed invalid_action", "", 0, "neither calls nor text is malformed"},
		{"empty-cut", []step{replies(agent.Reply{DoneReason: agent.DoneLength})}, false, "failed output_truncated", "", 0, "all of the output may go into thinking"},
		{"empty-lenient", []step{says(""), call("add", `{"n":2}`), says("x")}, true, "passed done", `"x"`, 1, "and is told so"},
		{"bad-arguments", []step{call("add", `{"n":`), call("add", `{"n":1,"n":2}`), call("add", `{"n":2}`), says("x")}, false, "passed done", `"x"`, 3, "arguments that are no sound JSON are the agent's mistake and can be recorded"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ep := play(t, loop(c.steps...), task(func(t *tasks.Task) { t.Protocol.Lenient = c.lax }), inTools)
			if got := ends(ep); got != c.want || string(ep.Answers[0]) != c.answer || ep.Calls() != c.calls {
				t.Errorf("%q, answer %s, %d calls (%s), want %q, %s, %d: %s", got, ep.Answers[0], ep.Calls(), ep.Reason, c.want, c.answer, c.calls, c.reason)
			}
			for _, m := range ep.Messages {
				if strings.Contains(m.Content, "JSON object") || m.Role == tasks.RoleTool && m.Tool == "" {
					t.Errorf("message %+v speaks of the other protocol", m)
				}
			}
			raw, err := json.Marshal(ep)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := sim.ParseJSON(raw); err != nil {
				t.Errorf("the record cannot be read back: %v", err)
			}
		})
	}
}

// Without words of its own a dialect opens natively with the task's text alone.
func TestNativeOpening(t *testing.T) {
	l := loop(says("x"), says("y"))
	tk := task(twoAsks, func(t *tasks.Task) { t.Protocol.ShowLimits = true; t.Asks[0].Context = json.RawMessage(`{"day":1}`) })
	ep := play(t, l, tk, inTools)
	var got []string
	for _, m := range ep.Messages {
		got = append(got, m.Role+": "+m.Content)
	}
	want := []string{"system: Keep the books.\n\nYou have 10 replies.", "user: Add two.\n\n{\"day\":1}", "assistant: x", "user: Add three.", "assistant: y"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A lenient task in the tools protocol of a dialect with words of its own repairs by them.
func TestOwnToolsDialect(t *testing.T) {
	l := agent.Loop{Dialect: curt{}, Model: &agent.Scripted{Steps: []step{says("?"), says("=3")}}}
	ep := play(t, l, task(lenient), inTools)
	if got := ends(ep); got != "failed done" || string(ep.Answers[0]) != "3" {
		t.Fatalf("%s, %s", got, ep.Answers[0])
	}
	if m := ep.Messages[2]; m.Content != "say =N" {
		t.Errorf("repaired by %q", m.Content)
	}
	if m := ep.Messages[0]; m.Content != "natively: Add two." {
		t.Errorf("opened by %q", m.Content)
	}
}

// curt is a small strict dialect: "+N" adds, "=N" answers, "+N=N" does both.
type curt struct{}

func (curt) Open(env tasks.Envelope, ask int, _ []sim.Tool) ([]tasks.Message, error) {
	return []tasks.Message{{Role: tasks.RoleUser, Content: env.Asks[ask].Text}}, nil
}
func (curt) OpenTools(env tasks.Envelope, ask int, _ []sim.Tool) ([]tasks.Message, error) {
	return []tasks.Message{{Role: tasks.RoleUser, Content: "natively: " + env.Asks[ask].Text}}, nil
}
func (curt) Format(tasks.Envelope, []sim.Tool) json.RawMessage { return nil }
func (curt) Parse(_ tasks.Envelope, reply string) (tasks.Action, error) {
	adds, ans, final := strings.Cut(reply, "=")
	var a tasks.Action
	if n, ok := strings.CutPrefix(adds, "+"); ok {
		a.Calls = []sim.Call{{Name: "add", Arguments: json.RawMessage(`{"n":` + n + `}`)}}
	} else if adds != "" {
		return a, tasks.Malformedf("gibberish", "%q", reply)
	}
	if final {
		a.Answer, a.Ignored = json.RawMessage(ans), []string{"tail"}
	}
	return a, nil
}
func (d curt) ParseText(env tasks.Envelope, reply string) (tasks.Action, error) {
	return d.Parse(env, reply)
}
func (curt) Reply(m tasks.Move) (string, error) {
	if m.Answer != nil {
		return "=" + string(m.Answer), nil
	}
	if len(m.Calls) != 1 {
		return "", errors.New("one call")
	}
	var a struct{ N int }
	err := json.Unmarshal(m.Calls[0].Arguments, &a)
	return fmt.Sprintf("+%d", a.N), err
}
func (curt) Result(_ sim.Call, r sim.Result) (tasks.Message, error) {
	if r.Invalid {
		return tasks.Message{}, errors.New("no words for it")
	}
	return tasks.Message{Role: tasks.RoleUser, Content: string(r.Data)}, nil
}
func (curt) Repair(*tasks.Malformed) tasks.Message {
	return tasks.Message{Role: tasks.RoleUser, Content: "say =N"}
}

func TestOwnDialect(t *testing.T) {
	run := func(steps ...step) *agent.Episode {
		return play(t, agent.Loop{Dialect: curt{}, Model: &agent.Scripted{Steps: steps}}, task())
	}
	if ep := run(says("+2=7")); ends(ep) != "passed done" || string(ep.Answers[0]) != "7" || ep.Turns[0].Kind != agent.TurnAnswer || !slices.Equal(ep.Ignored, []string{"tail"}) {
		t.Errorf("calls and an answer in one reply: %s, %s, %v", ends(ep), ep.Answers[0], ep.Ignored)
	}
	if ep := run(says("mumble")); ends(ep) != "failed gibberish" || ep.Turns[0].Code != "gibberish" {
		t.Errorf("the dialect's own code: %s", ends(ep))
	}
	if ep := run(says("+x")); ends(ep) != "broken adapter dialect" {
		t.Errorf("a dialect that cannot word a result is the adapter's: %s", ends(ep))
	}
}

func TestWorldsOpeningFails(t *testing.T) {
	ep := play(t, agent.Loop{Dialect: mute{}, Model: &agent.Scripted{}}, task())
	if got := ends(ep); got != "broken adapter dialect" {
		t.Error(got)
	}
	ep = play(t, agent.Loop{Dialect: mute{}, Model: &agent.Scripted{}}, task(), inTools)
	if got := ends(ep); got != "broken adapter script" { // mute opens natively like any plain dialect
		t.Error(got)
	}
}

// mute is a dialect that cannot open an ask, and whose Parse breaks its contract.
type mute struct{ tasks.PlainDialect }

func (mute) Open(tasks.Envelope, int, []sim.Tool) ([]tasks.Message, error) {
	return nil, errors.New("no words")
}

// rude parses with an error that is not a *Malformed.
type rude struct{ tasks.PlainDialect }

func (rude) Parse(tasks.Envelope, string) (tasks.Action, error) {
	return tasks.Action{}, errors.New("oops")
}

func TestParseThatBreaksItsContract(t *testing.T) {
	ep := play(t, agent.Loop{Dialect: rude{}, Model: &agent.Scripted{Steps: []step{says("x")}}}, task())
	if got := ends(ep); got != "broken adapter dialect" {
		t.Error(got)
	}
}
