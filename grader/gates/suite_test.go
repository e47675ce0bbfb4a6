package gates_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"benchwright/grader"
	"benchwright/grader/gates"
	"benchwright/sim"
	"benchwright/tasks"
)

func suiteOf(k *tasks.Kit) tasks.Suite { return tasks.Suite{Kits: []tasks.Kit{*k}} }

// mixed returns tasks of which some are sound, one is another's twin and others are unsound.
func mixed() []tasks.Task {
	var all []tasks.Task
	for i := range 6 {
		all = append(all, small(i))
		all[i].Source.Line = 20 + i
	}
	twin := small(2)
	twin.ID, twin.Labels, twin.Seed = "ledger-tasks/pay_in/case_twin", nil, 7
	twin.Source.Line = 40
	elsewhere := small(2)
	elsewhere.ID = "other-tasks/pay_in/case_0002"
	all[4].Limits.Turns = 1
	kitless := small(8)
	kitless.World = "ledge"
	lacking := small(9)
	setVice("no-sandbox")(&lacking, nil)
	return append(all, twin, elsewhere, kitless, lacking)
}

func TestSuiteCertificatesDoNotDependOnWorkers(t *testing.T) {
	all := mixed()
	var first []gates.Certificate
	for _, workers := range []int{1, 2, 16} {
		certs := gates.CertifySuite(context.Background(), suiteOf(ledgerKit()), all, gates.Options{Seed: 1}, workers)
		if first == nil {
			first = certs
		}
		if !reflect.DeepEqual(first, certs) {
			t.Errorf("%d workers: other certificates", workers)
		}
		for i, c := range certs {
			if c.Task != all[i].ID {
				t.Errorf("%d workers: certificate %d is of %s", workers, i, c.Task)
			}
		}
	}
	golden(t, "table.golden", gates.Table(first))
	counts := gates.Counts(first)
	if got := counts[gates.Distinct]; got != [2]int{9, 10} {
		t.Errorf("distinct: %v", got)
	}
	if got := counts[gates.WithinBudget]; got != [2]int{7, 10} {
		t.Errorf("within budget: %v", got)
	}
}

func TestTableOfSoundTasks(t *testing.T) {
	certs := gates.CertifySuite(context.Background(), suiteOf(ledgerKit()), []tasks.Task{small(1), small(2)}, gates.Options{}, 2)
	golden(t, "table-held.golden", gates.Table(certs))
	if strings.Contains(gates.Table(nil), "FAILED") {
		t.Error("no certificates cannot have failed")
	}
}

