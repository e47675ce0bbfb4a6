package workspace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

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
	if answers(env) {
		return tasks.Action{Answer: sim.MustCanonical(strings.TrimSpace(reply))}, nil
	}
	return tasks.Action{Answer: json.RawMessage("null")}, nil
}

// ParseCalls reads native calls. final_answer is the answer, where the envelope has one, and
// calls after it are not made.
func (Dialect) ParseCalls(env tasks.Envelope, calls []sim.Call) (tasks.Action, error) {
	wanted := answers(env)
	var a tasks.Action
	for _, c := range calls {
		c.Name = toolName(c.Name)
		if c.Name != FinalAnswer && asNormal(c.Arguments) {
			a.Calls = append(a.Calls, c)
			continue
		}
		args, err := object(c.Arguments)
		if err != nil { // the world has words for that
			a.Calls = append(a.Calls, c)
			continue
		}
		if c.Name == FinalAnswer && wanted {
			text, bad := args.answer()
			if bad != nil {
				return tasks.Action{}, bad
			}
			a.Answer = text
			return a, nil
		}
		c.Arguments = args.normal(env)
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
	if o, ok := quick(text, []byte(text)); ok {
		return o, nil
	}
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
		if v := o.get(k); len(v) > 0 && v[0] == '"' {
			return decoded(v)
		}
	}
	return ""
}

// object reads a JSON object.
func object(raw json.RawMessage) (members, error) {
	if o, ok := quick(string(raw), raw); ok {
		return o, nil
	}
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
		out = out.with(k.(string), v)
	}
	return out, nil
}

func (o members) with(key string, value json.RawMessage) members {
	for i := range o {
		if o[i].key == key {
			o[i].value = value
			return o
		}
	}
	return append(o, oneMember{key, value})
}

// quick reads the JSON object that a text begins with; raw is the text. What it gives up on may
// be an object all the same.
func quick(text string, raw []byte) (o members, ok bool) {
	if text == "" || text[0] != '{' {
		return nil, false
	}
	o = make(members, 0, 8)
	i := space(text, 1)
	if i < len(text) && text[i] == '}' {
		return o, true
	}
	for i < len(text) && text[i] == '"' {
		end, canonical := sim.ScanJSON(text, i)
		if end < 0 || !canonical || strings.IndexByte(text[i:end], '\\') >= 0 {
			return nil, false
		}
		key := text[i+1 : end-1]
		if i = space(text, end); i == len(text) || text[i] != ':' {
			return nil, false
		}
		i = space(text, i+1)
		if end, _ = sim.ScanJSON(text, i); end < 0 {
			return nil, false
		}
		o = o.with(key, raw[i:end:end])
		if i = space(text, end); i == len(text) {
			return nil, false
		}
		switch text[i] {
		case ',':
			i = space(text, i+1)
		case '}':
			return o, true
		default:
			return nil, false
		}
	}
	return nil, false
}

// space returns the first position from i on where no white space of JSON stands.
func space(text string, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r') {
		i++
	}
	return i
}

// action reads an action as Parse does.
func (o members) action(env tasks.Envelope) (tasks.Action, error) {
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
	if name == FinalAnswer && answers(env) {
		text, bad := args.answer()
		if bad != nil {
			return tasks.Action{}, bad
		}
		return tasks.Action{Answer: text}, nil
	}
	a := tasks.Action{Calls: []sim.Call{{Name: name, Arguments: args.normal(env)}}}
	if end, _ := sim.ScanJSON(a.Calls[0].Arguments, 0); end < 0 { // nested too deep
		if _, err := sim.ParseJSON(a.Calls[0].Arguments); err != nil {
			return tasks.Action{}, tasks.Malformedf(InvalidJSON, "its arguments: %s", clip(err.Error()))
		}
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
	if o.has("function") {
		if f, err := object(o.get("function")); err == nil {
			from = f
		}
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

// decoded returns what a JSON string says.
func decoded(raw json.RawMessage) string {
	if bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return string(raw[1 : len(raw)-1])
	}
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
			return sim.AppendCanonical(nil, s), nil
		}
	}
	return nil, tasks.Malformedf(EmptyAnswer, "final_answer requires non-empty text.")
}

// asNormal reports whether arguments are as normal leaves them, whatever the envelope.
func asNormal(raw json.RawMessage) bool {
	return len(raw) > 0 && raw[0] == '{' && !bytes.Contains(raw, []byte(`"origin":`)) && !bytes.Contains(raw, []byte(`"backend_name":`)) && sim.IsCanonical(raw)
}

// normal returns the arguments with display names where a slug or a name in other letters is
// known for one. Keys that JSON names twice deeper within are left to the last.
func (o members) normal(env tasks.Envelope) json.RawMessage {
	n := 2
	for _, m := range o {
		n += len(m.key) + len(m.value) + 4
	}
	b := append(make([]byte, 0, n), '{')
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(sim.AppendCanonical(b, m.key), ':')
		if m.key == "origin" || m.key == "backend_name" {
			if name, ok := display(env, o.text(m.key)); ok {
				b = sim.AppendCanonical(b, name)
				continue
			}
		}
		b = appendSingle(b, m.value)
	}
	return append(b, '}')
}

// appendSingle appends JSON, without space and without keys that are named twice.
func appendSingle(b []byte, raw json.RawMessage) []byte {
	if sim.IsCanonical(raw) {
		return append(b, raw...)
	}
	if _, err := sim.ParseJSON(raw); err != nil {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		var v any
		if d.Decode(&v) == nil {
			if c, err := sim.Canonical(v); err == nil { // else nested too deep, which is found out by the caller
				raw = c
			}
		}
	}
	buf := bytes.NewBuffer(b)
	if json.Compact(buf, raw) != nil {
		return append(b, raw...)
	}
	return buf.Bytes()
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
