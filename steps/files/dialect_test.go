package files_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"benchwright/sim"
	world "benchwright/sim/files"
	"benchwright/sim/files/splits"
	"benchwright/steps/files"
	"benchwright/tasks"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s has changed (-want +got); -update rewrites it:\n%s", file, d)
	}
}

// row is an assignment that needs no split.
func row(family, scenario string, difficulty int, seed int64) splits.Assignment {
	return splits.Assignment{Split: splits.Validation, Family: family, Scenario: scenario, Difficulty: difficulty, Seed: seed, TaskID: splits.TaskID(splits.Validation, family, scenario, difficulty, seed)}
}

// one is the task of one workspace, with the kit it belongs to.
func one(t *testing.T, a splits.Assignment) (tasks.Task, *tasks.Kit) {
	t.Helper()
	w := files.NewWorkshop(nil, nil)
	list, err := w.Tasks("some", []splits.Assignment{a})
	if err != nil {
		t.Fatal(err)
	}
	kit := w.Kit()
	return list[0], &kit
}

// An agent is told the work, the artifact and the check, the limits and the tools, and nothing of
// what the workspace was made from.
func TestWhatAnAgentIsTold(t *testing.T) {
	task, kit := one(t, row("pipeline", "sales_csv_pipeline", 3, 84))
	w, err := kit.Kind.New(t.Context(), sim.Env{}, withoutCommands(t, task), task.Tools)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var b strings.Builder
	for _, open := range []func(tasks.Envelope, int, []sim.Tool) ([]tasks.Message, error){files.Dialect{}.Open, files.Dialect{}.OpenTools} {
		messages, err := open(task.Envelope(), 0, w.Tools())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range messages {
			b.WriteString("--- " + m.Role + "\n" + m.Content + "\n")
		}
	}
	b.WriteString("--- format\n" + string(files.Dialect{}.Format(task.Envelope(), w.Tools())) + "\n")
	golden(t, "opening.golden", b.String())
	if _, err := (files.Dialect{}).Open(task.Envelope(), 1, nil); err == nil {
		t.Error("an ask that there is not is opened")
	}
}

// withoutCommands is the setup of a task whose world shall be made on any machine.
func withoutCommands(t *testing.T, task tasks.Task) []byte {
	t.Helper()
	setup, err := world.ParseSetup(task.Setup)
	if err != nil {
		t.Fatal(err)
	}
	setup.Commands = false
	return setup.JSON()
}

func TestRepliesAreReadAsTheProtocolSays(t *testing.T) {
	const action = `{"tool":"read_file","args":{"path":"README.md"}}`
	const call = `read_file {"path":"README.md"}`
	for _, c := range []struct{ name, reply, want, reason string }{
		{"bare", action, call, "the protocol's own form"},
		{"spaced", "\n  " + action + "\n", call, "white space is nothing"},
		{"fenced", "```json\n" + action + "\n```", call, "taken, too"},
		{"fenced-between-words", "Let me look.\n\n```\n" + action + "\n```\nThat is all.", call, "words around it are let pass"},
		{"between-words", "First I read " + action + ", then we will see.", call, "bare in a sentence"},
		{"other-braces", "A set {a, b} and {} come first: " + action, call, "they are no actions"},
		{"other-object", `I found {"rows": 3}. ` + action, call, "an object without a tool is none"},
		{"without-args", `{"tool":"list_directory"}`, `list_directory {}`, "what is missing is the tool's to say"},
		{"unknown-tool", `{"tool":"rm","args":{}}`, `rm {}`, "the world answers it"},
		{"numbers", `{"tool":"read_file","args":{"path":3}}`, `read_file {"path":3}`, "so are arguments of a wrong type"},
		{"action-in-content", `{"tool":"write_file","args":{"path":"a.json","content":"{\"tool\":\"submit\",\"args\":{}}"}}`, `write_file {"content":"{\"tool\":\"submit\",\"args\":{}}","path":"a.json"}`, "what is to be written is no action"},
		{"quoted-brace", `Now: {"tool":"append_file","args":{"path":"a","content":"} {"}} done`, `append_file {"content":"} {","path":"a"}`, "braces in strings do not count"},
		{"empty", " \n", "no_action: the reply is empty", ""},
		{"prose", "I am done.", `no_action: the reply holds no JSON object with a "tool"`, "words count for nothing"},
		{"cut-off", `{"tool":"read_file","args":{"path":"REA`, `no_action: the reply holds no JSON object with a "tool"`, "half an action is none"},
		{"other-shape", `{"name":"read_file","arguments":{}}`, `no_action: the reply holds no JSON object with a "tool"`, "the keys are tool and args"},
		{"list", "[" + action + "," + action + "]", "several_actions: the reply holds 2 actions", "one a reply"},
		{"several", action + "\n" + action, "several_actions: the reply holds 2 actions", "also the same one twice"},
		{"tool-no-string", `{"tool":3,"args":{}}`, `invalid_action: "tool" is not the name of a tool`, ""},
		{"tool-empty", `{"tool":"","args":{}}`, `invalid_action: "tool" is not the name of a tool`, ""},
		{"args-no-object", `{"tool":"submit","args":"out.json"}`, `invalid_action: "args" is not an object`, ""},
		{"twice-a-key", `{"tool":"submit","tool":"read_file","args":{}}`, `no_action: the reply holds no JSON object with a "tool"`, "no JSON that two readers read alike"},
		{"not-utf8", "\xff" + action, "no_action: the reply is not UTF-8", ""},
		{"unclosed-brace", "{ " + action, `no_action: the reply holds no JSON object with a "tool"`, "no guessing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := files.Dialect{}.Parse(tasks.Envelope{}, c.reply)
			got := ""
			var bad *tasks.Malformed
			switch {
			case errors.As(err, &bad):
				got = bad.Error()
			case err != nil || len(a.Calls) != 1 || a.Answer != nil:
				t.Fatalf("%+v, %v", a, err)
			default:
				got = a.Calls[0].Name + " " + string(a.Calls[0].Arguments)
			}
			if got != c.want {
				t.Errorf("got %s\nwant %s\n%s", got, c.want, c.reason)
			}
		})
	}
	a, err := files.Dialect{}.Parse(tasks.Envelope{}, `{"tool":"submit","args":{},"why":"x","a\u001b[0m":1}`)
	if err != nil || !slices.Equal(a.Ignored, []string{`a\x1b[0m`, "why"}) {
		t.Errorf("ignored %q, %v", a.Ignored, err)
	}
}

