package gates

import (
	"bytes"
	"strings"

	"benchwright/sim"
)

// A stream is mutations of one sort, the most telling first.
type stream []mutation

// likely returns the streams that kill most checks: what the reference said, changed and did.
func (m *mutator) likely() []stream {
	var near, far, ends, changed, trace stream
	for ask, a := range m.ep.Answers {
		if a == nil {
			continue
		}
		if d := m.document(siteAnswer, ask); d != nil {
			near = m.answer(near, d, ask)
			far = m.answerFar(far, d, ask)
		}
	}
	ends = append(ends, mutation{op: opNoAnswer, site: siteEpisode}, mutation{op: opStopped, site: siteEpisode}, mutation{op: opTurns, site: siteEpisode})
	before := m.ep.Initial
	for ask, st := range m.ep.States {
		if !bytes.Equal(before, st) {
			changed = append(changed, mutation{op: opStart, site: siteState, at: ask})
			changed = m.changes(changed, before, ask)
		} else if !bytes.Equal(m.ep.Initial, st) {
			changed = append(changed, mutation{op: opStart, site: siteState, at: ask})
		}
		before = st
	}
	trace = m.calls(trace)
	return []stream{near, changed, trace, ends, far}
}

// unlikely returns what is tried when checks are still to be proven after all: calls that the
// reference did not make, the words that checks name, and what it left alone.
func (m *mutator) unlikely(words []string) []stream {
	var inserted, dictionary, anywhere stream
	for ask := range m.ep.States {
		if d := m.document(siteState, ask); d != nil {
			anywhere = m.sample(anywhere, d, ask)
		}
	}
	wanted := map[string]bool{}
	for _, w := range words {
		wanted[w] = true
	}
	for _, first := range []bool{true, false} {
		for _, t := range m.tools {
			if wanted[t] != first {
				continue
			}
			inserted = append(inserted, mutation{op: opCallInsert, site: siteTrace, at: len(m.ep.Trace), arg: t})
			for i, e := range m.ep.Trace {
				if i+1 < len(m.ep.Trace) && m.ep.Trace[i+1].Ask != e.Ask {
					inserted = append(inserted, mutation{op: opCallInsert, site: siteTrace, at: i, arg: t})
				}
				if e.Call.Name != t && (i == 0 || first) {
					inserted = append(inserted, mutation{op: opCallRename, site: siteTrace, at: i, arg: t})
				}
			}
		}
	}
	for ask, a := range m.ep.Answers {
		if a == nil {
			continue
		}
		if d := m.document(siteAnswer, ask); d != nil {
			dictionary = m.words(dictionary, d, siteAnswer, ask, words)
		}
	}
	for i := range m.ep.Trace {
		if d := m.document(siteArguments, i); d != nil {
			dictionary = m.words(dictionary, d, siteArguments, i, words)
		}
	}
	return []stream{inserted, dictionary, anywhere}
}

// answer spoils an answer in every place.
func (m *mutator) answer(out stream, d *document, ask int) stream {
	for i := 0; i < len(d.nodes); i += stride(d) {
		n := d.nodes[i]
		x := mutation{site: siteAnswer, at: ask, node: i}
		with := func(op op, arg string) {
			x.op, x.arg = op, arg
			out = append(out, x)
		}
		switch {
		case !n.container():
			with(opReplace, otherValue(n.kind, string(d.raw(i)), false))
		case n.kind == '{':
			with(opAdd, "true")
		default:
			with(opPush, `"`+unexpected+`"`)
		}
		if n.parent < 0 {
			continue
		}
		with(opDrop, "")
		if d.nodes[n.parent].kind == '[' {
			with(opDouble, "")
			if n.next < d.nodes[n.parent].next {
				with(opSwap, "")
			}
		}
	}
	return out
}

