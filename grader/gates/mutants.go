package gates

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
)

// A mutation spoils one thing of what the reference left behind. It is cheap to name and is
// made only when its turn comes.
type mutation struct {
	op   op
	site site
	at   int    // the ask, or the event of the trace
	node int    // of the document at the site
	arg  string // raw JSON, or a name
}

// A site is the part of an aftermath that a mutation spoils.
type site byte

const (
	siteAnswer site = iota
	siteState
	siteArguments
	siteTrace
	siteEpisode
)

// An op is what a mutation does.
type op byte

const (
	opReplace op = iota // the value by arg
	opDrop
	opDouble
	opSwap // the element and the one after it
	opAdd  // a member arg to the object
	opPush // an element arg to the array
	opRestore
	opStart // the state as at the start

	opCallDrop
	opCallDouble
	opCallSwap
	opCallRefuse // status arg
	opCallRename // to the tool arg
	opCallInsert // the tool arg after the event
	opNoCalls

	opNoAnswer
	opStopped
	opTurns
)

// unexpected is a key and a word that no task uses.
const unexpected = "zz_unexpected"

// reachable reports whether an agent could have caused it as it is. Of other mutants the world
// would have given other results, so that a rule may break on them.
func (m mutation) reachable() bool {
	switch m.op {
	case opCallRename, opCallInsert, opCallSwap:
		return false
	}
	return m.site != siteArguments
}

// touches reports whether what the checks of an ask see can have changed.
func (m mutation) touches(ep *agent.Episode, ask int) bool {
	switch m.site {
	case siteAnswer:
		return m.at == ask
	case siteState:
		return m.at == min(ask, len(ep.States)-1)
	case siteArguments, siteTrace:
		return m.op == opNoCalls || m.at >= len(ep.Trace) || ep.Trace[m.at].Ask <= ask
	}
	return true
}

// omits reports whether a mutation only takes something away, undoes it or leaves in its place
// what is empty or of another type. A check that catches nothing else sees that something is
// there, and not what.
func (m *mutator) omits(x mutation) bool {
	switch x.op {
	case opDrop, opStart, opCallDrop, opCallRefuse, opNoCalls, opNoAnswer, opStopped, opTurns:
		return true
	case opReplace:
		d := m.document(x.site, x.at)
		switch x.arg {
		case `""`, "{}", "[]", "null":
			return true
		}
		return d != nil && d.nodes[x.node].kind != kindOf(x.arg)
	}
	return false
}

// kindOf returns the kind of a value by its raw JSON.
func kindOf(raw string) byte {
	switch c := raw[0]; {
	case c == '-' || isDigit(c):
		return '0'
	case c == 'f':
		return 't'
	default:
		return c
	}
}

// A mutator spoils an episode.
type mutator struct {
	ep      *agent.Episode
	spoiled agent.Episode
	tools   []string
	answers []*document
	states  []*document
	args    []*document
}

func newMutator(ep *agent.Episode, tools []sim.Tool) *mutator {
	m := &mutator{
		ep: ep, answers: make([]*document, len(ep.Answers)),
		states: make([]*document, len(ep.States)), args: make([]*document, len(ep.Trace)),
	}
	for _, t := range tools {
		m.tools = append(m.tools, t.Name)
	}
	return m
}

// document returns the indexed JSON at a site, or nil.
func (m *mutator) document(s site, at int) *document {
	var slot **document
	var raw []byte
	switch s {
	case siteAnswer:
		slot, raw = &m.answers[at], m.ep.Answers[at]
	case siteState:
		slot, raw = &m.states[at], m.ep.States[at]
	case siteArguments:
		e := m.ep.Trace[at]
		slot, raw = &m.args[at], e.Result.Arguments
		if len(raw) == 0 {
			raw = e.Call.Arguments
		}
	}
	if *slot == nil && len(raw) > 0 {
		*slot, _ = parseDocument(raw)
	}
	return *slot
}

// apply returns the spoiled episode, which is good until the next one. What is not spoiled is
// shared with the reference's.
func (m *mutator) apply(x mutation) *agent.Episode {
	ep := &m.spoiled
	*ep = *m.ep
	switch x.site {
	case siteAnswer:
		ep.Answers = replaced(ep.Answers, x.at, m.edit(x))
	case siteState:
		if x.op == opStart {
			ep.States = replaced(ep.States, x.at, ep.Initial)
		} else {
			ep.States = replaced(ep.States, x.at, m.edit(x))
		}
	case siteArguments:
		ep.Trace = append(sim.Trace(nil), ep.Trace...)
		e := &ep.Trace[x.at]
		raw := m.edit(x)
		e.Call.Arguments = raw
		if len(e.Result.Arguments) > 0 {
			e.Result.Arguments = raw
		}
	case siteTrace:
		ep.Trace = m.trace(x)
	case siteEpisode:
		last := len(ep.Answers) - 1
		if last >= 0 {
			ep.Answers = replaced(ep.Answers, last, nil)
		}
		switch x.op {
		case opStopped:
			ep.End = grader.End{Code: grader.EndStopped}
		case opTurns:
			ep.End = grader.End{Code: grader.EndTurns}
		}
	}
	return ep
}

func replaced(list []json.RawMessage, at int, by json.RawMessage) []json.RawMessage {
	out := append(make([]json.RawMessage, 0, len(list)), list...)
	out[at] = by
	return out
}

