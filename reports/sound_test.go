//go:build unix

package reports

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"benchwright/agent"
	"benchwright/grader"
)

// in is a limit on what must not hang.
func in(t *testing.T, limit time.Duration, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); do() }()
	select {
	case <-done:
	case <-time.After(limit):
		t.Fatal("it hangs")
	}
}

func write(t *testing.T, text string, path ...string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(path...), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// published is a bundle whose run selected its two tasks, with all that is derived.
func published(t *testing.T) string {
	t.Helper()
	run := sampleRun(KindModel, "ollama:m")
	run.Tasks = []Selected{{ID: "a/b/c"}, {ID: "a/b/d", Digest: "d1"}}
	dir := sampleBundle(t, run, episode("a/b/c", 1, 1, grader.Passed), episode("a/b/d", 1, 2, grader.Failed))
	if _, err := Publish(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestNothingIsMadeOfABundleThatIsNotSound(t *testing.T) {
	const file = "episodes/a__b__d__t1.json"
	edit := func(old, new string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			text := read(t, dir, file)
			if !strings.Contains(text, old) {
				t.Fatalf("%s has no %s", file, old)
			}
			write(t, strings.Replace(text, old, new, 1), dir, file)
		}
	}
	row := func(old, new string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			text := read(t, dir, RowsFile)
			if !strings.Contains(text, old) {
				t.Fatalf("no row has %s", old)
			}
			write(t, strings.Replace(text, old, new, 1), dir, RowsFile)
		}
	}
	remade := func(make func(path string) error) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, file)
			if err := errors.Join(os.Remove(path), make(path)); err != nil {
				t.Fatal(err)
			}
		}
	}
	cases := []struct {
		name    string
		harm    func(t *testing.T, dir string)
		rebuilt bool // Rebuild mends it
		want    []string
		reason  string
	}{
		{"truncated", func(t *testing.T, dir string) { write(t, read(t, dir, file)[:500], dir, file) }, false, []string{file, "unexpected"}, "a copy that was cut"},
		{"emptied", func(t *testing.T, dir string) { write(t, "", dir, file) }, false, []string{file, "unexpected"}, "a full disk"},
		{"swapped", func(t *testing.T, dir string) { write(t, read(t, dir, "episodes/a__b__c__t1.json"), dir, file) }, false,
			[]string{file, "is of task a/b/c, trial 1, and belongs in a__b__c__t1.json"}, "another task's record"},
		{"schema", edit(agent.Schema, "x/9"), false, []string{file, `schema "x/9"`, agent.Schema}, "a later version"},
		{"outcome", edit(`"outcome":"failed"`, `"outcome":"great"`), false, []string{file, `outcome "great"`, "passed, failed, broken, skipped"}, "it would count nowhere"},
		{"verdict", edit(`"outcome":"failed"`, `"outcome":"passed"`), false, []string{file, "outcome passed", "verdict says failed"}, "an edited outcome"},
		{"second-spelling", edit(`"outcome":"failed"`, `"outcome":"failed","Outcome":"passed"`), false, []string{file, `unknown field "Outcome"`}, "two readers would disagree"},
		{"checks", func(t *testing.T, dir string) {
			write(t, strings.ReplaceAll(read(t, dir, file), `"outcome":"failed"`, `"outcome":"passed"`), dir, file)
		}, false, []string{file, "outcome passed", "check 2 of the verdict is failed"}, "an edited outcome and verdict"},
		{"state", edit(`"state":"failed"`, `"state":"fine"`), false, []string{file, `state "fine"`}, "a check of no known state"},
		{"score", edit(`"score":0.5`, `"score":99`), false, []string{file, "score 99: want 0 to 1"}, "means would be wrong"},
		{"score-huge", edit(`"score":0.5`, `"score":1e999`), false, []string{file, "1e999"}, "no number of a computer's"},
		{"floor", edit(`"floor":0.25`, `"floor":-1`), false, []string{file, "floor -1: want 0 to 1"}, "adjusted scores would be wrong"},
		{"trial", edit(`"trial":1`, `"trial":0`), false, []string{file, "trials count from 1"}, "no trial"},
		{"layer", edit(`"outcome":"failed"`, `"layer":"weather","outcome":"broken"`), false, []string{file, `layer "weather"`, "provider, adapter"}, "a layer that there is not"},
		{"no-layer", edit(`"outcome":"failed"`, `"outcome":"broken"`), false, []string{file, `layer ""`, "broken episode"}, "what broke must be said"},
		{"tokens", edit(`"input":100`, `"input":-100`), false, []string{file, "input -100: want 0 or more"}, "a negative count"},
		{"requests", edit(`"requests":1`, `"requests":-1`), false, []string{file, "requests -1"}, "a negative count"},
		{"budget", edit(`"budget_tokens":67`, `"budget_tokens":-67`), false, []string{file, "budget_tokens -67"}, "a negative count"},
		{"cost", edit(`"cost":0.1`, `"cost":-0.1`), false, []string{file, `cost "-0.1"`}, "money that was won"},
		{"wall", edit(`"wall_ns":1500000000`, `"wall_ns":-1`), false, []string{file, "wall_ns -1"}, "time that ran backwards"},
		{"turn", edit(`"kind":"answer"`, `"kind":"answer","ask":-1`), false, []string{file, "duplicate"}, "two asks of one turn"},
		{"digest", edit(`"task_digest":"d1"`, `"task_digest":"d2"`), false, []string{file, `task_digest "d2"`, `selected the task as "d1"`}, "another version of the task"},
		{"symlink", remade(func(path string) error { return os.Symlink("/etc/passwd", path) }), false, []string{file, "a symbolic link, not a file"}, "it showed what is not the bundle's"},
		{"folder", remade(func(path string) error { return os.Mkdir(path, 0o755) }), false, []string{file, "a folder, not a file"}, "it counted as missing"},
		{"pipe", remade(func(path string) error { return syscall.Mkfifo(path, 0o644) }), false, []string{file, "a named pipe, not a file"}, "its reader waited for ever"},
		{"no-episodes", func(t *testing.T, dir string) {
			if err := os.RemoveAll(filepath.Join(dir, EpisodesDir)); err != nil {
				t.Fatal(err)
			}
		}, false, []string{"no folder episodes", "run.json selects 2 tasks"}, "0 of 0 looked like success"},
		{"episodes-elsewhere", func(t *testing.T, dir string) {
			at := filepath.Join(dir, EpisodesDir)
			if err := errors.Join(os.Rename(at, at+"2"), os.Symlink(at+"2", at)); err != nil {
				t.Fatal(err)
			}
		}, false, []string{"episodes is a symbolic link, not a folder"}, "the records of another bundle"},
		{"gone", remade(func(string) error { return nil }), true, []string{"results.jsonl:2", "there is no record " + file}, "a record that vanished"},
		{"row-edited", row(`"outcome":"failed"`, `"outcome":"passed"`), true, []string{"results.jsonl:2", "not what " + file + " says"}, "the record is the truth"},
		{"row-foreign", row(`"line":2}`, `"line":2,"more":1}`), true, []string{"results.jsonl:2", "not what " + file + " says"}, "of another version"},
		{"row-twice", row("{", `{"record":"`+file+`","outcome":"passed"}`+"\n{"), true, []string{"results.jsonl:3", "another row of " + file + " in line 1"}, "two rows of one record"},
		{"row-none", row("{", "5\n{"), true, []string{"results.jsonl:1", "no row"}, "text of something else"},
		{"rows-pipe", func(t *testing.T, dir string) {
			path := filepath.Join(dir, RowsFile)
			if err := errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o644)); err != nil {
				t.Fatal(err)
			}
		}, true, []string{"results.jsonl", "a named pipe, not a file"}, "its reader waited for ever"},
		{"rows-elsewhere", func(t *testing.T, dir string) {
			path := filepath.Join(dir, RowsFile)
			if err := errors.Join(os.Rename(path, path+"2"), os.Symlink(path+"2", path)); err != nil {
				t.Fatal(err)
			}
		}, true, []string{"results.jsonl", "a symbolic link, not a file"}, "rows of another bundle"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.reason == "" {
				t.Fatal("a case needs a reason")
			}
			dir := published(t)
			before := read(t, dir, JUnitFile) + read(t, dir, SummaryFile)
			c.harm(t, dir)
			want := append(c.want, "bundle "+dir, "bench results rebuild "+dir)
			in(t, 10*time.Second, func() {
				_, err := Publish(dir)
				wantError(t, err, want...)
				r := open(t, dir)
				var report bytes.Buffer
				wantError(t, r.WriteJUnit(&report), want...)
				if report.Len() > 0 {
					t.Errorf("half a report: %.100s", report.String())
				}
				_, err = r.Summary()
				wantError(t, err, want...)
				var table bytes.Buffer
				wantError(t, r.WriteTable(&table, Table{}), want...)
				if !strings.Contains(table.String(), "Not sound") {
					t.Errorf("the table says nothing of it:\n%s", table.String())
				}
				if read(t, dir, JUnitFile)+read(t, dir, SummaryFile) != before {
					t.Error("reports were made of it")
				}
				if _, err := r.Record("a__b__d__t1"); !c.rebuilt && err == nil && c.name != "digest" && !strings.Contains(c.name, "episodes") {
					t.Error("the record is read")
				}
				if err := Rebuild(dir); !c.rebuilt {
					wantError(t, err, want...)
					return
				} else if err != nil {
					t.Fatal(err)
				}
				s, err := Publish(dir)
				if err != nil || s.Passed != 1 || s.Passed+s.Failed+s.Unreached != 2 {
					t.Errorf("rebuilt: %+v, %v", s, err)
				}
				if info, err := os.Lstat(filepath.Join(dir, RowsFile)); err != nil || !info.Mode().IsRegular() {
					t.Errorf("%s: %v, %v", RowsFile, info.Mode(), err)
				}
			})
		})
	}
}

