package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// oneTurn returns n different tasks that a script solves in one turn.
func oneTurn(n int) []tasks.Task {
	all := make([]tasks.Task, n)
	for i := range all {
		all[i] = task(func(t *tasks.Task) {
			t.ID = tasks.ID(fmt.Sprintf("books/ledger/finish_%d", i))
			t.Setup = json.RawMessage(fmt.Sprintf(`{"start":%d}`, i))
			t.Rubric = tasks.Rubric{
				Checks:    []grader.Check{stands(0, i)},
				Reference: []tasks.Move{{Calls: []sim.Call{{Name: "finish"}}}},
			}
		})
	}
	return all
}

func scripted(t tasks.Task) agent.Agent {
	return agent.Loop{Model: agent.Script(tasks.PlainDialect{}, agent.ProtocolJSON, t.Rubric.Reference), Dialect: tasks.PlainDialect{}}
}

func BenchmarkEpisode(b *testing.B) {
	kit, t := new(lab).kit(), oneTurn(1)[0]
	for _, c := range []struct {
		name   string
		digest tasks.Digest
	}{{"digest-known", t.Digest()}, {"digest-computed", ""}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ep := agent.Play(context.Background(), scripted(t), agent.Config{Kit: kit, Task: t, Digest: c.digest, Seed: 1, Agent: "reference"})
				if ep.End.Code != grader.EndDone {
					b.Fatal(ends(ep))
				}
			}
		})
	}
}

// BenchmarkThousand plays and grades a thousand tasks of one turn.
func BenchmarkThousand(b *testing.B) {
	kit, all := new(lab).kit(), oneTurn(1000)
	digests := make([]tasks.Digest, len(all))
	for i, t := range all {
		digests[i] = t.Digest()
	}
	b.ReportAllocs()
	for b.Loop() {
		for i, t := range all {
			ep := agent.Play(context.Background(), scripted(t), agent.Config{Kit: kit, Task: t, Digest: digests[i], Seed: 1, Agent: "reference"})
			grade(ep, t)
			if ep.Outcome != grader.Passed {
				b.Fatal(ends(ep))
			}
		}
	}
}

func BenchmarkRandom(b *testing.B) {
	tools := []sim.Tool{{Name: "t", Schema: json.RawMessage(in(`{"type":"object","properties":{"id":{"type":"string","pattern":"^w_[a-z0-9]{3}$"},"n":{"type":"integer"}},"required":["id","n"]}`))}}
	m := agent.Random(tasks.PlainDialect{}, agent.ProtocolTools, tasks.Envelope{}, 1, "a/b/c", 1)
	b.ReportAllocs()
	for b.Loop() {
		m.Next(context.Background(), nil, tools)
	}
}