func TestMachineThatLacksSomethingSkips(t *testing.T) {
	c := certify(t, setVice("no-sandbox"))
	if !c.Skipped() || c.Held() {
		t.Errorf("want a skipped certificate:\n%s", gates.Table([]gates.Certificate{c}))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c = gates.Certify(ctx, ledgerKit(), sound(), gates.Options{})
	if !c.Skipped() || c.Held() {
		t.Errorf("interrupted: want a skipped certificate:\n%s", gates.Table([]gates.Certificate{c}))
	}
}

func TestEnvReachesEveryWorldAndIsReleased(t *testing.T) {
	kit := ledgerKit()
	mk := kit.Kind.New
	kit.Kind.New = func(ctx context.Context, env sim.Env, setup json.RawMessage, tools []string) (sim.World, error) {
		if env.Scratch != "scratch" || env.Seed != 12 {
			t.Errorf("env %+v", env)
		}
		return mk(ctx, env, setup, tools)
	}
	task := sound()
	task.Seed = 2
	var open atomic.Int64
	c := gates.Certify(context.Background(), kit, task, gates.Options{Seed: 10, Env: func(context.Context, tasks.Task) (sim.Env, func(), error) {
		open.Add(1)
		return sim.Env{Scratch: "scratch"}, func() { open.Add(-1) }, nil
	}})
	if n := open.Load(); n != 0 || !c.Held() {
		t.Errorf("%d environments are still held\n%s", n, gates.Table([]gates.Certificate{c}))
	}
}

// What holds although it looks unsound.
func TestHeldOnPurpose(t *testing.T) {
	for _, c := range []struct {
		name   string
		spoil  func(*tasks.Task, *tasks.Kit)
		reason string
	}{
		{"stated", func(t *tasks.Task, _ *tasks.Kit) {
			t.Asks[0].Text = "Pay a quarter of a thousand into h-2 and tell me the total it holds then."
			t.Rubric.Stated = map[string]string{"250.0": "quarter of a thousand"}
		}, "a value in other words, equal by value"},
		{"solved", func(t *tasks.Task, k *tasks.Kit) {
			t.Asks[0].Text = "Pay half of 500 into h-2 and tell me the total it holds then."
			k.Solve = func(tasks.Task) ([]string, error) { return []string{"250"}, nil }
		}, "a value that can be worked out"},
		{"judged", addCheck(15, &judged{}, "And it reads well"), "the judge has an audit of its own"},
		{"only-judged", func(t *tasks.Task, _ *tasks.Kit) {
			t.Rubric.Checks, t.Rubric.Probes = []grader.Check{check(14, &judged{}, "Then it reads well")}, nil
		}, "nothing deterministic is left to prove"},
		{"outage", func(t *tasks.Task, _ *tasks.Kit) {
			t.Asks[0].Text += " Not h-3."
			t.Rubric.Reference = append([]tasks.Move{call("read", `{"account":"h-3"}`)}, t.Rubric.Reference...)
		}, "a refusal that the reference means to meet"},
		{"trace-check", addCheck(15, &called{"deposit"}, "And it was paid in"), "calls are spoiled, too"},
		{"forbidden-call", addCheck(15, &avoided{"read"}, "And nothing was read"), "calls are added, too"},
		{"needle", func(t *tasks.Task, _ *tasks.Kit) {
			s := ledgerSetup{Accounts: map[string]int64{"h-1": 40, "h-2": 7000}, Secret: "key-0815"}
			for i := range int64(3000) {
				s.Accounts[fmt.Sprintf("k-%d", i)] = i
			}
			t.Setup = setup(s)
			t.Asks[0].Text += " Leave k-1234 alone."
			t.Rubric.Checks = append(t.Rubric.Checks, check(15, &balance{"k-1234", 1234}, `And account "k-1234" still holds 1234`))
		}, "what a check names is spoiled, however much stands around it"},
		{"kit-mutant", func(t *tasks.Task, k *tasks.Kit) {
			t.Rubric.Checks = append(t.Rubric.Checks, check(15, &avoided{"burn"}, "And nothing was burnt"))
			k.Mutants = func(t tasks.Task, a tasks.Aftermath) []tasks.Mutant {
				a.Trace = append(a.Trace, sim.Event{Call: sim.Call{Name: "burn"}})
				return []tasks.Mutant{{Name: "a fire", Aftermath: a}}
			}
		}, "the kit knows what else may happen"},
		{"strict-kind", func(_ *tasks.Task, k *tasks.Kit) { k.Kind.Decode = strictState }, "states that cannot be do not count"},
		{"plain-family", func(t *tasks.Task, _ *tasks.Kit) { t.ID = "ledger-tasks/total/case_a17" }, "a word that the ask uses for itself"},
		{"own-prose", func(t *tasks.Task, _ *tasks.Kit) {
			t.Rubric.Reference[1] = answer(`{"total":7250,"total_note":"all of it was paid in as you wished"}`)
			t.System += " A total_note is welcome."
		}, "prose is the agent's own"},
		{"own-prose-echoed", func(t *tasks.Task, k *tasks.Kit) {
			keep("alpha bravo charlie delta echo h-2 foxtrot", &noted{"h-2"})(t, k)
			t.Tools = append(t.Tools, "recall")
			t.Rubric.Reference = slices.Insert(t.Rubric.Reference, 1, call("recall", `{}`))
		}, "what was known before is known, whoever repeats it"},
		{"stated-and-echoed", func(t *tasks.Task, k *tasks.Kit) {
			keep("nine", &noted{"nine"})(t, k)
			t.Asks[0].Text += " It is 9."
			t.Rubric.Stated = map[string]string{"nine": "9"}
		}, "what is stated was known as well"},
		{"solved-and-echoed", func(t *tasks.Task, k *tasks.Kit) {
			keep("the secret that was found is swordfish", &noted{"swordfish"})(t, k)
			k.Solve = func(tasks.Task) ([]string, error) { return []string{"swordfish"}, nil }
		}, "as was what can be worked out"},
		{"protocol-key", func(t *tasks.Task, k *tasks.Kit) {
			t.System = "You keep the accounts h-1 and h-2."
			t.Asks[0].Text = "Pay 250 into h-2 and tell me what it holds then."
			k.Dialect = formDialect{says: `{"total": …}`}
		}, "the protocol says how an answer looks"},
		{"planted-by-chance", func(t *tasks.Task, _ *tasks.Kit) {
			t.Rubric.Planted = []string{"h-7", "2.5", "ax-77"}
			t.Asks[0].Text += " Max 77 is not H7; 25 are 2 5."
		}, "a short value, a number and half a word turn up without being the secret"},
		{"two-asks", func(t *tasks.Task, _ *tasks.Kit) {
			t.Asks[0].Gated = true
			t.Asks = append(t.Asks, tasks.Ask{Text: "And 60 into h-1.", Context: json.RawMessage(`{"note":"a total again"}`)})
			t.Rubric.Checks[1].Ask = 0
			second := func(line int, r grader.Rule, text string) grader.Check {
				c := check(line, r, text)
				c.Ask = 1
				return c
			}
			t.Rubric.Checks = append(t.Rubric.Checks, second(20, &balance{"h-1", 100}, `Then account "h-1" holds 100`),
				second(21, &balance{"h-2", 7250}, `And account "h-2" holds 7250`), second(22, &total{100}, "And the answer is 100"))
			t.Rubric.Reference = append(t.Rubric.Reference, call("deposit", `{"account":"h-1","amount":60}`), answer(`{"total":100}`))
		}, "checks of each ask are proven on its own aftermath"},
		{"score", func(_ *tasks.Task, k *tasks.Kit) {
			k.Score = func(v grader.Verdict) float64 { return 0.25 }
		}, "a world may score for itself"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.reason == "" {
				t.Fatal("a case needs a reason")
			}
			cert := certify(t, c.spoil)
			if !cert.Held() {
				t.Errorf("%s:\n%s", c.reason, gates.Table([]gates.Certificate{cert}))
			}
			if c.name == "score" && cert.Floor != 0.25 {
				t.Errorf("floor %g", cert.Floor)
			}
		})
	}
}

