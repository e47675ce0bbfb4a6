package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

func TestWhoBrokeIt(t *testing.T) {
	good := actor(func(ctx context.Context, s *agent.Session) error { return loop(add(2), answer(`1`)).Play(ctx, s) })
	call := func(name string) agent.Agent { return loop(tool(name)) }
	cases := []struct {
		name   string
		task   tasks.Task
		agent  agent.Agent
		want   string
		say    string // in the reason
		reason string
	}{
		{"setup", task(func(t *tasks.Task) { t.Setup = json.RawMessage(`[]`) }), good, "broken fixture setup", "world ledger", "a setup that cannot be used"},
		{"new", task(defect("new")), good, "broken fixture setup", "torn", "a world that cannot be made"},
		{"new-panics", task(defect("new panics")), good, "broken fixture setup", "panic: no paper", "nor does its panic get out"},
		{"new-gives-nothing", task(defect("new gives nothing")), good, "broken fixture setup", "made none", "a nil world"},
		{"tools-panics", task(defect("tools panics")), good, "broken tool_runtime state", "no tools", "a made world that breaks"},
		{"first-state", task(defect("state")), good, "broken tool_runtime state", "torn", "the initial state is evidence"},
		{"begin", task(defect("begin")), good, "broken tool_runtime begin", "ask 1", "beginning is the world's"},
		{"begin-panics", task(defect("begin panics")), good, "broken tool_runtime begin", "no ask", "and so is its panic, not the agent's"},
		{"begin-second", task(twoAsks, defect("begin 2")), loop(add(2), answer(`1`)), "broken tool_runtime begin", "ask 2", "which ask it was is said"},
		{"fault", task(), call("fault"), "broken tool_runtime fault", "a page is missing", "a world may say that it broke"},
		{"call-panics", task(), call("panic"), "broken tool_runtime fault", "ink", "a world that panics broke its contract"},
		{"call-goexit", task(), call("goexit"), "broken tool_runtime goexit", "a tool call ended", "or that ends the agent's goroutine"},
		{"state", task(defect("state later")), good, "broken tool_runtime state", "after ask 1", "what cannot be read cannot be graded"},
		{"state-panics", task(defect("state panics later")), good, "broken tool_runtime state", "no state", "the same"},
		{"state-after-limit", task(defect("state later"), limits(tasks.Limits{Turns: 1})), loop(add(2)), "broken tool_runtime state", "torn", "an end does not hide it"},
		{"state-between", task(twoAsks, defect("state later")), good, "broken tool_runtime state", "after ask 1", "the state between asks is evidence too"},
		{"close", task(defect("close")), good, "passed done", "", "what closing says changes nothing that was measured"},
		{"close-panics", task(defect("close panics")), good, "passed done", "", "not even by a panic"},
		{"agent-panics", task(), actor(func(context.Context, *agent.Session) error { panic("boo") }), "failed agent_error", "", "to panic is no way out of the rate"},
		{"agent-error", task(), actor(func(context.Context, *agent.Session) error { return errors.New("hm") }), "failed agent_error", "", "nor is an error without a meaning"},
		{"agent-fault", task(), actor(func(context.Context, *agent.Session) error {
			return fmt.Errorf("x: %w", agent.Faultf(grader.LayerAccounting, "lost", "bill"))
		}), "broken accounting lost", "bill", "a fault names its layer"},
		{"agent-goexit", task(), actor(func(context.Context, *agent.Session) error { runtime.Goexit(); return nil }), "failed agent_error", "", "nor to end the goroutine, as t.FailNow does; it must not hang the run"},
		{"call-first", task(), actor(func(ctx context.Context, s *agent.Session) error {
			_, err := s.Call(ctx, sim.Call{Name: "get"})
			return err
		}), "failed agent_error", "", "nor to act before there is an ask"},
		{"answer-first", task(), actor(func(_ context.Context, s *agent.Session) error { return s.Answer(json.RawMessage(`1`)) }), "failed agent_error", "", "the same"},
		{"turn-first", task(), actor(func(_ context.Context, s *agent.Session) error { return s.Turn() }), "failed agent_error", "", "the same"},
		{"record-first", task(), actor(func(_ context.Context, s *agent.Session) error { return s.Record(agent.Turn{}) }), "failed agent_error", "", "the same"},
		{"swallowed-misuse", task(), actor(func(_ context.Context, s *agent.Session) error { s.Turn(); return nil }), "failed agent_error", "", "an agent cannot hide what the session found"},
		{"bad-answer", task(), actor(func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			return s.Answer(json.RawMessage(`{`))
		}), "failed agent_error", "", "an answer is JSON"},
		{"deep-answer", task(), actor(func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			return s.Answer(nested(sim.MaxAgentDepth + 1))
		}), "failed agent_error", "", "that a record can hold"},
		{"huge-answer", task(), actor(func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			return s.Answer(sim.MustCanonical(strings.Repeat("x", agent.MaxReply)))
		}), "failed agent_error", "", "and does"},
		{"panics-when-answered", task(), actor(func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			s.Call(ctx, sim.Call{Name: "add", Arguments: json.RawMessage(`{"n":2}`)})
			s.Answer(json.RawMessage(`1`))
			panic("boo")
		}), "passed agent_error", "", "what stands is graded all the same"},
		{"nil-fault", task(), actor(func(context.Context, *agent.Session) error { return (*agent.Fault)(nil) }), "failed agent_error", "", "no fault is none"},
		{"nil-end", task(), actor(func(context.Context, *agent.Session) error { return (*agent.Ended)(nil) }), "failed agent_error", "", "the same"},
		{"error-panics", task(), actor(func(context.Context, *agent.Session) error { return trap{} }), "failed agent_error", "", "an error that panics when it is asked for its text"},
		{"fault-of-a-trap", task(), actor(func(context.Context, *agent.Session) error {
			return &agent.Fault{Layer: grader.LayerProvider, Code: "x", Err: trap{}}
		}), "broken provider x", "PANIC", "also inside a fault"},
		{"fault-of-nothing", task(), actor(func(context.Context, *agent.Session) error { return &agent.Fault{} }), "broken adapter", "nil", "a fault has a layer that there is"},
		{"fault-of-no-layer", task(), actor(func(context.Context, *agent.Session) error { return agent.Faultf("moon", "x", "y") }), "broken adapter x", "y", "the same"},
		{"own-context", task(), actor(func(ctx context.Context, s *agent.Session) error {
			own, cancel := context.WithCancel(ctx)
			cancel()
			_, _, err := s.Next(own)
			return err
		}), "failed agent_error", "", "an agent cannot be interrupted by itself"},
		{"end-unreached", task(), actor(func(ctx context.Context, s *agent.Session) error { s.Next(ctx); return s.End(grader.EndUnreached, "") }), "failed stopped", "", "an episode that is played was reached"},
		{"end-gate", task(), actor(func(ctx context.Context, s *agent.Session) error { s.Next(ctx); return s.End(grader.EndGate, "") }), "failed stopped", "", "gates are not for the agent to speak of"},
		{"rewritten-fault", task(), actor(func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			_, err := s.Call(ctx, sim.Call{Name: "fault"})
			*err.(*agent.Fault) = agent.Fault{Layer: grader.LayerProvider}
			return err
		}), "broken tool_runtime fault", "a page is missing", "what the agent is told it may not word"},
		{"data-not-json", task(), loop(says(`{"tool":"say","arguments":{"data":"{"}}`)), "broken tool_runtime fault", `tool "say": the data of its result`, "a result that no record can hold"},
		{"data-twice", task(), loop(says(`{"tool":"say","arguments":{"data":"{\"a\":1,\"b\":2,\"a\":1}"}}`)), "broken tool_runtime fault", "a key twice", "or no reader reads"},
		{"data-too-deep", task(), loop(says(`{"tool":"wrap","arguments":{"times":170}}`)), "broken tool_runtime fault", "nested deeper than 160", "the same"},
		{"arguments-not-json", task(), loop(says(`{"tool":"say","arguments":{"data":"1","arguments":"nope"}}`)), "broken tool_runtime fault", "the arguments of its result", "graders read these"},
		{"facts-not-json", task(), loop(says(`{"tool":"say","arguments":{"data":"1","facts":"nope"}}`)), "broken tool_runtime fault", "the facts of its result", "graders read these too"},
		{"state-not-json", task(defect("state is text later")), good, "broken tool_runtime state", "the state is not JSON", "nor can such a state be kept"},
		{"state-too-deep", task(defect("state is deep later")), good, "broken tool_runtime state", "nested deeper than 160", "the same"},
		{"first-state-not-json", task(defect("state is text")), good, "broken tool_runtime state", "not JSON", "the same"},
		{"model-panics", task(), agent.Loop{Dialect: tasks.PlainDialect{}, Model: modelFunc(func(context.Context) (agent.Reply, agent.Usage, error) { panic("boo") })}, "broken adapter panic", "boo", "a model is an adapter"},
		{"no-model", task(), agent.Loop{Dialect: tasks.PlainDialect{}}, "broken adapter panic", "nil pointer", "the same"},
		{"model-goexit", task(), agent.Loop{Dialect: tasks.PlainDialect{}, Model: modelFunc(func(context.Context) (agent.Reply, agent.Usage, error) {
			runtime.Goexit()
			return agent.Reply{}, agent.Usage{}, nil
		})}, "broken adapter goexit", "", "the same"},
		{"dialect-panics", task(), agent.Loop{Dialect: brittle{}, Model: &agent.Scripted{Steps: []step{says("x")}}}, "broken adapter dialect", "panic: brittle", "so is a dialect, which reads whatever comes"},
		{"noop", task(), agent.Noop{}, "failed stopped", "", "doing nothing is an agent's right"},
		{"early", task(), actor(func(ctx context.Context, s *agent.Session) error { s.Next(ctx); return nil }), "failed stopped", "", "so is leaving"},
		{"early-of-two", task(twoAsks), actor(func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			return s.Answer(json.RawMessage(`1`))
		}), "failed stopped", "", "one of two answers is not done"},
		{"unanswered-first", task(twoAsks), actor(func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			s.Next(ctx)
			s.Answer(json.RawMessage(`1`))
			_, _, err := s.Next(ctx)
			return err
		}), "failed stopped", "", "done means that every ask was"},
		{"unanswered-first-leaves", task(twoAsks), actor(func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			s.Next(ctx)
			return s.Answer(json.RawMessage(`1`))
		}), "failed stopped", "", "the same without a word of goodbye"},
		{"answered-leaves", task(), actor(func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			return s.Answer(json.RawMessage(`1`))
		}), "failed done", "", "who has answered may just go"},
		{"end-own-word", task(), actor(func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			return s.End("gave_up", "too hard")
		}), "failed gave_up", "", "an agent may give a reason of its own"},
		{"end-claims-done", task(), actor(func(ctx context.Context, s *agent.Session) error { s.Next(ctx); return s.End(grader.EndDone, "") }), "failed stopped", "", "done is not for the agent to say"},
		{"end-is-done", task(), actor(func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			s.Answer(json.RawMessage(`1`))
			return s.End(grader.EndDone, "")
		}), "failed done", "", "unless it is so"},
		{"returns-an-end", task(), actor(func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			return fmt.Errorf("agent: %w", agent.End("gave_up", "too hard"))
		}), "failed gave_up", "", "also by what it returns"},
		{"fault-after-end", task(limits(tasks.Limits{Turns: 1})), actor(func(ctx context.Context, s *agent.Session) error {
			s.Next(ctx)
			s.Turn()
			if err := s.Turn(); err != nil {
				panic(err)
			}
			return nil
		}), "failed decision_limit_exceeded", "", "an agent cannot get out of the rate by breaking after its end"},
		{"unknown-protocol", task(), good, "broken adapter protocol", "", "the protocol is one of two"},
	}
	seen := map[string]bool{}
	for _, c := range cases {
		reasoned(t, seen, c.name, c.reason)
		t.Run(c.name, func(t *testing.T) {
			ep, l := playIn(t, context.Background(), c.agent, c.task, func(cfg *agent.Config) {
				if c.name == "unknown-protocol" {
					cfg.Protocol = "smoke"
				}
			})
			if got := ends(ep); got != c.want || !strings.Contains(ep.Reason, c.say) {
				t.Errorf("ends %q (%s), want %q (%s): %s", got, ep.Reason, c.want, c.say, c.reason)
			}
			if made := !strings.Contains(c.name, "new") && c.name != "setup" && c.name != "unknown-protocol"; made && l.closed.Load() != 1 {
				t.Errorf("the world was closed %d times", l.closed.Load())
			}
		})
	}
	if ep := agent.Play(context.Background(), good, agent.Config{Task: task()}); ends(ep) != "broken fixture setup" {
		t.Errorf("without a kit: %s", ends(ep))
	}
}

