package wealth

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"benchwright/fixtures"
	"benchwright/grader"
	rules "benchwright/grader/wealth"
	"benchwright/grader/wealth/scorer"
	"benchwright/sim"
	world "benchwright/sim/wealth"
	"benchwright/tasks"
)

// compiled are the published task files, each made from the same compiled tasks. They are kept
// apart: a runner opens the candidate's alone.
func compiled() map[string]func([]tasks.Task) ([]byte, error) {
	return map[string]func([]tasks.Task) ([]byte, error){
		"candidate": candidateInputs, // candidate-inputs.jsonl
		"cases":     casesFile,       // cases.json
		"oracle":    oracleContracts, // oracle-contracts.jsonl
		"fixtures":  fixturesFile,    // fixtures.json
	}
}

// A published task is one with a label case:, which numbers its family. Others have no place in
// the published files.
type published struct {
	tasks.Task
	caseID, language string
	number           string // of the family
	critical         bool
}

// publish returns the published tasks in the order of their cases.
func publish(all []tasks.Task) ([]published, error) {
	var out []published
	var problems []error
	seen := map[string]tasks.ID{}
	for _, t := range all {
		number, ok := t.Label("case")
		if !ok {
			continue
		}
		language, ok := t.Label("lang")
		p := published{t, number + "-" + language, language, number, slices.Contains(t.Labels, "critical")}
		switch twin := seen[p.caseID]; {
		case !ok:
			problems = append(problems, fmt.Errorf("%s: %s: a task with a label case: needs a label lang:", t.Source, t.ID))
		case twin != "":
			problems = append(problems, fmt.Errorf("%s: %s: it is case %s, and so is %s", t.Source, t.ID, p.caseID, twin))
		case len(t.Asks) != 1:
			problems = append(problems, fmt.Errorf("%s: %s: it has %d asks; a published case has one request", t.Source, t.ID, len(t.Asks)))
		}
		seen[p.caseID] = t.ID
		out = append(out, p)
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	if len(out) == 0 {
		return nil, errors.New(`no task has a label case:, so there are no cases to publish; tag a feature @case:WO-1`)
	}
	slices.SortFunc(out, func(a, b published) int {
		return cmp.Or(cmp.Compare(len(a.number), len(b.number)), cmp.Compare(a.number, b.number), cmp.Compare(a.language, b.language))
	})
	return out, nil
}

// candidateInput is a line of candidate-inputs.jsonl. A model sees language, request, context
// and the descriptions of the tools; the rest stays with the runner.
type candidateInput struct {
	CaseID   string          `json:"case_id"`
	Family   string          `json:"family"`
	Language string          `json:"language"`
	Request  string          `json:"request"`
	Context  json.RawMessage `json:"context"`
	Fixture  string          `json:"fixture"`
	Tools    []string        `json:"tools"`
}

func candidateInputs(all []tasks.Task) ([]byte, error) {
	cases, err := publish(all)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for _, c := range cases {
		language, facts, err := parseContext(c.Asks[0].Context)
		if err == nil && language != c.language {
			err = fmt.Errorf("it asks in %s and is labelled lang:%s", language, c.language)
		}
		setup, serr := world.ParseSetup(c.Setup)
		if err := errors.Join(err, serr); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", c.Source, c.ID, err)
		}
		tools := slices.Sorted(slices.Values(c.Tools))
		if slices.Equal(tools, []string{world.AllTools}) {
			tools = readers()
		}
		line, err := encode(candidateInput{c.caseID, c.ID.Family(), language, c.Asks[0].Text, facts, setup.Fixture, tools})
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", c.Source, c.ID, err)
		}
		out.WriteString(line + "\n")
	}
	return out.Bytes(), nil
}

func casesFile(all []tasks.Task) ([]byte, error) {
	cases, err := publish(all)
	if err != nil {
		return nil, err
	}
	var file scorer.Cases
	for _, c := range cases {
		one, err := c.expected()
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", c.Source, c.ID, err)
		}
		file.Cases = append(file.Cases, one)
	}
	return file.Encode()
}

// expected reads the rubric. A published case says all seven parts, each once.
func (p published) expected() (scorer.Case, error) {
	c := scorer.Case{CaseID: p.caseID, Family: p.ID.Family(), Language: p.language, Critical: p.critical}
	said := map[string]int{}
	for _, check := range p.Rubric.Checks {
		said[check.Rule.Name()]++
		switch r := check.Rule.(type) {
		case *rules.OutcomeRule:
			c.Outcome, c.PolicyCode = r.Outcome, r.Policy
		case *rules.ClaimsRule:
			c.Claims = r.Claims
		case *rules.EvidenceRule:
			c.EvidenceIDs = r.IDs
		case *rules.MissingFieldsRule:
			c.MissingFields = r.Fields
		case *rules.TraceRule:
			c.AcceptedTraces = r.Accepted
		case *rules.CompletedRule, *rules.NoWritesRule: // the same for every case
		default:
			return c, fmt.Errorf("%s: %s is no part of a published case", check.Source, check.Rule.Name())
		}
	}
	for _, name := range grader.Registry(rules.Rules()).Names() {
		if said[name] != 1 {
			return c, fmt.Errorf("it says %s %d times; a published case says each part once", parts[name], said[name])
		}
	}
	return c, nil
}

// oracleContracts are known-correct records, to test the scorer with. Nothing in them is
// computed: results and decisions are those of the authored references, calls those of the
// authored traces. What only a run could tell is empty.
func oracleContracts(all []tasks.Task) ([]byte, error) {
	cases, err := publish(all)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for _, c := range cases {
		line, err := c.contract()
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", c.Source, c.ID, err)
		}
		out.Write(line)
	}
	return out.Bytes(), nil
}

func (p published) contract() ([]byte, error) {
	c, err := p.expected()
	if err != nil {
		return nil, err
	}
	record := scorer.Prediction{
		CaseID: c.CaseID, Family: c.Family, Language: c.Language, RunKind: scorer.KindOracle,
		Status: scorer.Completed, Model: scorer.Model{Name: "reference"},
	}
	var made []sim.Call
	for i, m := range p.Rubric.Reference {
		raw, err := Dialect{}.Reply(m)
		if err != nil {
			return nil, fmt.Errorf("reference: %w", err)
		}
		kind := scorer.DecisionTool
		if m.Answer != nil {
			kind, record.Result = scorer.DecisionFinal, m.Answer
		}
		made = append(made, m.Calls...)
		record.Decisions = append(record.Decisions, scorer.Decision{Index: i + 1, Raw: raw, Kind: kind})
	}
	trace, err := acceptedTrace(c.AcceptedTraces, made)
	if err != nil {
		return nil, err
	}
	for i, call := range trace {
		record.ToolCalls = append(record.ToolCalls, scorer.ToolCall{Index: i + 1, Name: call.Name, Arguments: call.Arguments, Status: call.Status})
	}
	return record.Line()
}

// acceptedTrace returns the accepted trace whose calls the reference makes.
func acceptedTrace(traces [][]rules.Call, made []sim.Call) ([]rules.Call, error) {
	for _, t := range traces {
		if slices.EqualFunc(t, made, func(want rules.Call, got sim.Call) bool {
			return want.Name == got.Name && bytes.Equal(sim.MustCanonical(want.Arguments), world.CanonicalArguments(got.Name, got.Arguments))
		}) {
			return t, nil
		}
	}
	return nil, errors.New("the reference makes other calls than any accepted trace")
}

func fixturesFile([]tasks.Task) ([]byte, error) { return fixtures.Wealth().Read("fixtures.json") }
