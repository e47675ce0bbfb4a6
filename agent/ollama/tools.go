package ollama

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/ollama/ollama/api"

	"benchwright/sim"
	"benchwright/tasks"
)

// apiMessage returns a message of the conversation as Ollama has it.
func apiMessage(m tasks.Message) (api.Message, error) {
	out := api.Message{Role: m.Role, Content: m.Content, ToolName: m.Tool}
	for i, c := range m.Calls {
		args, err := apiArguments(c.Arguments)
		if err != nil {
			return out, fmt.Errorf("call %d (%s): %w", i+1, quote(c.Name), err)
		}
		out.ToolCalls = append(out.ToolCalls, api.ToolCall{
			Function: api.ToolCallFunction{Index: i, Name: c.Name, Arguments: args},
		})
	}
	return out, nil
}

// apiArguments keeps every value as it is spelled, in the order of the keys. Arguments of a model
// that are no object, which Ollama's types cannot hold, go as the one member of an object.
func apiArguments(raw json.RawMessage) (api.ToolCallFunctionArguments, error) {
	args := api.NewToolCallFunctionArguments()
	if len(raw) == 0 {
		return args, nil
	}
	var v json.RawMessage
	if err := json.Unmarshal(raw, &v); err != nil {
		return args, fmt.Errorf("arguments: %w", err)
	}
	var m map[string]json.RawMessage
	if json.Unmarshal(v, &m) != nil {
		m = map[string]json.RawMessage{"arguments": v}
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		args.Set(k, m[k])
	}
	return args, nil
}

// apiTools returns tools as Ollama has them. Its types hold no more of a schema than types,
// items, descriptions, enumerations, alternatives and properties; the server reads requests into
// the same types, so what they lose (bounds, patterns, nested requirements) would never reach a
// template, however it was sent. A schema that does not survive is therefore added, whole, to
// the tool's description. That further properties are forbidden goes without saying.
func apiTools(list []sim.Tool) (api.Tools, error) {
	var out api.Tools
	for _, t := range list {
		whole, err := sim.Canonical(t.Schema)
		if err != nil {
			return nil, fmt.Errorf("tool %q: schema: %w", t.Name, err)
		}
		f := api.ToolFunction{Name: t.Name, Description: t.Description}
		if json.Unmarshal(t.Schema, &f.Parameters) != nil {
			f.Parameters = api.ToolFunctionParameters{} // a schema that the types cannot hold at all
		}
		if f.Parameters.Type == "" {
			f.Parameters.Type = "object"
		}
		if f.Parameters.Properties == nil {
			f.Parameters.Properties = api.NewToolPropertiesMap()
		}
		kept, err := sim.Canonical(f.Parameters)
		if err != nil {
			return nil, fmt.Errorf("tool %q: schema: %w", t.Name, err)
		}
		if !equal(kept, whole) {
			if f.Description != "" {
				f.Description += "\n"
			}
			f.Description += "JSON Schema of the arguments: " + string(whole)
		}
		out = append(out, api.Tool{Type: "function", Function: f})
	}
	return out, nil
}

// equal compares schemas but for further properties being forbidden.
func equal(a, b json.RawMessage) bool {
	x, errX := sim.ParseJSON(a)
	y, errY := sim.ParseJSON(b)
	return errX == nil && errY == nil && reflect.DeepEqual(open(x), open(y))
}

// open returns a schema without its mentions of further properties being forbidden.
func open(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for k, e := range v {
			if k != "additionalProperties" || e != false {
				m[k] = open(e)
			}
		}
		return m
	case []any:
		a := make([]any, len(v))
		for i, e := range v {
			a[i] = open(e)
		}
		return a
	}
	return v
}
