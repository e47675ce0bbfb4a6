package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"benchwright/grader"
	"benchwright/sim"
)

// What passes between an agent and its session is copied on the way in and on the way out, and
// cut to what a record can hold. So nothing that an agent keeps is memory of the trace, of the
// world or of another episode, however long it goes on writing to it.

// The bounds of what is taken from an agent. They are far above what makes sense, so that what
// meets them is cut, not lost.
const (
	maxCalls     = 64       // of one turn
	maxName      = 256      // bytes of a tool's name
	maxArguments = 1 << 20  // bytes of a call's arguments
	maxKept      = 64 << 10 // bytes of what is only kept to be seen: arguments that are none, a reply that is too large
	maxDetail    = 4 << 10  // bytes of a reason
	maxCode      = 128      // bytes of a code or another word
	maxHeard     = 64 << 20 // bytes of results in an episode, all of which its record holds
)

// valid returns text as any JSON can hold it, so that a record that is read back says the same.
func valid(text string) string {
	if utf8.ValidString(text) { // which is found out many times faster
		return text
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// clip is valid for text of which no more than most bytes are kept, the note of the cut included.
// What it returns it leaves as it is.
func clip(text string, most int) string {
	n := len(text)
	head := valid(text[:min(n, 2*most)])
	if n <= 2*most && len(head) <= most {
		return head
	}
	note := fmt.Sprintf("… (%d bytes)", n)
	if keep := most - len(note); keep < len(head) {
		for keep > 0 && !utf8.RuneStart(head[keep]) {
			keep--
		}
		head = head[:keep]
	}
	return head + note
}

// encodable returns a copy of a call that can be recorded and read back. Arguments that are not
// sound JSON, or too much or too deep, become a JSON string of their text, or of its beginning.
func encodable(c sim.Call) sim.Call {
	c.Name = clip(c.Name, maxName)
	if len(c.Arguments) > maxArguments {
		c.Arguments = sim.MustCanonical(clip(string(c.Arguments), maxKept))
		return c
	}
	c.Arguments = utf8Of(bytes.Clone(c.Arguments))
	switch {
	case len(c.Arguments) == 0:
		c.Arguments = nil
	case !sound(c.Arguments, sim.MaxAgentDepth):
		c.Arguments = sim.MustCanonical(clip(string(c.Arguments), maxKept))
	}
	return c
}

func encodables(calls []sim.Call) []sim.Call {
	if len(calls) == 0 {
		return nil
	}
	out := slices.Clone(calls)
	for i := range out {
		out[i] = encodable(out[i])
	}
	return out
}

// kept returns a copy of calls that are encodable.
func kept(calls []sim.Call) []sim.Call {
	n := 0
	for _, c := range calls {
		n += len(c.Arguments)
	}
	if len(calls) == 0 {
		return nil
	}
	out, all := slices.Clone(calls), make([]byte, 0, n)
	for i, c := range calls {
		if c.Arguments != nil {
			from := len(all)
			all = append(all, c.Arguments...)
			out[i].Arguments = all[from:len(all):len(all)]
		}
	}
	return out
}

// utf8Of returns JSON whose strings are UTF-8; other bytes can only be in these.
func utf8Of(raw json.RawMessage) json.RawMessage {
	if utf8.Valid(raw) {
		return raw
	}
	return bytes.ToValidUTF8(raw, []byte("\uFFFD"))
}

// recordable returns a world's result as it can be recorded and read back. One that cannot be is
// a fault of the world's.
func recordable(c sim.Call, r sim.Result) sim.Result {
	r.Status, r.Code, r.Fault = clip(r.Status, maxCode), clip(r.Code, maxDetail), clip(r.Fault, maxDetail)
	if r.Data = utf8Of(r.Data); len(r.Data) == 0 {
		r.Data = nil
	}
	if r.Arguments = utf8Of(r.Arguments); len(r.Arguments) == 0 {
		r.Arguments = nil
	}
	if r.Facts = utf8Of(r.Facts); len(r.Facts) == 0 {
		r.Facts = nil
	}
	wrong := ""
	switch {
	case r.Data != nil && !sound(r.Data, sim.MaxWorldDepth):
		wrong = "data"
	case r.Arguments != nil && !sound(r.Arguments, sim.MaxWorldDepth):
		wrong = "arguments"
	case r.Facts != nil && !sound(r.Facts, sim.MaxWorldDepth):
		wrong = "facts"
	default:
		return r
	}
	return sim.Fault("tool %q: the %s of its result: not JSON, a key twice, or nested deeper than %d", c.Name, wrong, sim.MaxWorldDepth)
}

// shown returns an agent's copy of a result, without the world's notes for graders.
func shown(r sim.Result) sim.Result {
	r.Facts = nil
	n := len(r.Data)
	both := append(append(make([]byte, 0, n+len(r.Arguments)), r.Data...), r.Arguments...)
	if r.Data != nil {
		r.Data = both[:n:n]
	}
	if r.Arguments != nil {
		r.Arguments = both[n:]
	}
	return r
}

// copied returns an agent's copy of a world's tools.
func copied(tools []sim.Tool) []sim.Tool {
	out := slices.Clone(tools)
	n := 0
	for _, t := range out {
		n += len(t.Schema)
	}
	all := make([]byte, 0, n)
	for i, t := range out {
		if t.Schema != nil {
			from := len(all)
			all = append(all, t.Schema...)
			out[i].Schema = all[from:len(all):len(all)]
		}
	}
	return out
}

// own returns a copy of a turn that can be recorded.
func (t Turn) own() Turn {
	t.Reply, _ = t.Reply.own()
	return t.worded()
}

// worded is own for a turn whose reply is a copy that can be recorded, but for its words.
func (t Turn) worded() Turn {
	for _, word := range []*string{&t.Kind, &t.Code, (*string)(&t.Layer), &t.Reply.DoneReason, &t.Reply.Model, &t.Reply.Request} {
		*word = clip(*word, maxCode)
	}
	t.Detail = clip(t.Detail, maxDetail)
	t.Usage = t.Usage.own()
	return t
}

// own returns a copy of a reply that can be recorded, and whether it is whole.
func (r Reply) own() (Reply, bool) {
	n := len(r.Text)
	for _, c := range r.Calls {
		n += len(c.Name) + len(c.Arguments) + 64 // for what is written around them
	}
	whole := n <= MaxReply
	if !whole {
		r.Text, r.Calls = clip(r.Text, maxKept), r.Calls[:min(len(r.Calls), maxCalls)]
	}
	r.Text, r.Calls = valid(r.Text), encodables(r.Calls)
	return r, whole
}

// own returns a copy of a usage. A count below 0 is none.
func (u Usage) own() Usage {
	u.Requests, u.Attempts = max(u.Requests, 0), max(u.Attempts, 0)
	for _, n := range []**int64{&u.Input, &u.Cached, &u.Output, &u.Reasoning} {
		switch {
		case *n == nil:
		case **n < 0:
			*n = nil
		default:
			*n = Tokens(**n)
		}
	}
	if u.Requests == 0 && u.counted() {
		u.Requests = 1 // whoever counts tokens has asked for a reply
	}
	return u
}

// own returns a copy of a fault that holds nothing of another's, and has a layer that there is.
func (f *Fault) own() *Fault {
	layer := f.Layer
	switch layer {
	case grader.LayerProvider, grader.LayerAdapter, grader.LayerContext, grader.LayerToolRuntime, grader.LayerGrader,
		grader.LayerJudge, grader.LayerFixture, grader.LayerAccounting, grader.LayerOrchestration:
	default:
		layer = grader.LayerAdapter
	}
	return Faultf(layer, clip(f.Code, maxCode), "%s", clip(fmt.Sprint(f.Err), maxDetail))
}
