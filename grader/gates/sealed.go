package gates

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// sealed proves that the rubric stays with the graders: what opens an ask holds none of it, and
// no tool gives away what is hidden.
func (s *subject) sealed() Result {
	if s.ref == nil {
		return skipped(Sealed, noReference)
	}
	ps := s.openings()
	src, err := s.sources()
	if err != nil {
		return result(Sealed, "", append(ps, problem(s.at(), "%v", err)))
	}
	calls, leaks := s.reach(src)
	note := fmt.Sprintf("%s, %s for %s", count(len(s.task.Asks), "request"), count(calls, "call"), count(len(src.Hidden), "hidden value"))
	return result(Sealed, note, append(ps, leaks...))
}

func (s *subject) sources() (src tasks.Sources, err error) {
	if s.kit.Sources == nil {
		return src, fmt.Errorf("the kit of world %s names no sources; say which values are hidden and by which calls one might reach them", s.kit.Kind.Name)
	}
	err = s.guard("sources", func() (err error) {
		src, err = s.kit.Sources(s.task)
		return err
	})
	if err != nil {
		return src, fmt.Errorf("the sources of world %s cannot be listed: %w; correct the setup or the kit", s.kit.Kind.Name, err)
	}
	if len(src.Hidden) > 0 && len(src.Calls) == 0 {
		return src, fmt.Errorf("the kit of world %s hides %s and names no call that tries to reach them", s.kit.Kind.Name, count(len(src.Hidden), "value"))
	}
	return src, nil
}

// A secret is a value that must not be sent, with what it is.
type secret struct {
	what     string
	value    string
	plain    bool   // a number or a word that rules and asks may use for themselves
	spelling string // folded, where another spelling gives it away as well
}

// openings looks for secrets in the first request of every ask.
func (s *subject) openings() []Problem {
	var ps []Problem
	t := s.transcript()
	tools := s.toolTokens(nil)
	never, secrets := s.secrets()
	for _, v := range s.task.Rubric.Planted {
		if len(phrases(v)) == 0 {
			ps = append(ps, problem(s.at(), "the planted value %q has no token to look for; name one that has", capped(v)))
		}
	}
	authored := s.authored()
	protocol := s.protocolTokens()
	seen := map[string]bool{}
	for ask, o := range t.opening {
		sent := append(append([]token(nil), tools...), o.tokens...)
		if f := s.format(); len(f) > 0 {
			sent = s.text(sent, string(f))
		}
		public := authored[ask]
		report := func(x secret, how, remedy string) {
			text := fmt.Sprintf("the first request of ask %d holds %s %q%s; %s", ask+1, x.what, capped(x.value), how, remedy)
			if !seen[x.value] {
				seen[x.value] = true
				ps = append(ps, problem(s.at(), "%s", text))
			}
		}
		var texts []folded // of the request, once they are needed
		for _, x := range never {
			const remedy = "keep it out of what the agent is sent"
			if x.spelling != "" && texts == nil {
				texts = s.folded(o.messages)
			}
			switch {
			case within(sent, x.value) && within(public, x.value):
				report(x, "", "take it out of the rules, the asks or the tools")
			case within(sent, x.value):
				report(x, "", remedy)
			case spells(texts, x.spelling):
				report(x, " in another spelling", remedy)
			}
		}
		for _, x := range secrets {
			if !within(sent, x.value) || x.plain && (within(public, x.value) || within(protocol, x.value)) {
				continue
			}
			if !x.plain && s.common(ask, x.value, sent) {
				continue
			}
			report(x, "", "the dialect or the world must not send what the author did not write")
		}
	}
	return ps
}

// common reports whether a name is one that every task with these tools and rules is sent: that of
// a tool or of an argument, or words of theirs. It says nothing about this task then, unless the
// request holds it more often than they and the ask's own words do.
func (s *subject) common(ask int, name string, sent []token) bool {
	blank := s.task.Envelope()
	blank.Asks = make([]tasks.Ask, len(blank.Asks))
	var shared []token
	shared = append(s.toolTokens(shared), s.spokenOf(blank, ask, s.tools)...)
	if !within(shared, name) {
		return false
	}
	shared = s.text(shared, s.task.Asks[ask].Text)
	if s.opt.Protocol == "json" {
		shared = append(shared, s.formatOf(blank, s.tools)...)
	}
	for _, p := range phrases(name) {
		if times(sent, p) > times(shared, p) {
			return false
		}
	}
	return true
}

