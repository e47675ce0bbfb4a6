// Package gates proves that a task measures what it says: no ruler without proof.
//
// [Certify] runs every proof on one task and returns a [Certificate]; [CertifySuite] does so
// for many and adds what only shows among them. A proof that fails says what is wrong with
// the task, where, and what to do about it; it is written for the author of the task.
//
//	certs := gates.CertifySuite(ctx, suite, all, gates.Options{}, runtime.NumCPU())
//	fmt.Print(gates.Table(certs))
//
// The proofs, in their order:
//
//   - reference: the reference replays through the agent's own protocol and passes;
//   - noop: doing nothing fails, and its score is the task's floor;
//   - live: each check catches a spoiled version of the reference's outcome that the checks
//     before it let through, and none breaks on what an agent can cause;
//   - near_misses: each probe fails, with the codes that it names;
//   - grounded: what is demanded can be found by the agent before it is needed;
//   - sealed: what the agent is sent holds nothing of the rubric, and no tool gives it away;
//   - within_budget: the reference fits the limits;
//   - deterministic: the same bytes again, in parallel, after encoding and beside forks;
//   - distinct: no two tasks of a suite are the same task.
//
// Everything a certificate holds follows from the task, the kit and the options: not from
// time, machine, parallelism or the order of maps.
package gates
