package mcp_test

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"benchwright/agent"
	"benchwright/agent/mcp"
	"benchwright/features"
	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

func TestReferencesPassThroughMCP(t *testing.T) {
	k, all := workspaceTasks(t)
	if len(all) < 10 {
		t.Fatalf("%d tasks", len(all))
	}
	for _, task := range all {
		ep := within(t, task, k, mcp.Options{}, func(ctx context.Context, c *sdk.ClientSession) { follow(ctx, t, c, task) })
		if graded(ep, task, k); ep.Outcome != grader.Passed || !ep.End.Finished() || ep.Protocol != agent.ProtocolTools {
			t.Errorf("%s: %s, %v, %+v", task.ID, ep.Outcome, ep.Verdict.Codes(), ep.End)
		}
		idle := within(t, task, k, mcp.Options{}, func(context.Context, *sdk.ClientSession) {})
		if graded(idle, task, k); idle.Outcome != grader.Failed {
			t.Errorf("%s: doing nothing is %s", task.ID, idle.Outcome)
		}
	}
}

func TestNativeReadingLeavesTheSameTrace(t *testing.T) {
	k, all := workspaceTasks(t)
	const uri, name = "openbb://workspace/specs/layout-grid", "workspace_tool_usage"
	var texts [2]string
	native := within(t, all[0], k, mcp.Options{Native: true}, func(ctx context.Context, c *sdk.ClientSession) {
		r, err := c.ReadResource(ctx, &sdk.ReadResourceParams{URI: uri})
		if err != nil || len(r.Contents) != 1 || r.Contents[0].URI != uri || r.Contents[0].MIMEType != "text/markdown" {
			t.Fatalf("%+v %v", r, err)
		}
		texts[0] = r.Contents[0].Text
		p, err := c.GetPrompt(ctx, &sdk.GetPromptParams{Name: name})
		if err != nil || len(p.Messages) != 2 || p.Description == "" {
			t.Errorf("%+v %v", p, err)
		}
		if _, err := c.ReadResource(ctx, &sdk.ReadResourceParams{URI: "openbb://none"}); err == nil || !strings.Contains(err.Error(), "Unknown workspace resource URI") {
			t.Errorf("an unknown resource: %v", err)
		}
	})
	tools := within(t, all[0], k, mcp.Options{}, func(ctx context.Context, c *sdk.ClientSession) {
		texts[1], _ = call(ctx, t, c, "read_workspace_resource", map[string]string{"uri": uri})
		call(ctx, t, c, "get_workspace_prompt", map[string]string{"name": name})
		call(ctx, t, c, "read_workspace_resource", map[string]string{"uri": "openbb://none"})
	})
	if len(native.Trace) != 3 || !reflect.DeepEqual(native.Trace, tools.Trace) {
		t.Errorf("native %+v\ntools %+v", native.Trace, tools.Trace)
	}
	var envelope struct{ Data struct{ Text string } }
	if json.Unmarshal([]byte(texts[1]), &envelope) != nil || texts[0] == "" || envelope.Data.Text != texts[0] {
		t.Errorf("read natively %q, by the tool %q", texts[0], texts[1])
	}
}

func TestWhatIsListed(t *testing.T) {
	k, all := workspaceTasks(t)
	all = slices.DeleteFunc(all, func(t tasks.Task) bool { return len(t.Asks) > 1 || !strings.Contains(string(t.ID), "placing") })
	scoped := all[0]
	scoped.Tools = []string{"create_widget", "read_workspace_resource"}
	bare := all[0]
	bare.Tools = []string{"create_widget"}
	plain := tallyTask("Add.")
	for _, c := range []struct {
		name                      string
		task                      tasks.Task
		kit                       *tasks.Kit
		native                    bool
		tools, resources, prompts int
		reason                    string
	}{
		{"all", all[0], k, false, 20, 16, 3, "the tools that read are tools too, for harnesses that read nothing"},
		{"native", all[0], k, true, 18, 16, 3, "the product has eighteen"},
		{"scoped", scoped, k, false, 2, 16, 1, "documents are in scope with the tool that reads them"},
		{"bare", bare, k, false, 1, 0, 1, "and out of it without"},
		{"tally", plain, &kit, false, 4, 1, 1, "a dialect that takes words gets a tool for them; a prompt without its tool is none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			within(t, c.task, c.kit, mcp.Options{Native: c.native}, func(ctx context.Context, s *sdk.ClientSession) {
				var tools, prompts []string
				resources := 0
				for tool, err := range s.Tools(ctx, nil) {
					if err != nil {
						t.Fatal(err)
					}
					tools = append(tools, tool.Name)
				}
				for p, err := range s.Prompts(ctx, nil) {
					if err != nil {
						t.Fatal(err)
					}
					prompts = append(prompts, p.Name)
				}
				if s.InitializeResult().Capabilities.Resources != nil {
					for _, err := range s.Resources(ctx, nil) {
						if err != nil {
							t.Fatal(err)
						}
						resources++
					}
				}
				if len(tools) != c.tools || resources != c.resources || len(prompts) != c.prompts {
					t.Errorf("%q, %d resources, %q; want %d, %d, %d: %s", tools, resources, prompts, c.tools, c.resources, c.prompts, c.reason)
				}
			})
		})
	}
}

