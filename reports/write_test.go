package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/sim"
	"benchwright/tasks"
)

func nested(depth int) json.RawMessage {
	return json.RawMessage(strings.Repeat("[", depth) + strings.Repeat("]", depth))
}

// places are where an episode holds JSON of somebody else's.
var places = map[string]func(*Record) *json.RawMessage{
	"arguments": func(r *Record) *json.RawMessage { return &r.Trace[0].Call.Arguments },
	"data":      func(r *Record) *json.RawMessage { return &r.Trace[0].Result.Data },
	"canonical": func(r *Record) *json.RawMessage { return &r.Trace[0].Result.Arguments },
	"reply":     func(r *Record) *json.RawMessage { return &r.Turns[0].Reply.Calls[0].Arguments },
	"message":   func(r *Record) *json.RawMessage { return &r.Messages[0].Calls[0].Arguments },
	"answer":    func(r *Record) *json.RawMessage { return &r.Answers[0] },
	"initial":   func(r *Record) *json.RawMessage { return &r.Initial },
	"state":     func(r *Record) *json.RawMessage { return &r.States[0] },
	"context":   func(r *Record) *json.RawMessage { return &r.Envelope.Asks[0].Context },
}

// everywhere has something at each of the places.
func everywhere() *Record {
	rec := &Record{Episode: *episode("a/b/c", 1, 1, grader.Failed)}
	rec.Turns[0].Reply.Calls = []sim.Call{{Name: "add"}}
	rec.Messages[0].Calls = []sim.Call{{Name: "add"}}
	return rec
}

