package run

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"benchwright/agent"
	"benchwright/agent/ollama"
	"benchwright/grader"
	"benchwright/reports"
	"benchwright/sim"
)

// A Config is a run as the environment describes it.
type Config struct {
	Model    string          // BENCH_MODEL; "" certifies
	Options  json.RawMessage // BENCH_MODEL_OPTIONS, canonical
	Filter   string          // BENCH_FILTER
	Trials   int             // BENCH_TRIALS
	Workers  int             // BENCH_WORKERS; 0 leaves it to the agent
	Protocol string          // BENCH_PROTOCOL
	GateText string          // BENCH_GATE
	Gate     reports.Gate
	Out      string    // BENCH_OUT; "" takes the default
	Tasks    string    // BENCH_TASKS
	Track    string    // BENCH_TRACK
	Backends []Backend // BENCH_BACKENDS
	Spend    Spend     // BENCH_SPEND
	Sandbox  string    // BENCH_SANDBOX; "" leaves it to the world
	Python   string    // BENCH_PYTHON; "" leaves it to the world
	Seed     int64     // BENCH_SEED
	Ollama   string    // OLLAMA_HOST
}

// A Spend is where a run stops paying. The zero value never stops it.
type Spend struct {
	Tokens int64    // budget tokens; 0 is no limit
	Cost   *big.Rat // in the currency of the prices; nil is no limit
}

// A Backend is one of the user's own, beside those that the suite brings.
type Backend struct{ Name, Place string }

// Certify reports whether the run proves tasks instead of running an agent.
func (c Config) Certify() bool { return c.Model == "" }

// Guided is the track that tasks are compiled for.
const Guided = "guided"

// variables is every BENCH_ name there is and what it may be.
var variables = []struct{ name, allowed string }{
	{"BENCH_MODEL", "unset, reference, noop, random[:SEED], ollama:NAME, replay:BUNDLE, command:CMD, mcp[:ADDR], or the name of an agent of the suite"},
	{"BENCH_MODEL_OPTIONS", `a JSON object, for example {"temperature":0}`},
	{"BENCH_FILTER", "a Ginkgo label filter"},
	{"BENCH_TRIALS", "a whole number from 1 to 1000"},
	{"BENCH_WORKERS", "a whole number from 1 to 1024"},
	{"BENCH_PROTOCOL", "json or tools"},
	{"BENCH_TRACK", "guided or cold"},
	{"BENCH_BACKENDS", "name=folder or name=URL, several separated by commas"},
	{"BENCH_GATE", "strict, none or rate:R with R from 0 to 1, each optionally with ,broken:N"},
	{"BENCH_OUT", "a folder that holds no run yet"},
	{"BENCH_TASKS", "a folder"},
	{"BENCH_SPEND", `a number of budget tokens ("200000"), or a cost ("$2.50") where the options give prices`},
	{"BENCH_SANDBOX", "auto, landlock or none"},
	{"BENCH_PYTHON", "embedded or host"},
	{"BENCH_SEED", "a whole number"},
	{"BENCH_TEST_OLLAMA", "the URL of an Ollama server, for opt-in tests"},
	{"BENCH_TEST_NPM", "1, for opt-in tests that install harnesses from npm"},
}

