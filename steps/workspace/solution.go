package workspace

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"benchwright/sim"
	"benchwright/tasks"
)

func solutionSteps() []tasks.Step {
	return []tasks.Step{
		tasks.Then(`a reference solution is:`, reference),
		tasks.Then(`it goes on with (\w+):`, goesOn),
		tasks.Then(`it answers:`, func(d *tasks.Draft, text tasks.Text) error {
			return extend(d, tasks.Move{Answer: sim.MustCanonical(strings.TrimSpace(string(text)))})
		}),
		tasks.Then(`these near misses fail:`, nearMisses),
		tasks.Then(`the near miss "([^"]+)" fails with ([\w, ]+):`, nearMiss),
	}
}

// reference reads the known-good solution of the present ask, a call a row. The call final_answer
// answers, and done says that nothing is left to do; a solution with neither says so at its end,
// where there is a turn for it.
func reference(d *tasks.Draft, t *tasks.Table) error {
	moves, err := moves(d, t)
	if err != nil {
		return err
	}
	n := noted(d)
	if n.solved && n.answered() {
		return errors.New("the reference has answered already")
	}
	if len(d.Task.Asks) == 0 {
		return errors.New("a Then needs a When before it: nothing has been asked yet")
	}
	for n.asked < len(d.Task.Asks) {
		if n.asked > 0 && !n.answered() { // the ask before this one is done
			add(d, tasks.Move{Answer: json.RawMessage("null")})
		}
		n.asked++
	}
	n.solved = true
	for _, m := range moves {
		add(d, m)
	}
	return nil
}

// answered reports whether the present ask has been answered by the reference.
func (n *notes) answered() bool {
	k := len(n.reference)
	return n.asked > 0 && n.ended == n.asked && k > 0 && n.reference[k-1].Answer != nil
}

// add adds a move to the reference.
func add(d *tasks.Draft, m tasks.Move) {
	n := noted(d)
	d.Reference()
	d.Move(m)
	n.reference = append(n.reference, m)
	if m.Answer != nil {
		n.ended = n.asked
	}
}

// goesOn adds a call whose arguments are too long for a table.
func goesOn(d *tasks.Draft, tool string, text tasks.Text) error {
	m, err := move(d, tool, string(text))
	if err != nil {
		return err
	}
	return extend(d, m)
}

func extend(d *tasks.Draft, m tasks.Move) error {
	switch n := noted(d); {
	case !n.solved:
		return errors.New(`there is no reference solution yet that it could belong to: a reference solution is:`)
	case n.answered():
		return errors.New("the reference has answered already")
	}
	add(d, m)
	return nil
}

// moves reads a table of calls.
func moves(d *tasks.Draft, t *tasks.Table) ([]tasks.Move, error) {
	if err := errors.Join(t.Allow("call", "arguments"), t.Require("call")); err != nil {
		return nil, err
	}
	var out []tasks.Move
	var problems []error
	for i, r := range t.Rows {
		m, err := move(d, t.Get(r, "call"), t.Get(r, "arguments"))
		if err == nil && m.Answer != nil && i < len(t.Rows)-1 && len(d.Task.Asks) < 2 {
			err = errors.New("an answer is the last thing that is done")
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("line %d: %w", r.Line, err))
			continue
		}
		out = append(out, m)
	}
	return out, errors.Join(problems...)
}

// done is what a table says of a turn in which nothing is left to do.
const done = "done"

// move reads one call, or an answer.
func move(d *tasks.Draft, tool, text string) (tasks.Move, error) {
	if tool == done && text == "" {
		return tasks.Move{Answer: json.RawMessage("null")}, nil
	}
	if err := knownTool(tool); err != nil {
		return tasks.Move{}, err
	}
	if len(d.Task.Tools) > 0 && tool != FinalAnswer && !slices.Contains(d.Task.Tools, tool) && d.Task.Tools[0] != tasks.AllTools {
		return tasks.Move{}, tasks.Unknown("tool of the scenario", tool, d.Task.Tools)
	}
	args, err := parseArguments(text)
	if err != nil {
		return tasks.Move{}, err
	}
	if tool != FinalAnswer {
		return tasks.Move{Calls: []sim.Call{{Name: tool, Arguments: args}}}, nil
	}
	o, err := object(args)
	if err != nil {
		return tasks.Move{}, err
	}
	answer, bad := o.answer()
	if bad != nil {
		return tasks.Move{}, bad
	}
	return tasks.Move{Answer: answer}, nil
}

