package gates_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"benchwright/grader"
	"benchwright/grader/gates"
	"benchwright/sim"
	"benchwright/tasks"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s differs; run go test -update and review the change\ngot:\n%s", path, got)
	}
}

// leakyDialect says something more than it was given.
type leakyDialect struct {
	tasks.PlainDialect
	says string
}

func (d leakyDialect) Open(env tasks.Envelope, ask int, tools []sim.Tool) ([]tasks.Message, error) {
	m, err := d.PlainDialect.Open(env, ask, tools)
	if err == nil && env.Asks[ask].Text != "" {
		m[len(m)-1].Content += "\n(" + d.says + ")"
	}
	return m, err
}

// formDialect says something about every task.
type formDialect struct {
	tasks.PlainDialect
	says string
}

func (d formDialect) Open(env tasks.Envelope, ask int, tools []sim.Tool) ([]tasks.Message, error) {
	m, err := d.PlainDialect.Open(env, ask, tools)
	if err == nil {
		m[len(m)-1].Content += "\n(" + d.says + ")"
	}
	return m, err
}

// tersest keeps the context of an ask to itself.
type tersest struct{ tasks.PlainDialect }

func (d tersest) Open(env tasks.Envelope, ask int, tools []sim.Tool) ([]tasks.Message, error) {
	env.Asks = slices.Clone(env.Asks)
	env.Asks[ask].Context = nil
	return d.PlainDialect.Open(env, ask, tools)
}

// An unsound is a task that one gate alone finds out.
type unsound struct {
	name   string
	gate   gates.Gate
	spoil  func(t *tasks.Task, k *tasks.Kit)
	reason string
}

func setVice(vice string) func(*tasks.Task, *tasks.Kit) {
	return func(t *tasks.Task, _ *tasks.Kit) {
		var s ledgerSetup
		if err := json.Unmarshal(t.Setup, &s); err != nil {
			panic(err)
		}
		s.Vice = vice
		t.Setup = setup(s)
	}
}

func setDialect(says string) func(*tasks.Task, *tasks.Kit) {
	return func(_ *tasks.Task, k *tasks.Kit) { k.Dialect = leakyDialect{says: says} }
}

func addCheck(line int, r grader.Rule, text string) func(*tasks.Task, *tasks.Kit) {
	return func(t *tasks.Task, _ *tasks.Kit) { t.Rubric.Checks = append(t.Rubric.Checks, check(line, r, text)) }
}

// keep lets the task want a text kept that it does not name.
func keep(text string, r grader.Rule) func(*tasks.Task, *tasks.Kit) {
	return func(t *tasks.Task, _ *tasks.Kit) {
		t.Asks[0].Text += " Keep the secret as a text."
		t.Tools, t.Limits.Turns = append(t.Tools, "note"), 6
		t.Rubric.Checks = append(t.Rubric.Checks, check(15, r, "And the secret is kept"))
		t.Rubric.Reference = slices.Insert(t.Rubric.Reference, 0, call("note", string(sim.MustCanonical(map[string]string{"text": text}))))
		t.Rubric.Probes = nil
	}
}

