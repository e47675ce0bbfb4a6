package files_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"benchwright/sim"
	"benchwright/sim/files"
	"benchwright/sim/files/builtin"
	"benchwright/sim/simtest"
)

func TestTheWorldKeepsTheContract(t *testing.T) {
	simtest.Check(t, files.KindOf(nil), simtest.Case{
		Setup: deskSetup(func(s *files.Setup) { s.MaxSteps = 1000 }),
		Tools: []string{"list_directory", "read_file", "write_file", "append_file", "submit"},
		Calls: []sim.Call{
			call("list_directory"), call("read_file", "path", "data/in.txt"),
			call("write_file", "path", "notes/a.txt", "content", "é\n"), call("append_file", "path", "notes/a.txt", "content", "more"),
			call("write_file", "path", "out.json", "content", "{}"), call("submit", "path_or_answer", "out.json"),
		},
	})
}

// On a machine of the test's own: what is shown is how workspaces come to the disk and back.
func TestTheWorldKeepsTheContractWithCommands(t *testing.T) {
	simtest.Check(t, files.KindOf(scribe{}), simtest.Case{
		Setup: deskSetup(func(s *files.Setup) { s.MaxSteps = 1000 }), Tools: []string{"all"},
		Calls: []sim.Call{
			call("write_file", "path", "data/in.txt", "content", "x"), call("run_shell", "command", "first"),
			call("run_python", "command_or_script", "count.py 1"), call("run_shell", "command", "second"),
		},
	})
}

func TestSpecsAreCompiledAndPlayed(t *testing.T) {
	lib := files.NewLibrary(builtin.Families()...)
	spec := files.NewSpec("tabular", 3, 42)
	in, err := lib.Compile(spec)
	if err != nil {
		t.Fatal(err)
	}
	w := open(t, lib.Kind(nil), files.Setup{Spec: &spec}.JSON())
	if got := state(t, w); got.Digest() != in.Visible.Digest() {
		t.Errorf("the workspace has the digest %s, the instance's visible tree %s", got.Digest(), in.Visible.Digest())
	}
	for p, content := range in.Reference() {
		do(t, w, "write_file", "path", p, "content", content)
	}
	o, _ := do(t, w, "submit", "path_or_answer", in.Manifest.Metadata.Layout.OutputPath)
	if !o.Done || !o.Success {
		t.Errorf("submitting the reference: %+v", o)
	}
	if got, want := state(t, w).Digest(), in.Solved().Digest(); got != want {
		t.Errorf("played, the workspace has the digest %s, want %s", got, want)
	}
	// A bundle of the same instance is the same world.
	again := open(t, files.KindOf(nil), files.Setup{Bundle: files.BundleOf(in)}.JSON())
	if got, want := string(state(t, again).JSON()), string(state(t, open(t, lib.Kind(nil), files.Setup{Spec: &spec}.JSON())).JSON()); got != want {
		t.Errorf("as a bundle the workspace is %.200s, as a spec %.200s", got, want)
	}
}

func TestStepsRunOutAndThenTheEpisodeIsDone(t *testing.T) {
	w := open(t, files.KindOf(nil), deskSetup(func(s *files.Setup) { s.MaxSteps = 2 }))
	o, r := do(t, w, "list_directory")
	if o.Done || r.Done || o.State.RemainingSteps != 1 || o.State.StepIndex != 1 {
		t.Errorf("after one step of two: %+v", o)
	}
	if o, _ = raw(t, w, "no_such_tool", "{}"); o.State.RemainingSteps != 1 || o.Message != "Unknown tool: no_such_tool" {
		t.Errorf("an unknown tool: %+v", o)
	}
	if o, r = raw(t, w, "read_file", "{}"); !r.Invalid || !r.Done || o.State.RemainingSteps != 0 {
		t.Errorf("the last step, wasted: %+v", o)
	}
	before := string(state(t, w).JSON())
	if o, r = do(t, w, "write_file", "path", "late", "content", ""); !r.Done || r.OK() || o.Message != "Episode is already done." || o.State.StepIndex != 2 {
		t.Errorf("after the last step: %+v", o)
	}
	if string(state(t, w).JSON()) != before {
		t.Error("a call after the end changed the workspace")
	}
	if _, submitted := state(t, w).Submission(); submitted {
		t.Error("nothing was submitted, and the state says so")
	}
}

