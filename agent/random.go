package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// An AnswerSchema is a dialect that can describe valid answers. Random draws its answers from
// it; without it, it answers a random word.
type AnswerSchema interface {
	AnswerSchema(env tasks.Envelope) json.RawMessage
}

// Random is a model that chooses uniformly between the tools and an answer, with uniform
// arguments that are valid by the tool's schema: the honest lower bound. It speaks the dialect
// and depends on nothing but its seed, the task and the trial. It plays one episode.
func Random(d tasks.Dialect, protocol string, env tasks.Envelope, seed int64, task tasks.ID, trial int) Model {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%d", task, trial)
	rng := rand.New(rand.NewPCG(uint64(seed), h.Sum64()))
	return &random{dialect: d, protocol: protocol, env: env, rng: rng}
}

type random struct {
	dialect  tasks.Dialect
	protocol string
	env      tasks.Envelope
	rng      *rand.Rand
}

func (m *random) Next(_ context.Context, _ []tasks.Message, tools []sim.Tool) (Reply, Usage, error) {
	var mv tasks.Move
	if i := m.rng.IntN(len(tools) + 1); i < len(tools) {
		mv.Calls = []sim.Call{{Name: tools[i].Name, Arguments: m.arguments(tools[i].Schema)}}
	} else {
		mv.Answer = m.answer()
	}
	reply, err := spoken(m.dialect, m.protocol, mv)
	if err != nil {
		return Reply{}, Usage{}, Faultf(grader.LayerAdapter, "random", "%w", err)
	}
	return reply, Usage{}, nil
}

// arguments draws the arguments of a call: always an object, whatever the schema says.
func (m *random) arguments(schema json.RawMessage) json.RawMessage {
	if v, ok := draw(m.rng, schema).(map[string]any); ok {
		if raw, err := sim.Canonical(v); err == nil {
			return raw
		}
	}
	return json.RawMessage("{}")
}

func (m *random) answer() json.RawMessage {
	if a, ok := m.dialect.(AnswerSchema); ok {
		if schema := a.AnswerSchema(m.env); len(schema) > 0 {
			if raw, err := sim.Canonical(draw(m.rng, schema)); err == nil {
				return raw
			}
		}
	}
	return sim.MustCanonical(word(m.rng))
}
