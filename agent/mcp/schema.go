package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"benchwright/sim"
)

// A Breach is a call whose arguments the published schema of its tool forbids. Worlds are
// lenient about some of these; a strict server of the product would not be.
type Breach struct{ Tool, Problem string }

// maxBreaches is how many breaches of an episode are kept.
const maxBreaches = 100

// schemas checks arguments by the published schemas of tools.
type schemas struct{ byName map[string]*jsonschema.Schema }

// compiled are the schemas of all episodes, by their text.
var compiled sync.Map

func newSchemas(tools []sim.Tool) *schemas {
	s := &schemas{byName: map[string]*jsonschema.Schema{}}
	for _, t := range tools {
		if c := compile(string(t.Schema)); c != nil {
			s.byName[t.Name] = c
		}
	}
	return s
}

// compile returns nil for what is no schema: then nothing is checked by it.
func compile(text string) *jsonschema.Schema {
	if c, ok := compiled.Load(text); ok {
		return c.(*jsonschema.Schema)
	}
	var c *jsonschema.Schema
	if doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text)); err == nil {
		k := jsonschema.NewCompiler()
		k.UseLoader(nothing{})
		if k.AddResource("tool.json", doc) == nil {
			c, _ = k.Compile("tool.json")
		}
	}
	compiled.Store(text, c)
	return c
}

// nothing loads nothing: a schema stands for itself.
type nothing struct{}

func (nothing) Load(string) (any, error) {
	return nil, errors.New("no schema is loaded from elsewhere")
}

// check returns what is wrong with arguments, or "".
func (s *schemas) check(tool string, arguments json.RawMessage) string {
	c := s.byName[tool]
	if c == nil {
		return ""
	}
	if len(bytes.TrimSpace(arguments)) == 0 || string(arguments) == "null" {
		arguments = json.RawMessage("{}")
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(arguments))
	if err != nil {
		return "the arguments are not JSON"
	}
	err = c.Validate(v)
	var bad *jsonschema.ValidationError
	if !errors.As(err, &bad) {
		return ""
	}
	for len(bad.Causes) > 0 {
		bad = bad.Causes[0]
	}
	at := strings.Join(bad.InstanceLocation, ".")
	if at != "" {
		at += ": "
	}
	text := strings.TrimSpace(bad.Error())
	if i := strings.LastIndex(text, "\n"); i >= 0 {
		text = text[i+1:]
	}
	if _, words, ok := strings.Cut(text, "': "); ok {
		text = words
	}
	return short(at + text)
}

// short returns text of a client as it can be shown on one line.
func short(text string) string {
	const most = 300
	text = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, text[:min(len(text), most)])
	return text
}
