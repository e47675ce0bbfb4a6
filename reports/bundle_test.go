package reports

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/tasks"
)

// The test binary is also the child process of some tests.
func TestMain(m *testing.M) {
	switch os.Getenv("REPORTS_TEST_CHILD") {
	case "":
		flag.Parse()
		if f := flag.Lookup("test.bench"); f == nil || f.Value.String() == "" {
			syncFile = func(*os.File) error { return nil } // the children of the kill test do sync
		}
		os.Exit(m.Run())
	case "create": // waits for a go, so that all children race
		io.ReadAll(os.Stdin)
		if _, err := Create(os.Getenv("REPORTS_TEST_DIR"), sampleRun(KindNoop, "noop")); err != nil {
			fmt.Print("refused: ", err)
			return
		}
		fmt.Print("created")
	case "join":
		b, err := Join(os.Getenv("REPORTS_TEST_DIR"), "r1")
		for i := 0; err == nil && i < 50; i++ {
			err = b.Write(episode(tasks.ID(fmt.Sprintf("work/p%d/t%d", os.Getpid(), i)), 1, 1, grader.Passed))
		}
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	case "write": // until it is killed, telling of each record
		b, err := Join(os.Getenv("REPORTS_TEST_DIR"), "r1")
		for i := 0; err == nil; i++ {
			ep := episode(tasks.ID(fmt.Sprintf("work/p%d/t%d", os.Getpid(), i)), 1, 1, grader.Failed)
			ep.Messages[0].Content = strings.Repeat("word ", 4000)
			b.Begin(ep.Task, 1)
			if err = b.Write(ep); err == nil {
				fmt.Println(ep.Key())
			}
		}
		fmt.Println("error:", err)
		os.Exit(1)
	}
}

func child(t *testing.T, mode, dir string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(exe)
	c.Env = append(os.Environ(), "REPORTS_TEST_CHILD="+mode, "REPORTS_TEST_DIR="+dir)
	return c
}

func TestARunIsWrittenBeforeTheFirstEpisode(t *testing.T) {
	run := sampleRun(KindModel, "openai:https://u:p4ss@host/v1")
	run.Options = map[string]any{"temperature": 0, "api_key": "sk-123", "num_predict": 9, "headers": map[string]any{"Authorization": "Bearer x"}}
	dir := sampleBundle(t, run)
	golden(t, "run.json", []byte(read(t, dir, RunFile)))
	r := open(t, dir)
	if s, err := r.Summary(); err != nil || s.Episodes != 0 {
		t.Errorf("summary of an empty run: %+v, %v", s, err)
	}
}

func TestWhatTheBinaryKnowsIsFilledIn(t *testing.T) {
	b, err := Create(t.TempDir(), Run{Kind: KindNoop})
	if err != nil {
		t.Fatal(err)
	}
	r := b.Run()
	if r.ID == "" || r.Go == "" || r.OS == "" || r.Arch == "" || r.Started.IsZero() || r.Trials != 1 {
		t.Errorf("left open: %+v", r)
	}
	host, _ := os.Hostname()
	raw := read(t, b.Dir(), RunFile)
	for _, s := range []string{b.Dir(), host} {
		if s != "" && s != "localhost" && strings.Contains(raw, s) {
			t.Errorf("run.json tells of this machine: %q", s)
		}
	}
}

func TestAFolderThatHoldsARunIsRefused(t *testing.T) {
	dir := sampleBundle(t, sampleRun(KindModel, "ollama:m"))
	_, err := Create(dir, sampleRun(KindNoop, "noop"))
	wantError(t, err, "already holds a run", `model "ollama:m"`, "BENCH_OUT")

	if err := os.Remove(filepath.Join(dir, RunFile)); err != nil {
		t.Fatal(err)
	}
	_, err = Create(dir, sampleRun(KindNoop, "noop"))
	wantError(t, err, "rest of a run", "episodes without run.json", "BENCH_OUT")
}

