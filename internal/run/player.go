package run

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"benchwright/agent"
	"benchwright/agent/ollama"
	"benchwright/grader"
	"benchwright/reports"
	"benchwright/tasks"
)

// A Player is the agent of a run: how to make one for each episode, and what it is.
type Player struct {
	Name    string // "ollama:tiny"
	Kind    string // of the run: model, reference, noop, random, replay, external
	Local   bool   // one server on this machine: a single worker by default
	Options ollama.Options
	Replays string // id of the run whose replies are used again
	// Replayed is that run. Nil for every other player.
	Replayed *reports.Run
	// Recorded reports whether a replayed run holds an episode. Nil for every other player.
	Recorded func(id tasks.ID, trial int) bool

	// New makes the agent of one episode. Only the reference reads the task's rubric.
	New func(t tasks.Task, kit *tasks.Kit, trial int) (agent.Agent, error)
	// Prepare readies and identifies what acts, before any clock starts. Optional.
	Prepare func(ctx context.Context) (agent.Identity, error)
	// Verify reports that what acted is no longer what was identified. Optional.
	Verify func(ctx context.Context) error
}

// Custom agents by the name that BENCH_MODEL chooses them with.
type Custom map[string]func(tasks.Envelope) agent.Agent

// NewPlayer makes the agent that the configuration names.
func NewPlayer(c Config, custom Custom) (*Player, error) {
	if isOutside(c.Model) {
		return outsidePlayer(c)
	}
	o, err := ollama.ParseOptions(c.Options)
	if err != nil {
		return nil, fmt.Errorf("BENCH_MODEL_OPTIONS=%s: %w", c.Options, err)
	}
	kind, arg, hasArg := strings.Cut(c.Model, ":")
	if o := withoutBill(o); kind != "ollama" && !reflect.ValueOf(o).IsZero() {
		return nil, fmt.Errorf("BENCH_MODEL_OPTIONS=%s: %s runs no model, so that only prices and basis mean anything", c.Options, c.Model)
	}
	p := &Player{Name: c.Model, Kind: kind, Options: o}
	plain := func() error {
		if hasArg {
			return fmt.Errorf("BENCH_MODEL=%q: %s takes no argument", c.Model, kind)
		}
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(custom)) {
		if first, _, _ := strings.Cut(name, ":"); name == "" || slices.Contains(builtin, first) {
			return nil, fmt.Errorf("WithAgent(%q): choose another name: there is a built-in agent of that name", name)
		}
	}
	if mk := custom[c.Model]; mk != nil {
		p.Kind = reports.KindExternal
		p.New = func(t tasks.Task, _ *tasks.Kit, _ int) (agent.Agent, error) { return made{mk}, nil }
		return p, nil
	}
	switch kind {
	case "reference":
		p.New = referencePlayer(c).New
		return p, plain()
	case "noop":
		p.New = func(tasks.Task, *tasks.Kit, int) (agent.Agent, error) { return agent.Noop{}, nil }
		return p, plain()
	case "random":
		seed := c.Seed
		if hasArg {
			if seed, err = strconv.ParseInt(arg, 10, 64); err != nil {
				return nil, fmt.Errorf("BENCH_MODEL=%q: want random or random:SEED with a whole number", c.Model)
			}
		}
		p.New = func(t tasks.Task, k *tasks.Kit, trial int) (agent.Agent, error) {
			d := k.Speaks()
			return agent.Loop{Model: agent.Random(d, c.Protocol, t.Envelope(), seed, t.ID, trial), Dialect: d}, nil
		}
		return p, nil
	case "replay":
		if arg == "" {
			return nil, fmt.Errorf("BENCH_MODEL=%q: want replay:BUNDLE, the folder of an earlier run", c.Model)
		}
		return replayPlayer(p, c, arg)
	case "ollama":
		if arg == "" {
			return nil, fmt.Errorf("BENCH_MODEL=%q: want ollama:NAME", c.Model)
		}
		return ollamaPlayer(p, c, arg)
	}
	names := append([]string{"reference", "noop", "random", "ollama:NAME", "replay:BUNDLE", "command:CMD", "mcp[:ADDR]"}, slices.Sorted(maps.Keys(custom))...)
	return nil, fmt.Errorf("BENCH_MODEL=%q: there is no such agent; there are %s", c.Model, strings.Join(names, ", "))
}

// builtin is the agents that BENCH_MODEL knows by itself, and those it will.
var builtin = []string{"reference", "noop", "random", "ollama", "openai", "replay", "command", "mcp"}