// A trap is an error that panics when it is looked at.
type trap struct{}

func (trap) Error() string { panic("trap") }

// brittle is a dialect that cannot take what it reads.
type brittle struct{ tasks.PlainDialect }

func (brittle) Parse(tasks.Envelope, string) (tasks.Action, error) { panic("brittle") }

// What the agent ignores cannot hold up the run, and a stray goroutine finds the episode over.
func TestStuck(t *testing.T) {
	type stray struct {
		s    *agent.Session
		over error
	}
	cases := []struct {
		name   string
		task   tasks.Task
		agent  func(l *lab, st *stray) agent.Agent
		want   string
		within time.Duration
		reason string
	}{
		{"agent", task(wall(time.Second)), func(l *lab, st *stray) agent.Agent {
			return actor(func(ctx context.Context, s *agent.Session) error { s.Next(ctx); st.s = s; <-l.hang; return nil })
		}, "failed deadline_exceeded", 2 * time.Second, "it ignores that its time is up: its own doing"},
		{"model", task(wall(time.Second)), func(l *lab, st *stray) agent.Agent {
			return actor(func(ctx context.Context, s *agent.Session) error {
				st.s = s
				return agent.Loop{Dialect: tasks.PlainDialect{}, Model: modelFunc(func(context.Context) (agent.Reply, agent.Usage, error) {
					<-l.hang
					return agent.Reply{}, agent.Usage{}, nil
				})}.Play(ctx, s)
			})
		}, "broken adapter stuck", 2 * time.Second, "it is the model's adapter that ignores it"},
		{"agent-after-its-end", task(limits(tasks.Limits{Turns: 1})), func(l *lab, st *stray) agent.Agent {
			return actor(func(ctx context.Context, s *agent.Session) error {
				s.Next(ctx)
				s.Turn()
				s.Turn()
				st.s = s
				<-l.hang
				return nil
			})
		}, "failed decision_limit_exceeded", time.Second, "its episode was over, and is graded, without any limit of time"},
		{"call", task(wall(time.Second)), func(l *lab, st *stray) agent.Agent {
			return actor(func(ctx context.Context, s *agent.Session) error {
				s.Next(ctx)
				st.s = s
				_, st.over = s.Call(ctx, sim.Call{Name: "hang"})
				return st.over
			})
		}, "broken tool_runtime stuck", 2 * time.Second, "it is the tool that ignores its context"},
		{"call-after-its-end", task(limits(tasks.Limits{Turns: 1})), func(l *lab, st *stray) agent.Agent {
			return actor(func(ctx context.Context, s *agent.Session) error {
				s.Next(ctx)
				st.s = s
				go s.Call(ctx, sim.Call{Name: "hang"})
				time.Sleep(time.Millisecond)
				s.Turn()
				return s.Turn()
			})
		}, "broken tool_runtime stuck", time.Second + time.Millisecond, "the state cannot be read while a call goes on"},
		{"state", task(defect("state hangs later")), func(l *lab, st *stray) agent.Agent {
			return actor(func(ctx context.Context, s *agent.Session) error {
				s.Next(ctx)
				st.s = s
				return s.Answer(json.RawMessage(`1`))
			})
		}, "broken tool_runtime stuck", time.Second, "a state that never comes"},
		{"state-between", task(twoAsks, wall(time.Second), defect("state hangs later")), func(l *lab, st *stray) agent.Agent {
			return actor(func(ctx context.Context, s *agent.Session) error {
				st.s = s
				s.Next(ctx)
				_, _, st.over = s.Next(ctx)
				return st.over
			})
		}, "broken tool_runtime stuck", 2 * time.Second, "also between two asks"},
		{"gate", task(gated, wall(time.Second)), func(l *lab, st *stray) agent.Agent {
			return actor(func(ctx context.Context, s *agent.Session) error {
				st.s = s
				s.Next(ctx)
				_, _, st.over = s.Next(ctx)
				return st.over
			})
		}, "broken grader stuck", 2 * time.Second, "a check that never answers is the grader's"},
		{"close", task(defect("close hangs")), func(l *lab, st *stray) agent.Agent {
			return actor(func(ctx context.Context, s *agent.Session) error {
				st.s = s
				s.Next(ctx)
				s.Call(ctx, sim.Call{Name: "add", Arguments: json.RawMessage(`{"n":2}`)})
				return s.Answer(json.RawMessage(`1`))
			})
		}, "passed done", time.Second, "all had been read by then"},
	}
	seen := map[string]bool{}
	for _, c := range cases {
		reasoned(t, seen, c.name, c.reason)
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l, st := &lab{hang: make(chan struct{})}, &stray{}
				if c.name == "gate" {
					c.task.Rubric.Checks[0].Rule.(*rule).f = func(grader.Evidence) ([]grader.Finding, error) { <-l.hang; return nil, nil }
				}
				began := time.Now()
				ep := agent.Play(context.Background(), c.agent(l, st), agent.Config{Kit: l.kit(), Task: c.task, Grace: time.Second})
				took := time.Since(began)
				before, _ := json.Marshal(ep)
				if c.name != "gate" {
					grade(ep, c.task)
					before, _ = json.Marshal(ep)
				}
				if got := ends(ep); got != c.want || took != c.within {
					t.Errorf("ends %q (%s) after %s, want %q after %s: %s", got, ep.Reason, took, c.want, c.within, c.reason)
				}
				close(l.hang) // the stray goroutine comes back
				synctest.Wait()
				s, ctx := st.s, context.Background()
				over := s.Turn()
				_, _, next := s.Next(ctx)
				_, call := s.Call(ctx, sim.Call{Name: "add", Arguments: json.RawMessage(`{"n":5}`)})
				s.Say(tasks.Message{Content: "still here"})
				for _, err := range []error{over, next, call, s.Answer(json.RawMessage(`1`)), s.End("x", ""), s.Record(agent.Turn{})} {
					if err == nil || err != over {
						t.Errorf("afterwards %v, want %v each time", err, over)
					}
				}
				if st.over != nil && st.over != over {
					t.Errorf("the call that came back says %v, want %v", st.over, over)
				}
				if after, _ := json.Marshal(ep); string(after) != string(before) {
					t.Errorf("the finished episode was written to:\n%s\n%s", before, after)
				}
				if n := l.closed.Load(); n != 1 {
					t.Errorf("the world was closed %d times", n)
				}
			})
		})
	}
}

