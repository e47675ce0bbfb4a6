package wiki

import (
	"encoding/json"
	"fmt"
	"slices"

	fixture "benchwright/fixtures/wiki"
	"benchwright/sim"
	world "benchwright/sim/wiki"
)

// What an agent or its provider writes may hold what no record may: a path that looks like somebody's
// home, a key that was made up. That is its doing and no fault of the measurement. Records have a mark
// in its place, with the hash and the length of what was there. What is the host's own is never
// marked, so that [Redacted] still finds it.

// inContext is the reason of a mark for a text that is harmless by itself. See [Run.Muted].
const inContext = "in_context"

// mostScanned is how much of a text is scanned; what is longer is marked unseen.
const mostScanned = 256 << 10

// objected returns the code of the rule that objects to a text, in any of the forms that records have it
// in: as it is, cut, in JSON and in Markdown. "" when none does.
func objected(s string) string {
	const shortest = 4 // of what is a hit
	if len(s) < shortest {
		return ""
	}
	if len(s) > mostScanned {
		return "too_long"
	}
	forms, cut := s+"\n"+string(sim.MustCanonical(s))+"\n"+md(shown(s)), clip(s)
	if cut != s {
		forms += "\n" + cut
	}
	if hits := fixture.Scan("", []byte(forms)); len(hits) > 0 {
		return hits[0].Code
	}
	return ""
}

// mark is what stands in a text's place in a line of words.
func mark(code, s string) string {
	return fmt.Sprintf("redacted %s, sha256 %s, %d bytes", code, fixture.Hash(s), len(s))
}

// marked returns a text as records may hold it.
func marked(s string) string {
	if code := objected(s); code != "" {
		return mark(code, s)
	}
	return s
}

// markOf is what stands in a value's place in JSON.
func markOf(code, s string) map[string]any {
	return map[string]any{"redacted": code, "sha256": fixture.Hash(s), "bytes": len(s)}
}

// markedJSON returns a value as records may hold it: each text that a rule objects to is replaced, and
// all of it where a rule objects to what then remains, such as a key or two texts that make one.
func markedJSON(raw json.RawMessage) json.RawMessage {
	v, err := sim.ParseJSON(raw)
	if err != nil {
		return sim.MustCanonical(markOf("no_json", string(raw)))
	}
	out := raw
	if replaced, any := replace(v); any {
		out = sim.MustCanonical(replaced)
	}
	if code := objected(string(out)); code != "" {
		return sim.MustCanonical(markOf(code, string(raw)))
	}
	return out
}

// replace puts marks in a value, and reports whether there was any need to.
func replace(v any) (any, bool) {
	found := false
	switch v := v.(type) {
	case string:
		if code := objected(v); code != "" {
			return markOf(code, v), true
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, e := range v {
			r, any := replace(e)
			out[key], found = r, found || any
		}
		return out, found
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			r, any := replace(e)
			out[i], found = r, found || any
		}
		return out, found
	}
	return v, found
}

// Muted returns a run whose records, made from what it returns, have marks in place of everything that
// an agent wrote, also of what is harmless by itself: two such texts may be a hit where they meet in a line. What
// a rule still objects to in them is the host's own.
func (r Run) Muted() Run {
	mute := func(p Played) Played {
		if p.Record != nil {
			silent := *p.Record
			silent.mute = true
			p.Record = &silent
		}
		return p
	}
	if r.Qualification != nil {
		q := mute(*r.Qualification)
		r.Qualification = &q
	}
	r.Trials = slices.Clone(r.Trials)
	for i, t := range r.Trials {
		r.Trials[i] = mute(t)
	}
	return r
}

// text is a text of a record that is not the host's, as records may hold it.
func (r *Record) text(s string) string {
	if r.mute && s != "" && !slices.Contains(world.ToolNames(), s) {
		return mark(inContext, s)
	}
	return clip(marked(s))
}

// arguments are those of a call, as records may hold them.
func (r *Record) arguments(e sim.Event) json.RawMessage {
	if a := Sanitised(e); !r.mute || string(a) == "{}" {
		return a
	}
	return sim.MustCanonical(markOf(inContext, string(e.Call.Arguments)))
}

// findings are those of a stage, as records may hold them.
func (r *Record) findings(fs []Finding) []Finding {
	if !r.mute {
		return fs
	}
	out := slices.Clone(fs)
	for i := range out {
		f := &out[i]
		f.PageID, f.Path, f.Expected, f.Actual = r.text(f.PageID), r.text(f.Path), r.text(f.Expected), r.text(f.Actual)
	}
	return sortFindings(out)
}
