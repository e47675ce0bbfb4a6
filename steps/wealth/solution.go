package wealth

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"benchwright/sim"
	"benchwright/tasks"
)

// reference reads the known-good solution, a line for each thing that it does or says:
//
//	call future_value: principal 2500000, annual_rate 0.06, years 5
//	decide answer under illustrative_not_guaranteed
//	claim future_value: 3345563.94 INR of scenario-A as of 2026-09-01 from calc-fv-v1
//	cite calc-fv-v1
//	missing annual_rate, years
func reference(d *tasks.Draft, script tasks.Text) error {
	n := noted(d)
	if n.solved {
		return errors.New("the scenario has a reference solution already")
	}
	s, err := solution{}.edit(strings.Split(strings.TrimSpace(string(script)), "\n"))
	if err != nil {
		return err
	}
	n.reference, n.solved = s, true
	d.Reference()
	return play(d, s)
}

// nearMisses reads variations of the reference: what is done or said in another way, and the
// codes that give it away. Edits are separated by "; ", codes by ", ".
func nearMisses(d *tasks.Draft, t *tasks.Table) error {
	columns := []string{"near miss", "differs by", "fails with"}
	if err := errors.Join(t.Allow(columns...), t.Require(columns...)); err != nil {
		return err
	}
	n := noted(d)
	if !n.solved {
		return errors.New("near misses are variations of the reference solution, which must come before them")
	}
	var problems []error
	for _, r := range t.Rows {
		s, err := n.reference.edit(strings.Split(t.Get(r, "differs by"), "; "))
		if err == nil {
			err = miss(d, t.Get(r, "near miss"), t.Get(r, "fails with"), s)
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("line %d: %w", r.Line, err))
		}
	}
	return errors.Join(problems...)
}

// nearMiss reads one near miss that is written out in full, like a reference.
func nearMiss(d *tasks.Draft, name, codes string, script tasks.Text) error {
	s, err := solution{}.edit(strings.Split(strings.TrimSpace(string(script)), "\n"))
	if err != nil {
		return err
	}
	return miss(d, name, codes, s)
}

func miss(d *tasks.Draft, name, list string, s solution) error {
	codes := split(list)
	for _, c := range codes {
		if err := raisable(d, c); err != nil {
			return err
		}
	}
	if reflect.DeepEqual(s, noted(d).reference) {
		return fmt.Errorf("near miss %q is the reference itself", name)
	}
	if err := d.Probe(name, codes...); err != nil {
		return err
	}
	defer d.Reference()
	return play(d, s)
}

func play(d *tasks.Draft, s solution) error {
	moves, err := s.moves()
	for _, m := range moves {
		d.Move(m)
	}
	return err
}

// raisable reports a code that none of the scenario's checks can raise.
func raisable(d *tasks.Draft, code string) error {
	var all []string
	for _, c := range d.Task.Rubric.Checks {
		for _, known := range c.Rule.Codes() {
			if prefix, open := strings.CutSuffix(known, "*"); known == code || open && strings.HasPrefix(code, prefix) {
				return nil
			}
			all = append(all, known)
		}
	}
	return tasks.Unknown("code", code, all)
}

// An edit is one sentence of the notation for solutions.
type edit struct {
	form string // for messages
	expr *regexp.Regexp
	do   func(s *solution, m []string) error
}

func sentence(form, expr string, do func(*solution, []string) error) edit {
	return edit{form, regexp.MustCompile(`^(?:` + expr + `)$`), do}
}

