package ledger_test

import (
	"embed"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"benchwright"
	"benchwright/tasks"
	"example.com/ledger"
)

//go:embed features
var features embed.FS

func TestBench(t *testing.T) {
	benchwright.Run(t, tasks.Suite{Name: "ledger", Features: features, Kits: []tasks.Kit{ledger.Kit()}})
}

var _ = It("leaves the rest where it was", func(ctx SpecContext) {
	kit := ledger.Kit()
	d := tasks.NewDraft(&kit)
	Expect(d.Ask(tasks.Ask{Text: "Move 200 of the 500 cents from cash to rent, so that rent has 200."})).To(Succeed())
	d.Task.ID, d.Task.Tools, d.Task.Limits.Turns = "ledger/written/by_hand", []string{"all"}, 3
	Expect(d.Setup(map[string]int{"cash": 500, "rent": 0})).To(Succeed())
	Expect(d.Check(ledger.Balance("rent", 200).Rule)).To(Succeed())
	Expect(d.Call("move", map[string]any{"from": "cash", "to": "rent", "cents": 200})).To(Succeed())
	Expect(d.Answer("done")).To(Succeed())

	episode := benchwright.Play(ctx, d.Task)
	Expect(episode).To(ledger.Balance("cash", 300))
})
