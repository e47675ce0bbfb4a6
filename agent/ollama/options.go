package ollama

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ollama/ollama/api"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
)

// Options are what a run may say about its model. The zero value is right: temperature 0, no
// thinking, the context window and the sampling parameters of the model itself.
type Options struct {
	Temperature   float64        `json:"temperature"`
	TopK          *int           `json:"top_k,omitempty"`
	TopP          *float64       `json:"top_p,omitempty"`
	RepeatPenalty *float64       `json:"repeat_penalty,omitempty"` // acts at temperature 0, too
	Stop          []string       `json:"stop,omitempty"`
	Context       int            `json:"context,omitempty"`    // window in tokens (num_ctx); 0: the model's own
	Threads       int            `json:"num_thread,omitempty"` // 0: the server's choice
	Output        int            `json:"output,omitempty"`     // cap of one reply in tokens; tightens a task's limit, never widens it
	KeepAlive     *time.Duration `json:"keep_alive,omitempty"` // how long the model stays loaded; negative: for ever; nil: the server's choice
	Think         any            `json:"think,omitempty"`      // true, or "low", "medium", "high"; nil and false: no thinking

	// These belong to the run, which reads them; nothing of them is sent.

	Seed    *int64      `json:"seed,omitempty"`    // of the first trial; nil: the run's
	Prices  *Prices     `json:"prices,omitempty"`  // nil: cost is not known
	Basis   agent.Basis `json:"basis,omitempty"`   // what a token budget counts
	Retries *int        `json:"retries,omitempty"` // of a request, at transport level; nil: 3
}

// Prices are amounts for a million tokens, in whatever currency, spelled exactly as given: money
// is never a float. Cached is empty where cached input costs as much as any.
type Prices struct {
	Input  json.Number `json:"input"`
	Cached json.Number `json:"cached,omitempty"`
	Output json.Number `json:"output"`
}

const (
	defaultRetries = 3
	maxSeed        = 1<<31 - 1 // the server takes 32 bits, and reads -1 as "random"
)

// setters reads each option. What they get is what sim.ParseJSON makes of JSON.
var setters = map[string]func(o *Options, v any) error{
	"temperature": func(o *Options, v any) error { return number(v, 0, 10, &o.Temperature) },
	"top_k":       func(o *Options, v any) error { o.TopK = new(int); return whole(v, 0, 1<<20, o.TopK) },
	"top_p":       func(o *Options, v any) error { o.TopP = new(float64); return number(v, 0, 1, o.TopP) },
	"repeat_penalty": func(o *Options, v any) error {
		o.RepeatPenalty = new(float64)
		return number(v, 0, 10, o.RepeatPenalty)
	},
	"stop":       setStop,
	"context":    func(o *Options, v any) error { return whole(v, 1, 1<<30, &o.Context) },
	"num_thread": func(o *Options, v any) error { return whole(v, 1, 4096, &o.Threads) },
	"output":     func(o *Options, v any) error { return whole(v, 1, 1<<30, &o.Output) },
	"keep_alive": setKeepAlive,
	"think":      setThink,
	"seed":       func(o *Options, v any) error { o.Seed = new(int64); return whole(v, 0, maxSeed, o.Seed) },
	"prices":     setPrices,
	"basis":      setBasis,
	"retries":    func(o *Options, v any) error { o.Retries = new(int); return whole(v, 0, 10, o.Retries) },
}

// aliases are names that people know from elsewhere.
var aliases = map[string]string{
	"num_ctx": "context", "context_window": "context", "num_predict": "output", "max_tokens": "output", "threads": "num_thread",
}

// ParseOptions reads options from a JSON object; nothing at all is the same as {}. It is strict:
// an unknown option, one of a wrong type or out of range, and a duplicate are errors, all of
// them reported together in the order of their names.
func ParseOptions(raw []byte) (Options, error) {
	var o Options
	if len(strings.TrimSpace(string(raw))) == 0 {
		return o, nil
	}
	v, err := sim.ParseJSON(raw)
	if err != nil {
		return o, fmt.Errorf("options: %w", err)
	}
	m, ok := v.(map[string]any)
	if !ok {
		return o, fmt.Errorf("options: %s: want an object, as in {\"temperature\": 0}", show(v))
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(m)) {
		set := setters[name]
		if set == nil {
			hint := grader.Suggest(name, slices.Sorted(maps.Keys(setters)))
			if known := aliases[name]; known != "" {
				hint = fmt.Sprintf("; it is called %q here", known)
			}
			errs = append(errs, fmt.Errorf("option %s: unknown%s", quote(name), hint))
			continue
		}
		if err := set(&o, m[name]); err != nil {
			errs = append(errs, fmt.Errorf("option %q: %w", name, err))
		}
	}
	if len(errs) > 0 {
		return Options{}, errors.Join(errs...)
	}
	return o, nil
}

