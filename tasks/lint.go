package tasks

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"benchwright/grader"
	"benchwright/sim"
)

// AllTools is the one word that puts every tool of a world in scope.
const AllTools = "all"

// Upper bounds. A task beyond them is a slip of the pen, such as milliseconds for seconds.
const (
	maxTurns  = 10_000
	maxWall   = 24 * time.Hour
	maxTokens = 1_000_000_000
	maxID     = 200 // records are files named after tasks
	maxLabels = 100
	maxAsk    = 1 << 20
)

// Lint returns what is wrong with a task that no front end would accept: all of it, each at
// the place that its sources tell. It looks at the task alone and acts on nothing.
func Lint(t Task, s Suite) []Problem {
	l := &linter{task: t, at: grader.Source{File: t.Source.File, Line: t.Source.Line}}
	k := s.Kit(t.World)
	if k == nil {
		l.note(l.at, "%v", Unknown("world", t.World, s.Worlds()))
	}
	l.identity()
	l.asks()
	l.limits()
	l.tools()
	l.rubric(k)
	return l.problems
}

type linter struct {
	task     Task
	at       grader.Source
	problems []Problem
}

func (l *linter) note(at grader.Source, format string, args ...any) {
	if at.File == "" {
		at = l.at
	}
	at.Text = ""
	l.problems = append(l.problems, Problem{at, fmt.Sprintf(format, args...)})
}

func (l *linter) identity() {
	t := l.task
	if err := t.ID.Valid(); err != nil {
		l.note(l.at, "%v", err)
	} else if len(t.ID) > maxID {
		l.note(l.at, "task id %s is longer than %d bytes: give it a tag such as @id:short_name", short(string(t.ID)), maxID)
	}
	if t.Requires != "" {
		if err := t.Requires.Valid(); err != nil {
			l.note(l.at, "requires: %v", err)
		}
	}
	if t.Trials < 0 || t.Trials > maxTrials {
		l.note(l.at, "%d trials: write a number up to %d", t.Trials, maxTrials)
	}
	if len(t.Labels) > maxLabels {
		l.note(l.at, "%d labels: more than %d", len(t.Labels), maxLabels)
	}
	for i, label := range t.Labels {
		if err := legalLabel(label); err != nil {
			l.note(l.at, "%v", err)
		}
		if slices.Contains(t.Labels[:i], label) {
			l.note(l.at, "label %s is there twice", short(label))
		}
	}
	if suite, ok := t.Label("suite"); ok && suite != t.ID.Suite() {
		l.note(l.at, "label suite:%s contradicts the id %s", suite, t.ID)
	}
	if world, ok := t.Label("world"); ok && world != t.World {
		l.note(l.at, "label world:%s contradicts the task's world %q", world, t.World)
	}
}

func (l *linter) asks() {
	if len(l.task.Asks) == 0 {
		l.note(l.at, "nothing is asked: a task needs a When")
	}
	for i, a := range l.task.Asks {
		switch {
		case strings.TrimSpace(a.Text) == "":
			l.note(l.at, "ask %d says nothing", i+1)
		case len(a.Text) > maxAsk:
			l.note(l.at, "ask %d is longer than %d MB", i+1, maxAsk>>20)
		}
		if a.Turns < 0 || a.Turns > maxTurns {
			l.note(l.at, "ask %d: %d turns: write a number up to %d", i+1, a.Turns, maxTurns)
		} else if l.task.Limits.Turns > 0 && a.Turns > l.task.Limits.Turns {
			l.note(l.at, "ask %d may take %d turns, but the task ends after %d", i+1, a.Turns, l.task.Limits.Turns)
		}
		l.own(i, a)
	}
	var setup map[string]json.RawMessage
	if raw := l.task.Setup; len(raw) > 0 && (json.Unmarshal(raw, &setup) != nil || setup == nil) {
		l.note(l.at, "the setup is not a JSON object")
	}
}

