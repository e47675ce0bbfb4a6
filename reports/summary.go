package reports

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/tasks"
)

// A Summary is summary.json: sums over the rows, and over nothing else but what was selected.
// Passed, Failed, Broken and Skipped count episodes; TaskOutcomes counts tasks.
type Summary struct {
	Kind         string              `json:"kind"`
	Agent        string              `json:"agent"`
	Tasks        int                 `json:"tasks"`  // played or selected
	Trials       int                 `json:"trials"` // of the run; a task may have its own number
	Episodes     int                 `json:"episodes"`
	Passed       int                 `json:"passed"`
	Failed       int                 `json:"failed"`
	Broken       int                 `json:"broken"`
	Skipped      int                 `json:"skipped"`
	Unreached    int                 `json:"unreached"`             // episodes that the run ended before
	Uncertified  int                 `json:"uncertified,omitempty"` // episodes of tasks that have not proven themselves
	TaskOutcomes Counts              `json:"task_outcomes"`
	Rates        []Rate              `json:"rates"`                 // "all" first, then every label
	Reliability  []Reliability       `json:"reliability,omitempty"` // of several trials
	Codes        map[string]int      `json:"codes"`                 // failed episodes with the code
	CodeGroups   map[string]int      `json:"code_groups"`           // the same by what stands before ':'
	Layers       map[string]int      `json:"layers"`                // broken episodes
	Usage        UsageSums           `json:"usage"`
	Gates        map[string]GateSums `json:"gates"`
}

// Counts are numbers by outcome.
type Counts struct {
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Broken  int `json:"broken"`
	Skipped int `json:"skipped"`
}

func (c *Counts) add(o grader.Outcome) {
	switch o {
	case grader.Passed:
		c.Passed++
	case grader.Failed:
		c.Failed++
	case grader.Broken:
		c.Broken++
	case grader.Skipped:
		c.Skipped++
	}
}

// All is their sum.
func (c Counts) All() int { return c.Passed + c.Failed + c.Broken + c.Skipped }

// Valid is the number that a rate is over.
func (c Counts) Valid() int { return c.Passed + c.Failed }

// A Rate is the share of passed among the valid episodes of a label. Numbers are rounded to
// four decimals; they are null where there is nothing to divide by.
type Rate struct {
	Label    string      `json:"label"` // "all" for all
	N        int         `json:"n"`     // valid episodes
	Passed   int         `json:"passed"`
	Rate     *float64    `json:"rate"`
	CI       *[2]float64 `json:"ci"`     // Wilson, 95 %
	Worst    *float64    `json:"worst"`  // broken ones taken as failed
	Broken   int         `json:"broken"` // not in n
	Skipped  int         `json:"skipped"`
	Score    *float64    `json:"score"`    // mean over the valid episodes
	Adjusted *float64    `json:"adjusted"` // mean of the floor-adjusted scores that are known
}

// Reliability says how sure an agent is over k trials, over the tasks with at least k valid
// ones: the chance that any of k passes, and that all do.
type Reliability struct {
	K     int      `json:"k"`
	Tasks int      `json:"tasks"`
	Any   *float64 `json:"any"`
	All   *float64 `json:"all"`
}

// UsageSums are over all episodes, broken ones too: they were paid for. A count that is
// unknown for one episode is unknown in the sum.
type UsageSums struct {
	agent.Usage
	Budget int64        `json:"budget_tokens"`
	Cost   *json.Number `json:"cost"`
}

// A taskRow is a task with the rows of its trials, in their order.
type taskRow struct {
	Selected
	planned int // trials that were selected; 0 when the run does not say
	rows    []Row
}

