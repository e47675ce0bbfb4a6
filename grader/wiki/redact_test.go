package wiki

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"benchwright/grader"
	"benchwright/sim"
	world "benchwright/sim/wiki"
)

// TestMarks: what a rule objects to is replaced, value by value where that is enough, and nothing else is.
func TestMarks(t *testing.T) {
	home, token := "/home/"+"ada/src", "tok"+"en"
	for _, c := range []struct{ name, raw, want string }{
		{"plain", `{"path":"/source/src","start_line":3}`, `{"path":"/source/src","start_line":3}`},
		{"value", `{"path":"` + home + `","start_line":3}`, `{"path":{"bytes":13,"redacted":"host_path","sha256":"…"},"start_line":3}`},
		{"behind-a-line-end", `{"query":"\n` + home + `"}`, `{"query":{"bytes":14,"redacted":"host_path","sha256":"…"}}`},
		{"item", `{"answer":["a","` + home + `"]}`, `{"answer":["a",{"bytes":13,"redacted":"host_path","sha256":"…"}]}`},
		{"key", `{"answer":{"` + home + `":1}}`, `{"bytes":30,"redacted":"host_path","sha256":"…"}`},
		{"key-and-value", `{"` + token + `":"q8Zt4LmX0vRw7Ye2"}`, `{"bytes":28,"redacted":"secret","sha256":"…"}`},
		{"two-values", `["` + token + `='q8Zt4Lm","X0vRw7Ye2'"]`, ""}, // one of them or all
		{"no-json", `{`, `{"bytes":1,"redacted":"no_json","sha256":"…"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := string(markedJSON(json.RawMessage(c.raw)))
			if i := strings.Index(got, `"sha256":"`); i >= 0 {
				i += len(`"sha256":"`)
				got = got[:i] + "…" + got[i+64:]
			}
			if objected(got) != "" || c.want == "" && !strings.Contains(got, "redacted") {
				t.Errorf("got %s", got)
			}
			if c.want != "" && got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
	if got := marked(home); got == home || objected(got) != "" || marked(got) != got {
		t.Errorf("%s", got)
	}
	key := "AKIA" + "ABCDEFGHIJKLMNOP" // a hit only where it is cut
	note := len("… (800 bytes)")
	if long := strings.Repeat("x", most-note-len(key)-1) + " " + key; objected(clip(long+strings.Repeat("x", 800-len(long)))) == "" || objected(long+strings.Repeat("x", 800-len(long))) == "" {
		t.Error("a key that the cut lays bare passes")
	}
}

// TestForeignTextIsNoFault: a tool's name, what an agent of its own says of its turns, and how it ended
// may hold anything, and be a hit only together. The records are clean, and their verdict and counters are as
// without it.
func TestForeignTextIsNoFault(t *testing.T) {
	home := "/home/" + "ada/src"
	for _, c := range []struct {
		name  string
		spoil func(r *Record)
		muted bool // is needed
	}{
		{"tool", func(r *Record) {}, false},
		{"turn", func(r *Record) { r.Turns[0].Kind, r.Turns[0].Code, r.Turns[0].Reply.DoneReason = home, home, home }, false},
		{"error", func(r *Record) { r.Turns[0].Layer, r.Turns[0].Code = grader.Layer(home), home }, false},
		{"end", func(r *Record) { r.End = grader.End{Code: home, Detail: home} }, false},
		{"together", func(r *Record) { r.Turns[0].Code, r.Turns[0].Reply.DoneReason = "tok"+"en='", "q8Zt4LmX0vRw7Ye2'" }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := play(t, qualifies)
			p.begin()
			p.call("file"+":///x", "path", home)
			p.call(home)
			for range 3 {
				p.call(world.ListDir, "path", home)
			}
			p.call(world.Search, "query", strings.Repeat("x", 2*most))
			p.must(world.Finish, "answer", home)
			r := p.end()
			r.Outcome, r.End = grader.Failed, grader.End{Code: grader.EndGate}
			c.spoil(r)
			run := Run{Qualification: &Played{Record: r, Checks: gates3}}
			files := withEvents(t, p, run)
			hits := Redacted(files)
			if (len(hits) > 0) != c.muted {
				t.Errorf("%v", hits)
			}
			silent := withEvents(t, p, run.Muted())
			if hits := Redacted(silent); len(hits) > 0 {
				t.Errorf("muted: %v", hits)
			}
			for name, raw := range silent {
				if bytes.Contains(raw, []byte(home)) || bytes.Contains(raw, []byte("xxxx")) {
					t.Errorf("muted: %s holds what the agent wrote\n%s", name, raw)
				}
			}
			one, _ := ParseGrading(files[GradingFile])
			two, _ := ParseGrading(silent[GradingFile])
			if one.Attribution.Verdict != Fail || two.Attribution.Verdict != Fail || one.Attribution.Layer != two.Attribution.Layer || one.Counters != two.Counters {
				t.Errorf("%+v %+v, muted %+v %+v", one.Attribution, one.Counters, two.Attribution, two.Counters)
			}
			if one.Counters.UnauthorisedTool != 2 || one.Counters.RepeatedDiscovery == 0 {
				t.Errorf("%+v", one.Counters)
			}
			if run.Qualification.Record != r || r.mute {
				t.Error("the run itself was muted")
			}
		})
	}
}

// withEvents are the records of a run with its events.
func withEvents(t *testing.T, p *player, run Run) map[string][]byte {
	t.Helper()
	files := records(t, p, run, QualificationRun)
	g, err := ParseGrading(files[GradingFile])
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for _, e := range Events(run.Qualification.Record, g.Stages, UncachedPlusOutput, nil) {
		b.Write(sim.MustCanonical(e))
		b.WriteByte('\n')
	}
	files[EventsFile] = b.Bytes()
	return files
}
