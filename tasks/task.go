package tasks

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"benchwright/grader"
	"benchwright/sim"
)

// A Task is one thing that an agent can be asked to do, with everything needed to set it up,
// run it and grade it. It is plain data: all front ends yield it and all consumers read it.
type Task struct {
	ID       ID              `json:"id"`
	Title    string          `json:"title,omitempty"`  // the scenario's name, for people
	Labels   []string        `json:"labels,omitempty"` // tag text verbatim, also the Ginkgo labels
	World    string          `json:"world"`            // name of the sim.Kind
	System   string          `json:"system,omitempty"` // the rules told to every agent
	Asks     []Ask           `json:"asks"`             // public text only
	Setup    json.RawMessage `json:"setup,omitempty"`  // what the world is built from
	Tools    []string        `json:"tools,omitempty"`  // in scope, sorted; the one word "all" means all
	Limits   Limits          `json:"limits,omitzero"`
	Protocol Protocol        `json:"protocol,omitzero"`
	Rubric   Rubric          `json:"rubric"`
	Requires ID              `json:"requires,omitempty"` // must have passed in this run
	Trials   int             `json:"trials,omitempty"`   // of its own; 0 leaves the number to the run
	Seed     int64           `json:"seed,omitempty"`     // added to the run's
	Source   Source          `json:"source,omitzero"`
}

// An ID is the public identity of a task: suite/family/name.
type ID string

func (id ID) part(i int) string {
	if p := strings.SplitN(string(id), "/", 3); i < len(p) {
		return p[i]
	}
	return ""
}

// Suite returns the first part.
func (id ID) Suite() string { return id.part(0) }

// Family returns the second part.
func (id ID) Family() string { return id.part(1) }

// Name returns the third part.
func (id ID) Name() string { return id.part(2) }

// Valid reports what is wrong with an id: it has three parts of letters, digits, '.', '_' and
// '-', none of which starts with a dot.
func (id ID) Valid() error {
	p := strings.Split(string(id), "/")
	if len(p) != 3 {
		return fmt.Errorf("task id %q: want suite/family/name", string(id))
	}
	for _, s := range p {
		if s == "" || s[0] == '.' || strings.Trim(s, idChars) != "" || strings.Contains(s, "__") {
			return fmt.Errorf("task id %q: part %q: use letters, digits, '.', '_' and '-', not starting with '.' and without '__'", string(id), s)
		}
	}
	return nil
}

const idChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

// An Ask is what the user says. A later ask is put when the agent has finished the one before.
//
// It may have limits of its own beside the task's, which end the episode as those do. Zero means
// that only the task's counts. What happens before an ask begins and between two asks, such as the
// checks of a gate, is never part of any. Where tokens are limited, a provider that does not count
// them, or counts what cannot be, breaks the episode.
type Ask struct {
	Text    string          `json:"text"`
	Context json.RawMessage `json:"context,omitempty"` // public facts that come with it, as the world's protocol sends them
	Gated   bool            `json:"gated,omitempty"`   // the episode ends here unless this ask's checks hold
	Turns   int             `json:"turns,omitempty"`   // of its own
	Calls   int             `json:"calls,omitempty"`   // tool calls
	Tokens  int             `json:"tokens,omitempty"`  // budget tokens
	Wall    Duration        `json:"wall,omitempty"`    // from the moment that it is put
}

// Unlimited returns the ask without limits of its own.
func (a Ask) Unlimited() Ask {
	a.Turns, a.Calls, a.Tokens, a.Wall = 0, 0, 0, 0
	return a
}

// Limits end an episode. Zero means no limit, but a task always has a limit of turns.
type Limits struct {
	Turns        int      `json:"turns,omitempty"`         // replies of the agent, over all asks
	Wall         Duration `json:"wall,omitempty"`          // from the first request on; queueing is outside
	Tokens       int      `json:"tokens,omitempty"`        // budget tokens of the episode
	OutputTokens int      `json:"output_tokens,omitempty"` // of one reply
	InvalidCalls int      `json:"invalid_calls,omitempty"` // this many are survived
}

// A Duration is a time.Duration whose JSON is "30s".
type Duration time.Duration

// MarshalText writes the duration as time.Duration does.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText reads what time.ParseDuration reads; a negative duration is an error.
func (d *Duration) UnmarshalText(b []byte) error {
	v, err := time.ParseDuration(string(b))
	if err == nil && v < 0 {
		err = fmt.Errorf("duration %q is negative", b)
	}
	*d = Duration(v)
	return err
}

