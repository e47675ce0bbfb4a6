package finqa

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestSampleAgrees(t *testing.T) {
	var out strings.Builder
	agree, total, err := Check(bytes.NewReader(Sample()), &out)
	if agree != 8 || total != 8 || err != nil || out.String() != "agree 8/8\n" {
		t.Errorf("got %d/%d, %v and\n%s", agree, total, err, out.String())
	}
}

func TestSampleIsACopy(t *testing.T) {
	Sample()[0] = 'x'
	if Sample()[0] != '{' {
		t.Error("a caller can change the sample for the next one")
	}
}

func TestSampleNoticesEveryWrongAnswer(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(string(Sample())), "\n")
	for i, line := range lines {
		start := strings.LastIndex(line, ":") + 1
		for _, wrong := range []string{`"yes"`, "0.228829", "0"} {
			var out strings.Builder
			agree, total, err := Check(strings.NewReader(line[:start]+wrong+"}"), &out)
			if agree != 0 || total != 1 || err != nil {
				t.Errorf("line %d with the answer %s: got %d/%d, %v and\n%s", i+1, wrong, agree, total, err, out.String())
			}
		}
	}
}

// goodLine is a line that agrees; the cases of TestCheck change one thing in it.
const goodLine = `{"id":"x","program":"add(1, 2)","table":[],"exe_ans":3}`

