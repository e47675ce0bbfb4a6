package workspace_test

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"benchwright/sim"
	"benchwright/steps/workspace"
	"benchwright/tasks"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares got with a golden file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name)+".golden")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run the test with -update", err)
	}
	if got != string(want) {
		t.Errorf("%s differs; run the test with -update and read the diff\n got %s\nwant %s", path, got, want)
	}
}

// context returns the public facts of an ask about two backends.
func public(track string, answer bool) json.RawMessage {
	return sim.MustCanonical(workspace.AskContext{
		Track: track, FinalAnswer: answer, Specification: "explicit", Terms: []string{"AX-77"},
		Fixtures: []string{"desk-mini", "wire"}, Origins: map[string]string{"desk-mini": "Desk Mini", "wire": "Wire <Feed>"},
	})
}

func envelope(context ...json.RawMessage) tasks.Envelope {
	env := tasks.Envelope{World: "workspace", Tools: []string{tasks.AllTools}, Protocol: tasks.Protocol{Lenient: true}}
	for _, c := range context {
		env.Asks = append(env.Asks, tasks.Ask{Text: "Place the <orders> & \"fills\" view.", Context: c})
	}
	return env
}

// offered is three tools with schemas as worlds have them.
func offered() []sim.Tool {
	return []sim.Tool{
		{Name: "get_workspace_snapshot", Description: "Shows the open dashboard. Start here.", Schema: json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`)},
		{Name: "create_widget", Description: "Puts a widget on a dashboard.\nIts origin is a display name.", Schema: json.RawMessage(`{"type":"object","properties":{"origin":{"type":"string"},"widget_id":{"type":"string"},"dashboard_id":{"type":["string","null"]},"data_args":{"anyOf":[{"type":"object"},{"type":"null"}]}},"required":["origin","widget_id"]}`)},
		{Name: "manage_navigation_bar", Description: "Changes tabs", Schema: json.RawMessage(`{"type":"object","properties":{"operation":{"enum":["create","add_tabs"]},"tabs":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}},"required":["operation"]}`)},
	}
}

func transcript(t *testing.T, messages []tasks.Message, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, m := range messages {
		b.WriteString("--- " + m.Role + "\n" + m.Content + "\n")
	}
	return b.String()
}

func TestOpeningMessages(t *testing.T) {
	var d workspace.Dialect
	guided, cold, answer := public(workspace.Guided, false), public(workspace.Cold, false), public(workspace.Guided, true)
	own := envelope(guided)
	own.System = "Rules of somebody's own."
	for _, tt := range []struct {
		name   string
		env    tasks.Envelope
		ask    int
		tools  []sim.Tool
		native bool
	}{
		{"open-guided", envelope(guided, guided), 0, offered(), false},
		{"open-second-ask", envelope(guided, guided), 1, offered(), false},
		{"open-cold", envelope(cold), 0, offered(), false},
		{"open-answer", envelope(answer), 0, offered(), false},
		{"open-own-rules-no-snapshot", own, 0, offered()[1:], false},
		{"open-without-context", envelope(nil), 0, nil, false},
		{"open-tools", envelope(answer), 0, offered(), true},
	} {
		open := d.Open
		if tt.native {
			open = d.OpenTools
		}
		m, err := open(tt.env, tt.ask, tt.tools)
		golden(t, "dialect/"+tt.name, transcript(t, m, err))
	}
}

func TestNeitherIdentityNorLimitsAreTold(t *testing.T) {
	task := tasks.Task{
		ID: "suite-x/family-y/name-z", Labels: []string{"level:3"}, World: "workspace", Tools: []string{tasks.AllTools},
		Asks: []tasks.Ask{{Text: "Do it.", Context: public(workspace.Guided, true)}}, Limits: tasks.Limits{Turns: 4711},
	}
	m, err := workspace.Dialect{}.Open(task.Envelope(), 0, offered())
	all := transcript(t, m, err)
	for _, secret := range []string{"suite-x", "family-y", "name-z", "level", "difficulty", "4711"} {
		if strings.Contains(strings.ReplaceAll(all, "specification_level", ""), secret) {
			t.Errorf("the opening tells %q:\n%s", secret, all)
		}
	}
}

func TestOpenRefusesWhatItCannotSay(t *testing.T) {
	for _, tt := range []struct{ name, context, reason string }{
		{"unknown-track", `{"track":"warm"}`, `unknown track "warm"`},
		{"unknown-key", `{"trak":"cold"}`, "unknown field"},
		{"no-object", `[]`, "cannot unmarshal"},
	} {
		if _, err := (workspace.Dialect{}).Open(envelope(json.RawMessage(tt.context)), 0, nil); err == nil || !strings.Contains(err.Error(), tt.reason) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.reason)
		}
	}
	if _, err := (workspace.Dialect{}).Open(envelope(), 0, nil); err == nil {
		t.Error("an ask that there is not was opened")
	}
	if _, err := (workspace.Dialect{}).Open(envelope(nil), 0, []sim.Tool{{Name: "x", Schema: json.RawMessage(`{`)}}); err == nil {
		t.Error("a tool with a broken schema was told")
	}
}

func TestFormatIsOneSmallObject(t *testing.T) {
	var d workspace.Dialect
	var many []sim.Tool
	for range 20 {
		many = append(many, sim.Tool{Name: strings.Repeat("t", 24), Schema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}}}`)})
	}
	big := d.Format(envelope(nil), many)
	if len(big) > 1500 || !json.Valid(big) {
		t.Errorf("the schema for 20 tools has %d bytes: %s", len(big), big)
	}
	golden(t, "dialect/format", string(d.Format(envelope(nil), offered()))+"\n"+string(d.Format(envelope(public("", true)), offered()))+"\n"+string(d.Format(envelope(nil), nil))+"\n")
}

