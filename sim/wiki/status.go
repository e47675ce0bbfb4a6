package wiki

import (
	"encoding/json"

	fixture "benchwright/fixtures/wiki"
)

type status struct {
	Budget           map[string]budgetLine `json:"budget"`
	Coverage         coverage              `json:"coverage"`
	OK               bool                  `json:"ok"`
	OpenRequirements []fixture.Requirement `json:"open_requirements"`
	Roots            []rootLine            `json:"roots"`
	Rules            []string              `json:"rules"` // that no refusal tells
	Stage            stageLine             `json:"stage"`
}

type stageLine struct {
	Finished        bool     `json:"finished"`
	Name            string   `json:"name"`
	Number          int      `json:"number"`
	Of              int      `json:"of"`
	Selected        []string `json:"selected"`
	StructureLocked bool     `json:"structure_locked"`
	Writes          bool     `json:"writes"`
}

type rootLine struct {
	Path     string `json:"path"`
	Writable bool   `json:"writable"`
}

type coverage struct {
	Complete int `json:"complete"`
	Covered  int `json:"covered"`
	Pages    int `json:"pages"`
	Required int `json:"required"`
}

// A budgetLine says what is known of a budget.
type budgetLine struct {
	Left  *int `json:"left,omitempty"`
	Limit int  `json:"limit,omitempty"`
	Used  *int `json:"used,omitempty"`
}

func (k *call) getStatus() (any, *failure) {
	m, st := k.world.now, k.stage()
	out := status{
		Budget: k.budgets(), OK: true, OpenRequirements: append([]fixture.Requirement{}, m.wiki.requirements()...), Roots: []rootLine{},
		Stage: stageLine{
			Finished: k.finished(), Name: m.name(), Number: m.stage + 1, Of: len(k.world.stages),
			Selected: append([]string{}, st.Selected...), StructureLocked: st.Locked || !st.Writes(), Writes: st.Writes(),
		},
	}
	out.Rules = append(out.Rules, "where a list, a search or a read found nothing at a path nothing will be: to put the question again in this stage is a violation from the second time on")
	if st.Writes() {
		out.Rules = append(out.Rules, "every planned section of a page that was changed has prose of its own that a reader sees: not blank, not only comments, markup or deeper headings, and no heading within a comment, <pre> or code that is left open; write_page does not refuse it, the audit finds it")
	}
	m.measure()
	out.Coverage = coverage{m.evidence.complete, m.evidence.covered, len(m.wiki.pages), m.evidence.required}
	for _, root := range Roots() {
		if !k.world.faults.HideRoots {
			out.Roots = append(out.Roots, rootLine{root, root == WikiRoot && st.Writes()})
		}
	}
	return out, nil
}

func (k *call) budgets() map[string]budgetLine {
	b, used := k.stage().Budget, k.world.used
	out := map[string]budgetLine{"tool_calls": {Limit: b.ToolCalls, Used: &used}}
	if b.ToolCalls > 0 {
		left := max(b.ToolCalls-used, 0)
		out["tool_calls"] = budgetLine{&left, b.ToolCalls, &used}
	}
	for name, limit := range map[string]int{"model_calls": b.ModelCalls, "seconds": b.Seconds, "tokens": b.Tokens} {
		if limit > 0 {
			out[name] = budgetLine{Limit: limit}
		}
	}
	return out
}

type stageEnd struct {
	OK    bool   `json:"ok"`
	Stage string `json:"stage"`
}

// broken is a failure of the world's own.
func broken(format string, args ...any) *failure {
	return fail(CodeToolRuntimeError, "", format, args...)
}

func (k *call) finish() (any, *failure) {
	w, t := k.world, byName[Finish]
	answer, _ := k.args["answer"].(json.RawMessage)
	switch {
	case w.now.stage < 0:
		return nil, t.invalid("no stage has begun")
	case k.finished():
		return nil, t.invalid("the stage is finished already")
	case len(answer) > maxAnswer:
		return nil, fail(CodeTooLarge, "shorten the answer", "the answer has %d bytes; the most is %d", len(answer), maxAnswer)
	}
	if err := w.now.library.verify(); err != nil {
		return nil, broken("%v", err)
	}
	w.now = w.now.finish(answer)
	k.done = true
	return stageEnd{true, w.now.name()}, nil
}