// made is an agent that is made when it plays, so that whatever its maker does is bounded and
// told as what the agent does is.
type made struct {
	make func(tasks.Envelope) agent.Agent
}

// Play implements agent.Agent.
func (m made) Play(ctx context.Context, s *agent.Session) error {
	a := m.make(s.Envelope())
	if a == nil {
		return errors.New("the agent's maker returned none")
	}
	return a.Play(ctx, s)
}

// withoutBill is the options without those that only say what usage costs.
func withoutBill(o ollama.Options) ollama.Options {
	o.Prices, o.Basis = nil, ""
	return o
}

// referencePlayer replays each task's reference solution through the whole loop.
func referencePlayer(c Config) *Player {
	return &Player{Name: "reference", Kind: reports.KindReference, New: func(t tasks.Task, k *tasks.Kit, _ int) (agent.Agent, error) {
		d := k.Speaks()
		return agent.Loop{Model: agent.Script(d, c.Protocol, t.Rubric.Reference), Dialect: d}, nil
	}}
}

func ollamaPlayer(p *Player, c Config, name string) (*Player, error) {
	client, err := ollama.New(ollama.Config{Name: name, Host: c.Ollama, Options: p.Options, Protocol: c.Protocol})
	if err != nil {
		return nil, fmt.Errorf("BENCH_MODEL=%q: %w", c.Model, err)
	}
	p.Kind, p.Local = reports.KindModel, client.Local()
	seed := c.Seed
	if p.Options.Seed != nil {
		seed = *p.Options.Seed
	}
	p.Prepare, p.Verify = client.Prepare, client.Verify
	p.New = func(t tasks.Task, k *tasks.Kit, trial int) (agent.Agent, error) {
		d := k.Speaks()
		w, err := ToolsOf(k, t)
		if err != nil {
			return nil, err
		}
		req := ollama.Request{OutputTokens: t.Limits.OutputTokens, Seed: seed + int64(trial) - 1, Tools: c.Protocol == agent.ProtocolTools}
		if !req.Tools {
			req.Format = d.Format(t.Envelope(), w)
		}
		return agent.Loop{Model: client.Model(req), Dialect: d}, nil
	}
	return p, nil
}

// replayPlayer answers with the recorded replies of a bundle. The bundle's protocol must be the
// run's, since the replies are in it.
func replayPlayer(p *Player, c Config, dir string) (*Player, error) {
	if _, err := os.Stat(dir); err != nil && !filepath.IsAbs(dir) { // as BENCH_OUT is meant
		if at, err := here(); err == nil {
			dir = filepath.Join(at.root, dir)
		}
	}
	r, err := reports.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("BENCH_MODEL=%q: %w", c.Model, err)
	}
	run := r.Run()
	if run.Kind == reports.KindCertification {
		return nil, fmt.Errorf("BENCH_MODEL=%q: that run is a certification and holds no replies of an agent", c.Model)
	}
	if run.Protocol != c.Protocol {
		return nil, fmt.Errorf("BENCH_MODEL=%q: that run spoke BENCH_PROTOCOL=%s, this one %s", c.Model, run.Protocol, c.Protocol)
	}
	p.Name, p.Replays, p.Replayed = "replay:"+filepath.Base(dir), run.ID, &run
	p.Prepare = func(context.Context) (agent.Identity, error) { return run.Model, nil }
	keys, err := r.Keys()
	if err != nil {
		return nil, fmt.Errorf("BENCH_MODEL=%q: %w", c.Model, err)
	}
	p.Recorded = func(id tasks.ID, trial int) bool {
		key, err := reports.RecordKey(id, trial)
		_, found := slices.BinarySearch(keys, key)
		return err == nil && found
	}
	p.New = func(t tasks.Task, k *tasks.Kit, trial int) (agent.Agent, error) {
		key, err := reports.RecordKey(t.ID, trial)
		if err != nil {
			return nil, err
		}
		rec, err := r.Record(key)
		if err != nil {
			return nil, fmt.Errorf("the replayed run has no readable episode of it: %w", err)
		}
		ep := &rec.Episode
		if ep.TaskDigest != t.Digest() {
			return nil, fmt.Errorf("the task has changed since the replayed run (digest %.12s, now %.12s)", ep.TaskDigest, t.Digest())
		}
		if ep.Outcome == grader.Skipped {
			return nil, fmt.Errorf("the replayed run skipped it: %s", ep.Reason)
		}
		return agent.Loop{Model: agent.Replay(ep), Dialect: k.Speaks()}, nil
	}
	return p, nil
}