// edits is the whole notation. The first sentence that fits counts.
var edits = []edit{
	sentence("first call TOOL: ARGUMENTS", `first call (\S+?)(?:: (.*))?`, func(s *solution, m []string) error {
		c, err := parseCall(m[1], m[2])
		s.calls = append([]sim.Call{c}, s.calls...)
		return err
	}),
	sentence("call N again", `call (\d+) again`, func(s *solution, m []string) error {
		i, err := s.call(m[1])
		if err == nil {
			s.calls = append(s.calls, s.calls[i])
		}
		return err
	}),
	sentence("call N with ARGUMENT VALUE", `call (\d+) with (\S+) (.+)`, func(s *solution, m []string) error {
		i, err := s.call(m[1])
		if err != nil {
			return err
		}
		return setArgument(&s.calls[i], m[2], m[3])
	}),
	sentence("call TOOL: ARGUMENTS", `call ([^\s:]+)(?:: (.*))?`, func(s *solution, m []string) error {
		c, err := parseCall(m[1], m[2])
		s.calls = append(s.calls, c)
		return err
	}),
	sentence("without call N", `without call (\d+)`, func(s *solution, m []string) error {
		i, err := s.call(m[1])
		if err == nil {
			s.calls = slices.Delete(s.calls, i, i+1)
		}
		return err
	}),
	sentence("without calls", `without calls`, func(s *solution, _ []string) error {
		s.calls = nil
		return nil
	}),
	sentence("decide OUTCOME under POLICY", `decide (\S+) under (\S+)`, func(s *solution, m []string) error {
		s.decision.outcome, s.decision.policy = m[1], m[2]
		return nil
	}),
	sentence("claim NAME value|unit|subject|as_of|source VALUE", `claim (\S+) (value|unit|subject|as_of|source) (.+)`, setClaimField),
	sentence("claim NAME: VALUE UNIT of SUBJECT as of DATE from SOURCE", `claim ([^\s:]+): (.+)`, func(s *solution, m []string) error {
		c, err := parseClaim(m[1], m[2])
		if err != nil {
			return err
		}
		s.decision.claims = maps.Clone(s.decision.claims)
		setKey(&s.decision.claims, m[1], c)
		return nil
	}),
	sentence("without claim NAME", `without claim (\S+)`, func(s *solution, m []string) error {
		if _, ok := s.decision.claims[m[1]]; !ok {
			return tasks.Unknown("claim", m[1], keys(s.decision.claims))
		}
		delete(s.decision.claims, m[1])
		return nil
	}),
	sentence("cite SOURCES", `cite (.+)`, func(s *solution, m []string) error {
		s.decision.cited = split(m[1])
		return nil
	}),
	sentence("without evidence", `without evidence`, func(s *solution, _ []string) error {
		s.decision.cited = nil
		return nil
	}),
	sentence("missing INPUTS", `missing (.+)`, func(s *solution, m []string) error {
		s.decision.missing = split(m[1])
		return nil
	}),
	sentence("without missing inputs", `without missing inputs`, func(s *solution, _ []string) error {
		s.decision.missing = nil
		return nil
	}),
	sentence("without decision", `without decision`, func(s *solution, _ []string) error {
		s.silent = true
		return nil
	}),
	sentence("also say JSON", `also say (\{.*\})`, func(s *solution, m []string) error {
		v, err := sim.ParseJSON([]byte(m[1]))
		if err != nil {
			return err
		}
		for k, f := range v.(map[string]any) {
			setKey(&s.decision.also, k, f)
		}
		return nil
	}),
	sentence("reply FORM", `reply (.+)`, func(s *solution, m []string) error {
		form, ok := forms[m[1]]
		if !ok {
			return tasks.Unknown("form of a reply", m[1], keys(forms))
		}
		s.form = form
		return nil
	}),
}

// forms are ways to say a decision that are not the protocol's.
var forms = map[string]func(reply string) string{
	"in a code fence": func(r string) string { return "```json\n" + r + "\n```" },
	"after a remark":  func(r string) string { return "Here is my decision: " + r },
	"before a remark": func(r string) string { return r + " I hope this helps." },
	"twice at once":   func(r string) string { return r + "\n" + r },
	"in a list":       func(r string) string { return "[" + r + "]" },
	"cut short":       func(r string) string { return r[:len(r)-2] },
	"as mere text":    func(string) string { return "It is all in hand." },
	"as a bare result": func(r string) string {
		return strings.TrimSuffix(strings.TrimPrefix(r, `{"kind":"final","result":`), "}")
	},
}

// edit returns a copy of the solution to which every line has been applied. Each must change it.
func (s solution) edit(lines []string) (solution, error) {
	s = s.clone()
	for _, line := range lines {
		line = strings.TrimSpace(line)
		before := s.clone()
		if err := s.apply(line); err != nil {
			return s, err
		}
		if reflect.DeepEqual(before, s) {
			return s, fmt.Errorf("%q changes nothing", line)
		}
	}
	return s, nil
}

func (s *solution) apply(line string) error {
	var known []string
	for _, e := range edits {
		if m := e.expr.FindStringSubmatch(line); m != nil {
			if err := e.do(s, m); err != nil {
				return fmt.Errorf("%q: %w", line, err)
			}
			return nil
		}
		known = append(known, e.form)
	}
	return fmt.Errorf("%q is nothing that a solution does; it can\n%s", line, strings.Join(known, "\n"))
}

// call returns the index of call number text, counted from 1.
func (s *solution) call(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > len(s.calls) {
		return 0, fmt.Errorf("there is no call %s; there are %d", text, len(s.calls))
	}
	return n - 1, nil
}

func setArgument(c *sim.Call, name, text string) error {
	v, err := sim.ParseJSON(c.Arguments)
	if err != nil {
		return err
	}
	args, _ := v.(map[string]any)
	if _, ok := args[name]; !ok {
		return tasks.Unknown("argument of "+c.Name, name, keys(args))
	}
	if args[name], err = argument(name, text); err != nil {
		return err
	}
	c.Arguments, err = sim.Canonical(args)
	return err
}

func setClaimField(s *solution, m []string) error {
	c, ok := s.decision.claims[m[1]]
	if !ok {
		return tasks.Unknown("claim", m[1], keys(s.decision.claims))
	}
	switch m[2] {
	case "value":
		c.Value = m[3]
	case "unit":
		c.Unit = m[3]
	case "subject":
		c.Subject = m[3]
	case "as_of":
		c.AsOf = m[3]
	case "source":
		c.Source = m[3]
	}
	s.decision.claims[m[1]] = c
	return nil
}

func setKey[V any](m *map[string]V, key string, v V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[key] = v
}