// nearMisses reads variations of the reference, a row each. Edits are separated by "; ":
//
//	without call 3                 also: without its answer
//	call 3 with data_args.period YTD
//	call 3 without data_args.period
//	call 3 is delete_widget: widget_uuid: w_7b8
//	call 3 again                   once more, after all others
//	first delete_widget: …         before all others
//	then delete_widget: …          after all others
//	answers 12.5 million
func nearMisses(d *tasks.Draft, t *tasks.Table) error {
	if err := errors.Join(t.Allow("near miss", "differs by", "fails with"), t.Require("near miss", "differs by", "fails with")); err != nil {
		return err
	}
	n := noted(d)
	if !n.solved {
		return errors.New("near misses are variations of the reference solution, which must come before them")
	}
	var problems []error
	for _, r := range t.Rows {
		s := n.solution(d)
		var err error
		for edit := range strings.SplitSeq(t.Get(r, "differs by"), "; ") {
			if err == nil {
				s, err = s.edit(d, strings.TrimSpace(edit))
			}
		}
		if err == nil {
			err = miss(d, t.Get(r, "near miss"), t.Get(r, "fails with"), s.moves())
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("line %d: %w", r.Line, err))
		}
	}
	return errors.Join(problems...)
}

// nearMiss reads one near miss that is written out in full.
func nearMiss(d *tasks.Draft, name, codes string, t *tasks.Table) error {
	all, err := moves(d, t)
	if err != nil {
		return err
	}
	if all[len(all)-1].Answer == nil && (d.Task.Limits.Turns == 0 || len(all) < d.Task.Limits.Turns) {
		all = append(all, tasks.Move{Answer: json.RawMessage("null")})
	}
	return miss(d, name, codes, all)
}

func miss(d *tasks.Draft, name, codes string, all []tasks.Move) error {
	list := namesOf(codes)
	if err := d.Probe(name, list...); err != nil {
		return err
	}
	for _, c := range list {
		if err := raisable(d, c); err != nil {
			return err
		}
	}
	if len(all) == 0 {
		return fmt.Errorf("near miss %q does nothing", name)
	}
	for _, m := range all {
		d.Move(m)
	}
	d.Reference()
	return nil
}

// raisable reports a code that no check of the scenario so far can raise. What is demanded
// stands above the near misses.
func raisable(d *tasks.Draft, code string) error {
	var all []string
	for _, c := range d.Task.Rubric.Checks {
		all = append(all, c.Rule.Codes()...)
	}
	for _, at := range noted(d).nothing {
		if at.File != "" || at.Line > 0 {
			all = append(all, nothingCodes...)
		}
	}
	slices.Sort(all)
	if all = slices.Compact(all); slices.Contains(all, code) {
		return nil
	}
	return tasks.Unknown("code", code, all)
}

// A solution is the reference being varied: its calls by their numbers, what is done before and
// after them, and the answer.
type solution struct {
	first, calls, then []tasks.Move
	answer             *tasks.Move
}

// solution returns the reference. What ends an ask before the last stays among the calls.
func (n *notes) solution(d *tasks.Draft) solution {
	s := solution{calls: slices.Clone(n.reference)}
	if k := len(s.calls); k > 0 && n.answered() {
		s.answer, s.calls = &s.calls[k-1], s.calls[:k-1]
	} else if d.Task.Limits.Turns == 0 || k < d.Task.Limits.Turns {
		s.answer = &tasks.Move{Answer: json.RawMessage("null")}
	}
	return s
}

