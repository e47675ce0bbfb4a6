package agent

import (
	"context"
	"fmt"
	"time"

	"benchwright/grader"
)

// What follows is how limits are kept: the episode's and, beside them, each ask's own. Unless it
// says otherwise, a method here is called with the session's lock held.

// own is what the present ask has used of its own limits.
type own struct {
	turns, calls int
	tokens       int64
	clock        *time.Timer // nil without a limit of time
	late         bool        // the clock has run out
}

// AccountingFault is the code of an episode that is broken since what its provider counts cannot be.
const AccountingFault = "accounting_fault"

// bound derives the context that ends with the episode, and returns what releases it. It is called
// before there is anybody to lock out.
func (s *Session) bound(ctx context.Context) (release func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	s.late = func() { cancel(errWall) }
	s.ctx, s.stop = ctx, func() { cancel(nil) }
	if d := time.Duration(s.limits.Wall); d > 0 {
		inner, stop := context.WithTimeoutCause(ctx, d, errWall)
		s.ctx, s.stop = inner, func() { stop(); cancel(nil) }
	}
	return s.stop
}

// setClock begins the present ask's own time.
func (s *Session) setClock() {
	d := time.Duration(s.asks[s.ask].Wall)
	if d <= 0 {
		return
	}
	ask := s.ask
	s.own.clock = time.AfterFunc(d, func() {
		s.mu.Lock()
		mine := s.ask == ask && s.over == nil && s.own.clock != nil
		s.own.late = s.own.late || mine
		s.mu.Unlock()
		if mine {
			s.late()
		}
	})
}

// unclock ends the present ask's own time: what comes now is not the agent's.
func (s *Session) unclock() {
	if s.own.clock != nil {
		s.own.clock.Stop()
		s.own.clock = nil
	}
}

// lateness says which time is up.
func (s *Session) lateness() string {
	if s.own.late {
		return fmt.Sprintf("%s are over for ask %d", time.Duration(s.asks[s.ask].Wall), s.ask+1)
	}
	return fmt.Sprintf("%s are over", time.Duration(s.limits.Wall))
}

// overspent reports whether more budget tokens are spent than there are, of the episode or of the
// present ask.
func (s *Session) overspent() bool {
	return s.limits.Tokens > 0 && s.spent > int64(s.limits.Tokens) || s.ownTokens() > 0 && s.own.tokens > int64(s.ownTokens())
}

func (s *Session) ownTokens() int {
	if s.ask < 0 {
		return 0
	}
	return s.asks[s.ask].Tokens
}

func (s *Session) endTokens() error {
	if most := s.limits.Tokens; most > 0 && s.spent > int64(most) {
		return s.end(grader.EndTokens, fmt.Sprintf("%d of %d budget tokens", s.spent, most))
	}
	return s.end(grader.EndTokens, fmt.Sprintf("%d of %d budget tokens for ask %d", s.own.tokens, s.ownTokens(), s.ask+1))
}

// miscounted says what is wrong with what a provider counts of a reply, where the present ask has a
// budget of tokens to be held against; "" is nothing. A model that asks no provider has no counts.
func (s *Session) miscounted(t Turn) string {
	u := t.Usage
	if s.ownTokens() == 0 || u.Requests == 0 || t.Kind == TurnFault || t.Kind == TurnEnded {
		return ""
	}
	switch {
	case u.Input == nil || u.Output == nil:
		return "the provider does not say how many tokens it read and wrote"
	case u.Cached != nil && *u.Cached > *u.Input:
		return fmt.Sprintf("%d tokens came from a cache, of %d that were read", *u.Cached, *u.Input)
	case u.Reasoning != nil && *u.Reasoning > *u.Output:
		return fmt.Sprintf("%d tokens were thinking, of %d that were written", *u.Reasoning, *u.Output)
	}
	return ""
}