func TestNothingSealedIsServed(t *testing.T) {
	k, all := workspaceTasks(t)
	for _, task := range append(all, tallyTask("Add seven.")) {
		of := k
		if task.World == "tally" {
			of = &kit
		}
		within(t, task, of, mcp.Options{}, func(ctx context.Context, c *sdk.ClientSession) {
			p, err := c.GetPrompt(ctx, &sdk.GetPromptParams{Name: mcp.TaskPrompt})
			if err != nil {
				t.Fatal(err)
			}
			told := p.Messages[0].Content.(*sdk.TextContent).Text
			init := c.InitializeResult()
			if told != init.Instructions || !strings.Contains(told, strings.SplitN(task.Asks[0].Text, "\n", 2)[0]) {
				t.Errorf("%s: told %q, instructions %q", task.ID, told, init.Instructions)
			}
			all, _ := json.Marshal(init)
			text := told + string(all)
			for tool, err := range c.Tools(ctx, nil) {
				if err != nil {
					t.Fatal(err)
				}
				raw, _ := json.Marshal(tool)
				text += string(raw)
			}
			for _, secret := range append([]string{string(task.ID), task.ID.Name(), task.ID.Suite(), "level:", "secretfamily"}, task.Rubric.Planted...) {
				if strings.Contains(text, secret) {
					t.Errorf("%s: %q is told", task.ID, secret)
				}
			}
		})
	}
}

func TestSeveralAsks(t *testing.T) {
	ep := within(t, tallyTask("Add one.", "Add two."), &kit, mcp.Options{}, func(ctx context.Context, c *sdk.ClientSession) {
		first := c.InitializeResult().Instructions
		if !strings.Contains(first, "Add one.") || strings.Contains(first, "Add two.") || !strings.Contains(first, agent.NextAsk) {
			t.Errorf("told at first: %q", first)
		}
		if text, bad := call(ctx, t, c, agent.NextAsk, nil); !bad || !strings.Contains(text, "final answer") {
			t.Errorf("the next ask before an answer: %q", text)
		}
		call(ctx, t, c, "add", map[string]int{"n": 1})
		call(ctx, t, c, agent.FinalAnswer, map[string]string{"text": "1"})
		if text, bad := call(ctx, t, c, "add", map[string]int{"n": 9}); !bad || !strings.Contains(text, agent.NextAsk) {
			t.Errorf("a call between two asks: %q", text)
		}
		if text, bad := call(ctx, t, c, agent.NextAsk, nil); bad || !strings.Contains(text, "Add two.") {
			t.Errorf("the second ask: %q", text)
		}
		call(ctx, t, c, "add", map[string]int{"n": 2})
		if text, bad := call(ctx, t, c, agent.FinalAnswer, map[string]string{"text": "3"}); bad {
			t.Errorf("the last answer: %q", text)
		}
		if text, bad := call(ctx, t, c, "add", map[string]int{"n": 9}); !bad || !strings.Contains(text, "over") {
			t.Errorf("a call after the end: %q", text)
		}
	})
	expect(t, ep, grader.EndDone, 2)
	if string(ep.States[0]) != "1" || string(ep.States[1]) != "3" || ep.Trace[1].Ask != 1 || len(ep.Answers) != 2 {
		t.Errorf("states %s, answers %s, trace %+v", ep.States, ep.Answers, ep.Trace)
	}
}

func TestAnswersAreReadByTheDialect(t *testing.T) {
	suite := wealthTask(t)
	for _, c := range []struct {
		name, text, end string
		reason          string
	}{
		{"a decision", `{"outcome":"answered","claims":{},"evidence_ids":[]}`, grader.EndDone, "the answer is the object, not its text"},
		{"no JSON", "42", "invalid_decision", "a strict protocol ends with the first reply that is none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ep := within(t, suite.task, suite.kit, mcp.Options{}, func(ctx context.Context, s *sdk.ClientSession) {
				call(ctx, t, s, agent.FinalAnswer, map[string]string{"text": c.text})
			})
			expect(t, ep, c.end, 0)
			if c.end == grader.EndDone && !strings.HasPrefix(string(ep.Answers[0]), `{"claims"`) {
				t.Errorf("answer %s: %s", ep.Answers[0], c.reason)
			}
		})
	}
	ep := within(t, tallyTask("Add."), &kit, mcp.Options{}, func(ctx context.Context, c *sdk.ClientSession) {
		if text, bad := call(ctx, t, c, agent.FinalAnswer, map[string]string{"txt": "?"}); !bad {
			t.Errorf("an answer without a text: %q", text)
		}
		call(ctx, t, c, agent.FinalAnswer, map[string]any{"text": map[string]int{"sum": 1}})
	})
	expect(t, ep, grader.EndDone, 0)
}

