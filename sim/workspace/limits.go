package workspace

import "slices"

// What an agent can bring a workspace to. These bounds guard the memory of the process and nothing
// else: people stop at dozens of widgets and some kilobytes of text. What is there at the start
// does not count.
const (
	maxWidgets  = 10_000    // over all dashboards
	maxName     = 1 << 10   // bytes of a name, an id of what is made, or a URL
	maxProse    = 256 << 10 // bytes of a description
	maxWidget   = 256 << 10 // bytes of all that one widget holds: arguments, settings, data
	maxTabs     = 200       // of one dashboard
	maxBackends = 64        // connected
	maxGrown    = 16 << 20  // bytes of the whole workspace beyond those of the start
)

// kept are the arguments that a workspace keeps as they are sent, and how long they may be.
var kept = []struct {
	name string
	most int
}{{"name", maxName}, {"dashboard_name", maxName}, {"dashboard_id", maxName}, {"backend_id", maxName}, {"url", maxName}, {"description", maxProse}}

// long refuses arguments to be kept that are longer than any name.
func (a arguments) long() *failure {
	for _, k := range kept {
		if f := tooLong(k.name, a.text(k.name), k.most); f != nil {
			return f
		}
	}
	return nil
}

func tooLong(what, s string, most int) *failure {
	if len(s) <= most {
		return nil
	}
	return invalid("%s is too long: it has %d bytes, and may have %d.", what, len(s), most)
}

// large refuses a widget that holds more than widgets do.
func (b *body) large() *failure {
	if len(b.encoded) <= maxWidget {
		return nil
	}
	return invalid("A widget holds at most %d bytes with its arguments, settings and data; this one would hold %d.", maxWidget, len(b.encoded))
}

// crowded refuses more widgets than the workspace can hold.
func (c *call) crowded(more int) *failure {
	n := 0
	for _, d := range c.state.dashboards {
		n += len(d.widgets)
	}
	if n+more > maxWidgets {
		return failed("The workspace holds %d widgets and cannot hold %d more; the most that it can hold is %d.", n, more, maxWidgets)
	}
	return nil
}

// connected refuses one more backend than can be connected.
func (c *call) connected() *failure {
	if n := len(c.state.backends); n >= maxBackends {
		return invalid("%d backends are connected, and no more can be: remove one first.", n)
	}
	return nil
}

// undone refuses a call that has begun to change the workspace.
func (c *call) undone(f *failure) *failure {
	c.after = nil
	return f
}

// grow notes how much more a workspace holds than the one that it was made of, and refuses what is more
// than it can hold.
func (s *state) grow(from *state) *failure {
	more := 0
	for i, d := range s.dashboards {
		switch {
		case i >= len(from.dashboards):
			more += d.size()
		case from.dashboards[i] != d:
			more += d.size() - from.dashboards[i].size()
		}
	}
	if !slices.Equal(s.backends, from.backends) {
		for _, c := range s.backends {
			if !slices.Contains(from.backends, c) {
				more += c.size()
			}
		}
		for _, c := range from.backends {
			if !slices.Contains(s.backends, c) {
				more -= c.size()
			}
		}
	}
	s.grown = from.grown + more
	if more > 0 && s.grown > maxGrown {
		return invalid("The workspace holds at most %d bytes more than at the start; with this it would hold %d more.", maxGrown, s.grown)
	}
	return nil
}

// What a thing takes beside its texts, roughly.
const (
	overhead       = 128
	boardsOverhead = 1 << 10
)

func (d *dashboard) size() int {
	n := boardsOverhead + len(d.id) + len(d.name)
	for _, t := range d.tabs {
		n += overhead + len(t.id) + len(t.name)
	}
	for _, w := range d.widgets {
		n += overhead + len(w.encoded) + len(w.at.tab)
	}
	return n
}

func (c *connection) size() int {
	n := boardsOverhead + len(c.id) + len(c.name) + len(c.url)
	if c.added {
		n += len(c.source.apps()) + len(c.source.widgets())
	}
	return n
}