func TestAMissingRecordCountsAsNeverReached(t *testing.T) {
	dir := published(t)
	if err := os.Remove(filepath.Join(dir, EpisodesDir, "a__b__c__t1.json")); err != nil {
		t.Fatal(err)
	}
	if err := Rebuild(dir); err != nil {
		t.Fatal(err)
	}
	s, err := Publish(dir)
	if err != nil || s.Episodes != 1 || s.Unreached != 1 || s.Tasks != 2 {
		t.Fatalf("summary %+v, %v", s, err)
	}
	if got := s.String(); got != "1 episode: 0 passed, 1 failed, 0 broken, 0 skipped; 1 never reached" {
		t.Errorf("in words: %s", got)
	}
	if exit, reason := (Gate{mode: gateNone}).Judge(s); exit != 1 || !strings.Contains(reason, "never reached") {
		t.Errorf("exit %d: %s", exit, reason)
	}
	if table := tableOf(t, dir, Table{}); !bytes.Contains(table, []byte("Unreached: 1 episode")) {
		t.Errorf("the table says nothing of it:\n%s", table)
	}
}

func TestARunThatCannotBeIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(*Run)
		want string
	}{
		"kind":   {func(r *Run) { r.Kind = "holiday" }, `kind "holiday": want one of certification, model`},
		"trials": {func(r *Run) { r.Trials = 1 << 40 }, "trials 1099511627776"},
		"id":     {func(r *Run) { r.Tasks = []Selected{{ID: "../x"}} }, `task id "../x"`},
		"number": {func(r *Run) { r.Tasks = []Selected{{ID: "a/b/c", Trials: -1}} }, "task a/b/c: trials -1"},
	} {
		t.Run(name, func(t *testing.T) {
			run := sampleRun(KindModel, "m")
			c.do(&run)
			_, err := Create(t.TempDir(), run)
			wantError(t, err, RunFile, c.want)
			dir := published(t)
			raw, err := encodeLine(run)
			if err != nil {
				t.Fatal(err)
			}
			write(t, strings.Replace(string(raw), `"schema":""`, `"schema":"`+RunSchema+`"`, 1), dir, RunFile)
			_, err = Open(dir)
			wantError(t, err, RunFile, c.want, "bundle "+dir)
		})
	}
}