// edit returns the document at the mutation's site, spoiled.
func (m *mutator) edit(x mutation) json.RawMessage {
	d := m.document(x.site, x.at)
	switch x.op {
	case opReplace:
		return d.replace(x.node, x.arg)
	case opDrop:
		return d.drop(x.node)
	case opDouble:
		return d.double(x.node)
	case opSwap:
		return d.swap(x.node, d.nodes[x.node].next)
	case opAdd:
		return d.add(x.node, unexpected, x.arg)
	case opPush:
		return d.push(x.node, x.arg)
	case opRestore:
		key, raw, _ := strings.Cut(x.arg, "\x00")
		return d.add(x.node, key, raw)
	}
	return nil
}

// trace returns the trace, spoiled.
func (m *mutator) trace(x mutation) sim.Trace {
	old := m.ep.Trace
	out := append(make(sim.Trace, 0, len(old)+1), old...)
	switch x.op {
	case opNoCalls:
		return sim.Trace{}
	case opCallDrop:
		return append(out[:x.at], old[x.at+1:]...)
	case opCallDouble:
		return append(out[:x.at+1], old[x.at:]...)
	case opCallSwap:
		a, b := &out[x.at], &out[x.at+1]
		a.Call, a.Result, b.Call, b.Result = b.Call, b.Result, a.Call, a.Result
	case opCallRefuse:
		e := &out[x.at]
		e.Result = sim.Result{Data: json.RawMessage(`{"error":{"code":"` + unexpected + `","message":"refused"}}`), Status: x.arg, Code: unexpected}
		if x.arg == "invalid" {
			e.Result.Invalid, e.Call.Arguments = true, json.RawMessage(`["`+unexpected+`"]`)
		}
	case opCallRename:
		out[x.at].Call.Name = x.arg
	case opCallInsert:
		e := sim.Event{Call: sim.Call{Name: x.arg, Arguments: json.RawMessage("{}")}, Result: sim.Result{Data: json.RawMessage("{}"), Status: sim.StatusOK}}
		if len(old) > 0 {
			last := old[min(x.at, len(old)-1)]
			e.Ask, e.Turn = last.Ask, last.Turn
		}
		at := min(x.at+1, len(old))
		return append(append(out[:at], e), old[at:]...)
	}
	return out
}

// name says what a mutation does, for people.
func (m *mutator) name(x mutation) string {
	where := ""
	switch x.site {
	case siteAnswer:
		where = "the answer"
	case siteState:
		where = "the state"
	case siteArguments:
		where = fmt.Sprintf("call %d (%s)", x.at+1, m.ep.Trace[x.at].Call.Name)
	}
	if len(m.ep.Answers) > 1 && (x.site == siteAnswer || x.site == siteState) {
		where += fmt.Sprintf(" of ask %d", x.at+1)
	}
	if x.site <= siteArguments && x.op != opStart {
		if d := m.document(x.site, x.at); d != nil && d.path(x.node) != "" {
			where += " at " + d.path(x.node)
		}
	}
	switch x.op {
	case opReplace:
		return where + " being " + x.arg
	case opDrop:
		return where + " missing"
	case opDouble:
		return where + " doubled"
	case opSwap:
		return where + " exchanged with the next"
	case opAdd:
		return where + " with a further key"
	case opPush:
		return where + " with a further element"
	case opRestore, opStart:
		return where + " as at the start"
	case opNoCalls:
		return "no call made"
	case opNoAnswer:
		return "no answer"
	case opStopped, opTurns:
		return "no answer and an early end"
	}
	call := fmt.Sprintf("call %d (%s)", x.at+1, m.ep.Trace[min(x.at, len(m.ep.Trace)-1)].Call.Name)
	switch x.op {
	case opCallDrop:
		return call + " missing"
	case opCallDouble:
		return call + " made twice"
	case opCallSwap:
		return call + " exchanged with the next"
	case opCallRefuse:
		return call + " refused as " + x.arg
	case opCallRename:
		return call + " made of " + x.arg
	}
	return "a call of " + x.arg + " added"
}

// otherValue returns raw JSON of the same type as a leaf and of another value; far asks for one
// that is nowhere near it.
func otherValue(kind byte, raw string, far bool) string {
	switch kind {
	case '"':
		if far {
			return raw[:len(raw)-1] + ` ` + unexpected + `"`
		}
		return `"` + unexpected + `"`
	case 't':
		if raw == "true" {
			return "false"
		}
		return "true"
	case '0':
		if far {
			if rest, ok := strings.CutPrefix(raw, "-"); ok {
				return rest
			}
			if strings.Trim(raw, "0.") == "" {
				return "999999937"
			}
			return "-" + raw
		}
		if n, err := strconv.ParseInt(raw, 10, 64); err == nil && n < 1<<62 {
			return strconv.FormatInt(n+1, 10)
		}
		if whole, rest, ok := strings.Cut(raw, "."); ok {
			if n, err := strconv.ParseInt(whole, 10, 64); err == nil && n >= 0 && n < 1<<62 && strings.Trim(rest, "0123456789") == "" {
				return strconv.FormatInt(n+1, 10) + "." + rest
			}
		}
		return "999999937"
	}
	return `"` + unexpected + `"`
}
