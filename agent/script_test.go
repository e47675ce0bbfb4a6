package agent_test

import (
	"context"
	"encoding/json"
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

func TestScript(t *testing.T) {
	two := json.RawMessage(`{"n":2}`)
	calls := func(c ...sim.Call) tasks.Move { return tasks.Move{Calls: c} }
	add2 := calls(sim.Call{Name: "add", Arguments: two})
	gives := func(answer string) tasks.Move { return tasks.Move{Answer: json.RawMessage(answer)} }
	cases := []struct {
		name     string
		dialect  tasks.Dialect
		protocol string
		moves    []tasks.Move
		want     string
		answer   string
		reason   string
	}{
		{"json", tasks.PlainDialect{}, "json", []tasks.Move{add2, gives(`"ok"`)}, "passed done", `"ok"`, "moves go through the dialect"},
		{"tools", tasks.PlainDialect{}, "tools", []tasks.Move{add2, gives(`"ok"`)}, "passed done", `"ok"`, "calls are native, a string answers as its text"},
		{"tools-number", tasks.PlainDialect{}, "tools", []tasks.Move{add2, gives(`{"b":1,"a":2}`)}, "passed done", `"{\"a\":2,\"b\":1}"`, "any other answer as the text of its JSON"},
		{"tools-dialect", curt{}, "tools", []tasks.Move{add2, gives(`7`)}, "passed done", `7`, "a dialect with words for it uses them"},
		{"tools-two-calls", tasks.PlainDialect{}, "tools", []tasks.Move{calls(sim.Call{Name: "get"}, sim.Call{Name: "add", Arguments: two}), gives(`"x"`)}, "passed done", `"x"`, "native calls come together"},
		{"json-two-calls", tasks.PlainDialect{}, "json", []tasks.Move{calls(sim.Call{Name: "get"}, sim.Call{Name: "get"})}, "broken fixture script", "", "a move that the protocol cannot say is the fixture's"},
		{"tools-both", tasks.PlainDialect{}, "tools", []tasks.Move{{Calls: add2.Calls, Answer: two}}, "broken fixture script", "", "nothing of a move is dropped in silence"},
		{"raw", tasks.PlainDialect{}, "json", []tasks.Move{{Raw: "hm"}}, "failed invalid_json", "", "a reply byte for byte"},
		{"tools-raw", tasks.PlainDialect{}, "tools", []tasks.Move{{Raw: "hm"}}, "failed done", `"hm"`, "the same natively"},
		{"runs-out", tasks.PlainDialect{}, "json", []tasks.Move{add2}, "passed stopped", "", "a script that is over leaves without an answer"},
		{"empty", tasks.PlainDialect{}, "json", nil, "failed stopped", "", "also one of no moves"},
	}
	seen := map[string]bool{}
	for _, c := range cases {
		reasoned(t, seen, c.name, c.reason)
		t.Run(c.name, func(t *testing.T) {
			l := agent.Loop{Model: agent.Script(c.dialect, c.protocol, c.moves), Dialect: c.dialect}
			ep := play(t, l, task(), func(cfg *agent.Config) { cfg.Protocol = c.protocol })
			if got := ends(ep); got != c.want || ep.Outcome != grader.Broken && string(ep.Answers[0]) != c.answer {
				t.Errorf("ends %q (%s), answer %s, want %q, %s: %s", got, ep.Reason, ep.Answers, c.want, c.answer, c.reason)
			}
		})
	}
}

func TestScriptedModelRunsOut(t *testing.T) {
	m := &agent.Scripted{Steps: []step{answer(`1`), answer(`2`)}}
	var wg sync.WaitGroup
	var mu sync.Mutex
	faults := 0
	for range 5 {
		wg.Go(func() {
			if _, _, err := m.Next(context.Background(), nil, nil); err != nil {
				mu.Lock()
				defer mu.Unlock()
				if f := new(agent.Fault); !strings.Contains(err.Error(), "the script has 2 steps") || !asFault(err, &f) || f.Layer != grader.LayerAdapter {
					t.Errorf("%v", err)
				}
				faults++
			}
		})
	}
	wg.Wait()
	if faults != 3 {
		t.Errorf("%d faults of 5 requests to 2 steps", faults)
	}
}

func asFault(err error, f **agent.Fault) (ok bool) { *f, ok = err.(*agent.Fault); return ok }

// A replayed recording ends as it did, and is graded as it was, whatever way it went.
func TestReplay(t *testing.T) {
	tk := func(edit ...func(*tasks.Task)) tasks.Task { return task(edit...) }
	hang := func(r agent.Reply) agent.Agent {
		n := 0
		return agent.Loop{Dialect: tasks.PlainDialect{}, Model: modelFunc(func(ctx context.Context) (agent.Reply, agent.Usage, error) {
			if n++; n == 1 {
				return agent.Reply{Text: `{"tool":"add","arguments":{"n":2}}`}, used(1, 1), nil
			}
			<-ctx.Done()
			return r, agent.Usage{Requests: 1}, ctx.Err()
		})}
	}
	cases := []struct {
		name   string
		task   tasks.Task
		agent  agent.Agent
		tools  bool
		reason string
	}{
		{"passed", tk(), loop(add(2), answer(`{"x":1.50}`)), false, "the plain way"},
		{"failed", tk(), loop(costs(add(1), used(5, 6)), answer(`1`)), false, "usage comes along"},
		{"two-asks", tk(gated), loop(add(2), answer(`1`), add(3), answer(`2`)), false, "over a gate"},
		{"gate-failed", tk(gated), loop(add(1), answer(`1`)), false, "and not over it"},
		{"tools", tk(), loop(replies(agent.Reply{Calls: []sim.Call{{Name: "add", Arguments: json.RawMessage(`{"n":2}`)}}}), says("ok")), true, "native calls"},
		{"bad-arguments", tk(), loop(replies(agent.Reply{Calls: []sim.Call{{Name: "add", Arguments: json.RawMessage(`{"n":2,"n":3}`)}}}), says("ok")), true, "as they were recorded"},
		{"malformed", tk(), loop(add(2), says("well")), false, "the dialect reads it again"},
		{"truncated-reply", tk(), loop(replies(agent.Reply{Text: "{", DoneReason: agent.DoneLength})), false, "with its done reason"},
		{"lenient", tk(lenient), loop(says("well"), add(2), answer(`1`)), false, "repairs too"},
		{"ended", tk(), loop(add(2), errs(agent.End(grader.EndNoDone, "cut"))), false, "a model's own end"},
		{"context", tk(), loop(errs(agent.End(grader.EndContext, "9 of 8"))), false, "a first request that did not fit"},
		{"fault", tk(), loop(add(2), errs(agent.Faultf(grader.LayerProvider, "network_error", "reset"))), false, "faults in their layer"},
		{"turns", tk(limits(tasks.Limits{Turns: 2})), loop(add(1), add(1)), false, "limits end it again"},
		{"tokens", tk(limits(tasks.Limits{Turns: 9, Tokens: 10})), loop(costs(add(2), used(9, 9))), false, "by the recorded counts"},
		{"invalid", tk(limits(tasks.Limits{Turns: 9, InvalidCalls: 1})), loop(tool("x"), tool("y")), false, "by the world's own account"},
		{"wall", tk(wall(time.Second)), hang(agent.Reply{Began: true, Text: "{"}), false, "without waiting again"},
		{"wall-no-byte", tk(wall(time.Second)), hang(agent.Reply{}), false, "or breaks again"},
		{"wall-while-idle", tk(wall(time.Second)), actor(func(ctx context.Context, s *agent.Session) error {
			err := loop(tool("get"), func([]tasks.Message) (agent.Reply, agent.Usage, error) {
				time.Sleep(1500 * time.Millisecond)
				return agent.Reply{Text: `{"tool":"get"}`}, agent.Usage{}, nil
			}).Play(ctx, s)
			return err
		}), false, "the last recorded reply was too late, and the end says so"},
		{"stopped", tk(), loop(add(2), errs(agent.End(grader.EndStopped, ""))), false, "an agent that left"},
		{"tool-fault", tk(), loop(add(2), tool("fault")), false, "a world that breaks breaks again"},
		{"noop", tk(), agent.Noop{}, false, "nothing comes of nothing"},
	}
	seen := map[string]bool{}
	for _, c := range cases {
		reasoned(t, seen, c.name, c.reason)
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				edit := func(cfg *agent.Config) {
					if c.tools {
						cfg.Protocol = agent.ProtocolTools
					}
				}
				ep := play(t, c.agent, c.task, edit)
				raw, err := json.Marshal(ep)
				if err != nil {
					t.Fatal(err)
				}
				for range 2 { // the recording of a replay is as good
					var rec agent.Episode
					if err := json.Unmarshal(raw, &rec); err != nil {
						t.Fatal(err)
					}
					began := time.Now()
					again := play(t, agent.Loop{Model: agent.Replay(&rec), Dialect: tasks.PlainDialect{}}, c.task, edit)
					if ends(again) != ends(ep) || again.Reason != ep.Reason || again.Score != ep.Score || again.Calls() != ep.Calls() || again.Usage.Requests != ep.Usage.Requests {
						t.Errorf("replayed it ends %q (%s) with score %g and %d calls, recorded %q (%s), %g, %d: %s",
							ends(again), again.Reason, again.Score, again.Calls(), ends(ep), ep.Reason, ep.Score, ep.Calls(), c.reason)
					}
					a, _ := json.Marshal(ep.Verdict)
					b, _ := json.Marshal(again.Verdict)
					if string(a) != string(b) {
						t.Errorf("verdict %s, recorded %s", b, a)
					}
					if time.Since(began) != 0 {
						t.Errorf("the replay waited %s", time.Since(began))
					}
					raw, _ = json.Marshal(again)
				}
			})
		})
	}
}