func TestWhatIsWrittenCanBeRead(t *testing.T) {
	for place, at := range places {
		for name, c := range map[string]struct {
			raw  json.RawMessage
			text bool
		}{
			"no-json":      {json.RawMessage(`{"n": 1, oops`), true},
			"twice":        {json.RawMessage(`{"n":1,"n":2}`), true},
			"twice-hidden": {json.RawMessage("{\"\xff\":1,\"\xfe\":2}"), true},
			"two":          {json.RawMessage(`{} {}`), true},
			"deep":         {nested(sim.MaxDepth), true}, // within a tool's bounds, but not within a record's
			"deeper":       {nested(sim.MaxDepth + 1), true},
			"deepest":      {nested(20_000), true},
			"capitals":     {json.RawMessage(`{"N":1,"n":2}`), false}, // a world's own names
			"invalid":      {json.RawMessage("\"\xff\""), false},
			"plain":        {json.RawMessage(`{"n":1}`), false},
		} {
			t.Run(place+"-"+name, func(t *testing.T) {
				rec := everywhere()
				*at(rec) = c.raw
				b, err := Create(t.TempDir(), sampleRun(KindModel, "m"))
				if err == nil {
					err = b.WriteRecord(rec)
				}
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(*at(rec), c.raw) {
					t.Error("the episode itself has changed")
				}
				read, err := open(t, b.Dir()).Record("a__b__c__t1")
				if err != nil {
					t.Fatal(err)
				}
				want := c.raw
				if c.text {
					want, _ = json.Marshal(string(c.raw))
				}
				if !bytes.Equal(*at(read), want) {
					t.Errorf("read back as %.200s", *at(read))
				}
				if _, err := b.Finish(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// TestJSONStandsNoDeeperThanWeThink keeps recordDepth true.
func TestJSONStandsNoDeeperThanWeThink(t *testing.T) {
	for place, at := range places {
		rec := everywhere()
		*at(rec) = nested(sim.MaxDepth - recordDepth)
		_, raw, err := encodeRecord("a__b__c__t1", rec)
		if err != nil || !bytes.Contains(raw, *at(rec)) {
			t.Errorf("%s: %v", place, err)
		}
	}
}

// FuzzWrite holds that whatever Write accepts Record reads, with a row that follows from it, and
// that reports can be made of it.
func FuzzWrite(f *testing.F) {
	f.Add("a/b/c", 1, "failed", "provider", 0.5, []byte(`{"n":1}`), []byte(`[]`), "text", int64(3), "0.1")
	f.Add("a/b/c", 1, "passed", "", 1.0, []byte(`{"a":1,"a":2}`), []byte(nested(sim.MaxDepth)), "\xff\x00", int64(-1), "")
	f.Add("a_/b/c", 2, "broken", "weather", 0.0, []byte(`oops`), []byte("{\"\xff\":1,\"\xfe\":2}"), "\u2028", int64(1)<<62, "1e9")
	f.Add("../x/y", 0, "skipped", "grader", 2.0, []byte(nil), []byte(`null`), "", int64(0), "-0")
	known := sampleRun(KindModel, "m")
	known.fill()
	run, err := encodeLine(known)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, id string, trial int, outcome, layer string, score float64, args, state []byte, text string, n int64, cost string) {
		rec := everywhere()
		rec.Task, rec.Trial, rec.Outcome, rec.Layer, rec.Score = tasks.ID(id), trial, grader.Outcome(outcome), grader.Layer(layer), score
		rec.Verdict.Outcome, rec.Verdict.Score = rec.Outcome, score
		rec.Title, rec.Reason, rec.End.Detail, rec.Labels, rec.Messages[0].Content = text, text, text, []string{text, layer}, text
		rec.Verdict.Results[0].Findings = []grader.Finding{{Code: text, Type: grader.Type(layer), Message: text, Got: text}}
		rec.Usage.Input, rec.Budget, rec.Cost = &n, n, json.Number(cost)
		for i, at := range []string{"arguments", "data", "canonical", "reply", "message", "answer", "initial", "state", "context"} {
			if raw := [][]byte{args, state}[i%2]; raw != nil {
				*places[at](rec) = raw
			}
		}
		key, err := RecordKey(rec.Task, rec.Trial)
		if err != nil {
			return
		}
		written, raw, err := encodeRecord(key, rec) // all of Write but the disk
		if err != nil {
			if rec.layered().check() == nil {
				t.Fatalf("a sound episode is refused: %v", err)
			}
			return
		}
		row, err := encodeLine(rowOf(KindModel, key, written))
		if err != nil {
			t.Fatal(err)
		}
		r, err := OpenFS(fstest.MapFS{RunFile: {Data: run}, recordPath(key): {Data: raw}, RowsFile: {Data: row}}, "B")
		if err != nil {
			t.Fatal(err)
		}
		read, err := r.Record(key)
		if err != nil {
			t.Fatal(err)
		}
		if read.Task != rec.Task || read.Outcome != rec.Outcome || read.Score != rec.Score || *read.Usage.Input != n {
			t.Fatalf("read back as %+v", read)
		}
		if err := errors.Join(r.WriteJUnit(io.Discard), r.WriteTable(io.Discard, Table{})); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzRecord holds that a reader takes any bytes for a record or refuses them, and that what it
// takes can be told of.
func FuzzRecord(f *testing.F) {
	for _, o := range outcomes {
		raw, err := encodeLine(Record{Episode: *episode("a/b/c", 1, 1, o)})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
		f.Add(bytes.Replace(raw, []byte(`"trial":1`), []byte(`"trial":1,"Trial":2`), 1))
	}
	f.Add([]byte(fmt.Sprintf(`{"schema":%q,"task":"a/b/c","trial":1,"outcome":"passed"}`, agent.Schema)))
	f.Fuzz(func(t *testing.T, raw []byte) {
		rec, err := parseRecord("a__b__c__t1", raw)
		if err != nil {
			return
		}
		if rec.Task != "a/b/c" || rec.Trial != 1 || rec.Score < 0 || rec.Score > 1 {
			t.Fatalf("taken: %+v", rec)
		}
		row := rowOf(KindModel, "a__b__c__t1", rec)
		if _, err := encodeLine(row); err != nil {
			t.Fatal(err)
		}
		if s := Summarise(sampleRun(KindModel, "m"), []Row{row, row}); s.Passed+s.Failed+s.Broken+s.Skipped != 2 || s.Usage.Budget < 0 {
			t.Fatalf("summed up as %+v", s)
		}
		verdictText(rec)
	})
}

// BenchmarkRows1000 reads a bundle of 1,000 records, as a stranger and as the process that wrote it.
func BenchmarkRows1000(b *testing.B) {
	bundle, err := Create(b.TempDir()+"/bundle", sampleRun(KindModel, "m"))
	if err != nil {
		b.Fatal(err)
	}
	for _, ep := range manyEpisodes(1000) {
		if err := bundle.Write(ep); err != nil {
			b.Fatal(err)
		}
	}
	for name, of := range map[string]func() (*Reader, error){"stranger": func() (*Reader, error) { return Open(bundle.Dir()) }, "own": bundle.Reader} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r, err := of()
				if err == nil {
					_, err = r.Rows()
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkEncodeRecord is what the sureness costs that a record can be read back.
func BenchmarkEncodeRecord(b *testing.B) {
	rec := &Record{Episode: *episode("a/b/c", 1, 1, grader.Failed)}
	b.Run("encode", func(b *testing.B) {
		for b.Loop() {
			encodeLine(rec)
		}
	})
	b.Run("and-read-back", func(b *testing.B) {
		for b.Loop() {
			encodeRecord("a__b__c__t1", rec)
		}
	})
}
