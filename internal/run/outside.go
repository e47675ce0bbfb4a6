package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"benchwright/agent"
	"benchwright/agent/command"
	"benchwright/agent/mcp"
	"benchwright/reports"
	"benchwright/tasks"
)

// What follows makes the agents that act from outside of this process. They have options of their
// own in place of a model's.

// isOutside reports whether BENCH_MODEL names one of them.
func isOutside(model string) bool {
	kind, _, _ := strings.Cut(model, ":")
	return kind == "command" || kind == "mcp"
}

// defaultMCP is where a run waits for harnesses.
const defaultMCP = "127.0.0.1:7780"

func outsidePlayer(c Config) (*Player, error) {
	kind, arg, hasArg := strings.Cut(c.Model, ":")
	p := &Player{Name: c.Model, Kind: reports.KindExternal}
	if kind == "command" {
		return commandPlayer(p, c, arg)
	}
	if hasArg && arg == "" {
		return nil, fmt.Errorf("BENCH_MODEL=%q: want mcp, or mcp:HOST:PORT", c.Model)
	}
	return mcpPlayer(p, c, arg)
}

func commandPlayer(p *Player, c Config, cmd string) (*Player, error) {
	var o struct {
		Timeout tasks.Duration `json:"timeout"`
	}
	if err := ownOptions(c, &o); err != nil {
		return nil, err
	}
	if err := command.Check(cmd); err != nil {
		return nil, fmt.Errorf("BENCH_MODEL=%q: want command:CMD: %w", c.Model, err)
	}
	p.New = func(_ tasks.Task, k *tasks.Kit, _ int) (agent.Agent, error) {
		return command.Agent{Command: cmd, Dialect: k.Speaks(), Timeout: time.Duration(o.Timeout)}, nil
	}
	return p, nil
}

func mcpPlayer(p *Player, c Config, addr string) (*Player, error) {
	var o struct {
		Command string         `json:"command"`
		Native  bool           `json:"native"`
		Connect tasks.Duration `json:"connect"`
		Idle    tasks.Duration `json:"idle"`
	}
	if err := ownOptions(c, &o); err != nil {
		return nil, err
	}
	if o.Command != "" {
		if err := command.Check(o.Command); err != nil {
			return nil, fmt.Errorf("BENCH_MODEL_OPTIONS: command: %w", err)
		}
	}
	switch {
	case addr == "" && o.Command != "":
		addr = "127.0.0.1:0"
	case addr == "":
		addr = defaultMCP
	}
	p.Local = o.Command == "" // one harness, until BENCH_WORKERS says how many there are
	var hub *mcp.Hub
	p.Prepare = func(context.Context) (agent.Identity, error) {
		h, err := mcp.Listen(addr, false, mcp.Options{Native: o.Native, Connect: time.Duration(o.Connect), Idle: time.Duration(o.Idle)})
		if err != nil {
			return agent.Identity{}, err
		}
		hub = h
		if o.Command == "" {
			fmt.Fprintf(os.Stdout, "mcp: POST %s/episodes hands out the next episode; GET counts them\n", hub.URL())
		}
		return agent.Identity{Name: p.Name}, nil
	}
	p.New = func(_ tasks.Task, k *tasks.Kit, _ int) (agent.Agent, error) {
		switch {
		case hub == nil:
			return nil, errors.New("the run does not listen")
		case o.Command != "":
			return hub.Launch(k.Speaks(), o.Command), nil
		}
		return hub.Agent(k.Speaks()), nil
	}
	return p, nil
}

// ownOptions reads options that are an outside agent's.
func ownOptions(c Config, into any) error {
	d := json.NewDecoder(bytes.NewReader(c.Options))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		kind, _, _ := strings.Cut(c.Model, ":")
		allowed := "timeout"
		if kind == "mcp" {
			allowed = "command, native, connect, idle"
		}
		return fmt.Errorf("BENCH_MODEL_OPTIONS=%s: %w; %s has the options %s, durations as in \"90s\"", c.Options, err, kind, allowed)
	}
	return nil
}