// A world that is never made does not hold up a run that is over; when it comes after all it
// is closed.
func TestWorldComesTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &lab{hang: make(chan struct{})}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		ep := agent.Play(ctx, agent.Noop{}, agent.Config{Kit: l.kit(), Task: task(defect("new hangs")), Grace: time.Second})
		if got := ends(ep); got != "broken orchestration interrupted" {
			t.Error(got)
		}
		close(l.hang)
		synctest.Wait()
		if l.closed.Load() != 1 {
			t.Error("the late world is still open")
		}
	})
}

func TestCancelled(t *testing.T) {
	why := errors.New("the user went home")
	stuck := agent.Loop{Dialect: tasks.PlainDialect{}, Model: modelFunc(func(ctx context.Context) (agent.Reply, agent.Usage, error) {
		<-ctx.Done()
		return agent.Reply{Began: true}, agent.Usage{}, ctx.Err()
	})}
	for _, c := range []struct {
		name   string
		task   tasks.Task
		agent  agent.Agent
		reason string
	}{
		{"model", task(), stuck, "also in the middle of a reply"},
		{"model-with-limit", task(wall(time.Hour)), stuck, "a limit of its own does not make it the agent's"},
		{"tool", task(), loop(tool("wait"), answer(`1`)), "the next request is not made"},
		{"tool-breaks", task(), loop(tool("interrupted")), "a tool that breaks because of it is no fault of the world"},
		{"world", task(defect("new waits")), stuck, "nor of the fixture"},
		{"agent", task(), actor(func(ctx context.Context, s *agent.Session) error { <-ctx.Done(); return ctx.Err() }), "an agent may say so itself"},
		{"quiet-agent", task(), actor(func(ctx context.Context, s *agent.Session) error { <-ctx.Done(); return nil }), "or not"},
		{"gate", task(gated, func(t *tasks.Task) { t.Rubric.Checks[0] = slow(0) }), loop(add(2), answer(`1`)), "a check that breaks because of it is no fault of the grader"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(context.Background())
				defer cancel(nil)
				time.AfterFunc(time.Second, func() { cancel(why) })
				ep, _ := playIn(t, ctx, c.agent, c.task)
				if got := ends(ep); got != "broken orchestration interrupted" || ep.Reason != why.Error() {
					t.Errorf("ends %q (%s): %s", got, ep.Reason, c.reason)
				}
				if n := len(ep.Turns); strings.HasPrefix(c.name, "model") && (n != 1 || ep.Turns[0].Kind != agent.TurnFault || ep.Turns[0].Layer != grader.LayerOrchestration) {
					t.Errorf("turns %+v", ep.Turns)
				}
			})
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if ep, _ := playIn(t, ctx, loop(add(2), answer(`1`)), task()); ends(ep) != "broken orchestration interrupted" {
		t.Errorf("cancelled before it began: %s", ends(ep))
	}
}