func TestProblemsPointAtTheirMove(t *testing.T) {
	c := certify(t, func(t *tasks.Task, _ *tasks.Kit) {
		t.Rubric.Reference[1].Source = grader.Source{File: "features/ledger.feature", Line: 31, Text: "| answer |"}
		t.Rubric.Reference[1].Answer = json.RawMessage(`{"total":7250,"account":"h-9"}`)
	})
	p := c.Problems()
	if len(p) != 1 || p[0].Source.Line != 31 {
		t.Errorf("problems %v", p)
	}
}

func TestNativeToolCallsAreCertifiedToo(t *testing.T) {
	kit := ledgerKit()
	kit.Dialect = nativeDialect{}
	c := gates.Certify(context.Background(), kit, sound(), gates.Options{Protocol: "tools"})
	if !c.Held() || c.Protocol != "tools" {
		t.Errorf("not held:\n%s", gates.Table([]gates.Certificate{c}))
	}
}

// nativeDialect speaks the tools protocol: an answer is text.
type nativeDialect struct{ tasks.PlainDialect }

func (d nativeDialect) OpenTools(env tasks.Envelope, ask int, tools []sim.Tool) ([]tasks.Message, error) {
	return d.Open(env, ask, nil)
}

func (d nativeDialect) ParseText(env tasks.Envelope, reply string) (tasks.Action, error) {
	return d.Parse(env, reply)
}

