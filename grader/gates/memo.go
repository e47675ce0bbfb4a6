package gates

import "sync"

// A memo keeps the tokens of texts that many tasks share: rules and schemas.
type memo struct {
	mu    sync.RWMutex
	texts map[string][]token
	folds map[string]folded
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

// fold folds a text. What it returns is shared.
func (m *memo) fold(text string) folded {
	if len(text) < memoLength {
		return fold(text)
	}
	return m.foldShared(text)
}

// foldShared is fold of a text that many tasks are known to share.
func (m *memo) foldShared(text string) folded {
	m.mu.RLock()
	f, ok := m.folds[text]
	full := len(m.folds) >= memoTexts
	m.mu.RUnlock()
	if ok {
		return f
	}
	f = fold(text)
	if !full {
		m.mu.Lock()
		if m.folds == nil {
			m.folds = map[string]folded{}
		}
		m.folds[text] = f
		m.mu.Unlock()
	}
	return f
}
