package gates_test

import (
	"context"
	"fmt"
	"testing"

	"benchwright/grader"
	"benchwright/grader/gates"
	"benchwright/sim"
	"benchwright/tasks"
)

// small returns a task of its own world: one call and an answer.
func small(i int) tasks.Task {
	t := sound()
	have, pay := int64(5000+7*i), int64(100+i)
	t.ID = tasks.ID(fmt.Sprintf("ledger-tasks/pay_in/case_%04d", i))
	t.Labels = []string{"level:3", fmt.Sprintf("case:%04dx", i), "family:pay_in"}
	t.Asks[0].Text = fmt.Sprintf("Pay %d into h-2 and tell me the total it holds then.", pay)
	t.Setup = setup(ledgerSetup{Accounts: map[string]int64{"h-1": 40, "h-2": have}, Secret: "key-0815"})
	args := fmt.Sprintf(`{"account":"h-2","amount":%d}`, pay)
	t.Rubric.Checks = []grader.Check{
		check(12, &balance{"h-2", have + pay}, `Then account "h-2" holds it`),
		check(13, &balance{"h-1", 40}, `And account "h-1" still holds 40`),
		check(14, &total{have + pay}, `And the answer is right`),
	}
	t.Rubric.Reference = []tasks.Move{call("deposit", args), answer(fmt.Sprintf(`{"total":%d}`, have+pay))}
	t.Rubric.Probes[0].Moves = []tasks.Move{call("deposit", args), answer(fmt.Sprintf(`{"total":%d}`, have))}
	return t
}

// BenchmarkCertify1000 certifies 1,000 small tasks by all gates, on one worker so that time is
// CPU time.
func BenchmarkCertify1000(b *testing.B) {
	kit := ledgerKit()
	all := make([]tasks.Task, 1000)
	for i := range all {
		all[i] = small(i)
	}
	suite := tasks.Suite{Kits: []tasks.Kit{*kit}}
	mutants := 0
	b.ReportAllocs()
	for b.Loop() {
		mutants = 0
		for _, c := range gates.CertifySuite(context.Background(), suite, all, gates.Options{Seed: 1}, 1) {
			if !c.Held() {
				b.Fatal(gates.Table([]gates.Certificate{c}))
			}
			mutants += c.Mutants
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/1000, "µs/task")
	b.ReportMetric(float64(mutants)/1000, "mutants/task")
}

// BenchmarkCertifyLargeState certifies one task whose world has 20,000 values.
func BenchmarkCertifyLargeState(b *testing.B) {
	kit, t := ledgerKit(), small(1)
	s := ledgerSetup{Accounts: map[string]int64{"h-1": 40, "h-2": 5007}, Memos: map[string]int64{}}
	for i := range int64(20000) {
		s.Memos[fmt.Sprintf("memo-%d", i)] = i
	}
	t.Setup = sim.MustCanonical(s)
	for b.Loop() {
		if c := gates.Certify(context.Background(), kit, t, gates.Options{}); !c.Held() {
			b.Fatal(gates.Table([]gates.Certificate{c}))
		}
	}
}
