package workspace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"benchwright/sim"
	"benchwright/tasks"
)

// Codes of replies that are no action.
const (
	InvalidJSON   = tasks.InvalidJSON   // no JSON object at the start
	InvalidAction = tasks.InvalidAction // JSON, but not of a known shape
	InvalidText   = "invalid_text"      // the text of a reply without native calls that says nothing
	EmptyAnswer   = "empty_answer"      // final_answer without a text
)

// Parse reads an action leniently, as the published protocol does:
//
//  1. One code fence around the reply is taken off.
//  2. The first JSON value counts, which must be an object; what follows it is ignored.
//  3. "done": true ends the ask. A tool that stands beside it is called first.
//  4. Of "tool_calls" the first is the action; an empty list is malformed.
//  5. "tool_call" is unwrapped; "function" with "name" and "arguments" is understood, as are
//     "name" for "tool", "arguments" for "args", and arguments in a string of JSON.
//  6. When the tool is unknown and its arguments name a tool, they are the action.
//
// The name of the tool is freed of quotes and prefixes, and of the arguments "origin" and
// "backend_name" may be the slug of a backend for its display name. Nothing else is corrected.
//
// final_answer becomes the answer where the envelope has one; elsewhere it is a call like any
// other, which the world refuses. A name or a key that is not there at all is malformed too: the
// published system ends the episode for it, here it costs one of the [Dialect.Repairs].
func (Dialect) Parse(env tasks.Envelope, reply string) (tasks.Action, error) {
	text := unfenced(reply)
	if text == "" {
		return tasks.Action{}, tasks.Malformedf(InvalidJSON, "the reply is empty")
	}
	o, bad := firstObject(text)
	if bad != nil {
		return tasks.Action{}, bad
	}
	return o.action(env)
}

// ParseText reads the text of a reply without native calls. An action in JSON that ends or
// answers the ask is understood. Other words are the answer where the ask wants one, and
// elsewhere say that nothing is left to do.
func (d Dialect) ParseText(env tasks.Envelope, reply string) (tasks.Action, error) {
	text := unfenced(reply)
	if text == "" {
		return tasks.Action{}, tasks.Malformedf(InvalidText, "it has neither calls nor text")
	}
	if o, bad := firstObject(text); bad == nil {
		a, err := o.action(env)
		switch {
		case err == nil && len(a.Calls) > 0:
			return tasks.Action{}, tasks.Malformedf(InvalidText, "a tool is used by calling it, not by writing the call down")
		case err == nil:
			return a, nil
		}
	}
	if answers, _ := publicOf(env); answers {
		return tasks.Action{Answer: sim.MustCanonical(strings.TrimSpace(reply))}, nil
	}
	return tasks.Action{Answer: json.RawMessage("null")}, nil
}

// ParseCalls reads native calls. final_answer is the answer, where the envelope has one, and
// calls after it are not made.
func (Dialect) ParseCalls(env tasks.Envelope, calls []sim.Call) (tasks.Action, error) {
	answers, origins := publicOf(env)
	var a tasks.Action
	for _, c := range calls {
		c.Name = toolName(c.Name)
		args, err := object(c.Arguments)
		if err != nil { // the world has words for that
			a.Calls = append(a.Calls, c)
			continue
		}
		if c.Name == FinalAnswer && answers {
			text, bad := args.answer()
			if bad != nil {
				return tasks.Action{}, bad
			}
			a.Answer = text
			return a, nil
		}
		c.Arguments = args.normal(origins)
		a.Calls = append(a.Calls, c)
	}
	return a, nil
}

// unfenced takes space and one code fence off a reply.
func unfenced(reply string) string {
	text := strings.TrimSpace(strings.TrimPrefix(reply, "\uFEFF"))
	inner, ok := strings.CutPrefix(text, "```")
	if !ok {
		return text
	}
	if len(inner) >= 4 && strings.EqualFold(inner[:4], "json") {
		inner = inner[4:]
	}
	inner = strings.TrimSpace(inner)
	return strings.TrimSpace(strings.TrimSuffix(inner, "```"))
}

