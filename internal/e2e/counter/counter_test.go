package counter_test

import (
	"encoding/json"
	"os"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"benchwright"
	"benchwright/grader"
	"benchwright/internal/e2e/counter"
	"benchwright/sim"
	"benchwright/tasks"
)

func TestBench(t *testing.T) {
	var opts []benchwright.Option
	for name, mk := range counter.Agents() {
		opts = append(opts, benchwright.WithAgent(name, mk))
	}
	benchwright.Run(t, counter.Suite(), opts...)
}

var _ = Describe("a spec written by hand", Label("hand"), func() {
	task := tasks.Task{
		ID: "counter/hand/twice", World: "counter", Tools: []string{"all"}, Limits: tasks.Limits{Turns: 4}, Setup: json.RawMessage("{}"),
		Asks: []tasks.Ask{{Text: "Add 40 to the counter."}},
		Rubric: tasks.Rubric{
			Checks: []grader.Check{counter.Shows(40)},
			Reference: []tasks.Move{
				{Calls: []sim.Call{{Name: "add", Arguments: json.RawMessage(`{"amount":40}`)}}},
				{Answer: json.RawMessage(`"done"`)},
			},
		},
	}
	if os.Getenv("COUNTER_FOCUS") != "" {
		FIt("is focused", func() {})
	}
	It("plays under the run's agent", func(ctx SpecContext) {
		episode := benchwright.Play(ctx, task)
		Expect(episode).To(counter.Shows(40))
		Expect(episode.Calls()).To(BeNumerically("<=", 1))
	})
})
