package tasks_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"testing"

	"benchwright/tasks"
)

// seed adds the files of the test data with an extension.
func seed(f *testing.F, ext string) {
	for _, dir := range []string{good, bad} {
		err := fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || path.Ext(p) != ext {
				return err
			}
			raw, err := os.ReadFile(path.Join(dir, p))
			if len(raw) < 4<<10 { // the engine would spend its time on shrinking the large ones
				f.Add(raw)
			}
			return err
		})
		if err != nil {
			f.Fatal(err)
		}
	}
}

// FuzzFeature: no feature makes Compile panic, every error has its place, and what compiles
// once compiles twice to the same bytes and survives JSON.
func FuzzFeature(f *testing.F) {
	seed(f, ".feature")
	f.Fuzz(func(t *testing.T, raw []byte) { try(t, "t.feature", raw) })
}

// FuzzJSON: the same for JSON.
func FuzzJSON(f *testing.F) {
	seed(f, ".json")
	f.Fuzz(func(t *testing.T, raw []byte) { try(t, "t.json", raw) })
}

func try(t *testing.T, file string, raw []byte) {
	s := one(file, string(raw))
	c, err := tasks.Compile(s)
	if err != nil {
		placed(t, err)
		var list tasks.Errors
		errors.As(err, &list)
		// A source that a task claims for itself is for its readers; problems stand in this file.
		last := bytes.Count(raw, []byte("\n")) + 1
		for _, p := range list {
			if p.Source.File != file || p.Source.Line > last {
				t.Errorf("%q lies outside of the file, which has %d lines", p.String(), last)
			}
		}
		return
	}
	first := dump(t, c.Tasks)
	if again := dump(t, compile(t, s).Tasks); !bytes.Equal(first, again) {
		t.Errorf("compiled twice:\n%s\n%s", first, again)
	}
	for _, task := range c.Tasks {
		raw, err := tasks.Encode(task)
		if err != nil {
			t.Fatal(err)
		}
		back, problems := tasks.DecodeTasks("back.json", raw, s)
		if len(problems) > 0 {
			t.Fatalf("%s does not read back: %v", raw, tasks.Errors(problems))
		}
		if again, _ := tasks.Encode(back[0]); !bytes.Equal(again, raw) || back[0].Digest() != task.Digest() {
			t.Errorf("read back differently:\n%s\n%s", raw, again)
		}
	}
}

// FuzzPlain: no reply makes the protocol panic, and what it reads it can say again.
func FuzzPlain(f *testing.F) {
	for _, r := range replies {
		f.Add(r.reply)
	}
	d := tasks.PlainDialect{}
	f.Fuzz(func(t *testing.T, reply string) {
		a, err := d.Parse(tasks.Envelope{}, reply)
		if err != nil {
			var m *tasks.Malformed
			if !errors.As(err, &m) || m.Code == "" {
				t.Errorf("want *Malformed, got %T", err)
			}
			return
		}
		said, err := d.Reply(tasks.Move{Calls: a.Calls, Answer: a.Answer})
		if err != nil {
			t.Fatal(err)
		}
		b, err := d.Parse(tasks.Envelope{}, said)
		if err != nil {
			t.Fatalf("%s: %v", said, err)
		}
		if len(a.Calls) != len(b.Calls) || !bytes.Equal(a.Answer, b.Answer) {
			t.Errorf("%s became %s", reply, said)
		}
	})
}
