package wiki

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/wiki"
	"benchwright/tasks"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with -update", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (- wanted, + found):\n%s", path, diff)
	}
}

// TestFirstMessages holds what puts each stage, word for word, in both protocols.
func TestFirstMessages(t *testing.T) {
	var b strings.Builder
	for _, name := range []string{"three_gates", "whole_wiki"} {
		tk := task(t, name)
		w, err := world.Kind.New(t.Context(), sim.Env{}, tk.Setup, tk.Tools)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		for ask := range tk.Asks {
			for _, p := range []struct {
				name string
				open func(tasks.Envelope, int, []sim.Tool) ([]tasks.Message, error)
			}{{"json", Dialect{}.Open}, {"tools", Dialect{}.OpenTools}} {
				messages, err := p.open(tk.Envelope(), ask, w.Tools())
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range messages {
					b.WriteString("=== " + name + ", ask " + string(rune('1'+ask)) + ", " + p.name + ", " + m.Role + "\n" + m.Content + "\n")
				}
				last := messages[len(messages)-1].Content
				for _, must := range []string{world.SourceRoot, world.WikiRoot, world.SkillsRoot, "Left for this stage: ", "budget tokens", "Stage "} {
					if !strings.Contains(last, must) {
						t.Errorf("%s, ask %d, %s: the message that puts the stage lacks %q", name, ask+1, p.name, must)
					}
				}
			}
		}
	}
	golden(t, "opening.golden", b.String())
}

func TestReplies(t *testing.T) {
	for _, c := range []struct {
		name, reply, call, code string
		reason                  string
	}{
		{"call", `{"tool":"list_dir","arguments":{"path":"/source"}}`, `list_dir {"path":"/source"}`, "", "the form that is asked for"},
		{"bare", `{"tool":"get_status"}`, `get_status {}`, "", "no arguments are none"},
		{"answer", `{"answer":{"symbols":[]}}`, "", CodeNoCall, "finish takes the answer"},
		{"words", "I will list the folder.", "", tasks.InvalidJSON, "words are no call"},
		{"two", `{"tool":"get_status"} {"tool":"finish"}`, "", tasks.InvalidJSON, "one call a reply"},
		{"twice", `{"tool":"get_status","tool":"finish"}`, "", tasks.InvalidJSON, "which of them?"},
		{"name", `{"tool":7,"arguments":{}}`, "", tasks.InvalidAction, "a name is a text"},
		{"empty", "", "", tasks.InvalidJSON, "nothing is no call"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, parse := range []func(tasks.Envelope, string) (tasks.Action, error){Dialect{}.Parse, Dialect{}.ParseText} {
				a, err := parse(tasks.Envelope{}, c.reply)
				var bad *tasks.Malformed
				switch {
				case c.code != "" && !errors.As(err, &bad):
					t.Errorf("%+v, want %s: %s", a, c.code, c.reason)
				case c.code != "" && bad.Code != c.code && bad.Code != CodeNoCall:
					t.Errorf("%s, want %s: %s", bad, c.code, c.reason)
				case c.code == "" && (err != nil || len(a.Calls) != 1 || a.Calls[0].Name+" "+string(a.Calls[0].Arguments) != c.call):
					t.Errorf("%+v %v, want %s: %s", a, err, c.call, c.reason)
				}
			}
		})
	}
}

// Words cost a turn and no call; a model that has nothing else to say runs out of them and has failed.
func TestWordsCostATurn(t *testing.T) {
	tk := task(t, "three_gates")
	for _, protocol := range []string{agent.ProtocolJSON, agent.ProtocolTools} {
		n := 0
		chatty := modelFunc(func(context.Context, []tasks.Message) (agent.Reply, agent.Usage, error) {
			n++
			return agent.Reply{Text: "Let me think."}, agent.Usage{}, nil
		})
		ep := play(t, tk, loop(chatty), func(c *agent.Config) { c.Protocol = protocol })
		if ep.Outcome != grader.Failed || ep.End.Code != grader.EndTurns || n != tk.Asks[0].Turns || len(ep.Trace) != 0 {
			t.Errorf("%s: %s by %s after %d replies", protocol, ep.Outcome, ep.End, n)
		}
		if g := qualify(t, tk, ep); g.Attribution.Layer != "model" {
			t.Errorf("%s: %+v", protocol, g.Attribution)
		}
	}
}