// own looks at the limits that an ask has of its own beside its turns.
func (l *linter) own(i int, a Ask) {
	for _, x := range []struct {
		name            string
		got, most, task int64
	}{
		{"calls", int64(a.Calls), maxTurns, 0},
		{"tokens", int64(a.Tokens), maxTokens, int64(l.task.Limits.Tokens)},
		{"seconds", int64(time.Duration(a.Wall) / time.Second), int64(maxWall / time.Second), int64(time.Duration(l.task.Limits.Wall) / time.Second)},
	} {
		if x.got < 0 || x.got > x.most {
			l.note(l.at, "ask %d: %d %s: write a number up to %d", i+1, x.got, x.name, x.most)
		} else if x.task > 0 && x.got > x.task {
			l.note(l.at, "ask %d may take %d %s, but the task ends after %d", i+1, x.got, x.name, x.task)
		}
	}
}

func (l *linter) limits() {
	m := l.task.Limits
	if m.Turns == 0 {
		l.note(l.at, "no limit of turns: write `at most N turns`, or limits.turns in JSON")
	}
	for _, x := range []struct {
		name      string
		got, most int64
	}{
		{"turns", int64(m.Turns), maxTurns},
		{"seconds", int64(time.Duration(m.Wall) / time.Second), int64(maxWall / time.Second)},
		{"tokens", int64(m.Tokens), maxTokens},
		{"output tokens", int64(m.OutputTokens), maxTokens},
		{"invalid calls", int64(m.InvalidCalls), maxTurns},
	} {
		if x.got < 0 || x.got > x.most {
			l.note(l.at, "a limit of %d %s: write a number up to %d", x.got, x.name, x.most)
		}
	}
}

func (l *linter) tools() {
	t := l.task.Tools
	if len(t) == 0 {
		l.note(l.at, "no tools in scope: name them, or say %q; a world without tools says %q as well", AllTools, AllTools)
	}
	if len(t) > 1 && slices.Contains(t, AllTools) {
		l.note(l.at, "tools: %q stands alone, or not at all", AllTools)
	}
	for i, name := range t {
		switch {
		case name == "":
			l.note(l.at, "tools: an empty name")
		case i > 0 && t[i-1] == name:
			l.note(l.at, "tools: %s is there twice", short(name))
		case i > 0 && t[i-1] > name:
			l.note(l.at, "tools: %s stands after %s: sort them", short(name), short(t[i-1]))
		}
	}
}

func (l *linter) rubric(k *Kit) {
	r := l.task.Rubric
	if len(r.Checks) == 0 {
		l.note(l.at, "nothing is demanded: a task needs a Then")
	}
	for _, c := range r.Checks {
		l.check(k, c)
	}
	if len(r.Reference) == 0 {
		l.note(l.at, "no reference solution: a task without one cannot be proved to be solvable")
	}
	l.moves("the reference", r.Reference)
	for i, p := range r.Probes {
		at := p.Source
		if strings.TrimSpace(p.Name) == "" {
			l.note(at, "probe %d has no name", i+1)
		}
		if slices.ContainsFunc(r.Probes[:i], func(o Probe) bool { return o.Name == p.Name }) {
			l.note(at, "probe %s is there twice", short(p.Name))
		}
		if len(p.Codes) == 0 || slices.Contains(p.Codes, "") {
			l.note(at, "probe %s names no code that it must fail with", short(p.Name))
		}
		if len(p.Moves) == 0 {
			l.note(at, "probe %s does nothing; the no-op gate covers that", short(p.Name))
		}
		l.moves("probe "+short(p.Name), p.Moves)
	}
	for i, v := range r.Planted {
		if strings.TrimSpace(v) == "" {
			l.note(l.at, "an empty planted value")
		} else if slices.Contains(r.Planted[:i], v) {
			l.note(l.at, "planted value %s is there twice", short(v))
		}
	}
	var values []string
	for v := range r.Stated {
		values = append(values, v)
	}
	slices.Sort(values)
	for _, v := range values {
		if strings.TrimSpace(v) == "" || strings.TrimSpace(r.Stated[v]) == "" {
			l.note(l.at, "%s is said as %s: neither may be empty", short(v), short(r.Stated[v]))
		}
	}
}

