package workspace

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A saying is a text that is read strictly. What is derived from it is made once.
type saying struct {
	text  string // in lower case
	claim bool   // what an agent says: what it denies is not said
	all   bool   // whatever is mentioned is said
	long  bool   // there was more of it than is read
	exact bool   // to the letter: no words in other forms, and numbers to the last digit

	numbered bool
	numbers  []quantity
	worded   bool
	words    []span
	lined    bool
	lines    []textLine
	weighed  bool
	denials  []span
}

// A span is a part of a text.
type span struct{ from, to int }

func (s span) holds(o span) bool { return s.from <= o.from && o.to <= s.to }

// claimed reads what an agent says. Hyphens and blanks that do not break, and what Markdown escapes, are
// as one reads them.
func claimed(text string) *saying {
	text = strings.ToLower(plain(turned(text)))
	if strings.ContainsAny(text, "\u00a0\\") {
		text = plainer.Replace(text)
		text = betweenDigits(text)
	}
	return &saying{text: text, claim: true}
}

var plainer = strings.NewReplacer(`\$`, "$", `\-`, "-", `\_`, "_", `\*`, "*", `\#`, "#", `\|`, "/", `\.`, ".", `\(`, "(", `\)`, ")")

// betweenDigits keeps blanks that do not break where they group digits, and makes plain ones of the rest.
func betweenDigits(s string) string {
	const hard = "\u00a0"
	parts := strings.Split(s, hard)
	var b strings.Builder
	for i, p := range parts {
		if i > 0 {
			before := parts[i-1]
			if before != "" && p != "" && digit(before[len(before)-1]) && digit(p[0]) {
				b.WriteString(hard)
			} else {
				b.WriteByte(' ')
			}
		}
		b.WriteString(p)
	}
	return b.String()
}

// A fragment is what is looked for in a text.
type fragment struct {
	text    string // in lower case
	numbers []quantity
	number  bool // it is the first of the numbers and nothing else
	words   []span
	worded  bool
}

func newFragment(text string) *fragment {
	f := &fragment{text: strings.ToLower(plain(text))}
	if strings.ContainsAny(f.text, "0123456789") {
		f.numbers = quantities(f.text)
		f.number = alone(f.text, f.numbers)
	}
	return f
}

// says reports whether a fragment is said.
func (s *saying) says(text string) bool { return s.holds(newFragment(text)) }

func (s *saying) holds(f *fragment) bool {
	var few [4]span
	return len(s.find(few[:0], f, true, true)) > 0
}

// places returns where a fragment is said, each place once, the denied ones left out.
func (s *saying) places(f *fragment) []span { return s.find(nil, f, true, false) }

// mentions returns where a fragment stands, denied or not.
func (s *saying) mentions(f *fragment) []span { return s.find(nil, f, false, false) }

// find appends where a fragment stands: a number by its value, with its sign and scale; anything
// as it is, at the edges of words where [wholeWord] says so, and with the same numbers in it; and by its
// meaningful words one after the other. What is only to be said must not be denied; of one place
// the first is enough.
func (s *saying) find(out []span, f *fragment, said, one bool) []span {
	enough := func(p span) bool {
		if !said || !s.denied(p.from) && (f.number || !s.claim || s.all || !s.open(p)) {
			out = append(out, p)
		}
		return one && len(out) > 0
	}
	if f.number {
		n := f.numbers[0]
		for _, q := range s.quantities() {
			if q.unit == n.unit && !(said && q.doubt) && (q.value == n.own || q.other == n.own && n.own.digits != "" || !s.exact && q.value.near(n.own)) && enough(span{q.from, q.to}) {
				return out
			}
		}
		if plainNumber(f.text) {
			return out
		}
	}
	found := false
	literal := func(text string) (done bool) {
		for from := 0; text != ""; {
			i := strings.Index(s.text[from:], text)
			if i < 0 {
				break
			}
			i += from
			if p := (span{i, i + len(text)}); wholeWord(s.text, p) && s.sameNumbers(p, f.numbers) {
				if found = true; enough(p) {
					return true
				}
			}
			_, n := utf8.DecodeRuneInString(s.text[i:])
			from = i + n
		}
		return false
	}
	if literal(f.text) || slices.ContainsFunc(aliases[f.text], literal) || found || s.exact {
		return out
	}
	want := f.wordSpans()
	if len(want) == 0 || !strings.Contains(s.text, f.text[want[0].from:want[0].to]) {
		return out
	}
	have := s.wordSpans()
next:
	for i := 0; i+len(want) <= len(have); i++ {
		for k, w := range want {
			if h := have[i+k]; s.text[h.from:h.to] != f.text[w.from:w.to] {
				continue next
			}
		}
		if p := (span{have[i].from, have[i+len(want)-1].to}); s.sameNumbers(p, f.numbers) && enough(p) {
			return out
		}
	}
	return out
}

func (f *fragment) wordSpans() []span {
	if !f.worded {
		f.words, f.worded = wordSpans(f.text), true
	}
	return f.words
}

// alone reports whether a text is one number and nothing else.
func alone(f string, numbers []quantity) bool {
	return len(numbers) == 1 && !numbers[0].power && strings.TrimSpace(f[:numbers[0].start]) == "" && strings.TrimSpace(f[numbers[0].end:]) == ""
}

func (s *saying) wordSpans() []span {
	if !s.worded {
		s.words, s.worded = wordSpans(s.text), true
	}
	return s.words
}

func (s *saying) quantities() []quantity {
	if !s.numbered {
		s.numbers, s.numbered = quantities(s.text), true
		if s.claim {
			s.label()
		}
		if s.claim && !s.all {
			s.doubt()
		}
	}
	return s.numbers
}

// sameNumbers reports whether the numbers that a part of the text touches are those of a fragment.
func (s *saying) sameNumbers(p span, want []quantity) bool {
	if !strings.ContainsAny(s.text[p.from:p.to], "0123456789") {
		return len(want) == 0
	}
	all := s.quantities()
	i, _ := slices.BinarySearchFunc(all, p.from, func(q quantity, at int) int { return q.to - at - 1 })
	for ; i < len(all) && all[i].from < p.to; i++ {
		if len(want) == 0 || !all[i].same(want[0]) || all[i].doubt {
			return false
		}
		want = want[1:]
	}
	return len(want) == 0
}

// shortFragment is how many letters and digits a fragment may have to be one that could as
// well occur inside some other word.
const shortFragment = 6

// wholeWord reports whether a part of a text is whole: a short one of letters and digits is a word of
// its own.
func wholeWord(text string, p span) bool {
	f := text[p.from:p.to]
	if utf8.RuneCountInString(f) > shortFragment || strings.ContainsFunc(f, func(r rune) bool { return !wordRune(r) }) {
		return true
	}
	return !wordBefore(text, p.from) && !wordAfter(text, p.to)
}

// wordSpans returns the meaningful words of a text in lower case, as [words] has them, where a number with
// its points and commas is one.
func wordSpans(s string) (out []span) {
	start := -1
	end := func(i int) {
		if start >= 0 && !smallWord(s[start:i]) {
			out = append(out, span{start, i})
		}
		start = -1
	}
	for i, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || start >= 0 && i+1 < len(s) && separator(s[i]) && digit(s[i-1]) && digit(s[i+1]) {
			if start < 0 {
				start = i
			}
			continue
		}
		end(i)
	}
	end(len(s))
	return out
}

func smallWord(w string) bool {
	switch w {
	case "a", "an", "and", "for", "of", "the":
		return true
	}
	return false
}