func TestALaterAskHasStepsOfItsOwn(t *testing.T) {
	w := open(t, files.KindOf(nil), deskSetup())
	do(t, w, "write_file", "path", "out.json", "content", "1")
	if _, r := do(t, w, "submit", "path_or_answer", "out.json"); !r.Done {
		t.Fatal("a submission did not end the ask")
	}
	if err := w.Begin(t.Context(), 0); err != nil { // as a fork is begun that goes on
		t.Fatal(err)
	}
	if _, r := do(t, w, "list_directory"); !r.Done {
		t.Error("beginning the same ask again took the submission back")
	}
	if err := w.Begin(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if o, r := do(t, w, "list_directory"); r.Done || o.State.StepIndex != 1 || !slices.Contains(o.Listing, "out.json") {
		t.Errorf("the second ask: %+v", o)
	}
}

func TestToolStateTellsOfThePreviousCall(t *testing.T) {
	w := open(t, files.KindOf(commands(t)), deskSetup())
	o, _ := do(t, w, "run_python", "command_or_script", "count.py a 'b c'")
	if o.Stdout != "2 a b c\n" || *o.ExitCode != 0 || !slices.Equal(o.TouchedFiles, []string{"out.json"}) {
		t.Fatalf("run_python: %+v", o)
	}
	if s := o.State; *s.LastExitCode != 0 || !slices.Equal(s.RecentFiles, []string{"out.json"}) || !slices.Equal(s.AvailableTools, files.ToolNames()) {
		t.Errorf("the tool state after it: %+v", s)
	}
	if o, _ = do(t, w, "list_directory", "path", "data"); o.State.LastExitCode != nil || len(o.State.RecentFiles) > 0 || *o.Content != "in.txt\nmore/" {
		t.Errorf("after a listing: %+v", o)
	}
}

func TestForksGoTheirOwnWay(t *testing.T) {
	kind := files.KindOf(commands(t))
	w := open(t, kind, deskSetup())
	do(t, w, "write_file", "path", "a", "content", "1")
	fork, err := w.Fork()
	if err != nil {
		t.Fatal(err)
	}
	do(t, fork, "run_shell", "command", "rm a; echo 2 > b")
	do(t, w, "run_shell", "command", "echo 3 > c")
	w.Close()
	o, _ := do(t, fork, "list_directory")
	if got := strings.Join(o.Listing, " "); got != "README.md b count.py data/" || o.State.StepIndex != 3 {
		t.Errorf("the fork holds %s at step %d", got, o.State.StepIndex)
	}
}

func TestTimeIsTheEpisodesOwn(t *testing.T) {
	at := time.Unix(0, 0)
	kind := files.KindAt(confined(), func() time.Time { return at })
	w := open(t, kind, deskSetup(func(s *files.Setup) { s.TimeLimitSeconds = 10 }))
	at = at.Add(9 * time.Second)
	if o, r := do(t, w, "list_directory"); r.Done {
		t.Fatalf("within the time: %+v", o)
	}
	fork, err := w.Fork()
	if err != nil {
		t.Fatal(err)
	}
	at = at.Add(time.Second)
	if o, r := do(t, w, "list_directory"); !r.Done || *o.Error != files.CodeEpisodeDone {
		t.Errorf("when the time is over: %+v", o)
	}
	at = at.Add(time.Hour)
	if o, r := do(t, fork, "list_directory"); r.Done {
		t.Errorf("a fork that is used later has the time that was left: %+v", o)
	}
	at = at.Add(2 * time.Second)
	if o, r := do(t, fork, "list_directory"); !r.Done {
		t.Errorf("and no more: %+v", o)
	}
}

func TestNoMachineIsTheWorldsFaultAndOnlyThere(t *testing.T) {
	kind := files.KindOf(nil)
	w := open(t, kind, deskSetup())
	if r := w.Call(t.Context(), call("run_shell", "command", "ls")); !strings.Contains(r.Fault, "without a machine") {
		t.Errorf("run_shell without a machine: %+v", r)
	}
	if o, _ := do(t, w, "run_shell", "command", "ls ../x"); *o.Error != files.CodeCommandRejected {
		t.Errorf("the policy comes first: %+v", o)
	}
	do(t, w, "read_file", "path", "README.md")
	_, err := kind.New(t.Context(), sim.Env{}, deskSetup(func(s *files.Setup) { s.Commands = true }), []string{"all"})
	if !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a task that needs commands, without a machine: %v", err)
	}
}

