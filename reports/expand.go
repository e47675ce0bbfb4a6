package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"benchwright/sim"
	"benchwright/tasks"
)

// Expand writes a record as a folder of plain files, to be read with any tool:
//
//	verdict.txt        what became of it, check by check
//	system.txt         what every agent is told
//	ask-1.txt          what the user says; ask-1.context.json: the facts that come with it
//	conversation.md    the messages as they went
//	calls/001-NAME.json, turns/001.json, answers/ask-1.json
//	states/initial.json, states/after-ask-1.json
//	episode.json       the rest: usage, times, digests, certificate
//
// Texts are made safe to look at; the exact bytes are in the record. dir must not exist or be
// empty.
func (r *Reader) Expand(key, dir string) error {
	rec, err := r.Record(key)
	if err != nil {
		return err
	}
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return fmt.Errorf("expand: folder %s is not empty: choose another one", dir)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("expand: %w", err)
	}
	x := &expansion{dir: dir}
	x.text("verdict.txt", r.verdictFile(rec))
	if rec.Envelope.System != "" {
		x.text("system.txt", rec.Envelope.System)
	}
	for i, ask := range rec.Envelope.Asks {
		x.text(fmt.Sprintf("ask-%d.txt", i+1), ask.Text)
		x.json(fmt.Sprintf("ask-%d.context.json", i+1), ask.Context)
	}
	x.text("conversation.md", conversation(rec.Messages))
	for i, e := range rec.Trace {
		x.json(fmt.Sprintf("calls/%03d-%s.json", i+1, safeName(e.Call.Name)), e)
	}
	for i, t := range rec.Turns {
		x.json(fmt.Sprintf("turns/%03d.json", i+1), t)
	}
	for i, a := range rec.Answers {
		x.json(fmt.Sprintf("answers/ask-%d.json", i+1), a)
	}
	x.json("states/initial.json", rec.Initial)
	for i, s := range rec.States {
		x.json(fmt.Sprintf("states/after-ask-%d.json", i+1), s)
	}
	x.rest(rec)
	if x.err != nil {
		return fmt.Errorf("expand: %w", x.err)
	}
	return nil
}

func (r *Reader) verdictFile(rec *Record) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, trial %d: %s", title(rec.Task), rec.Trial, rec.Outcome)
	if rec.Layer != "" {
		fmt.Fprintf(&b, " (%s: %s)", rec.Layer, rec.FaultCode)
	}
	fmt.Fprintf(&b, "\nscore %s", number(&rec.Score))
	if rec.Floor != nil {
		fmt.Fprintf(&b, ", floor %s", number(rec.Floor))
	}
	fmt.Fprintf(&b, "\n\n%s", verdictText(rec))
	fmt.Fprintf(&b, "again: %s\n", Rerun(r.run, rec.Source.File, rec.Source.Line))
	return b.String()
}

// conversation is the messages as Markdown, fenced so that nothing in them is a heading.
func conversation(messages []tasks.Message) string {
	var b strings.Builder
	for i, m := range messages {
		fmt.Fprintf(&b, "## %d. %s", i+1, Clean(m.Role, 40))
		if m.Tool != "" {
			fmt.Fprintf(&b, ": %s", Clean(m.Tool, 80))
		}
		b.WriteString("\n\n")
		if m.Content != "" {
			fenced(&b, m.Content)
		}
		for _, c := range m.Calls {
			fenced(&b, c.Name+" "+string(c.Arguments))
		}
	}
	return b.String()
}

// fenced writes a code block whose fence is longer than any in the text.
func fenced(b *strings.Builder, text string) {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	fmt.Fprintf(b, "%s\n%s\n%s\n\n", fence, strings.TrimRight(text, "\n"), fence)
}

// An expansion writes files below a folder, until an error.
type expansion struct {
	dir string
	err error
}

func (x *expansion) text(name, text string) {
	if text = CleanText(text, 0); !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	x.write(name, []byte(text))
}

// json writes v indented; nothing for a value that is not there.
func (x *expansion) json(name string, v any) {
	raw, err := encodeLine(v)
	if err != nil {
		if x.err == nil {
			x.err = fmt.Errorf("%s: %w", name, err)
		}
		return
	}
	if string(bytes.TrimSpace(raw)) != "null" {
		x.write(name, visibleJSON(indent(raw)))
	}
}

// rest writes what has no file of its own.
func (x *expansion) rest(rec *Record) {
	raw, err := sim.Canonical(rec)
	if err == nil {
		var all map[string]json.RawMessage
		if err = json.Unmarshal(raw, &all); err == nil {
			for _, key := range []string{"trace", "turns", "answers", "initial_state", "states", "conversation"} {
				delete(all, key)
			}
			x.json("episode.json", all)
		}
	}
	if err != nil && x.err == nil {
		x.err = err
	}
}

func (x *expansion) write(name string, data []byte) {
	if x.err != nil {
		return
	}
	path := filepath.Join(x.dir, filepath.FromSlash(name))
	if x.err = os.MkdirAll(filepath.Dir(path), 0o755); x.err == nil {
		x.err = os.WriteFile(path, data, 0o644)
	}
}

// visibleJSON escapes what a terminal must not get. It can only stand within strings, where an
// escape means the same.
func visibleJSON(raw []byte) []byte {
	var b bytes.Buffer
	for len(raw) > 0 {
		r, size := utf8.DecodeRune(raw)
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(`\ufffd`)
		case r == 0x7F || r == 0x2028 || r == 0x2029 || hidden(r):
			if r > 0xFFFF {
				r -= 0x10000
				fmt.Fprintf(&b, `\u%04x\u%04x`, 0xD800+(r>>10), 0xDC00+(r&0x3FF))
			} else {
				fmt.Fprintf(&b, `\u%04x`, r)
			}
		default:
			b.Write(raw[:size])
		}
		raw = raw[size:]
	}
	return b.Bytes()
}