func TestReplayOfWhatCannotBeReplayed(t *testing.T) {
	whole := play(t, loop(add(2), answer(`1`)), task())
	cut := *whole
	cut.Turns = cut.Turns[:1]
	graderBroke := *whole
	graderBroke.Outcome, graderBroke.Layer, graderBroke.Reason = grader.Broken, grader.LayerGrader, "old bug"
	tool := play(t, actor(func(ctx context.Context, s *agent.Session) error {
		s.Next(ctx)
		s.Call(ctx, sim.Call{Name: "get"})
		return nil
	}), task())
	for _, c := range []struct {
		name   string
		ep     *agent.Episode
		want   string
		say    string
		reason string
	}{
		{"cut", &cut, "broken orchestration replay", "after 1 replies", "a truncated recording is found out"},
		{"outside-agent", tool, "broken orchestration replay", "not a model", "calls that no reply made"},
		{"skipped", &agent.Episode{Outcome: grader.Skipped, Reason: "halted"}, "broken orchestration replay", "halted", "an episode that was never played"},
		{"skipped-with-end", &agent.Episode{Outcome: grader.Skipped, Reason: "halted", End: grader.End{Code: "unreached"}}, "broken orchestration replay", "halted", "whatever it says of its end"},
		{"empty", &agent.Episode{}, "broken orchestration replay", "no end", "nothing at all"},
		{"set-up-broke", play(t, loop(), task(defect("new"))), "broken fixture setup", "torn", "what broke before the first reply is broken"},
		{"grader-broke", &graderBroke, "passed done", "", "a grader that has been repaired: this is what regrading is for"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ep := play(t, agent.Loop{Model: agent.Replay(c.ep), Dialect: tasks.PlainDialect{}}, task())
			if got := ends(ep); got != c.want || !strings.Contains(ep.Reason, c.say) {
				t.Errorf("ends %q (%s), want %q (%s): %s", got, ep.Reason, c.want, c.say, c.reason)
			}
		})
	}
}