func TestOfRacingProcessesExactlyOneGetsTheFolder(t *testing.T) {
	for round := range 5 {
		dir := filepath.Join(t.TempDir(), "a", "b")
		var gates []io.WriteCloser
		var out [4]strings.Builder
		var all []*exec.Cmd
		for i := range out {
			c := child(t, "create", dir)
			c.Stdout = &out[i]
			in, err := c.StdinPipe()
			if err == nil {
				err = c.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			gates, all = append(gates, in), append(all, c)
		}
		for _, g := range gates {
			g.Close()
		}
		created := 0
		for i, c := range all {
			if err := c.Wait(); err != nil {
				t.Fatal(err)
			}
			switch s := out[i].String(); {
			case s == "created":
				created++
			case !strings.Contains(s, "already holds a run"):
				t.Errorf("round %d: %s", round, s)
			}
		}
		if created != 1 {
			t.Fatalf("round %d: %d processes got the folder", round, created)
		}
	}
}

func TestOfRacingGoroutinesExactlyOneGetsTheFolder(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	var mu sync.Mutex
	created := 0
	for range 16 {
		wg.Go(func() {
			if _, err := Create(dir, sampleRun(KindNoop, "noop")); err == nil {
				mu.Lock()
				created++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if created != 1 {
		t.Errorf("%d got the folder", created)
	}
}

func TestProcessesOfOneInvocationShareTheBundle(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "bundle")
	var all []*exec.Cmd
	var out [3]strings.Builder
	for i := range out { // they wait for run.json
		c := child(t, "join", dir)
		c.Stdout = &out[i]
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	time.Sleep(30 * time.Millisecond)
	b, err := Create(dir, sampleRun(KindReference, "reference"))
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range all {
		if err := c.Wait(); err != nil {
			t.Fatalf("%v: %s", err, out[i].String())
		}
	}
	s, err := b.Finish()
	if err != nil || s.Episodes != 150 || s.Passed != 150 {
		t.Fatalf("summary %+v, %v", s, err)
	}
	events, err := open(t, dir).Events()
	if err != nil || len(events) != 1+3+150 {
		t.Errorf("%d events, %v", len(events), err)
	}
}

func TestJoinRefusesAnotherRunAndGivesUp(t *testing.T) {
	dir := sampleBundle(t, sampleRun(KindNoop, "noop"))
	_, err := Join(dir, "r2")
	wantError(t, err, "holds run r1, not r2", "BENCH_OUT")
	_, err = Join(dir, "")
	wantError(t, err, "without its id")

	before := joinWait
	joinWait = 20 * time.Millisecond
	defer func() { joinWait = before }()
	_, err = Join(t.TempDir(), "r1")
	wantError(t, err, "no run to join after 20ms", RunFile)
}

func TestARecordComesBackAsItWas(t *testing.T) {
	eps := sampleEpisodes()
	r := open(t, sampleBundle(t, sampleRun(KindModel, "ollama:m"), eps...))
	got := map[string]*agent.Episode{}
	for rec, err := range r.Records() {
		if err != nil {
			t.Fatal(err)
		}
		got[rec.Key()] = &rec.Episode
	}
	for _, ep := range eps {
		if diff := cmp.Diff(ep, got[ep.Key()]); diff != "" {
			t.Errorf("%s (- written, + read):\n%s", ep.Key(), diff)
		}
	}
}

func TestARecordNeverChanges(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "b")
	b, err := Create(dir, sampleRun(KindNoop, "noop"))
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Write(episode("work/a/b", 1, 1, grader.Failed)); err != nil {
		t.Fatal(err)
	}
	before := read(t, dir, EpisodesDir, "work__a__b__t1.json")
	err = b.Write(episode("work/a/b", 1, 1, grader.Passed))
	wantError(t, err, "task work/a/b, trial 1 is recorded already")
	if read(t, dir, EpisodesDir, "work__a__b__t1.json") != before {
		t.Error("the record has changed")
	}
	if rows, err := open(t, dir).Rows(); err != nil || len(rows) != 1 || rows[0].Outcome != grader.Failed {
		t.Errorf("rows %+v, %v", rows, err)
	}
}

func TestHostileIDsStayInTheFolder(t *testing.T) {
	outside := t.TempDir()
	b, err := Create(filepath.Join(outside, "bundle"), sampleRun(KindNoop, "noop"))
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []tasks.ID{"../../x", "a/../b", "a/b/../../../x", "/etc/a/b", "a/b/c\x00", "a/b/c\n", "a/b", `a/b/..\..\c`, "a/b/.hidden", ""} {
		if err := b.Write(episode(id, 1, 1, grader.Passed)); err == nil {
			t.Errorf("task id %q was recorded", id)
		}
	}
	wantError(t, b.Write(episode("a/b/c", 0, 1, grader.Passed)), "trials count from 1")
	entries, err := os.ReadDir(outside)
	if err != nil || len(entries) != 1 {
		t.Errorf("outside of the bundle: %v, %v", entries, err)
	}
	if keys, err := open(t, b.Dir()).Keys(); err != nil || len(keys) != 0 {
		t.Errorf("records %v, %v", keys, err)
	}
}

func TestDifferentTasksHaveDifferentRecords(t *testing.T) {
	long := strings.Repeat("x", 300)
	ids := []tasks.ID{"a_/b/c", "a/_b/c", "a/b_/c", "a/b/_c", tasks.ID("a/b/" + long), tasks.ID("a/b/" + long + "y")}
	var eps []*agent.Episode
	for _, id := range ids {
		eps = append(eps, episode(id, 1, 1, grader.Passed), episode(id, 2, 1, grader.Passed))
	}
	dir := sampleBundle(t, sampleRun(KindNoop, "noop"), eps...)
	seen := map[tasks.ID]int{}
	for rec, err := range open(t, dir).Records() {
		if err != nil {
			t.Fatal(err)
		}
		seen[rec.Task]++
	}
	for _, id := range ids {
		if seen[id] != 2 {
			t.Errorf("%.20s…: %d records", id, seen[id])
		}
	}
}

func TestArgumentsThatAreNoJSONAreKeptAsText(t *testing.T) {
	ep := episode("a/b/c", 1, 1, grader.Failed)
	ep.Trace[0].Call.Arguments = json.RawMessage(`{"n": 1, oops`)
	dir := sampleBundle(t, sampleRun(KindNoop, "noop"), ep)
	rec, err := open(t, dir).Record("a__b__c__t1")
	if err != nil {
		t.Fatal(err)
	}
	if got := string(rec.Trace[0].Call.Arguments); got != `"{\"n\": 1, oops"` {
		t.Errorf("arguments %s", got)
	}
	if string(ep.Trace[0].Call.Arguments) != `{"n": 1, oops` {
		t.Error("the episode itself has changed")
	}
}

func TestKilledAtAnyMomentEveryRecordIsWhole(t *testing.T) {
	dir := sampleBundle(t, sampleRun(KindNoop, "noop"))
	told := map[string]bool{}
	for range 8 {
		c := child(t, "write", dir)
		out, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		in := bufio.NewReader(out)
		armed := false
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				break
			}
			if strings.HasPrefix(line, "error:") {
				t.Error(line)
			}
			told[strings.TrimSpace(line)] = true
			if !armed { // it writes: kill it at a moment that nobody chose
				time.AfterFunc(time.Duration(rand.IntN(40_000))*time.Microsecond, func() { c.Process.Kill() })
				armed = true
			}
		}
		c.Wait()
	}
	r := open(t, dir)
	keys := map[string]bool{}
	for rec, err := range r.Records() {
		if err != nil {
			t.Fatal(err)
		}
		keys[rec.Key()] = true
	}
	for k := range told {
		if !keys[k] {
			t.Errorf("%s was told of and is gone", k)
		}
	}
	if len(told) < 8 {
		t.Fatalf("8 children wrote %d records", len(told))
	}
	rows, err := r.Rows()
	if err != nil || len(rows) != len(keys) {
		t.Errorf("%d rows for %d records: %v", len(rows), len(keys), err)
	}
	if s, err := r.Status(); err != nil || s.Ended || len(s.InFlight) > 8 {
		t.Errorf("status %v, %v", s, err)
	}
	t.Logf("%d records, %d told of", len(keys), len(told))
}

func TestTornLinesAreToleratedAndMended(t *testing.T) {
	dir := sampleBundle(t, sampleRun(KindModel, "ollama:m"), sampleEpisodes()...)
	want, err := open(t, dir).Summary()
	if err != nil {
		t.Fatal(err)
	}
	tear := func(name string) {
		raw := read(t, dir, name)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(raw[:len(raw)-30]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tear(RowsFile)
	tear(EventsFile)
	r := open(t, dir)
	before, err := r.Events()
	if err != nil || len(before) != 1+2*8-1 {
		t.Errorf("%d events, %v", len(before), err)
	}
	// Another process goes on with the same folder.
	b, err := Join(dir, "r1")
	if err == nil {
		err = b.Write(episode("work/zz/more", 1, 1, grader.Passed))
	}
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Summary()
	if err != nil || got.Episodes != want.Episodes+1 || got.Failed != want.Failed || got.Passed != want.Passed+1 {
		t.Errorf("after a torn line: %+v, %v", got, err)
	}
	if err := Rebuild(dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{RowsFile, EventsFile} {
		for i, line := range strings.Split(strings.TrimSuffix(read(t, dir, name), "\n"), "\n") {
			if !json.Valid([]byte(line)) {
				t.Errorf("%s:%d is torn after the rebuild: %s", name, i+1, line)
			}
		}
	}
	after, err := r.Events()
	if err != nil || len(after) != len(before)+2 {
		t.Errorf("%d events after the rebuild, %d before: %v", len(after), len(before), err)
	}
}

func TestRebuildGivesTheSameBytes(t *testing.T) {
	eps := sampleEpisodes()
	slices.SortFunc(eps, func(a, b *agent.Episode) int { return strings.Compare(a.Key(), b.Key()) })
	dir := sampleBundle(t, sampleRun(KindModel, "ollama:m"), eps...)
	asWritten := read(t, dir, RowsFile)
	golden(t, "results.jsonl", []byte(asWritten))
	if err := Rebuild(dir); err != nil {
		t.Fatal(err)
	}
	if got := read(t, dir, RowsFile); got != asWritten {
		t.Errorf("rebuilt (- written):\n%s", cmp.Diff(asWritten, got))
	}

	slices.Reverse(eps)
	other := sampleBundle(t, sampleRun(KindModel, "ollama:m"), eps...)
	if _, err := Publish(other); err != nil {
		t.Fatal(err)
	}
	if got := read(t, other, RowsFile); got != asWritten {
		t.Errorf("written in another order:\n%s", cmp.Diff(asWritten, got))
	}
	if err := os.Remove(filepath.Join(other, RowsFile)); err != nil {
		t.Fatal(err)
	}
	if _, err := Publish(other); err != nil || read(t, other, RowsFile) != asWritten {
		t.Errorf("published without a single row: %v", err)
	}
}

func TestABadBundleIsAnErrorThatNamesTheFile(t *testing.T) {
	good := sampleBundle(t, sampleRun(KindModel, "ollama:m"), episode("a/b/c", 1, 1, grader.Passed))
	run, rec := read(t, good, RunFile), read(t, good, EpisodesDir, "a__b__c__t1.json")
	file := "episodes/a__b__c__t1.json"
	cases := []struct {
		name     string
		run, rec string
		at       string
		want     []string
		reason   string
	}{
		{"no-run", "", rec, "", []string{"no run here", RunFile}, "a folder of something else"},
		{"run-schema", strings.Replace(run, "benchwright.run/1", "benchwright.run/9", 1), rec, "", []string{RunFile, "benchwright.run/9", "this version reads"}, "a later version"},
		{"run-field", strings.Replace(run, `"kind"`, `"kinds"`, 1), rec, "", []string{RunFile, `unknown field "kinds"`}, "strict"},
		{"run-torn", run[:40], rec, "", []string{RunFile, "unexpected end"}, "cut in the middle"},
		{"field", run, strings.Replace(rec, `"outcome"`, `"outcomes"`, 1), file, []string{file, `unknown field "outcomes"`}, "strict"},
		{"duplicate", run, strings.Replace(rec, `"outcome"`, `"outcome":"failed","outcome"`, 1), file, []string{file, `duplicate key "outcome"`}, "two readers would disagree"},
		{"schema", run, strings.Replace(rec, agent.Schema, "x/2", 1), file, []string{file, `schema "x/2"`}, "a later version"},
		{"behind", run, rec + "{}", file, []string{file, "text after the JSON value"}, "two records in one file"},
		{"torn", run, rec[:len(rec)/2], file, []string{file, "unexpected"}, "cut in the middle"},
		{"other", run, rec, "episodes/a__b__d__t1.json", []string{"a__b__d__t1.json", "task a/b/c", "belongs in a__b__c__t1.json"}, "a renamed file would count for another task"},
		{"empty", run, "", file, []string{file, "unexpected EOF"}, "a full disk"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.reason == "" {
				t.Fatal("a case needs a reason")
			}
			fsys := fstest.MapFS{}
			if c.run != "" {
				fsys[RunFile] = &fstest.MapFile{Data: []byte(c.run)}
			}
			if c.at != "" {
				fsys[c.at] = &fstest.MapFile{Data: []byte(c.rec)}
			}
			r, err := OpenFS(fsys, "B")
			if c.at != "" && err == nil {
				for _, rerr := range r.Records() {
					err = rerr
				}
			}
			wantError(t, err, append(c.want, "bundle B")...)
		})
	}
}

func TestReadersIgnoreWhatIsNoRecord(t *testing.T) {
	dir := sampleBundle(t, sampleRun(KindNoop, "noop"), episode("a/b/c", 1, 1, grader.Passed))
	for _, name := range []string{".a__b__d__t1.json.7-1.tmp", "notes.txt", ".x.json"} {
		if err := os.WriteFile(filepath.Join(dir, EpisodesDir, name), []byte("{"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	keys, err := open(t, dir).Keys()
	if err != nil || !slices.Equal(keys, []string{"a__b__c__t1"}) {
		t.Errorf("keys %v, %v", keys, err)
	}
	_, err = open(t, dir).Record("../run")
	wantError(t, err, "not the name of a record")
	_, err = open(t, dir).Record("nobody")
	wantError(t, err, `no record "nobody"`)
}

func TestALineOfEventsIsShort(t *testing.T) {
	dir := sampleBundle(t, sampleRun(KindNoop, "noop"))
	b, err := Join(dir, "r1")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 500 {
		b.Begin(tasks.ID(fmt.Sprintf("work/family/%s%d", strings.Repeat("y", 60), i)), 1)
	}
	if err := b.beat(); err != nil {
		t.Fatal(err)
	}
	if err := b.Log(Event{Event: EventJoined, Name: strings.Repeat("\x1b", 9000), Reason: strings.Repeat("é", 9000)}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(read(t, dir, EventsFile)) {
		if len(line) > maxEvent || strings.Contains(line, "u001b") {
			t.Errorf("%d bytes: %.200s", len(line), line)
		}
	}
	events, err := open(t, dir).Events()
	beat := events[len(events)-2]
	if err != nil || beat.Running != 500 || len(beat.InFlight) == 0 {
		t.Errorf("heartbeat %d, %d of them named: %v", beat.Running, len(beat.InFlight), err)
	}
}

func TestTheHeartBeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, err := Create(t.TempDir(), sampleRun(KindNoop, "noop"))
		if err != nil {
			t.Fatal(err)
		}
		b.Begin("a/b/c", 1)
		stop := b.Heartbeat(10 * time.Second)
		time.Sleep(35 * time.Second)
		if s, _ := open(t, b.Dir()).Status(); s.Ended || !slices.Equal(s.InFlight, []string{"a__b__c__t1"}) || !strings.Contains(s.String(), "1 episodes in flight") {
			t.Errorf("status %+v", s)
		}
		stop()
		stop()
		time.Sleep(time.Minute)
		if err := b.End(1, "gate strict: 1 of 2 tasks failed"); err != nil {
			t.Fatal(err)
		}
		events, err := open(t, b.Dir()).Events()
		if err != nil {
			t.Fatal(err)
		}
		beats := 0
		for _, e := range events {
			if e.Event == EventHeartbeat {
				beats++
			}
			if e.Pid != os.Getpid() {
				t.Errorf("event without a process: %+v", e)
			}
		}
		if beats != 3 {
			t.Errorf("%d heartbeats in 35 s", beats)
		}
		s, err := open(t, b.Dir()).Status()
		if err != nil || !s.Ended || s.Exit != 1 || s.String() != "ended with exit code 1: gate strict: 1 of 2 tasks failed" {
			t.Errorf("status %v, %v", s, err)
		}
	})
}
