package gates

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

// budgetEnds are the ends that the task's limits cause.
var budgetEnds = []string{grader.EndTurns, grader.EndTokens, grader.EndCalls, grader.EndInvalid, grader.EndWall}

// unlimited is the task without the limits that end an episode; whether the reference fits
// them is a proof of its own.
func unlimited(t tasks.Task) tasks.Task {
	t.Limits = tasks.Limits{Wall: t.Limits.Wall, OutputTokens: t.Limits.OutputTokens}
	t.Asks = slices.Clone(t.Asks)
	for i := range t.Asks {
		wall := t.Asks[i].Wall
		t.Asks[i] = t.Asks[i].Unlimited()
		t.Asks[i].Wall = wall
	}
	return t
}

// reference proves that the task can be solved, and that its solution passes.
func (s *subject) reference() Result {
	moves := s.task.Rubric.Reference
	if len(moves) == 0 {
		return failed(Reference, problem(s.at(), "the task has no reference; write down a solution that passes"))
	}
	s.tight = s.script("the reference", s.task, moves)
	s.ref = s.tight
	if slices.Contains(budgetEnds, s.tight.End.Code) {
		s.ref = s.script("the reference", unlimited(s.task), moves)
	}
	r := s.ref
	if r.crashed() {
		p := problem(s.moveAt(len(r.Turns)), "the reference cannot be replayed: %s: %s", r.Layer, capped(r.Reason))
		s.ref = nil
		return failed(Reference, p)
	}
	var ps []Problem
	for i, turn := range r.Turns {
		if turn.Kind == agent.TurnMalformed {
			ps = append(ps, problem(s.moveAt(i+1), "move %d of the reference is not understood: %s: %s; the protocol's own words must say it", i+1, turn.Code, capped(turn.Detail)))
		}
	}
	for _, x := range r.Verdict.Results {
		if x.State == grader.SkippedRule {
			s.judged++
		}
	}
	refused := map[string]int{}
	for _, e := range r.Trace {
		switch {
		case e.Result.Invalid:
			ps = append(ps, problem(s.moveAt(e.Turn), "move %d of the reference: the call of %s is invalid: %s; correct its arguments", e.Turn, e.Call.Name, capped(why(e.Result))))
		case !e.Result.OK():
			refused[e.Result.Status]++
		}
	}
	if left := len(moves) - played(r); left > 0 {
		ps = append(ps, problem(s.moveAt(played(r)+1), "the episode ends (%s) with %s of the reference left over; drop what comes after its end", r.End.Code, count(left, "move")))
	} else if !r.End.Finished() && len(ps) == 0 {
		ps = append(ps, problem(s.moveAt(played(r)), "%s; what is demanded is proven only on a solution that answers every ask", s.unfinished()))
	}
	for _, c := range s.task.Rubric.Checks {
		if c.Ask < 0 || c.Ask >= len(s.task.Asks) {
			ps = append(ps, problem(s.place(c.Source), "check %q is about ask %d, and the task has %s; let it be about one of them", capped(c.String()), c.Ask+1, count(len(s.task.Asks), "ask")))
		}
	}
	if !passes(r.Verdict) {
		ps = append(ps, s.unmet(r.Verdict)...)
	}
	note := count(len(moves), "move")
	if r.Outcome == grader.Skipped {
		note += "; judged checks are not proven here"
	}
	for _, status := range sortedKeys(refused) {
		note += fmt.Sprintf("; %s refused (%s)", count(refused[status], "call"), status)
	}
	return result(Reference, note, ps)
}

// unfinished says where a reference that does not come to the end stops.
func (s *subject) unfinished() string {
	r := s.ref
	for ask := range s.task.Asks {
		switch {
		case ask >= len(r.Answers):
			return fmt.Sprintf("the reference ends (%s) before ask %d is put", r.End.Code, ask+1)
		case r.Answers[ask] == nil:
			return fmt.Sprintf("the reference ends (%s) without an answer to ask %d", r.End.Code, ask+1)
		}
	}
	return fmt.Sprintf("the reference does not end as it should (%s)", r.End.Code)
}