func TestLeavingWithoutAnAnswer(t *testing.T) {
	ep := within(t, tallyTask("Add."), &kit, mcp.Options{}, func(ctx context.Context, c *sdk.ClientSession) { call(ctx, t, c, "add", map[string]int{"n": 1}) })
	expect(t, ep, grader.EndStopped, 1)
}

func TestBudgets(t *testing.T) {
	task := tallyTask("Add.")
	task.Limits = tasks.Limits{Turns: 3, InvalidCalls: 1}
	ep := within(t, task, &kit, mcp.Options{}, func(ctx context.Context, c *sdk.ClientSession) {
		for i := range 5 {
			if text, bad := call(ctx, t, c, "add", map[string]int{"n": 1}); bad != (i > 2) || bad && !strings.Contains(text, "over") {
				t.Errorf("call %d: %q", i+1, text)
			}
		}
	})
	expect(t, ep, grader.EndTurns, 3)
	ep = within(t, task, &kit, mcp.Options{}, func(ctx context.Context, c *sdk.ClientSession) {
		for range 3 {
			call(ctx, t, c, "nonsense", nil)
		}
	})
	expect(t, ep, grader.EndInvalid, 2)
}

func TestAWorldThatBreaksIsBroken(t *testing.T) {
	ep := within(t, tallyTask("Add."), &kit, mcp.Options{}, func(ctx context.Context, c *sdk.ClientSession) {
		if text, bad := call(ctx, t, c, "tear", nil); !bad || strings.Contains(text, "torn") {
			t.Errorf("told %q", text)
		}
	})
	if ep.Outcome != grader.Broken || ep.Layer != grader.LayerToolRuntime {
		t.Errorf("%s %s %s", ep.Outcome, ep.Layer, ep.Reason)
	}
}

func TestAWorldThatCannotBeOfferedIsBroken(t *testing.T) {
	bad := kit
	bad.Kind.New = func(context.Context, sim.Env, json.RawMessage, []string) (sim.World, error) {
		return &tally{uri: "page:\x1b"}, nil
	}
	_, there := sdk.NewInMemoryTransports()
	ep := play(t.Context(), &mcp.Stream{Transport: there, Dialect: kit.Speaks()}, tallyTask("Add."), &bad)
	if ep.Outcome != grader.Broken || ep.Layer != grader.LayerFixture {
		t.Errorf("%s %s %s %+v", ep.Outcome, ep.Layer, ep.Reason, ep.End)
	}
}

func TestParallelCallsAreSerialised(t *testing.T) {
	ep := within(t, tallyTask("Add."), &kit, mcp.Options{}, func(ctx context.Context, c *sdk.ClientSession) {
		var wg sync.WaitGroup
		for range 40 {
			wg.Go(func() {
				if text, bad := call(ctx, t, c, "add", map[string]int{"n": 1}); bad {
					t.Error(text)
				}
			})
		}
		wg.Wait()
		call(ctx, t, c, agent.FinalAnswer, map[string]string{"text": "40"})
	})
	expect(t, ep, grader.EndDone, 40)
	for i, e := range ep.Trace {
		if e.Turn != i+1 {
			t.Errorf("call %d has turn %d", i, e.Turn)
		}
	}
}

func TestBreachesOfSchemasAreReported(t *testing.T) {
	var told []mcp.Breach
	ep := within(t, tallyTask("Add."), &kit, mcp.Options{Report: func(b []mcp.Breach) { told = b }}, func(ctx context.Context, c *sdk.ClientSession) {
		r, err := c.CallTool(ctx, &sdk.CallToolParams{Name: "add", Arguments: map[string]any{"n": 1, "m\x1b": 2}})
		if err != nil || r.IsError || r.Meta["benchwright/schema"] == nil {
			t.Errorf("%+v %v", r, err)
		}
		call(ctx, t, c, "add", map[string]string{"n": "one"})
		call(ctx, t, c, "add", nil)
		if r, err := c.CallTool(ctx, &sdk.CallToolParams{Name: "add", Arguments: map[string]any{"n": 1}}); err != nil || r.Meta["benchwright/schema"] != nil {
			t.Errorf("a sound call is reported: %+v %v", r, err)
		}
	})
	expect(t, ep, grader.EndStopped, 4)
	if len(told) != 3 || told[0].Tool != "add" || !strings.Contains(told[0].Problem, "additional") || slices.ContainsFunc(told, func(b mcp.Breach) bool { return strings.ContainsRune(b.Problem, 0x1b) }) {
		t.Errorf("%q", told)
	}
}

// wealthTask is a task of a strict dialect whose answers are objects.
func wealthTask(t *testing.T) (out struct {
	kit  *tasks.Kit
	task tasks.Task
}) {
	t.Helper()
	suite := features.Suite()
	compiled, err := tasks.Compile(suite)
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range compiled.Tasks {
		if task.World == "wealth" {
			out.kit, out.task = suite.Kit(task.World), task
			return out
		}
	}
	t.Fatal("there is no such task")
	return out
}

var _ sim.Documented = (*tally)(nil)
