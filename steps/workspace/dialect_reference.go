package workspace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"benchwright/sim"
)

// appendReference appends JSON that tells of each tool in one line, with a sketch of its
// arguments: {"tool": name, "description": …, "args": {name: what}}.
func appendReference(b []byte, tools []sim.Tool) ([]byte, error) {
	b = append(b, '[')
	for i, t := range tools {
		line, err := toolLine(t)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, "\n  "...), line...)
	}
	return append(b, "\n]"...), nil
}

// A told is a tool that has been told of.
type told struct{ description, schema, line string }

// maxTold bounds the tools that are remembered, and the forms in which each is.
const maxTold = 256

// tellings are the tools that have been told of, by name, each in all its forms: worlds have few,
// and every episode begins with them.
var tellings struct {
	sync.RWMutex
	byName map[string][]told
}

// toolLine tells of one tool.
func toolLine(t sim.Tool) (string, error) {
	tellings.RLock()
	for _, k := range tellings.byName[t.Name] {
		if k.description == t.Description && k.schema == string(t.Schema) {
			tellings.RUnlock()
			return k.line, nil
		}
	}
	tellings.RUnlock()
	args, err := argumentSketch(t.Schema)
	if err != nil {
		return "", fmt.Errorf("schema of tool %s: %w", t.Name, err)
	}
	line, err := encode(struct {
		Tool        string          `json:"tool"`
		Description string          `json:"description"`
		Args        json.RawMessage `json:"args"`
	}{t.Name, firstLine(t.Description), args})
	if err != nil {
		return "", fmt.Errorf("tool %s: %w", t.Name, err)
	}
	tellings.Lock()
	defer tellings.Unlock()
	if tellings.byName == nil || len(tellings.byName) >= maxTold || len(tellings.byName[t.Name]) >= maxTold {
		tellings.byName = map[string][]told{}
	}
	tellings.byName[t.Name] = append(tellings.byName[t.Name], told{t.Description, string(t.Schema), line})
	return line, nil
}

// firstLine returns the first sentence of a description, or its first line.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if i := strings.Index(line, ". "); i >= 0 {
		line = line[:i+1]
	}
	return strings.TrimSpace(line)
}

// schema is what a sketch needs of a JSON Schema.
type schema struct {
	Type       json.RawMessage            `json:"type"`
	Enum       []json.RawMessage          `json:"enum"`
	Properties map[string]json.RawMessage `json:"properties"`
	Required   []string                   `json:"required"`
	Items      json.RawMessage            `json:"items"`
	AnyOf      []json.RawMessage          `json:"anyOf"`
	OneOf      []json.RawMessage          `json:"oneOf"`
}

// argumentSketch writes the arguments of a schema as an object: the required ones first, the
// optional ones after them with a question mark behind their names.
func argumentSketch(raw json.RawMessage) (json.RawMessage, error) {
	if len(raw) == 0 {
		return json.RawMessage("{}"), nil
	}
	var s schema
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	return s.object(0)
}

func (s schema) object(depth int) (json.RawMessage, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	var optional []string
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if !slices.Contains(s.Required, name) {
			optional = append(optional, name)
		}
	}
	required := slices.DeleteFunc(slices.Clone(s.Required), func(n string) bool { return s.Properties[n] == nil })
	for i, name := range append(required, optional...) {
		v, err := sketch(s.Properties[name], depth+1)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if i > 0 {
			b.WriteByte(',')
		}
		if i >= len(required) {
			name += "?"
		}
		b.Write(sim.MustCanonical(name))
		b.WriteByte(':')
		b.Write(v)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// sketch writes what a value may be: "string", "create | read", an object or a list of sketches.
func sketch(raw json.RawMessage, depth int) (json.RawMessage, error) {
	var s schema
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	const deep = 4
	var choices []string
	switch {
	case len(s.Properties) > 0 && depth < deep:
		return s.object(depth)
	case len(s.Items) > 0 && depth < deep:
		v, err := sketch(s.Items, depth+1)
		if err != nil {
			return nil, err
		}
		return json.RawMessage("[" + string(v) + "]"), nil
	case len(s.Enum) > 0:
		for _, e := range s.Enum {
			var text string
			if json.Unmarshal(e, &text) != nil {
				text = string(e)
			}
			choices = append(choices, text)
		}
	case len(s.AnyOf)+len(s.OneOf) > 0:
		for _, o := range append(s.AnyOf, s.OneOf...) {
			v, err := sketch(o, depth+1)
			if err != nil {
				return nil, err
			}
			choices = append(choices, strings.Trim(string(v), `"`))
		}
		if len(choices) == 2 && choices[1] == "null" {
			return sketch(append(s.AnyOf, s.OneOf...)[0], depth)
		}
	default:
		choices = types(s.Type)
	}
	choices = slices.DeleteFunc(choices, func(c string) bool { return c == "null" && len(choices) > 1 })
	if len(choices) == 0 {
		choices = []string{"any"}
	}
	return sim.MustCanonical(strings.Join(choices, " | ")), nil
}

func types(raw json.RawMessage) []string {
	var one string
	var many []string
	if json.Unmarshal(raw, &one) == nil && one != "" {
		return []string{one}
	}
	if json.Unmarshal(raw, &many) != nil {
		return nil
	}
	return many
}

// encode is json.Marshal that leaves <, > and & as they are.
func encode(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// maxQuoted is how many bytes of somebody else's words go into a message.
const maxQuoted = 80

// clip shortens what a model or a file said, between runes.
func clip(s string) string {
	if len(s) <= maxQuoted {
		return s
	}
	n := maxQuoted
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