// played counts the moves that were made.
func played(r *run) int {
	n := len(r.Turns)
	if n > 0 && r.Turns[n-1].Kind == agent.TurnEnded { // the script was asked once too often
		n--
	}
	return n
}

// passes reports whether everything that can be decided without a judge is met.
func passes(v grader.Verdict) bool {
	if v.Outcome == grader.Skipped {
		return !slices.ContainsFunc(v.Results, func(r grader.Result) bool { return r.State == grader.Unmet || r.State == grader.BrokenRule })
	}
	return v.Outcome == grader.Passed
}

// unmet turns what a verdict holds against the reference into problems.
func (s *subject) unmet(v grader.Verdict) []Problem {
	var ps []Problem
	for _, r := range v.Results {
		switch r.State {
		case grader.BrokenRule:
			ps = append(ps, problem(s.place(r.Source), "check %q breaks on the reference: %s; correct the rule", capped(r.Check), capped(r.Detail)))
		case grader.Unmet:
			for _, f := range r.Findings {
				ps = append(ps, problem(s.place(r.Source), "the reference fails check %q: %s: %s", capped(r.Check), f.Code, capped(f.Message)))
			}
		}
	}
	if len(ps) == 0 {
		ps = append(ps, problem(s.at(), "the reference is %s: %s", v.Outcome, capped(v.Reason)))
	}
	return ps
}

// noop proves that doing nothing is not enough, and finds the floor.
func (s *subject) noop() Result {
	s.idle = s.play("doing nothing", agent.Noop{}, s.task, nil)
	r := s.idle
	if r.crashed() {
		return failed(Noop, problem(s.at(), "the task cannot be run: %s: %s", r.Layer, capped(r.Reason)))
	}
	s.floor = s.score(r.Verdict)
	note := fmt.Sprintf("floor %g", s.floor)
	switch {
	case r.Outcome == grader.Broken:
		var ps []Problem
		for _, x := range r.Verdict.Results {
			if x.State == grader.BrokenRule {
				ps = append(ps, problem(s.place(x.Source), "check %q breaks when the agent does nothing: %s; the rule must fail or not apply", capped(x.Check), capped(x.Detail)))
			}
		}
		if ps == nil {
			ps = []Problem{problem(s.at(), "the task demands nothing: %s; give it a check", capped(r.Verdict.Reason))}
		}
		return result(Noop, note, ps)
	case r.Outcome == grader.Skipped && !decided(r.Verdict):
		return Result{Gate: Noop, State: Held, Nothing: true, Note: note + "; every check is a judge's"}
	case passes(r.Verdict):
		return result(Noop, note, []Problem{problem(s.at(), "doing nothing passes; demand something that is not so at the start")})
	}
	return result(Noop, note, nil)
}

// decided reports whether any check of a verdict was decided.
func decided(v grader.Verdict) bool {
	return slices.ContainsFunc(v.Results, func(r grader.Result) bool { return r.State == grader.Held || r.State == grader.Unmet })
}

func (s *subject) score(v grader.Verdict) float64 {
	if s.kit.Score != nil {
		return s.kit.Score(v)
	}
	return v.Score
}

