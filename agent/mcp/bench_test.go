package mcp_test

import (
	"context"
	"encoding/json"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"benchwright/agent"
	"benchwright/agent/mcp"
	"benchwright/sim"
	"benchwright/tasks"
)

// BenchmarkCall is one get_widget_data of the workspace: in the process, and over MCP.
func BenchmarkCall(b *testing.B) {
	k, all := workspaceTasks(b)
	task := all[0]
	task.Limits = tasks.Limits{Turns: 1 << 30}
	task.Asks = []tasks.Ask{{Text: "Look.", Context: task.Asks[0].Context}}
	args := json.RawMessage(`{"origin":"Desk Mini","widget_id":"cash_level"}`)
	b.Run("session", func(b *testing.B) {
		play(b.Context(), acting(func(ctx context.Context, s *agent.Session) error {
			if _, _, err := s.Next(ctx); err != nil {
				return err
			}
			for b.Loop() {
				if r, err := s.Call(ctx, sim.Call{Name: "get_widget_data", Arguments: args}); err != nil || !r.OK() {
					b.Fatal(err, string(r.Data))
				}
			}
			return nil
		}), task, k)
	})
	over := func(ctx context.Context, b *testing.B, c *sdk.ClientSession) {
		for b.Loop() {
			if text, bad := call(ctx, b, c, "get_widget_data", args); bad {
				b.Fatal(text)
			}
		}
	}
	b.Run("memory", func(b *testing.B) {
		within(b, task, k, mcp.Options{}, func(ctx context.Context, c *sdk.ClientSession) { over(ctx, b, c) })
	})
	b.Run("http", func(b *testing.B) {
		h := hub(b, false, mcp.Options{})
		done := make(chan *agent.Episode, 1)
		go func() { done <- play(b.Context(), h.Agent(k.Speaks()), task, k) }()
		c := at(b.Context(), b, take(b, h).URL)
		over(b.Context(), b, c)
		c.Close()
		<-done
	})
}

// BenchmarkEpisode is an episode of no calls: what serving one costs beside its calls.
func BenchmarkEpisode(b *testing.B) {
	k, all := workspaceTasks(b)
	for b.Loop() {
		within(b, all[0], k, mcp.Options{}, func(context.Context, *sdk.ClientSession) {})
	}
}

type acting func(context.Context, *agent.Session) error

func (a acting) Play(ctx context.Context, s *agent.Session) error { return a(ctx, s) }
