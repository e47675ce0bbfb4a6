package run_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"benchwright/internal/run"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestMistakesInVariables keeps every message about variables in one file that can be read.
func TestMistakesInVariables(t *testing.T) {
	var b strings.Builder
	for _, c := range []struct {
		name   string
		env    []string
		reason string
	}{
		{"unknown", []string{"BENCH_MODLE=noop"}, "a mistyped name must not be ignored"},
		{"unknown-far", []string{"BENCH_XYZZY=1"}, "nor one that resembles none"},
		{"numbers", []string{"BENCH_MODEL=noop", "BENCH_TRIALS=0", "BENCH_WORKERS=1e3", "BENCH_SEED=one"}, "numbers have bounds"},
		{"protocol", []string{"BENCH_PROTOCOL=xml"}, "one of two"},
		{"options-array", []string{"BENCH_MODEL=noop", "BENCH_MODEL_OPTIONS=[]"}, "options are an object"},
		{"options-duplicate", []string{"BENCH_MODEL=noop", `BENCH_MODEL_OPTIONS={"seed":1,"seed":2}`}, "the last of two must not win silently"},
		{"gate", []string{"BENCH_MODEL=noop", "BENCH_GATE=rate:2"}, "a rate is a share"},
		{"gate-word", []string{"BENCH_MODEL=noop", "BENCH_GATE=baseline:x"}, "a gate that there is not"},
		{"spend", []string{"BENCH_MODEL=noop", "BENCH_SPEND=$-1"}, "a cap is positive"},
		{"spend-word", []string{"BENCH_MODEL=noop", "BENCH_SPEND=much"}, "and a number"},
		{"isolation", []string{"BENCH_SANDBOX=docker", "BENCH_PYTHON=3.12"}, "a level and an interpreter that there are not"},
		{"certify", []string{"BENCH_TRIALS=3", "BENCH_GATE=none", "BENCH_SPEND=10", `BENCH_MODEL_OPTIONS={"seed":1}`}, "a certification runs no model"},
		{"together", []string{"BENCH_A=1", "BENCH_B=2", "BENCH_SEED=x"}, "all are told at once"},
	} {
		_, err := run.FromEnv(c.env)
		if err == nil {
			t.Errorf("%s: accepted: %s", c.name, c.reason)
			continue
		}
		b.WriteString("# " + c.name + ": " + c.reason + "\n" + err.Error() + "\n\n")
	}
	golden(t, "variables.golden", b.String())
}

func TestAgentsThatCannotBe(t *testing.T) {
	var b strings.Builder
	for _, model := range []string{"refrence", "reference:x", "noop:1", "random:x", "ollama", "ollama:", "ollama:a b", "replay:", "replay:testdata", "gpt-4"} {
		c, err := run.FromEnv([]string{"BENCH_MODEL=" + model})
		if err != nil {
			t.Fatal(err)
		}
		_, err = run.NewPlayer(c, run.Custom{"mine": nil})
		if err == nil {
			t.Errorf("%s: accepted", model)
			continue
		}
		b.WriteString(err.Error() + "\n\n")
	}
	golden(t, "agents.golden", b.String())
}

func TestOptionsNeedAModel(t *testing.T) {
	for options, ok := range map[string]bool{`{"prices":{"input":1,"output":2}}`: true, `{"basis":"total"}`: true, `{"temperature":1}`: false, `{"seed":0}`: false} {
		c, err := run.FromEnv([]string{"BENCH_MODEL=reference", "BENCH_MODEL_OPTIONS=" + options})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := run.NewPlayer(c, nil); (err == nil) != ok {
			t.Errorf("%s: %v", options, err)
		}
	}
}

func TestEmptyVariablesAreUnset(t *testing.T) {
	c, err := run.FromEnv([]string{"BENCH_MODEL=", "BENCH_GATE=", "BENCH_TRIALS=", "OTHER=1"})
	if err != nil || !c.Certify() || c.Trials != 1 || c.Seed != 1 || c.Protocol != "json" || c.GateText != "strict" {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestSpend(t *testing.T) {
	for text, want := range map[string]string{"200000": "200000 -", "$2.50": "0 5/2", "$0.000001": "0 1/1000000"} {
		c, err := run.FromEnv([]string{"BENCH_MODEL=noop", "BENCH_SPEND=" + text})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		cost := "-"
		if c.Spend.Cost != nil {
			cost = c.Spend.Cost.RatString()
		}
		if got := strings.Join([]string{itoa(c.Spend.Tokens), cost}, " "); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{"$", "$0", "$1e3", "$1/3", "$0x1", "$1_0", "0", "-5", "2.5"} {
		if _, err := run.FromEnv([]string{"BENCH_MODEL=noop", "BENCH_SPEND=" + text}); err == nil {
			t.Errorf("%s: accepted", text)
		}
	}
}

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
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got), -update rewrites it:\n%s", path, d)
	}
}