var unsounds = []unsound{
	{"no-reference", gates.Reference, func(t *tasks.Task, _ *tasks.Kit) { t.Rubric.Reference = nil }, "nobody has solved it"},
	{"wrong-reference", gates.Reference, func(t *tasks.Task, _ *tasks.Kit) {
		t.Rubric.Reference = []tasks.Move{call("read", `{"account":"h-2"}`), answer(`{"total":7000}`)}
	}, "the solution is none"},
	{"invalid-call", gates.Reference, func(t *tasks.Task, k *tasks.Kit) {
		setVice("pedantic")(t, k)
		t.Asks[0].Text += " Not into h-3."
		t.Rubric.Reference = slices.Insert(t.Rubric.Reference, 0, call("read", `{"account":"h-3"}`))
	}, "the solution stumbles"},
	{"moves-left-over", gates.Reference, func(t *tasks.Task, _ *tasks.Kit) {
		t.Rubric.Reference = append(t.Rubric.Reference, answer(`{"total":7250}`))
	}, "the solution goes on after the end"},
	{"unreadable-move", gates.Reference, func(t *tasks.Task, _ *tasks.Kit) {
		t.Protocol.Lenient = true
		t.Rubric.Reference = slices.Insert(t.Rubric.Reference, 0, tasks.Move{Raw: "let me see \x1b[31m"})
	}, "the solution mumbles"},
	{"unspeakable-move", gates.Reference, func(t *tasks.Task, _ *tasks.Kit) {
		t.Rubric.Reference[0].Calls = append(t.Rubric.Reference[0].Calls, t.Rubric.Reference[0].Calls[0])
	}, "the protocol cannot say it"},
	{"check-of-no-ask", gates.Reference, func(t *tasks.Task, _ *tasks.Kit) { t.Rubric.Checks[1].Ask = 5 }, "it demands something of an ask that there is not"},
	{"last-ask-unanswered", gates.Reference, func(t *tasks.Task, _ *tasks.Kit) {
		t.Asks = append(t.Asks, tasks.Ask{Text: "And keep h-1 as it is."})
		t.Rubric.Checks[1].Ask = 1
	}, "what is demanded of the last ask was never played"},
	{"last-ask-unreached", gates.Reference, func(t *tasks.Task, _ *tasks.Kit) {
		t.Asks[0].Gated = true
		t.Asks = append(t.Asks, tasks.Ask{Text: "And keep h-1 as it is."})
		t.Rubric.Checks = slices.Delete(t.Rubric.Checks, 2, 3)
		t.Rubric.Checks[1].Ask = 1
		t.Rubric.Reference, t.Rubric.Probes = t.Rubric.Reference[:1], nil
	}, "nor was it put"},
	{"reference-without-answer", gates.Reference, func(t *tasks.Task, _ *tasks.Kit) {
		t.Rubric.Checks, t.Rubric.Reference, t.Rubric.Probes = t.Rubric.Checks[:2], t.Rubric.Reference[:1], nil
	}, "a solution comes to an end"},
	{"no-world", gates.Reference, setVice("no-world"), "the setup does not work"},
	{"panic", gates.Reference, setVice("panic"), "the setup does not work at all"},

	{"noop-passes", gates.Noop, func(t *tasks.Task, _ *tasks.Kit) {
		t.Rubric.Checks = []grader.Check{check(13, &balance{"h-1", 40}, `Then account "h-1" still holds 40`)}
		t.Rubric.Probes = nil
	}, "what is so at the start proves nothing"},
	{"noop-passes-to-the-judge", gates.Noop, func(t *tasks.Task, _ *tasks.Kit) {
		t.Rubric.Checks = []grader.Check{check(13, &balance{"h-1", 40}, `Then account "h-1" still holds 40`), check(14, &judged{}, "And it reads well")}
		t.Rubric.Probes = nil
	}, "a judge alone must not stand between nothing and a pass"},

	{"dead-check", gates.Live, addCheck(15, &lazy{}, `And all is well`), "it can never fail"},
	{"shadowed-check", gates.Live, addCheck(15, &balance{"h-2", 7250}, `And account "h-2" holds 7250 indeed`), "it fails only where another has"},
	{"brittle-check", gates.Live, func(t *tasks.Task, _ *tasks.Kit) {
		t.Rubric.Checks[2] = check(14, &brittle{total{7250}}, "And the answer is 7250")
	}, "an answer must not break the grader"},
	{"unlisted-code", gates.Live, func(t *tasks.Task, _ *tasks.Kit) {
		t.Rubric.Checks[2] = check(14, &talkative{total{7250}}, "And the answer is 7250")
	}, "codes are a contract"},
	{"hanging-check", gates.Live, func(t *tasks.Task, _ *tasks.Kit) {
		t.Rubric.Probes = nil
		t.Rubric.Checks[2] = check(14, &hanging{total{7250}}, "And the answer is 7250")
	}, "an answer must not stop the grader"},
	{"fleeing-check", gates.Live, func(t *tasks.Task, _ *tasks.Kit) {
		t.Rubric.Probes = nil
		t.Rubric.Checks[2] = check(14, &fleeing{total{7250}}, "And the answer is 7250")
	}, "nor take it away"},
	{"dodged-check", gates.Live, func(t *tasks.Task, _ *tasks.Kit) {
		t.Rubric.Checks[2] = check(14, &dodging{total{7250}}, "And the answer is 7250")
	}, "nobody must talk their way out of the denominator"},
	{"kit-mutants-panic", gates.Live, func(_ *tasks.Task, k *tasks.Kit) {
		k.Mutants = func(tasks.Task, tasks.Aftermath) []tasks.Mutant { panic("no mutants today") }
	}, "a kit must not panic"},

	{"probe-passes", gates.NearMisses, func(t *tasks.Task, _ *tasks.Kit) {
		t.Rubric.Probes[0].Moves = t.Rubric.Reference
	}, "it misses nothing"},
	{"probe-fails-otherwise", gates.NearMisses, func(t *tasks.Task, _ *tasks.Kit) {
		t.Rubric.Probes[0].Codes = []string{"wrong_total", "wrong_totals", "no_account"}
	}, "for a reason that it does not name"},
	{"probe-cannot-be-played", gates.NearMisses, func(t *tasks.Task, _ *tasks.Kit) {
		t.Rubric.Probes[0].Moves = []tasks.Move{{}}
	}, "the protocol cannot say it"},
	{"probe-left-to-the-judge", gates.NearMisses, func(t *tasks.Task, _ *tasks.Kit) {
		t.Rubric.Checks = append(t.Rubric.Checks, check(15, &judged{}, "And it reads well"))
		t.Rubric.Probes[0].Moves = t.Rubric.Reference
	}, "a near miss needs no judge"},

	{"hidden-argument", gates.Grounded, func(t *tasks.Task, _ *tasks.Kit) {
		t.System = "Answer with the total as an object."
		t.Asks[0].Text = "Pay 250 into the second account and tell me the total it holds then."
	}, "the account was never named"},
	{"substring", gates.Grounded, func(t *tasks.Task, _ *tasks.Kit) {
		t.Asks[0].Text = "Pay 2500 into h-2 and tell me the total it holds then."
	}, "250 inside 2500 is not 250"},
	{"told-too-late", gates.Grounded, func(t *tasks.Task, _ *tasks.Kit) {
		t.Asks[0].Text = "Pay what h-1 holds into h-2 and tell me the total it holds then."
		t.Rubric.Checks[0].Rule, t.Rubric.Checks[2].Rule = &balance{"h-2", 7040}, &total{7040}
		t.Rubric.Reference = []tasks.Move{call("deposit", `{"account":"h-2","amount":40}`), call("read", `{"account":"h-1"}`), answer(`{"total":7040}`)}
	}, "the amount was read after it was paid"},
	{"false-statement", gates.Grounded, func(t *tasks.Task, _ *tasks.Kit) {
		t.Rubric.Stated = map[string]string{"250": "two and a half hundred"}
	}, "the words are nowhere"},
	{"lying-number", gates.Grounded, func(t *tasks.Task, _ *tasks.Kit) {
		t.Asks[0].Text = "Pay the usual amount into h-2 and tell me the total it holds then."
		t.Rubric.Stated = map[string]string{"250": "the usual amount"}
	}, "words without a number say none"},
	{"lying-code", gates.Grounded, func(t *tasks.Task, k *tasks.Kit) {
		keep("ZX81774", &noted{"ZX81774"})(t, k)
		t.Rubric.Stated = map[string]string{"ZX81774": "the secret"}
	}, "words without a figure do not say a code"},
	{"protocol-word", gates.Grounded, keep("JSON", &noted{"JSON"}), "how to reply tells nothing about the task"},
	{"protocol-number", gates.Grounded, func(t *tasks.Task, k *tasks.Kit) {
		keep("5", &noted{"5"})(t, k)
		t.Limits.Turns, t.Protocol.ShowLimits = 5, true
	}, "nor does how often"},
	{"dialect-word", gates.Grounded, func(t *tasks.Task, k *tasks.Kit) {
		keep("abracadabra", &noted{"abracadabra"})(t, k)
		k.Dialect = formDialect{says: "abracadabra"}
	}, "nor what it says besides"},
	{"untold", gates.Grounded, func(t *tasks.Task, k *tasks.Kit) {
		keep("swordfish", &noted{"swordfish"})(t, k)
		t.Asks[0].Context = json.RawMessage(`{"secret":"swordfish"}`)
		k.Dialect = tersest{}
	}, "what the dialect keeps to itself tells nothing either"},
	{"echoed-prose", gates.Grounded, keep("alpha bravo charlie delta echo foxtrot golf", &noted{"charlie delta"}), "a result that repeats the agent's words proves nothing"},
	{"echoed-lines", gates.Grounded, keep("4711\n0815", &noted{"4711\n0815"}), "of several lines neither"},
	{"echoed-word", gates.Grounded, func(t *tasks.Task, k *tasks.Kit) {
		keep("this is where I say swordfish", &noted{"swordfish"})(t, k)
		t.Rubric.Reference = slices.Insert(t.Rubric.Reference, 1, call("note", `{"text":"swordfish"}`))
	}, "a word of it is the agent's own at its next use, too"},
	{"recalled", gates.Grounded, func(t *tasks.Task, k *tasks.Kit) {
		keep("this is where I say swordfish", &noted{"swordfish"})(t, k)
		t.Tools = append(t.Tools, "recall")
		t.Rubric.Reference = slices.Insert(t.Rubric.Reference, 1, call("recall", `{}`))
	}, "nor when another tool repeats them later"},
	{"echoed-order", gates.Grounded, keep("and then tell the total of h-2", &noted{"then tell the total"}), "words that are known, in an order that is not"},
	{"hushed", gates.Grounded, keep("4711\nswordfish", &hushed{noted{"4711\nswordfish"}}), "what a rule lists is not all that it compares"},
	{"half-hushed", gates.Grounded, keep("the secret\nzx-81", &secretive{noted{"the secret"}, "zx-81"}), "nor if it lists some of it"},
	{"no-grounder", gates.Grounded, addCheck(15, &open{[]int64{250, 99}}, ""), "every key and leaf counts then"},
	{"answer-from-nowhere", gates.Grounded, func(t *tasks.Task, _ *tasks.Kit) {
		t.Rubric.Reference[1] = answer(`{"total":7250,"account":"h-9"}`)
	}, "the reference knows more than it was told"},
	{"solver-fails", gates.Grounded, func(t *tasks.Task, k *tasks.Kit) {
		t.Asks[0].Text = "Pay half of 500 into h-2 and tell me the total it holds then."
		k.Solve = func(tasks.Task) ([]string, error) { return []string{"250"}, errors.New("no solution") }
	}, "a solver that fails is no proof"},

	{"dialect-tells-id", gates.Sealed, setDialect("task ledger-tasks/pay_in/case_a17"), "the id names the task"},
	{"dialect-tells-family", gates.Sealed, setDialect("kind pay_in"), "the family tells what is tested"},
	{"dialect-tells-level", gates.Sealed, setDialect("level 3, case A17x"), "labels are not for agents"},
	{"dialect-tells-answer", gates.Sealed, setDialect("hint: 7250"), "a graded value that nobody wrote"},
	{"planted-in-ask", gates.Sealed, func(t *tasks.Task, _ *tasks.Kit) { t.Asks[0].Text += " See plant-33." }, "planted values are for sources"},
	{"planted-in-another-spelling", gates.Sealed, func(t *tasks.Task, _ *tasks.Kit) { t.Asks[0].Text += " See PLANT 33." }, "people read it all the same"},
	{"planted-nothing", gates.Sealed, func(t *tasks.Task, _ *tasks.Kit) { t.Rubric.Planted = []string{"—"} }, "a dash cannot be looked for"},
	{"loud-tool", gates.Sealed, func(t *tasks.Task, k *tasks.Kit) {
		setVice("loud")(t, k)
		t.Tools = []string{"all"}
	}, "so do they what a tool says"},
	{"leaky-tool", gates.Sealed, func(t *tasks.Task, k *tasks.Kit) {
		setVice("leaky")(t, k)
		t.Tools = []string{"all"}
	}, "a tool gives away what is hidden"},
	{"boastful-tool", gates.Sealed, func(t *tasks.Task, k *tasks.Kit) {
		setVice("boastful")(t, k)
		t.Tools = []string{"all"}
	}, "its description does"},
	{"faulty-tool", gates.Sealed, func(t *tasks.Task, k *tasks.Kit) {
		setVice("faulty")(t, k)
		t.Tools = []string{"all"}
		k.Sources = func(tasks.Task) (tasks.Sources, error) {
			return tasks.Sources{Hidden: []string{"key-0815"}, Calls: []sim.Call{{Name: "audit", Arguments: json.RawMessage(`{}`)}}}, nil
		}
	}, "reaching for it breaks the world"},
	{"no-sources", gates.Sealed, func(_ *tasks.Task, k *tasks.Kit) { k.Sources = nil }, "nobody said what is hidden"},
	{"sources-without-calls", gates.Sealed, func(_ *tasks.Task, k *tasks.Kit) {
		k.Sources = func(tasks.Task) (tasks.Sources, error) { return tasks.Sources{Hidden: []string{"key-0815"}}, nil }
	}, "nobody tried to reach it"},
	{"sources-fail", gates.Sealed, func(_ *tasks.Task, k *tasks.Kit) {
		k.Sources = func(tasks.Task) (tasks.Sources, error) { return tasks.Sources{}, errors.New("no fixture") }
	}, "they cannot be listed"},
	{"hidden-nothing", gates.Sealed, func(_ *tasks.Task, k *tasks.Kit) {
		k.Sources = func(tasks.Task) (tasks.Sources, error) {
			return tasks.Sources{Hidden: []string{"—"}, Calls: []sim.Call{{Name: "audit", Arguments: json.RawMessage(`{}`)}}}, nil
		}
	}, "a dash cannot be looked for"},

	{"too-few-turns", gates.WithinBudget, func(t *tasks.Task, _ *tasks.Kit) { t.Limits.Turns = 1 }, "the reference needs two"},
	{"too-few-turns-for-ask", gates.WithinBudget, func(t *tasks.Task, _ *tasks.Kit) { t.Asks[0].Turns = 1 }, "the reference needs two"},
	{"no-limit", gates.WithinBudget, func(t *tasks.Task, _ *tasks.Kit) { t.Limits.Turns = 0 }, "an episode must end"},
	{"replies-too-short", gates.WithinBudget, func(t *tasks.Task, _ *tasks.Kit) { t.Limits.OutputTokens = 3 }, "no reply fits"},
	{"too-few-tokens", gates.WithinBudget, func(t *tasks.Task, _ *tasks.Kit) { t.Limits.Tokens = 20 }, "the rules alone are longer"},

	{"drifting-world", gates.Deterministic, setVice("drift"), "it depends on what ran before"},
	{"shared-fork", gates.Deterministic, setVice("shared"), "a fork changes its parent"},
	{"foreign-state", gates.Deterministic, func(_ *tasks.Task, k *tasks.Kit) {
		k.Kind.Decode = func(raw json.RawMessage, _ fs.FS) (sim.State, error) { return nil, errors.New("no such thing") }
	}, "a record could not be graded again"},
	{"loose-state", gates.Deterministic, func(_ *tasks.Task, k *tasks.Kit) {
		k.Kind.Decode = func(raw json.RawMessage, _ fs.FS) (sim.State, error) {
			return sim.RawState(slices.Concat(raw, []byte(" "))), nil
		}
	}, "bytes change on the way"},
	{"typed-state", gates.Deterministic, func(t *tasks.Task, k *tasks.Kit) {
		type box struct{ sim.RawState }
		k.Kind.Decode = func(raw json.RawMessage, _ fs.FS) (sim.State, error) { return box{sim.RawState(raw)}, nil }
		k.Rules["ledger.moody"] = func() grader.Rule { return &moody{times: new(int)} }
		t.Rubric.Checks[2] = check(14, &moody{Amount: 7250, times: new(int)}, "And the answer is 7250")
	}, "a rule looks at the type of a state"},
	{"unregistered-rule", gates.Deterministic, func(_ *tasks.Task, k *tasks.Kit) { delete(k.Rules, "ledger.total") }, "a record could not be graded again"},
	{"forgetful-rule", gates.Deterministic, func(t *tasks.Task, _ *tasks.Kit) {
		t.Rubric.Checks[2] = check(14, &moody{Amount: 7250, times: new(int)}, "And the answer is 7250")
	}, "a rule is more than its JSON"},
}

