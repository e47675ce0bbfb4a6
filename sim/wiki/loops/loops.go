// Package loops recognises calls that bring nothing new: the same question with the same answer, a
// page written over and over, and a stage in which nothing moves.
//
//	d := loops.New()
//	for _, s := range steps { // of one stage, in order
//		events := d.Add(s)
//		if kind, ok := d.Stopped(); ok { … } // the stage is hopeless
//	}
//
// A tool that answers is no progress by itself. Progress is a file read for the first time, a page
// that has a text it never had in the stage, a source that becomes backed, a requirement closed.
//
// The package knows hashes and names alone, so that a world can stop a hopeless stage by it while
// it is played and a grader finds the same from the trace.
package loops

import "maps"

// A Kind is a way of going round in circles.
type Kind string

// The kinds.
const (
	// RepeatedDiscovery: a question is put again, with the same answer, and the state is what it was
	// when it was put last. The first repetition warns, each later one is an event. Where there is
	// nothing at the target already the first is one, whatever has been read or written since: nothing
	// that is done makes it appear. Another range of lines of a file is another question. Only
	// looking for files and pages is a question; what reads one page or the status again is none,
	// and counts for Stalled alone.
	RepeatedDiscovery Kind = "repeated_discovery"
	// RepeatedMutation: a page gets a text that it has had in the stage, or is written for at least
	// the third time without a gain. A gain is a backed source more than it ever had in the stage, or
	// a requirement closed that was not closed before.
	RepeatedMutation Kind = "repeated_mutation"
	// NoChangeWrite: a page is written and stays as it is. It is not a repeated mutation as well.
	NoChangeWrite Kind = "no_change_write"
	// Stalled: [Patience] calls in a row without a new line in the ledger, a page text that is new in
	// the stage, or a requirement closed. Counting then begins anew.
	Stalled Kind = "stalled"
)

// Kinds lists the kinds.
func Kinds() []Kind { return []Kind{RepeatedDiscovery, RepeatedMutation, NoChangeWrite, Stalled} }

// Patience is how many calls in a row may bring nothing new before a stage is stalled.
const Patience = 12

// Limit returns how many events of a kind a stage survives; one more stops it.
func Limit(k Kind) int {
	switch k {
	case RepeatedDiscovery:
		return 3
	case RepeatedMutation:
		return 2
	}
	return 1
}

// A Step is one call, as far as it matters here.
type Step struct {
	Call      int    // its number in the episode, from 1
	Key       string // tool and canonical arguments
	Discovery bool   // it asks: a list, a search or a read of a file
	Ends      bool   // it ends the stage, and is never idle
	Result    string // hash of the answer
	Before    string // state hash before
	After     string // state hash after
	Missing   bool   // there is nothing at its target
	Proved    bool   // the ledger got a line by it
	Write     *Write // of a page that was written
}

// A Write is what a page was and became.
type Write struct {
	Page         string
	Before       string // hash of the text
	After        string
	BackedBefore int // sources
	BackedAfter  int
	Closed       []string // requirements
	Opened       []string
}

// An Event is a call that brought nothing new.
type Event struct {
	Kind    Kind   `json:"kind"`
	Call    int    `json:"call"`
	Key     string `json:"key"`
	Count   int    `json:"count"` // which event of its kind in the stage; 0 for a warning
	Warning bool   `json:"warning,omitempty"`
}

// A Detector sees the calls of one stage, in order. It is used by one goroutine.
type Detector struct {
	uses   map[string]use
	pages  map[string]page
	closed map[string]bool // requirements that have been closed at some time of the stage
	idle   int
	counts map[Kind]int
	stop   Kind
}

// A use is the last use of a question.
type use struct {
	result, after string
	missing       bool
	repeats       int
}

// A page is what has become of a page in the stage.
type page struct {
	had   map[string]bool // hashes of its texts
	most  int             // backed sources
	vains int             // writes without a gain
}

// New returns the detector of a stage that begins.
func New() *Detector {
	return &Detector{uses: map[string]use{}, pages: map[string]page{}, closed: map[string]bool{}, counts: map[Kind]int{}}
}

// Clone returns an independent copy.
func (d *Detector) Clone() *Detector {
	c := *d
	c.uses, c.pages, c.closed, c.counts = maps.Clone(d.uses), maps.Clone(d.pages), maps.Clone(d.closed), maps.Clone(d.counts)
	for id, p := range c.pages {
		p.had = maps.Clone(p.had)
		c.pages[id] = p
	}
	return &c
}

// Count returns how many events of a kind there have been.
func (d *Detector) Count(k Kind) int { return d.counts[k] }

// Stopped returns the kind whose limit was passed first, and whether one was.
func (d *Detector) Stopped() (Kind, bool) { return d.stop, d.stop != "" }

// Add returns what is to be said of the next call: at most one event for what it does, then one
// when the stage is stalled by it.
func (d *Detector) Add(s Step) []Event {
	var out []Event
	event := func(k Kind) {
		d.counts[k]++
		out = append(out, Event{Kind: k, Call: s.Call, Key: s.Key, Count: d.counts[k]})
		if d.stop == "" && d.counts[k] > Limit(k) {
			d.stop = k
		}
	}
	progress := s.Proved || s.Ends
	switch {
	case s.Discovery:
		switch repeats := d.ask(s); {
		case repeats > 1 || repeats == 1 && s.Missing:
			event(RepeatedDiscovery)
		case repeats == 1:
			out = append(out, Event{Kind: RepeatedDiscovery, Call: s.Call, Key: s.Key, Warning: true})
		}
	case s.Write != nil:
		k, moved := d.write(*s.Write)
		if k != "" {
			event(k)
		}
		progress = progress || moved
	}
	if d.idle++; progress {
		d.idle = 0
	}
	if d.idle == Patience {
		d.idle = 0
		event(Stalled)
	}
	return out
}

// ask notes a question and returns how often it has been repeated in vain.
func (d *Detector) ask(s Step) int {
	last, ok := d.uses[s.Key]
	now := use{result: s.Result, after: s.After, missing: s.Missing}
	if ok && (last.missing && s.Missing || last.result == s.Result && last.after == s.Before) {
		now.repeats = last.repeats + 1
	}
	d.uses[s.Key] = now
	return now.repeats
}

// write notes a write, and returns what is wrong with it and whether anything moved by it.
func (d *Detector) write(w Write) (k Kind, moved bool) {
	p, ok := d.pages[w.Page]
	if !ok {
		p.had = map[string]bool{w.Before: true}
	}
	p.most = max(p.most, w.BackedBefore)
	for _, r := range w.Opened { // so it was closed until now
		d.closed[r] = true
	}
	closes := false
	for _, r := range w.Closed {
		closes = closes || !d.closed[r]
		d.closed[r] = true
	}
	gain := closes || w.BackedAfter > p.most
	p.most = max(p.most, w.BackedAfter)
	if !gain {
		p.vains++
	}
	fresh := !p.had[w.After]
	p.had[w.After] = true
	d.pages[w.Page] = p
	switch {
	case w.Before == w.After:
		k = NoChangeWrite
	case !fresh, !gain && p.vains >= 3:
		k = RepeatedMutation
	}
	return k, fresh || closes
}