// nearMisses proves that each probe fails, for the reason that it names.
func (s *subject) nearMisses() Result {
	probes := s.task.Rubric.Probes
	note := count(len(probes), "probe")
	if s.unspoken > 0 {
		note += fmt.Sprintf("; %d more are worded for the json protocol", s.unspoken)
	}
	switch {
	case len(probes) == 0 && s.unspoken > 0:
		return Result{Gate: NearMisses, State: Held, Nothing: true, Note: note}
	case len(probes) == 0:
		return Result{Gate: NearMisses, State: Held, Nothing: true, Note: "the task ships no probe"}
	}
	t := s.task
	if s.ref != s.tight { // what the limits cut short would fail for that alone
		t = unlimited(t)
	}
	var ps []Problem
	for _, p := range probes {
		r := s.script(fmt.Sprintf("probe %q", p.Name), t, p.Moves)
		s.probes = append(s.probes, r)
		at := s.place(p.Source)
		switch {
		case r.crashed():
			ps = append(ps, problem(at, "probe %q cannot be played: %s: %s", p.Name, r.Layer, capped(r.Reason)))
			continue
		case r.Outcome == grader.Broken:
			ps = append(ps, problem(at, "probe %q is broken, not failed: %s; whatever an agent can cause must be gradable", p.Name, capped(r.Reason)))
			continue
		case r.Outcome == grader.Skipped && passes(r.Verdict):
			ps = append(ps, problem(at, "probe %q is left to the judge; a near miss must fail a check that needs none", p.Name))
			continue
		case r.Outcome == grader.Passed:
			ps = append(ps, problem(at, "probe %q passes and must fail with %s; add a check that tells it from a solution", p.Name, strings.Join(p.Codes, ", ")))
			continue
		}
		got := r.Verdict.Codes()
		var missing []string
		for _, want := range p.Codes {
			if !slices.ContainsFunc(got, func(c string) bool { return matches(want, c) }) {
				missing = append(missing, want)
			}
		}
		if len(missing) > 0 {
			ps = append(ps, problem(at, "probe %q fails for another reason:\n    - wanted: %s\n    + got: %s\n  name the codes that it fails with, or correct the check%s",
				p.Name, strings.Join(missing, ", "), strings.Join(got, ", "), s.unraisable(missing)))
		}
	}
	return result(NearMisses, note, ps)
}

// spoken returns the probes that a protocol can say: a move spelled out byte for byte is a reply
// of the json protocol, and means something else as the text beside native calls.
func spoken(probes []tasks.Probe, protocol string) []tasks.Probe {
	if protocol != agent.ProtocolTools {
		return probes
	}
	return slices.DeleteFunc(slices.Clone(probes), func(p tasks.Probe) bool {
		return slices.ContainsFunc(p.Moves, func(m tasks.Move) bool { return m.Raw != "" })
	})
}

// matches reports whether a code is the pattern, or begins as a pattern that ends in ":*" does.
func matches(pattern, code string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "*"); ok && strings.HasSuffix(prefix, ":") {
		return strings.HasPrefix(code, prefix)
	}
	return pattern == code
}

