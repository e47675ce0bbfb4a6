package workspace_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"benchwright/sim"
	"benchwright/steps/workspace"
	"benchwright/tasks"
)

// parses is replies and what is read in them: calls, "= answer", or "! code".
var parses = []struct{ name, reply, want, reason string }{
	// 1: fences.
	{"plain", `{"done": false, "tool": "read_widget", "args": {"widget_uuid": "w"}}`, `read_widget {"widget_uuid":"w"}`, "the published shape"},
	{"fence", "```json\n{\"tool\":\"read_widget\",\"args\":{}}\n```", `read_widget {}`, "one fence is taken off"},
	{"fence-without-language", "```\n{\"done\":true}\n```", `= null`, "the language is optional"},
	{"fence-that-never-ends", "```JSON {\"done\":true}", `= null`, "the end of a fence may be cut off"},
	{"byte-order-mark", "\uFEFF{\"done\":true}", `= null`, "an editor's mark is no word"},
	// 2: the first value.
	{"trailing-words", `{"done": true} I am done.`, `= null`, "what follows is ignored"},
	{"two-objects", `{"tool":"read_widget"}{"tool":"delete_widget"}`, `read_widget {}`, "the first counts"},
	{"words-before", `Sure: {"done": true}`, `! invalid_json`, "the value must come first"},
	{"list", `[{"done": true}]`, `! invalid_action`, "it must be an object"},
	{"text", `"done"`, `! invalid_action`, "it must be an object"},
	{"number", `7`, `! invalid_action`, "it must be an object"},
	{"empty", " \n", `! invalid_json`, "there is nothing to read"},
	{"empty-fence", "``````", `! invalid_json`, "there is nothing to read"},
	{"cut", `{"tool":"read_widget","args":{"a"`, `! invalid_json`, "a cut object is none"},
	// 3: done.
	{"done", `{"done": true}`, `= null`, "nothing is left to do"},
	{"done-with-tool", `{"done":true,"tool":"delete_widget","args":{"widget_uuid":"w"}}`, `delete_widget {"widget_uuid":"w"} = null`, "the call is made first"},
	{"done-in-quotes", `{"done":"true"}`, `! invalid_action`, "only true is true"},
	{"not-done", `{"done":false}`, `! invalid_action`, "nothing is said"},
	{"nothing", `{}`, `! invalid_action`, "nothing is said"},
	{"done-and-null-tool", `{"done":true,"tool":null,"args":null}`, `= null`, "null is absent"},
	// 4: native lists.
	{"tool-calls", `{"tool_calls":[{"type":"function","function":{"name":"read_widget","arguments":"{\"widget_id\":\"a\"}"}},{"function":{"name":"delete_widget"}}]}`, `read_widget {"widget_id":"a"}`, "the first is the action"},
	{"tool-calls-own-shape", `{"tool_calls":[{"tool":"read_widget","args":{}}]}`, `read_widget {}`, "either shape"},
	{"no-tool-calls", `{"tool_calls":[]}`, `! invalid_action`, "an empty list is malformed"},
	{"tool-calls-no-list", `{"tool_calls":{}}`, `! invalid_action`, "it is a list"},
	{"tool-calls-of-words", `{"tool_calls":["read_widget"]}`, `! invalid_action`, "each is an object"},
	{"tool-calls-and-done", `{"done":true,"tool_calls":[{"name":"read_widget"}]}`, `read_widget {} = null`, "done counts from around it"},
	// 5: wrappers and aliases.
	{"tool-call", `{"tool_call":{"tool":"read_widget","args":{"widget_id":"a"}}}`, `read_widget {"widget_id":"a"}`, "a wrapper is opened"},
	{"function", `{"function":{"name":"read_widget","arguments":{"widget_id":"a"}}}`, `read_widget {"widget_id":"a"}`, "so is a function"},
	{"name-and-arguments", `{"name":"read_widget","arguments":{"widget_id":"a"}}`, `read_widget {"widget_id":"a"}`, "aliases"},
	{"args-as-text", `{"tool":"read_widget","args":"{\"widget_id\": \"a\"}"}`, `read_widget {"widget_id":"a"}`, "text is decoded"},
	{"args-as-empty-text", `{"tool":"read_widget","args":""}`, `read_widget {}`, "nothing in it"},
	{"args-as-words", `{"tool":"read_widget","args":"the first"}`, `! invalid_action`, "not JSON"},
	{"args-as-text-of-a-list", `{"tool":"read_widget","args":"[]"}`, `! invalid_action`, "not an object"},
	{"args-as-list", `{"tool":"read_widget","args":[]}`, `! invalid_action`, "not an object"},
	{"args-null", `{"tool":"read_widget","args":null,"arguments":{"widget_id":"a"}}`, `read_widget {"widget_id":"a"}`, "null is absent"},
	{"no-args", `{"tool":"get_workspace_snapshot"}`, `get_workspace_snapshot {}`, "none are none"},
	{"tool-number", `{"tool":7}`, `! invalid_action`, "a name is a string"},
	{"tool-blank", `{"tool":" ","args":{}}`, `! invalid_action`, "a name is not blank"},
	// 6: an action within the arguments.
	{"inner", `{"tool":"call_tool","args":{"tool":"read_widget","args":{"widget_id":"a"}}}`, `read_widget {"widget_id":"a"}`, "the tool is unknown, its arguments name one"},
	{"inner-name", `{"tool":"run","args":{"name":"read_widget","arguments":{}}}`, `read_widget {}`, "either spelling"},
	{"inner-done", `{"tool":"finish","args":{"done":true}}`, `= null`, "an inner end is an end"},
	{"inner-done-with-tool", `{"tool":"run","args":{"done":true,"tool":"read_widget"}}`, `read_widget {} = null`, "after the call"},
	{"known-tool-with-name", `{"tool":"manage_backends","args":{"name":"Feed","operation":"add"}}`, `manage_backends {"name":"Feed","operation":"add"}`, "the arguments of a known tool are its own"},
	{"unknown-tool", `{"tool":"shell","args":{"cmd":"ls"}}`, `shell {"cmd":"ls"}`, "the world refuses it"},
	// Names.
	{"quoted", "{\"tool\":\" `read_widget` \"}", `read_widget {}`, "quotes are no part of a name"},
	{"curly", `{"tool":"“read_widget”"}`, `read_widget {}`, "curly ones neither"},
	{"prefix-tool", `{"tool":"tool.read_widget"}`, `read_widget {}`, "prefix"},
	{"prefix-functions", `{"tool":"functions.read_widget"}`, `read_widget {}`, "prefix"},
	{"prefix-tool-underscore", `{"tool":"tool_read_widget"}`, `read_widget {}`, "dropped when the rest is known"},
	{"prefix-unknown-rest", `{"tool":"tool_box"}`, `tool_box {}`, "kept when it is not"},
	{"dotted", `{"tool":"openbb.workspace.read_widget"}`, `read_widget {}`, "the last part is known"},
	{"dotted-unknown", `{"tool":"a.b"}`, `a.b {}`, "the last part is not"},
	// Origins.
	{"slug", `{"tool":"create_widget","args":{"origin":"DESK-mini","widget_id":"desk-mini"}}`, `create_widget {"origin":"Desk Mini","widget_id":"desk-mini"}`, "a slug in any case, in these arguments alone"},
	{"name", `{"tool":"create_widget","args":{"backend_name":"desk mini"}}`, `create_widget {"backend_name":"Desk Mini"}`, "or the name in other letters"},
	{"other-origin", `{"tool":"create_widget","args":{"origin":"Elsewhere"}}`, `create_widget {"origin":"Elsewhere"}`, "unknown ones stay"},
	{"origin-list", `{"tool":"create_widget","args":{"origin":["desk-mini"]}}`, `create_widget {"origin":["desk-mini"]}`, "nothing else is corrected"},
	// Arguments.
	{"order", `{"tool":"manage_apps","args":{"z":1,"a":{"y":1.50,"b":[1, 2]}}}`, `manage_apps {"z":1,"a":{"y":1.50,"b":[1,2]}}`, "order and spelling stay"},
	{"twice", `{"tool":"read_widget","args":{"a":1,"b":2,"a":3}}`, `read_widget {"a":3,"b":2}`, "the last value counts"},
	{"twice-within", `{"tool":"read_widget","args":{"a":{"b":1,"b":2}}}`, `read_widget {"a":{"b":2}}`, "within, too"},
	{"tool-twice", `{"tool":"delete_widget","tool":"read_widget"}`, `read_widget {}`, "as everywhere"},
	// Answers.
	{"answer", `{"tool":"final_answer","args":{"text":"42 %"}}`, `= "42 %"`, "text is the canonical key"},
	{"answer-alias", `{"tool":"final_answer","args":{"text":" ","answer":7,"answer_text":"","data":"42","content":"43"}}`, `= "42"`, "the first that says something"},
	{"answer-blank", `{"tool":"final_answer","args":{"text":" \n"}}`, `! empty_answer`, "it must say something"},
	{"answer-without-text", `{"tool":"final_answer","args":{}}`, `! empty_answer`, "it must say something"},
	{"answer-and-done", `{"done":true,"tool":"final_answer","args":{"text":"42"}}`, `= "42"`, "an answer is an end"},
}