func TestCache(t *testing.T) {
	kit, task := ledgerKit(), sound()
	dir := filepath.Join(t.TempDir(), "certificates")
	cache := gates.Cache{Dir: dir}
	key, err := gates.Key(kit, task, gates.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := cache.Get(key); ok {
		t.Error("an empty cache holds something")
	}
	c := gates.Certify(context.Background(), kit, task, gates.Options{})
	if err := cache.Put(key, c); err != nil {
		t.Fatal(err)
	}
	if got, ok := cache.Get(key); !ok || !reflect.DeepEqual(got, c) {
		t.Errorf("kept %+v", got)
	}
	files, _ := os.ReadDir(dir)
	if len(files) != 1 {
		t.Errorf("%d files in the cache", len(files))
	}
	for name, spoil := range map[string]func([]byte) []byte{
		"cut":      func(b []byte) []byte { return b[:len(b)/2] },
		"empty":    func([]byte) []byte { return nil },
		"stranger": func(b []byte) []byte { return []byte(strings.Replace(string(b), key, strings.Repeat("0", 64), 1)) },
	} {
		path := filepath.Join(dir, files[0].Name())
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, spoil(raw), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, ok := cache.Get(key); ok {
			t.Errorf("%s: a corrupt entry counts", name)
		}
		if err := cache.Put(key, c); err != nil {
			t.Fatal(err)
		}
	}
	skipped := certify(t, setVice("no-sandbox"))
	other := strings.Repeat("a", 64)
	if err := cache.Put(other, skipped); err != nil {
		t.Fatal(err)
	}
	if _, ok := cache.Get(other); ok {
		t.Error("a skipped certificate is kept")
	}
	for _, bad := range []string{"", "../../x", strings.Repeat("A", 64)} {
		if _, ok := cache.Get(bad); ok || cache.Put(bad, c) == nil {
			t.Errorf("key %q is taken", bad)
		}
	}
	if _, ok := (gates.Cache{}).Get(key); ok || (gates.Cache{}).Put(key, c) != nil {
		t.Error("the zero cache keeps nothing, without an error")
	}
}

func TestKeyChangesWithEverything(t *testing.T) {
	keys := map[string]string{}
	add := func(name string, spoil func(*tasks.Task, *tasks.Kit), opt gates.Options) {
		task, kit := sound(), ledgerKit()
		if spoil != nil {
			spoil(&task, kit)
		}
		key, err := gates.Key(kit, task, opt)
		if err != nil {
			t.Fatal(err)
		}
		for other, k := range keys {
			if k == key {
				t.Errorf("%s and %s have one key", name, other)
			}
		}
		keys[name] = key
	}
	add("plain", nil, gates.Options{})
	add("seed", nil, gates.Options{Seed: 2})
	add("protocol", nil, gates.Options{Protocol: "tools"})
	add("isolation", nil, gates.Options{Isolation: tasks.Isolation{Level: "none"}})
	add("python", nil, gates.Options{Isolation: tasks.Isolation{Python: "none"}})
	add("label", func(t *tasks.Task, _ *tasks.Kit) { t.Labels = nil }, gates.Options{})
	add("line", func(t *tasks.Task, _ *tasks.Kit) { t.Source.Line++ }, gates.Options{})
	add("fixture", func(_ *tasks.Task, k *tasks.Kit) {
		k.Sources = func(tasks.Task) (tasks.Sources, error) { return tasks.Sources{Digest: "ledger-2"}, nil }
	}, gates.Options{})
	same, err := gates.Key(ledgerKit(), sound(), gates.Options{Protocol: "json"})
	if err != nil || same != keys["plain"] {
		t.Errorf("json is the protocol anyway: %v", err)
	}
}