var checkCases = []struct{ name, lines, reason string }{
	{"agrees", goodLine, "nothing but the total"},
	{"spaces", ` { "id" : "x" , "program" : "add(1, 2)" , "table" : [ [ "a" , 1 ] ] , "exe_ans" : 3 } `, "JSON's white space is free"},
	{"keys-in-any-order", `{"exe_ans":3,"table":[],"program":"add(1, 2)","id":"x"}`, "JSON's keys have no order"},
	{"no-line-end", goodLine + "\n" + goodLine, "the last line may lack its end"},
	{"carriage-returns", goodLine + "\r\n" + goodLine + "\r\n", "files from Windows"},
	{"blank-lines", "\n  \t\n" + goodLine + "\n\n" + strings.Replace(goodLine, "3}", "4}", 1) + "\n\n", "skipped, but counted as lines"},
	{"exponent-answer", `{"id":"x","program":"add(1, 2)","table":[],"exe_ans":30e-1}`, "an answer is a double, not a spelling"},
	{"negative-zero", `{"id":"x","program":"subtract(0, 0)","table":[],"exe_ans":-0.0}`, "the zeros are equal"},
	{"tokens", `{"id":"x","program":["add(","1","2",")","EOF"],"table":[],"exe_ans":3}`, "the form of prediction files"},
	{"number-cells", `{"id":"x","program":"table_sum(a, none)","table":[["a",1,"2",3e0,-0.5]],"exe_ans":5.5}`, "a number counts by its spelling"},
	{"number-label", `{"id":"x","program":"table_sum(2019, none)","table":[[2019,1]],"exe_ans":1}`, "a number counts by its spelling, in labels too"},
	{"empty-row", `{"id":"x","program":"table_sum(a, none)","table":[[],["a",1]],"exe_ans":1}`, "a row without cells has no label"},
	{"escaped-key", `{"\u0069d":"x","program":"add(1, 2)","table":[],"exe_ans":3}`, "JSON's escapes are spelling"},

	{"wrong-number", `{"id":"x","program":"divide(1, 3)","table":[],"exe_ans":0.33}`, "a disagreement"},
	{"answer-not-rounded-again", `{"id":"x","program":"divide(1, 3)","table":[],"exe_ans":0.333333}`, "only the program's answer is rounded"},
	{"last-digit", `{"id":"x","program":"add(0.1, 0.2)","table":[],"exe_ans":0.30000000000000004}`, "exactly equal"},
	{"wrong-word", `{"id":"x","program":"greater(1, 2)","table":[],"exe_ans":"yes"}`, "a disagreement"},
	{"word-for-number", `{"id":"x","program":"add(1, 2)","table":[],"exe_ans":"no"}`, "a word is not a number"},
	{"number-for-word", `{"id":"x","program":"greater(1, 2)","table":[],"exe_ans":0}`, "a word is not a number"},
	{"large-numbers", `{"id":"x","program":"multiply(1e20, 1e20)","table":[],"exe_ans":1e300}`, "large numbers are shown with an exponent"},
	{"invalid-program", `{"id":"x","program":"add(1, two)","table":[],"exe_ans":3}`, "the error is what the program gave"},
	{"invalid-tokens", `{"id":"x","program":["add(","1","2",")"],"table":[],"exe_ans":3}`, "the error is what the program gave"},
	{"no-tokens", `{"id":"x","program":[],"table":[],"exe_ans":3}`, "an empty list is a list"},
	{"invalid-run", `{"id":"x","program":"divide(1, 0)","table":[],"exe_ans":3}`, "the error is what the program gave"},
	{"unknown-row", `{"id":"x","program":"table_max(b, none)","table":[["a",1]],"exe_ans":3}`, "the error is what the program gave"},
	{"empty-id", `{"id":"","program":"add(1, 2)","table":[],"exe_ans":4}`, "an id may say nothing"},

	{"not-json", "add(1, 2)", "broken"},
	{"cut", goodLine[:30], "broken"},
	{"two-objects", goodLine + goodLine, "one object a line"},
	{"text-after", goodLine + " x", "one object a line"},
	{"trailing-comma", `{"id":"x",}`, "not JSON"},
	{"array", `[1]`, "an object"},
	{"null", `null`, "an object"},
	{"byte-order-mark", "\ufeff" + goodLine, "not JSON"},
	{"not-utf-8", strings.Replace(goodLine, "x", "\xff", 1), "Go's decoder would replace the byte silently"},
	{"unknown-key", `{"id":"x","program":"add(1, 2)","table":[],"exe_ans":3,"answer":3}`, "a misspelt key is noticed"},
	{"key-in-capitals", `{"ID":"x","program":"add(1, 2)","table":[],"exe_ans":3}`, "Go's decoder would take it"},
	{"key-twice", `{"id":"x","program":"add(1, 2)","table":[],"exe_ans":4,"exe_ans":3}`, "Go's decoder would keep the last"},
	{"key-twice-escaped", `{"id":"x","\u0069d":"y","program":"add(1, 2)","table":[],"exe_ans":3}`, "the same key in another spelling"},
	{"no-id", `{"program":"add(1, 2)","table":[],"exe_ans":3}`, "all keys are required"},
	{"no-program", `{"id":"x","table":[],"exe_ans":3}`, "all keys are required"},
	{"no-table", `{"id":"x","program":"add(1, 2)","exe_ans":3}`, "all keys are required"},
	{"no-answer", `{"id":"x","program":"add(1, 2)","table":[]}`, "all keys are required"},
	{"id-number", `{"id":7,"program":"add(1, 2)","table":[],"exe_ans":3}`, "wrong type"},
	{"id-null", `{"id":null,"program":"add(1, 2)","table":[],"exe_ans":3}`, "Go's decoder would take it for an empty string"},
	{"program-number", `{"id":"x","program":5,"table":[],"exe_ans":3}`, "wrong type"},
	{"program-null", `{"id":"x","program":null,"table":[],"exe_ans":3}`, "Go's decoder would take it for nothing"},
	{"program-object", `{"id":"x","program":{"a":1},"table":[],"exe_ans":3}`, "wrong type"},
	{"token-number", `{"id":"x","program":["add(",1,"2",")","EOF"],"table":[],"exe_ans":3}`, "tokens are strings"},
	{"token-null", `{"id":"x","program":["add(",null,"2",")","EOF"],"table":[],"exe_ans":3}`, "tokens are strings"},
	{"table-null", `{"id":"x","program":"add(1, 2)","table":null,"exe_ans":3}`, "wrong type"},
	{"table-object", `{"id":"x","program":"add(1, 2)","table":{},"exe_ans":3}`, "wrong type"},
	{"row-string", `{"id":"x","program":"add(1, 2)","table":[["a"],"b"],"exe_ans":3}`, "wrong type"},
	{"row-null", `{"id":"x","program":"add(1, 2)","table":[null],"exe_ans":3}`, "Go's decoder would take it for an empty row"},
	{"cell-null", `{"id":"x","program":"add(1, 2)","table":[["a",null]],"exe_ans":3}`, "an empty cell is an empty string"},
	{"cell-boolean", `{"id":"x","program":"add(1, 2)","table":[["a",true]],"exe_ans":3}`, "wrong type"},
	{"cell-list", `{"id":"x","program":"add(1, 2)","table":[["a",["1"]]],"exe_ans":3}`, "wrong type"},
	{"answer-null", `{"id":"x","program":"add(1, 2)","table":[],"exe_ans":null}`, "wrong type"},
	{"answer-boolean", `{"id":"x","program":"greater(2, 1)","table":[],"exe_ans":true}`, "yes is not true"},
	{"answer-number-as-string", `{"id":"x","program":"add(1, 2)","table":[],"exe_ans":"3"}`, "a number is not a string"},
	{"answer-other-word", `{"id":"x","program":"greater(2, 1)","table":[],"exe_ans":"Yes"}`, "the words have one spelling"},
	{"answer-too-large", `{"id":"x","program":"add(1, 2)","table":[],"exe_ans":1e400}`, "not a double"},
	{"answer-nan", `{"id":"x","program":"add(1, 2)","table":[],"exe_ans":NaN}`, "Python writes it, JSON does not have it"},

	{"hostile-text", `{"id":"\u001b[2J\u202e","program":"add(1, 2)\u001b]0;title\u0007\nagree 1/1","table":[],"exe_ans":3}`, "no terminal sequences, no forged lines"},
	{"hostile-key", `{"\u001b[2J\n":1}`, "no terminal sequences"},
	{"long-text", `{"id":"` + strings.Repeat("i", 1000) + `","program":"` + strings.Repeat("add(", 1000) + `","table":[],"exe_ans":3}`, "cut, and says so"},
	{"deep-json", strings.Repeat("[", 100000), "the decoder's limit is an error, not a crash"},
	{"mixed", goodLine + "\n{\n" + strings.Replace(goodLine, `"x"`, `"y"`, 1) + "\n" + strings.Replace(goodLine, "3}", "4}", 1), "the others are still counted"},
}