func TestOnlyFilesAreOpened(t *testing.T) {
	for name, make := range map[string]func(string) error{
		"pipe":    func(path string) error { return syscall.Mkfifo(path, 0o644) },
		"symlink": func(path string) error { return os.Symlink("/dev/zero", path) },
		"folder":  func(path string) error { return os.Mkdir(path, 0o755) },
	} {
		for _, file := range []string{RunFile, EventsFile} {
			t.Run(name+"-"+file, func(t *testing.T) {
				dir := published(t)
				path := filepath.Join(dir, file)
				if err := errors.Join(os.Remove(path), make(path)); err != nil {
					t.Fatal(err)
				}
				in(t, 10*time.Second, func() {
					r, err := Open(dir)
					if err == nil {
						_, err = r.Events()
					}
					wantError(t, err, "bundle "+dir, file, "not a file")
					wantError(t, Rebuild(dir), "bundle "+dir, file, "not a file")
					before := joinWait
					joinWait = time.Millisecond
					defer func() { joinWait = before }()
					_, err = Join(dir, "r1")
					wantError(t, err, file, "not a file")
				})
			})
		}
	}
}

func TestRecordsAreNotWrittenThroughALink(t *testing.T) {
	dir, outside := sampleBundle(t, sampleRun(KindNoop, "noop")), t.TempDir()
	path := filepath.Join(dir, EpisodesDir)
	if err := errors.Join(os.Remove(path), os.Symlink(outside, path)); err != nil {
		t.Fatal(err)
	}
	_, err := Join(dir, "r1")
	wantError(t, err, "episodes is a symbolic link, not a folder")

	dir = sampleBundle(t, sampleRun(KindNoop, "noop"))
	b, err := Join(dir, "r1")
	if err != nil {
		t.Fatal(err)
	}
	write(t, "precious", outside, "victim")
	if err := os.Symlink(filepath.Join(outside, "victim"), filepath.Join(dir, RowsFile)); err != nil {
		t.Fatal(err)
	}
	if err := b.Write(episode("a/b/c", 1, 1, grader.Passed)); err != nil {
		t.Errorf("the record is lost with its row: %v", err)
	}
	if got := read(t, outside, "victim"); got != "precious" {
		t.Errorf("the victim is %q", got)
	}
	if _, err := open(t, dir).Record("a__b__c__t1"); err != nil {
		t.Error(err)
	}
}