// firstObject reads the JSON object that a text begins with.
func firstObject(text string) (members, *tasks.Malformed) {
	d := json.NewDecoder(strings.NewReader(text))
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		if text[0] != '{' && text[0] != '[' && text[0] != '"' {
			return nil, tasks.Malformedf(InvalidJSON, "it begins with %q, not with a JSON object", clip(text))
		}
		return nil, tasks.Malformedf(InvalidJSON, "%s", clip(err.Error()))
	}
	o, err := object(raw)
	if err != nil {
		return nil, tasks.Malformedf(InvalidAction, "%s", err)
	}
	return o, nil
}

// members is a JSON object whose keys keep their order, since it matters to the world what comes
// first. Of a key that is named twice the last value counts, at the first place.
type members []oneMember

type oneMember struct {
	key   string
	value json.RawMessage
}

func (o members) get(key string) json.RawMessage {
	for _, m := range o {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// has reports whether the object holds a value other than null under a key.
func (o members) has(key string) bool {
	v := o.get(key)
	return v != nil && string(v) != "null"
}

func (o members) done() bool { return string(o.get("done")) == "true" }

// text returns the value of the first of the keys that holds a string.
func (o members) text(keys ...string) string {
	for _, k := range keys {
		var s string
		if v := o.get(k); len(v) > 0 && v[0] == '"' && json.Unmarshal(v, &s) == nil {
			return s
		}
	}
	return ""
}

// object reads a JSON object.
func object(raw json.RawMessage) (members, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	t, err := d.Token()
	if err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("it is JSON, but not an object")
	}
	out := members{}
	for d.More() {
		k, err := d.Token()
		if err != nil {
			return nil, err
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(out, func(m oneMember) bool { return m.key == k }); i >= 0 {
			out[i].value = v
		} else {
			out = append(out, oneMember{k.(string), v})
		}
	}
	return out, nil
}

// action reads an action as Parse does.
func (o members) action(env tasks.Envelope) (tasks.Action, error) {
	answers, origins := publicOf(env)
	o, bad := o.unwrapped()
	if bad != nil {
		return tasks.Action{}, bad
	}
	done := o.done()
	name, args, bad := o.call()
	if bad == nil && !known(name) && (args.has("tool") || args.has("name") || args.done()) {
		done = done || args.done()
		name, args, bad = args.call()
	}
	switch {
	case bad != nil:
		return tasks.Action{}, bad
	case name == "" && done:
		return tasks.Action{Answer: json.RawMessage("null")}, nil
	case name == "":
		return tasks.Action{}, tasks.Malformedf(InvalidAction, `it has neither a "tool" nor "done": true`)
	}
	if name == FinalAnswer && answers {
		text, bad := args.answer()
		if bad != nil {
			return tasks.Action{}, bad
		}
		return tasks.Action{Answer: text}, nil
	}
	a := tasks.Action{Calls: []sim.Call{{Name: name, Arguments: args.normal(origins)}}}
	if _, err := sim.ParseJSON(a.Calls[0].Arguments); err != nil {
		return tasks.Action{}, tasks.Malformedf(InvalidJSON, "its arguments: %s", clip(err.Error()))
	}
	if done {
		a.Answer = json.RawMessage("null")
	}
	return a, nil
}

// unwrapped returns the action within "tool_calls" or "tool_call", with "done" from around it.
func (o members) unwrapped() (members, *tasks.Malformed) {
	inner := o.get("tool_call")
	if raw := o.get("tool_calls"); raw != nil && string(raw) != "null" {
		var list []json.RawMessage
		if err := json.Unmarshal(raw, &list); err != nil {
			return nil, tasks.Malformedf(InvalidAction, `"tool_calls" is not a list`)
		}
		if len(list) == 0 {
			return nil, tasks.Malformedf(InvalidAction, `"tool_calls" is empty`)
		}
		inner = list[0]
	}
	if inner == nil || string(inner) == "null" {
		return o, nil
	}
	in, err := object(inner)
	if err != nil {
		return nil, tasks.Malformedf(InvalidAction, "the tool call is not an object")
	}
	if done := o.get("done"); done != nil && in.get("done") == nil {
		in = append(in, oneMember{"done", done})
	}
	return in, nil
}

// call reads the name of the tool, which may be missing, and the arguments.
func (o members) call() (name string, args members, bad *tasks.Malformed) {
	from := o
	if f, err := object(o.get("function")); o.has("function") && err == nil {
		from = f
	}
	for _, key := range []string{"tool", "name"} {
		v := from.get(key)
		if v == nil || string(v) == "null" {
			continue
		}
		if v[0] != '"' {
			return "", nil, tasks.Malformedf(InvalidAction, "%q is not the name of a tool", key)
		}
		name = toolName(from.text(key))
		break
	}
	raw := from.get("args")
	if raw == nil || string(raw) == "null" {
		raw = from.get("arguments")
	}
	if raw == nil || string(raw) == "null" {
		return name, members{}, nil
	}
	if raw[0] == '"' {
		raw = json.RawMessage(strings.TrimSpace(decoded(raw)))
		if len(raw) == 0 {
			return name, members{}, nil
		}
		if !json.Valid(raw) {
			return "", nil, tasks.Malformedf(InvalidAction, `"args" is text, and not that of a JSON object`)
		}
	}
	args, err := object(raw)
	if err != nil {
		return "", nil, tasks.Malformedf(InvalidAction, `"args" is not an object`)
	}
	return name, args, nil
}

func decoded(raw json.RawMessage) string {
	var s string
	json.Unmarshal(raw, &s) // it is a JSON string, being part of what was read
	return s
}

// answerKeys are the arguments of final_answer that may hold the text; the first counts that
// does.
var answerKeys = []string{"text", "answer", "answer_text", "data", "content"}

// answer returns the text of final_answer.
func (o members) answer() (json.RawMessage, *tasks.Malformed) {
	for _, k := range answerKeys {
		if s := o.text(k); strings.TrimSpace(s) != "" {
			return sim.MustCanonical(s), nil
		}
	}
	return nil, tasks.Malformedf(EmptyAnswer, "final_answer requires non-empty text.")
}

// normal returns the arguments with display names where a slug or a name in other letters is
// known for one. Keys that JSON names twice deeper within are left to the last.
func (o members) normal(origins map[string]string) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if m.key == "origin" || m.key == "backend_name" {
			if name, ok := origins[strings.ToLower(strings.TrimSpace(o.text(m.key)))]; ok {
				m.value = sim.MustCanonical(name)
			}
		}
		b.Write(sim.MustCanonical(m.key))
		b.WriteByte(':')
		b.Write(single(m.value))
	}
	b.WriteByte('}')
	return compact(b.Bytes())
}

// single returns JSON without keys that are named twice.
func single(raw json.RawMessage) json.RawMessage {
	if _, err := sim.ParseJSON(raw); err == nil {
		return raw
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return raw
	}
	if c, err := sim.Canonical(v); err == nil {
		return c
	}
	return raw // nested too deep, which is found out by the caller
}

func compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

// quotes are what models put around names.
const quotes = " \t\r\n`'\"\u2018\u2019\u201c\u201d"

// toolName frees a name from quotes and prefixes.
func toolName(name string) string {
	name = strings.Trim(name, quotes)
	for _, prefix := range []string{"tool.", "function.", "functions."} {
		name = strings.TrimPrefix(name, prefix)
	}
	if rest, ok := strings.CutPrefix(name, "tool_"); ok && known(rest) {
		return rest
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 && known(name[i+1:]) {
		return name[i+1:]
	}
	return name
}

func known(name string) bool { return name == FinalAnswer || slices.Contains(toolNames, name) }
