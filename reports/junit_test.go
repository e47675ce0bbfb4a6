package reports

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	josh "github.com/joshdk/go-junit"
	jstemmer "github.com/jstemmer/go-junit-report/v2/junit"

	"benchwright/agent"
	"benchwright/grader"
	"benchwright/tasks"
)

func junitOf(t testing.TB, dir string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := open(t, dir).WriteJUnit(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// validate holds a report against our schema, where xmllint is at hand.
func validate(t *testing.T, report []byte) {
	t.Helper()
	lint, err := exec.LookPath("xmllint")
	if err != nil {
		t.Skip("NOT VALIDATED: xmllint is not installed; install libxml2-utils to hold junit.xml against its schema")
	}
	dir := t.TempDir()
	schema, file := filepath.Join(dir, "junit.xsd"), filepath.Join(dir, "junit.xml")
	for path, data := range map[string][]byte{schema: XSD(), file: report} {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command(lint, "--noout", "--nonet", "--schema", schema, file).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// hostile is text that attacks terminals, XML and readers.
const hostile = "\x1b]0;title\a\x1b[2J\u009b31m]]><script>&amp;\"'\x00\xff\u202Eevil\u2066\uFFFE\U000E0041\r\n\tnext"

func hostileEpisodes() []*agent.Episode {
	a := episode("a/b/c", 1, 1, grader.Failed)
	a.Labels = append(a.Labels, "lang:"+hostile)
	a.Source.File = "features/" + hostile
	f := &a.Verdict.Results[1]
	f.Check, f.Detail = hostile, hostile
	f.Findings[0] = grader.Finding{Code: hostile, Type: "x" + hostile, Message: strings.Repeat(hostile, 50), Want: hostile, Got: strings.Repeat("long ", 20_000)}
	for range 100 {
		f.Findings = append(f.Findings, f.Findings[0])
	}
	b := episode("a/b/d", 1, 2, grader.Broken)
	b.Layer, b.FaultCode, b.Reason = "x"+hostile, hostile, hostile
	c := episode("a/b/e", 1, 3, grader.Skipped)
	c.Reason = strings.Repeat(hostile, 50)
	return []*agent.Episode{a, b, c}
}

func TestJUnit(t *testing.T) {
	run := sampleRun(KindModel, "ollama:m")
	run.Trials = 3
	run.Tasks = []Selected{{ID: "wealth/tax/never", Trials: 1, Labels: []string{"suite:wealth"}, File: "features/tax.feature", Line: 40}}
	report := junitOf(t, sampleBundle(t, run, sampleEpisodes()...))
	golden(t, "junit.xml", report)
	validate(t, report)
}

func TestJUnitOfACertification(t *testing.T) {
	report := junitOf(t, certification(t))
	golden(t, "junit-certification.xml", report)
	validate(t, report)
}

func TestJUnitOfAnEmptyRun(t *testing.T) {
	validate(t, junitOf(t, sampleBundle(t, sampleRun(KindNoop, "noop"))))
}

func TestJUnitOfHostileText(t *testing.T) {
	report := junitOf(t, sampleBundle(t, sampleRun(KindModel, "m"+hostile), hostileEpisodes()...))
	for _, r := range string(report) {
		if r != '\n' && r != '\t' && (r < 0x20 || r == 0x7F || hidden(r)) {
			t.Errorf("%U is in the report", r)
		}
	}
	if len(report) > 40_000 {
		t.Errorf("%d bytes for three tasks", len(report))
	}
	if !bytes.Contains(report, []byte("bytes in all]")) || !bytes.Contains(report, []byte(" more]")) {
		t.Error("what was cut is not said")
	}
	validate(t, report)
}

func TestClassnameAndNameAreUnique(t *testing.T) {
	report := junitOf(t, sampleBundle(t, sampleRun(KindModel, "m"), episode("a.b/c/x", 1, 1, grader.Passed), episode("a/b.c/x", 1, 1, grader.Passed)))
	if !bytes.Contains(report, []byte(`classname="a.b.c" name="a/b.c/x"`)) {
		t.Errorf("%s", report)
	}
	validate(t, report)
}

func TestTwoParsersAgreeWithTheSummary(t *testing.T) {
	for name, eps := range map[string][]*agent.Episode{"sample": sampleEpisodes(), "hostile": hostileEpisodes(), "many": manyEpisodes(120)} {
		t.Run(name, func(t *testing.T) {
			dir := sampleBundle(t, sampleRun(KindModel, "m"), eps...)
			s, err := Publish(dir)
			if err != nil {
				t.Fatal(err)
			}
			report := []byte(read(t, dir, JUnitFile))
			want := s.TaskOutcomes

			suites, err := josh.Ingest(report)
			if err != nil {
				t.Fatal(err)
			}
			var got Counts
			for _, suite := range suites {
				got.Passed += suite.Totals.Passed
				got.Failed += suite.Totals.Failed
				got.Broken += suite.Totals.Error
				got.Skipped += suite.Totals.Skipped
				for _, c := range suite.Tests {
					if c.Status == josh.StatusFailed && (c.Message == "" || !strings.Contains(c.Error.Error(), "again: ")) {
						t.Errorf("%s: a failure without words", c.Name)
					}
				}
			}
			if got != want {
				t.Errorf("one parser counts %+v, the summary %+v", got, want)
			}

			var x jstemmer.Testsuites
			if err := xml.Unmarshal(report, &x); err != nil {
				t.Fatal(err)
			}
			heads := Counts{Failed: x.Failures, Broken: x.Errors, Skipped: x.Skipped, Passed: x.Tests - x.Failures - x.Errors - x.Skipped}
			got = Counts{}
			for _, suite := range x.Suites {
				for _, c := range suite.Testcases {
					switch {
					case c.Failure != nil:
						got.Failed++
					case c.Error != nil:
						got.Broken++
					case c.Skipped != nil:
						got.Skipped++
					default:
						got.Passed++
					}
				}
			}
			if got != want || heads != want {
				t.Errorf("the other parser counts %+v, the heads say %+v, the summary %+v", got, heads, want)
			}
		})
	}
}

func TestJUnitNeedsTheRecordsAlone(t *testing.T) {
	dir := sampleBundle(t, sampleRun(KindModel, "m"), sampleEpisodes()...)
	want := junitOf(t, dir)
	for _, name := range []string{RowsFile, EventsFile} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if got := junitOf(t, dir); !bytes.Equal(got, want) {
		t.Error("without rows and events it is another report")
	}
}

func TestAnErrorOfTheWriterIsReturned(t *testing.T) {
	r := open(t, sampleBundle(t, sampleRun(KindModel, "m"), sampleEpisodes()...))
	pr, pw := io.Pipe()
	pr.Close()
	if err := r.WriteJUnit(pw); err == nil {
		t.Error("no error")
	}
}

func BenchmarkJUnit1000(b *testing.B) {
	r := open(b, sampleBundle(b, sampleRun(KindModel, "m"), manyEpisodes(1000)...))
	b.ReportAllocs()
	for b.Loop() {
		if err := r.WriteJUnit(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriteEpisode(b *testing.B) {
	for name, root := range map[string]string{"disk": b.TempDir(), "tmpfs": "/dev/shm"} {
		b.Run(name, func(b *testing.B) {
			dir, err := os.MkdirTemp(root, "reports-bench-")
			if err != nil {
				b.Skip(err)
			}
			defer os.RemoveAll(dir)
			bundle, err := Create(dir, sampleRun(KindNoop, "noop"))
			if err != nil {
				b.Fatal(err)
			}
			ep := episode("a/b/c", 1, 1, grader.Failed)
			b.ReportAllocs()
			for i := 1; b.Loop(); i++ {
				ep.Task, ep.Trial = tasks.ID("a/b/c"), i
				bundle.Begin(ep.Task, ep.Trial)
				if err := bundle.Write(ep); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
