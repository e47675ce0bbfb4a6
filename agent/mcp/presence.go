package mcp

import (
	"context"
	"errors"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"benchwright/agent"
	"benchwright/grader"
)

// What follows tells whether there is a client, and when there is none any more.

// maxSessions is how many sessions an episode may have at once. They share the world.
const maxSessions = 32

// heard notes that a client said something.
func (e *episode) heard(s sdk.Session, method string) {
	ss, _ := s.(*sdk.ServerSession)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.came = true
	e.expect(e.opts.idle())
	switch {
	case ss == nil || e.sessions[ss]:
		return
	case ss.ID() == "": // a stream, which ends with its Run
		return
	case ss.InitializeParams() == nil && method != "initialize": // a client that only asks what is spoken here
		return
	}
	e.sessions[ss] = true
	go func() {
		ss.Wait()
		e.closed(ss)
	}()
}

// closed notes that a session is over. Clients that look around first, and then come to stay,
// have a moment to do so.
func (e *episode) closed(ss *sdk.ServerSession) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.sessions, ss)
	if len(e.sessions) == 0 {
		e.expect(e.opts.linger())
	}
}

// expect lets the client count as gone unless something is heard of it within d. The caller
// holds the lock.
func (e *episode) expect(d time.Duration) {
	if e.gone {
		return
	}
	if e.timer == nil {
		e.timer = time.AfterFunc(d, e.leave)
		return
	}
	e.timer.Reset(d)
}

// leave says that no client will do more.
func (e *episode) leave() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.gone {
		e.gone = true
		close(e.left)
	}
	if e.timer != nil {
		e.timer.Stop()
	}
}

// end notes that the session is over.
func (e *episode) end() {
	e.mu.Lock()
	e.over = true
	e.mu.Unlock()
	e.leave()
}

// claim hands the episode to somebody, once.
func (e *episode) claim() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.claimed || e.came || e.gone {
		return false
	}
	e.claimed = true
	return true
}

func (e *episode) full() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.sessions) >= maxSessions
}

// await waits until the client has come and gone, or the episode is over, and says how it ended.
func (e *episode) await(ctx context.Context) error {
	first := time.NewTimer(e.opts.connect())
	defer first.Stop()
	for {
		select {
		case <-e.left:
			return e.finish(ctx)
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return e.absent("before the episode's time was up")
			}
			return nil // over, or interrupted: the session knows
		case <-first.C:
			e.mu.Lock()
			came := e.came
			e.mu.Unlock()
			if !came {
				return e.absent("within " + e.opts.connect().String())
			}
		}
	}
}

// absent is the error of an episode to which no client has come: the measurement's fault, unless
// somebody was handed the episode and did nothing about it.
func (e *episode) absent(when string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.came:
		return nil
	case e.claimed:
		return agent.End(grader.EndStopped, "the episode was handed out, and no client connected "+when)
	}
	return agent.Faultf(grader.LayerAdapter, NoHarness, "no harness took the episode or connected to it %s", when)
}

// NoHarness is the code of an episode that nobody came to play.
const NoHarness = "no_harness"

// finish ends an episode whose client is gone.
func (e *episode) finish(ctx context.Context) error {
	err := e.desk.Finish(ctx)
	var ended *agent.Ended
	if errors.As(err, &ended) {
		return nil // the session knows
	}
	return err
}

// retire closes what is left of the episode, and tells of its breaches.
func (e *episode) retire() {
	e.leave()
	for ss := range e.server.Sessions() {
		ss.Close()
	}
}

func (e *episode) report() {
	e.mu.Lock()
	breaches := e.breaches
	e.mu.Unlock()
	if e.opts.Report != nil && len(breaches) > 0 {
		e.opts.Report(breaches)
	}
}