func TestMessagesWithinAnEpisode(t *testing.T) {
	var d workspace.Dialect
	call := sim.Call{Name: "create_widget", Arguments: json.RawMessage(`{"widget_id":"w","origin":"Desk <Mini>"}`)}
	res := sim.Result{Status: sim.StatusOK, Data: json.RawMessage(`{"ok":true,"data":{"b":1,"a":[2.0]},"command":"create_widget"}`)}
	told, err := d.Tell(envelope(public("", false)), 3, call, res)
	got := transcript(t, []tasks.Message{told}, err)
	told, err = d.Tell(envelope(public("", true)), 12, call, res)
	got += transcript(t, []tasks.Message{told}, err)
	told, err = d.Result(sim.Call{Name: "get_workspace_snapshot"}, res)
	got += transcript(t, []tasks.Message{told}, err)
	for _, m := range []*tasks.Malformed{
		{Code: workspace.InvalidJSON, Detail: "the reply is empty"},
		{Code: workspace.EmptyAnswer, Detail: "final_answer requires non-empty text."},
		{Code: workspace.InvalidText, Detail: "it has neither calls nor text"},
	} {
		got += transcript(t, []tasks.Message{d.Repair(m)}, nil)
	}
	golden(t, "dialect/messages", got)
	if _, err := d.Result(call, sim.Fault("the world broke")); err == nil {
		t.Error("a fault has been told")
	}
	if d.Repairs() != 2 {
		t.Errorf("%d recoveries", d.Repairs())
	}
}

func TestEverythingThatIsSaidIsUnderstood(t *testing.T) {
	var d workspace.Dialect
	for _, m := range []tasks.Move{
		{Calls: []sim.Call{{Name: "get_workspace_snapshot"}}},
		{Calls: []sim.Call{{Name: "create_widget", Arguments: json.RawMessage(`{"data_args":{"n":2.50},"origin":"Desk Mini"}`)}}},
		{Answer: json.RawMessage(`null`)},
		{Answer: json.RawMessage(`"the sum is 1,234.50\n"`)},
	} {
		reply, err := d.Reply(m)
		if err != nil {
			t.Fatal(err)
		}
		a, err := d.Parse(envelope(public("", true)), reply)
		if err != nil {
			t.Fatalf("%s: %v", reply, err)
		}
		if string(a.Answer) != string(m.Answer) || len(a.Calls) != len(m.Calls) || len(a.Calls) == 1 && a.Calls[0].Name != m.Calls[0].Name {
			t.Errorf("%s is read as %+v", reply, a)
		}
		if m.Answer != nil {
			if a, err = d.ParseText(envelope(public("", true)), reply); err != nil || string(a.Answer) != string(m.Answer) {
				t.Errorf("as native text %s is read as %+v, %v", reply, a, err)
			}
		}
	}
	for _, tt := range []struct {
		move   tasks.Move
		reason string
	}{
		{tasks.Move{}, "a move is one"},
		{tasks.Move{Raw: "x", Answer: json.RawMessage("1")}, "a move is one"},
		{tasks.Move{Calls: make([]sim.Call, 2)}, "one call a turn"},
		{tasks.Move{Calls: []sim.Call{{Name: "x", Arguments: json.RawMessage(`[]`)}}}, "want a JSON object"},
		{tasks.Move{Answer: json.RawMessage(`{`)}, "answer"},
	} {
		if _, err := d.Reply(tt.move); err == nil || !strings.Contains(err.Error(), tt.reason) {
			t.Errorf("%+v: %v, want %s", tt.move, err, tt.reason)
		}
	}
	if reply, err := d.Reply(tasks.Move{Answer: json.RawMessage(`{"a": 1}`)}); err != nil || reply != `{"done":false,"tool":"final_answer","args":{"text":"{\"a\":1}"}}` {
		t.Errorf("an answer that is no text is said as %s, %v", reply, err)
	}
}