// A reply that nests deep, or is nothing but braces, costs no more than its length.
func TestHostileRepliesAreReadInTime(t *testing.T) {
	for _, reply := range []string{strings.Repeat("{", 100_000), strings.Repeat(`{"a":`, 50_000), strings.Repeat("{}", 50_000), strings.Repeat("{", 500_000) + strings.Repeat("}", 500_000), `"` + strings.Repeat(`\{`, 50_000)} {
		if _, err := (files.Dialect{}).Parse(tasks.Envelope{}, reply); err == nil {
			t.Errorf("%.20s… is an action", reply)
		}
	}
}

func TestMovesAreSaidAsActions(t *testing.T) {
	d := files.Dialect{}
	move := tasks.Move{Calls: []sim.Call{{Name: "write_file", Arguments: []byte(`{"path":"a","content":"<&>"}`)}}}
	said, err := d.Reply(move)
	if err != nil || said != `{"tool":"write_file","args":{"content":"<&>","path":"a"}}` {
		t.Errorf("said %s, %v", said, err)
	}
	if a, err := d.Parse(tasks.Envelope{}, said); err != nil || a.Calls[0].Name != "write_file" {
		t.Errorf("read back as %+v, %v", a, err)
	}
	if raw, err := d.Reply(tasks.Move{Raw: "no JSON"}); err != nil || raw != "no JSON" {
		t.Errorf("a raw reply is said as %q, %v", raw, err)
	}
	if said, err := d.Reply(tasks.Move{Answer: []byte("null")}); err != nil || !strings.Contains(said, `"submit"`) {
		t.Errorf("whoever answers says %q, %v", said, err)
	}
	for name, m := range map[string]tasks.Move{
		"two calls": {Calls: []sim.Call{{Name: "submit"}, {Name: "submit"}}}, "nothing": {},
		"both": {Raw: "x", Calls: move.Calls}, "a list": {Calls: []sim.Call{{Name: "submit", Arguments: []byte("[]")}}},
	} {
		if said, err := d.Reply(m); err == nil {
			t.Errorf("%s is said as %s", name, said)
		}
	}
}

// What a call came to is told in the published words, and what could not be used as well.
func TestObservationsAndCorrections(t *testing.T) {
	task, kit := one(t, row("tabular", "weekly_refund_rollup", 2, 81))
	w, err := kit.Kind.New(t.Context(), sim.Env{}, task.Setup, task.Tools)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.Begin(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, c := range []sim.Call{
		{Name: "read_file", Arguments: []byte(`{"path":"nothing.txt"}`)},
		{Name: "list_directory", Arguments: []byte(`{}`)},
		{Name: "write_file", Arguments: []byte(`{"path":"outputs/weekly_rollup.json","content":"[]"}`)},
		{Name: "teleport", Arguments: []byte(`{}`)},
		{Name: "submit", Arguments: []byte(`{"path_or_answer":"done"}`)},
		{Name: "submit", Arguments: []byte(`{"path_or_answer":"outputs/weekly_rollup.json"}`)},
	} {
		m, err := files.Dialect{}.Result(c, w.Call(t.Context(), c))
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString("--- " + m.Role + " after " + c.Name + "\n" + m.Content + "\n")
	}
	for _, m := range []*tasks.Malformed{tasks.Malformedf(files.CodeNoAction, "the reply is empty"), tasks.Malformedf(files.CodeNoCall, "the reply calls no tool")} {
		repair := files.Dialect{}.Repair(m)
		b.WriteString("--- " + repair.Role + " after " + m.Code + "\n" + repair.Content + "\n")
	}
	golden(t, "observations.golden", b.String())
	if _, err := (files.Dialect{}).Result(sim.Call{Name: "x"}, sim.Fault("gone")); err == nil {
		t.Error("a fault is told")
	}
	if _, err := (files.Dialect{}).ParseText(tasks.Envelope{}, "done"); err == nil {
		t.Error("words are an action")
	}
}
