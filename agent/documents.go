package agent

import (
	"context"
	"slices"

	"benchwright/sim"
)

// Documents returns what the world offers beside its tools, of which only that is kept which the
// task's scope has the tool for. It is empty once the episode is over, or when ctx has ended.
func (s *Session) Documents(ctx context.Context) sim.Documents {
	w, err := s.take(ctx)
	if err != nil {
		return sim.Documents{}
	}
	defer s.give(w)
	documented, ok := w.(sim.Documented)
	if !ok {
		return sim.Documents{}
	}
	d := documented.Documents()
	offers := func(tool string) bool {
		return slices.ContainsFunc(s.tools, func(t sim.Tool) bool { return t.Name == tool })
	}
	if !offers(d.ReadTool) {
		d.ReadTool, d.Resources = "", nil
	}
	if !offers(d.PromptTool) {
		d.PromptTool, d.Prompts = "", nil
	}
	return d
}
