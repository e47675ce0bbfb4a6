package reports

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"benchwright/grader"
	"benchwright/tasks"
)

func tableOf(t *testing.T, dir string, opts Table) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := open(t, dir).WriteTable(&b, opts); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestTable(t *testing.T) {
	run := sampleRun(KindModel, "ollama:m")
	run.Tasks = []Selected{{ID: "wealth/tax/never"}}
	golden(t, "table.txt", tableOf(t, sampleBundle(t, run, sampleEpisodes()...), Table{Dir: ".bench/runs/x"}))
	golden(t, "table-certification.txt", tableOf(t, certification(t), Table{Dir: "out dir"}))
	golden(t, "table-hostile.txt", tableOf(t, sampleBundle(t, sampleRun(KindModel, "m'"+hostile), hostileEpisodes()...), Table{}))
	golden(t, "table-many.txt", tableOf(t, sampleBundle(t, sampleRun(KindModel, "m"), manyEpisodes(60)...), Table{Failures: 2}))
}

func TestProgressWithoutATerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		p := NewProgress(&b, 20, Clock{})
		for i := range 20 {
			time.Sleep(2 * time.Second)
			if i == 4 {
				time.Sleep(70 * time.Second) // nothing ends for a while
			}
			p.Done([]grader.Outcome{grader.Passed, grader.Failed, grader.Passed, grader.Broken, grader.Skipped}[i%5])
		}
		p.Print("a failing task\n")
		p.Close()
		p.Close()
		golden(t, "progress.txt", b.Bytes())
	})
}

func TestProgressOnATerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		p := newProgress(&b, 2000, Clock{}, 72)
		for range 1000 { // faster than one can read
			time.Sleep(time.Millisecond)
			p.Done(grader.Passed)
		}
		if n := strings.Count(b.String(), "\r"); n < 5 || n > 12 {
			t.Errorf("%d updates in a second", n)
		}
		p.Print("a failing task\n")
		time.Sleep(3500 * time.Millisecond)
		p.Close()
		if strings.Count(b.String(), "\n") != 1 || !strings.HasSuffix(b.String(), " \r") {
			t.Errorf("the line is not wiped: %q", b.String())
		}
		for _, line := range strings.Split(b.String(), "\r") {
			if len(line) > 71 {
				t.Errorf("wraps: %q", line)
			}
		}
		if !strings.Contains(b.String(), "1000/2000  1000 passed, 0 failed, 0 broken, 0 skipped  ") {
			t.Errorf("%q", b.String())
		}
	})
}

func TestProgressIsSafeForManyWorkers(t *testing.T) {
	var b bytes.Buffer
	p := newProgress(&b, 400, still(), 0)
	p.printed = p.printed.Add(-time.Hour) // the first tenth is due, the others come too soon after it
	done := make(chan bool)
	for range 4 {
		go func() {
			for range 100 {
				p.Done(grader.Passed)
			}
			done <- true
		}()
	}
	for range 4 {
		<-done
	}
	p.Close()
	if b.String() != "40/400  40 passed, 0 failed, 0 broken, 0 skipped\n" || p.counts.Passed != 400 {
		t.Errorf("%q", b.String())
	}
}

func TestExpand(t *testing.T) {
	ep := episode("work/mail/send", 1, 5, grader.Failed)
	ep.Trace[0].Call.Name = "../../" + hostile
	ep.Trace[0].Result.Data = []byte("\"c1 \u009b \u202E\"")
	ep.Messages = append(ep.Messages, tasks.Message{Role: hostile, Tool: hostile, Content: "```\n# no heading\n" + hostile})
	r := open(t, sampleBundle(t, sampleRun(KindModel, "m"), ep))
	root := t.TempDir()
	dir := filepath.Join(root, "out")
	if err := r.Expand("work__mail__send__t1", dir); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		fmt.Fprintf(&b, "-- %s --\n%s", filepath.ToSlash(name), read(t, path))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range b.String() {
		if r != '\n' && r != '\t' && (r < 0x20 || r == 0x7F || hidden(r)) {
			t.Errorf("%U is in a file", r)
		}
	}
	golden(t, "expand.txt", []byte(b.String()))

	wantError(t, r.Expand("work__mail__send__t1", dir), "is not empty")
	wantError(t, r.Expand("nobody", filepath.Join(root, "o")), `no record "nobody"`)
}

func TestTheCommandToPlayATaskAgain(t *testing.T) {
	cases := []struct {
		kind, agent, file, want, reason string
	}{
		{KindCertification, "", "features/x.feature", "go test -count=1 -ginkgo.focus-file=features/x.feature:9", "no model"},
		{KindModel, "ollama:m", "features/x.feature", "BENCH_MODEL=ollama:m go test -count=1 -ginkgo.focus-file=features/x.feature:9", "the same agent"},
		{KindModel, "command:it's $(rm)", "a b.feature", `BENCH_MODEL='command:it'\''s $(rm)' go test -count=1 -ginkgo.focus-file='a b.feature:9'`, "safe to paste"},
		{KindNoop, "noop", "", "BENCH_MODEL=noop go test -count=1", "a task without a file"},
	}
	for _, c := range cases {
		if got := Rerun(Run{Kind: c.kind, Agent: c.agent}, c.file, 9); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.reason, got, c.want)
		}
	}
}