// FromEnv reads the configuration from an environment (as os.Environ returns it). All mistakes
// are reported together, each with the variable's name, its value and what is allowed.
func FromEnv(environ []string) (Config, error) {
	var bad problems
	set := map[string]string{}
	var names []string
	for _, v := range variables {
		names = append(names, v.name)
	}
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		if !strings.HasPrefix(name, "BENCH_") || value == "" {
			continue
		}
		if !slices.Contains(names, name) {
			bad.addf("unknown variable %s%s", name, grader.Suggest(name, names))
			continue
		}
		set[name] = value
	}
	c := Config{
		Model: set["BENCH_MODEL"], Filter: set["BENCH_FILTER"], Out: set["BENCH_OUT"], Tasks: set["BENCH_TASKS"],
		Protocol: agent.ProtocolJSON, Options: json.RawMessage("{}"), GateText: "strict",
	}
	c.Ollama = ollama.HostFromEnv(func(name string) string { return lookup(environ, name) })
	number := func(name string, otherwise, low, high int64) int64 {
		text, ok := set[name]
		if !ok {
			return otherwise
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < low || n > high {
			bad.value(name, text)
			return otherwise
		}
		return n
	}
	c.Trials = int(number("BENCH_TRIALS", 1, 1, 1000))
	c.Workers = int(number("BENCH_WORKERS", 0, 1, 1024))
	c.Seed = number("BENCH_SEED", 1, math.MinInt64, math.MaxInt64)
	if isOutside(c.Model) { // what acts there calls tools, and writes no replies
		c.Protocol = agent.ProtocolTools
	}
	if p, ok := set["BENCH_PROTOCOL"]; ok {
		if isOutside(c.Model) && p != c.Protocol {
			bad.addf("BENCH_PROTOCOL=%q: BENCH_MODEL=%s has no replies to be in it; unset it", p, c.Model)
		}
		c.Protocol = p
		if p != agent.ProtocolJSON && p != agent.ProtocolTools {
			bad.value("BENCH_PROTOCOL", p)
		}
	}
	c.Track = Guided
	if t, ok := set["BENCH_TRACK"]; ok {
		c.Track = t
		if t != Guided && t != "cold" {
			bad.value("BENCH_TRACK", t)
		}
	}
	c.Sandbox, c.Python = set["BENCH_SANDBOX"], set["BENCH_PYTHON"]
	if !slices.Contains([]string{"", "auto", "landlock", "none"}, c.Sandbox) {
		bad.value("BENCH_SANDBOX", c.Sandbox)
	}
	if !slices.Contains([]string{"", "embedded", "host"}, c.Python) {
		bad.value("BENCH_PYTHON", c.Python)
	}
	if list, ok := set["BENCH_BACKENDS"]; ok {
		seen := map[string]bool{}
		for _, one := range strings.Split(list, ",") {
			name, place, ok := strings.Cut(strings.TrimSpace(one), "=")
			if !ok || name == "" || place == "" {
				bad.value("BENCH_BACKENDS", list)
				break
			}
			if seen[name] {
				bad.addf("BENCH_BACKENDS=%q: %q is named twice", list, name)
			}
			seen[name] = true
			c.Backends = append(c.Backends, Backend{name, place})
		}
	}
	if o, ok := set["BENCH_MODEL_OPTIONS"]; ok {
		raw, err := sim.Canonical(json.RawMessage(o))
		switch {
		case err != nil:
			bad.addf("BENCH_MODEL_OPTIONS=%q: %v", o, err)
		case raw[0] != '{':
			bad.value("BENCH_MODEL_OPTIONS", o)
		default:
			c.Options = raw
		}
	}
	if g, ok := set["BENCH_GATE"]; ok {
		c.GateText = g
	}
	gate, err := reports.ParseGate(c.GateText)
	if err != nil {
		bad.addf("BENCH_GATE: %v", err)
	}
	c.Gate = gate
	if s, ok := set["BENCH_SPEND"]; ok {
		if c.Spend, ok = parseSpend(s); !ok {
			bad.value("BENCH_SPEND", s)
		}
	}
	if c.Certify() {
		for _, n := range []string{"BENCH_MODEL_OPTIONS", "BENCH_TRIALS", "BENCH_GATE", "BENCH_SPEND"} {
			if v, ok := set[n]; ok {
				bad.addf("%s=%q without BENCH_MODEL: a certification runs no model; set BENCH_MODEL or unset %s", n, v, n)
			}
		}
	}
	return c, bad.err()
}

// lookup is os.Getenv for an environment that is given.
func lookup(environ []string, name string) string {
	for i := len(environ) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(environ[i], name+"="); ok {
			return v
		}
	}
	return ""
}

func parseSpend(s string) (Spend, bool) {
	if cost, ok := strings.CutPrefix(s, "$"); ok {
		r, ok := new(big.Rat).SetString(cost)
		return Spend{Cost: r}, ok && !strings.ContainsAny(cost, "eE/_xX") && r.Sign() > 0
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return Spend{Tokens: n}, err == nil && n > 0
}

// problems collects mistakes, so that all are told at once.
type problems []string

func (p *problems) addf(format string, args ...any) { *p = append(*p, fmt.Sprintf(format, args...)) }

func (p *problems) value(name, value string) {
	for _, v := range variables {
		if v.name == name {
			p.addf("%s=%q: want %s", name, value, v.allowed)
		}
	}
}

func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	slices.Sort(p)
	return fmt.Errorf("%s", strings.Join(p, "\n"))
}
