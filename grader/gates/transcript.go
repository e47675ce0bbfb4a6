package gates

import (
	"sync"

	"benchwright/sim"
	"benchwright/tasks"
)

// A transcript is what the agent of an episode had read, by turn.
type transcript struct {
	told    []token // rules, tools, asks, repairs
	results []token // of calls
	turns   []cut   // what had been read before each reply
	ends    []cut   // what had been read before the answer to each ask, or its end
	opening [][]tasks.Message
}

// A cut is how much of a transcript had been read at a moment.
type cut struct{ told, results int }

// transcribe reads the conversation of the reference.
func (s *subject) transcribe() *transcript {
	ep := s.ref.Episode
	t := &transcript{opening: make([][]tasks.Message, len(s.task.Asks)), ends: make([]cut, len(s.task.Asks))}
	t.told = s.toolTokens(t.told)
	calls := make([]int, len(ep.Turns)+1) // by turn from 1
	for _, e := range ep.Trace {
		if e.Turn < len(calls) {
			calls[e.Turn]++
		}
	}
	ask, pending, asked := -1, 0, 0 // results still to come; replies so far
	add := func(dst []token, text string) []token {
		return append(s.memo.tokens(dst, text), phraseEnd)
	}
	for _, m := range ep.Messages {
		switch {
		case m.Role == tasks.RoleAssistant:
			now := cut{len(t.told), len(t.results)}
			t.turns = append(t.turns, now)
			if asked < len(ep.Turns) {
				ask = ep.Turns[asked].Ask
				t.ends[ask] = now
			}
			asked++
			if asked < len(calls) {
				pending = calls[asked]
			}
		case pending > 0:
			t.results = add(t.results, m.Content)
			pending--
		default:
			t.told = add(t.told, m.Content)
			// It opens an ask, unless it comments on a reply within one.
			if asked < len(ep.Turns) && (asked == 0 || ep.Turns[asked].Ask != ep.Turns[asked-1].Ask) {
				n := ep.Turns[asked].Ask
				t.opening[n] = append(t.opening[n], m)
			}
		}
	}
	for n := range t.ends { // an ask that the world ended was told all of its results
		if n >= len(ep.Answers) || ep.Answers[n] == nil {
			t.ends[n] = cut{len(t.told), len(t.results)}
		}
	}
	return t
}

// toolTokens appends what the listing of the tools tells.
func (s *subject) toolTokens(dst []token) []token {
	for _, t := range s.tools {
		dst = s.toolText(dst, t)
	}
	return dst
}

func (s *subject) toolText(dst []token, t sim.Tool) []token {
	dst = append(tokenise(dst, t.Name), phraseEnd)
	dst = append(s.memo.tokens(dst, t.Description), phraseEnd)
	return append(s.memo.tokens(dst, string(t.Schema)), phraseEnd)
}

// A memo keeps the tokens of texts that many tasks share: rules and schemas.
type memo struct {
	mu    sync.RWMutex
	texts map[string][]token
}

// The smallest text that is worth keeping, and how many are kept.
const (
	memoLength = 128
	memoTexts  = 512
)

// tokens appends the tokens of a text.
func (m *memo) tokens(dst []token, text string) []token {
	if len(text) < memoLength {
		return tokenise(dst, text)
	}
	m.mu.RLock()
	known, ok := m.texts[text]
	full := len(m.texts) >= memoTexts
	m.mu.RUnlock()
	if ok {
		return append(dst, known...)
	}
	from := len(dst)
	dst = tokenise(dst, text)
	if !full {
		m.mu.Lock()
		if m.texts == nil {
			m.texts = map[string][]token{}
		}
		m.texts[text] = append([]token(nil), dst[from:]...)
		m.mu.Unlock()
	}
	return dst
}