func TestReplies(t *testing.T) {
	var d workspace.Dialect
	env := envelope(public("", true))
	seen := map[string]bool{}
	for _, tt := range parses {
		if seen[tt.name] || tt.reason == "" {
			t.Fatalf("case %q is there twice or has no reason", tt.name)
		}
		seen[tt.name] = true
		a, err := d.Parse(env, tt.reply)
		if got := shown(a, err); got != tt.want {
			t.Errorf("%s: %s\n got %s\nwant %s: %s (%v)", tt.name, tt.reply, got, tt.want, tt.reason, err)
		}
	}
	if a, err := d.Parse(envelope(public("", false)), `{"tool":"final_answer","args":{"text":"42"}}`); shown(a, err) != `final_answer {"text":"42"}` {
		t.Errorf("without an answer to give, final_answer is %s", shown(a, err))
	}
	deep := strings.Repeat(`{"a":`, sim.MaxDepth+5) + "1" + strings.Repeat("}", sim.MaxDepth+5)
	if a, err := d.Parse(env, `{"tool":"read_widget","args":`+deep+`}`); shown(a, err) != "! invalid_json" {
		t.Errorf("deep arguments are %s", shown(a, err))
	}
}

func FuzzParse(f *testing.F) {
	for _, tt := range parses {
		f.Add(tt.reply)
	}
	var d workspace.Dialect
	env := envelope(public("", true))
	f.Fuzz(func(t *testing.T, reply string) {
		a, err := d.Parse(env, reply)
		var bad *tasks.Malformed
		if err != nil {
			if !errors.As(err, &bad) || bad.Code == "" || len(bad.Detail) > 400 {
				t.Fatalf("%q: %v", reply, err)
			}
			return
		}
		if len(a.Calls)+len(a.Answer) == 0 || len(a.Calls) > 1 {
			t.Fatalf("%q is read as nothing: %+v", reply, a)
		}
		for _, c := range a.Calls {
			v, err := sim.ParseJSON(c.Arguments)
			if _, ok := v.(map[string]any); !ok || err != nil || c.Name == "" {
				t.Fatalf("%q: arguments %s: %v", reply, c.Arguments, err)
			}
			// What was read is read again as the same.
			said, err := d.Reply(tasks.Move{Calls: a.Calls})
			if err != nil {
				t.Fatal(err)
			}
			b, err := d.Parse(env, said)
			if err != nil || len(b.Calls) != 1 {
				return // an unknown tool whose arguments name one, or a name that is blank to us
			}
			if x, y := sim.MustCanonical(c.Arguments), sim.MustCanonical(b.Calls[0].Arguments); b.Calls[0].Name == c.Name && string(x) != string(y) {
				t.Fatalf("%q: %s, then %s", reply, x, y)
			}
		}
		if a.Answer != nil && !json.Valid(a.Answer) {
			t.Fatalf("%q: answer %s", reply, a.Answer)
		}
		d.ParseText(env, reply)
	})
}