// times counts how often a phrase occurs among tokens.
func times(among, phrase []token) (n int) {
	for i := range among {
		if len(among)-i >= len(phrase) && slices.Equal(among[i:i+len(phrase)], phrase) {
			n++
		}
	}
	return n
}

// folded returns the texts of a request, tools included, each folded.
func (s *subject) folded(messages []tasks.Message) []folded {
	var out []folded
	for _, t := range s.tools {
		out = append(out, s.foldedTool(t)...)
	}
	for _, m := range messages {
		out = append(out, s.memo.fold(m.Content))
	}
	return append(out, s.memo.fold(string(s.format())))
}

func (s *subject) foldedTool(t sim.Tool) []folded {
	return []folded{s.memo.foldShared(t.Name), s.memo.foldShared(t.Description), s.memo.foldShared(string(t.Schema))}
}

// within reports whether all phrases of a value occur among tokens.
func within(among []token, value string) bool {
	parts := phrases(value)
	for _, p := range parts {
		if !holds(among, p) {
			return false
		}
	}
	return len(parts) > 0
}

// secrets returns what no request may hold at all, and what it may hold only where an author
// put it.
func (s *subject) secrets() (never, beyond []secret) {
	t := s.task
	for _, v := range t.Rubric.Planted {
		never = append(never, secret{"the planted value", v, false, spelling(v)})
	}
	never = append(never, secret{"the task's id", string(t.ID), false, ""})
	never = append(never, secret{"the task's id", strings.ReplaceAll(string(t.ID), "/", "__"), false, ""})
	add := func(what, v string) {
		beyond = append(beyond, secret{what, v, plain(v), ""})
	}
	add("the family", t.ID.Family())
	for _, key := range []string{"level", "case", "family"} {
		if v, ok := t.Label(key); ok && v != t.ID.Family() {
			add("the label "+key, v)
		}
	}
	for i := range t.Rubric.Checks {
		for _, v := range s.demanded(i) {
			if !trivial(v) {
				beyond = append(beyond, secret{"the graded value", v, true, ""})
			}
		}
	}
	for _, a := range s.ref.Answers {
		eachValue(a, func(_, v string, key bool) {
			if !key && !trivial(v) {
				beyond = append(beyond, secret{"the reference's answer", v, true, ""})
			}
		})
	}
	return never, beyond
}

// plain reports whether a name is one number or one word, which other texts may well use too.
func plain(v string) bool {
	return !strings.ContainsAny(v, "_-./: ") && (strings.Trim(v, "0123456789") == "" || !strings.ContainsAny(v, "0123456789"))
}

// authored returns the tokens that an author chose to show, by ask: rules, asks up to it,
// tools, and what the protocol tells of limits.
func (s *subject) authored() [][]token {
	env := s.task.Envelope()
	all := s.toolTokens(nil)
	all = append(s.memo.tokens(all, env.System), phraseEnd)
	if env.Limits != nil {
		all = tokenise(all, string(sim.MustCanonical(env.Limits)))
	}
	all = tokenise(all, fmt.Sprintf("%d | %d | ", len(env.Asks), len(s.tools)))
	out := make([][]token, len(env.Asks))
	for i, a := range env.Asks {
		all = append(s.memo.tokens(all, a.Text), phraseEnd)
		if len(a.Context) > 0 {
			all = append(tokenise(all, string(a.Context)), phraseEnd)
		}
		all = append(tokenise(all, fmt.Sprintf("%d | %d | %d | %d | %d | %d", i, i+1, a.Turns, a.Calls, a.Tokens, time.Duration(a.Wall)/time.Second)), phraseEnd)
		out[i] = all[:len(all):len(all)]
	}
	return out
}

// protocolTokens returns what the dialect says about any task: it tells nothing about this one.
func (s *subject) protocolTokens() []token {
	if s.protocol == nil {
		s.protocol = append(s.protocolSays(), phraseEnd)
	}
	return s.protocol
}