func TestCheckPrintsDisagreements(t *testing.T) {
	seen := caseNames{}
	g := golden{path: "testdata/check.golden"}
	for _, c := range checkCases {
		seen.add(c.name, c.reason)
		var out strings.Builder
		agree, total, err := Check(strings.NewReader(c.lines), &out)
		if err != nil {
			t.Errorf("%s: %v: %s", c.name, err, c.reason)
		}
		checkReport(t, out.String(), agree, total)
		g.add(c.name, out.String())
	}
	g.compare(t)
}

// checkReport fails unless every line can be printed, the last one gives the totals, and the others are as many as
// the disagreements.
func checkReport(t *testing.T, report string, agree, total int) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(report, "\n"), "\n")
	for _, line := range lines {
		checkPrintable(t, line)
	}
	if last := lines[len(lines)-1]; last != fmt.Sprintf("agree %d/%d", agree, total) || len(lines)-1 != total-agree {
		t.Errorf("agree %d, total %d, but the report is\n%s", agree, total, report)
	}
}

func TestCheckRefusesNothing(t *testing.T) {
	for _, text := range []string{"", "\n", " \r\n\n"} {
		var out strings.Builder
		agree, total, err := Check(strings.NewReader(text), &out)
		if agree != 0 || total != 0 || err == nil || out.String() != "" {
			t.Errorf("Check(%q): got %d/%d, %v, %q; want an error and no output", text, agree, total, err, out.String())
		}
	}
}

