package simtest

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"benchwright/sim"
)

// list returns a world's tools.
func (k *checker) list(w sim.World) (tools []sim.Tool) {
	k.safely(neverPanics, "Tools", func() { tools = w.Tools() })
	return tools
}

// tools returns a world's tools as bytes.
func (k *checker) tools(w sim.World) json.RawMessage {
	raw, err := json.Marshal(k.list(w))
	if err != nil { // a schema that is no JSON; reported as tool-schemas
		return json.RawMessage(err.Error())
	}
	return raw
}

// checkTools checks names, descriptions and schemas, and that the list stays what it is.
func (k *checker) checkTools(w sim.World) {
	before := k.tools(w)
	seen := map[string]bool{}
	for i, t := range k.list(w) {
		switch {
		case t.Name == "":
			k.broken(toolNames, "tool %d has no name", i)
		case t.Description == "":
			k.broken(toolNames, "tool %s has no description", short(t.Name))
		case seen[t.Name]:
			k.broken(toolNames, "two tools are named %s", short(t.Name))
		}
		seen[t.Name] = true
		if problem := badSchema(t.Schema); problem != "" {
			k.broken(toolSchemas, "tool %s: %s", short(t.Name), problem)
		}
	}
	for _, c := range k.c.Calls {
		k.call(k.ctx, w, c)
	}
	if after := k.tools(w); !bytes.Equal(before, after) {
		k.broken(toolsStable, "the list was %s and is, after the calls, %s", short(string(before)), short(string(after)))
	}
}

// badSchema says what is wrong with a schema of arguments, or "".
func badSchema(raw json.RawMessage) string {
	v, err := sim.ParseJSON(raw)
	if err != nil {
		return "the schema is no JSON: " + err.Error()
	}
	object, ok := v.(map[string]any)
	if !ok || object["type"] != "object" {
		return `the schema has not the type "object"`
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", v); err != nil {
		return err.Error()
	}
	if _, err := c.Compile("schema.json"); err != nil {
		return err.Error()
	}
	return ""
}

// properties returns the names of the arguments that a schema describes, sorted.
func properties(schema json.RawMessage) []string {
	v, err := sim.ParseJSON(schema)
	if err != nil {
		return nil
	}
	object, _ := v.(map[string]any)
	p, _ := object["properties"].(map[string]any)
	return slices.Sorted(maps.Keys(p))
}
