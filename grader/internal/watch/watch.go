// Package watch calls code of others that may never return.
package watch

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"
)

// An End is how a piece of work ended.
type End int

// The ends of work.
const (
	Done  End = iota // it returned
	Stuck            // it was abandoned within a step that took too long
	Late             // it was abandoned between steps, a while after its context had ended
	Quit             // it ended its goroutine
)

// A Watch is what work reports its steps to. It is the worker's alone until the work has ended.
type Watch struct {
	Step any // what the worker is doing; nil between steps

	step  int64        // odd within a step
	shown atomic.Int64 // the same, or abandoned
	limit atomic.Int64
}

const abandoned = -1

// interval is how often a watch looks, and so how exact its limits are. Work that is done
// sooner is never looked at.
const interval = 20 * time.Millisecond

// Enter begins a step that may take so long.
func (w *Watch) Enter(limit time.Duration, step any) {
	w.Step = step
	w.limit.Store(int64(limit))
	w.turn()
}

// Leave ends the step.
func (w *Watch) Leave() {
	w.turn()
	w.Step = nil
}

// turn does not return in work that has been abandoned: the goroutine ends there, so that
// nothing is written to what others read by then.
func (w *Watch) turn() {
	if !w.shown.CompareAndSwap(w.step, w.step+1) {
		runtime.Goexit()
	}
	w.step++
}

// Do runs work on a goroutine of its own and waits for it. It gives up when a step lasts longer
// than its limit, or longer than grace after ctx has ended: then what the work had written
// before the step may be read, and the goroutine is left to itself.
//
// Between steps work is trusted to go on, unless it is loose: then it is given up there as well,
// grace after ctx has ended, and nothing that it writes may be read. Work that panics panics here.
func Do(ctx context.Context, grace time.Duration, loose bool, work func(*Watch)) (*Watch, End) {
	w := &Watch{}
	type ended struct {
		end    End
		reason any // of a panic
	}
	done := make(chan ended, 1)
	go func() {
		e := ended{end: Quit}
		defer func() {
			e.reason = recover()
			done <- e
		}()
		work(w)
		e.end = Done
	}()
	look := time.NewTimer(interval)
	defer look.Stop()
	late := ctx.Done()
	var last int64 // the step that was seen last, and when it was first seen
	var since, over time.Time
	for {
		select {
		case e := <-done:
			if e.reason != nil {
				panic(e.reason)
			}
			return w, e.end
		case <-late:
			late, over = nil, time.Now()
		case now := <-look.C:
			step := w.shown.Load()
			if step != last {
				last, since = step, now
			}
			within := step%2 == 1
			gone := !over.IsZero() && now.Sub(over) >= grace && (within || loose)
			if long := within && now.Sub(since) >= time.Duration(w.limit.Load()); (gone || long) && w.shown.CompareAndSwap(step, abandoned) {
				if within {
					return w, Stuck
				}
				return nil, Late
			}
			look.Reset(interval)
		}
	}
}

// key is that of a Watch in a context.
type key struct{}

// With returns a context in which callees on the goroutine of the work find its watch, so that
// they need none of their own.
func With(ctx context.Context, w *Watch) context.Context { return context.WithValue(ctx, key{}, w) }

// From returns the watch that With put into a context, or nil.
func From(ctx context.Context) *Watch {
	w, _ := ctx.Value(key{}).(*Watch)
	return w
}