// answerFar adds other values, and values of other types, which an agent may say as well.
func (m *mutator) answerFar(out stream, d *document, ask int) stream {
	for i := 0; i < len(d.nodes); i += stride(d) {
		n := d.nodes[i]
		x := mutation{site: siteAnswer, at: ask, node: i}
		with := func(arg string) {
			x.op, x.arg = opReplace, arg
			out = append(out, x)
		}
		raw := string(d.raw(i))
		switch {
		case n.kind == '"':
			with(otherValue('"', raw, true))
			with("7")
		case n.kind == '0':
			with(otherValue('0', raw, true))
			with(`"` + raw + `"`)
		case n.kind == '{' && len(raw) > 2:
			with("{}")
			with("[]")
		case n.kind == '[' && len(raw) > 2:
			with("[]")
			with(`"` + unexpected + `"`)
		default:
			with("[]")
		}
		if n.kind != 'n' {
			with("null")
		}
	}
	return out
}

// spoil changes one value of a state, or of a call that was done, without changing its type: an
// agent can only cause what the world can be.
func (m *mutator) spoil(out stream, d *document, s site, at, i int) stream {
	n := d.nodes[i]
	x := mutation{site: s, at: at, node: i}
	with := func(op op, arg string) {
		x.op, x.arg = op, arg
		out = append(out, x)
	}
	switch n.kind {
	case '{':
		if n.next > i+1 {
			with(opAdd, string(d.raw(i+1))) // a sibling of a type that occurs here
		}
	case '[':
		if n.next > i+1 {
			with(opReplace, "[]")
		}
	case 'n':
	default:
		with(opReplace, otherValue(n.kind, string(d.raw(i)), false))
	}
	if n.parent < 0 {
		return out
	}
	with(opDrop, "")
	if d.nodes[n.parent].kind == '[' {
		with(opDouble, "")
		if n.next < d.nodes[n.parent].next {
			with(opSwap, "")
		}
	}
	return out
}

// maxStream bounds the mutations of a stream.
const maxStream = 400

