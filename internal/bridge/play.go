package bridge

import (
	"context"

	"github.com/onsi/ginkgo/v2"

	"benchwright/agent"
	"benchwright/reports"
	"benchwright/tasks"
)

// Play plays a task inside a hand-written spec, as benchwright.Play documents.
func Play(ctx context.Context, t tasks.Task) *agent.Episode {
	ginkgo.GinkgoHelper()
	s := current.Load()
	if s == nil {
		ginkgo.Fail("benchwright.Play was called outside benchwright.Run: call it inside an It of the package whose test calls Run")
	}
	spec := ginkgo.CurrentSpecReport()
	if t.Source.File == "" {
		t.Source = tasks.Source{File: spec.FileName(), Line: spec.LineNumber()}
	}
	if err := s.begin(); err != nil {
		ginkgo.Fail(err.Error())
	}
	ep, err := s.session.PlaySpec(ctx, t, spec.Labels())
	if err != nil {
		ginkgo.Fail(err.Error())
	}
	s.mu.Lock()
	s.played[spec.FullText()] = true
	s.mu.Unlock()
	// What the spec expects beyond the rubric is known when it has ended.
	ginkgo.DeferCleanup(func() {
		after := ginkgo.CurrentSpecReport()
		beyond := ""
		if after.Failed() {
			beyond = reports.Clean(after.Failure.Message, 2000)
		}
		s.session.RecordSpec(ep, beyond)
	})
	return ep
}
