package run

import (
	"context"
	"strings"
	"testing"

	"benchwright/agent"
)

func TestOutsideAgents(t *testing.T) {
	for _, c := range []struct {
		env    []string
		want   string // of the error; "" is none
		reason string
	}{
		{[]string{"BENCH_MODEL=command:true"}, "", "a command of the shell"},
		{[]string{"BENCH_MODEL=command:true", `BENCH_MODEL_OPTIONS={"timeout":"3s"}`}, "", ""},
		{[]string{"BENCH_MODEL=command:"}, "the command is empty", ""},
		{[]string{"BENCH_MODEL=command:no-such-command-of-anybody"}, "there is no command", "before anything is played"},
		{[]string{"BENCH_MODEL=command:true", `BENCH_MODEL_OPTIONS={"temperature":1}`}, "command has the options timeout", "a model's options mean nothing here"},
		{[]string{"BENCH_MODEL=mcp"}, "", ""},
		{[]string{"BENCH_MODEL=mcp:127.0.0.1:0"}, "", ""},
		{[]string{"BENCH_MODEL=mcp:"}, "want mcp", ""},
		{[]string{"BENCH_MODEL=mcp", `BENCH_MODEL_OPTIONS={"command":"no-such-command-of-anybody"}`}, "there is no command", ""},
		{[]string{"BENCH_MODEL=mcp", `BENCH_MODEL_OPTIONS={"idle":"-3s"}`}, "negative", ""},
		{[]string{"BENCH_MODEL=mcp", "BENCH_PROTOCOL=json"}, "has no replies", "an impossible combination"},
		{[]string{"BENCH_MODEL=mcp", "BENCH_PROTOCOL=tools"}, "", "what it is anyway"},
	} {
		config, err := FromEnv(c.env)
		var p *Player
		if err == nil {
			p, err = NewPlayer(config, nil)
		}
		switch {
		case c.want == "" && err == nil:
			if p.Kind != "external" || config.Protocol != agent.ProtocolTools {
				t.Errorf("%q: %+v, protocol %s", c.env, p, config.Protocol)
			}
		case err == nil || c.want == "" || !strings.Contains(err.Error(), c.want):
			t.Errorf("%q: %v, want %q: %s", c.env, err, c.want, c.reason)
		}
	}
}

func TestMCPListensBeforeAnyClockStarts(t *testing.T) {
	first, err := NewPlayer(Config{Model: "mcp:127.0.0.1:0", Options: []byte("{}")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if id, err := first.Prepare(context.Background()); err != nil || id.Name == "" || !first.Local {
		t.Fatalf("%+v %v", id, err)
	}
	bad, err := NewPlayer(Config{Model: "mcp:256.0.0.1:1", Options: []byte("{}")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bad.Prepare(context.Background()); err == nil {
		t.Error("an address that there is not was listened at")
	}
}
