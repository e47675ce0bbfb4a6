package reports

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"benchwright/grader"
)

// A Progress shows how far a run has come: on a terminal in one line that it keeps up to date,
// elsewhere in a line every half minute and at each tenth of the way that takes some seconds. It prints numbers only,
// and is safe for concurrent use.
type Progress struct {
	mu       sync.Mutex
	w        io.Writer
	clock    Clock
	live     bool
	columns  int
	total    int
	counts   Counts
	started  time.Time
	printed  time.Time
	tenths   int
	width    int // of the line on the terminal, to wipe it
	quit     chan struct{}
	finished chan struct{}
	stop     func()
}

const (
	liveEvery  = 100 * time.Millisecond // between updates of a live line
	plainEvery = 30 * time.Second       // between plain lines when nothing ends
	tenthEvery = 2 * time.Second        // between plain lines at tenths: a short run needs none
)

// NewProgress starts showing progress towards total episodes on w. Close ends it.
func NewProgress(w io.Writer, total int, clock Clock) *Progress {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return newProgress(w, total, clock, 0)
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil || columns < 20 {
		columns = 80
	}
	return newProgress(w, total, clock, columns)
}

// newProgress is live on a terminal of so many columns; 0 is no terminal.
func newProgress(w io.Writer, total int, clock Clock, columns int) *Progress {
	live := columns > 0
	p := &Progress{w: w, clock: clock, live: live, columns: columns, total: total, quit: make(chan struct{}), finished: make(chan struct{})}
	p.started = clock.now()
	p.printed = p.started
	every := plainEvery
	if live {
		every = time.Second
	}
	ticks, stop := clock.tick(every)
	p.stop = stop
	go func() {
		defer close(p.finished)
		for {
			select {
			case <-ticks:
				p.mu.Lock()
				if p.live || p.clock.now().Sub(p.printed) >= plainEvery {
					p.print()
				}
				p.mu.Unlock()
			case <-p.quit:
				return
			}
		}
	}()
	return p
}

// Done counts an episode.
func (p *Progress) Done(o grader.Outcome) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts.add(o)
	switch done := p.counts.All(); {
	case p.live:
		if p.clock.now().Sub(p.printed) >= liveEvery || done == p.total {
			p.print()
		}
	case p.total > 0 && done*10/p.total > p.tenths:
		p.tenths = done * 10 / p.total
		if p.clock.now().Sub(p.printed) >= tenthEvery {
			p.print()
		}
	}
}

// Print writes a whole text, such as a failing task, without tearing the live line.
func (p *Progress) Print(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wipe()
	io.WriteString(p.w, text)
	if p.live {
		p.print()
	}
}

// Close ends the showing. A second Close does nothing.
func (p *Progress) Close() {
	p.mu.Lock()
	stop := p.stop
	p.stop = nil
	p.mu.Unlock()
	if stop == nil {
		return
	}
	stop()
	close(p.quit)
	<-p.finished
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wipe()
}

// print writes the line; the caller holds the lock.
func (p *Progress) print() {
	now := p.clock.now()
	p.printed = now
	line := p.line(now.Sub(p.started))
	if !p.live {
		fmt.Fprintln(p.w, line)
		return
	}
	if most := p.columns - 1; len(line) > most { // a line that wraps cannot be wiped
		line = line[:most]
	}
	pad := max(p.width-len(line), 0)
	p.width = len(line)
	fmt.Fprintf(p.w, "\r%s%s", line, strings.Repeat(" ", pad))
}

// wipe takes the live line away.
func (p *Progress) wipe() {
	if p.live && p.width > 0 {
		fmt.Fprintf(p.w, "\r%s\r", strings.Repeat(" ", p.width))
		p.width = 0
	}
}

func (p *Progress) line(spent time.Duration) string {
	c, done := p.counts, p.counts.All()
	s := fmt.Sprintf("%d/%d  %d passed, %d failed, %d broken, %d skipped", done, p.total, c.Passed, c.Failed, c.Broken, c.Skipped)
	if done == 0 || spent <= 0 {
		return s
	}
	s += fmt.Sprintf("  %.1f/min", float64(done)/spent.Minutes())
	if left := p.total - done; left > 0 {
		eta := time.Duration(float64(spent) / float64(done) * float64(left))
		s += "  ETA " + short(eta)
	}
	return s
}

// short is a duration of two units at most: "1h03m", "4m10s", "9s".
func short(d time.Duration) string {
	d = d.Round(time.Second)
	h, m, s := int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60
	switch {
	case h > 0:
		return fmt.Sprintf("%dh%02dm", h, m)
	case m > 0:
		return fmt.Sprintf("%dm%02ds", m, s)
	}
	return fmt.Sprintf("%ds", s)
}
