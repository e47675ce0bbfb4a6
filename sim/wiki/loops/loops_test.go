package loops_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"benchwright/sim/wiki/loops"
)

// steps reads a script: one word a call.
//
//	?key        asks; the state stays as it is
//	?key!       asks where nothing is
//	+key        reads a file for the first time
//	=key        asks, and has another answer than before
//	p:a>b       writes page p, whose text was a and becomes b; behind it +n backed sources, [r or ]r for r closed or opened
//	.           some other call
//	;           ends the stage
func steps(script string) []loops.Step {
	var out []loops.Step
	state, other := "s0", 0
	for i, w := range strings.Fields(script) {
		s := loops.Step{Call: i + 1, Key: w, Before: state, Result: "r"}
		switch {
		case w == ".":
		case w == ";":
			s.Ends = true
		case w[0] == '?':
			s.Discovery, s.Key, s.Missing = true, strings.TrimSuffix(w[1:], "!"), strings.HasSuffix(w, "!")
		case w[0] == '=':
			other++
			s.Discovery, s.Key, s.Result = true, w[1:], fmt.Sprint("r", other)
		case w[0] == '+':
			s.Discovery, s.Key, s.Proved = true, w[1:], true
			state += "+"
		default:
			id, rest, _ := strings.Cut(w, ":")
			before, rest, _ := strings.Cut(rest, ">")
			x := &loops.Write{Page: id, Before: before, After: rest[:1]}
			for rest = rest[1:]; rest != ""; rest = rest[2:] {
				switch rest[0] {
				case '+':
					x.BackedAfter = int(rest[1] - '0')
				case '-':
					x.BackedBefore, x.BackedAfter = int(rest[1]-'0'), int(rest[1]-'0')
				case '[':
					x.Closed = append(x.Closed, rest[1:2])
				case ']':
					x.Opened = append(x.Opened, rest[1:2])
				}
			}
			s.Write = x
			if x.Before != x.After {
				state = fmt.Sprintf("%s/%s=%s", strings.SplitN(state, "/", 2)[0], id, x.After)
			}
		}
		s.After = state
		out = append(out, s)
	}
	return out
}

func TestLoops(t *testing.T) {
	idle := func(n int) string { return strings.Repeat(". ", n) }
	for _, c := range []struct {
		name, script string
		want         string // call:kind:count, with w for a warning; then what stopped it
		reason       string
	}{
		{"once", "?a ?b", "", "different questions are no repetition"},
		{"first-repeat", "?a ?a", "2:repeated_discovery:w", "the first repetition is free"},
		{"later-repeats", "?a ?a ?a ?b ?a", "2:repeated_discovery:w 3:repeated_discovery:1 5:repeated_discovery:2", "each later one counts, whatever stands between"},
		{"missing", "?a! ?a!", "2:repeated_discovery:1", "where nothing is, the second time counts"},
		{"missing-loop", "?a! ?a! ?a! ?a! ?a!", "2:repeated_discovery:1 3:repeated_discovery:2 4:repeated_discovery:3 5:repeated_discovery:4 stop:repeated_discovery", "three are survived"},
		{"missing-after-a-read", "?a! +f ?a! p:a>b ?a!", "3:repeated_discovery:1 5:repeated_discovery:2", "nothing that is read or written makes it appear"},
		{"missing-in-between", "?a! +f ?a! +g ?a! +h ?a! +i ?a!", "3:repeated_discovery:1 5:repeated_discovery:2 7:repeated_discovery:3 9:repeated_discovery:4 stop:repeated_discovery", "so progress in between saves no stage"},
		{"state-changed", "?a +f ?a ?a", "4:repeated_discovery:w", "something new was read in between"},
		{"page-changed", "?a p:a>b ?a", "", "a page was written in between"},
		{"other-answer", "=a =a =a", "", "the answer differs"},
		{"first-read", "+f ?f ?f", "2:repeated_discovery:w 3:repeated_discovery:1", "the read that proved counts as a use"},
		{"back-again", "p:a>b p:b>a p:a>b", "2:repeated_mutation:1 3:repeated_mutation:2", "the page has had the text; that it began with counts"},
		{"back-again-loop", "p:a>b p:b>a p:a>b p:b>a", "2:repeated_mutation:1 3:repeated_mutation:2 4:repeated_mutation:3 stop:repeated_mutation", "two are survived"},
		{"prose", "p:a>b p:b>c p:c>d p:d>e", "3:repeated_mutation:1 4:repeated_mutation:2", "the third write without a gain, and later ones"},
		{"gains", "p:a>b+1 p:b>c+2 p:c>d+3 p:d>e+4", "", "each backs a source"},
		{"gain-lost", "p:a>b+2 p:b>c+1 p:c>d+2 p:d>e+1", "4:repeated_mutation:1", "to win back what was lost is no gain"},
		{"backed-by-reading", "p:a>b p:b>c-2 p:c>d-2", "3:repeated_mutation:1", "what was backed before a write is no gain of it"},
		{"closes", "p:a>b[r p:b>c[s p:c>d[t p:d>e", "", "each closes a requirement"},
		{"closes-again", "p:a>b]r p:b>c[r p:c>d", "3:repeated_mutation:1", "to close what was open for a moment is no gain"},
		{"other-pages", "p:a>b q:a>b o:a>b n:a>b", "", "pages are counted apart"},
		{"no-change", "p:a>a", "1:no_change_write:1", "and not a repeated mutation, though the page has had the text"},
		{"no-change-loop", "p:a>a p:a>a", "1:no_change_write:1 2:no_change_write:2 stop:no_change_write", "one is survived"},
		{"eleven", idle(11) + "+f " + idle(11), "", "a new file starts the count anew"},
		{"twelve", idle(12) + ". ", "12:stalled:1", "it is counted anew from there"},
		{"twenty-four", idle(24), "12:stalled:1 24:stalled:2 stop:stalled", "one is survived"},
		{"finished", idle(11) + ";", "", "to finish is not to stall"},
		{"new-text", idle(11) + "p:a>b " + idle(11), "", "a new text is progress"},
		{"old-text", idle(10) + "p:a>b p:b>a " + idle(11), "12:repeated_mutation:1 23:stalled:1", "a text that the page has had is none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := loops.New()
			var got []string
			for i, s := range steps(c.script) {
				if i == 3 {
					d = d.Clone()
				}
				for _, e := range d.Add(s) {
					count := fmt.Sprint(e.Count)
					if e.Warning {
						count = "w"
					}
					got = append(got, fmt.Sprintf("%d:%s:%s", e.Call, e.Kind, count))
				}
			}
			if k, ok := d.Stopped(); ok {
				got = append(got, "stop:"+string(k))
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("%s\nwant %s\n got %s", c.reason, c.want, s)
			}
		})
	}
}

func TestACloneIsIndependent(t *testing.T) {
	d := loops.New()
	for _, s := range steps("?a p:a>b p:b>c p:c>d]r") {
		d.Add(s)
	}
	want := d.Clone()
	c := d.Clone()
	for _, s := range steps("?a ?a p:d>a p:a>e[r . . . . . . . . . . . .") {
		c.Add(s)
	}
	if !reflect.DeepEqual(d, want) {
		t.Error("the original has changed with its copy")
	}
	for _, k := range loops.Kinds() {
		if c.Count(k) < d.Count(k) || !slices.Contains(loops.Kinds(), k) {
			t.Errorf("%s: %d, and %d before", k, c.Count(k), d.Count(k))
		}
	}
}