// TestWhatThisProcessWroteIsHeldAgainstItsBytes is about the short way that Finish takes.
func TestWhatThisProcessWroteIsHeldAgainstItsBytes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "bundle")
	b, err := Create(dir, sampleRun(KindModel, "m"))
	if err == nil {
		err = b.Write(episode("a/b/c", 1, 1, grader.Failed))
	}
	if err != nil {
		t.Fatal(err)
	}
	if s, err := b.Finish(); err != nil || s.Failed != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
	rows := read(t, dir, RowsFile)
	write(t, strings.Replace(rows, `"outcome":"failed"`, `"outcome":"passed"`, 1), dir, RowsFile)
	_, err = b.Finish()
	wantError(t, err, "results.jsonl:1", "not what episodes/a__b__c__t1.json says")
	write(t, rows, dir, RowsFile)
	write(t, strings.Replace(read(t, dir, EpisodesDir, "a__b__c__t1.json"), `"score":0.5`, `"score":0.6`, 1), dir, EpisodesDir, "a__b__c__t1.json")
	_, err = b.Finish()
	wantError(t, err, "results.jsonl:1", "not what episodes/a__b__c__t1.json says")
}

func TestWhatCanBeWrittenIsWritten(t *testing.T) {
	dir := published(t)
	want := read(t, dir, JUnitFile)
	for _, name := range []string{SummaryFile, JUnitFile} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, SummaryFile, "in the way"), 0o755); err != nil {
		t.Fatal(err)
	}
	s, err := Publish(dir)
	wantError(t, err, "summary.json could not be written", "bench results rebuild "+dir)
	if strings.Contains(err.Error(), JUnitFile) || s.Passed != 1 || read(t, dir, JUnitFile) != want {
		t.Errorf("the rest is missing: %+v, %v", s, err)
	}
}