func certify(t *testing.T, spoil func(*tasks.Task, *tasks.Kit)) gates.Certificate {
	t.Helper()
	task, kit := sound(), ledgerKit()
	if spoil != nil {
		spoil(&task, kit)
	}
	return gates.Certify(context.Background(), kit, task, gates.Options{Seed: 1})
}

func TestSoundTaskIsCertified(t *testing.T) {
	c := certify(t, nil)
	if !c.Held() || c.Skipped() {
		t.Fatalf("not held:\n%s", gates.Table([]gates.Certificate{c}))
	}
	if c.Floor != 0 || c.Mutants < 25 {
		t.Errorf("floor %g, %d mutants", c.Floor, c.Mutants)
	}
	raw, err := json.Marshal(c)
	var back gates.Certificate
	if err == nil {
		err = json.Unmarshal(raw, &back)
	}
	if err != nil || !reflect.DeepEqual(c, back) {
		t.Errorf("the certificate is not plain data: %v\n%s", err, raw)
	}
	var b strings.Builder
	for _, r := range c.Gates {
		fmt.Fprintf(&b, "%s: %s, nothing %t: %s\n", r.Gate, r.State, r.Nothing, r.Note)
	}
	golden(t, "sound.golden", b.String())
}

func TestEachGateAloneFindsItsUnsoundTask(t *testing.T) {
	var b strings.Builder
	covered := map[gates.Gate]bool{gates.Distinct: true} // has a test of its own
	for _, u := range unsounds {
		t.Run(u.name, func(t *testing.T) {
			if u.reason == "" {
				t.Fatal("a case needs a reason")
			}
			c := certify(t, u.spoil)
			if c.Held() || c.Skipped() {
				t.Fatalf("%s: nothing was found", u.reason)
			}
			covered[u.gate] = true
			fmt.Fprintf(&b, "# %s: %s\n", u.name, u.reason)
			for _, r := range c.Gates {
				if (r.State == gates.Failed) != (r.Gate == u.gate) {
					t.Errorf("gate %s is %s: %v", r.Gate, r.State, r.Problems)
				}
				if (r.State == gates.Failed) != (len(r.Problems) > 0) {
					t.Errorf("gate %s is %s with %d problems", r.Gate, r.State, len(r.Problems))
				}
				for _, p := range r.Problems {
					fmt.Fprintf(&b, "%s: %s\n", r.Gate, p)
				}
			}
			b.WriteString("\n")
		})
	}
	for _, g := range gates.All() {
		if !covered[g] {
			t.Errorf("no unsound task for gate %s", g)
		}
	}
	golden(t, "problems.golden", b.String())
}