func TestTracksAreTwoTasks(t *testing.T) {
	task := tasks.Task{ID: "a/b/c", System: workspace.Rules(workspace.Guided), Asks: []tasks.Ask{{Text: "x", Context: public("", false)}}}
	cold, err := workspace.WithTrack(task, workspace.Cold)
	if err != nil {
		t.Fatal(err)
	}
	if cold.System != workspace.Rules(workspace.Cold) || !strings.Contains(string(cold.Asks[0].Context), `"track":"cold"`) || strings.Contains(string(task.Asks[0].Context), "cold") {
		t.Errorf("cold: %q, %s; the task itself %s", cold.System, cold.Asks[0].Context, task.Asks[0].Context)
	}
	if cold.Digest() == task.Digest() {
		t.Error("the tracks of a task have one digest")
	}
	task.System = "Own rules."
	if own, err := workspace.WithTrack(task, workspace.Cold); err != nil || own.System != "Own rules." {
		t.Errorf("own rules became %q, %v", own.System, err)
	}
	if _, err := workspace.WithTrack(task, "warm"); err == nil {
		t.Error("there is a track called warm")
	}
	if !slices.Equal(workspace.Tracks(), []string{"guided", "cold"}) {
		t.Error(workspace.Tracks())
	}
}

func TestNativeTools(t *testing.T) {
	var d workspace.Dialect
	env := envelope(public("", true))
	tools := d.Offer(env, offered())
	if len(tools) != 4 || tools[3].Name != workspace.FinalAnswer || len(d.Offer(envelope(nil), offered())) != 3 {
		t.Errorf("offered %+v", tools)
	}
	call := func(name, args string) sim.Call { return sim.Call{Name: name, Arguments: json.RawMessage(args)} }
	for _, tt := range []struct {
		name   string
		env    tasks.Envelope
		calls  []sim.Call
		want   string
		reason string
	}{
		{"call", env, []sim.Call{call("functions.create_widget", `{"origin":"desk-mini"}`)}, `create_widget {"origin":"Desk Mini"}`, "names and origins are normal here, too"},
		{"answer", env, []sim.Call{call("final_answer", `{"text":"42"}`), call("delete_widget", `{}`)}, `= "42"`, "an answer ends the reply"},
		{"empty-answer", env, []sim.Call{call("final_answer", `{"text":" "}`)}, "! empty_answer", "an answer says something"},
		{"no-answer-wanted", envelope(nil), []sim.Call{call("final_answer", `{"text":"42"}`)}, `final_answer {"text":"42"}`, "the world refuses it"},
		{"no-object", env, []sim.Call{call("create_widget", `7`)}, `create_widget 7`, "the world has words for it"},
	} {
		a, err := d.ParseCalls(tt.env, tt.calls)
		if got := shown(a, err); got != tt.want {
			t.Errorf("%s: got %s, want %s: %s", tt.name, got, tt.want, tt.reason)
		}
	}
	for _, tt := range []struct{ name, reply, want, reason string }{
		{"words", "All done.", "= null", "where no answer is wanted, words end the ask"},
		{"done", `{"done": true}`, "= null", "as in the json protocol"},
		{"nothing", "  ", "! invalid_text", "a reply says something"},
		{"call", `{"done": false, "tool": "create_widget", "args": {}}`, "! invalid_text", "calls are native"},
	} {
		a, err := d.ParseText(envelope(nil), tt.reply)
		if got := shown(a, err); got != tt.want {
			t.Errorf("%s: got %s, want %s: %s", tt.name, got, tt.want, tt.reason)
		}
	}
	if a, err := d.ParseText(env, "The sum is 12."); shown(a, err) != `= "The sum is 12."` {
		t.Errorf("words where an answer is wanted: %s", shown(a, err))
	}
}

// shown writes what was read in one line.
func shown(a tasks.Action, err error) string {
	var bad *tasks.Malformed
	if errors.As(err, &bad) {
		return "! " + bad.Code
	}
	var parts []string
	for _, c := range a.Calls {
		parts = append(parts, c.Name+" "+string(c.Arguments))
	}
	if a.Answer != nil {
		parts = append(parts, "= "+string(a.Answer))
	}
	return strings.Join(parts, " ")
}