func number(v any, low, high float64, to *float64) error {
	n, ok := v.(json.Number)
	if f, err := n.Float64(); ok && err == nil && low <= f && f <= high {
		*to = f
		return nil
	}
	return fmt.Errorf("%s: want a number from %v to %v", show(v), low, high)
}

func whole[T int | int64](v any, low, high T, to *T) error {
	n, ok := v.(json.Number)
	if i, err := strconv.ParseInt(string(n), 10, 64); ok && err == nil && int64(low) <= i && i <= int64(high) {
		*to = T(i)
		return nil
	}
	return fmt.Errorf("%s: want a whole number from %d to %d", show(v), low, high)
}

func setStop(o *Options, v any) error {
	list, ok := v.([]any)
	for _, e := range list {
		s, isText := e.(string)
		ok = ok && isText && s != ""
		o.Stop = append(o.Stop, s)
	}
	if !ok {
		return fmt.Errorf(`%s: want a list of texts, as in ["END"]`, show(v))
	}
	return nil
}

func setKeepAlive(o *Options, v any) error {
	var d time.Duration
	var err error
	switch v := v.(type) {
	case string:
		d, err = time.ParseDuration(v)
	case json.Number:
		d, err = time.ParseDuration(string(v) + "s")
	default:
		err = errors.New("")
	}
	switch {
	case err != nil:
		return fmt.Errorf(`%s: want a duration such as "10m", seconds, or -1 for ever`, show(v))
	case d == 0:
		return errors.New(`0 would unload the model after every reply; want a duration such as "10m", or -1 for ever`)
	}
	o.KeepAlive = &d
	return nil
}

func setThink(o *Options, v any) error {
	switch v {
	case true, false, "low", "medium", "high":
		o.Think = v
		return nil
	}
	return fmt.Errorf(`%s: want true, false, "low", "medium" or "high"`, show(v))
}

func setBasis(o *Options, v any) error {
	s, _ := v.(string)
	switch o.Basis = agent.Basis(s); o.Basis {
	case agent.Uncached, agent.Total:
		return nil
	}
	return fmt.Errorf("%s: want %q or %q", show(v), agent.Uncached, agent.Total)
}

// amount is a price: at most a billion, at most twelve decimals, no exponent.
var amount = regexp.MustCompile(`^(0|[1-9][0-9]{0,8})(\.[0-9]{1,12})?$`)

func setPrices(o *Options, v any) error {
	m, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf(`%s: want {"input": …, "cached": …, "output": …}, each for a million tokens`, show(v))
	}
	o.Prices = &Prices{}
	fields := map[string]*json.Number{"input": &o.Prices.Input, "cached": &o.Prices.Cached, "output": &o.Prices.Output}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		to := fields[name]
		if to == nil {
			return fmt.Errorf("unknown price %s%s", quote(name), grader.Suggest(name, slices.Sorted(maps.Keys(fields))))
		}
		n, ok := m[name].(json.Number)
		if s, isText := m[name].(string); isText {
			n, ok = json.Number(s), true
		}
		if !ok || !amount.MatchString(string(n)) {
			return fmt.Errorf("price %q: %s: want an amount such as 0.15", name, show(m[name]))
		}
		*to = n
	}
	if o.Prices.Input == "" || o.Prices.Output == "" {
		return errors.New(`want both "input" and "output"`)
	}
	return nil
}

// show returns a value as an error may quote it.
func show(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return "?"
	}
	return clip(string(raw))
}

// sent returns the options that go into every request, as Ollama names them. Those that the
// run does not set are left to the model.
func (o Options) sent() map[string]any {
	m := map[string]any{"temperature": o.Temperature}
	if o.TopK != nil {
		m["top_k"] = *o.TopK
	}
	if o.TopP != nil {
		m["top_p"] = *o.TopP
	}
	if o.RepeatPenalty != nil {
		m["repeat_penalty"] = *o.RepeatPenalty
	}
	if len(o.Stop) > 0 {
		m["stop"] = o.Stop
	}
	if o.Context > 0 {
		m["num_ctx"] = o.Context
	}
	if o.Threads > 0 {
		m["num_thread"] = o.Threads
	}
	return m
}

// think returns what is sent about thinking: always something, since a model that can think
// does so when nothing is said.
func (o Options) think() *api.ThinkValue {
	if o.Think == nil {
		return &api.ThinkValue{Value: false}
	}
	return &api.ThinkValue{Value: o.Think}
}

func (o Options) keepAlive() *api.Duration {
	if o.KeepAlive == nil {
		return nil
	}
	return &api.Duration{Duration: *o.KeepAlive}
}

func (o Options) retries() int {
	if o.Retries == nil {
		return defaultRetries
	}
	return *o.Retries
}

// output returns the cap of a reply for a task's own; 0 means none.
func (o Options) output(task int) int {
	if o.Output > 0 && (task <= 0 || o.Output < task) {
		return o.Output
	}
	return max(task, 0)
}