// unraisable names the codes that no check of the task lists.
func (s *subject) unraisable(codes []string) string {
	var all, out []string
	for _, c := range s.task.Rubric.Checks {
		all = append(all, c.Rule.Codes()...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	for _, code := range codes {
		if !slices.ContainsFunc(all, func(c string) bool { return matches(c, code) || matches(code, c) }) {
			out = append(out, fmt.Sprintf("; no check can raise %q%s", code, grader.Suggest(code, all)))
		}
	}
	return strings.Join(out, "")
}

// closes reports whether all that a limit of turns cuts off the reference is its last word, that
// nothing is left to do, and what stands passes without it: the last call ends the budget, and so
// the episode.
func (s *subject) closes() bool {
	moves := s.task.Rubric.Reference
	last := len(moves) - 1
	return last > 0 && s.tight != s.ref && s.tight.End.Code == grader.EndTurns && played(s.tight) == last && played(s.ref) == len(moves) &&
		len(moves[last].Calls) == 0 && string(moves[last].Answer) == "null" && passes(s.tight.Verdict)
}

// withinBudget proves that the limits leave room for the reference. Its slack may be nothing:
// see closes.
func (s *subject) withinBudget() Result {
	l, moves := s.task.Limits, s.task.Rubric.Reference
	if s.ref == nil {
		return skipped(WithinBudget, noReference)
	}
	r := s.ref
	var ps []Problem
	var notes []string
	over := 0 // turns that the limit may cut off
	if s.closes() {
		over = 1
	}
	need := func(what string, used, limit int, remedy string) {
		if limit == 0 {
			return
		}
		notes = append(notes, fmt.Sprintf("%d of %d %s", used, limit, what))
		if used > limit {
			ps = append(ps, problem(s.at(), "the reference needs %d %s and the limit is %d; %s", used, what, limit, remedy))
		}
	}
	if l.Turns == 0 {
		ps = append(ps, problem(s.at(), "the task has no limit of turns; give it one that the reference (%d) fits", len(moves)))
	}
	need("turns", played(r)-over, l.Turns, "raise it or shorten the reference")
	turns := make([]int, len(s.task.Asks))
	longest, said := 0, 0
	for i, t := range r.Turns {
		if i < played(r) && t.Ask >= 0 {
			turns[t.Ask]++
		}
		n := len(t.Reply.Text)
		for _, c := range t.Reply.Calls {
			n += len(c.Name) + len(c.Arguments)
		}
		longest, said = max(longest, n), said+n
	}
	if over > 0 {
		turns[len(turns)-1] -= over
		notes = append(notes, "slack 0: the budget ends the episode")
	}
	for i, a := range s.task.Asks {
		need(fmt.Sprintf("turns of ask %d", i+1), turns[i], a.Turns, "raise it or shorten the reference")
		need(fmt.Sprintf("calls of ask %d", i+1), callsOf(r.Trace, i), a.Calls, "raise it or shorten the reference")
	}
	invalid := 0
	for _, e := range r.Trace {
		if e.Result.Invalid {
			invalid++
		}
	}
	need("invalid calls", invalid, l.InvalidCalls, "drop them from the reference")
	for _, m := range r.Messages {
		if m.Role != tasks.RoleAssistant {
			said += len(m.Content)
		}
	}
	need("output tokens (estimated)", (longest+bytesPerToken-1)/bytesPerToken, l.OutputTokens, "raise it or shorten the longest reply")
	need("tokens (estimated, input counted once)", (said+bytesPerToken-1)/bytesPerToken, l.Tokens, "raise it or let the tools say less")
	if len(ps) == 0 && over == 0 && s.tight.End.Code != r.End.Code {
		ps = append(ps, problem(s.at(), "under the task's limits the reference ends with %s; raise them", s.tight.End.Code))
	}
	return result(WithinBudget, strings.Join(notes, ", "), ps)
}

// bytesPerToken is what a token of prose is about; numbers and other scripts take more tokens,
// so that a limit which this estimate exceeds is certainly too tight.
const bytesPerToken = 4

func (s *subject) moveAt(turn int) grader.Source {
	if moves := s.task.Rubric.Reference; turn >= 1 && turn <= len(moves) {
		return s.place(moves[turn-1].Source)
	}
	return s.at()
}

// why is the world's account of a call that was not done.
// why words a refusal: its code, and what the world said of it where that is one text.
func why(r sim.Result) string {
	code := r.Code
	if code == "" {
		code = r.Status
	}
	var said struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(r.Data, &said) == nil && said.Message != "" {
		return code + ": " + said.Message
	}
	return code
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// capped bounds text that is not ours and makes it safe to print: control characters other
// than line breaks are escaped.
func capped(text string) string {
	const most = 400
	cut := 0
	if len(text) > most {
		cut = len(text) - most
		text = strings.ToValidUTF8(text[:most], "")
	}
	var b strings.Builder
	for _, r := range text {
		if r != '\n' && (r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0xFFFD || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069) {
			fmt.Fprintf(&b, "\\u%04x", r)
			continue
		}
		b.WriteRune(r)
	}
	if cut > 0 {
		fmt.Fprintf(&b, "… (%d bytes more)", cut)
	}
	return b.String()
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// callsOf counts the calls of an ask.
func callsOf(t sim.Trace, ask int) (n int) {
	for _, e := range t {
		if e.Ask == ask {
			n++
		}
	}
	return n
}