type slowRule struct{}

func (slowRule) Name() string    { return "ledger.slow" }
func (slowRule) Codes() []string { return []string{"slow"} }
func (slowRule) Grade(ctx context.Context, _ grader.Evidence) ([]grader.Finding, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func slow(ask int) grader.Check { return grader.Check{Ask: ask, Rule: slowRule{}} }

// A Session is safe for parallel use: calls are performed one at a time, and all are recorded.
func TestParallelUse(t *testing.T) {
	const n = 40
	a := actor(func(ctx context.Context, s *agent.Session) error {
		if _, _, err := s.Next(ctx); err != nil {
			return err
		}
		var wg sync.WaitGroup
		for range n {
			wg.Go(func() {
				s.Turn()
				s.Call(ctx, sim.Call{Name: "add", Arguments: json.RawMessage(`{"n":1}`)})
				s.Record(agent.Turn{Kind: agent.TurnCalls, Usage: used(1, 1)})
				s.Say(tasks.Message{Role: tasks.RoleUser})
				s.Answer(json.RawMessage(`1`))
				s.Envelope()
				s.Tools()
				s.Protocol()
			})
		}
		wg.Wait()
		_, _, err := s.Next(ctx)
		return err
	})
	ep := play(t, a, task(limits(tasks.Limits{Turns: 1000}), func(t *tasks.Task) { t.Rubric.Checks = []grader.Check{stands(0, 1+n)} }))
	if ends(ep) != "passed done" || ep.Calls() != n || len(ep.Turns) != n || len(ep.Messages) != n || *ep.Usage.Input != n {
		t.Errorf("%s (%s): %d calls, %d turns, %d messages", ends(ep), ep.Reason, ep.Calls(), len(ep.Turns), len(ep.Messages))
	}
}

// Goroutines that an agent leaves behind are cut off: the state that is graded is read when the
// last call has ended, and nothing is called after that.
func TestStrayCallsOfAReturnedAgent(t *testing.T) {
	var wg sync.WaitGroup
	a := actor(func(ctx context.Context, s *agent.Session) error {
		s.Next(ctx)
		for range 8 {
			wg.Go(func() {
				for s.Turn() == nil {
					if _, err := s.Call(context.Background(), sim.Call{Name: "add", Arguments: json.RawMessage(`{"n":1}`)}); err != nil {
						return
					}
				}
			})
		}
		return s.Answer(json.RawMessage(`1`))
	})
	ep := play(t, a, task(limits(tasks.Limits{Turns: 1 << 30})))
	raw, _ := json.Marshal(ep)
	wg.Wait()
	if want := fmt.Sprintf(`{"n":%d}`, 1+ep.Calls()); string(ep.States[0]) != want {
		t.Errorf("%d calls left %s", ep.Calls(), ep.States[0])
	}
	if again, _ := json.Marshal(ep); string(again) != string(raw) {
		t.Error("the finished episode was written to")
	}
}

// An agent's own context bounds its waiting for the world, and no call.
func TestOwnContext(t *testing.T) {
	own, cancel := context.WithCancel(context.Background())
	cancel()
	a := actor(func(ctx context.Context, s *agent.Session) error {
		s.Next(ctx)
		if _, err := s.Call(own, sim.Call{Name: "get"}); !errors.Is(err, context.Canceled) {
			return fmt.Errorf("a call with an ended context: %v", err)
		}
		if _, _, err := s.Next(own); !errors.Is(err, context.Canceled) {
			return fmt.Errorf("next with an ended context: %v", err)
		}
		return s.Answer(json.RawMessage(`1`))
	})
	ep, l := playIn(t, context.Background(), a, task())
	if ends(ep) != "failed done" || l.calls.Load() != 0 || ep.Calls() != 0 {
		t.Errorf("%s (%s), %d calls", ends(ep), ep.Reason, l.calls.Load())
	}
}

// Whatever an agent does to what it was given, task and record stay as they were.
func TestAgentCannotWriteToTheTask(t *testing.T) {
	tk := task(gated, func(t *tasks.Task) { t.Asks[0].Context = json.RawMessage(`{"a":1}`) })
	a := actor(func(ctx context.Context, s *agent.Session) error {
		env, tools := s.Envelope(), s.Tools()
		env.Asks[0].Gated, env.Asks[0].Text, env.Asks[0].Context[0] = false, "x", 'x'
		env.Tools[0], tools[0].Name = "x", "x"
		s.Next(ctx)
		_, _, err := s.Next(ctx)
		return err
	})
	ep := play(t, a, tk)
	if ends(ep) != "failed gate_failed" {
		t.Errorf("the gate was taken down: %s", ends(ep))
	}
	if !slices.EqualFunc(ep.Envelope.Asks, tk.Envelope().Asks, func(a, b tasks.Ask) bool { return fmt.Sprint(a) == fmt.Sprint(b) }) || ep.Envelope.Tools[0] != "add" || tk.Tools[0] != "add" {
		t.Errorf("written to: %+v", ep.Envelope)
	}
}

func TestRecordOfAnEpisode(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	tk := task(func(t *tasks.Task) { t.Seed = 7 })
	ep := play(t, loop(add(2), answer(`{"b":1.0,"a":[]}`)), tk, func(c *agent.Config) {
		c.Trial, c.Seed = 3, 5
		c.Now = func() time.Time { now = now.Add(time.Second); return now }
	})
	if ep.Schema != agent.Schema || ep.Key() != "books__ledger__add__t3" || ep.Seed != 12 || ep.Trial != 3 || ep.Protocol != "json" || ep.TaskDigest != tk.Digest() {
		t.Errorf("%+v", ep)
	}
	if !ep.Started.Equal(time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC)) || ep.Turns[0].Duration != time.Second || ep.Wall != 5*time.Second {
		t.Errorf("started %s, wall %s, turn %s", ep.Started, ep.Wall, ep.Turns[0].Duration)
	}
	if string(ep.Answers[0]) != `{"a":[],"b":1.0}` || string(ep.Initial) != `{"n":1}` || string(ep.States[0]) != `{"n":3}` {
		t.Errorf("answer %s, states %s, %s", ep.Answers[0], ep.Initial, ep.States)
	}
	if e := ep.Trace[0]; e.Ask != 0 || e.Turn != 1 || e.Call.Name != "add" || !e.Result.OK() {
		t.Errorf("event %+v", e)
	}
	if ep := play(t, agent.Noop{}, tk, func(c *agent.Config) { c.Digest = "known"; c.Trial = 0 }); ep.TaskDigest != "known" || ep.Trial != 1 {
		t.Errorf("digest %s, trial %d", ep.TaskDigest, ep.Trial)
	}
}
