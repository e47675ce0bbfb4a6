package watch

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

func TestEnds(t *testing.T) {
	for _, c := range []struct {
		name   string
		cancel time.Duration // of the context; 0 for never
		steps  []time.Duration
		limit  time.Duration
		quit   bool
		loose  bool
		want   End
		took   time.Duration // at most
		reason string
	}{
		{name: "none", want: Done, reason: "work without steps"},
		{name: "quick", steps: make([]time.Duration, 1000), limit: time.Nanosecond, want: Done, reason: "what is done before anybody looks is never late"},
		{name: "many", steps: []time.Duration{time.Second, time.Second, time.Second, time.Second}, limit: 2 * time.Second, want: Done, took: 4 * time.Second, reason: "the limit is of a step"},
		{name: "slow", steps: []time.Duration{0, time.Hour}, limit: 2 * time.Second, want: Stuck, took: 3 * time.Second, reason: "a step that lasts"},
		{name: "cancelled", cancel: time.Second, steps: []time.Duration{time.Hour}, limit: time.Hour, want: Stuck, took: 3 * time.Second, reason: "the context ended and the step did not"},
		{name: "loose", cancel: time.Second, limit: time.Hour, loose: true, want: Late, took: 3 * time.Second, reason: "the context ended, and the work did not between its steps"},
		{name: "in-grace", cancel: time.Second, steps: []time.Duration{1500 * time.Millisecond}, limit: time.Hour, want: Done, took: 2 * time.Second, reason: "it ended soon after"},
		{name: "quits", steps: []time.Duration{0}, limit: time.Hour, quit: true, want: Quit, reason: "a goroutine that ends is not waited for"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.reason == "" {
				t.Fatal("a case needs a reason")
			}
			synctest.Test(t, func(t *testing.T) {
				ctx := t.Context()
				if c.cancel > 0 {
					var stop context.CancelFunc
					ctx, stop = context.WithTimeout(ctx, c.cancel)
					defer stop()
				}
				release := make(chan struct{})
				left := 0 // steps that were left; the race detector watches it
				begun := time.Now()
				w, end := Do(ctx, time.Second, c.loose, func(w *Watch) {
					for i, d := range c.steps {
						w.Enter(c.limit, i)
						if c.quit {
							runtime.Goexit()
						}
						if d == time.Hour {
							<-release
						} else if d > 0 {
							time.Sleep(d)
						}
						w.Leave()
						left++
					}
					if c.loose {
						<-release
						w.Enter(c.limit, "never")
						t.Error("abandoned work goes on")
					}
				})
				took := time.Since(begun)
				if end == Late {
					left = 0 // it is the work's alone
				}
				before := left
				if (end == Stuck || end == Quit) && w.Step != len(c.steps)-1 {
					t.Errorf("step %v is stuck, not the last", w.Step)
				}
				close(release)
				synctest.Wait()
				if end != c.want || took > c.took || left != before {
					t.Errorf("%s: end %d after %s, %d steps and then %d", c.reason, end, took, before, left)
				}
			})
		})
	}
}

func BenchmarkDo(b *testing.B) {
	for b.Loop() {
		Do(b.Context(), time.Second, false, func(w *Watch) {
			w.Enter(time.Second, nil)
			w.Leave()
		})
	}
}
