// Package solve makes the reports of tabular workspaces from what is visible. It shares no code
// with the generator, and reads the rules where an agent reads them: what it cannot find there it
// does not do. So a report that it gives is one that visible files give.
package solve

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"sort"
	"strings"
	"time"
)

// Solve returns the JSON artifact that a visible tree asks for, and its path.
func Solve(visible map[string]string) (path, artifact string, err error) {
	s := &solver{visible: visible, rules: visible["docs/reporting_rules.md"]}
	if s.rules == "" {
		s.rules = visible["README.md"]
	}
	var rows []map[string]any
	switch {
	case visible["policies/register.md"] != "":
		return s.policy()
	case s.says("outputs/report.json"):
		path, rows, err = "outputs/report.json", s.guard(s.months), s.err
	case s.says("outputs/channel_pivot.json"):
		path, rows, err = "outputs/channel_pivot.json", s.guard(s.channels), s.err
	case s.says("outputs/weekly_rollup.json"):
		path, rows, err = "outputs/weekly_rollup.json", s.guard(s.weeks), s.err
	case s.says("outputs/restock_summary.json"):
		path, rows, err = "outputs/restock_summary.json", s.guard(s.stock), s.err
	default:
		return "", "", errors.New("the rules name no report that is known")
	}
	if s.err != nil {
		return "", "", s.err
	}
	raw, err := json.Marshal(rows)
	return path, string(raw), err
}

type solver struct {
	visible map[string]string
	rules   string
	err     error
}

func (s *solver) says(words string) bool { return strings.Contains(s.rules, words) }

// must notes that a step is needed of which the rules say nothing.
func (s *solver) must(words string) {
	if !s.says(words) {
		s.fail(fmt.Errorf("the rules do not say %q", words))
	}
}

func (s *solver) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// guard turns a row that cannot be read into an error.
func (s *solver) guard(make func() []map[string]any) (rows []map[string]any) {
	defer func() {
		if r := recover(); r != nil {
			s.fail(fmt.Errorf("reading the tables: %v", r))
		}
	}()
	return make()
}

// input returns a listed input file whose path contains the words.
func (s *solver) input(words string) string {
	for _, m := range regexp.MustCompile("- `(data/[^`]+)`").FindAllStringSubmatch(s.rules, -1) {
		if strings.Contains(m[1], words) {
			return s.visible[m[1]]
		}
	}
	s.fail(fmt.Errorf("the rules list no input like %q", words))
	return ""
}

func (s *solver) table(words string) []map[string]string {
	lines, err := csv.NewReader(strings.NewReader(s.input(words))).ReadAll()
	if err != nil || len(lines) == 0 {
		s.fail(fmt.Errorf("input %s: %v", words, err))
		return nil
	}
	var rows []map[string]string
	for _, l := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = l[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func (s *solver) objects(words string) []map[string]string {
	var raw []map[string]json.RawMessage
	if err := json.Unmarshal([]byte(s.input(words)), &raw); err != nil {
		s.fail(fmt.Errorf("input %s: %w", words, err))
	}
	var rows []map[string]string
	for _, r := range raw {
		row := map[string]string{}
		for k, v := range r {
			row[k] = strings.Trim(string(v), `"`)
		}
		rows = append(rows, row)
	}
	return rows
}

// when reads a time in whatever form it is written.
func when(text string) time.Time {
	for _, form := range []string{
		"2006-01-02", "01/02/2006", "02-Jan-2006", "2006-01-02T15:04:05", "01/02/2006 15:04", "02-Jan-2006 15:04", time.RFC3339,
	} {
		if t, err := time.Parse(form, text); err == nil {
			return t
		}
	}
	panic("no form of a time fits " + text)
}

func number(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("no number: " + text)
	}
	return r
}

func label(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// A tally sums numbers by key and name.
type tally map[string]map[string]*big.Rat

func (t tally) add(key, name string, n *big.Rat) {
	if t[key] == nil {
		t[key] = map[string]*big.Rat{}
	}
	if t[key][name] == nil {
		t[key][name] = new(big.Rat)
	}
	t[key][name].Add(t[key][name], n)
}

var one = big.NewRat(1, 1)

// rows lists the tally: keys split at tabs, counts without and amounts with decimals.
func (t tally) rows(keys, counts, amounts []string) []map[string]any {
	order := make([]string, 0, len(t))
	for k := range t {
		order = append(order, k)
	}
	sort.Strings(order)
	rows := []map[string]any{}
	value := func(key, name string) *big.Rat {
		if n := t[key][name]; n != nil {
			return n
		}
		return new(big.Rat)
	}
	for _, key := range order {
		row := map[string]any{}
		for i, part := range strings.Split(key, "\t") {
			row[keys[i]] = part
		}
		for _, c := range counts {
			row[c] = json.Number(value(key, c).RatString())
		}
		for _, a := range amounts {
			text := strings.TrimSuffix(value(key, a).FloatString(2), "0")
			row[a] = json.Number(text)
		}
		rows = append(rows, row)
	}
	return rows
}