func TestHowAnOutcomeIsTold(t *testing.T) {
	w := open(t, files.KindOf(scribe{}), deskSetup())
	do(t, w, "write_file", "path", "a.py", "content", "x")
	o, _ := do(t, w, "run_shell", "command", "ls")
	const want = `Ran shell command: ls
stdout:
"ls" []
exit_code: 0
[step_index: 2; remaining_steps: 38; last_exit_code: 0; recent_files: link, log; submitted: false]

Guidance: the run passed, but out.json does not exist yet; make it.`
	if got := o.Text(); got != want {
		t.Errorf("told\n%s\nwant\n%s", got, want)
	}
}

func TestObservationsAreCut(t *testing.T) {
	long := strings.Repeat("é", 30)
	w := open(t, files.KindOf(nil), deskSetup(func(s *files.Setup) { s.MaxObservation = 25 }))
	do(t, w, "write_file", "path", "long", "content", long)
	o, _ := do(t, w, "read_file", "path", "long")
	if *o.Content != strings.Repeat("é", 25) || o.Omitted != 5 || !strings.Contains(o.Text(), "\n[5 more characters were omitted]\n[step_index: 2; ") {
		t.Errorf("cut: %+v", o)
	}
	w = open(t, files.KindOf(nil), deskSetup(func(s *files.Setup) { s.MaxObservation = -1 }))
	do(t, w, "write_file", "path", "long", "content", strings.Repeat("x", 50_000))
	if o, _ = do(t, w, "read_file", "path", "long"); len(*o.Content) != 50_000 || o.Omitted != 0 {
		t.Errorf("uncut: %d characters, %d omitted", len(*o.Content), o.Omitted)
	}
}

func TestSetupsThatCannotBeUsed(t *testing.T) {
	for _, test := range []struct{ name, setup, want, reason string }{
		{"nothing", `{}`, "want either spec or bundle", "there is no workspace"},
		{"both", `{"spec":{"env_family":"tabular","difficulty":1,"seed":1},"bundle":{}}`, "want either spec or bundle", "they could differ"},
		{"unknown-key", `{"spec":{"env_family":"tabular","difficulty":1,"seed":1},"limit":3}`, `unknown field "limit"`, "a typing error would change the task in silence"},
		{"unknown-family", `{"spec":{"env_family":"cooking","difficulty":1,"seed":1}}`, "cooking", "nobody can compile it"},
		{"negative", `{"spec":{"env_family":"tabular","difficulty":1,"seed":1},"max_steps":-1}`, "must be positive", "no step could be made"},
		{"no-files", `{"bundle":{"files":{}}}`, "there are no files", "there is nothing to work on"},
		{"climbs", `{"bundle":{"files":{"../x":{"text":""}},"tool_permissions":{"shell_timeout_seconds":1,"python_timeout_seconds":1},"max_steps":1,"time_limit_seconds":1}}`, "not a relative", "it would be written elsewhere"},
		{"two-contents", `{"bundle":{"files":{"x":{"text":"","base64":""}},"tool_permissions":{"shell_timeout_seconds":1,"python_timeout_seconds":1},"max_steps":1,"time_limit_seconds":1}}`, "want either text", "they could differ"},
		{"digest", `{"bundle":{"files":{"x":{"sha256":"` + strings.Repeat("0", 64) + `","size":3}},"tool_permissions":{"shell_timeout_seconds":1,"python_timeout_seconds":1},"max_steps":1,"time_limit_seconds":1}}`, "its content is missing", "a digest cannot be read"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := files.KindOf(nil, builtin.Families()...).New(t.Context(), sim.Env{}, json.RawMessage(test.setup), []string{"all"})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one that says %q, because %s", err, test.want, test.reason)
			}
		})
	}
	if _, err := files.KindOf(nil).New(t.Context(), sim.Env{}, deskSetup(), []string{"fly"}); err == nil || !strings.Contains(err.Error(), "read_file, write_file") {
		t.Errorf("an unknown tool: %v", err)
	}
}
