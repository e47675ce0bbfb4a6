package workspace

import (
	"fmt"

	"benchwright/grader"
	world "benchwright/sim/workspace"
)

// On names the dashboard that a rule is about: its id or its name, or one of the constants
// here. An id is one of the start, since an agent may choose those of what it makes. A name means
// the dashboard that had it at the start, whatever it is called now, and one of that name at the
// end only if there was none; of several, the first created.
type On string

// Dashboards without a name.
const (
	// Open is the dashboard that is open at the end. A demand for at most so many of something, and
	// for none at least, must hold on the dashboard that was open at the start as well, so that it is
	// not met by going away.
	Open On = ""
	// AtEnd is the dashboard that is open at the end and nothing else, as published.
	AtEnd On = "@end"
	// AtStart is the dashboard that was open at the start.
	AtStart On = "@start"
)

// of words the subject within a demand.
func (o On) of(what string) string {
	switch o {
	case Open:
		return what
	case AtEnd:
		return what + " on the dashboard that is left open"
	case AtStart:
		return what + " on the dashboard that was open at the start"
	}
	return fmt.Sprintf("%s on dashboard %q", what, string(o))
}

// ground is what the subject demands an agent to know.
func (o On) ground() string {
	switch o {
	case Open, AtEnd, AtStart:
		return ""
	}
	return string(o)
}

// before reads the state at the start.
func before(ev grader.Evidence) (*view, error) {
	v, err := read(ev.Initial)
	if err == grader.NotApplicable { //nolint:errorlint // it is returned as it is
		return nil, unreadable(fmt.Errorf("there is none of the start"))
	}
	return v, err
}

// id finds the subject in the final state. None is "".
func (o On) id(ev grader.Evidence, final *view) (string, error) {
	switch o {
	case Open, AtEnd:
		id, _ := final.active()
		return id, nil
	}
	started := ev.Initial != nil && len(ev.Initial.JSON()) > 0
	if _, ok := final.boards[string(o)]; ok && o != AtStart && !started {
		return string(o), nil
	}
	if started {
		initial, err := before(ev)
		if err != nil {
			return "", err
		}
		if _, was := initial.boards[string(o)]; was && o != AtStart {
			if _, still := final.boards[string(o)]; still {
				return string(o), nil
			}
		}
		var id string
		var ok bool
		if o == AtStart {
			id, ok = initial.active()
		} else {
			id, ok = initial.named(string(o))
		}
		if _, still := final.boards[id]; ok && still {
			return id, nil
		}
	}
	if o == AtStart {
		return "", nil
	}
	id, _ := final.named(string(o))
	return id, nil
}

// board finds the subject of a rule in what an episode left behind. It is nil when there is none,
// which the second result words.
func (o On) board(ev grader.Evidence) (*world.Composition, string, error) {
	final, err := read(ev.Final)
	if err != nil {
		return nil, "", err
	}
	id, err := o.id(ev, final)
	if err != nil {
		return nil, "", err
	}
	c, err := final.board(id)
	if err != nil || c != nil {
		return c, "", err
	}
	switch o {
	case Open, AtEnd:
		return nil, "no dashboard is open", nil
	case AtStart:
		return nil, "the dashboard that was open at the start is gone", nil
	}
	return nil, fmt.Sprintf("there is no dashboard %s", quote(string(o))), nil
}

// also returns the dashboard that was open at the start, where a demand for at least min and at most so
// many covers it beside the subject.
func (o On) also(ev grader.Evidence, min int, subject *world.Composition) (*world.Composition, error) {
	if o != Open || min > 0 {
		return nil, nil
	}
	c, _, err := AtStart.board(ev)
	if err != nil || c == nil || subject != nil && c.DashboardID == subject.DashboardID {
		return nil, err
	}
	return c, nil
}

// title words a dashboard.
func title(c *world.Composition) string { return fmt.Sprintf("dashboard %s", quote(c.Name)) }