func (s *subject) protocolSays() []token {
	blank := tasks.Envelope{World: s.task.World, Asks: []tasks.Ask{{}, {}}, Protocol: s.task.Protocol}
	var out []token
	for ask := range blank.Asks {
		out = append(out, s.spokenOf(blank, ask, nil)...)
	}
	return append(out, s.formatOf(blank, nil)...)
}

// spokenOf returns what the dialect says to open an ask of an envelope.
func (s *subject) spokenOf(env tasks.Envelope, ask int, tools []sim.Tool) (out []token) {
	s.guard("dialect", func() error { // one that cannot say nothing has no words of its own
		open := s.dialect.Open
		if native, ok := s.dialect.(tasks.ToolsDialect); ok && s.opt.Protocol != "json" {
			open = native.OpenTools
		}
		messages, err := open(env, ask, tools)
		for _, m := range messages {
			out = append(s.memo.tokens(out, m.Content), phraseEnd)
		}
		return err
	})
	return out
}

func (s *subject) formatOf(env tasks.Envelope, tools []sim.Tool) (out []token) {
	s.guard("dialect", func() error {
		out = append(tokenise(out, string(s.dialect.Format(env, tools))), phraseEnd)
		return nil
	})
	return out
}

// format is what constrains a reply, and so reaches the model beside the messages.
func (s *subject) format() (raw []byte) {
	if s.opt.Protocol == "json" {
		raw = s.dialect.Format(s.task.Envelope(), s.tools)
	}
	return raw
}

// reach performs the calls of the kit's sources in every ask, and looks for what is hidden in
// their results, in those of the reference and in the listing of the tools.
func (s *subject) reach(src tasks.Sources) (calls int, ps []Problem) {
	hidden := make([][][]token, len(src.Hidden))
	spelt := make([]string, len(src.Hidden))
	folding := false
	for i, h := range src.Hidden {
		spelt[i] = spelling(h)
		folding = folding || spelt[i] != ""
		if hidden[i] = phrases(h); len(hidden[i]) == 0 {
			ps = append(ps, problem(s.at(), "the hidden value %q has no token to look for; name one that has", capped(h)))
		}
	}
	told := map[int]bool{}
	look := func(at grader.Source, where string, among []token, texts ...folded) {
		for i, parts := range hidden {
			found := len(parts) > 0
			for _, p := range parts {
				found = found && holds(among, p)
			}
			how := ""
			if !found && spells(texts, spelt[i]) {
				found, how = true, " in another spelling"
			}
			if found && !told[i] {
				told[i] = true
				ps = append(ps, problem(at, "the hidden value %q is in %s%s; the world must not give it away", capped(src.Hidden[i]), where, how))
			}
		}
	}
	lookAt := func(at grader.Source, where string, data []byte) {
		var texts []folded
		if folding {
			texts = append(texts, s.memo.fold(string(data)))
		}
		look(at, where, tokenise(nil, string(data)), texts...)
	}
	for _, t := range s.tools {
		var texts []folded
		if folding {
			texts = s.foldedTool(t)
		}
		look(s.at(), "the description of tool "+t.Name, s.toolText(nil, t), texts...)
	}
	for _, e := range s.ref.Trace {
		lookAt(s.moveAt(e.Turn), fmt.Sprintf("the result of %s in the reference", capped(callText(e.Call))), e.Result.Data)
	}
	for ask := range s.task.Asks {
		if err := s.world.Begin(s.ctx, ask); err != nil {
			return calls, append(ps, problem(s.at(), "ask %d cannot begin in a fresh world: %v", ask+1, err))
		}
		for _, c := range src.Calls {
			res := s.world.Call(s.ctx, c)
			calls++
			if res.Fault != "" {
				ps = append(ps, problem(s.at(), "the world breaks on the call %s: %s; whatever an agent calls must be answered", capped(callText(c)), capped(res.Fault)))
				return calls, ps
			}
			lookAt(s.at(), "the result of "+capped(callText(c)), res.Data)
		}
	}
	return calls, ps
}

func callText(c sim.Call) string {
	return c.Name + " " + string(c.Arguments)
}
