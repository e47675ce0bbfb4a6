package workspace

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"benchwright/sim"
	"benchwright/tasks"
)

// An AskContext is the public facts that come with an ask. It is the Context of a tasks.Ask.
type AskContext struct {
	Track         string            `json:"track,omitempty"`               // "" is [Guided]
	FinalAnswer   bool              `json:"final_answer,omitempty"`        // the ask is completed by an answer
	Specification string            `json:"specification_level,omitempty"` // explicit, partially-specified or open-brief
	Terms         []string          `json:"business_terms,omitempty"`      // business identifiers that the ask may use verbatim
	Fixtures      []string          `json:"fixtures,omitempty"`            // slugs of the backends
	Origins       map[string]string `json:"origin_hints,omitempty"`        // slug → display name; told on the guided track alone
}

// parseContext reads an AskContext; none at all is one without facts.
func parseContext(raw json.RawMessage) (c AskContext, err error) {
	if len(raw) == 0 {
		return c, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return c, err
	}
	if c.Track != "" && !slices.Contains(Tracks(), c.Track) {
		return c, tasks.Unknown("track", c.Track, Tracks())
	}
	return c, nil
}

// A facts is an AskContext that was read, and must not be written to.
type facts struct {
	AskContext
	names map[string]string // display names by lower-case slug, or else by lower-case display name
	shown map[string]bool   // display names
}

// maxFacts bounds the contexts that are remembered, which are as many as the tasks at work.
const maxFacts = 4096

// contexts are those that were read: every reply and every result is about one.
var contexts struct {
	sync.RWMutex
	facts map[string]*facts // by their JSON
}

// factsOf is parseContext that remembers.
func factsOf(raw json.RawMessage) (*facts, error) {
	contexts.RLock()
	f := contexts.facts[string(raw)]
	contexts.RUnlock()
	if f != nil {
		return f, nil
	}
	c, err := parseContext(raw)
	if err != nil {
		return nil, err
	}
	f = &facts{AskContext: c, names: map[string]string{}, shown: map[string]bool{}}
	for slug, name := range c.Origins {
		f.names[strings.ToLower(slug)] = name
		f.shown[name] = true
	}
	for _, name := range c.Origins {
		if lower := strings.ToLower(name); f.names[lower] == "" {
			f.names[lower] = name
		}
	}
	contexts.Lock()
	defer contexts.Unlock()
	if contexts.facts == nil || len(contexts.facts) >= maxFacts {
		contexts.facts = map[string]*facts{}
	}
	contexts.facts[string(raw)] = f
	return f, nil
}

// answers reports whether an ask of the envelope is completed by an answer. A context that cannot
// be read, which opening the ask has said, is none.
func answers(env tasks.Envelope) bool {
	for i := range env.Asks {
		if f, err := factsOf(env.Asks[i].Context); err == nil && f.FinalAnswer {
			return true
		}
	}
	return false
}

// display returns the display name of a backend of the envelope that somebody wrote as its slug,
// or in other letters.
func display(env tasks.Envelope, said string) (name string, ok bool) {
	said = strings.TrimSpace(said)
	lower := ""
	for i := range env.Asks {
		f, err := factsOf(env.Asks[len(env.Asks)-1-i].Context) // the later ask counts
		if err != nil {
			continue
		}
		if f.shown[said] {
			return said, true
		}
		if lower == "" {
			lower = strings.ToLower(said)
		}
		if name, ok = f.names[lower]; ok {
			return name, true
		}
	}
	return "", false
}

// appendTask appends how an ask is shown: JSON over several lines, of what is known of it.
func (f *facts) appendTask(b []byte, prompt string, offered []sim.Tool) []byte {
	b = appendShown(append(b, "{\n  \"prompt\": "...), prompt)
	if f.Specification != "" {
		b = appendShown(append(b, ",\n  \"specification_level\": "...), f.Specification)
	}
	for _, l := range []struct {
		key   string
		texts []string
	}{{"business_terms", f.Terms}, {"fixtures", f.Fixtures}} {
		if len(l.texts) > 0 {
			b = append(append(append(b, ",\n  \""...), l.key...), "\": ["...)
			for i, text := range l.texts {
				b = appendShown(newLine(appendComma(b, i), 2), text)
			}
			b = append(b, "\n  ]"...)
		}
	}
	if len(f.Origins) > 0 && f.Track != Cold {
		b = append(b, ",\n  \"origin_hints\": {"...)
		for i, slug := range slices.Sorted(maps.Keys(f.Origins)) {
			b = append(appendShown(newLine(appendComma(b, i), 2), slug), ": "...)
			b = appendShown(b, f.Origins[slug])
		}
		b = append(b, "\n  }"...)
	}
	note := closed
	if slices.ContainsFunc(offered, func(t sim.Tool) bool { return t.Name == "get_workspace_snapshot" }) {
		note = closedLook
	}
	b = appendShown(append(b, ",\n  \"initial_state\": {\n    \"note\": "...), note)
	b = append(b, "\n  },\n  \"allowed_tools\": ["...)
	for i, t := range offered {
		b = appendShown(newLine(appendComma(b, i), 2), t.Name)
	}
	if len(offered) > 0 {
		b = append(b, "\n  "...)
	}
	return append(b, "]\n}"...)
}

func appendComma(b []byte, i int) []byte {
	if i > 0 {
		return append(b, ',')
	}
	return b
}

// appendShown appends a text as JSON, as encoding/json does it: with the two characters escaped that
// end lines in JavaScript.
func appendShown(b []byte, s string) []byte {
	from := len(b)
	b = sim.AppendCanonical(b, s)
	for _, c := range []string{"\u2028", "\u2029"} {
		if strings.Contains(s, c) {
			b = append(b[:from], bytes.ReplaceAll(b[from:], []byte(c), []byte(strconv.QuoteToASCII(c)[1:7]))...)
		}
	}
	return b
}
