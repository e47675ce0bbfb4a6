package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"unicode/utf8"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
)

// encodeRecord returns a record's bytes, and the record as it is read from them. It does not read
// them back, which costs fifteen times as much as to write them: what it looks at is all by which
// a reader could refuse what encoding/json has written, as FuzzWrite holds.
func encodeRecord(name string, rec *Record) (*Record, []byte, error) {
	if rec.Schema != agent.Schema {
		return nil, nil, fmt.Errorf("schema %q: this version writes %q", Clean(rec.Schema, 60), agent.Schema)
	}
	rec = rec.layered()
	if err := rec.check(); err != nil {
		return nil, nil, err
	}
	for raw := range rec.foreign() {
		if !holds(*raw) {
			rec = rec.quoted()
			break
		}
	}
	raw, err := encodeLine(rec)
	if err == nil && len(raw) > maxRecord {
		err = fmt.Errorf("%d bytes are more than the %d that are read", len(raw), maxRecord)
	}
	if err == nil && (bytes.Contains(raw, []byte(`\ufffd`)) || !utf8.Valid(raw)) { // text that is read otherwise than it was
		rec, err = parseRecord(name, raw)
	}
	return rec, raw, err
}

// layered returns the record with layers that there are.
func (r *Record) layered() *Record {
	c := *r
	for _, part := range []struct {
		outcome grader.Outcome
		layer   *grader.Layer
		reason  *string
	}{{r.Outcome, &c.Layer, &c.Reason}, {r.Verdict.Outcome, &c.Verdict.Layer, &c.Verdict.Reason}} {
		if part.outcome == grader.Broken && !slices.Contains(layers, string(*part.layer)) {
			*part.reason = fmt.Sprintf("layer %q: %s", Clean(string(*part.layer), 60), *part.reason)
			*part.layer = grader.LayerOrchestration
		}
	}
	return &c
}

// foreign yields all JSON of the record that is not the run's own but an agent's, a world's or a
// task's.
func (r *Record) foreign() iter.Seq[*json.RawMessage] {
	return func(yield func(*json.RawMessage) bool) {
		more := true
		give := func(raw *json.RawMessage) { more = more && (len(*raw) == 0 || yield(raw)) }
		calls := func(calls []sim.Call) {
			for i := range calls {
				give(&calls[i].Arguments)
			}
		}
		for i := range r.Trace {
			give(&r.Trace[i].Call.Arguments)
			give(&r.Trace[i].Result.Data)
			give(&r.Trace[i].Result.Arguments)
			give(&r.Trace[i].Result.Facts)
		}
		for i := range r.Turns {
			calls(r.Turns[i].Reply.Calls)
		}
		for i := range r.Messages {
			calls(r.Messages[i].Calls)
		}
		for i := range r.Envelope.Asks {
			give(&r.Envelope.Asks[i].Context)
		}
		for _, all := range [][]json.RawMessage{r.Answers, r.States} {
			for i := range all {
				give(&all[i])
			}
		}
		give(&r.Initial)
	}
}

// quoted returns a copy in which foreign JSON that a record cannot hold as such is a JSON string
// of its text.
func (r *Record) quoted() *Record {
	c := *r
	c.Trace, c.Turns, c.Messages = slices.Clone(r.Trace), slices.Clone(r.Turns), slices.Clone(r.Messages)
	for i := range c.Turns {
		c.Turns[i].Reply.Calls = slices.Clone(c.Turns[i].Reply.Calls)
	}
	for i := range c.Messages {
		c.Messages[i].Calls = slices.Clone(c.Messages[i].Calls)
	}
	c.Envelope.Asks, c.Answers, c.States = slices.Clone(r.Envelope.Asks), slices.Clone(r.Answers), slices.Clone(r.States)
	for raw := range c.foreign() {
		if !holds(*raw) {
			*raw, _ = json.Marshal(string(*raw)) // a string always marshals
		}
	}
	return &c
}

// recordDepth is how deep in a record foreign JSON stands, at the most: an argument of a call in
// a turn's reply.
const recordDepth = 7

// holds reports whether a record can hold raw anywhere and be read back: JSON that names no key
// twice and does not nest too deep. Keys that come in order, as in canonical JSON, are seen to be
// different at a glance; others are parsed.
func holds(raw json.RawMessage) bool {
	if !json.Valid(raw) {
		return false
	}
	var word []byte     // the last string
	var before [][]byte // the key before, of each object and list that is open
	ordered := true
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			from := i + 1
			for i = from; raw[i] != '"'; i++ {
				if raw[i] == '\\' {
					i++
				}
			}
			word = raw[from:i]
		case ':':
			last := &before[len(before)-1]
			if *last != nil && bytes.Compare(*last, word) >= 0 || bytes.IndexByte(word, '\\') >= 0 || !utf8.Valid(word) {
				ordered = false
			}
			*last = word
		case '{', '[':
			if before = append(before, nil); len(before)+recordDepth > sim.MaxDepth {
				return false
			}
		case '}', ']':
			before = before[:len(before)-1]
		}
	}
	if ordered {
		return true
	}
	_, err := sim.ParseJSON(raw)
	return err == nil
}

// encodeLine returns v as one line of JSON.
func encodeLine(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// strict decodes exactly one JSON value without unknown fields.
func strict(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("offset %d: text after the JSON value", d.InputOffset())
	}
	return nil
}
