package grader

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"benchwright/sim"
)

// A Rule is one kind of demand together with its arguments. It is plain data: it marshals to
// a JSON object, and unmarshalling that into a new rule of the same name gives an equal one.
type Rule interface {
	// Name identifies the kind of rule, for example "wealth.outcome". It is the key under
	// which a world's kit registers it.
	Name() string
	// Codes lists every code that Grade can raise with these arguments, sorted. A code that
	// depends on what the agent did ends in ":*" ("unexpected_claim:*").
	Codes() []string
	// Grade returns what is wrong, every problem and not just the first; nil means that the
	// demand is met. An error means that there is no answer: NotApplicable and SkipError say so on
	// purpose, anything else makes the episode broken.
	Grade(ctx context.Context, ev Evidence) ([]Finding, error)
}

// A Describer words its demand for people. A rule without it is shown as its name and arguments.
type Describer interface{ String() string }

// A Grounder lists the values, keys and paths that a rule demands of an agent and that the
// agent must therefore be able to find. Without it, every leaf of the rule's arguments and
// every key within them counts as demanded; the names of the arguments do not. A rule that
// demands nothing to be found, such as one about what must not be, lists nothing; arguments
// that a reference has to say count as demanded even so.
type Grounder interface{ Graded() []string }

// A Patient rule waits for something outside, such as a judge, and says how long it may take at
// most. Any other has [Patience].
type Patient interface{ Patience() time.Duration }

// Patience is how long evaluating a rule may take before it counts as stuck.
const Patience = 10 * time.Second

// A Tallier is a rule about several things, for worlds whose score counts each of them. Tally is
// Grade with those counts; where there is one it is called instead.
type Tallier interface {
	Tally(ctx context.Context, ev Evidence) ([]Finding, []Tally, error)
}

// A Tally says how many of the things that are counted under a code are as demanded.
type Tally struct {
	Code string `json:"code"`
	Held int    `json:"held"`
	Of   int    `json:"of"`
}

// NotApplicable is returned by a rule that has nothing to say about this evidence, for
// example about an answer that was never given. It counts neither as held nor as failed, but
// when no rule of a task applies the episode has failed.
var NotApplicable = errors.New("not applicable")

// SkipError is returned by a rule that cannot be evaluated here and says so on purpose, for example
// for want of a judge. Unless another check has failed, the episode's outcome is skipped, never
// passed. What an agent says must not make a rule skip.
type SkipError struct{ Reason string }

func (s SkipError) Error() string { return "skipped: " + s.Reason }

// BrokenError is returned by a rule whose evaluation failed, with the layer that is to blame.
type BrokenError struct {
	Layer Layer
	Err   error
}

func (b BrokenError) Error() string { return string(b.Layer) + ": " + b.Err.Error() }

// Unwrap returns the cause.
func (b BrokenError) Unwrap() error { return b.Err }

// A Finding is one thing that is wrong, in the agent's doing.
type Finding struct {
	Code    string `json:"code"`            // "wrong_value:future_value"
	Type    Type   `json:"type"`            // which side of the episode it is about
	Message string `json:"message"`         // the difference, in one or a few lines
	Source  Source `json:"source,omitzero"` // filled in by the check
	Want    string `json:"want,omitempty"`  // what was demanded, where a value was
	Got     string `json:"got,omitempty"`   // what was found
}

// Type says which side of an episode a finding is about. JUnit's failure type is this word.
type Type string

// The types of finding.
const (
	StateType    Type = "state"
	TraceType    Type = "trace"
	AnswerType   Type = "answer"
	BudgetType   Type = "budget"
	ContractType Type = "contract" // the form of what the agent said
)

// A Source is a place in a task: the line of a feature or JSON file, and the words there.
type Source struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Text string `json:"text,omitempty"` // "Then the outcome is …"
}

// String returns file:line, or "" for no source.
func (s Source) String() string {
	if s.File == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", s.File, s.Line)
}

// Registry maps the names of rules to functions that make an empty one to unmarshal into.
type Registry map[string]func() Rule

// encoded is a check on the wire.
type encoded struct {
	Rule   string          `json:"rule"`
	Args   json.RawMessage `json:"args,omitempty"`
	Ask    int             `json:"ask,omitempty"`
	Source Source          `json:"source,omitzero"`
}

// MarshalJSON writes {"rule": name, "args": {…}, "ask": n, "source": {…}}.
func (c Check) MarshalJSON() ([]byte, error) {
	args, err := sim.Canonical(c.Rule)
	if err != nil {
		return nil, fmt.Errorf("rule %s: %w", c.Rule.Name(), err)
	}
	if string(args) == "{}" {
		args = nil
	}
	return json.Marshal(encoded{c.Rule.Name(), args, c.Ask, c.Source})
}

// Decode reads a check that MarshalJSON wrote, or that somebody wrote by hand. An unknown
// rule or argument is an error that names the nearest valid ones.
func (r Registry) Decode(raw json.RawMessage) (Check, error) {
	var e encoded
	if err := strict(raw, &e); err != nil {
		return Check{}, fmt.Errorf("check: %w", err)
	}
	mk := r[e.Rule]
	if mk == nil {
		return Check{}, fmt.Errorf("unknown rule %q%s", e.Rule, Suggest(e.Rule, r.Names()))
	}
	rule := mk()
	if len(e.Args) > 0 {
		if err := strict(e.Args, rule); err != nil {
			return Check{}, fmt.Errorf("rule %s: %w", e.Rule, err)
		}
	}
	return Check{Rule: rule, Ask: e.Ask, Source: e.Source}, nil
}

// Names returns the registered names, sorted.
func (r Registry) Names() []string {
	names := make([]string, 0, len(r))
	for n := range r {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

func strict(raw []byte, into any) error {
	if _, err := sim.ParseJSON(raw); err != nil { // duplicate keys, depth
		return err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	d.UseNumber()
	return d.Decode(into)
}

// Suggest returns `; did you mean "a" or "b"?` with the names nearest to a mistyped one, or
// `; there are a, b, c` when none is near and there are few, or "". Names are compared
// without case.
func Suggest(got string, names []string) string {
	type near struct {
		name string
		d    int
	}
	var best []near
	limit := max(2, len([]rune(got))/3)
	for _, n := range names {
		if d := distance(strings.ToLower(got), strings.ToLower(n)); d <= limit {
			best = append(best, near{n, d})
		}
	}
	slices.SortFunc(best, func(a, b near) int {
		if a.d != b.d {
			return a.d - b.d
		}
		return strings.Compare(a.name, b.name)
	})
	if len(best) > 3 {
		best = best[:3]
	}
	if len(best) > 0 {
		var q []string
		for _, b := range best {
			q = append(q, fmt.Sprintf("%q", b.name))
		}
		return "; did you mean " + strings.Join(q, " or ") + "?"
	}
	if len(names) == 0 || len(names) > 12 {
		return ""
	}
	sorted := slices.Clone(names)
	slices.Sort(sorted)
	return "; there are " + strings.Join(sorted, ", ")
}

// distance is the Levenshtein distance in runes.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x) > 200 || len(y) > 200 {
		return 200
	}
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		prev := row[0]
		row[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			prev, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, prev+cost)
		}
	}
	return row[len(y)]
}
