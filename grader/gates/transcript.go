package gates

import (
	"benchwright/sim"
	"benchwright/tasks"
)

// A transcript is what the agent of an episode had read, by turn, and what it could know by it.
type transcript struct {
	s       *subject
	told    reading   // rules, tools and asks
	results reading   // of calls
	turns   []cut     // what had been read before each reply
	ends    []cut     // what had been read before the answer to each ask, or its end
	opening []opening // by ask

	own    map[token]bool    // what the agent said before it could know it
	joined map[[2]token]bool // words that it could know and put one after the other itself
	echoed map[token]bool    // words that results repeated after it
	solved [][]token         // by the kit's solver, once asked
	asked  bool
	err    error // of the solver
}

// An opening is what the first request of an ask adds.
type opening struct {
	messages []tasks.Message
	tokens   []token
}

// A reading is texts as those wrote them who are not the protocol, authors and worlds, and as
// the dialect sent them. Only what stands in both could be read and was meant: what the dialect
// says of its own accord, such as how to reply and how often, tells nothing about a task.
type reading struct{ written, sent []token }

// A mark is how much of a reading there was at a moment.
type mark struct{ written, sent int }

// A cut is how much of a transcript had been read at a moment.
type cut struct{ told, results mark }

func (r *reading) mark() mark { return mark{len(r.written), len(r.sent)} }

// holds reports whether a phrase could be read at a moment.
func (r *reading) holds(p []token, at mark) bool {
	return holds(r.written[:at.written], p) && holds(r.sent[:at.sent], p)
}

func (t *transcript) cut() cut { return cut{t.told.mark(), t.results.mark()} }

// transcribe reads the conversation of the reference.
func (s *subject) transcribe() *transcript {
	ep := s.ref.Episode
	t := &transcript{s: s, opening: make([]opening, len(s.task.Asks)), ends: make([]cut, len(s.task.Asks))}
	t.told.written = s.toolTokens(t.told.written)
	t.told.sent = append(t.told.sent, t.told.written...)
	asked, put := 0, 0            // replies and asks so far
	made, shown := 0, sim.Trace{} // calls so far; those whose results are still to come
	for _, m := range ep.Messages {
		switch {
		case m.Role == tasks.RoleAssistant:
			now := t.cut()
			t.turns = append(t.turns, now)
			if asked < len(ep.Turns) {
				t.ends[ep.Turns[asked].Ask] = now
			}
			asked++
			from := made
			for made < len(ep.Trace) && ep.Trace[made].Turn <= asked {
				t.say(ep.Trace[made].Call, now)
				made++
			}
			shown = ep.Trace[from:made]
		case len(shown) > 0:
			t.hear(string(shown[0].Result.Data))
			t.results.sent = s.text(t.results.sent, m.Content)
			shown = shown[1:]
		default:
			from := len(t.told.sent)
			t.told.sent = s.text(t.told.sent, m.Content)
			if asked >= len(ep.Turns) {
				break
			}
			n := ep.Turns[asked].Ask
			for ; put <= n; put++ {
				t.put(put)
			}
			// It opens an ask, unless it comments on a reply within one.
			if asked == 0 || ep.Turns[asked-1].Ask != n {
				o := &t.opening[n]
				o.messages, o.tokens = append(o.messages, m), append(o.tokens, t.told.sent[from:]...)
			}
		}
	}
	for n := range t.ends { // an ask that the world ended was told all of its results
		if n >= len(ep.Answers) || ep.Answers[n] == nil {
			t.ends[n] = t.cut()
		}
	}
	return t
}

// put adds what the author wrote for an ask.
func (t *transcript) put(ask int) {
	if ask == 0 && t.s.task.System != "" {
		t.told.written = t.s.text(t.told.written, t.s.task.System)
	}
	a := t.s.task.Asks[ask]
	t.told.written = t.s.text(t.told.written, a.Text)
	if len(a.Context) > 0 {
		t.told.written = t.s.text(t.told.written, string(a.Context))
	}
}

// say notes what a call says that the agent could not know by then. From there on results may
// only repeat it, and so do not prove it, whichever call they are of: what a tool was told it
// may tell again later. An order of words is noted as words are.
func (t *transcript) say(c sim.Call, at cut) {
	say := func(value string) {
		last := phraseEnd
		eachToken(value, 0, func(text string) {
			if text == "" {
				last = phraseEnd
				return
			}
			word := hashToken(text)
			switch {
			case !t.read([]token{word}, at) && !t.holds(text, at):
				if t.own == nil {
					t.own = map[token]bool{}
				}
				t.own[word] = true
				word = phraseEnd
			case last != phraseEnd && !t.read([]token{last, word}, at):
				if t.joined == nil {
					t.joined = map[[2]token]bool{}
				}
				t.joined[[2]token{last, word}] = true
			}
			last = word
		})
	}
	say(c.Name)
	if n, ok := eachValue(c.Arguments, func(_, value string, _ bool) { say(value) }); n == 0 && !ok {
		say(string(c.Arguments))
	}
}

// hear adds a result, but for what only the agent itself had said.
func (t *transcript) hear(data string) {
	all := t.results.written
	from := len(all)
	all = t.s.text(all, data)
	if len(t.own)+len(t.joined) > 0 {
		fresh := append([]token(nil), all[from:]...)
		if t.echoed == nil {
			t.echoed = map[token]bool{}
		}
		all = all[:from]
		last := phraseEnd
		for _, word := range fresh {
			if t.own[word] {
				t.echoed[word] = true
				word = phraseEnd
			}
			if last != phraseEnd && t.joined[[2]token{last, word}] {
				t.echoed[word] = true
				all = append(all, phraseEnd)
			}
			all = append(all, word)
			last = word
		}
	}
	t.results.written = all
}

// text appends the tokens of a text, and the end of it.
func (s *subject) text(dst []token, text string) []token {
	return append(s.memo.tokens(dst, text), phraseEnd)
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
	return s.text(s.text(dst, t.Description), string(t.Schema))
}