// changes undoes and spoils what the reference changed in the state.
func (m *mutator) changes(out stream, before []byte, ask int) stream {
	d := m.document(siteState, ask)
	old, ok := parseDocument(before)
	if d == nil || !ok {
		return out
	}
	limit := len(out) + maxStream
	var spoilAll func(i int)
	spoilAll = func(i int) {
		for j := i; j < d.nodes[i].next && len(out) < limit; j++ {
			out = m.spoil(out, d, siteState, ask, j)
		}
	}
	var walk func(i, o int)
	walk = func(i, o int) {
		a, b := d.nodes[i], old.nodes[o]
		if len(out) >= limit || bytes.Equal(d.raw(i), old.raw(o)) {
			return
		}
		if a.kind != b.kind || !a.container() {
			if i > 0 {
				out = append(out, mutation{op: opReplace, site: siteState, at: ask, node: i, arg: string(old.raw(o))})
			}
			spoilAll(i)
			return
		}
		if a.kind == '{' {
			was := map[string]int{}
			for c := o + 1; c < b.next; c = old.nodes[c].next {
				was[string(old.member(c))] = c
			}
			for c := i + 1; c < a.next; c = d.nodes[c].next {
				key := string(d.member(c))
				if oc, ok := was[key]; ok {
					delete(was, key)
					walk(c, oc)
				} else {
					spoilAll(c)
				}
			}
			for _, key := range sortedKeys(was) {
				if name := key[1 : len(key)-1]; !strings.Contains(name, `\`) {
					out = append(out, mutation{op: opRestore, site: siteState, at: ask, node: i, arg: name + "\x00" + string(old.raw(was[key]))})
				}
			}
			return
		}
		if i > 0 {
			out = append(out, mutation{op: opReplace, site: siteState, at: ask, node: i, arg: string(old.raw(o))})
		}
		ca, cb := d.children(i), old.children(o)
		for k, c := range ca {
			if k < len(cb) && len(ca) == len(cb) {
				walk(c, cb[k])
			} else if !containsRaw(old, cb, d.raw(c)) {
				spoilAll(c)
			}
		}
		if len(ca) < len(cb) && len(ca) > 0 {
			out = append(out, mutation{op: opPush, site: siteState, at: ask, node: i, arg: string(d.raw(ca[0]))})
		}
	}
	walk(0, 0)
	return out
}

func containsRaw(d *document, nodes []int, raw []byte) bool {
	for _, n := range nodes {
		if bytes.Equal(d.raw(n), raw) {
			return true
		}
	}
	return false
}

// calls spoils what the reference did.
func (m *mutator) calls(out stream) stream {
	t := m.ep.Trace
	if len(t) > 0 {
		out = append(out, mutation{op: opNoCalls, site: siteTrace})
	}
	for i := range t {
		x := mutation{site: siteTrace, at: i}
		with := func(op op, arg string) {
			x.op, x.arg = op, arg
			out = append(out, x)
		}
		with(opCallDrop, "")
		with(opCallRefuse, "error")
		with(opCallDouble, "")
		if i+1 < len(t) && t[i].Ask == t[i+1].Ask {
			with(opCallSwap, "")
		}
		with(opCallRefuse, "invalid")
		with(opCallRefuse, "denied")
		if d := m.document(siteArguments, i); d != nil {
			for n := 0; n < len(d.nodes); n += stride(d) {
				out = m.spoil(out, d, siteArguments, i, n)
			}
		}
		if len(out) > maxStream {
			break
		}
	}
	return out
}

// named returns a stream for each sort of place in which checks name a value, spoiling it and
// what stands beside it.
func (m *mutator) named(words []string) []stream {
	wanted := map[string]bool{}
	for _, w := range words {
		if len(w) > 1 {
			wanted[w] = true
		}
	}
	var answers, states, arguments stream
	for ask, a := range m.ep.Answers {
		if d := m.document(siteAnswer, ask); a != nil && d != nil {
			answers = m.beside(answers, d, siteAnswer, ask, wanted)
		}
	}
	for ask := range m.ep.States {
		if d := m.document(siteState, ask); d != nil {
			states = m.beside(states, d, siteState, ask, wanted)
		}
	}
	for i := range m.ep.Trace {
		if d := m.document(siteArguments, i); d != nil {
			arguments = m.beside(arguments, d, siteArguments, i, wanted)
		}
	}
	return []stream{states, answers, arguments}
}

// beside spoils the wanted values of a document and their neighbours: all that a small record
// holds, of a larger one the values directly in it, of a whole list or map none.
func (m *mutator) beside(out stream, d *document, s site, at int, wanted map[string]bool) stream {
	const small = 60
	limit := len(out) + maxStream
	last := -1
	for i, n := range d.nodes {
		if len(out) >= limit {
			break
		}
		found := !n.container() && wanted[d.text(i)]
		if key := d.member(i); key != nil {
			found = found || wanted[unquote(key)]
		}
		if !found || i <= last {
			continue // not named, or within what was spoiled already
		}
		from, direct := i, false
		if n.parent > 0 && !n.container() {
			if all := d.nodes[n.parent].next - n.parent; all <= small {
				from = n.parent
			} else if len(d.children(n.parent)) <= small {
				from, direct = n.parent, true
			}
		}
		for j := from; j < d.nodes[from].next && len(out) < limit; j++ {
			if !direct || d.nodes[j].parent == from && !d.nodes[j].container() {
				out = m.spoil(out, d, s, at, j)
			}
		}
		if last = i; !direct {
			last = d.nodes[from].next - 1
		}
	}
	return out
}

// sample spoils values from all over a state: all of a small one.
func (m *mutator) sample(out stream, d *document, ask int) stream {
	for i := 0; i < len(d.nodes); i += stride(d) {
		out = m.spoil(out, d, siteState, ask, i)
	}
	return out
}

// stride is the distance between values of a document of which a sample must do.
func stride(d *document) int { return 1 + len(d.nodes)/200 }

// words puts what checks name where the reference said something else, or beside it.
func (m *mutator) words(out stream, d *document, s site, at int, words []string) stream {
	limit := len(out) + maxStream
	for i, n := range d.nodes {
		for _, w := range words {
			if len(out) >= limit {
				return out
			}
			x := mutation{op: opReplace, site: s, at: at, node: i}
			switch {
			case n.kind == '"' && d.text(i) != w:
				quoted := string(sim.MustCanonical(w))
				x.arg = quoted
				out = append(out, x)
				raw := string(d.raw(i))
				x.arg = raw[:len(raw)-1] + " " + quoted[1:]
				out = append(out, x)
			case n.kind == '0' && number(nil, w) != nil && string(d.raw(i)) != w:
				if end, ok := numberEnd([]byte(w), 0); ok && end == len(w) {
					x.arg = w
					out = append(out, x)
				}
			}
		}
	}
	return out
}