func (s solution) moves() []tasks.Move {
	out := slices.DeleteFunc(slices.Concat(s.first, s.calls, s.then), func(m tasks.Move) bool { return len(m.Calls) == 0 && m.Answer == nil })
	if s.answer != nil {
		out = append(out, *s.answer)
	}
	return out
}

var (
	withoutCall = regexp.MustCompile(`^without call (\d+)$`)
	againCall   = regexp.MustCompile(`^call (\d+) again$`)
	withValue   = regexp.MustCompile(`^call (\d+) with ([\w.$-]+) (.+)$`)
	withoutKey  = regexp.MustCompile(`^call (\d+) without ([\w.$-]+)$`)
	isCall      = regexp.MustCompile(`^call (\d+) is (\w+)(?:: (.*))?$`)
	otherCall   = regexp.MustCompile(`^(first|then) (\w+)(?:: (.*))?$`)
	answersText = regexp.MustCompile(`^answers (.+)$`)
)

// edit returns the solution with one difference. Calls keep their numbers.
func (s solution) edit(d *tasks.Draft, text string) (solution, error) {
	s.calls = slices.Clone(s.calls)
	numbered := func(word string) (int, error) {
		number, err := strconv.Atoi(word)
		n := 0
		for i, m := range s.calls {
			if m.Answer == nil {
				n++
			}
			if err == nil && n == number && m.Answer == nil && len(m.Calls) > 0 {
				return i, nil
			}
		}
		return 0, fmt.Errorf("%q: the reference has no call %s, or it was taken out; there are %d", text, word, n)
	}
	if text == "without its answer" {
		if s.answer == nil || string(s.answer.Answer) == "null" {
			return s, errors.New("the reference gives no answer")
		}
		s.answer = &tasks.Move{Answer: json.RawMessage("null")}
		return s, nil
	}
	if m := answersText.FindStringSubmatch(text); m != nil {
		s.answer = &tasks.Move{Answer: quoteJSON(m[1])}
		return s, nil
	}
	if m := otherCall.FindStringSubmatch(text); m != nil {
		c, err := move(d, m[2], m[3])
		if err != nil {
			return s, err
		}
		if m[1] == "first" {
			s.first = append(slices.Clone(s.first), c)
		} else {
			s.then = append(slices.Clone(s.then), c)
		}
		return s, nil
	}
	if m := isCall.FindStringSubmatch(text); m != nil {
		i, err := numbered(m[1])
		if err != nil {
			return s, err
		}
		s.calls[i], err = move(d, m[2], m[3])
		return s, err
	}
	for _, re := range []*regexp.Regexp{withoutCall, againCall, withValue, withoutKey} {
		m := re.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		i, err := numbered(m[1])
		if err != nil {
			return s, err
		}
		c := s.calls[i].Calls[0]
		switch re {
		case withoutCall:
			s.calls[i] = tasks.Move{}
			return s, nil
		case againCall:
			s.then = append(slices.Clone(s.then), s.calls[i])
			return s, nil
		case withValue:
			v, err := parseValue(m[3])
			if err != nil {
				return s, err
			}
			c.Arguments, err = setPath(c.Arguments, strings.Split(m[2], "."), v)
			if err != nil {
				return s, fmt.Errorf("%q: %w", text, err)
			}
		default:
			if c.Arguments, err = setPath(c.Arguments, strings.Split(m[2], "."), nil); err != nil {
				return s, fmt.Errorf("%q: %w", text, err)
			}
		}
		if string(sim.MustCanonical(c.Arguments)) == string(sim.MustCanonical(s.calls[i].Calls[0].Arguments)) {
			return s, fmt.Errorf("%q changes nothing", text)
		}
		s.calls[i] = tasks.Move{Calls: []sim.Call{c}}
		return s, nil
	}
	return s, fmt.Errorf(`%q is no difference; write "without call 2", "call 2 with data_args.period YTD", "call 2 without …", "call 2 is TOOL: …", "call 2 again", "first TOOL: …", "then TOOL: …", or "answers …"`, clip(text))
}