// A Protocol is the dialect of the published system that the task comes from.
type Protocol struct {
	Lenient    bool `json:"lenient,omitempty"`     // a malformed reply is answered with what is wrong, and costs a turn; strict ends the episode
	ShowLimits bool `json:"show_limits,omitempty"` // the agent is told its limits
}

// A Rubric is everything sealed. No agent, no envelope and no export for agents ever holds it.
type Rubric struct {
	Checks    []grader.Check    `json:"checks"`
	Reference []Move            `json:"reference,omitempty"`
	Probes    []Probe           `json:"probes,omitempty"`
	Planted   []string          `json:"planted,omitempty"` // values that only the right source holds
	Stated    map[string]string `json:"stated,omitempty"`  // value → the words that say it: "2500000" → "25 lakh"
}

// A Move is one turn of a scripted solution: calls, or the answer to the present ask, or a
// reply of the json protocol spelled out byte for byte.
type Move struct {
	Calls  []sim.Call      `json:"calls,omitempty"`
	Answer json.RawMessage `json:"answer,omitempty"`
	Raw    string          `json:"raw,omitempty"`
	Source grader.Source   `json:"source,omitzero"`
}

// A Probe is a near miss: a solution that looks right and must fail with the code it names.
type Probe struct {
	Name   string        `json:"name"`
	Codes  []string      `json:"codes"` // each must be among the verdict's codes
	Moves  []Move        `json:"moves"`
	Source grader.Source `json:"source,omitzero"`
}

// A Source is where a task was written.
type Source struct {
	File  string          `json:"file,omitempty"`
	Line  int             `json:"line,omitempty"`
	Steps []grader.Source `json:"steps,omitempty"`
}

// String returns file:line.
func (s Source) String() string { return grader.Source{File: s.File, Line: s.Line}.String() }

// An Envelope is all of a task that an agent, or an export for agents, may hold.
type Envelope struct {
	World    string   `json:"world"`
	System   string   `json:"system,omitempty"`
	Asks     []Ask    `json:"asks"`
	Tools    []string `json:"tools,omitempty"`
	Limits   *Limits  `json:"limits,omitempty"` // only where the world's protocol shows them
	Protocol Protocol `json:"protocol,omitzero"`
}

// Envelope returns a copy of the task's public half: no id, labels, setup, seed or rubric, and
// limits only where the protocol shows them.
func (t Task) Envelope() Envelope {
	e := Envelope{World: t.World, System: t.System, Asks: slices.Clone(t.Asks), Tools: slices.Clone(t.Tools), Protocol: t.Protocol}
	for i := range e.Asks {
		e.Asks[i].Context = slices.Clone(e.Asks[i].Context)
		if !t.Protocol.ShowLimits {
			e.Asks[i] = e.Asks[i].Unlimited()
		}
	}
	if t.Protocol.ShowLimits {
		l := t.Limits
		e.Limits = &l
	}
	return e
}

// A Digest is the SHA-256 of canonical JSON, in hexadecimal.
type Digest string

// DigestOf returns the digest of v's canonical JSON.
func DigestOf(v any) (Digest, error) {
	raw, err := sim.Canonical(v)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(raw)
	return Digest(hex.EncodeToString(sum[:])), nil
}

// Digest identifies what the task demands. Identity, title, labels, seed and source are left
// out, so that two tasks which are the same task are seen to be.
func (t Task) Digest() Digest {
	t.ID, t.Title, t.Labels, t.Seed, t.Source, t.Requires = "", "", nil, 0, Source{}, ""
	t.Rubric.Checks = slices.Clone(t.Rubric.Checks)
	for i := range t.Rubric.Checks {
		t.Rubric.Checks[i].Source = grader.Source{}
	}
	t.Rubric.Reference = unsourced(t.Rubric.Reference)
	t.Rubric.Probes = slices.Clone(t.Rubric.Probes)
	for i := range t.Rubric.Probes {
		t.Rubric.Probes[i].Source = grader.Source{}
		t.Rubric.Probes[i].Moves = unsourced(t.Rubric.Probes[i].Moves)
	}
	d, err := DigestOf(t)
	if err != nil {
		panic(fmt.Sprintf("tasks: digest: %v", err)) // compiled tasks are plain data
	}
	return d
}

func unsourced(m []Move) []Move {
	m = slices.Clone(m)
	for i := range m {
		m[i].Source = grader.Source{}
	}
	return m
}

// Label returns the value of the first label key:value, and whether there is one.
func (t Task) Label(key string) (string, bool) {
	for _, l := range t.Labels {
		if v, ok := strings.CutPrefix(l, key+":"); ok {
			return v, true
		}
	}
	return "", false
}