// group sorts rows into tasks, adds what was selected and never played, and sorts by id.
func group(run Run, rows []Row) []taskRow {
	at := map[tasks.ID]int{}
	var all []taskRow
	for _, s := range run.Tasks {
		if _, ok := at[s.ID]; !ok {
			at[s.ID] = len(all)
			n := s.Trials
			if n == 0 {
				n = max(run.Trials, 1)
			}
			all = append(all, taskRow{Selected: s, planned: n})
		}
	}
	for _, row := range rows {
		i, ok := at[row.Task]
		if !ok {
			i = len(all)
			at[row.Task] = i
			all = append(all, taskRow{Selected: Selected{ID: row.Task, Digest: row.TaskDigest, Labels: row.Labels, File: row.File, Line: row.Line}})
		}
		all[i].rows = append(all[i].rows, row)
	}
	for _, t := range all {
		slices.SortFunc(t.rows, func(a, b Row) int { return a.Trial - b.Trial })
	}
	slices.SortFunc(all, func(a, b taskRow) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

func (t taskRow) counts() (c Counts) {
	for _, row := range t.rows {
		c.add(row.Outcome)
	}
	return c
}

// outcome is the task's: it passes when all its valid trials do, is broken when there is none
// and one broke, and else skipped.
func (t taskRow) outcome() grader.Outcome {
	switch c := t.counts(); {
	case c.Failed > 0:
		return grader.Failed
	case c.Passed > 0:
		return grader.Passed
	case c.Broken > 0:
		return grader.Broken
	}
	return grader.Skipped
}

// missing is how many trials have no record though they were selected.
func (t taskRow) missing() int { return max(t.planned-len(t.rows), 0) }

// Summarise sums up the rows of a run. Their order does not matter.
func Summarise(run Run, rows []Row) Summary {
	all := group(run, rows)
	s := Summary{
		Kind: run.Kind, Agent: run.Agent, Tasks: len(all), Trials: max(run.Trials, 1), Episodes: len(rows),
		Codes: map[string]int{}, CodeGroups: map[string]int{}, Layers: map[string]int{}, Gates: map[string]GateSums{},
	}
	rates := rateTable{}
	for _, t := range all {
		s.TaskOutcomes.add(t.outcome())
		s.Unreached += t.missing()
		gates := map[string]bool{}
		for _, row := range t.rows {
			s.add(row)
			rates.add(row)
			for g, held := range row.Gates {
				before, known := gates[g]
				gates[g] = held && (before || !known)
			}
		}
		for g, held := range gates {
			n := s.Gates[g]
			n[1]++
			if held {
				n[0]++
			}
			s.Gates[g] = n
		}
	}
	s.Usage.settle()
	s.Rates = rates.rows()
	s.Reliability = reliability(all)
	return s
}

// unknownCost marks a sum with an unknown part while it is being made.
const unknownCost = json.Number("?")

func (s *Summary) add(row Row) {
	var c Counts
	c.add(row.Outcome)
	s.Passed, s.Failed, s.Broken, s.Skipped = s.Passed+c.Passed, s.Failed+c.Failed, s.Broken+c.Broken, s.Skipped+c.Skipped
	if row.Unreached() {
		s.Unreached++
	}
	if row.Uncertified {
		s.Uncertified++
	}
	switch row.Outcome {
	case grader.Failed:
		bases := map[string]bool{}
		for _, code := range row.Codes {
			s.Codes[code]++
			bases[baseCode(code)] = true
		}
		for b := range bases {
			s.CodeGroups[b]++
		}
	case grader.Broken:
		s.Layers[string(row.Layer)]++
	}
	s.Usage.add(row)
}

func (u *UsageSums) add(row Row) {
	u.Usage = u.Usage.Add(row.Usage)
	u.Budget += min(row.Budget, math.MaxInt64-u.Budget) // stays at the largest number
	switch {
	case row.Usage.Requests == 0 && row.Cost == nil: // cost nothing
	case row.Cost == nil:
		unknown := unknownCost
		u.Cost = &unknown
	case u.Cost == nil:
		c := *row.Cost
		u.Cost = &c
	case *u.Cost != unknownCost:
		c := addAmounts(*u.Cost, *row.Cost)
		u.Cost = &c
	}
}

// settle ends the summing up.
func (u *UsageSums) settle() {
	if u.Cost != nil && *u.Cost == unknownCost {
		u.Cost = nil
	}
}

// A rateTable gathers rates by label.
type rateTable map[string]*rateSums

type rateSums struct {
	Counts
	score, adjusted mean
}

func (t rateTable) add(row Row) {
	t.addTo("", row)
	for _, l := range row.Labels {
		t.addTo(l, row)
	}
}

func (t rateTable) addTo(label string, row Row) {
	s := t[label]
	if s == nil {
		s = &rateSums{}
		t[label] = s
	}
	s.Counts.add(row.Outcome)
	if row.Outcome != grader.Passed && row.Outcome != grader.Failed {
		return
	}
	s.score.add(row.Score)
	if row.Adjusted != nil {
		s.adjusted.add(*row.Adjusted)
	}
}

func (t rateTable) rows() []Rate {
	out := []Rate{(&rateSums{}).rate("all")}
	for label, s := range t {
		if label == "" {
			out[0] = s.rate("all")
			continue
		}
		out = append(out, s.rate(label))
	}
	slices.SortFunc(out[1:], func(a, b Rate) int { return cmp.Compare(a.Label, b.Label) })
	return out
}

func (s *rateSums) rate(label string) Rate {
	r := Rate{
		Label: label, N: s.Valid(), Passed: s.Passed, Broken: s.Broken, Skipped: s.Skipped,
		Rate: share(s.Passed, s.Valid()), Worst: share(s.Passed, s.Valid()+s.Broken),
		Score: s.score.value(), Adjusted: s.adjusted.value(),
	}
	if r.N > 0 {
		low, high := Wilson(r.Passed, r.N)
		r.CI = &[2]float64{round(low, 4), round(high, 4)}
	}
	return r
}

// reliability is empty when no task has more than one valid trial.
func reliability(all []taskRow) []Reliability {
	most := 0
	for _, t := range all {
		most = max(most, t.counts().Valid())
	}
	if most < 2 {
		return nil
	}
	var out []Reliability
	for k := 1; k <= most; k++ {
		var anyOf, allOf mean
		for _, t := range all {
			if c := t.counts(); c.Valid() >= k {
				anyOf.add(PassAny(c.Valid(), c.Passed, k))
				allOf.add(PassAll(c.Valid(), c.Passed, k))
			}
		}
		out = append(out, Reliability{K: k, Tasks: anyOf.n, Any: anyOf.value(), All: allOf.value()})
	}
	return out
}

// String says in a line what became of the episodes.
func (s Summary) String() string {
	text := fmt.Sprintf("%s: %d passed, %d failed, %d broken, %d skipped", count(s.Episodes, "episode", "episodes"), s.Passed, s.Failed, s.Broken, s.Skipped)
	if s.Unreached > 0 {
		text += fmt.Sprintf("; %d never reached", s.Unreached)
	}
	return text
}