func (l *linter) check(k *Kit, c grader.Check) {
	if c.Rule == nil {
		l.note(c.Source, "a check without a rule")
		return
	}
	if c.Ask < 0 || c.Ask >= max(1, len(l.task.Asks)) {
		l.note(c.Source, "the check is about ask %d, but there are %d", c.Ask+1, len(l.task.Asks))
	}
	if k == nil {
		return
	}
	if _, ok := k.Rules[c.Rule.Name()]; !ok {
		l.note(c.Source, "world %s does not register rule %q%s", k.Kind.Name, c.Rule.Name(), grader.Suggest(c.Rule.Name(), grader.Registry(k.Rules).Names()))
	}
}

// moves checks that each move is one thing.
func (l *linter) moves(whose string, moves []Move) {
	for i, m := range moves {
		n := 0
		for _, set := range []bool{len(m.Calls) > 0, m.Answer != nil, m.Raw != ""} {
			if set {
				n++
			}
		}
		if n != 1 {
			l.note(m.Source, "%s, move %d: write calls, an answer or a raw reply, exactly one of them", whose, i+1)
		}
		for j, c := range m.Calls {
			var args map[string]json.RawMessage
			if c.Name == "" {
				l.note(m.Source, "%s, move %d, call %d names no tool", whose, i+1, j+1)
			}
			if len(c.Arguments) > 0 && json.Unmarshal(c.Arguments, &args) != nil {
				l.note(m.Source, "%s, move %d, call %d: the arguments are not a JSON object", whose, i+1, j+1)
			}
		}
	}
}

// normalize brings all JSON in a task to its canonical form, in copies, and makes the labels
// that follow from the id. Tasks that say the same then have the same bytes.
func normalize(t *Task) []Problem {
	var problems []Problem
	at := grader.Source{File: t.Source.File, Line: t.Source.Line}
	canon := func(what string, at grader.Source, raw *json.RawMessage) {
		if len(*raw) == 0 {
			*raw = nil
			return
		}
		c, err := sim.Canonical(*raw)
		if err != nil {
			problems = append(problems, Problem{at, fmt.Sprintf("%s: %v", what, err)})
			return
		}
		*raw = c
	}
	if len(t.Setup) == 0 {
		t.Setup = json.RawMessage("{}")
	}
	canon("setup", at, &t.Setup)
	t.Asks = slices.Clone(t.Asks)
	for i := range t.Asks {
		canon(fmt.Sprintf("context of ask %d", i+1), at, &t.Asks[i].Context)
	}
	moves := func(in []Move) []Move {
		in = slices.Clone(in)
		for i := range in {
			canon("answer", in[i].Source, &in[i].Answer)
			in[i].Calls = slices.Clone(in[i].Calls)
			for j := range in[i].Calls {
				canon("arguments", in[i].Source, &in[i].Calls[j].Arguments)
			}
		}
		return in
	}
	t.Rubric.Reference = moves(t.Rubric.Reference)
	t.Rubric.Probes = slices.Clone(t.Rubric.Probes)
	for i := range t.Rubric.Probes {
		t.Rubric.Probes[i].Moves = moves(t.Rubric.Probes[i].Moves)
	}
	if t.ID.Valid() == nil {
		t.Labels = slices.Clone(t.Labels)
		for _, l := range []string{"suite:" + t.ID.Suite(), "world:" + t.World, "family:" + t.ID.Family()} {
			key, _, _ := strings.Cut(l, ":")
			if _, ok := t.Label(key); !ok && legalLabel(l) == nil {
				t.Labels = append(t.Labels, l)
			}
		}
	}
	return problems
}

// Duplicates returns the groups of tasks that demand the same: one suite, one digest, several
// ids. Groups and ids are in the order of the tasks.
func Duplicates(all []Task) [][]ID {
	type key struct {
		suite  string
		digest Digest
	}
	groups := map[key][]ID{}
	var order []key
	for _, t := range all {
		k := key{t.ID.Suite(), t.Digest()}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], t.ID)
	}
	var out [][]ID
	for _, k := range order {
		if len(groups[k]) > 1 {
			out = append(out, groups[k])
		}
	}
	return out
}
