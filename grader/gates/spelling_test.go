package gates

import "testing"

func TestFoldedTextsHoldSpellings(t *testing.T) {
	for _, c := range []struct {
		text, value string
		want        bool
		reason      string
	}{
		{"see planted-77.", "planted-77", true, "as it is"},
		{"SEE PLANTED 77!", "planted-77", true, "in capitals, in two words"},
		{"planted_77", "planted-77", true, "with another separator"},
		{"planted77", "planted-77", true, "without one"},
		{"pla nted-77", "planted-77", true, "torn apart"},
		{"plan\u200bted\u00ad77", "planted-77", true, "with what cannot be seen"},
		{`{"k":"Planted\u002d77"}`, "planted-77", true, "behind an escape"},
		{`["planted","77"]`, "planted-77", false, "but not over two values"},
		{"unplanted 77", "planted-77", false, "nor half a word"},
		{"planted 775", "planted-77", false, "nor half a number"},
		{"max 70", "ax-7", false, "nor across words"},
		{"the planted x planted 77", "planted-77", true, "the second time"},
		{"H B", "h-b", false, "what is short turns up by chance"},
		{"25", "2.5", false, "a number is its value"},
		{"गुप्त शब्द", "गुप्त-शब्द", true, "in any script"},
		{"ГЕРБ 12", "герб-12", true, "with its capitals"},
		{"", "planted-77", false, "nothing"},
		{"planted-77", "—", false, "nothing to look for"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			if got := fold(c.text).holds(c.value); got != c.want {
				t.Errorf("%q in %q is %t", c.value, c.text, got)
			}
		})
	}
}

func TestWordsForValues(t *testing.T) {
	for _, c := range []struct{ value, words, want, reason string }{
		{"2500000", "25 lakh", "", "figures and a scale"},
		{"2500000", "25 लाख", "", "in Hindi"},
		{"2500000", "पच्चीस लाख", "", "in words"},
		{"2500000", "२५ लाख", "", "in its own figures"},
		{"900", "nine hundred", "", "in English words"},
		{"0.06", "6%", "", "a percentage"},
		{"0.5", "half of it", "", "a fraction"},
		{"0.5", "½", "", "as one sign"},
		{"12", "a dozen", "", "a measure"},
		{"250", "twenty-five tens", "", "joined by a hyphen"},
		{"15000000", "Dedh Crore", "", "in Hinglish, in capitals"},
		{"250", "the usual amount", "which names no number", "no number at all"},
		{"-5", "below the line", "which names no number", "nor a negative one"},
		{"24,00,000", "everything", "which names no number", "grouping or not"},
		{"2026-09-01", "1 September 2026", "", "a date shares figures"},
		{"2026-09-01", "the first of September", "", "or has a number word"},
		{"ZX81774", "secret code", "which has none of its figures", "a code without"},
		{"ZX81774", "code 1", "which has none of its figures", "or with others"},
		{"ZX81774", "the ZX with 81774", "", "or with its own"},
		{"USD", "US dollars", "", "a word for a word is the author's"},
		{"INR", "रुपये", "", "in any language"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			if got := misstated(c.value, c.words); got != c.want {
				t.Errorf("%q for %q: %q, want %q", c.words, c.value, got, c.want)
			}
		})
	}
}