func TestCheckReadsLongLines(t *testing.T) {
	cells := strings.Repeat(`,"1`+strings.Repeat(" ", 96)+`"`, 1<<16) // 6 MB
	line := `{"id":"x","program":"table_sum(a, none)","table":[["a"` + cells + `]],"exe_ans":65536}`
	var out strings.Builder
	if agree, total, err := Check(strings.NewReader(line+"\n"+goodLine), &out); agree != 2 || total != 2 || err != nil {
		t.Errorf("got %d/%d, %v and\n%s", agree, total, err, out.String())
	}
}

func TestCheckSkipsLinesBeyondTheLimit(t *testing.T) {
	seen := caseNames{}
	limit := len(goodLine)
	for _, c := range []struct{ name, lines, want, reason string }{
		{"at-the-limit", goodLine + "\n" + goodLine, "agree 2/2\n", "the end of the line does not count"},
		{"one-more", goodLine + " \n" + goodLine, "line 1: the line is longer than 55 bytes\nagree 1/2\n", "the next line is read as usual"},
		{"far-more", strings.Repeat("x", 100000) + "\n" + goodLine, "line 1: the line is longer than 55 bytes\nagree 1/2\n", "over many buffers"},
		{"last", goodLine + "\n" + strings.Repeat("x", 100000), "line 2: the line is longer than 55 bytes\nagree 1/2\n", "without an end"},
		{"blank", strings.Repeat(" ", 100000) + "\n" + goodLine, "line 1: the line is longer than 55 bytes\nagree 1/2\n", "nobody looked at the rest"},
	} {
		seen.add(c.name, c.reason)
		var out strings.Builder
		lines := lineReader{r: bufio.NewReaderSize(strings.NewReader(c.lines), 16), max: limit}
		_, _, err := check(lines, &out)
		if err != nil || out.String() != c.want {
			t.Errorf("%s: got %v and\n%swant\n%s%s", c.name, err, out.String(), c.want, c.reason)
		}
	}
}

func TestCheckReportsWhatItCannotReadOrWrite(t *testing.T) {
	broken := errors.New("the disk is gone")
	var out strings.Builder
	agree, total, err := Check(io.MultiReader(strings.NewReader(goodLine+"\n"), iotest.ErrReader(broken)), &out)
	if !errors.Is(err, broken) || agree != 1 || total != 1 || out.String() != "" {
		t.Errorf("reading: got %d/%d, %v, %q; want the error, what was read before it, and no totals", agree, total, err, out.String())
	}
	for name, lines := range map[string]string{"totals": goodLine, "disagreement": "x"} {
		if _, total, err := Check(strings.NewReader(lines), failingWriter{broken}); !errors.Is(err, broken) || total != 1 {
			t.Errorf("writing the %s: got %v and %d lines; want the error", name, err, total)
		}
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func FuzzCheck(f *testing.F) {
	f.Add(Sample())
	for _, c := range checkCases {
		if len(c.lines) < 1000 {
			f.Add([]byte(c.lines))
		}
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		want := 0
		for line := range bytes.SplitSeq(file, []byte("\n")) {
			if len(bytes.TrimSpace(line)) > 0 {
				want++
			}
		}
		var out strings.Builder
		agree, total, err := Check(bytes.NewReader(file), &out)
		if total != want || (err != nil) != (want == 0) {
			t.Fatalf("got %d lines, %v; want %d", total, err, want)
		}
		if err == nil {
			checkReport(t, out.String(), agree, total)
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	for b.Loop() {
		if agree, _, err := Check(bytes.NewReader(Sample()), io.Discard); agree != 8 || err != nil {
			b.Fatal(agree, err)
		}
	}
}
