package workspace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"benchwright/sim"
	"benchwright/tasks"
)

// odd are texts in which writers of JSON differ.
var odd = []string{"", "plain", "a \"b\" \\ c", "<b> & 'c'", "line\nline\ttab\r\b\f", "\u2028 and \u2029", "é😀", "\x01\x1f\x7f", "broken \xff", `{"a":[1,2]}: {`}

// TestResultsAreIndentedAsEver compares the message with a result with what decoding, sorting and
// indenting it gives.
func TestResultsAreIndentedAsEver(t *testing.T) {
	data := []string{
		`{}`, `[]`, `null`, `1.50`, `"a: [b], {c}"`, `[[],{},[[]],[{}]]`, `{"a":{"b":{"c":[1,[2,[3]]]}}}`, ` { "b" : [ 1 , 2 ] , "a" : { } } `,
		`{"ok":true,"command":"c","data":{"rows":[{"z":1,"a":"x"},{"a":"\u00e9\/","z":null}]},"error":null}`,
		`{"a\"b":1,"a":2,"a\\":3,"\n":4}`, strings.Repeat("[", 150) + strings.Repeat("]", 150),
	}
	for _, s := range odd {
		data = append(data, string(sim.MustCanonical(s)), string(sim.MustCanonical(map[string]any{s: []any{s, s}})))
	}
	for i, d := range data {
		args := json.RawMessage(data[len(data)-1-i])
		if i%3 == 0 {
			args = nil
		}
		tool := odd[i%len(odd)]
		got, err := Dialect{}.Tell(tasks.Envelope{}, 7, sim.Call{Name: tool, Arguments: args}, sim.Result{Data: json.RawMessage(d)})
		if err != nil {
			t.Fatalf("%s: %v", d, err)
		}
		if args == nil {
			args = json.RawMessage("{}")
		}
		raw := sim.MustCanonical(map[string]any{"args": args, "result": json.RawMessage(d), "tool": tool})
		var b bytes.Buffer
		if err := json.Indent(&b, raw, "", "  "); err != nil {
			t.Fatal(err)
		}
		if want := "Tool result of turn 7:\n" + b.String() + "\n\n" + nextCall; got.Content != want {
			t.Errorf("the result %s\n got %q\nwant %q", d, got.Content, want)
		}
	}
	for _, d := range []string{``, `{`, `{"a":1,"a":2}`, `nil`, `1 2`} {
		if m, err := (Dialect{}).Tell(tasks.Envelope{}, 1, sim.Call{Name: "c"}, sim.Result{Data: json.RawMessage(d)}); err == nil {
			t.Errorf("the result %q is told as %q", d, m.Content)
		}
	}
}

// TestAsksAreShownAsEver compares how an ask is shown with what encoding/json makes of it.
func TestAsksAreShownAsEver(t *testing.T) {
	type note struct {
		Note string `json:"note"`
	}
	type public struct {
		Prompt        string            `json:"prompt"`
		Specification string            `json:"specification_level,omitempty"`
		Terms         []string          `json:"business_terms,omitempty"`
		Fixtures      []string          `json:"fixtures,omitempty"`
		Origins       map[string]string `json:"origin_hints,omitempty"`
		State         note              `json:"initial_state"`
		Tools         []string          `json:"allowed_tools"`
	}
	origins := map[string]string{}
	for i, s := range odd {
		origins[fmt.Sprint(9-i, s)] = s
	}
	for i, prompt := range odd {
		for n, c := range []AskContext{
			{},
			{Specification: odd[(i+1)%len(odd)], Terms: odd, Fixtures: odd[:1], Origins: origins},
			{Track: Cold, Fixtures: odd, Origins: origins},
			{Track: Guided, Origins: map[string]string{"a": "b"}},
		} {
			want := public{Prompt: prompt, Specification: c.Specification, Terms: c.Terms, Fixtures: c.Fixtures, State: note{closed}, Tools: []string{}}
			if c.Track != Cold {
				want.Origins = c.Origins
			}
			var tools []sim.Tool
			for _, name := range append([]string{"get_workspace_snapshot"}, odd...)[:n*3] {
				tools = append(tools, sim.Tool{Name: name})
				want.Tools = append(want.Tools, name)
				want.State.Note = closedLook
			}
			var b bytes.Buffer
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(false)
			e.SetIndent("", "  ")
			if err := e.Encode(want); err != nil {
				t.Fatal(err)
			}
			f := facts{AskContext: c}
			valid := strings.ReplaceAll(b.String(), `\ufffd`, "\uFFFD") // encoding/json escapes it only where it has put it there
			if got := string(f.appendTask(nil, prompt, tools)); got+"\n" != valid {
				t.Errorf("ask %q\n got %s\nwant %s", prompt, got, b.String())
			}
		}
	}
}

// TestOriginsAreCorrected holds that a backend is found by its slug and by its name in other
// letters, and that a name that is right stays, also where it is another's slug.
func TestOriginsAreCorrected(t *testing.T) {
	ask := func(origins map[string]string) tasks.Ask {
		return tasks.Ask{Context: sim.MustCanonical(AskContext{Origins: origins})}
	}
	env := tasks.Envelope{Asks: []tasks.Ask{ask(map[string]string{"desk": "Front Desk", "old": "Old Feed"}), ask(map[string]string{"wire": "desk", "Old": "New Feed"})}}
	for said, want := range map[string]string{
		"DESK": "desk", "desk": "desk", " wire ": "desk", "front desk": "Front Desk", "Front Desk": "Front Desk", "old": "New Feed", "old feed": "Old Feed", "nobody": "", "": "",
	} {
		for range 20 { // maps have no order
			if got, ok := display(env, said); got != want || ok != (want != "") {
				t.Fatalf("%q is %q, want %q", said, got, want)
			}
		}
	}
	if got, ok := display(tasks.Envelope{Asks: []tasks.Ask{{Context: json.RawMessage(`{"track":"nowhere"}`)}}}, "desk"); ok {
		t.Errorf("a context that cannot be read names %q", got)
	}
}

func BenchmarkTell(b *testing.B) {
	rows := make([]any, 40)
	for i := range rows {
		rows[i] = json.RawMessage(fmt.Sprintf(`{"ticker":"T%d","close_usd":%d.25,"as_of":"2026-05-15"}`, i, i))
	}
	r := sim.Result{Data: sim.MustCanonical(map[string]any{"ok": true, "data": map[string]any{"rows": rows}})}
	env := tasks.Envelope{Asks: []tasks.Ask{{Context: json.RawMessage(`{"final_answer":true}`)}}}
	b.SetBytes(int64(len(r.Data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (Dialect{}).Tell(env, 3, sim.Call{Name: "get_widget_data", Arguments: json.RawMessage(`{"origin":"Desk"}`)}, r); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	env := tasks.Envelope{Asks: []tasks.Ask{{Context: sim.MustCanonical(AskContext{Origins: map[string]string{"desk": "Front Desk"}})}}}
	const reply = `{"done": false, "tool": "create_widget", "args": {"origin": "Front Desk", "widget_id": "open_orders", "data_args": {"desk": "FX", "status": "Open"}}}`
	b.SetBytes(int64(len(reply)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (Dialect{}).Parse(env, reply); err != nil {
			b.Fatal(err)
		}
	}
}
