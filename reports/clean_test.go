package reports

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCleanMakesTextSafe(t *testing.T) {
	cases := []struct {
		name, in, want string
		max            int
		reason         string
	}{
		{"plain", "as it is: é 漢 😀", "as it is: é 漢 😀", 0, "ordinary text stays"},
		{"joiners", "क्‍ष नी‌व 👩‍🚀", "क्‍ष नी‌व 👩‍🚀", 0, "Indic scripts and emoji need their joiners"},
		{"escape", "\x1b[31mred\x1b[0m\a", "␛[31mred␛[0m␇", 0, "terminal sequences are shown and do nothing"},
		{"c1", "a\u009b31m\u0085b", "a\uFFFD31m\uFFFDb", 0, "C1 is a terminal sequence too"},
		{"raw-c1", "a\x9bb\xff\xc3", "a\uFFFDb\uFFFD\uFFFD", 0, "invalid UTF-8"},
		{"white", "  a\r\n\tb\u2028\u2029 c \n", "a b c", 0, "one line"},
		{"bidi", "a\u202Eb\u2066c\u200F", "a\uFFFDb\uFFFDc\uFFFD", 0, "overrides would reorder the line"},
		{"hidden", "\uFEFFa\u200Bb\u00ADc\U000E0041", "\uFFFDa\uFFFDb\uFFFDc\uFFFD", 0, "what nobody sees"},
		{"no-characters", "a\uFFFEb\uFFFFc\U0001FFFE", "a\uFFFDb\uFFFDc\uFFFD", 0, "XML 1.0 forbids them"},
		{"nul-del", "a\x00b\x7f", "a␀b␡", 0, "controls have pictures"},
		{"fits", strings.Repeat("x", 30), strings.Repeat("x", 30), 30, "exactly as long as allowed"},
		{"cut", strings.Repeat("x", 31), strings.Repeat("x", 19) + "… [12 more]", 30, "what is missing is said"},
		{"cut-wide", strings.Repeat("é", 1000), strings.Repeat("é", 18) + "… [982 more]", 30, "characters, not bytes"},
		{"tiny", "abcdefgh", "abc…", 4, "no room for more than a sign"},
		{"one", "abcdefgh", "…", 1, "as above"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.reason == "" {
				t.Fatal("a case needs a reason")
			}
			if got := Clean(c.in, c.max); got != c.want {
				t.Errorf("Clean(%q, %d)\n got %q\nwant %q", c.in, c.max, got, c.want)
			}
		})
	}
}

func TestCleanTextKeepsLines(t *testing.T) {
	if got, want := CleanText("a\r\n\tb\rc\x1b\n", 0), "a\n\tb\nc␛\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, size := range []int{200, 1000, 100_000} {
		got := CleanText(strings.Repeat("é\x1b", size), 100)
		if len(got) > 100 || !utf8.ValidString(got) || !strings.Contains(got, "bytes in all]") {
			t.Errorf("%d bytes: %q", len(got), got)
		}
	}
	if got := CleanText("abc", 3); got != "abc" {
		t.Errorf("what fits is cut: %q", got)
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"", "a\x1b[31m", "\u202E\xff]]>&<", strings.Repeat("\n x", 50), "\U000E0041\uFFFE"} {
		f.Add(s, 20)
	}
	f.Fuzz(func(t *testing.T, s string, max int) {
		if max = max % 1000; max < 0 {
			max = -max
		}
		line, text := Clean(s, max), CleanText(s, max)
		if max > 0 && (utf8.RuneCountInString(line) > max || len(text) > max) {
			t.Fatalf("too long for %d: %q, %q", max, line, text)
		}
		if strings.ContainsAny(line, "\n\t\r") || strings.ContainsAny(text, "\r") {
			t.Fatalf("line breaks: %q, %q", line, text)
		}
		if again := Clean(line, 0); max == 0 && again != line {
			t.Fatalf("not stable: %q, %q", line, again)
		}
		for _, out := range []string{line, text} {
			for _, r := range out {
				if r != '\n' && r != '\t' && (r < 0x20 || r == 0x7F || hidden(r)) {
					t.Fatalf("%U in %q", r, out)
				}
			}
			raw, err := xml.Marshal(xmlProblem{Type: "x", Message: line, Body: out})
			if err != nil {
				t.Fatal(err)
			}
			d := xml.NewDecoder(strings.NewReader(string(raw)))
			body := ""
			for {
				tok, err := d.Token()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatalf("%v in %q", err, raw)
				}
				if c, ok := tok.(xml.CharData); ok {
					body += string(c)
				}
			}
			if body != out {
				t.Fatalf("XML gives back %q for %q", body, out)
			}
		}
	})
}