func TestOnAFullDiskThereIsATable(t *testing.T) {
	dir := published(t)
	want := tableOf(t, dir, Table{})
	for _, name := range []string{RowsFile, SummaryFile, JUnitFile} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	defer func(before func(*os.File) error) { syncFile = before }(syncFile)
	syncFile = func(*os.File) error { return &fs.PathError{Op: "sync", Path: "x", Err: syscall.ENOSPC} }
	s, err := Publish(dir)
	wantError(t, err, "results.jsonl, summary.json, junit.xml could not be written: no space left on device: when that is mended: bench results rebuild "+dir)
	if !errors.Is(err, syscall.ENOSPC) || s.Passed != 1 || s.Failed != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	if got := tableOf(t, dir, Table{}); !bytes.Equal(got, want) {
		t.Errorf("another table:\n%s", got)
	}
	var report bytes.Buffer
	if err := open(t, dir).WriteJUnit(&report); err != nil || report.Len() == 0 {
		t.Errorf("no report: %v", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return strings.HasSuffix(e.Name(), ".tmp") }) {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestAnEpisodeThatCannotBeIsNotRecorded(t *testing.T) {
	dir := sampleBundle(t, sampleRun(KindModel, "m"))
	b, err := Join(dir, "r1")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		do   func(*agent.Episode)
		want string
	}{
		"outcome":  {func(e *agent.Episode) { e.Outcome = "" }, `outcome ""`},
		"score":    {func(e *agent.Episode) { e.Score = 1.2 }, "score 1.2: want 0 to 1"},
		"nan":      {func(e *agent.Episode) { e.Score = math.NaN() }, "score NaN: want 0 to 1"},
		"schema":   {func(e *agent.Episode) { e.Schema = "" }, `schema ""`},
		"negative": {func(e *agent.Episode) { e.Usage.Output = ref(int64(-1)) }, "output -1: want 0 or more, or null"},
	} {
		ep := episode("a/b/c", 1, 1, grader.Passed)
		c.do(ep)
		t.Run(name, func(t *testing.T) { wantError(t, b.Write(ep), "record a__b__c__t1", c.want) })
	}
	if keys, err := open(t, dir).Keys(); err != nil || len(keys) != 0 {
		t.Errorf("records %v, %v", keys, err)
	}
	ep := episode("a/b/c", 1, 1, grader.Broken)
	ep.Layer, ep.Reason = "weather", "it rains"
	if err := b.Write(ep); err != nil {
		t.Fatal(err)
	}
	if rec, err := open(t, dir).Record("a__b__c__t1"); err != nil || rec.Layer != grader.LayerOrchestration || rec.Reason != `layer "weather": it rains` {
		t.Errorf("%+v, %v", rec, err)
	}
	if _, err := open(t, dir).Rows(); err != nil {
		t.Error(err)
	}
}
